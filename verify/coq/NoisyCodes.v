(** N4 of NOISY.md, the last: what tells the parts of the overlaps apart is a code for them, and Huffman's is the
    shortest. Depths satisfy Kraft's inequality, as PricedHuffman.v has it. *)

From Coq Require Import List Arith NArith Bool Lia Permutation Sorted.
From Proof Require Import Lists PricedChain PricedHuffman NoisyGame NoisyTheory.
Import ListNotations.
Local Open Scope N_scope.
Local Arguments N.mul : simpl never.
Local Arguments N.add : simpl never.
Local Arguments N.div : simpl never.
Local Arguments N.max : simpl never.
Local Arguments N.eqb : simpl never.
Local Arguments Nat.pow : simpl never.
Local Arguments Nat.mul : simpl never.
Local Arguments Nat.sub : simpl never.

Section Codes.

Variable G : game.
Variable worst : bool.

Notation T := (T worst).
Notation after := (after G worst).
Notation cell := (cell G).
Notation going := (going G).
Let count := List.length (tests G).
Let answers (t : nat) := seq 0 (List.length (names (the_test G t))).
Let causes := seq 0 (List.length (weights G)).

Hypothesis good : forall t i, (t < count)%nat -> In i causes -> good_cell G t i.
Hypothesis no_ends : forall t a, In a (answers t) -> In a (going t).
Hypothesis no_decisions : decisions G = [].

Variable price_of later_of : nat -> N.
Variable group_of : nat -> option nat.
Variable needs_of : nat -> list nat.
Hypothesis cheaper : forall t, later_of t <= price_of t.

Variable C asked0 : list nat.
Variable helpful : nat -> bool.
Hypothesis helpful_not : forall t, (t < count)%nat -> ~ In t asked0 -> helpful t = false -> tells_nothing G worst t C.

(** Only tests that help cost anything, and all of them as much as the cheapest. *)
Let one (t : nat) : N := if helpful t then 1 else 0.
Let none (t : nat) : option nat := None.
Let nothing (t : nat) : list nat := [].

Variable rate_ : N.
Hypothesis rate_least : forall t, (t < count)%nat -> ~ In t asked0 -> helpful t = true -> rate_ <= later_of t.

Lemma fair_free s : forall M asked, fair G worst needs_of s M asked -> fair G worst nothing s M asked.
Proof.
  induction s as [|d|t next IH]; intros M asked V; cbn [fair] in *; (destruct V as [V|V]; [left; exact V|right]); try
    exact V.
  destruct V as [V1 [V2 [_ V4]]]. split; [exact V1|]. split; [exact V2|]. split; [intros u []|].
  intros a Ha. apply IH, V4, Ha.
Qed.

Lemma spent_free s : forall M asked, incl asked0 asked -> fair G worst needs_of s M asked ->
  rate_ * spent G worst one one none s M asked <= spent G worst price_of later_of group_of s M asked.
Proof.
  induction s as [|d|t next IH]; intros M asked I V.
  - cbn. lia.
  - destruct V as [->|V]; [cbn; lia|]. rewrite no_decisions in V. destruct V as [V _]. inversion V.
  - destruct V as [->|V]; [rewrite !spent_nil; lia|]. destruct V as [V1 [V2 [_ V4]]]. cbn [spent].
    rewrite N.mul_add_distr_l, N.mul_assoc. apply N.add_le_mono.
    + apply N.mul_le_mono_r. replace (pays one one none t asked) with (one t) by (unfold pays; destruct (is_open none
      t asked); reflexivity).
      unfold one. destruct (helpful t) eqn:E; [|lia]. assert (R : rate_ <= later_of t) by (apply rate_least; auto).
      unfold pays. pose proof (cheaper t). destruct (is_open group_of t asked); lia.
    + rewrite <- T_mul. apply T_le. intros a Ha. apply IH; [intros x Hx; right; exact (I x Hx)|exact (V4 a Ha)].
Qed.

(** *** Depths of classes *)

Variable class : nat -> nat.
Hypothesis class_same : forall i j, In i C -> In j C -> cliques G = true -> overlap G i j = true -> class i = class j.

Variable k : nat.
Hypothesis k_1 : (1 <= k)%nat.
Let K := S k.
Hypothesis branches : forall t, (t < count)%nat -> (length (going t) <= K)%nat.

Definition classes (M : masses) : list nat := nodup Nat.eq_dec (map class (map fst M)).

Lemma classes_in c M : In c (classes M) <-> exists i, In i (map fst M) /\ class i = c.
Proof. unfold classes. rewrite nodup_In, in_map_iff. split; intros [i [A B]]; exists i; auto. Qed.

(** Depths of classes that leave room in a tree of so many levels, and cost no more than the strategy. *)
Definition coded (M : masses) (cost : N) (n : nat) (d : nat -> nat) : Prop :=
  (forall c, d c <= n)%nat /\ (sum (fun c => K ^ (n - d c))%nat (classes M) <= K ^ n)%nat /\
  T (fun im => snd im * N.of_nat (d (class (fst im)))) M <= cost.

Lemma deeper M cost n d : coded M cost n d -> forall m, coded M cost (m + n) d.
Proof.
  intros [A [B E]] m. split; [intros c; specialize (A c); lia|]. split; [|exact E].
  rewrite (sum_eq _ _ (fun c => K ^ m * K ^ (n - d c))%nat).
  - rewrite sum_mul, Nat.pow_add_r. apply Nat.mul_le_mono_l, B.
  - intros c _. rewrite <- Nat.pow_add_r. f_equal. specialize (A c). lia.
Qed.

Lemma some_least {A} (f : A -> nat) (fine : A -> bool) l : (exists x, In x l /\ fine x = true) ->
  exists x, In x l /\ fine x = true /\ forall y, In y l -> fine y = true -> (f x <= f y)%nat.
Proof.
  intros H. destruct (least_one A (fun x => N.of_nat (f x)) fine l H) as [x [H1 [H2 H3]]]. exists x. split; [exact
    H1|].
  split; [exact H2|]. intros y Hy Gy. specialize (H3 y Hy Gy). lia.
Qed.

Lemma sum_pick_one {A} (f : A -> nat) x l : In x l -> (f x <= sum f l)%nat.
Proof.
  induction l as [|y l IH]; intros []; rewrite sum_cons; [subst; lia|]. specialize (IH H). lia.
Qed.

Notation within := (within G).
Notation free_spent := (spent G worst one one none).

Lemma depths s : forall p M asked, (forall t, p t = true -> helpful t = true) -> within p s ->
  incl (map fst M) C -> known G M -> fits G worst (free asked) M -> fair G worst nothing s M asked ->
  exists n d, coded M (free_spent s M asked) n d.
Proof.
  induction s as [|d|t next IH]; intros p M asked P W IC Kn F V.
  - exists O, (fun _ => O). split; [intros; lia|]. split.
    + rewrite (sum_eq _ _ (fun _ => 1%nat)) by reflexivity. rewrite sum_alike, Nat.mul_1_r. change (K ^ 0)%nat with
      1%nat.
      assert (L : forall c c', In c (classes M) -> In c' (classes M) -> c = c').
      { intros c c' H H'. apply classes_in in H as [i [Hi <-]]. apply classes_in in H' as [j [Hj <-]].
        destruct V as [->|[_ V]]; [destruct Hi|]. destruct (V i j Hi Hj) as [->|[Cl O]]; [reflexivity|].
        apply class_same; auto. }
      pose proof (NoDup_nodup Nat.eq_dec (map class (map fst M))) as N. fold (classes M) in N.
      destruct (classes M) as [|c [|c' l]]; cbn [length]; try lia. exfalso. inversion N; subst. apply H1.
      rewrite (L c c'); [left; reflexivity|left; reflexivity|right; left; reflexivity].
    + rewrite (T_eq _ _ _ (fun _ => 0)); [rewrite T_zero; apply N.le_0_l|]. intros; cbn; lia.
  - destruct V as [->|V]; [|rewrite no_decisions in V; destruct V as [V _]; inversion V].
    exists O, (fun _ => O). split; [intros; lia|]. split; [cbn; lia|cbn; lia].
  - destruct V as [->|V].
    { exists O, (fun _ => O). split; [intros; lia|]. split; [cbn; lia|cbn; apply N.le_0_l]. }
    destruct V as [V1 [V2 [_ V4]]]. destruct W as [_ [W2 W3]]. assert (Fr : free asked t = true) by (apply free_in;
      exact V2).
    destruct (choice (O, fun _ : nat => O) (fun a nd => coded (after t a M) (free_spent (next a) (after t a M) (t ::
      asked)) (fst nd) (snd nd)) (going t)) as [nd Hnd].
    { intros a Ha. destruct (IH a (but t p) (after t a M) (t :: asked)) as [n [d Q]].
      - intros u Hu. apply P. unfold but in Hu. apply andb_prop in Hu. apply Hu.
      - exact (W3 a Ha).
      - intros i Hi. apply IC. exact (incl_after G worst t a M i Hi).
      - apply known_after, Kn.
      - apply fits_child; assumption.
      - exact (V4 a Ha).
      - exists (n, d). exact Q. }
    set (n := list_sum (map (fun a => fst (nd a)) (going t))).
    assert (Hn : forall a, In a (going t) -> coded (after t a M) (free_spent (next a) (after t a M) (t :: asked)) n
      (snd (nd a))).
    { intros a Ha. pose proof (sum_pick_one (fun a => fst (nd a)) a (going t) Ha) as L. unfold sum in L. fold n in L.
      replace n with (n - fst (nd a) + fst (nd a))%nat by lia. apply deeper, Hnd, Ha. }
    set (present := fun c a => existsb (fun i => class i =? c)%nat (map fst (after t a M))).
    assert (Pres : forall c a, present c a = true <-> In c (classes (after t a M))).
    { intros c a. unfold present. rewrite existsb_exists, classes_in. split; intros [i [A B]]; exists i; [apply
      Nat.eqb_eq in B|apply Nat.eqb_eq in B]; auto. }
    destruct (choice O (fun c x => (exists a, In a (going t) /\ present c a = true /\ x = S (snd (nd a) c)) /\
      forall a, In a (going t) -> present c a = true -> (x <= S (snd (nd a) c))%nat) (classes M)) as [d Hd].
    { intros c Hc. destruct (some_least (fun a => snd (nd a) c) (present c) (going t)) as [a [A1 [A2 A3]]].
      - apply classes_in in Hc as [i [Hi E]].
        assert (Ci := Kn i Hi). destruct (good t i V1 Ci) as [Z [S' _]].
        destruct (existsb (fun a => negb (rate (cell t i) a =? 0)) (answers t)) eqn:X.
        + apply existsb_exists in X as [a [Ha X]]. exists a. split; [apply no_ends, Ha|]. unfold present.
          apply existsb_exists. exists i. split; [|apply Nat.eqb_eq, E]. rewrite causes_after. apply filter_In. auto.
        + exfalso. apply Z. rewrite <- S'. fold (answers t). clear - X. induction (answers t) as [|a l IHl];
          [reflexivity|].
          cbn [existsb] in X. apply orb_false_elim in X as [X1 X2]. cbn [map fold_right]. rewrite (IHl X2).
          destruct (N.eqb_spec (rate (cell t i) a) 0); [lia|discriminate].
      - exists (S (snd (nd a) c)). split; [exists a; auto|]. intros b Hb Pb. specialize (A3 b Hb Pb). lia. }
    set (d' := fun c => if existsb (Nat.eqb c) (classes M) then d c else O).
    assert (Dd : forall c, In c (classes M) -> d' c = d c).
    { intros c Hc. unfold d'. destruct (existsb (Nat.eqb c) (classes M)) eqn:X; [reflexivity|]. exfalso.
      enough (existsb (Nat.eqb c) (classes M) = true) by congruence. apply existsb_exists. exists c. split; [exact
        Hc|apply Nat.eqb_refl]. }
    exists (S n), d'. split; [|split].
    + intros c. destruct (existsb (Nat.eqb c) (classes M)) eqn:X; [|unfold d'; rewrite X; lia].
      apply existsb_exists in X as [c' [X1 X2]]. apply Nat.eqb_eq in X2. subst c'. rewrite (Dd c X1).
      destruct (Hd c X1) as [[a [A1 [_ ->]]] _]. destruct (Hn a A1) as [B _]. specialize (B c). lia.
    + apply (Nat.le_trans _ (sum (fun c => sum (fun a => if present c a then K ^ (n - snd (nd a) c) else 0)%nat
      (going t)) (classes M))).
      * apply sum_le. intros c Hc. rewrite (Dd c Hc). destruct (Hd c Hc) as [[a [A1 [A2 ->]]] _].
        replace (S n - S (snd (nd a) c))%nat with (n - snd (nd a) c)%nat by lia.
        pose proof (sum_pick_one (fun a => if present c a then K ^ (n - snd (nd a) c) else 0)%nat a (going t) A1) as
          Q.
        cbv beta in Q. rewrite A2 in Q. exact Q.
      * rewrite sum_swap. apply (Nat.le_trans _ (sum (fun _ : nat => K ^ n)%nat (going t))).
        { apply sum_le. intros a Ha. destruct (Hn a Ha) as [_ [B _]]. eapply Nat.le_trans; [|exact B].
          assert (X : sum (fun c => if present c a then K ^ (n - snd (nd a) c) else 0)%nat (classes M) =
            sum (fun c => K ^ (n - snd (nd a) c))%nat (filter (fun c => present c a) (classes M))).
          { clear. induction (classes M) as [|c l IHl]; [reflexivity|]. rewrite sum_cons, IHl. cbn [filter].
            destruct (present c a); [rewrite sum_cons|]; reflexivity. }
          rewrite X. apply sum_incl; [apply NoDup_filter, NoDup_nodup|]. intros c Hc. apply filter_In in Hc as [_
            Hc]. apply Pres, Hc. }
        rewrite sum_alike. specialize (branches t V1). rewrite Nat.pow_succ_r'. apply Nat.mul_le_mono_r, branches.
    + cbn [spent]. replace (pays one one none t asked) with 1.
      2: { unfold pays. specialize (P t W2). unfold one. rewrite P. destruct (is_open none t asked); reflexivity. }
      eapply N.le_trans.
      * apply (ask_sum G worst t M (fun a i => N.of_nat (snd (nd a) (class i))) 1 (fun i => N.of_nat (d' (class
        i)))). intros i m Hi.
        assert (Hi' := in_map fst _ _ Hi). cbn [fst] in Hi'. assert (Ci := Kn i Hi').
        apply (one_more G worst good no_ends (free asked) t i m 1 _ (fun a => N.of_nat (snd (nd a) (class i))) V1 Ci
          Fr (fits_one G worst _ _ _ F Hi)).
        intros a Ha R. assert (Hc : In (class i) (classes M)) by (apply classes_in; exists i; auto).
        rewrite (Dd _ Hc). destruct (Hd _ Hc) as [_ L]. assert (Q : present (class i) a = true).
        { unfold present. apply existsb_exists. exists i. split; [|apply Nat.eqb_refl]. rewrite causes_after. apply
          filter_In.
          split; [exact Hi'|]. destruct (N.eqb_spec (rate (cell t i) a) 0); [contradiction|reflexivity]. }
        specialize (L a Ha Q). lia.
      * apply N.add_le_mono_l. apply T_le. intros a Ha. destruct (Hn a Ha) as [_ [_ E]]. exact E.
Qed.

Hypothesis C_known : incl C causes.

Lemma pruned M s : map fst M = C -> M <> [] -> fits G worst (free asked0) M -> fair G worst needs_of s M asked0 ->
  exists cost n d, coded M cost n d /\ rate_ * cost <= spent G worst price_of later_of group_of s M asked0.
Proof.
  intros E N F V. assert (Kn : known G M) by (unfold known; rewrite E; exact C_known).
  destruct (transport G worst good one one none nothing (fun t => N.le_refl (one t)) helpful C asked0) with
    (s := s) (M := M) (asked := asked0) (asked' := asked0) as [s' [V' [W L]]]; try assumption; try apply incl_refl.
  - split; [exact helpful_not|]. split; [intros u t _ []|]. intros u g t _ Q. exfalso. lia.
  - rewrite E. apply incl_refl.
  - apply serves_same.
  - apply fair_free, V.
  - destruct (depths s' (fun t => helpful t && free asked0 t) M asked0) as [n [d Q]]; try assumption.
    + intros t Ht. apply andb_prop in Ht. apply Ht.
    + rewrite E. apply incl_refl.
    + exists (free_spent s' M asked0), n, d. split; [exact Q|]. eapply N.le_trans; [|apply spent_free; [apply
      incl_refl|exact V]].
      apply N.mul_le_mono_l, L.
Qed.

(** The worst case: with so many tests, no more classes are told apart. *)
Lemma classes_most M s n : worst = true -> map fst M = C -> M <> [] -> (forall im, In im M -> snd im <> 0) ->
  fits G worst (free asked0) M -> fair G worst needs_of s M asked0 -> (n = O \/ K ^ (n - 1) < length (classes M))%nat
    ->
  rate_ * N.of_nat n <= spent G worst price_of later_of group_of s M asked0.
Proof.
  intros Wo E N Pos F V L. destruct (pruned M s E N F V) as [cost [m [d [[A [B D]] R]]]].
  eapply N.le_trans; [|exact R]. apply N.mul_le_mono_l.
  destruct (N.le_gt_cases (N.of_nat n) cost) as [Q|Q]; [exact Q|exfalso].
  assert (Each : forall c, In c (classes M) -> (d c <= n - 1)%nat).
  { intros c Hc. apply classes_in in Hc as [i [Hi <-]]. apply in_map_iff in Hi as [[i' x] [E' Hi]]. cbn in E'. subst
    i'.
    pose proof (T_in worst _ (fun im => snd im * N.of_nat (d (class (fst im)))) (i, x) M Hi) as X. cbn [fst snd] in X.
    specialize (Pos _ Hi). cbn [snd] in Pos. assert (N.of_nat (d (class i)) <= x * N.of_nat (d (class i))) by nia.
      lia. }
  destruct L as [->|L]; [lia|].
  assert (X : (length (classes M) * K ^ (m - (n - 1)) <= K ^ m)%nat).
  { rewrite <- sum_alike. eapply Nat.le_trans; [|exact B]. apply sum_le. intros c Hc. apply Nat.pow_le_mono_r;
    [unfold K; lia|].
    specialize (Each c Hc). lia. }
  assert (Kp : forall e, (1 <= K ^ e)%nat) by (intros e; pose proof (Nat.pow_nonzero K e ltac:(unfold K; lia)); lia).
  destruct (Nat.le_gt_cases (n - 1) m) as [M1|M1].
  - replace m with (n - 1 + (m - (n - 1)))%nat in X at 2 by lia. rewrite Nat.pow_add_r in X.
    specialize (Kp (m - (n - 1))%nat). nia.
  - replace (m - (n - 1))%nat with O in X by lia. rewrite Nat.pow_0_r, Nat.mul_1_r in X.
    assert (K ^ m <= K ^ (n - 1))%nat by (apply Nat.pow_le_mono_r; [unfold K; lia|lia]). lia.
Qed.

(** What is expected. *)
Definition mass_of (M : masses) (c : nat) : N := T (fun im => if (class (fst im) =? c)%nat then snd im else 0) M.

Lemma by_classes (worst_not : worst = false) M d :
  T (fun im => snd im * N.of_nat (d (class (fst im)))) M = T (fun c => mass_of M c * N.of_nat (d c)) (classes M).
Proof.
  assert (X : forall cs, NoDup cs -> (forall im, In im M -> In (class (fst im)) cs) ->
    T (fun im => snd im * N.of_nat (d (class (fst im)))) M = T (fun c => mass_of M c * N.of_nat (d c)) cs).
  { intros cs N I. rewrite (T_eq worst _ (fun c => mass_of M c * N.of_nat (d c))
      (fun c => T (fun im => if (class (fst im) =? c)%nat then snd im * N.of_nat (d c) else 0) M)).
    - rewrite T_swap. apply T_eq. intros [i m] Hi. specialize (I _ Hi). cbn [fst snd] in *. clear Hi.
      induction N as [|c cs Nc N IH]; [destruct I|]. rewrite T_cons. destruct (Nat.eqb_spec (class i) c) as [<-|Ne].
      + rewrite (T_eq worst _ _ (fun _ => 0)); [rewrite T_zero, op_0_r; reflexivity|]. intros c Hc.
        destruct (Nat.eqb_spec (class i) c) as [Ec|]; [rewrite Ec in Nc; contradiction|reflexivity].
      + destruct I as [I|I]; [congruence|]. rewrite op_0. apply IH, I.
    - intros c _. unfold mass_of. rewrite <- T_mul_r. apply T_eq. intros im _. destruct (_ =? _)%nat; lia. }
  apply X; [apply NoDup_nodup|]. intros im Hi. apply classes_in. exists (fst im). split; [apply in_map,
    Hi|reflexivity].
Qed.

Fixpoint insert_light (M : masses) (c : nat) (l : list nat) : list nat :=
  match l with [] => [c] | x :: rest => if mass_of M c <=? mass_of M x then c :: l else x :: insert_light M c rest
    end.

Definition lightest_first (M : masses) : list nat := fold_right (insert_light M) [] (classes M).

Lemma insert_light_all M c l : Permutation (insert_light M c l) (c :: l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [insert_light]. destruct (_ <=? _); [reflexivity|]. rewrite IH. apply
    perm_swap.
Qed.

Lemma lightest_all M : Permutation (lightest_first M) (classes M).
Proof. unfold lightest_first. induction (classes M) as [|c l IH]; [reflexivity|]. cbn [fold_right]. rewrite
  insert_light_all, IH. reflexivity. Qed.

Let weight_of M c := N.to_nat (mass_of M c).

Lemma lightest_sorted M : StronglySorted Nat.le (map (weight_of M) (lightest_first M)).
Proof.
  unfold lightest_first. induction (classes M) as [|c l IH]; [constructor|]. cbn [fold_right].
  generalize dependent (fold_right (insert_light M) [] l). clear l. intros l IH.
  assert (X : forall l, StronglySorted Nat.le (map (weight_of M) l) -> StronglySorted Nat.le (map (weight_of M)
    (insert_light M c l))).
  { clear. induction l as [|x l IH]; intros S; cbn [insert_light]; [repeat constructor|].
    cbn [map] in S. inversion S; subst. destruct (N.leb_spec (mass_of M c) (mass_of M x)) as [L|L].
    - cbn [map]. constructor; [constructor; assumption|]. unfold weight_of. constructor; [unfold Nat.le; lia|].
      rewrite Forall_forall in *. intros y Hy. specialize (H2 y Hy). unfold Nat.le, weight_of in *. lia.
    - cbn [map]. constructor; [apply IH; assumption|]. rewrite Forall_forall in *. intros y Hy.
      apply in_map_iff in Hy as [z [<- Hz]]. apply (Permutation_in _ (insert_light_all M c l)) in Hz as [<-|Hz].
      + unfold Nat.le, weight_of. lia.
      + apply H2, in_map, Hz. }
  apply X, IH.
Qed.

(** Huffman's total, computed with numbers of any size. *)
Fixpoint insert_N (x : N) (l : list N) : list N :=
  match l with [] => [x] | y :: rest => if x <=? y then x :: l else y :: insert_N x rest end.

Fixpoint joins_N (fuel many : nat) (l : list N) : N :=
  match fuel, l with
  | S fuel, _ :: _ :: _ => let s := sum_of (firstn many l) in s + joins_N fuel many (insert_N s (skipn many l))
  | _, _ => 0
  end.

Definition huffman_N (l : list N) (many : nat) : N :=
  let e := filling (length l) many in joins_N (e + length l) many (repeat 0 e ++ l).

Lemma sum_to_nat l : N.to_nat (sum_of l) = list_sum (map N.to_nat l).
Proof. unfold sum_of. induction l as [|x l IH]; [reflexivity|]. cbn [fold_right map]. rewrite N2Nat.inj_add, IH.
  reflexivity. Qed.

Lemma insert_to_nat x l : map N.to_nat (insert_N x l) = insert_up (N.to_nat x) (map N.to_nat l).
Proof.
  induction l as [|y l IH]; [reflexivity|]. cbn [insert_N insert_up map].
  destruct (N.leb_spec x y), (Nat.leb_spec (N.to_nat x) (N.to_nat y)); try lia; cbn [map]; [reflexivity|]. rewrite
    IH. reflexivity.
Qed.

Lemma joins_to_nat fuel many : forall l, N.to_nat (joins_N fuel many l) = joins fuel many (map N.to_nat l).
Proof.
  induction fuel as [|fuel IH]; intros l; [reflexivity|]. destruct l as [|a [|b l]]; try reflexivity.
  cbn [joins_N joins map]. rewrite N2Nat.inj_add, IH, insert_to_nat, sum_to_nat, <- firstn_map, <- skipn_map.
    reflexivity.
Qed.

Lemma huffman_to_nat l many : N.to_nat (huffman_N l many) = huffman_of (map N.to_nat l) many.
Proof.
  unfold huffman_N, huffman_of. rewrite joins_to_nat, map_length, map_app. f_equal. f_equal.
  generalize (filling (length l) many). intros e. induction e as [|e IH]; [reflexivity|]. cbn [repeat map]. rewrite
    IH. reflexivity.
Qed.

Lemma huffman_least M s : worst = false -> map fst M = C -> M <> [] ->
  fits G worst (free asked0) M -> fair G worst needs_of s M asked0 ->
  rate_ * huffman_N (map (mass_of M) (lightest_first M)) K <= spent G worst price_of later_of group_of s M asked0.
Proof.
  intros Wo E N F V. destruct (pruned M s E N F V) as [cost [n [d [[A [B D]] R]]]].
  eapply N.le_trans; [|exact R]. apply N.mul_le_mono_l. eapply N.le_trans; [|exact D]. rewrite (by_classes Wo).
  assert (X : forall cs, T (fun c => mass_of M c * N.of_nat (d c)) cs = N.of_nat (dot (map (weight_of M) cs) (map d
    cs))).
  { intros cs. induction cs as [|c cs IH]; [reflexivity|]. rewrite T_cons, IH. unfold op. rewrite Wo. cbn [map dot].
    unfold weight_of. rewrite Nat2N.inj_add, Nat2N.inj_mul, N2Nat.id. reflexivity. }
  assert (Y : T (fun c => mass_of M c * N.of_nat (d c)) (classes M) = T (fun c => mass_of M c * N.of_nat (d c))
    (lightest_first M)).
  { assert (Z : forall l l', Permutation l l' -> T (fun c => mass_of M c * N.of_nat (d c)) l = T (fun c => mass_of M
    c * N.of_nat (d c)) l').
    { induction 1; rewrite ?T_cons in *; [reflexivity|congruence| |congruence]. rewrite !op_assoc. f_equal. apply
      op_comm. }
    symmetry. apply Z, lightest_all. }
  rewrite Y, X.
  assert (H : (huffman_of (map (weight_of M) (lightest_first M)) K <= dot (map (weight_of M) (lightest_first M)) (map
    d (lightest_first M)))%nat).
  { apply (filled k k_1) with (D := n).
    - rewrite map_length. rewrite (Permutation_length (lightest_all M)). destruct M as [|[i m] M']; [contradiction|].
      assert (I : In (class i) (classes ((i, m) :: M'))) by (apply classes_in; exists i; split; [left|]; reflexivity).
      destruct (classes _); [destruct I|cbn; lia].
    - apply lightest_sorted.
    - rewrite !map_length. reflexivity.
    - split; [intros x Hx; apply in_map_iff in Hx as [c [<- _]]; apply A|].
      rewrite (room_perm k k_1 n _ (map d (classes M))) by (apply Permutation_map, lightest_all).
      unfold room_of. rewrite sum_map. exact B. }
  rewrite <- (N2Nat.id (huffman_N _ _)). rewrite huffman_to_nat, map_map. fold (weight_of M). lia.
Qed.

End Codes.
