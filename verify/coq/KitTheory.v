(** Kits of numbered questions: K1 to K5 of KITS.md. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import Game Lists.
Import ListNotations.

(** ** Lists *)

Lemma filter_app_length {A} (f : A -> bool) l m :
  length (filter f (l ++ m)) = length (filter f l) + length (filter f m).
Proof. rewrite filter_app. apply app_length. Qed.

Lemma sum_perm {A} (f : A -> nat) l m : Permutation l m -> sum f l = sum f m.
Proof. induction 1; rewrite ?sum_cons; lia. Qed.

Lemma filter_perm {A} (f : A -> bool) l m : Permutation l m -> length (filter f l) = length (filter f m).
Proof.
  induction 1; cbn; try destruct (f x); try destruct (f y); cbn; lia.
Qed.

(** Of a list in which nothing is twice, all of which is in another, the other one has the rest. *)
Lemma rest_of {A} (l : list A) : NoDup l -> forall m, incl l m -> exists rest, Permutation m (l ++ rest).
Proof.
  induction 1 as [|x l N D IH]; intros m I; [exists m; reflexivity|].
  destruct (in_split x m (I x (or_introl eq_refl))) as [m1 [m2 ->]].
  destruct (IH (m1 ++ m2)) as [rest P].
  - intros y Hy. specialize (I y (or_intror Hy)). apply in_app_or in I as [I|[<-|I]];
      [apply in_or_app; auto|contradiction|apply in_or_app; auto].
  - exists rest. rewrite <- Permutation_middle. cbn. apply perm_skip, P.
Qed.

Lemma sum_incl {A} (f : A -> nat) l m : NoDup l -> incl l m -> sum f l <= sum f m.
Proof. intros N I. destruct (rest_of l N m I) as [rest P]. rewrite (sum_perm f _ _ P), sum_app. lia. Qed.

Lemma sum_nodup (f : nat -> nat) l : sum f (nodup Nat.eq_dec l) <= sum f l.
Proof. apply sum_incl; [apply NoDup_nodup|intros x; apply nodup_In]. Qed.

Lemma sum_filter {A} (f : A -> nat) p l : sum f (filter p l) <= sum f l.
Proof. induction l as [|x l IH]; cbn [filter]; [lia|]. destruct (p x); rewrite ?sum_cons; lia. Qed.

Lemma some_of {A} (f : A -> bool) l : 1 <= length (filter f l) <-> exists x, In x l /\ f x = true.
Proof.
  split.
  - destruct (filter f l) as [|x m] eqn:E; cbn; [lia|]. intros _. exists x. apply filter_In. rewrite E. left.
    reflexivity.
  - intros [x H]. apply filter_In in H. destruct (filter f l); [destruct H|cbn; lia].
Qed.

(** One of a few of some numbers can be left out with the first of all. *)
Lemma one_out (x : nat) l p P rest : Permutation (x :: l) ((p :: P) ++ rest) ->
  exists q Q, Permutation (p :: P) (q :: Q) /\ (q = x \/ In q l) /\ exists rest', Permutation l (Q ++ rest').
Proof.
  intros Pm. destruct (in_dec Nat.eq_dec x (p :: P)) as [I|I].
  - destruct (in_split x _ I) as [P1 [P2 E]]. exists x, (P1 ++ P2). rewrite E in *.
    split; [symmetry; apply Permutation_middle|]. split; [auto|]. exists rest. apply (Permutation_cons_inv (a := x)).
    rewrite Pm, <- Permutation_middle. reflexivity.
  - exists p, P. split; [reflexivity|]. split.
    + assert (J : In p (x :: l)) by (rewrite Pm; left; reflexivity). destruct J as [->|J]; auto.
    + assert (J : In x ((p :: P) ++ rest)) by (rewrite <- Pm; left; reflexivity).
      apply in_app_or in J as [J|J]; [contradiction|]. destruct (in_split x rest J) as [r1 [r2 ->]].
      exists (p :: r1 ++ r2). apply (Permutation_cons_inv (a := x)). rewrite Pm. cbn [app].
      rewrite <- (Permutation_middle P (r1 ++ r2) p), app_assoc, <- Permutation_middle, <- app_assoc. apply perm_swap.
Qed.

Lemma filter_short {A} (f : A -> bool) l : length (filter f l) <= length l.
Proof. induction l as [|x l IH]; cbn; [lia|]. destruct (f x); cbn; lia. Qed.

(** ** A few of some numbers *)

Fixpoint product (f : nat -> nat) (X : list nat) : nat :=
  match X with [] => 1 | g :: X => f g * product f X end.

Lemma product_perm f X Y : Permutation X Y -> product f X = product f Y.
Proof. induction 1; cbn [product] in *; nia. Qed.

(** A few of some numbers are at most the greatest of them. *)
Fixpoint falling (l : list nat) : Prop :=
  match l with [] => True | x :: l => (forall y, In y l -> y <= x) /\ falling l end.

Lemma greatest_few (l : list nat) : falling l -> forall P k rest, Permutation l (P ++ rest) -> length P <= k ->
  (forall x, In x l -> 1 <= x) -> product (fun x => x) P <= product (fun x => x) (firstn k l).
