(** The last of P4 in PRICED.md: where guesses leave K parts at most, to identify takes as many guesses in all as
  there
    are in a tree of Huffman. Depths satisfy Kraft's inequality; with it, the K lightest may be taken to be the
      deepest. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted.
From Proof Require Import Lists PricedTheory PricedChain.
Import ListNotations.
Local Arguments Nat.ltb : simpl never.
Local Arguments Nat.leb : simpl never.
Local Arguments Nat.mul : simpl never.
Local Arguments Nat.sub : simpl never.
Local Arguments Nat.pow : simpl never.

Fixpoint insert_up (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: rest => if x <=? y then x :: l else y :: insert_up x rest end.

(** The lightest are joined, so many at once: [l] rises. *)
Fixpoint joins (fuel K : nat) (l : list nat) : nat :=
  match fuel, l with
  | S fuel, _ :: _ :: _ => let s := list_sum (firstn K l) in s + joins fuel K (insert_up s (skipn K l))
  | _, _ => 0
  end.

(** So many nothings fill the first of the joins up. *)
Definition filling (n K : nat) : nat := let r := (n - 1) mod (K - 1) in if r =? 0 then 0 else K - 1 - r.

Definition huffman_of (l : list nat) (K : nat) : nat :=
  let e := filling (length l) K in joins (e + length l) K (repeat 0 e ++ l).

Fixpoint dot (l ds : list nat) : nat :=
  match l, ds with w :: l, d :: ds => w * d + dot l ds | _, _ => 0 end.


Lemma insert_rising x l : StronglySorted Nat.le l -> StronglySorted Nat.le (insert_up x l).
Proof.
  induction 1 as [|y l H IH F]; cbn [insert_up]; [repeat constructor|]. destruct (Nat.leb_spec x y).
  - constructor; [constructor; assumption|]. constructor; [assumption|]. rewrite Forall_forall in *. intros z Hz.
    specialize (F z Hz). unfold Nat.le in *. lia.
  - constructor; [exact IH|]. rewrite Forall_forall in *. intros z Hz.
    assert (Q : z = x \/ In z l).
    { clear - Hz. induction l as [|a l IHl]; cbn [insert_up] in Hz; [destruct Hz as [<-|[]]; auto|].
      destruct (x <=? a); [destruct Hz as [<-|Hz]; auto|]. destruct Hz as [<-|Hz]; [right; left; reflexivity|].
      destruct (IHl Hz) as [|Q]; [left; assumption|right; right; exact Q]. }
    destruct Q as [->|Q]; [unfold Nat.le; lia|exact (F z Q)].
Qed.

Lemma length_insert x l : length (insert_up x l) = S (length l).
Proof. induction l as [|y l IH]; [reflexivity|]. cbn [insert_up]. destruct (x <=? y); [reflexivity|]. cbn [length].
  rewrite IH. reflexivity. Qed.

Lemma insert_dot x e l : forall ds, length ds = length l -> exists ds', Permutation ds' (e :: ds) /\ dot (insert_up x
  l) ds' = x * e + dot l ds.
Proof.
  induction l as [|y l IH]; intros [|d ds] L; try discriminate; cbn [insert_up].
  - exists [e]. split; [reflexivity|]. cbn [dot]. lia.
  - destruct (x <=? y); [exists (e :: d :: ds); split; reflexivity|]. injection L as L. destruct (IH ds L) as [ds' [P
    E]].
    exists (d :: ds'). split; [rewrite P; constructor|]. cbn [dot]. rewrite E. lia.
Qed.

(** A depth comes to the front in exchange for another. *)
Lemma exchange D d l : forall ds, length ds = length l -> In D ds -> exists ds1 b, In b l /\ Permutation (D :: ds1)
  (d :: ds) /\
  dot l ds1 + b * D = dot l ds + b * d.
Proof.
  induction l as [|y l IH]; intros [|e ds] L H; try discriminate; [destruct H|]. destruct H as [->|H].
  - exists (d :: ds), y. split; [left; reflexivity|]. split; [constructor|]. cbn [dot]. lia.
  - injection L as L. destruct (IH ds L H) as [ds1 [b [B [P E]]]]. exists (e :: ds1), b. split; [right; exact B|].
    split; [|cbn [dot]; lia]. rewrite (perm_swap e D ds1), P. apply perm_swap.
Qed.

Lemma length_perm (a b : list nat) : Permutation a b -> length a = length b. Proof. apply Permutation_length. Qed.

Lemma to_front D : forall c l ds, StronglySorted Nat.le l -> length ds = length l -> (forall d, In d ds -> d <= D) ->
  c <= count_occ Nat.eq_dec ds D ->
  exists ds1, Permutation (repeat D c ++ ds1) ds /\ list_sum (firstn c l) * D + dot (skipn c l) ds1 <= dot l ds.
Proof.
  induction c as [|c IH]; intros l ds R L M C; [exists ds; split; [reflexivity|cbn; lia]|].
  destruct l as [|a l]; destruct ds as [|d ds]; try discriminate; [cbn in C; lia|]. inversion R; subst.
  assert (One : exists ds1, Permutation (D :: ds1) (d :: ds) /\ a * D + dot l ds1 <= dot (a :: l) (d :: ds)).
  { destruct (Nat.eq_dec d D) as [->|N]; [exists ds; split; reflexivity|]. injection L as L.
    assert (I : In D ds).
    { cbn [count_occ] in C. destruct (Nat.eq_dec d D); [contradiction|]. apply (count_occ_In Nat.eq_dec). lia. }
    destruct (exchange D d l ds L I) as [ds1 [b [B [P E]]]]. exists ds1. split; [exact P|]. cbn [dot].
    rewrite Forall_forall in H2. specialize (H2 b B). pose proof (M d (or_introl eq_refl)). unfold Nat.le in H2. nia.
      }
  destruct One as [ds1 [P E]]. destruct (IH l ds1 H1) as [ds2 [P2 E2]].
  - apply length_perm in P. cbn [length] in *. lia.
  - intros x Hx. apply M. apply (Permutation_in _ P). right. exact Hx.
  - pose proof (proj1 (Permutation_count_occ Nat.eq_dec _ _) P D) as Q. cbn [count_occ] in Q. destruct (Nat.eq_dec D
    D); [|contradiction].
    cbn [count_occ] in C. lia.
  - exists ds2. split; [cbn [repeat app]; rewrite P2; exact P|]. cbn [firstn skipn]. unfold list_sum in *. cbn
    [fold_right]. nia.
Qed.

Section Kraft.

Variable k : nat.
Hypothesis k_1 : 1 <= k.
Let K := S k.

Definition room_of (D : nat) (ds : list nat) : nat := sum (fun d => K ^ (D - d)) ds.

Definition kraft (D : nat) (ds : list nat) : Prop := (forall d, In d ds -> d <= D) /\ room_of D ds <= K ^ D.

Lemma room_perm D a b : Permutation a b -> room_of D a = room_of D b.
Proof. unfold room_of. induction 1; rewrite ?sum_cons in *; lia. Qed.

Lemma pow_rest x : exists q, K ^ x = 1 + k * q.
Proof.
  induction x as [|x [q IH]]; [exists 0; rewrite Nat.pow_0_r; lia|]. exists (q + K ^ x). rewrite Nat.pow_succ_r', IH.
    unfold K. ring.
Qed.

Lemma room_rest D ds : exists q, room_of D ds = length ds + k * q.
Proof.
  induction ds as [|d ds [q IH]]; [exists 0; cbn; lia|]. destruct (pow_rest (D - d)) as [p P]. exists (q + p).
  unfold room_of in *. rewrite sum_cons, IH, P. cbn [length]. nia.
Qed.

Lemma room_count D ds : (forall d, In d ds -> d <= D) -> exists q, room_of D ds = count_occ Nat.eq_dec ds D + K * q.
Proof.
  induction ds as [|d ds IH]; intros M; [exists 0; cbn; lia|]. destruct IH as [q IH]; [intros x Hx; apply M; right;
    exact Hx|].
  unfold room_of in *. rewrite sum_cons, IH. cbn [count_occ]. specialize (M d (or_introl eq_refl)). destruct
    (Nat.eq_dec d D) as [->|N].
  - exists q. rewrite Nat.sub_diag. change (K ^ 0) with 1. lia.
  - exists (q + K ^ (D - d - 1)). replace (D - d) with (S (D - d - 1)) by lia. rewrite Nat.pow_succ_r'.
    replace (S (D - d - 1) - 1) with (D - d - 1) by lia. nia.
Qed.

Lemma room_up D ds : (forall d, In d ds -> d <= D) -> room_of (S D) ds = K * room_of D ds.
Proof.
  unfold room_of. induction ds as [|d ds IH]; intros M; [cbn; lia|]. rewrite !sum_cons, IH by (intros x Hx; apply M;
    right; exact Hx).
  specialize (M d (or_introl eq_refl)). replace (S D - d) with (S (D - d)) by lia. rewrite Nat.pow_succ_r'. nia.
Qed.

(** One of the deepest is moved up. *)
Lemma move_up D l : forall ds, length ds = length l -> In (S D) ds ->
  exists rest up, Permutation ds (S D :: rest) /\ Permutation up (D :: rest) /\ dot l up <= dot l ds.
Proof.
  induction l as [|y l IH]; intros [|e ds] L H; try discriminate; [destruct H|]. destruct H as [->|H].
  - exists ds, (D :: ds). split; [reflexivity|]. split; [reflexivity|]. cbn [dot]. nia.
  - injection L as L. destruct (IH ds L H) as [rest [up [P [U E]]]]. exists (e :: rest), (e :: up).
    split; [rewrite P; apply perm_swap|]. split; [rewrite U; apply perm_swap|]. cbn [dot]. lia.
Qed.

Lemma joins_least : forall fuel l ds D m, StronglySorted Nat.le l -> length ds = length l -> length l = 1 + k * m ->
  kraft D ds ->
  joins fuel K l <= dot l ds.
Proof.
  induction fuel as [|fuel IH]; intros l ds D m R L N Kr; [cbn; lia|].
  remember (list_sum ds + D) as size eqn:Size. revert ds D L Kr Size. induction size as [size IHs] using lt_wf_ind.
    intros ds D L Kr Size.
  destruct l as [|a [|b l]]; [cbn; lia|cbn; lia|]. set (l0 := a :: b :: l) in *.
  assert (M1 : 1 <= m) by (destruct m; [rewrite Nat.mul_0_r in N; unfold l0 in N; cbn [length] in N; lia|lia]).
  assert (NK : K <= length l0) by (unfold K; nia).
  destruct Kr as [M Ro]. destruct (in_dec Nat.eq_dec D ds) as [I|I].
  - destruct D as [|D].
    { exfalso. unfold room_of in Ro. assert (Q : sum (fun d => K ^ (0 - d)) ds = length ds).
      { clear. induction ds as [|d ds IHd]; [reflexivity|]. rewrite sum_cons, IHd. reflexivity. }
      rewrite Q, L in Ro. change (K ^ 0) with 1 in Ro. unfold l0 in Ro. cbn [length] in Ro. lia. }
    destruct (Nat.le_gt_cases K (count_occ Nat.eq_dec ds (S D))) as [C|C].
    + destruct (to_front (S D) K l0 ds R L M C) as [ds1 [P E]].
      set (s := list_sum (firstn K l0)) in *.
      assert (L1 : length ds1 = length (skipn K l0)).
      { apply length_perm in P. rewrite app_length, repeat_length in P. rewrite skipn_length. lia. }
      destruct (insert_dot s D (skipn K l0) ds1 L1) as [ds2 [P2 E2]].
      change (joins (S fuel) K l0) with (s + joins fuel K (insert_up s (skipn K l0))).
      assert (J : joins fuel K (insert_up s (skipn K l0)) <= dot (insert_up s (skipn K l0)) ds2).
      { apply (IH _ ds2 (S D) (m - 1)).
        - apply insert_rising. clear - R. revert R. generalize l0. induction K as [|j IHj]; intros l1 R; [exact R|].
          destruct R as [|x l1 R F]; [constructor|]. cbn [skipn]. apply IHj, R.
        - rewrite length_insert. apply length_perm in P2. cbn [length] in P2. lia.
        - rewrite length_insert, skipn_length. unfold K in *. destruct m as [|m]; [lia|]. replace (S m - 1) with m by
          lia. nia.
        - split.
          + intros d Hd. apply (Permutation_in _ P2) in Hd as [<-|Hd]; [lia|]. apply M. apply (Permutation_in _ P).
            apply in_or_app. right; exact Hd.
          + rewrite (room_perm _ _ _ P2). rewrite <- (room_perm _ _ _ P) in Ro. unfold room_of in *. rewrite sum_app
            in Ro. rewrite sum_cons.
            replace (S D - D) with 1 by lia. replace (sum _ (repeat (S D) K)) with K in Ro.
            * rewrite Nat.pow_1_r. exact Ro.
            * clear. generalize K at 1 3. intros j. induction j as [|j IHj]; [reflexivity|]. cbn [repeat]. rewrite
              sum_cons, <- IHj, Nat.sub_diag.
              change (K ^ 0) with 1. lia. }
      rewrite E2 in J. nia.
    + destruct (move_up D l0 ds L I) as [rest [up [P [U E]]]].
      eapply Nat.le_trans; [|exact E].
      assert (Su : list_sum up + 1 = list_sum ds).
      { rewrite (Permutation_list_sum P), (Permutation_list_sum U). unfold list_sum. cbn [fold_right]. lia. }
      apply (IHs (list_sum up + S D)) with (D := S D); [lia| | |reflexivity].
      * apply length_perm in P, U. cbn [length] in *. lia.
      * split.
        { intros d Hd. apply (Permutation_in _ U) in Hd as [<-|Hd]; [lia|]. apply M. apply (Permutation_in _
          (Permutation_sym P)). right; exact Hd. }
        destruct (room_rest (S D) ds) as [q Q]. destruct (pow_rest (S D)) as [p Pp]. destruct (room_count (S D) ds M)
          as [r Rr].
        assert (C1 : 1 <= count_occ Nat.eq_dec ds (S D)) by (apply (count_occ_In Nat.eq_dec); exact I).
        assert (Slack : room_of (S D) ds + k <= K ^ S D).
        { rewrite L, N in Q. assert (Ne : room_of (S D) ds <> K ^ S D).
          { intros Eq. rewrite Rr, Nat.pow_succ_r' in Eq. clear - Eq C C1 k_1. assert (K ^ D <= r \/ r + 1 <= K ^ D)
            as [X|X] by lia; nia. }
          assert (1 + k * m + k * q < 1 + k * p) by lia. assert (m + q < p) by nia. nia. }
        rewrite (room_perm _ _ _ U). rewrite (room_perm _ _ _ P) in Slack. unfold room_of in *. rewrite sum_cons in *.
        rewrite Nat.sub_diag in Slack. change (K ^ 0) with 1 in Slack. replace (S D - D) with 1 by lia. rewrite
          Nat.pow_1_r. unfold K at 1. lia.
  - destruct D as [|D].
    { exfalso. destruct ds as [|d ds]; [cbn in L; discriminate|]. apply I. left. specialize (M d (or_introl
      eq_refl)). lia. }
    assert (M' : forall d, In d ds -> d <= D).
    { intros d Hd. specialize (M d Hd). destruct (Nat.eq_dec d (S D)); [subst; contradiction|lia]. }
    apply (IHs (list_sum ds + D)) with (D := D); [lia|exact L| |reflexivity]. split; [exact M'|].
    rewrite (room_up D ds M'), Nat.pow_succ_r' in Ro. apply (Nat.mul_le_mono_pos_l _ _ K); [unfold K; lia|exact Ro].
Qed.

Lemma filling_is n : 1 <= n -> exists m, filling n K + n = 1 + k * m /\ filling n K < K /\ (forall q, n = 1 + k * q
  -> filling n K = 0).
Proof.
  intros N. unfold filling, K. replace (S k - 1) with k by lia.
  pose proof (Nat.div_mod (n - 1) k ltac:(lia)) as E. pose proof (Nat.mod_upper_bound (n - 1) k ltac:(lia)) as B.
  set (r := (n - 1) mod k) in *. set (q := (n - 1) / k) in *. destruct (Nat.eqb_spec r 0) as [Z|Z].
  - exists q. split; [lia|]. split; [lia|]. auto.
  - exists (S q). split; [nia|]. split; [lia|]. intros x Hx. exfalso. apply Z. unfold r. replace (n - 1) with (x * k)
    by lia. apply Nat.mod_mul. lia.
Qed.

Lemma filled l ds D : 1 <= length l -> StronglySorted Nat.le l -> length ds = length l -> kraft D ds -> huffman_of l
  K <= dot l ds.
Proof.
  intros N R L [M Ro]. unfold huffman_of. destruct (filling_is (length l) N) as [m [E [B Z]]]. set (e := filling
    (length l) K) in *.
  assert (X : dot (repeat 0 e ++ l) (repeat (S D) e ++ ds) = dot l ds).
  { clear. induction e as [|e IHe]; [reflexivity|]. cbn [repeat app dot]. rewrite IHe. lia. }
  rewrite <- X. apply (joins_least _ _ _ (S D) m).
  - clear - R. induction e as [|e IHe]; [exact R|]. cbn [repeat app]. constructor; [exact IHe|]. apply Forall_forall.
    intros x _. unfold Nat.le. lia.
  - rewrite !app_length, !repeat_length. lia.
  - rewrite app_length, repeat_length. exact E.
  - split.
    + intros d Hd. apply in_app_or in Hd as [Hd|Hd]; [apply repeat_spec in Hd; lia|specialize (M d Hd); lia].
    + unfold room_of. rewrite sum_app. fold (room_of (S D) ds). rewrite (room_up D ds M), Nat.pow_succ_r'.
      replace (sum _ (repeat (S D) e)) with e.
      * destruct (Nat.eq_dec (room_of D ds) (K ^ D)) as [Eq|Ne].
        { assert (e = 0); [|subst e; lia].
          destruct (room_rest D ds) as [q Q]. destruct (pow_rest D) as [p Pp]. rewrite L in Q. rewrite Q, Pp in Eq.
          apply (Z (p - q)). assert (q <= p) by nia. rewrite Nat.mul_sub_distr_l. nia. }
        { assert (room_of D ds + 1 <= K ^ D) by lia. nia. }
      * clear. induction e as [|e IHe]; [reflexivity|]. cbn [repeat]. rewrite sum_cons, <- IHe, Nat.sub_diag,
        Nat.pow_0_r. lia.
Qed.

End Kraft.

Lemma sum_by_kind (h f : nat -> nat) S ks : NoDup ks -> (forall s, In s S -> In (h s) ks) ->
  sum f S = sum (fun k => sum f (filter (fun s => h s =? k) S)) ks.
Proof.
  intros D. induction S as [|s S IH]; intros H.
  - clear. induction ks as [|k ks IH]; [reflexivity|]. rewrite sum_cons, <- IH. reflexivity.
  - rewrite sum_cons, IH by (intros; apply H; right; assumption). specialize (H s (or_introl eq_refl)). clear IH.
    set (g := fun k => sum f (filter (fun s => h s =? k) S)).
    set (g' := fun k => sum f (filter (fun s => h s =? k) (s :: S))).
    assert (P : forall k, g' k = g k + (if h s =? k then f s else 0)).
    { intros k. unfold g, g'. cbn [filter]. destruct (h s =? k); rewrite ?sum_cons; lia. }
    clearbody g g'. assert (Z : forall l, ~ In (h s) l -> sum g' l = sum g l).
    { induction l as [|k l IHl]; intros N; [reflexivity|]. rewrite !sum_cons, IHl by (intros X; apply N; right; exact
      X).
      rewrite P. destruct (Nat.eqb_spec (h s) k) as [E|E]; [exfalso; apply N; left; auto|lia]. }
    revert D H. induction ks as [|k ks IHk]; intros D []; inversion D; subst; rewrite !sum_cons, P.
    + rewrite Nat.eqb_refl, Z by assumption. lia.
    + rewrite <- IHk by assumption. destruct (Nat.eqb_spec (h s) k) as [E|E]; [subst k; contradiction|lia].
Qed.

Section Tree.

Variable win : bool.
Variable weight : nat -> nat.
Variable everything : list nat.
Variable rate : nat.
Variable rows : list row.
Variable unit : nat.
Variable ending : nat -> bound.

Hypothesis everything_once : NoDup everything.
Hypothesis heavy_first : StronglySorted (fun x y => weight y <= weight x) everything.
Hypothesis one_win : wins_once win everything rows.
Hypothesis unit_least : forall r s, In r rows -> In s everything -> unit <= price (look r s).
Hypothesis to_identify : win = false.

Notation ok := (ok everything).
Notation solves := (solves win).
Notation depth := (depth win).
Notation fits := (fits win rows).

Lemma tree_kraft k t : 1 <= k -> forall S D, legal rows t -> ok S -> fits (Datatypes.S k) S -> solves t S ->
  (forall s, In s S -> depth t s <= D) -> room_of k D (map (depth t) S) <= Datatypes.S k ^ D.
Proof.
  intros Hk. induction t as [|r next IH]; intros S D Lt O F Ht M.
  - assert (L : length S <= 1).
    { destruct (Nat.le_gt_cases (length S) 1) as [|G]; [assumption|]. destruct (not_leaf win everything
      everything_once S O G Ht). }
    unfold room_of. assert (P : Datatypes.S k ^ D <> 0) by (apply Nat.pow_nonzero; lia).
    destruct S as [|x [|y S]]; cbn [map length] in *; [cbn; lia| |lia]. rewrite sum_cons. cbn [PricedTheory.depth].
      rewrite Nat.sub_0_r. cbn [sum map list_sum fold_right]. unfold sum. cbn. lia.
  - destruct Lt as [Hr Ln]. destruct S as [|x0 S0] eqn:ES; [unfold room_of; cbn; lia|]. rewrite <- ES in *.
    assert (Nw : forall s, won win (look r s) = false) by (intros s; unfold won; rewrite to_identify; reflexivity).
    assert (Dn : forall s, depth (Node r next) s = Datatypes.S (depth (next (key (look r s))) s)) by (intros s; cbn
      [PricedTheory.depth]; rewrite Nw; reflexivity).
    destruct D as [|D]; [specialize (M x0 ltac:(rewrite ES; left; reflexivity)); rewrite Dn in M; lia|].
    assert (OS : open win r S = S).
    { unfold open. clear - Nw. induction S as [|s S IHS]; [reflexivity|]. cbn [filter]. rewrite Nw. cbn [negb].
      rewrite IHS. reflexivity. }
    unfold room_of, sum. rewrite map_map. fold (sum (fun s => Datatypes.S k ^ (Datatypes.S D - depth (Node r next)
      s)) S).
    rewrite (sum_by_kind (fun s => key (look r s)) _ S (kinds win r S)).
    + rewrite Nat.pow_succ_r'. apply (Nat.le_trans _ (length (kinds win r S) * Datatypes.S k ^ D)); [|apply
      Nat.mul_le_mono_r, F, Hr].
      apply list_sum_le. intros q _. set (U := filter _ S).
      assert (QU : forall s, In s U -> key (look r s) = q /\ won win (look r s) = false).
      { intros s Hs. apply filter_In in Hs as [_ Hs]. apply Nat.eqb_eq in Hs. auto. }
      assert (I : incl U S) by (intros s Hs; apply filter_In in Hs; apply Hs).
      pose proof (IH q U D (Ln q) (ok_filter everything _ S O) (fits_incl win rows _ _ _ I F) (solves_next win r next
        S U q Ht I QU)) as B.
      unfold room_of, sum in B. rewrite map_map in B. unfold sum. eapply Nat.le_trans; [|apply B].
      * apply Nat.eq_le_incl. f_equal. apply map_ext_in. intros s Hs. rewrite Dn, (proj1 (QU s Hs)). f_equal.
      * intros s Hs. specialize (M s (I s Hs)). rewrite Dn, (proj1 (QU s Hs)) in M. lia.
    + apply NoDup_nodup.
    + intros s Hs. apply nodup_In, in_map_iff. exists s. rewrite OS. auto.
Qed.

Definition huffman (S : list nat) (K : nat) : nat := huffman_of (rev' (map weight S)) K.

Lemma huffman_depth S K t : 2 <= K -> 1 <= length S -> legal rows t -> ok S -> fits K S -> solves t S ->
  huffman S K <= sum (fun s => weight s * depth t s) S.
Proof.
  intros HK N Lt O F Ht. destruct K as [|k]; [lia|]. unfold huffman. unfold rev'. rewrite rev_append_rev, app_nil_r.
  assert (E : sum (fun s => weight s * depth t s) S = dot (rev (map weight S)) (rev (map (depth t) S))).
  { assert (A : forall l m ds es, length l = length ds -> dot (l ++ m) (ds ++ es) = dot l ds + dot m es).
    { induction l as [|a l IHl]; intros m [|d ds] es L; try discriminate; [reflexivity|]. injection L as L. cbn [app
      dot]. rewrite IHl by exact L. lia. }
    clear - A. induction S as [|s S IHS]; [reflexivity|]. cbn [map rev]. rewrite A by (rewrite !rev_length,
      !map_length; reflexivity).
    rewrite sum_cons, IHS. cbn [dot]. lia. }
  rewrite E. set (D := list_sum (map (depth t) S)).
  assert (M : forall s, In s S -> depth t s <= D).
  { unfold D. clear. induction S as [|x S IHS]; intros s []; unfold list_sum in *; cbn [map fold_right]; [subst;
    lia|specialize (IHS s H); lia]. }
  apply (filled k) with (D := D); [lia|..].
  - rewrite rev_length, map_length. exact N.
  - pose proof (ok_sorted weight everything heavy_first S O) as R. clear - R. induction R as [|s S R IH Fa];
    [constructor|]. cbn [map rev].
    assert (Z : forall l x, StronglySorted Nat.le l -> (forall y, In y l -> y <= x) -> StronglySorted Nat.le (l ++
      [x])).
    { induction 1 as [|a l Hl IHl Fl]; intros Q; cbn [app]; [repeat constructor|]. constructor; [apply IHl; intros;
      apply Q; right; assumption|].
      rewrite Forall_forall in *. intros z Hz. apply in_app_or in Hz as [Hz|[<-|[]]]; [exact (Fl z Hz)|apply Q; left;
        reflexivity]. }
    apply Z; [exact IH|]. intros y Hy. apply in_rev in Hy. apply in_map_iff in Hy as [z [<- Hz]]. exact (proj1
      (Forall_forall _ _) Fa z Hz).
  - rewrite !rev_length, !map_length. reflexivity.
  - split.
    + intros d Hd. apply in_rev in Hd. apply in_map_iff in Hd as [s [<- Hs]]. apply M, Hs.
    + rewrite (room_perm k ltac:(lia) D _ (map (depth t) S)) by (symmetry; apply Permutation_rev). apply tree_kraft;
      try assumption. lia.
Qed.

Lemma huffman_true l S K : 2 <= K -> ok S -> 1 <= length S -> fits K S -> (forall s, In s everything -> ending s =
  Some 0) ->
  lb win weight rate None rows l S (Some (rate * unit * huffman S K)).
Proof.
  intros HK O N F En t Lt Ht. pose proof (huffman_depth S K t HK N Lt O F Ht) as H.
  apply (le_trans _ (Some (rate * unit * sum (fun s => weight s * depth t s) S))); [apply Nat.mul_le_mono_l, H|].
  assert (X : forall s, In s S -> le (Some (rate * unit * (weight s * depth t s))) (each win weight rate None t l s)).
  { intros s Hs. assert (P := pays_depth win everything rows ending (fun _ => En) unit unit_least t s Lt (ok_in
    everything _ _ O Hs) (proj1 Ht s Hs)).
    unfold each, per, lost. destruct (PricedTheory.paid win t s) as [p|]; [destruct (over (Some p) l)|destruct (over
      None l)]; cbn [times le] in *.
    - destruct (weight s); cbn; [lia|exact I].
    - replace (rate * unit * (weight s * depth t s)) with (rate * weight s * (unit * depth t s)) by ring.
      replace (weight s * (rate * p)) with (rate * weight s * p) by ring. apply Nat.mul_le_mono_l, P.
    - destruct (weight s); cbn; [lia|exact I].
    - destruct (weight s); cbn; [lia|exact I]. }
  clear H. unfold cost. clear - X. induction S as [|s S IH]; [cbn; lia|]. rewrite total_cons, sum_cons.
  apply (le_trans _ (plus (Some (rate * unit * (weight s * depth t s))) (Some (rate * unit * sum (fun s => weight s *
    depth t s) S)))); [cbn [plus le]; lia|].
  apply plus_le; [apply X; left; reflexivity|apply IH; intros; apply X; right; assumption].
Qed.

End Tree.
