(** The tables of counting are true: L2 and L3 as computed. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import Game Theory Counting Checker.
Import ListNotations.

Lemma overpaid_is p k profile tab :
  overpaid_by p k profile tab
  = sum (fun j => (p + nth j tab 0 - nth (S j) tab 0) * min (nth j profile 0) k) (seq 0 (pred (length tab))).
Proof.
  revert tab; induction profile as [|u profile IH]; intros tab.
  - cbn [overpaid_by]. rewrite (sum_eq _ _ (fun _ => 0)); [symmetry; apply sum_zero|]. intros [|j] _; cbn; lia.
  - destruct tab as [|a [|b tab]]; try reflexivity. cbn [overpaid_by]. rewrite IH. cbn [length pred].
    rewrite sum_first. reflexivity.
Qed.

Lemma rows_are_good w priced tab : forall n i,
  rows_good n w priced tab = true -> i < length tab ->
  exists p D, In (p, D) priced /\ nth i tab 0 + D <= n + i + p * (n + i - w).
Proof.
  induction tab as [|a tab IH]; intros n i H Hi; cbn in Hi; [lia|]. cbn [rows_good] in H.
  apply andb_prop in H as [H1 H2].
  destruct i as [|i].
  - apply existsb_exists in H1 as [[p D] [I E]]. apply Nat.leb_le in E. exists p, D. rewrite Nat.add_0_r. auto.
  - destruct (IH (S n) i H2) as [p [D [I E]]]; [lia|]. exists p, D. split; [exact I|]. cbn [nth].
    replace (n + S i) with (S n + i) by lia. exact E.
Qed.

Lemma table_is_good K profile tab :
  table_good K profile tab = true ->
  good K (fun j => nth j profile 0) (fun n => nth n tab 0) (pred (length tab)).
Proof.
  intros H. destruct tab as [|[|z] rest]; try discriminate. cbn [table_good] in H. split; [reflexivity|].
  intros n w Hn Hw.
  assert (E : rows_good 1 w (map (fun p => (p, overpaid_by p (K - w) profile (0 :: rest))) prices) rest = true).
  { apply (proj1 (forallb_forall _ _) H). cbn. lia. }
  cbn [length pred] in *. destruct n as [|n]; [lia|]. destruct (rows_are_good _ _ _ _ n E) as [p [D [I B]]]; [lia|].
  apply in_map_iff in I as [p' [[= -> <-] _]]. exists p. rewrite overpaid_is in B. exact B.
Qed.

Lemma nth_capped n most tab i :
  nth i (capped n most tab) (Some 0) = if i <? length tab then (if n + i <=? most then Some (nth i tab 0) else None)
    else Some 0.
Proof.
  revert n i; induction tab as [|a tab IH]; intros n [|i]; cbn [capped nth length]; try reflexivity.
  - rewrite Nat.add_0_r. reflexivity.
  - rewrite IH. rewrite Nat.add_succ_r. reflexivity.
Qed.

Lemma total_room_is n k profile : total_room n k profile = sum (fun j => min (nth j profile 0) k) (seq 0 n).
Proof.
  revert n; induction profile as [|u profile IH]; intros n.
  - destruct n; cbn [total_room]; [reflexivity|]. rewrite (sum_eq _ _ (fun _ => 0)); [symmetry; apply sum_zero|].
    intros [|j] _; cbn; lia.
  - destruct n as [|n]; [reflexivity|]. rewrite sum_first. cbn [total_room]. rewrite IH. reflexivity.
Qed.

Lemma nth_capacities K profile steps : forall d i,
  i < length (capacities steps (capacity K (fun j => nth j profile 0) d) K profile) ->
  nth i (capacities steps (capacity K (fun j => nth j profile 0) d) K profile) 0 = capacity K (fun j => nth j profile
    0) (d + i).
Proof.
  induction steps as [|steps IH]; intros d i Hi; cbn [capacities] in *.
  - destruct i; [rewrite Nat.add_0_r; reflexivity|cbn in Hi; lia].
  - destruct i as [|i]; [rewrite Nat.add_0_r; reflexivity|]. cbn [nth]. rewrite Nat.add_succ_r.
    assert (E : max (total_room (capacity K (fun j => nth j profile 0) d) K profile)
        (1 + total_room (capacity K (fun j => nth j profile 0) d) (K - 1) profile) = capacity K (fun j => nth j
          profile 0) (S d)).
    { rewrite !total_room_is. cbn [capacity]. unfold room. rewrite Nat.sub_0_r. reflexivity. }
    rewrite E in *. apply IH. cbn [length] in Hi. apply Nat.succ_lt_mono. exact Hi.
Qed.

Lemma lb_nothing col d s : lb col d s (Some 0).
Proof. intros t _. cbn. lia. Qed.

Lemma length_fill steps : forall n before priced K profile, length (fill steps n before priced K profile) = steps.
Proof. induction steps as [|steps IH]; intros; cbn [fill length]; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma at_best_is n w ps : at_best n w ps = 0 \/ exists p D, In (p, D) ps /\ at_best n w ps = n + p * (n - w) - D.
Proof.
  unfold at_best. cut (forall v, fold_left (fun v pd => max v (n + fst pd * (n - w) - snd pd)) ps v = v \/
    exists p D, In (p, D) ps /\ fold_left (fun v pd => max v (n + fst pd * (n - w) - snd pd)) ps v = n + p * (n - w)
      - D);
    [intros X; apply X|].
  induction ps as [|[p D] ps IH]; intros v; [left; reflexivity|]. cbn [fold_left fst snd].
  destruct (IH (max v (n + p * (n - w) - D))) as [E|[p' [D' [I E]]]].
  - rewrite E. destruct (Nat.max_dec v (n + p * (n - w) - D)) as [->| ->]; [left; reflexivity|].
    right. exists p, D. split; [left|]; reflexivity.
  - right. exists p', D'. split; [right; exact I|exact E].
Qed.

Lemma table_is_true col guesses profile K : table_true col guesses profile K (table_of guesses K profile).
Proof.
  unfold table_of.
  set (tab := if table_good K profile (filled guesses K profile) then filled guesses K profile else []).
  assert (G : tab = [] \/ length tab = S guesses /\
    good K (fun j => nth j profile 0) (fun n => nth n tab 0) (pred (length tab))).
  { subst tab. destruct (table_good _ _ _) eqn:E; [right|left; reflexivity]. split; [|apply table_is_good, E].
    unfold filled. cbn [length]. rewrite length_fill. reflexivity. }
  clearbody tab. split.
  { intros d s F L. cbn [costs unlimited limited].
    assert (U : lb col d s (nth (length s) (map Some tab) (Some 0))).
    { destruct (Nat.lt_ge_cases (length s) (length tab)) as [Hs|Hs].
      - rewrite (map_nth Some tab 0).
        destruct G as [->|[_ G]]; [cbn in Hs; lia|]. intros t Ht. cbn [reaches].
        apply (counting_bounds col K (fun j => nth j profile 0) (fun n => nth n tab 0) (pred (length tab)) d);
          [exact G|exact F|lia|exact Ht].
      - rewrite nth_overflow by (rewrite map_length; exact Hs). apply lb_nothing. }
    destruct d as [d|]; [|exact U]. cbn [costs unlimited limited].
    set (caps := capacities limits 0 K profile). destruct (Nat.lt_ge_cases d (length caps)) as [Hd|Hd].
    - rewrite nth_indep with (d' := capped 0 0 tab) by (rewrite map_length; exact Hd).
      rewrite (map_nth (fun most => capped 0 most tab)).
      rewrite nth_capped. destruct (Nat.ltb_spec (length s) (length tab)) as [Hs|Hs]; [|apply lb_nothing].
      cbn [Nat.add]. destruct (Nat.leb_spec (length s) (nth d caps 0)) as [Hc|Hc].
      + rewrite (map_nth Some tab 0) in U. exact U.
      + intros t Ht. pose proof (capacity_bounds col K (fun j => nth j profile 0) d t s F Ht) as B.
        pose proof (nth_capacities K profile limits 0 d Hd) as N. change (capacity K _ 0) with 0 in N. fold caps in N.
        rewrite N in Hc. cbn [Nat.add] in Hc. lia.
    - rewrite nth_overflow with (n := d) by (rewrite map_length; exact Hd). exact U. }
  intros d g s k F L Hk.
  assert (Z : forall n, n = 0 -> ask_lb col d g s (Some n)) by (intros n -> next _; cbn; lia).
  assert (W : length (part col g 0 s) <= 1) by apply F.
  unfold even. cbn [priced]. destruct G as [->|[Lt G]].
  { apply Z. destruct k, (0 <? _); reflexivity. }
  set (ps := match tab with [] => [] | _ => _ end).
  assert (X : forall w, w = length (part col g 0 s) -> forall l, (forall p D, In (p, D) l ->
    D = overpaid_by p (k - w) profile tab) ->
    ask_lb col d g s (Some (at_best (length s) w l))).
  { intros w -> l Hl. destruct (at_best_is (length s) (length (part col g 0 s)) l) as [E|[p [D [I E]]]];
      [apply Z, E|].
    rewrite E, (Hl p D I), overpaid_is.
    apply (ask_by_parts col K (fun j => nth j profile 0) (fun n => nth n tab 0) (pred (length tab)) d g s k p);
      [exact G|exact F|exact Hk|lia]. }
  assert (Y : nth k ps ([], []) = ([], []) \/ nth k ps ([], []) =
    (map (fun p => (p, overpaid_by p k profile tab)) prices, map (fun p => (p,
      overpaid_by p (k - 1) profile tab)) prices)).
  { subst ps. destruct tab as [|a tab]; [discriminate|]. destruct (Nat.lt_ge_cases k (S K)) as [HK|HK].
    - right. set (f := fun k => (map (fun p => (p, overpaid_by p k profile (a :: tab))) prices,
        map (fun p => (p, overpaid_by p (k - 1) profile (a :: tab))) prices)).
      change (nth k (map f (seq 0 (S K))) ([], []) = f k).
      rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; exact HK).
      rewrite (map_nth f). rewrite seq_nth by exact HK. reflexivity.
    - left. apply nth_overflow. rewrite map_length, seq_length. exact HK. }
  assert (V : forall c p D, In (p, D) (map (fun p => (p, overpaid_by p c profile tab)) prices) ->
    D = overpaid_by p c profile tab).
  { intros c p D I. apply in_map_iff in I as [p' [[= -> <-] _]]. reflexivity. }
  destruct (Nat.ltb_spec 0 (length (part col g 0 s))) as [Hw|Hw]; (apply X; [lia|]);
    (destruct Y as [-> | ->]; cbn [fst snd]; [intros p D []|rewrite ?Nat.sub_0_r; apply V]).
Qed.

Lemma trivial_is_true col guesses profile K : table_true col guesses profile K trivial.
Proof.
  split.
  - intros d s _ _. replace (nth _ _ _) with (Some 0); [apply lb_nothing|].
    destruct d as [[|d]|]; destruct (length s); reflexivity.
  - intros d g s k _ _ _ next _. unfold even. cbn [priced trivial]. destruct k, (0 <? _); cbn; lia.
Qed.

(** ** The profile of the whole game *)

Definition largest (l : list nat) : nat := fold_left max l 0.

Lemma largest_bounds l x : In x l -> x <= largest l.
Proof.
  unfold largest. cut (forall m, m <= fold_left max l m /\ (In x l -> x <= fold_left max l m)); [intros X; apply X|].
  induction l as [|y l IH]; intros m; cbn; [split; [lia|tauto]|]. destruct (IH (max m y)) as [A B].
  split; [lia|]. intros [->|H]; [lia|auto].
Qed.

Definition above (j : nat) (h : list nat) : nat := length (filter (Nat.ltb j) (tl h)).

Definition profile_of (hs : list (list nat)) : list nat :=
  let top := largest (map (fun h => largest (tl h)) hs) in
  map (fun j => largest (map (above j) hs)) (seq 0 top).

Lemma profile_bounds hs h j : In h hs -> above j h <= nth j (profile_of hs) 0.
Proof.
  intros H. unfold profile_of. set (top := largest _). destruct (Nat.lt_ge_cases j top) as [Hj|Hj].
  - rewrite nth_indep with (d' := largest (map (above 0) hs)) by (rewrite map_length, seq_length; exact Hj).
    rewrite (map_nth (fun j => largest (map (above j) hs))). rewrite seq_nth by exact Hj.
    apply largest_bounds, in_map, H.
  - unfold above. replace (filter (Nat.ltb j) (tl h)) with (@nil nat); [cbn; lia|].
    assert (T : forall c, In c (tl h) -> c <= j).
    { intros c Hc. apply largest_bounds in Hc. assert (largest (tl h) <= top); [|lia].
      apply largest_bounds. apply (in_map (fun h => largest (tl h))), H. }
    induction (tl h) as [|c l IH]; [reflexivity|]. cbn [filter]. pose proof (T c (or_introl eq_refl)).
    destruct (Nat.ltb_spec j c); [lia|]. apply IH. intros; apply T; right; assumption.
Qed.

Definition single (hs : list (list nat)) : bool := forallb (fun h => hd 0 h <=? 1) hs.

Lemma whole_is_proper col guesses :
  (forall x, x < guesses -> length (col x) = guesses) -> single (hists col guesses (whole guesses)) = true ->
  proper col guesses (profile_of (hists col guesses (whole guesses))) (whole guesses).
Proof.
  intros C H. set (s := whole guesses) in *.
  assert (L : forall x, In x s -> x < guesses) by (intros x Hx; apply in_seq in Hx; lia).
  assert (C' : forall x, In x s -> length (col x) = guesses) by (intros; apply C, L; assumption).
  destruct (hists_sizes col guesses s C') as [LH E].
  split; [exact L|]. split; [unfold s, whole; rewrite seq_length; apply le_n|].
  exists (most (looks col guesses s)). split; [|split].
  - intros g. rewrite <- E. destruct (Nat.lt_ge_cases g (length (hists col guesses s))) as [Hg|Hg].
    + pose proof (proj1 (forallb_forall _ _) H _ (nth_In _ [] Hg)) as B. apply Nat.leb_le in B.
      destruct (nth g (hists col guesses s) []); exact B.
    + rewrite nth_overflow with (n := g) by exact Hg. cbn. lia.
  - apply (few_parts col guesses s C').
  - intros g j m. rewrite (sum_eq _ _ (fun a => if j <? nth a (tl (nth g (hists col guesses s) [])) 0 then 1 else 0)).
    + rewrite (sum_nth (fun c => if j <? c then 1 else 0)) by (destruct j; reflexivity). rewrite sum_if.
      destruct (Nat.lt_ge_cases g (length (hists col guesses s))) as [Hg|Hg].
      * apply (profile_bounds _ (nth g (hists col guesses s) []) j), nth_In, Hg.
      * rewrite nth_overflow by exact Hg. cbn. lia.
    + intros a _. rewrite <- E. destruct (nth g (hists col guesses s) []); [destruct a|]; reflexivity.
Qed.