Proof.
  induction l as [|x l IH]; intros D P k rest Pm L Pos.
  - apply Permutation_nil, app_eq_nil in Pm as [-> _]. destruct k; cbn; lia.
  - destruct D as [D1 D2]. destruct P as [|p P].
    { assert (One : forall m, (forall x, In x m -> 1 <= x) -> 1 <= product (fun x => x) m).
      { clear. induction m as [|x m IH]; intros H; cbn; [lia|].
        pose proof (H x (or_introl eq_refl)). specialize (IH (fun y Hy => H y (or_intror Hy))). nia. }
      apply One. intros y Hy. apply Pos. rewrite <- (firstn_skipn k (x :: l)). apply in_or_app. auto. }
    destruct k as [|k]; [cbn in L; lia|]. cbn [firstn].
    destruct (one_out x l p P rest Pm) as [q [Q [E [In_q [rest' P']]]]].
    assert (Le : q <= x) by (destruct In_q as [->|J]; [lia|exact (D1 q J)]).
    rewrite (product_perm _ _ _ E). cbn [product].
    apply Nat.mul_le_mono; [exact Le|].
    apply (IH D2 Q k rest' P'); [apply Permutation_length in E; cbn in *; lia|intros y Hy; apply Pos; right;
      exact Hy].
Qed.

(** How many of the cheapest can be paid. *)
Fixpoint paid (costs : list nat) (left : nat) : nat :=
  match costs with [] => 0 | c :: costs => if c <=? left then S (paid costs (left - c)) else 0 end.

Fixpoint rising (l : list nat) : Prop :=
  match l with [] => True | x :: l => (forall y, In y l -> x <= y) /\ rising l end.

Lemma paid_few l : rising l -> forall P left rest, Permutation l (P ++ rest) -> list_sum P <= left ->
  length P <= paid l left.
Proof.
  induction l as [|x l IH]; intros D P left rest Pm L.
  - apply Permutation_nil, app_eq_nil in Pm as [-> _]. cbn. lia.
  - destruct D as [D1 D2]. destruct P as [|p P]; [cbn; lia|].
    destruct (one_out x l p P rest Pm) as [q [Q [E [In_q [rest' P']]]]].
    assert (Le : x <= q) by (destruct In_q as [->|J]; [lia|exact (D1 q J)]).
    pose proof (sum_perm (fun x => x) _ _ E) as S1. unfold sum in S1.
    rewrite !map_id in S1. cbn [list_sum fold_right] in S1, L. fold (list_sum Q) in S1. fold (list_sum P) in S1, L.
    cbn [paid]. destruct (Nat.leb_spec x left); [|lia]. apply Permutation_length in E. rewrite E. cbn [length].
    apply le_n_S, (IH D2 Q (left - x) rest' P'). lia.
Qed.

(** ** Words that differ in many places *)

(** How many words differ from one of [k] letters, of [r], in at most [e] places. *)
Fixpoint ball (r k e : nat) : nat :=
  match k, e with S k, S e => ball r k (S e) + (r - 1) * ball r k e | _, _ => 1 end.

Fixpoint distance (v w : list nat) : nat :=
  match v, w with x :: v, y :: w => (if x =? y then 0 else 1) + distance v w | _, _ => 0 end.

Lemma distance_between u : forall v w, length u = length v -> length w = length v ->
  distance u w <= distance u v + distance w v.
Proof.
  induction u as [|x u IH]; intros [|y v] [|z w] A B; cbn in *; try lia. specialize (IH v w).
  destruct (Nat.eqb_spec x z), (Nat.eqb_spec x y), (Nat.eqb_spec z y); subst; try lia; congruence.
Qed.

Lemma sum_one_of (a b w : nat) r : w < r -> sum (fun c => if w =? c then a else b) (seq 0 r) = a + (r - 1) * b.
Proof.
  intros H. pose proof (sum_pick b w r) as P. pose proof (sum_pick a w r) as Q. apply Nat.ltb_lt in H.
  rewrite H in P, Q.
  apply Nat.ltb_lt in H.
  assert (E : sum (fun c => if w =? c then a else b) (seq 0 r) + sum (fun c => if c =? w then b else 0) (seq 0 r) =
    sum (fun c => if c =? w then a else 0) (seq 0 r) + sum (fun _ => b) (seq 0 r)).
  { rewrite <- !sum_add. apply sum_eq. intros c _. rewrite (Nat.eqb_sym w c). destruct (c =? w); lia. }
  rewrite P, Q, sum_const in E. destruct r; [lia|]. nia.
Qed.

Lemma ball_is r e0 : forall k w e, length w = k -> (forall x, In x w -> x < r) -> e <= e0 ->
  sum (fun x => if distance w x <=? e then 1 else 0) (all_codes k r) = ball r k e.
