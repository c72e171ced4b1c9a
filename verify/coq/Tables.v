(** The tables of counting are true: L2 and L3 as computed. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import CodeGame Theory Vector Board Codes Counting Checker.
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

(** The profile of all secrets: the most that is in the largest part, the second, and so on. *)
Definition larger (l m : list nat) : list nat := map (fun xy => max (fst xy) (snd xy)) (combine l m).

Definition ranks (B : board) : list nat :=
  fold_left (fun l g => larger l (rev' (Sorting.sort (tl (list_of (sizes B g (whole B)))))))
    (range (guesses B)) (repeat 0 (responses B - 1)).

Definition profile_of (B : board) : list nat :=
  let l := ranks B in map (fun j => List.length (filter (Nat.ltb j) l)) (seq 0 (fold_left max l 0)).

Definition single (B : board) : bool :=
  forallb (fun g => word_at (sizes B g (whole B)) 0 <=? 1) (range (guesses B)).

Section Game.

Variable B : board.
Variable col : nat -> list nat.
Variable profile : list nat.

Lemma zero_ask d g s n : n = 0 -> ask_lb col d g s (Some n).
Proof. intros -> next _. cbn. lia. Qed.

Lemma trivial_is_true K : table_true B col profile K (trivial (secrets B)).
Proof.
  split.
  - intros d s _ L. unfold costs.
    assert (R : room_of (trivial (secrets B)) d = secrets B)
      by (destruct d as [[|d]|]; cbn [room_of trivial most rooms nth]; lia).
    rewrite R. apply Nat.leb_le in L as ->. cbn [trivial least]. rewrite make_at.
    destruct (_ <? _); apply lb_zero.
  - intros d g s k _ _ _. apply zero_ask. unfold even. cbn [priced trivial].
    destruct (k - _); reflexivity.
Qed.

Lemma table_is_true K : table_true B col profile K (table_of (secrets B) K profile).
Proof.
  unfold table_of. set (n := secrets B). set (tab := filled n K profile).
  destruct (table_good K profile tab) eqn:E; [|apply trivial_is_true].
  assert (Lt : List.length tab = S n) by (unfold tab, filled; cbn [List.length]; rewrite length_fill; reflexivity).
  clearbody tab. apply table_is_good in E. rewrite Lt in E. cbn [pred] in E. rename E into G.
  assert (U : forall d s, fits col K (fun j => nth j profile 0) s -> List.length s <= n ->
    lb col d s (Some (word_at (words_of tab) (List.length s)))).
  { intros d s F L t Ht. cbn [reaches].
    apply (counting_bounds col K (fun j => nth j profile 0) (fun n => nth n tab 0) n d); assumption. }
  set (T := {| least := _; most := _; rooms := _; priced := _ |}).
  assert (Le : least T = words_of tab) by reflexivity. assert (Mo : most T = n) by reflexivity.
  assert (Ro : rooms T = capacities limits 0 K profile) by reflexivity.
  assert (Pr : priced T = map (fun k => Delay (map (fun p => (p, overpaid_by p k profile tab)) prices)) (seq 0 (S K)))
    by reflexivity.
  clearbody T. split.
  - intros d s F L. unfold costs. rewrite Le.
    destruct (Nat.leb_spec (List.length s) (room_of T d)) as [R|R]; [apply U; assumption|].
    destruct d as [d|]; unfold room_of in R; rewrite Mo in R; [|fold n in L; lia].
    rewrite Ro in R. remember limits as steps eqn:St. clear St.
    pose proof (nth_capacities K profile steps 0 d) as N. change (capacity K _ 0) with 0 in N.
    set (caps := capacities steps 0 K profile) in *. destruct (Nat.lt_ge_cases d (List.length caps)) as [Hd|Hd].
    + intros t Ht. pose proof (capacity_bounds col K (fun j => nth j profile 0) d t s F Ht) as C.
      specialize (N Hd). rewrite nth_indep with (d' := 0) in R by exact Hd. rewrite N in R. cbn [Nat.add] in R.
      fold n in L. lia.
    + rewrite nth_overflow in R by exact Hd. fold n in L. lia.
  - intros d g s k F L Hk. unfold even. rewrite Pr.
    assert (W : List.length (part col g 0 s) <= 1) by apply F.
    set (w := Nat.b2n (0 <? List.length (part col g 0 s))).
    assert (Ew : w = List.length (part col g 0 s))
      by (unfold w; destruct (List.length (part col g 0 s)) as [|[|]]; cbn; lia).
    set (f := fun k => Delay (map (fun p => (p, overpaid_by p k profile tab)) prices)).
    assert (Y : forall c, nth c (map f (seq 0 (S K))) (Delay []) = Delay [] \/ nth c (map f (seq 0 (S K))) (Delay []) = f c).
    { intros c. destruct (Nat.lt_ge_cases c (S K)) as [Hc|Hc].
      - right. rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; exact Hc).
        rewrite (map_nth f). rewrite seq_nth by exact Hc. reflexivity.
      - left. apply nth_overflow. rewrite map_length, seq_length. exact Hc. }
    destruct (Y (k - w)) as [-> | ->]; [apply zero_ask; reflexivity|]. cbn [value f].
    destruct (at_best_is (List.length s) w (map (fun p => (p, overpaid_by p (k - w) profile tab)) prices))
      as [Z|[p [D [I Z]]]]; rewrite Z; [apply zero_ask; reflexivity|].
    apply in_map_iff in I as [p' [[= -> <-] _]]. rewrite overpaid_is, Ew, Lt. cbn [pred].
    apply (ask_by_parts col K (fun j => nth j profile 0) (fun n => nth n tab 0) n d g s k p); assumption.
Qed.

(** ** The profile of the whole game *)

Definition above (j : nat) (l : list nat) : nat := List.length (filter (Nat.ltb j) l).

Lemma above_larger j : forall l m, List.length l <= List.length m ->
  above j l <= above j (larger l m) /\ above j (firstn (List.length l) m) <= above j (larger l m).
Proof.
  unfold above, larger. induction l as [|x l IH]; intros [|y m] L; cbn in L; try (cbn; lia).
  destruct (IH m ltac:(lia)) as [A1 A2]. cbn [combine map firstn List.length filter fst snd].
  destruct (Nat.ltb_spec j x), (Nat.ltb_spec j y), (Nat.ltb_spec j (max x y)); cbn [List.length]; lia.
Qed.

Lemma length_larger l m : List.length (larger l m) = min (List.length l) (List.length m).
Proof. unfold larger. rewrite map_length. apply combine_length. Qed.

Lemma above_permuted j l m : Permutation l m -> above j l = above j m.
Proof.
  unfold above. induction 1; cbn [filter]; [reflexivity|destruct (j <? x); cbn [List.length]; congruence| |congruence].
  destruct (j <? x), (j <? y); reflexivity.
Qed.

Definition shares (g : nat) : list nat := tl (list_of (sizes B g (whole B))).

Lemma length_shares g : List.length (shares g) = responses B - 1.
Proof.
  unfold shares, list_of, sizes, tally. pose proof (length_make (responses B)
    (fun r => List.length (filter (fun x => byte_at (answers B) (g * secrets B + x) =? r) (whole B)))) as L.
  destruct (make_words _ _); cbn in *; lia.
Qed.

Lemma ranks_bound g j : g < guesses B -> above j (shares g) <= above j (ranks B).
Proof.
  intros Hg. unfold ranks.
  assert (X : forall gs l, List.length l = responses B - 1 ->
    let l' := fold_left (fun l g => larger l (rev' (Sorting.sort (tl (list_of (sizes B g (whole B))))))) gs l in
    above j l <= above j l' /\ (In g gs -> above j (shares g) <= above j l')).
  { induction gs as [|h gs IH]; intros l L; cbn [fold_left]; [split; [apply le_n|intros []]|].
    fold (shares h). set (m := rev' (Sorting.sort (shares h))).
    assert (Q : Permutation (shares h) m).
    { unfold m, rev'. rewrite rev_append_rev, app_nil_r. etransitivity; [apply Sorting.Permuted_sort|apply Permutation_rev]. }
    assert (Lm : List.length m = responses B - 1) by (rewrite <- (Permutation_length Q); apply length_shares).
    destruct (above_larger j l m ltac:(lia)) as [A1 A2]. rewrite L, <- Lm, firstn_all in A2.
    destruct (IH (larger l m)) as [I1 I2]; [rewrite length_larger; lia|].
    split; [lia|]. intros [->|I]; [|auto]. rewrite (above_permuted j _ _ Q). lia. }
  apply X; [apply repeat_length|]. apply in_seq. lia.
Qed.

Lemma profile_is j : nth j (profile_of B) 0 = above j (ranks B).
Proof.
  unfold profile_of. set (l := ranks B). set (top := fold_left max l 0).
  destruct (Nat.lt_ge_cases j top) as [Hj|Hj].
  - rewrite nth_indep with (d' := above 0 l) by (rewrite map_length, seq_length; exact Hj).
    rewrite (map_nth (fun j => above j l)), seq_nth by exact Hj. reflexivity.
  - rewrite nth_overflow by (rewrite map_length, seq_length; exact Hj). unfold above.
    assert (T : forall c, In c l -> c <= j) by (intros c Hc; apply (largest_bounds l) in Hc; unfold largest in Hc; fold top in Hc; lia).
    clear - T. induction l as [|c l IH]; [reflexivity|]. cbn [filter]. pose proof (T c (or_introl eq_refl)).
    destruct (Nat.ltb_spec j c); [lia|]. apply IH. intros; apply T; right; assumption.
Qed.

Hypothesis B_made : made B.
Hypothesis B_sound : sound B = true.
Hypothesis col_is : forall x, x < secrets B -> forall g,
  nth_error (col x) g = if g <? guesses B then Some (reply B g x) else None.

Lemma whole_is_proper : single B = true -> proper B col (profile_of B) (whole B).
Proof.
  intros H. assert (L : forall x, In x (whole B) -> x < secrets B) by (intros x Hx; apply in_seq in Hx; lia).
  pose proof B_sound as So. unfold sound in So. repeat (apply andb_prop in So as [So ?]). apply Nat.ltb_lt in So.
  split; [exact L|]. split; [unfold whole, range; rewrite seq_length; apply le_n|].
  exists (most_parts B (whole B)). split; [|split].
  - intros g. destruct (Nat.lt_ge_cases g (guesses B)) as [Hg|Hg].
    + assert (Hg' : (word_at (sizes B g (whole B)) 0 <=? 1) = true)
        by (apply (proj1 (forallb_forall _ _) H g), in_seq; lia).
      rewrite (part_is B col col_is) by assumption. rewrite <- sizes_at by exact So. apply Nat.leb_le, Hg'.
    + rewrite (no_part B col col_is) by assumption. cbn. lia.
  - intros g m. apply (few_most B B_made B_sound col col_is), L.
  - intros g j m. rewrite profile_is. destruct (Nat.lt_ge_cases g (guesses B)) as [Hg|Hg].
    + rewrite <- (ranks_bound g j Hg).
      rewrite (sum_eq _ _ (fun a => if j <? nth a (shares g) 0 then 1 else 0)).
      * rewrite (sum_nth (fun c => if j <? c then 1 else 0)) by (destruct j; reflexivity). rewrite sum_if. apply le_n.
      * intros a _. rewrite (part_is B col col_is) by assumption.
        destruct (Nat.lt_ge_cases (S a) (responses B)) as [Ha|Ha].
        -- rewrite <- sizes_at by exact Ha. unfold shares, list_of, word_at. destruct (sizes B g (whole B)); [destruct a|]; reflexivity.
        -- rewrite nth_overflow by (rewrite length_shares; lia).
           replace (filter _ (whole B)) with (@nil nat); [destruct j; reflexivity|]. symmetry.
           assert (Z : forall x, reply B g x < S a) by (intros x; pose proof (reply_small B g x B_sound); lia).
           clear - Z. induction (whole B) as [|x l IH]; [reflexivity|]. cbn [filter]. specialize (Z x) as Zx.
           destruct (Nat.eqb_spec (reply B g x) (S a)); [lia|exact IH].
    + rewrite (sum_eq _ _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros a _. rewrite (no_part B col col_is) by assumption.
      destruct j; reflexivity.
Qed.

End Game.