Proof.
  induction k as [|k IH]; intros w e L B Le.
  - destruct w; [|discriminate]. cbn. destruct e; reflexivity.
  - destruct w as [|y w]; [discriminate|]. injection L as L. cbn [all_codes].
    assert (B' : forall x, In x w -> x < r) by (intros x Hx; apply B; right; exact Hx).
    assert (Hy : y < r) by (apply B; left; reflexivity).
    set (f := fun x => if distance (y :: w) x <=? e then 1 else 0).
    assert (Q : sum f (flat_map (fun c => map (cons c) (all_codes k r)) (seq 0 r)) =
      sum (fun c => sum (fun x => f (c :: x)) (all_codes k r)) (seq 0 r)).
    { generalize (seq 0 r) as l. induction l as [|c l IHl]; [reflexivity|].
      cbn [flat_map]. rewrite sum_app, sum_cons, sum_map, IHl. reflexivity. }
    rewrite Q. clear Q.
    rewrite (sum_eq _ _ (fun c => if y =? c then ball r k e else match e with 0 => 0 | S e => ball r k e end)).
    + rewrite sum_one_of by exact Hy. destruct e as [|e]; [|reflexivity]. destruct k; cbn [ball]; lia.
    + intros c _. unfold f. cbn [distance]. destruct (y =? c); cbn [Nat.add]; [apply IH; assumption|].
      destruct e as [|e]; [apply sum_zero|]. cbn [Nat.leb]. apply IH; [assumption..|lia].
Qed.

Lemma codes_many k r : length (all_codes k r) = r ^ k.
Proof.
  induction k as [|k IH]; [reflexivity|]. cbn [all_codes Nat.pow]. rewrite <- IH. clear IH.
  generalize (all_codes k r) as l, 0 as z. intros l. induction r as [|r IHr]; intros z; [reflexivity|].
  cbn [seq flat_map]. rewrite app_length, map_length, IHr. reflexivity.
Qed.

Lemma alike_few {A} (l : list A) : NoDup l -> (forall x y, In x l -> In y l -> x = y) -> length l <= 1.
Proof.
  intros N H. destruct l as [|x [|y l]]; cbn; [lia|lia|]. exfalso. inversion N as [|? ? Q _]; subst.
  apply Q. left. symmetry. apply H; cbn; auto.
Qed.

(** Words that differ in many places are few (Hamming). *)
Lemma balls_fit (S : list nat) (word : nat -> list nat) r k e : NoDup S ->
  (forall s, In s S -> length (word s) = k /\ forall x, In x (word s) -> x < r) ->
  (forall s t, In s S -> In t S -> s <> t -> 2 * e < distance (word s) (word t)) -> length S * ball r k e <= r ^ k.
Proof.
  intros N W D.
  assert (E : length S * ball r k e =
    sum (fun s => sum (fun x => if distance (word s) x <=? e then 1 else 0) (all_codes k r)) S).
  { rewrite <- sum_alike. apply sum_eq. intros s Hs. destruct (W s Hs) as [L B]. symmetry.
    exact (ball_is r e k _ e L B (le_n e)). }
  rewrite E, sum_swap, <- codes_many, <- (Nat.mul_1_l (length _)). apply sum_bounded. intros x Hx.
  assert (Lx : length x = k).
  { clear - Hx. revert x Hx. induction k as [|k IH]; intros x Hx; cbn in Hx; [destruct Hx as [<-|[]]; reflexivity|].
    apply in_flat_map in Hx as [c [_ Hx]]. apply in_map_iff in Hx as [y [<- Hy]]. cbn. f_equal. exact (IH y Hy). }
  assert (F : sum (fun s => if distance (word s) x <=? e then 1 else 0) S =
    length (filter (fun s => distance (word s) x <=? e) S)).
  { clear. induction S as [|s S IH]; [reflexivity|]. rewrite sum_cons, IH. cbn [filter].
    destruct (_ <=? e); reflexivity. }
  rewrite F. apply alike_few; [apply NoDup_filter, N|]. intros s t Hs Ht.
  apply filter_In in Hs as [Hs Es], Ht as [Ht Et].
  apply Nat.leb_le in Es, Et. destruct (Nat.eq_dec s t) as [Q|Q]; [exact Q|]. exfalso. specialize (D s t Hs Ht Q).
  destruct (W s Hs) as [Ls _], (W t Ht) as [Lt _]. pose proof (distance_between (word s) x (word t)). lia.
Qed.

(** The place of an answer among those that there are. *)
Fixpoint letter (x : nat) (l : list nat) : nat :=
  match l with [] => 0 | y :: l => if y =? x then 0 else S (letter x l) end.

Lemma letter_is x l : In x l -> letter x l < length l /\ nth (letter x l) l 0 = x.
Proof.
  induction l as [|y l IH]; [intros []|]. intros H. cbn [letter length]. destruct (Nat.eqb_spec y x) as [->|Q].
  - split; [lia|reflexivity].
  - destruct H as [H|H]; [congruence|]. destruct (IH H) as [A B]. split; [lia|exact B].
Qed.

(** ** Nodes *)

Section Kits.

Variables questions secrets lies : nat.
Variable ans : nat -> nat -> nat.  (* the answer to a question for a secret *)
Variables cost kind : nat -> nat.  (* of a question; of a secret *)

Let apart := 2 * lies + 1.

Definition tells (g s t : nat) : bool := negb (ans g s =? ans g t).
Definition told (K : list nat) (s t : nat) : nat := length (filter (fun g => tells g s t) K).

Definition kit (K : list nat) : Prop :=
  forall s t, s < secrets -> t < secrets -> kind s <> kind t -> apart <= told K s t.

Definition spent (K : list nat) : nat := sum cost K.

(** Questions that are added: without lies each is there once. *)
Definition extra (F : nat -> bool) (X : list nat) : Prop :=
  (forall g, In g X -> g < questions /\ F g = true) /\ (lies = 0 -> NoDup X).

(** The claim of a node: what makes a kit of [K], of questions of [F], costs at least so much. What is left of KITS.md
    is one less than [purse]; a purse of 0 is a claim with less than nothing left. *)
Definition fails (K : list nat) (F : nat -> bool) (purse : nat) : Prop :=
  forall X, extra F X -> kit (K ++ X) -> purse <= spent X.

(** No kit of the node has this question. *)
Definition refuted (K : list nat) (F : nat -> bool) (purse g : nat) : Prop :=
  forall X, extra F X -> kit (K ++ X) -> In g X -> purse <= spent X.

Definition is_open (K : list nat) (s t : nat) : Prop :=
  s < secrets /\ t < secrets /\ kind s <> kind t /\ told K s t < apart.

Lemma told_app K X s t : told (K ++ X) s t = told K s t + told X s t.
Proof. apply filter_app_length. Qed.

Lemma told_perm K L s t : Permutation K L -> told K s t = told L s t.
Proof. apply filter_perm. Qed.

Lemma kit_perm K L : Permutation K L -> kit K -> kit L.
Proof. intros P H s t Hs Ht A. rewrite <- (told_perm K L s t P). exact (H s t Hs Ht A). Qed.

Lemma nothing_left K F : fails K F 0.
Proof. intros X _ _. lia. Qed.

(** *** K2 *)

Lemma pair_stuck K F purse s t : is_open K s t -> (forall g, g < questions -> F g = true -> tells g s t = false) ->
  fails K F purse.
Proof.
  intros [Hs [Ht [A O]]] H X [E _] Kt. exfalso. specialize (Kt s t Hs Ht A). rewrite told_app in Kt.
  assert (Z : told X s t = 0); [|lia]. unfold told. destruct (filter _ X) as [|g l] eqn:Q; [reflexivity|].
  assert (I : In g (filter (fun g => tells g s t) X)) by (rewrite Q; left; reflexivity).
  apply filter_In in I as [I T]. destruct (E g I) as [L Fg]. rewrite (H g L Fg) in T. discriminate.
Qed.

Lemma refuted_child K F F' purse g : fails (g :: K) F' (purse - cost g) ->
  (forall h, h < questions -> F h = true -> h <> g \/ lies <> 0 -> F' h = true) -> refuted K F purse g.
Proof.
  intros H A X [E N] Kt I. destruct (in_split g X I) as [X1 [X2 ->]].
  assert (P : Permutation (X1 ++ g :: X2) (g :: X1 ++ X2)) by (symmetry; apply Permutation_middle).
  unfold spent in *. rewrite (sum_perm cost _ _ P), sum_cons.
  assert (Q : purse - cost g <= sum cost (X1 ++ X2)); [|lia]. apply H.
  - split.
    + intros h Hh.
      assert (J : In h (X1 ++ g :: X2)) by (apply in_app_or in Hh as [Hh|Hh]; apply in_or_app; cbn; auto).
      destruct (E h J) as [L Fh]. split; [exact L|]. apply (A h L Fh). destruct (Nat.eq_dec lies 0) as [Z|Z];
        [left|auto].
      intros ->. apply N, NoDup_remove_2 in Z. contradiction.
    + intros Z. apply N, NoDup_remove_1 in Z. exact Z.
  - apply (kit_perm (K ++ X1 ++ g :: X2)); [|exact Kt]. rewrite P. cbn. symmetry. apply Permutation_middle.
Qed.

(** Questions may be left out that are in no kit. *)
Lemma fails_without K F F' purse : fails K F' purse ->
  (forall g, g < questions -> F g = true -> F' g = false -> refuted K F purse g) -> fails K F purse.
Proof.
  intros H R X E Kt. destruct (forallb F' X) eqn:A.
  - apply H; [|exact Kt]. split; [|exact (proj2 E)]. intros g Hg. split; [exact (proj1 (proj1 E g Hg))|].
    exact (proj1 (forallb_forall _ _) A g Hg).
  - assert (Q : exists g, In g X /\ F' g = false).
    { clear - A. induction X as [|x X IH]; cbn in A; [discriminate|]. destruct (F' x) eqn:Q.
      - destruct (IH A) as [g [I Z]]. exists g. split; [right|]; assumption.
      - exists x. split; [left; reflexivity|exact Q]. }
    destruct Q as [g [I Z]]. destruct (proj1 E g I) as [L Fg]. exact (R g L Fg Z X E Kt I).
Qed.

(** *** K3 *)

(** A renaming of questions: some renaming of secrets takes them there. *)
Definition renames (to : nat -> nat) : Prop :=
  (forall g, g < questions -> to g < questions /\ cost (to g) = cost g) /\
  exists go, (forall s, s < secrets -> go s < secrets) /\
    (forall u, u < secrets -> exists s, s < secrets /\ go s = u) /\
    (forall s t, s < secrets -> t < secrets -> kind s = kind t -> kind (go s) = kind (go t)) /\
    forall g s t, g < questions -> s < secrets -> t < secrets -> tells (to g) (go s) (go t) = tells g s t.

Lemma refuted_back K F purse to h : renames to -> (forall g, In g K -> g < questions) -> Permutation (map to K) K ->
  (forall g, g < questions -> F g = true -> F (to g) = true) -> refuted K F purse (to h) -> refuted K F purse h.
Proof.
  intros [A [go [_ [B [C D]]]]] KB P FF R X [E N] Kt I.
  set (Y := if lies =? 0 then nodup Nat.eq_dec (map to X) else map to X).
  assert (In_Y : forall g, In g Y <-> In g (map to X))
    by (intros g; unfold Y; destruct (lies =? 0); [apply nodup_In|tauto]).
  assert (L : spent Y <= spent X).
  { unfold spent, Y. transitivity (sum cost (map to X)); [destruct (lies =? 0); [apply sum_nodup|lia]|].
    rewrite sum_map. apply sum_le. intros g Hg. rewrite (proj2 (A g (proj1 (E g Hg)))). lia. }
  assert (T : forall L s t, (forall g, In g L -> g < questions) -> s < secrets -> t < secrets ->
    told (map to L) (go s) (go t) = told L s t).
  { intros L' s t Q Hs Ht. unfold told. induction L' as [|g L' IH]; [reflexivity|]. cbn [map filter].
    rewrite (D g s t (Q g (or_introl eq_refl)) Hs Ht). specialize (IH (fun g' Hg' => Q g' (or_intror Hg'))).
    destruct (tells g s t); cbn [length]; rewrite IH; reflexivity. }
  transitivity (spent Y); [|exact L]. apply R.
  - split.
    + intros g Hg. apply In_Y, in_map_iff in Hg as [x [<- Hx]]. destruct (E x Hx) as [Q1 Q2].
      split; [exact (proj1 (A x Q1))|exact (FF x Q1 Q2)].
    + intros Z. unfold Y. rewrite Z. apply NoDup_nodup.
  - intros u v Hu Hv UV. destruct (B u Hu) as [s [Hs <-]]. destruct (B v Hv) as [t [Ht <-]].
    assert (ST : kind s <> kind t) by (intros Q; apply UV; exact (C s t Hs Ht Q)).
    pose proof (Kt s t Hs Ht ST) as Q. rewrite told_app in *.
    rewrite <- (told_perm _ _ (go s) (go t) P), T by assumption.
    assert (TX : told (map to X) (go s) (go t) = told X s t) by (apply T; try assumption; intros g Hg; apply E, Hg).
    unfold Y. destruct (Nat.eqb_spec lies 0) as [Z|Z]; [|lia].
    unfold apart in *. rewrite Z in *. destruct (Nat.eq_dec (told K s t) 0) as [Z'|Z']; [|lia].
    assert (S : 1 <= told (map to X) (go s) (go t)) by lia. apply some_of in S as [g [S1 S2]].
    assert (S' : 1 <= told (nodup Nat.eq_dec (map to X)) (go s) (go t)); [|lia].
    apply some_of. exists g. split; [apply nodup_In, S1|exact S2].
  - apply In_Y, in_map, I.
Qed.

(** *** K4 *)

(** How many different answers there are among secrets. *)
Definition parts (S : list nat) (g : nat) : nat := length (nodup Nat.eq_dec (map (ans g) S)).

Lemma by_answers g (D : list nat) : NoDup D -> forall S, (forall s, In s S -> In (ans g s) D) ->
  length S = sum (fun d => length (filter (fun s => ans g s =? d) S)) D.
Proof.
  intros N. induction S as [|s S IH]; intros H.
  - cbn. symmetry. apply sum_zero.
  - cbn [length]. rewrite (IH (fun x Hx => H x (or_intror Hx))).
    rewrite (sum_eq _ (fun d => length (filter (fun s => ans g s =? d) (s :: S)))
      (fun d => (if d =? ans g s then 1 else 0) + length (filter (fun s => ans g s =? d) S))).
    + rewrite sum_add. rewrite <- (Nat.add_1_l (sum _ D)). f_equal. pose proof (H s (or_introl eq_refl)) as I.
      clear - N I. induction N as [|d D N _ IH]; [destruct I|]. rewrite sum_cons.
      destruct (Nat.eqb_spec d (ans g s)) as [->|Q].
      * rewrite (sum_eq _ _ (fun _ => 0)); [rewrite sum_zero; reflexivity|]. intros x Hx.
        destruct (Nat.eqb_spec x (ans g s)); [subst; contradiction|reflexivity].
      * destruct I as [I|I]; [congruence|]. rewrite <- (IH I). reflexivity.
    + intros d _. cbn [filter]. rewrite (Nat.eqb_sym d). destruct (ans g s =? d); reflexivity.
Qed.

(** Secrets of which every two get different answers to some question are not more than the answers that there are. *)
Lemma combinations S0 X : forall S, NoDup S -> incl S S0 ->
  (forall s t, In s S -> In t S -> s <> t -> 1 <= told X s t) -> length S <= product (parts S0) X.
Proof.
  induction X as [|g X IH]; intros S N I H.
  - cbn. destruct S as [|s [|t S]]; cbn; [lia|lia|]. exfalso.
    specialize (H s t (or_introl eq_refl) (or_intror (or_introl eq_refl))).
    inversion N as [|? ? Q _]; subst. cbn in H. assert (s <> t) by (intros ->; apply Q; left; reflexivity).
    specialize (H H0). lia.
  - cbn [product].
    rewrite (by_answers g (nodup Nat.eq_dec (map (ans g) S0)) (NoDup_nodup _ _) S)
      by (intros s Hs; apply nodup_In, in_map, I, Hs).
    rewrite (Nat.mul_comm (parts S0 g)). unfold parts at 2. apply sum_bounded. intros d _. apply IH.
    + apply NoDup_filter, N.
    + intros s Hs. apply filter_In in Hs as [Hs _]. exact (I s Hs).
    + intros s t Hs Ht ST. apply filter_In in Hs as [Hs Es], Ht as [Ht Et]. apply Nat.eqb_eq in Es, Et.
      specialize (H s t Hs Ht ST). unfold told in *. cbn [filter] in H. unfold tells at 1 in H.
      rewrite Es, Et, Nat.eqb_refl in H. exact H.
Qed.

(** Secrets that got the same answers, of different kinds. *)
Definition together (K S : list nat) : Prop :=
  NoDup (map kind S) /\ (forall s, In s S -> s < secrets) /\ forall s t, In s S -> In t S -> told K s t = 0.

Lemma together_told K S X s t : together K S -> kit (K ++ X) -> In s S -> In t S -> s <> t -> apart <= told X s t.
Proof.
  intros [N [B Z]] Kt Hs Ht ST. rewrite <- (Nat.add_0_l (told X s t)), <- (Z s t Hs Ht), <- told_app.
  apply Kt; [auto..|]. intros Q. apply ST. clear - N Hs Ht Q. induction S as [|x S IH]; [destruct Hs|].
  cbn in N. inversion N as [|? ? N1 N2]; subst. destruct Hs as [<-|Hs], Ht as [<-|Ht]; [reflexivity| | |auto].
  - destruct N1. rewrite Q. apply in_map, Ht.
  - destruct N1. rewrite <- Q. apply in_map, Hs.
Qed.

Lemma together_once K S : together K S -> NoDup S.
Proof. intros [N _]. exact (NoDup_map_inv _ _ N). Qed.

(** Without lies: as many questions as can be paid have too few answers together. *)
Lemma counted_once K F left S U ps cs : lies = 0 -> together K S ->
  (forall g, g < questions -> F g = true -> cost g <= left -> In g U) ->
  Permutation ps (map (parts S) U) -> falling ps -> Permutation cs (map cost U) -> rising cs ->
  product (fun x => x) (firstn (paid cs left) ps) < length S -> fails K F (Datatypes.S left).
Proof.
  intros Z T A P D P' D' L X [E N] Kt. specialize (N Z). apply Nat.nlt_ge. intros Q.
  assert (I : incl X U).
  { intros g Hg. destruct (E g Hg) as [Lg Fg]. apply A; [exact Lg|exact Fg|].
    destruct (in_split g X Hg) as [X1 [X2 ->]]. unfold spent in Q. rewrite sum_app, sum_cons in Q. lia. }
  destruct (rest_of X N U I) as [rest R].
  assert (Few : length X <= paid cs left).
  { rewrite <- (map_length cost X). apply (paid_few cs D' (map cost X) left (map cost rest)).
    - rewrite P', R, map_app. reflexivity.
    - unfold spent, sum in Q. lia. }
  assert (C : length S <= product (parts S) X).
  { apply (combinations S X S (together_once K S T)); [intros s; auto|]. intros s t Hs Ht ST.
    pose proof (together_told K S X s t T Kt Hs Ht ST). lia. }
  assert (G : product (fun x => x) (map (parts S) X) <= product (fun x => x) (firstn (paid cs left) ps)).
  { apply (greatest_few ps D _ _ (map (parts S) rest)).
    - rewrite P, R, map_app. reflexivity.
    - rewrite map_length. exact Few.
    - intros x Hx. rewrite P in Hx. apply in_map_iff in Hx as [g [<- _]]. unfold parts.
      destruct S as [|s S]; [cbn in L; lia|]. assert (J : In (ans g s) (nodup Nat.eq_dec (map (ans g) (s :: S))))
        by (apply nodup_In; left; reflexivity). destruct (nodup _ _); [destruct J|cbn; lia]. }
  assert (M : product (fun x => x) (map (parts S) X) = product (parts S) X)
    by (clear; induction X as [|x X IH]; cbn [map product]; congruence). lia.
Qed.

(** With lies: so many questions are too few, or leave too few places (Singleton), or too little room (Hamming). *)
Lemma counted_with_lies K F left S least r : together K S -> 1 < length S -> 1 <= least ->
  (forall g, g < questions -> F g = true -> least <= cost g) ->
  (forall g, g < questions -> F g = true -> cost g <= left -> parts S g <= r) -> 1 <= r ->
  let k := left / least in
  k < apart \/ r ^ (k - apart + 1) < length S \/ r ^ k < length S * ball r k lies -> fails K F (Datatypes.S left).
Proof.
  intros T Two Pos Low R Rp k H X [E _] Kt. apply Nat.nlt_ge. intros Q.
  assert (Few : length X <= k).
  { apply Nat.div_le_lower_bound; [lia|]. transitivity (spent X); [|lia]. unfold spent.
    assert (Lo : forall g, In g X -> least <= cost g) by (intros g Hg; apply Low; apply E, Hg). clear - Lo.
    induction X as [|x X IH]; [cbn; lia|]. rewrite sum_cons. cbn [length]. pose proof (Lo x (or_introl eq_refl)).
    specialize (IH (fun y Hy => Lo y (or_intror Hy))). lia. }
  assert (Rx : forall g, In g X -> parts S g <= r).
  { intros g Hg. destruct (E g Hg) as [Lg Fg]. apply R; [exact Lg|exact Fg|].
    destruct (in_split g X Hg) as [X1 [X2 ->]]. unfold spent in Q. rewrite sum_app, sum_cons in Q. lia. }
  assert (Apart : forall s t, In s S -> In t S -> s <> t -> apart <= told X s t)
    by (intros s t; apply (together_told K S X s t T Kt)).
  pose proof (together_once K S T) as N.
  assert (Long : apart <= length X).
  { destruct S as [|s [|t S]]; cbn in Two; try lia. inversion N as [|? ? N1 _]; subst.
    assert (ST : s <> t) by (intros ->; apply N1; left; reflexivity).
    transitivity (told X s t); [apply Apart; cbn; auto|]. unfold told. apply filter_short. }
  destruct H as [H|[H|H]]; [lia| |].
  - assert (C : length S <= product (parts S) (skipn (apart - 1) X)).
    { apply (combinations S _ S N); [intros s; auto|]. intros s t Hs Ht ST. specialize (Apart s t Hs Ht ST).
      rewrite <- (firstn_skipn (apart - 1) X), told_app in Apart.
      pose proof (filter_short (fun g => tells g s t) (firstn (apart - 1) X)) as Q1.
      pose proof (firstn_le_length (apart - 1) X) as Q2.
      unfold told in *. pose proof (firstn_length (apart - 1) X). unfold apart in *. lia. }
    assert (P : forall Y, incl Y X -> product (parts S) Y <= r ^ length Y).
    { induction Y as [|y Y IH]; intros I; [cbn; lia|]. cbn [product length Nat.pow]. apply Nat.mul_le_mono.
      - apply Rx, I. left. reflexivity.
      - apply IH. intros z Hz. apply I. right. exact Hz. }
    specialize (P (skipn (apart - 1) X)). rewrite skipn_length in P.
    assert (M : r ^ (length X - (apart - 1)) <= r ^ (k - apart + 1))
      by (apply Nat.pow_le_mono_r; unfold apart in *; lia).
    assert (I : incl (skipn (apart - 1) X) X)
      by (intros z Hz; rewrite <- (firstn_skipn (apart - 1) X); apply in_or_app; right; exact Hz).
    specialize (P I). lia.
  - set (answers := fun g => nodup Nat.eq_dec (map (ans g) S)).
    set (word := fun s => map (fun g => letter (ans g s) (answers g)) X ++ repeat 0 (k - length X)).
    assert (Letter : forall g s, In s S -> letter (ans g s) (answers g) < length (answers g) /\
      nth (letter (ans g s) (answers g)) (answers g) 0 = ans g s)
      by (intros g s Hs; apply letter_is, nodup_In, in_map, Hs).
    assert (B : length S * ball r k lies <= r ^ k); [|lia]. apply (balls_fit S word); [exact N| |].
    + intros s Hs. split; [unfold word; rewrite app_length, map_length, repeat_length; lia|].
      intros x Hx. apply in_app_or in Hx as [Hx|Hx].
      * apply in_map_iff in Hx as [g [<- Hg]]. specialize (Rx g Hg). unfold parts in Rx. fold (answers g) in Rx.
        destruct (Letter g s Hs). lia.
      * apply repeat_spec in Hx. lia.
    + intros s t Hs Ht ST. specialize (Apart s t Hs Ht ST).
      assert (Far : told X s t <= distance (word s) (word t)); [|unfold apart in *; lia].
      unfold word. clear - Hs Ht Letter. generalize (repeat 0 (k - length X)) as tail. intros tail.
      unfold told. induction X as [|g X IH]; [cbn; lia|]. cbn [filter map app distance]. unfold tells at 1.
      destruct (Nat.eqb_spec (ans g s) (ans g t)) as [A|A]; cbn [negb length]; [lia|].
      destruct (Nat.eqb_spec (letter (ans g s) (answers g)) (letter (ans g t) (answers g))) as [B|B];
        [|cbn [Nat.add]; lia].
      exfalso. apply A. destruct (Letter g s Hs) as [_ <-], (Letter g t Ht) as [_ <-]. rewrite B. reflexivity.
Qed.

(** *** K5 *)

(** What a question collects. *)
Definition gain (prices : list (nat * nat * nat)) (g : nat) : nat :=
  sum (fun p => if tells g (fst (fst p)) (snd (fst p)) then snd p else 0) prices.

(** What is due. *)
Definition due (K : list nat) (prices : list (nat * nat * nat)) : nat :=
  sum (fun p => snd p * (apart - told K (fst (fst p)) (snd (fst p)))) prices.

(** What is due is not collected: not at a rate of [top] for [low], with what some questions collect more. *)
Lemma priced K F left prices U top low :
  (forall p, In p prices -> is_open K (fst (fst p)) (snd (fst p))) ->
  (forall g, g < questions -> F g = true -> cost g <= left -> In g U) ->
  let over g := gain prices g * low - top * cost g in
  (lies = 0 \/ forall g, In g U -> over g = 0) ->
  top * left + sum over U < due K prices * low -> fails K F (S left).
Proof.
  intros O A over H L X [E N] Kt. apply Nat.nlt_ge. intros Q.
  assert (I : incl X U).
  { intros g Hg. destruct (E g Hg) as [Lg Fg]. apply A; [exact Lg|exact Fg|].
    destruct (in_split g X Hg) as [X1 [X2 ->]]. unfold spent in Q. rewrite sum_app, sum_cons in Q. lia. }
  assert (G : due K prices <= sum (gain prices) X).
  { unfold gain. rewrite sum_swap. apply sum_le. intros [[s t] p] Hp. cbn [fst snd].
    destruct (O _ Hp) as [Hs [Ht [D _]]]. cbn [fst snd] in *. pose proof (Kt s t Hs Ht D) as Q'.
    rewrite told_app in Q'.
    assert (Z : sum (fun g => if tells g s t then p else 0) X = p * told X s t).
    { unfold told. clear. induction X as [|x X IH]; [cbn; lia|]. rewrite sum_cons, IH. cbn [filter].
      destruct (tells x s t); cbn [length]; lia. }
    rewrite Z. apply Nat.mul_le_mono_l. lia. }
  assert (B : sum (gain prices) X * low <= top * spent X + sum over X).
  { unfold spent. clear. induction X as [|x X IH]; [cbn; lia|]. rewrite !sum_cons. unfold over at 1. nia. }
  assert (V : sum over X <= sum over U).
  { destruct H as [Z|Z]; [exact (sum_incl over X U (N Z) I)|]. rewrite (sum_eq _ over (fun _ => 0) X), sum_zero;
      [lia|].
    intros g Hg. exact (Z g (I g Hg)). }
  unfold spent in *. nia.
Qed.

(** *** K1 *)

Lemma root must free F bound Z : NoDup must ->
  (forall g, In g free -> cost g = 0) ->
  (forall g, In g Z -> g < questions /\ (F g = true \/ In g free \/ lies = 0 /\ In g must)) ->
  (forall g, F g = true -> lies = 0 -> ~ In g must) ->
  incl must Z -> kit Z ->
  fails (must ++ concat (repeat free apart)) F (bound - spent must) -> bound <= spent Z.
Proof.
  intros N Fr A D I Kt H. destruct (rest_of must N Z I) as [Y P].
  set (X := if lies =? 0 then nodup Nat.eq_dec (filter F Y) else filter F Y).
  assert (In_X : forall g, In g X <-> In g (filter F Y))
    by (intros g; unfold X; destruct (lies =? 0); [apply nodup_In|tauto]).
  assert (Y_Z : forall g, In g Y -> In g Z) by (intros g Hg; rewrite P; apply in_or_app; right; exact Hg).
  assert (L : spent X <= spent Y).
  { unfold spent, X. transitivity (sum cost (filter F Y)); [|apply sum_filter].
    destruct (lies =? 0); [apply sum_nodup|lia]. }
  assert (Q : bound - spent must <= spent X).
  { apply H.
    - split; [|intros E; unfold X; rewrite E; apply NoDup_nodup]. intros g Hg. apply In_X, filter_In in Hg as [Hg Fg].
      split; [apply A, Y_Z, Hg|exact Fg].
    - intros s t Hs Ht ST. rewrite !told_app. specialize (Kt s t Hs Ht ST).
      rewrite (told_perm _ _ s t P), told_app in Kt.
      destruct (existsb (fun g => tells g s t) free) eqn:E.
      + apply existsb_exists in E as [g [G1 G2]].
        assert (Many : apart <= told (concat (repeat free apart)) s t); [|lia].
        assert (One : 1 <= told free s t) by (apply some_of; exists g; auto). clear - One.
        induction apart as [|a IH]; [lia|]. cbn [repeat concat]. rewrite told_app. lia.
      + assert (No : forall g, In g free -> tells g s t = false).
        { intros g Hg. destruct (tells g s t) eqn:B; [|reflexivity]. rewrite <- E. symmetry. apply existsb_exists.
          exists g. auto. }
        destruct (Nat.eq_dec lies 0) as [E0|E0].
        * unfold apart in *. rewrite E0 in *. destruct (Nat.eq_dec (told must s t) 0) as [M|M]; [|lia].
          assert (B : 1 <= told Y s t) by lia. apply some_of in B as [g [G1 G2]].
          assert (B : 1 <= told X s t); [|lia]. apply some_of. exists g. split; [|exact G2]. apply In_X, filter_In.
          split; [exact G1|]. destruct (A g (Y_Z g G1)) as [_ [G|[G|[_ G]]]]; [exact G| |].
          -- rewrite (No g G) in G2. discriminate.
          -- assert (B : 1 <= told must s t) by (apply some_of; exists g; auto). lia.
        * assert (B : told Y s t <= told X s t); [|lia]. unfold X. rewrite (proj2 (Nat.eqb_neq lies 0) E0).
          assert (B : forall g, In g Y -> tells g s t = true -> F g = true).
          { intros g G1 G2. destruct (A g (Y_Z g G1)) as [_ [G|[G|[G _]]]]; [exact G| |contradiction].
            rewrite (No g G) in G2. discriminate. }
          clear - B. unfold told. induction Y as [|y Y IH]; [cbn; lia|].
          specialize (IH (fun g Hg => B g (or_intror Hg))). cbn [filter]. pose proof (B y (or_introl eq_refl)) as By.
          destruct (tells y s t) eqn:T; [rewrite By by reflexivity; cbn [filter]; rewrite T; cbn; lia|].
          destruct (F y); cbn [filter]; rewrite ?T; lia. }
  unfold spent in *. rewrite (sum_perm cost _ _ P), sum_app. lia.
Qed.

End Kits.
