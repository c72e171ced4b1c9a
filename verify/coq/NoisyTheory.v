(** Lower bounds for what strategies cost whose tests may get several answers: N2 and N3 of NOISY.md, and what
    asking and ending show. Both for what is expected and for the worst case: sums, or the largest. *)

From Coq Require Import List Arith NArith Bool Lia.
From Proof Require Import NoisyGame.
Import ListNotations.
Local Open Scope N_scope.
Local Arguments N.mul : simpl never.
Local Arguments N.add : simpl never.
Local Arguments N.div : simpl never.
Local Arguments N.max : simpl never.
Local Arguments N.eqb : simpl never.

(** ** Sums, or the largest *)

Section Gather.

Variable worst : bool.

Definition op (a b : N) : N := (if worst then N.max else N.add) a b.

Definition T {A} (f : A -> N) (l : list A) : N := gather worst (map f l).

Ltac both := unfold op; destruct worst.

Lemma op_comm a b : op a b = op b a. Proof. both; lia. Qed.
Lemma op_assoc a b c : op a (op b c) = op (op a b) c. Proof. both; lia. Qed.
Lemma op_0 a : op 0 a = a. Proof. both; lia. Qed.
Lemma op_0_r a : op a 0 = a. Proof. both; lia. Qed.
Lemma op_le a b c d : a <= c -> b <= d -> op a b <= op c d. Proof. both; lia. Qed.
Lemma op_left a b : a <= op a b. Proof. both; lia. Qed.
Lemma op_right a b : b <= op a b. Proof. both; lia. Qed.
Lemma op_mul k a b : op (k * a) (k * b) = k * op a b.
Proof. both; [apply N.mul_max_distr_l|lia]. Qed.
Lemma op_plus a b c d : op (a + c) (b + d) <= op a b + op c d. Proof. both; lia. Qed.
Lemma op_swap a b c d : op (op a b) (op c d) = op (op a c) (op b d). Proof. both; lia. Qed.

Lemma T_cons A (f : A -> N) x l : T f (x :: l) = op (f x) (T f l). Proof. reflexivity. Qed.

Lemma T_le A (f g : A -> N) l : (forall x, In x l -> f x <= g x) -> T f l <= T g l.
Proof.
  induction l as [|x l IH]; intros H; [apply N.le_refl|]. rewrite !T_cons.
  apply op_le; [apply H; left; reflexivity|apply IH; intros; apply H; right; assumption].
Qed.

Lemma T_eq A (f g : A -> N) l : (forall x, In x l -> f x = g x) -> T f l = T g l.
Proof. intros H. apply N.le_antisymm; apply T_le; intros x Hx; rewrite (H x Hx); apply N.le_refl. Qed.

Lemma T_zero A (l : list A) : T (fun _ => 0) l = 0.
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite T_cons, IH. apply op_0. Qed.

Lemma T_op A (f g : A -> N) l : T (fun x => op (f x) (g x)) l = op (T f l) (T g l).
Proof. induction l as [|x l IH]; [symmetry; apply op_0|]. rewrite !T_cons, IH. apply op_swap. Qed.

Lemma T_swap A B (f : A -> B -> N) l m : T (fun x => T (f x) m) l = T (fun y => T (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH]; [symmetry; apply T_zero|]. rewrite T_cons, IH, <- T_op. apply T_eq. intros; reflexivity.
Qed.

Lemma T_mul A (f : A -> N) k l : T (fun x => k * f x) l = k * T f l.
Proof. induction l as [|x l IH]; [symmetry; apply N.mul_0_r|]. rewrite !T_cons, IH. apply op_mul. Qed.

Lemma T_mul_r A (f : A -> N) k l : T (fun x => f x * k) l = T f l * k.
Proof. rewrite N.mul_comm, <- T_mul. apply T_eq. intros; apply N.mul_comm. Qed.

Lemma T_plus A (f g : A -> N) l : T (fun x => f x + g x) l <= T f l + T g l.
Proof.
  induction l as [|x l IH]; [apply N.le_refl|]. rewrite !T_cons.
  eapply N.le_trans; [apply op_le; [apply N.le_refl|apply IH]|apply op_plus].
Qed.

Lemma T_in A (f : A -> N) x l : In x l -> f x <= T f l.
Proof.
  induction l as [|y l IH]; intros []; rewrite T_cons; [subst; apply op_left|].
  eapply N.le_trans; [apply IH; assumption|apply op_right].
Qed.

Lemma T_app A (f : A -> N) l m : T f (l ++ m) = op (T f l) (T f m).
Proof. induction l as [|x l IH]; [symmetry; apply op_0|]. cbn [app]. rewrite !T_cons, IH. apply op_assoc. Qed.

Lemma T_map A B (f : B -> N) (h : A -> B) l : T f (map h l) = T (fun x => f (h x)) l.
Proof. unfold T. rewrite map_map. reflexivity. Qed.

Lemma T_filter A (f : A -> N) p l : T f (filter p l) = T (fun x => if p x then f x else 0) l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [filter]. rewrite T_cons, <- IH.
  destruct (p x); [apply T_cons|symmetry; apply op_0].
Qed.

Lemma T_filter_le A (f : A -> N) p l : T f (filter p l) <= T f l.
Proof. rewrite T_filter. apply T_le. intros x _. destruct (p x); lia. Qed.

(** The least of all that are not ruled out. *)
Lemma least_one A (f : A -> N) (good : A -> bool) l : (exists x, In x l /\ good x = true) ->
  exists x, In x l /\ good x = true /\ forall y, In y l -> good y = true -> f x <= f y.
Proof.
  induction l as [|z l IH]; intros [x [Hx Gx]]; [destruct Hx|].
  destruct (existsb good l) eqn:E.
  - apply existsb_exists in E. destruct (IH E) as [y [Hy [Gy L]]].
    destruct (good z) eqn:Gz.
    + destruct (N.le_gt_cases (f z) (f y)).
      * exists z. split; [left; reflexivity|]. split; [exact Gz|]. intros w [<-|Hw] Gw; [lia|].
        specialize (L w Hw Gw). lia.
      * exists y. split; [right; exact Hy|]. split; [exact Gy|]. intros w [<-|Hw] Gw; [lia|]. exact (L w Hw Gw).
    + exists y. split; [right; exact Hy|]. split; [exact Gy|]. intros w [<-|Hw] Gw; [congruence|]. exact (L w Hw Gw).
  - assert (N : forall y, In y l -> good y = true -> False).
    { intros y Hy Gy. enough (existsb good l = true) by congruence. apply existsb_exists. exists y. auto. }
    destruct Hx as [<-|Hx]; [|destruct (N x Hx Gx)].
    exists z. split; [left; reflexivity|]. split; [exact Gx|]. intros y [<-|Hy] Gy; [lia|destruct (N y Hy Gy)].
Qed.

End Gather.

Lemma choice {B} (b0 : B) (R : nat -> B -> Prop) l : (forall a, In a l -> exists b, R a b) ->
  exists f, forall a, In a l -> R a (f a).
Proof.
  induction l as [|x l IH]; intros H; [exists (fun _ => b0); intros a []|].
  destruct IH as [f Hf]; [intros; apply H; right; assumption|]. destruct (H x (or_introl eq_refl)) as [b Hb].
  exists (fun a => if (a =? x)%nat then b else f a). intros a Ha. destruct (Nat.eqb_spec a x) as [->|N]; [exact Hb|].
  destruct Ha as [->|Ha]; [contradiction|exact (Hf a Ha)].
Qed.

Definition mem (t : nat) (l : list nat) : bool := existsb (Nat.eqb t) l.

Lemma mem_in t l : mem t l = true <-> In t l.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros [x [H E]]; apply Nat.eqb_eq in E; subst; exact H|].
  intros H. exists t. split; [exact H|apply Nat.eqb_refl].
Qed.

Lemma mem_false t l : mem t l = false <-> ~ In t l.
Proof. rewrite <- mem_in. destruct (mem t l); split; congruence. Qed.

(** ** States and strategies, for any prices, groups and needs *)

Section Theory.

Variable G : game.
Variable worst : bool.

Notation T := (T worst).
Notation after := (after G worst).
Notation left := (left worst).
Notation cell := (cell G).
Notation going := (going G).
Notation settled := (settled G).
Notation lost := (lost G).

Let count := List.length (tests G).
Let answers (t : nat) := seq 0 (List.length (names (the_test G t))).
Let causes := seq 0 (List.length (weights G)).
Let D (t : nat) : N := multiple (the_test G t).

Definition total_rate (t i : nat) : N := sum_of (map snd (cell t i)).

(** What a table has to be: the rates in a cell add up to something, that divides what masses are counted in. *)
Definition good_cell (t i : nat) : Prop :=
  total_rate t i <> 0 /\ fold_right N.add 0 (map (rate (cell t i)) (answers t)) = total_rate t i /\ (total_rate t i |
    D t).

Hypothesis good : forall t i, (t < count)%nat -> In i causes -> good_cell t i.

Definition known (M : masses) : Prop := incl (map fst M) causes.

Lemma going_in t a : In a (going t) -> In a (answers t).
Proof. intros H. apply filter_In in H. apply H. Qed.

Lemma T_answers f t : T f (going t) = T (fun a => if mem a (ends (the_test G t)) then 0 else f a)
  (answers t).
Proof.
  unfold NoisyGame.going. rewrite T_filter. apply T_eq. intros a _. unfold mem. destruct (existsb _ _); reflexivity.
Qed.

(** *** After an answer *)

Lemma causes_after t a M : map fst (after t a M) = filter (fun i => negb (rate (cell t i) a =? 0)) (map fst M).
Proof.
  induction M as [|[i m] M IH]; [reflexivity|]. cbn [NoisyGame.after flat_map map filter fst snd]. rewrite map_app.
  fold (after t a M). rewrite IH. destruct (rate (cell t i) a =? 0); reflexivity.
Qed.

Lemma after_cons t a i m M :
  after t a ((i, m) :: M) = (if rate (cell t i) a =? 0 then [] else [(i, left (cell t i) a m)]) ++ after t a M.
Proof. reflexivity. Qed.

Lemma known_after t a M : known M -> known (after t a M).
Proof. intros K i Hi. rewrite causes_after in Hi. apply filter_In in Hi as [Hi _]. exact (K i Hi). Qed.

Lemma incl_after t a M : incl (map fst (after t a M)) (map fst M).
Proof. intros i Hi. rewrite causes_after in Hi. apply filter_In in Hi as [Hi _]. exact Hi. Qed.

Lemma left_0 c a m : rate c a = 0 -> left c a m = 0.
Proof. unfold NoisyGame.left. intros ->. destruct worst; [rewrite N.eqb_refl; reflexivity|apply N.mul_0_r]. Qed.

Lemma T_after (f : nat * N -> N) t a M : (forall i, f (i, 0) = 0) ->
  T f (after t a M) = T (fun im => f (fst im, left (cell t (fst im)) a (snd im))) M.
Proof.
  intros Z. induction M as [|[i m] M IH]; [reflexivity|]. rewrite T_cons, <- IH.
  cbn [NoisyGame.after flat_map fst snd]. fold (after t a M). rewrite T_app. f_equal.
  destruct (N.eqb_spec (rate (cell t i) a) 0) as [E|E].
  - rewrite left_0 by exact E. rewrite Z. reflexivity.
  - rewrite T_cons. apply op_0_r.
Qed.

(** *** Masses that may be divided *)

Definition product (p : nat -> bool) : N := fold_right (fun t v => (if p t then D t else 1) * v) 1 (seq 0 count).

Definition fits (p : nat -> bool) (M : masses) : Prop := worst = true \/ forall im, In im M -> (product p | snd im).

Definition but (t : nat) (p : nat -> bool) : nat -> bool := fun u => p u && negb (u =? t)%nat.

Lemma product_divides p q : (forall t, (t < count)%nat -> p t = true -> q t = true) -> (product p | product q).
Proof.
  intros H. unfold product. assert (Q : forall t, In t (seq 0 count) -> p t = true -> q t = true).
  { intros t Ht. apply H. apply in_seq in Ht. lia. }
  clear H. induction (seq 0 count) as [|t l IH]; [apply N.divide_refl|]. cbn [fold_right].

  specialize (IH (fun t Ht => Q t (or_intror Ht))). specialize (Q t (or_introl eq_refl)).
  destruct IH as [k ->]. destruct (p t) eqn:P.
  - rewrite Q by reflexivity. exists k. ring.
  - destruct (q t); [exists (k * D t); ring|exists k; ring].
Qed.

Lemma product_but t p : (t < count)%nat -> p t = true -> product p = D t * product (but t p).
Proof.
  intros H P. unfold product. assert (I : In t (seq 0 count)) by (apply in_seq; lia).
  pose proof (seq_NoDup count 0) as N. clear H. induction N as [|u l Nu N IH]; [destruct I|]. cbn [fold_right].
  unfold but at 1. destruct (Nat.eqb_spec u t) as [->|E].
  - rewrite P. cbn [negb andb]. rewrite N.mul_1_l. f_equal. clear - Nu.
    induction l as [|v l IH]; [reflexivity|]. cbn [fold_right]. rewrite IH by (intros H; apply Nu; right; exact H).
    unfold but at 2. destruct (Nat.eqb_spec v t) as [->|]; [destruct Nu; left; reflexivity|]. rewrite andb_true_r.
      reflexivity.
  - destruct I as [->|I]; [contradiction|]. rewrite IH by exact I. rewrite andb_true_r. destruct (p u); ring.
Qed.

Lemma fits_less p q M : (forall t, (t < count)%nat -> q t = true -> p t = true) -> fits p M -> fits q M.
Proof.
  intros H [W|F]; [left; exact W|right]. intros im Hi. eapply N.divide_trans; [apply product_divides, H|exact (F im
    Hi)].
Qed.

Lemma sum_divides p t i m : (t < count)%nat -> In i causes -> p t = true -> (product p | m) -> (total_rate t i | m).
Proof.
  intros H C P F. destruct (good t i H C) as [_ [_ S]]. rewrite (product_but t p H P) in F.
  eapply N.divide_trans; [exact S|]. eapply N.divide_trans; [apply N.divide_factor_l|exact F].
Qed.

Lemma fits_after p t a M : (t < count)%nat -> known M -> p t = true -> fits p M -> fits (but t p) (after t a M).
Proof.
  intros H K P [W|F]; [left; exact W|]. destruct worst eqn:W; [left; exact W|right]. intros [i m'] Hi.
  unfold NoisyGame.after in Hi. apply in_flat_map in Hi as [[i0 m] [Hm Hi]]. cbn [fst snd] in Hi.
  destruct (rate _ a =? 0); [destruct Hi|]. destruct Hi as [E|[]]. injection E as -> <-. cbn [fst snd].
  unfold NoisyGame.left. specialize (F _ Hm). cbn [snd] in F.
  assert (C : In i causes) by (apply K; apply (in_map fst) in Hm; exact Hm).
  destruct (good t i H C) as [Z [_ [d S]]]. rewrite (product_but t p H P) in F. destruct F as [x ->].
  fold (total_rate t i). rewrite S.
  replace (x * (d * total_rate t i * product (but t p))) with (x * d * product (but t p) * total_rate t i) by ring.
  rewrite N.div_mul by exact Z. exists (x * d * rate (cell t i) a). ring.
Qed.

(** All answers together have the mass of the cause. *)
Lemma left_all p t i m : (t < count)%nat -> In i causes -> p t = true -> fits p [(i, m)] ->
  T (fun a => left (cell t i) a m) (answers t) = m.
Proof.
  intros H C P F. destruct (good t i H C) as [Z [S _]]. unfold NoisyGame.left. destruct worst eqn:W.
  - assert (L : T (fun a => if rate (cell t i) a =? 0 then 0 else m) (answers t) <= m).
    { rewrite W. clear. induction (answers t) as [|a l IH]; [cbn; lia|]. rewrite T_cons. unfold op.
      destruct (rate _ a =? 0); lia. }
    destruct (existsb (fun a => negb (rate (cell t i) a =? 0)) (answers t)) eqn:E.
    + apply existsb_exists in E as [a [Ha R]]. apply N.le_antisymm; [rewrite W in L; exact L|].
      pose proof (T_in true nat (fun a => if rate (cell t i) a =? 0 then 0 else m) a (answers t) Ha) as Q. cbv beta
        in Q.
      destruct (rate (cell t i) a =? 0); [discriminate|]. exact Q.
    + exfalso. apply Z. rewrite <- S. clear - E. induction (answers t) as [|a l IH]; [reflexivity|].
      cbn [existsb] in E. apply orb_false_elim in E as [E1 E2]. cbn [map fold_right]. rewrite (IH E2).
      destruct (N.eqb_spec (rate (cell t i) a) 0); [lia|discriminate].
  - rewrite T_mul. destruct F as [F|F]; [congruence|]. specialize (F _ (or_introl eq_refl)). cbn [snd] in F.
    destruct (sum_divides p t i m H C P F) as [x ->]. fold (total_rate t i). rewrite N.div_mul by exact Z.
    f_equal. rewrite <- S. reflexivity.
Qed.

Lemma left_pos p t i a m : (t < count)%nat -> In i causes -> p t = true -> fits p [(i, m)] -> m <> 0 ->
  rate (cell t i) a <> 0 -> left (cell t i) a m <> 0.
Proof.
  intros H C P F N R. unfold NoisyGame.left. destruct worst eqn:W.
  - destruct (N.eqb_spec (rate (cell t i) a) 0); [contradiction|exact N].
  - destruct F as [F|F]; [congruence|]. specialize (F _ (or_introl eq_refl)). cbn [snd] in F.
    destruct (sum_divides p t i m H C P F) as [x ->]. destruct (good t i H C) as [Z _].
    fold (total_rate t i). rewrite N.div_mul by exact Z. nia.
Qed.

Lemma fits_one p M im : fits p M -> In im M -> fits p [im].
Proof. intros [W|F] H; [left; exact W|right]. intros x [<-|[]]. exact (F im H). Qed.

(** *** The same masses, so many times *)

Definition scale (k : N) (M : masses) : masses := map (fun im => (fst im, k * snd im)) M.

Lemma scale_after p t a k M : (t < count)%nat -> known M -> p t = true -> fits p M ->
  after t a (scale k M) = scale k (after t a M).
Proof.
  intros H K P F. induction M as [|[i m] M IH]; [reflexivity|].
  assert (F' : fits p M) by (destruct F as [W|F]; [left; exact W|right; intros; apply F; right; assumption]).
  assert (K' : known M) by (intros x Hx; apply K; right; exact Hx).
  change (scale k ((i, m) :: M)) with ((i, k * m) :: scale k M). rewrite !after_cons, (IH K' F').
  unfold scale at 2. rewrite map_app. f_equal.
  destruct (rate (cell t i) a =? 0); [reflexivity|]. cbn [map fst snd]. f_equal. f_equal. unfold NoisyGame.left.
  destruct worst eqn:W; [destruct (_ =? 0); lia|]. destruct F as [F|F]; [congruence|].
  specialize (F _ (or_introl eq_refl)). cbn [snd] in F. assert (C : In i causes) by (apply K; left; reflexivity).
  destruct (sum_divides p t i m H C P F) as [x ->]. destruct (good t i H C) as [Z _]. fold (total_rate t i).
  rewrite N.div_mul by exact Z. replace (k * (x * total_rate t i)) with (k * x * total_rate t i) by ring.
  rewrite N.div_mul by exact Z. ring.
Qed.

Lemma T_scale k M : T snd (scale k M) = k * T snd M.
Proof. unfold scale. rewrite T_map. cbn [snd]. apply T_mul. Qed.

(** *** Strategies *)

Variable price_of later_of : nat -> N.
Variable group_of : nat -> option nat.
Variable needs_of : nat -> list nat.

Definition is_open (t : nat) (asked : list nat) : bool :=
  match group_of t with
  | Some g => existsb (fun u => match group_of u with Some h => (g =? h)%nat | None => false end) asked
  | None => false
  end.

Definition pays (t : nat) (asked : list nat) : N := if is_open t asked then later_of t else price_of t.

Fixpoint fair (s : strategy) (M : masses) (asked : list nat) : Prop :=
  M = [] \/
  match s with
  | Stop => decisions G = [] /\ settled M
  | Decide d => (d < List.length (decisions G))%nat /\ forall i, In i (map fst M) -> loss G d i <> None
  | Ask t next =>
      (t < count)%nat /\ ~ In t asked /\ incl (needs_of t) asked /\
      forall a, In a (going t) -> fair (next a) (after t a M) (t :: asked)
  end.

Fixpoint spent (s : strategy) (M : masses) (asked : list nat) : N :=
  match s with
  | Stop => 0
  | Decide d => T (lost d) M
  | Ask t next => pays t asked * T snd M + T (fun a => spent (next a) (after t a M) (t :: asked)) (going t)
  end.

(** The strategy asks only such tests, and none twice. *)
Fixpoint within (p : nat -> bool) (s : strategy) : Prop :=
  match s with
  | Ask t next => (t < count)%nat /\ p t = true /\ forall a, In a (going t) -> within (but t p) (next a)
  | _ => True
  end.

Lemma within_more s : forall p q, (forall t, p t = true -> q t = true) -> within p s -> within q s.
Proof.
  induction s as [|d|t next IH]; intros p q H W; try exact I. destruct W as [W1 [W2 W3]].
  split; [exact W1|]. split; [exact (H t W2)|]. intros a Ha. apply (IH a (but t p)); [|exact (W3 a Ha)].
  intros u. unfold but. intros E. apply andb_prop in E as [E1 E2]. rewrite (H u E1), E2. reflexivity.
Qed.

Lemma spent_nil s : forall asked, spent s [] asked = 0.
Proof.
  induction s as [|d|t next IH]; intros asked; [reflexivity|reflexivity|]. cbn [spent].
  replace (T snd []) with 0 by reflexivity. rewrite N.mul_0_r. rewrite (T_eq _ _ _ (fun _ => 0)); [rewrite T_zero;
    reflexivity|].
  intros a _. apply IH.
Qed.

Lemma fair_nil s asked : fair s [] asked. Proof. destruct s; left; reflexivity. Qed.

Lemma fair_causes s : forall M M' asked, map fst M = map fst M' -> fair s M asked -> fair s M' asked.
Proof.
  induction s as [|d|t next IH]; intros M M' asked E F; cbn [fair] in *.
  1, 2, 3: destruct F as [->|F]; [left; destruct M'; [reflexivity|discriminate]|right].
  - unfold NoisyGame.settled in *. rewrite <- E. exact F.
  - rewrite <- E. exact F.
  - destruct F as [F1 [F2 [F3 F4]]]. split; [exact F1|]. split; [exact F2|]. split; [exact F3|].
    intros a Ha. apply (IH a (after t a M)); [rewrite !causes_after, E; reflexivity|exact (F4 a Ha)].
Qed.

Lemma spent_scale s : forall p k M asked, known M -> fits p M -> within p s ->
  spent s (scale k M) asked = k * spent s M asked.
Proof.
  induction s as [|d|t next IH]; intros p k M asked K F W; cbn [spent].
  - lia.
  - unfold scale. rewrite T_map, <- T_mul. apply T_eq. intros [i m] _. unfold NoisyGame.lost. cbn [fst snd].
    destruct (loss G d i); lia.
  - destruct W as [W1 [W2 W3]]. rewrite T_scale. rewrite (T_eq _ _ _ (fun a => k * spent (next a) (after t a M) (t ::
    asked))).
    + rewrite T_mul. ring.
    + intros a Ha. rewrite (scale_after p t a k M W1 K W2 F). apply (IH a (but t p)).
      * apply known_after, K.
      * apply fits_after; assumption.
      * exact (W3 a Ha).
Qed.

(** *** A test that tells nothing *)

Definition tells_nothing (t : nat) (C : list nat) : Prop :=
  if worst then exists a, In a (going t) /\ forall i, In i C -> rate (cell t i) a <> 0
  else forall i, In i C ->
    total_rate t i = total_rate t (hd O C) /\
    forall a, In a (answers t) -> rate (cell t i) a = rate (cell t (hd O C)) a /\ (~ In a (going t) -> rate (cell t
      i) a = 0).

Lemma filter_all {A} (p : A -> bool) l : (forall x, In x l -> p x = true) -> filter p l = l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. cbn [filter]. rewrite (H x (or_introl eq_refl)). f_equal.
  apply IH. intros; apply H; right; assumption.
Qed.

Lemma useless_pick p t M (f : nat -> masses -> N) (F' : nat -> N) :
  (t < count)%nat -> known M -> M <> [] -> p t = true -> fits p M -> tells_nothing t (map fst M) ->
  (forall a k, In a (going t) -> f a (scale k M) = k * f a M /\ f a (scale k (after t a M)) = k * f a (after t a M))
    ->
  (forall a, In a (going t) -> map fst (after t a M) = map fst M -> f a (after t a M) <= F' a) ->
  exists a, In a (going t) /\ map fst (after t a M) = map fst M /\ f a M <= T F' (going t).
Proof.
  intros H K N P F U Hom HF. unfold tells_nothing in U. destruct (Bool.bool_dec worst true) as [W|W].
  - rewrite W in U. destruct U as [a [Ha U]]. exists a. split; [exact Ha|].
    assert (E : after t a M = M).
    { clear - U W. induction M as [|[i m] M IH]; [reflexivity|]. rewrite after_cons.
      destruct (N.eqb_spec (rate (cell t i) a) 0) as [E|E]; [destruct (U i); [left; reflexivity|exact E]|].
      cbn [app]. rewrite IH by (intros j Hj; apply U; right; exact Hj). unfold NoisyGame.left. rewrite W.
      destruct (N.eqb_spec (rate (cell t i) a) 0); [contradiction|reflexivity]. }
    split; [rewrite E; reflexivity|]. apply (N.le_trans _ (F' a)); [|apply T_in; exact Ha].
    rewrite <- E at 1. apply (HF a Ha). rewrite E. reflexivity.
  - apply not_true_is_false in W. rewrite W in U.
    assert (NE : exists i0 m0 M0, M = (i0, m0) :: M0) by (destruct M as [|[i0 m0] M0]; [contradiction|eauto]).
    destruct NE as [i0 [m0 [M0 EM]]]. set (c := cell t i0) in *. set (s := total_rate t i0) in *.
    assert (C0 : In i0 causes) by (apply K; rewrite EM; left; reflexivity).
    assert (HD : hd O (map fst M) = i0) by (rewrite EM; reflexivity). rewrite HD in U.
    destruct (good t i0 H C0) as [Z [S _]]. fold s in Z. fold s in S.
    assert (Sum : T (fun a => rate c a) (going t) = s).
    { rewrite T_answers. unfold s. unfold s in S. rewrite <- S. fold c. unfold NoisyTheory.T,
      gather. rewrite W.
      f_equal. apply map_ext_in. intros a Ha. destruct (mem a (ends (the_test G t))) eqn:E; [|reflexivity].
      symmetry. destruct (U i0) as [_ U2]; [rewrite EM; left; reflexivity|]. apply (U2 a Ha). intros Q.
      apply filter_In in Q as [_ Q]. unfold mem in E. rewrite E in Q. discriminate. }
    assert (Each : forall a, In a (going t) -> rate c a <> 0 ->
      map fst (after t a M) = map fst M /\ scale s (after t a M) = scale (rate c a) M).
    { intros a Ha R. split.
      - rewrite causes_after. apply filter_all. intros i Hi. destruct (U i Hi) as [_ U2].
        destruct (U2 a (going_in t a Ha)) as [E _]. fold c in E. rewrite E. destruct (N.eqb_spec (rate c a) 0);
          [contradiction|reflexivity].
      - clear - U F H K P R W Ha good. assert (Q : forall i m, In (i, m) M -> total_rate t i = s /\ rate (cell t i) a
        = rate c a /\ (s | m)).
        { intros i m Hi. assert (Hi' : In i (map fst M)) by (apply (in_map fst) in Hi; exact Hi). destruct (U i Hi')
          as [U1 U2].
          destruct (U2 a (going_in t a Ha)) as [E _]. split; [exact U1|]. split; [exact E|]. destruct F as [F|F];
            [congruence|].
          specialize (F _ Hi). cbn [snd] in F. unfold s. rewrite <- U1. apply (sum_divides p t i m H (K i Hi') P F). }
        clear U F K. induction M as [|[i m] M IH]; [reflexivity|]. rewrite after_cons.
        destruct (Q i m (or_introl eq_refl)) as [Q1 [Q2 [x ->]]]. rewrite Q2.
        destruct (N.eqb_spec (rate c a) 0); [contradiction|]. cbn [app].
        change (scale s ((i, left (cell t i) a (x * s)) :: after t a M)) with
          ((i, s * left (cell t i) a (x * s)) :: scale s (after t a M)).
        rewrite IH by (intros j n' Hj; apply Q; right; exact Hj). unfold NoisyGame.left. rewrite W, Q2. fold
          (total_rate t i).
        rewrite Q1. change (scale (rate c a) ((i, x * s) :: M)) with ((i, rate c a * (x * s)) :: scale (rate c a) M).
        f_equal. f_equal. destruct (N.eq_dec s 0) as [Z|Z]; [rewrite Z; ring|]. rewrite N.div_mul by exact Z. ring. }
    destruct (least_one nat (fun a => f a M) (fun a => negb (rate c a =? 0)) (going t)) as [a [Ha [Ra L]]].
    { destruct (existsb (fun a => negb (rate c a =? 0)) (going t)) eqn:E; [apply existsb_exists in E; exact E|].
      exfalso. apply Z. rewrite <- Sum. rewrite (T_eq _ _ _ (fun _ => 0)); [apply T_zero|]. intros a Ha.
      destruct (N.eqb_spec (rate c a) 0) as [|R]; [assumption|]. enough (existsb (fun a => negb (rate c a =? 0))
        (going t) = true) by congruence.
      apply existsb_exists. exists a. split; [exact Ha|]. destruct (N.eqb_spec (rate c a) 0);
        [contradiction|reflexivity]. }
    assert (Ra' : rate c a <> 0) by (destruct (N.eqb_spec (rate c a) 0); [discriminate|assumption]).
    exists a. split; [exact Ha|]. split; [apply Each; assumption|].
    apply (N.mul_le_mono_pos_l _ _ s); [lia|]. rewrite <- T_mul.
    rewrite <- Sum at 1. rewrite <- T_mul_r. apply T_le. intros b Hb. destruct (N.eqb_spec (rate c b) 0) as [Z'|Z'].
    + rewrite Z'. lia.
    + destruct (Each b Hb Z') as [E' E]. apply (N.le_trans _ (s * f b (after t b M))); [|apply N.mul_le_mono_l; exact
      (HF b Hb E')].
      destruct (Hom b s Hb) as [_ Hs]. rewrite <- Hs, E. destruct (Hom b (rate c b) Hb) as [Hr _]. rewrite Hr. apply
        N.mul_le_mono_l. apply L; [exact Hb|].
      destruct (N.eqb_spec (rate c b) 0); [contradiction|reflexivity].
Qed.

(** *** N2: useful tests *)

(** What is useful contains the tests that tell something, what they need, and what makes them cheaper. *)
Definition closed (U : nat -> bool) (C asked : list nat) : Prop :=
  (forall t, (t < count)%nat -> ~ In t asked -> U t = false -> tells_nothing t C) /\ (forall u t, U u = true -> In t
    (needs_of u) -> ~ In t asked -> U t = true) /\ (forall u g t, U u = true -> later_of u < price_of u -> group_of u
    = Some g -> is_open u asked = false ->
     (t < count)%nat -> group_of t = Some g -> ~ In t asked -> U t = true).

(** A history that serves useful tests as well as another. *)
Definition serves (U : nat -> bool) (asked asked' : list nat) : Prop :=
  (forall u, U u = true -> In u asked' -> In u asked) /\ (forall u t, U u = true -> In t (needs_of u) -> In t asked
    -> In t asked') /\ (forall u, U u = true -> later_of u < price_of u -> is_open u asked = true -> is_open u asked'
    = true).

Hypothesis cheaper : forall t, later_of t <= price_of t.

Definition free (asked : list nat) (t : nat) : bool := negb (mem t asked).

Lemma free_in asked t : free asked t = true <-> ~ In t asked.
Proof. unfold free. rewrite negb_true_iff. apply mem_false. Qed.

Lemma open_cons u t asked : is_open u (t :: asked) = true <->
  (exists g, group_of u = Some g /\ group_of t = Some g) \/ is_open u asked = true.
Proof.
  unfold is_open. destruct (group_of u) as [g|]; [|split; [discriminate|intros [[g [E _]]|E]; discriminate]].
  cbn [existsb]. rewrite orb_true_iff. destruct (group_of t) as [h|].
  - rewrite Nat.eqb_eq. split; (intros [H|H]; [left|right; exact H]).
    + subst. eauto.
    + destruct H as [g' [E1 E2]]. congruence.
  - split; (intros [H|H]; [left|right; exact H]); [discriminate|]. destruct H as [g' [_ E]]. discriminate.
Qed.

Lemma open_incl u asked asked' : incl asked asked' -> is_open u asked = true -> is_open u asked' = true.
Proof.
  unfold is_open. destruct (group_of u); [|discriminate]. intros I E. apply existsb_exists in E as [x [Hx E]].
  apply existsb_exists. exists x. split; [exact (I x Hx)|exact E].
Qed.

Lemma serves_ask U asked asked' t : serves U asked asked' -> serves U (t :: asked) (t :: asked').
Proof.
  intros [S1 [S2 S3]]. split; [|split].
  - intros u Hu [<-|H]; [left; reflexivity|right; exact (S1 u Hu H)].
  - intros u v Hu Hv [<-|H]; [left; reflexivity|right; exact (S2 u v Hu Hv H)].
  - intros u Hu L E. apply open_cons. apply open_cons in E as [E|E]; [left; exact E|right; exact (S3 u Hu L E)].
Qed.

Lemma serves_skip U C asked0 asked asked' t : closed U C asked0 -> incl asked0 asked -> ~ In t asked -> (t <
  count)%nat ->
  U t = false -> serves U asked asked' -> serves U (t :: asked) asked'.
Proof.
  intros [_ [C2 C3]] I N H F [S1 [S2 S3]]. split; [|split].
  - intros u Hu Q. right. exact (S1 u Hu Q).
  - intros u v Hu Hv [<-|Q]; [|exact (S2 u v Hu Hv Q)]. exfalso.
    rewrite (C2 u t Hu Hv) in F; [discriminate|]. intros Q. apply N, I, Q.
  - intros u Hu L E. apply open_cons in E as [[g [E1 E2]]|E]; [|exact (S3 u Hu L E)].
    apply (S3 u Hu L). destruct (is_open u asked0) eqn:O; [exact (open_incl u _ _ I O)|].
    rewrite (C3 u g t Hu L E1 O H E2) in F; [discriminate|]. intros Q. apply N, I, Q.
Qed.

Lemma pays_serves U asked asked' t : serves U asked asked' -> U t = true -> pays t asked' <= pays t asked.
Proof.
  intros [_ [_ S3]] H. unfold pays. pose proof (cheaper t).
  destruct (N.lt_ge_cases (later_of t) (price_of t)) as [L|L].
  - destruct (is_open t asked) eqn:E; [rewrite (S3 t H L E); lia|destruct (is_open t asked'); lia].
  - destruct (is_open t asked), (is_open t asked'); lia.
Qed.

Lemma tells_less t C C' : incl C' C -> C' <> [] -> tells_nothing t C -> tells_nothing t C'.
Proof.
  intros I N. unfold tells_nothing. destruct worst.
  - intros [a [Ha R]]. exists a. split; [exact Ha|]. intros i Hi. exact (R i (I i Hi)).
  - intros Q i Hi. assert (Hh : In (hd O C') C') by (destruct C' as [|x C']; [contradiction|left; reflexivity]).
    destruct (Q i (I i Hi)) as [A B]. destruct (Q _ (I _ Hh)) as [A' B']. split; [congruence|].
    intros a Ha. destruct (B a Ha) as [B1 B2]. destruct (B' a Ha) as [B1' _]. split; [congruence|exact B2].
Qed.

Lemma causes_nil (M : masses) : map fst M = [] -> M = []. Proof. destruct M; [reflexivity|discriminate]. Qed.

(** (a) and (b): what is not useful may be left out, whichever history there was. *)
Lemma transport U C asked0 : closed U C asked0 -> forall s (M : masses) asked asked', incl asked0 asked -> incl (map
  fst M) C -> known M ->
  M <> [] -> serves U asked asked' -> fits (free asked) M -> fair s M asked ->
  exists s', fair s' M asked' /\ within (fun t => U t && free asked t) s' /\ spent s' M asked' <= spent s M asked.
Proof.
  intros Cl. induction s as [|d|t next IH]; intros M asked asked' I IC K N S F V; destruct V as [V|V]; try
    contradiction.
  - exists Stop. split; [right; exact V|]. split; [exact Logic.I|]. apply N.le_refl.
  - exists (Decide d). split; [right; exact V|]. split; [exact Logic.I|]. apply N.le_refl.
  - destruct V as [V1 [V2 [V3 V4]]]. assert (I' : incl asked0 (t :: asked)) by (intros x Hx; right; exact (I x Hx)).
    assert (Ft : free asked t = true) by (apply free_in; exact V2).
    assert (FA : forall a, fits (free (t :: asked)) (after t a M)).
    { intros a. apply (fits_less (but t (free asked))); [|apply fits_after; assumption]. intros u _ Hu. unfold but.
      apply free_in in Hu. assert (X : ~ In u asked /\ u <> t) by (split; intros Q; apply Hu; [right; exact Q|left;
        congruence]).
      destruct X as [X1 X2]. apply free_in in X1. rewrite X1. destruct (Nat.eqb_spec u t);
        [contradiction|reflexivity]. }
    assert (Less : forall u, (U u && free (t :: asked) u) = true -> (U u && free asked u) = true /\ u <> t).
    { intros u E. apply andb_prop in E as [E1 E2]. apply free_in in E2. rewrite E1. split.
      - apply free_in. intros Q. apply E2. right. exact Q.
      - intros ->. apply E2. left. reflexivity. }
    assert (Ch : forall asked'', serves U (t :: asked) asked'' -> exists f, forall a, In a (going t) ->
      (after t a M = [] -> f a = Stop) /\ fair (f a) (after t a M) asked'' /\
      within (fun u => U u && free (t :: asked) u) (f a) /\
      spent (f a) (after t a M) asked'' <= spent (next a) (after t a M) (t :: asked)).
    { intros asked'' S'. apply (choice Stop (fun a b => (after t a M = [] -> b = Stop) /\ fair b (after t a M)
      asked'' /\
        within (fun u => U u && free (t :: asked) u) b /\ spent b (after t a M) asked'' <= spent (next a) (after t a
          M) (t :: asked))).
      intros a Ha. destruct (after t a M) as [|im M'] eqn:E.
      - exists Stop. split; [reflexivity|]. split; [apply fair_nil|]. split; [exact Logic.I|]. rewrite !spent_nil.
        lia.
      - rewrite <- E. destruct (IH a (after t a M) (t :: asked) asked'') as [b [B1 [B2 B3]]]; try assumption.
        + intros i Hi. apply IC. exact (incl_after t a M i Hi).
        + apply known_after, K.
        + rewrite E. discriminate.
        + apply FA.
        + exact (V4 a Ha).
        + exists b. split; [intros Q; rewrite Q in E; discriminate|]. auto. }
    destruct (U t) eqn:Ut.
    + destruct (Ch (t :: asked') (serves_ask U asked asked' t S)) as [f Hf]. exists (Ask t f). split; [|split].
      * right. split; [exact V1|]. split; [intros Q; apply V2; exact (proj1 S t Ut Q)|].
        split; [intros u Hu; exact (proj1 (proj2 S) t u Ut Hu (V3 u Hu))|]. intros a Ha. apply (Hf a Ha).
      * split; [exact V1|]. split; [rewrite Ut, Ft; reflexivity|]. intros a Ha. destruct (Hf a Ha) as [_ [_ [W _]]].
        apply (within_more (f a) (fun u => U u && free (t :: asked) u)); [|exact W]. intros u Hu.
        destruct (Less u Hu) as [L1 L2]. unfold but. rewrite L1. destruct (Nat.eqb_spec u t);
          [contradiction|reflexivity].
      * cbn [spent]. apply N.add_le_mono; [apply N.mul_le_mono_r; apply (pays_serves U); assumption|].
        apply T_le. intros a Ha. apply (Hf a Ha).
    + destruct (Ch asked' (serves_skip U C asked0 asked asked' t Cl I V2 V1 Ut S)) as [f Hf].
      set (p := fun u => U u && free (t :: asked) u) in *.
      assert (Fp : forall M', fits (free (t :: asked)) M' -> fits p M').
      { intros M'. apply fits_less. intros u _ Hu. unfold p in Hu. apply andb_prop in Hu. apply Hu. }
      assert (FM : fits p M).
      { apply (fits_less (free asked)); [|exact F]. intros u _ Hu. destruct (Less u Hu) as [L _]. apply andb_prop in
        L. apply L. }
      destruct (useless_pick (free asked) t M (fun a M' => spent (f a) M' asked')
        (fun a => spent (next a) (after t a M) (t :: asked))) as [a [Ha [E L]]]; try assumption.
      * apply (tells_less t C); [exact IC| |].
        { intros Q. apply N, causes_nil, Q. }
        apply (proj1 Cl t V1); [|exact Ut]. intros Q. apply V2, I, Q.
      * intros a k Ha. destruct (Hf a Ha) as [_ [_ [W _]]]. split; apply (spent_scale (f a) p); try assumption.
        { apply known_after, K. }
        apply Fp, FA.
      * intros a Ha _. apply (Hf a Ha).
      * destruct (Hf a Ha) as [_ [Fa [W _]]]. exists (f a). split; [|split].
        { apply (fair_causes (f a) (after t a M)); assumption. }
        { apply (within_more (f a) p); [|exact W]. intros u Hu. apply Less, Hu. }
        apply (N.le_trans _ _ _ L). cbn [spent]. lia.
Qed.

(** *** What claims say *)

(** No strategy costs less; [None]: there is none. *)
Definition below (v : option N) (x : N) : Prop := match v with Some v => v <= x | None => False end.

Definition at_least (M : masses) (asked : list nat) (v : option N) : Prop :=
  forall s, fair s M asked -> below v (spent s M asked).

Definition ends_at_least (M : masses) (asked : list nat) (v : option N) : Prop :=
  (decisions G = [] -> settled M -> below v 0) /\
  (forall d, (d < List.length (decisions G))%nat -> (forall i, In i (map fst M) -> loss G d i <> None) -> below v (T
    (lost d) M)).

Definition ask_at_least (t : nat) (M : masses) (asked : list nat) (v : option N) : Prop :=
  forall next, (forall a, In a (going t) -> fair (next a) (after t a M) (t :: asked)) -> below v (spent (Ask t next)
    M asked).

Lemma below_le v x y : below v x -> x <= y -> below v y.
Proof. destruct v; cbn; [intros; lia|tauto]. Qed.

Lemma serves_same U asked : serves U asked asked.
Proof. split; [|split]; auto. Qed.

(** What useful tests show that may be asked, and ending at once. *)
Lemma by_asking U M asked v : closed U (map fst M) asked -> known M -> M <> [] -> fits (free asked) M ->
  ends_at_least M asked v ->
  (forall t, (t < count)%nat -> U t = true -> ~ In t asked -> incl (needs_of t) asked -> ask_at_least t M asked v) ->
  at_least M asked v.
Proof.
  intros Cl K N F [E1 E2] A s V.
  destruct (transport U (map fst M) asked Cl s M asked asked) as [s' [V' [W L]]]; try assumption; try apply incl_refl.
  { apply serves_same. }
  apply (below_le v (spent s' M asked)); [|exact L]. clear L.
  destruct s' as [|d|t next]; destruct V' as [V'|V']; try contradiction.
  - apply E1; apply V'.
  - apply E2; apply V'.
  - destruct V' as [V1 [V2 [V3 V4]]]. destruct W as [_ [W _]]. apply andb_prop in W as [W _]. apply A; assumption.
Qed.

(** The same of another history that serves as well. *)
Lemma by_history U M asked asked' v : closed U (map fst M) asked -> known M -> M <> [] -> fits (free asked) M ->
  serves U asked asked' -> at_least M asked' v -> at_least M asked v.
Proof.
  intros Cl K N F S A s V.
  destruct (transport U (map fst M) asked Cl s M asked asked') as [s' [V' [W L]]]; try assumption; try apply
    incl_refl.
  apply (below_le v (spent s' M asked')); [exact (A s' V')|exact L].
Qed.

Lemma at_least_le M asked v w : (forall x, below v x -> below w x) -> at_least M asked v -> at_least M asked w.
Proof. intros H A s V. apply H, A, V. Qed.

(** *** N3, N4 *)

(** What each cause pays after an answer, and what it paid. *)
Lemma ask_sum t M (w : nat -> nat -> N) c h :
  (forall i m, In (i, m) M -> m * h i <= c * m + T (fun a => left (cell t i) a m * w a i) (going t)) ->
  T (fun im => snd im * h (fst im)) M <=
  c * T snd M + T (fun a => T (fun im => snd im * w a (fst im)) (after t a M)) (going t).
Proof.
  intros H. eapply N.le_trans.
  - apply T_le with (g := fun im => c * snd im + T (fun a => left (cell t (fst im)) a (snd im) * w a (fst im)) (going
    t)).
    intros [i m] Hi. exact (H i m Hi).
  - eapply N.le_trans; [apply T_plus|]. apply N.add_le_mono; [rewrite T_mul; apply N.le_refl|]. rewrite T_swap.
    apply T_le. intros a _. rewrite (T_after (fun im => snd im * w a (fst im))); [apply N.le_refl|]. intros i.
      reflexivity.
Qed.

(** All that goes on is all, where no answer of the cause ends the path. *)
Lemma left_going p t i m : (t < count)%nat -> In i causes -> p t = true -> fits p [(i, m)] ->
  (forall a, In a (answers t) -> ~ In a (going t) -> rate (cell t i) a = 0) -> T (fun a => left (cell t i) a m)
    (going t) = m.
Proof.
  intros H C P F N. transitivity (T (fun a => left (cell t i) a m) (answers t)); [|exact (left_all p t i m H C P F)].
  rewrite T_answers. apply T_eq. intros a Ha.
  destruct (mem a (ends (the_test G t))) eqn:E; [|reflexivity]. symmetry. apply left_0, N; [exact Ha|].
  intros Q. apply filter_In in Q as [_ Q]. unfold mem in E. rewrite E in Q. discriminate.
Qed.

Lemma fits_child asked t a M : (t < count)%nat -> known M -> ~ In t asked -> fits (free asked) M ->
  fits (free (t :: asked)) (after t a M).
Proof.
  intros H K N F. apply (fits_less (but t (free asked))); [|apply fits_after; try assumption; apply free_in; exact N].
  intros u _ Hu. apply free_in in Hu. unfold but. assert (X : ~ In u asked /\ u <> t) by (split; intros Q; apply Hu;
    [right; exact Q|left; congruence]).
  destruct X as [X1 X2]. apply free_in in X1. rewrite X1. destruct (Nat.eqb_spec u t); [contradiction|reflexivity].
Qed.

Lemma after_total p t M : (t < count)%nat -> known M -> p t = true -> fits p M ->
  T (fun a => T snd (after t a M)) (going t) <= T snd M.
Proof.
  intros H K P F. rewrite (T_eq _ _ _ (fun a => T (fun im => left (cell t (fst im)) a (snd im)) M)).
  - rewrite T_swap. apply T_le. intros [i m] Hi. cbn [fst snd].
    apply (N.le_trans _ (T (fun a => left (cell t i) a m) (answers t))); [apply T_filter_le|].
    rewrite (left_all p t i m H (K i (in_map fst _ _ Hi)) P (fits_one _ _ _ F Hi)). apply N.le_refl.
  - intros a _. apply (T_after snd). reflexivity.
Qed.

Section Paid.

Variable ends_by stops_by : nat -> N.  (* what a cause loses by a decision, what a test costs that may end its path;
  at least *)

Definition losses_hold : Prop :=
  forall d i x, (d < List.length (decisions G))%nat -> loss G d i = Some x -> ends_by i <= x.
Hypothesis ends_hold : losses_hold.
Hypothesis ends_free : decisions G = [] -> forall i, ends_by i = 0.
Hypothesis stops_hold : forall t i a, (t < count)%nat -> In i causes -> In a (answers t) -> ~ In a (going t) ->
  rate (cell t i) a <> 0 -> stops_by i <= later_of t.

Lemma pays_least t asked : later_of t <= pays t asked.
Proof. unfold pays. pose proof (cheaper t). destruct (is_open t asked); lia. Qed.

Lemma stops_or_not t i : (t < count)%nat -> In i causes ->
  stops_by i <= later_of t \/ forall a, In a (answers t) -> ~ In a (going t) -> rate (cell t i) a = 0.
Proof.
  intros H C. destruct (N.le_gt_cases (stops_by i) (later_of t)) as [L|L]; [left; exact L|right].
  intros a Ha Na. destruct (N.eq_dec (rate (cell t i) a) 0) as [E|E]; [exact E|].
  pose proof (stops_hold t i a H C Ha Na E). lia.
Qed.

Let gamma i := N.min (ends_by i) (stops_by i).

Lemma ends_pay s : forall M asked, known M -> fits (free asked) M -> fair s M asked ->
  T (fun im => snd im * gamma (fst im)) M <= spent s M asked.
Proof.
  induction s as [|d|t next IH]; intros M asked K F [->|V]; try (rewrite spent_nil; cbn; apply N.le_refl).
  - rewrite (T_eq _ _ _ (fun _ => 0)); [rewrite T_zero; apply N.le_0_l|]. intros im _. unfold gamma.
    rewrite (ends_free (proj1 V)). lia.
  - cbn [spent]. apply T_le. intros [i m] Hi. unfold NoisyGame.lost. cbn [fst snd]. destruct V as [V1 V2].
    assert (Q := V2 i (in_map fst _ _ Hi)). destruct (loss G d i) as [x|] eqn:E; [|contradiction].
    apply N.mul_le_mono_l. unfold gamma. pose proof (ends_hold d i x V1 E). lia.
  - destruct V as [V1 [V2 [V3 V4]]]. cbn [spent]. assert (P : free asked t = true) by (apply free_in; exact V2).
    eapply N.le_trans.
    + apply (ask_sum t M (fun _ i => gamma i) (pays t asked)). intros i m Hi. rewrite T_mul_r.
      assert (C : In i causes) by (apply K; exact (in_map fst _ _ Hi)).
      destruct (stops_or_not t i V1 C) as [L|L].
      * pose proof (pays_least t asked). assert (gamma i <= pays t asked) by (unfold gamma; lia). nia.
      * rewrite (left_going (free asked) t i m V1 C P (fits_one _ _ _ F Hi) L). nia.
    + apply N.add_le_mono_l. apply T_le. intros a Ha. apply IH; [apply known_after, K|apply fits_child;
      assumption|exact (V4 a Ha)].
Qed.

(** N3: all pay for the first test that tells something; so nobody pays less than this, or to end at once is best.
    *)
Section First.

Variable C asked0 : list nat.
Variable helpful : nat -> bool.
Variable next_price : N.
Variable opening : nat -> N.
Variable dec : masses -> N.

Hypothesis helpful_not : forall t, (t < count)%nat -> ~ In t asked0 -> helpful t = false -> tells_nothing t C.
Hypothesis next_least : forall t, (t < count)%nat -> ~ In t asked0 -> helpful t = true ->
  next_price <= if is_open t asked0 then later_of t else N.min (price_of t) (later_of t + opening t).
Hypothesis opening_least : forall u t g, (t < count)%nat -> group_of u = Some g -> group_of t = Some g -> opening u
  <= price_of t.
Hypothesis dec_scale : forall k M, dec (scale k M) = k * dec M.
Hypothesis dec_ends : forall M, map fst M = C -> ends_at_least M [] (Some (dec M)).

Let beta i := N.min (next_price + ends_by i) (N.max next_price (stops_by i)).

Lemma T_scale_by (h : nat -> N) k M : T (fun im => snd im * h (fst im)) (scale k M) = k * T (fun im => snd im * h
  (fst im)) M.
Proof. unfold scale. rewrite T_map, <- T_mul. apply T_eq. intros im _. cbn [fst snd]. ring. Qed.

Lemma first_help s : forall M asked x, incl asked0 asked -> map fst M = C -> C <> [] -> known M -> fits (free asked)
  M ->
  fair s M asked -> (forall u, is_open u asked = true -> is_open u asked0 = false -> opening u <= x) ->
  N.min (dec M) (T (fun im => snd im * beta (fst im)) M) <= spent s M asked + x * T snd M.
Proof.
  induction s as [|d|t next IH]; intros M asked x I EC NC K F V X; (destruct V as [->|V]; [destruct NC; symmetry;
    exact EC|]).
  - destruct (dec_ends M EC) as [E _]. specialize (E (proj1 V) (proj2 V)). cbn [below] in E. lia.
  - destruct (dec_ends M EC) as [_ E]. specialize (E d (proj1 V) (proj2 V)). cbn [below] in E. cbn [spent]. lia.
  - destruct V as [V1 [V2 [V3 V4]]]. assert (P : free asked t = true) by (apply free_in; exact V2).
    assert (V0 : ~ In t asked0) by (intros Q; apply V2, I, Q). cbn [spent]. destruct (helpful t) eqn:Hp.
    + eapply N.le_trans; [apply N.le_min_r|].
      assert (Pt : next_price <= pays t asked + x).
      { pose proof (next_least t V1 V0 Hp) as Q. unfold pays. destruct (is_open t asked) eqn:O.
        - destruct (is_open t asked0) eqn:O0; [lia|]. pose proof (X t O O0). lia.
        - destruct (is_open t asked0) eqn:O0; [rewrite (open_incl t _ _ I O0) in O; discriminate|]. lia. }
      eapply N.le_trans.
      * apply (ask_sum t M (fun _ i => gamma i) (pays t asked + x)). intros i m Hi. rewrite T_mul_r.
        assert (Ci : In i causes) by (apply K; exact (in_map fst _ _ Hi)). pose proof (pays_least t asked).
        destruct (stops_or_not t i V1 Ci) as [L|L].
        { assert (beta i <= pays t asked + x) by (unfold beta; lia). nia. }
        rewrite (left_going (free asked) t i m V1 Ci P (fits_one _ _ _ F Hi) L).
        assert (beta i <= pays t asked + x + gamma i) by (unfold beta, gamma; lia). nia.
      * rewrite N.mul_add_distr_r. enough (Q : T (fun a => T (fun im => snd im * gamma (fst im)) (after t a M))
        (going t) <=
          T (fun a => spent (next a) (after t a M) (t :: asked)) (going t)) by lia.
        apply T_le. intros a Ha. apply ends_pay; [apply known_after, K|apply fits_child; assumption|exact (V4 a Ha)].
    + destruct (useless_pick (free asked) t M (fun _ M' => N.min (dec M') (T (fun im => snd im * beta (fst im)) M'))
        (fun a => spent (next a) (after t a M) (t :: asked) + (x + pays t asked) * T snd (after t a M))) as [a [_ [_
          L]]];
        try assumption.
      * intros ->. apply NC. symmetry. exact EC.
      * rewrite EC. apply helpful_not; assumption.
      * intros a k _. rewrite !dec_scale, !T_scale_by. split; apply N.mul_min_distr_l.
      * intros a Ha E. apply IH.
        { intros y Hy. right. exact (I y Hy). }
        { rewrite E. exact EC. }
        { exact NC. }
        { apply known_after, K. }
        { apply fits_child; assumption. }
        { exact (V4 a Ha). }
        intros u O O0. apply open_cons in O as [[g [G1 G2]]|O]; [|pose proof (X u O O0); lia].
        unfold pays. destruct (is_open t asked) eqn:Ot; [|pose proof (opening_least u t g V1 G1 G2); lia].
        assert (Ou : is_open u asked = true) by (unfold is_open in *; rewrite G1; rewrite G2 in Ot; exact Ot).
        pose proof (X u Ou O0). lia.
      * eapply N.le_trans; [exact L|]. eapply N.le_trans; [apply T_plus|]. rewrite T_mul.
        pose proof (after_total (free asked) t M V1 K P F). nia.
Qed.

End First.

End Paid.

(** Without decisions, and answers that end paths: a cause is told from all it does not overlap. *)
Section Apart.

Hypothesis no_ends : forall t a, In a (answers t) -> In a (going t).

Lemma left_goes p t i m : (t < count)%nat -> In i causes -> p t = true -> fits p [(i, m)] ->
  T (fun a => left (cell t i) a m) (going t) = m.
Proof. intros H C P F. apply (left_going p); try assumption. intros a Ha N. destruct N. apply no_ends, Ha. Qed.

(** What a cause pays, if on after each of its answers it pays almost as much. *)
Lemma one_more p t i m c h (w : nat -> N) : (t < count)%nat -> In i causes -> p t = true -> fits p [(i, m)] ->
  (forall a, In a (going t) -> rate (cell t i) a <> 0 -> h <= c + w a) ->
  m * h <= c * m + T (fun a => left (cell t i) a m * w a) (going t).
Proof.
  intros H C P F Q. rewrite <- (left_goes p t i m H C P F) at 1 2. rewrite <- T_mul, <- T_mul_r.
  eapply N.le_trans; [|apply T_plus]. apply T_le. intros a Ha. destruct (N.eq_dec (rate (cell t i) a) 0) as [E|E].
  - rewrite (left_0 _ _ _ E). lia.
  - specialize (Q a Ha E). nia.
Qed.

Variable apart : nat -> nat -> N.
Hypothesis apart_same : forall i j, i = j \/ cliques G = true /\ overlap G i j = true -> apart i j = 0.
Hypothesis apart_least : forall t i j a, (t < count)%nat -> In i causes -> In j causes -> In a (answers t) ->
  rate (cell t i) a <> 0 -> rate (cell t j) a = 0 -> apart i j <= later_of t.

Definition farthest (C : list nat) (i : nat) : N := fold_right (fun j v => N.max (apart i j) v) 0 C.

Lemma farthest_le C i x : (forall j, In j C -> apart i j <= x) -> farthest C i <= x.
Proof.
  induction C as [|j C IH]; intros H; cbn [farthest fold_right]; [lia|]. apply N.max_lub; [apply H; left;
    reflexivity|].
  apply IH. intros; apply H; right; assumption.
Qed.

Lemma farthest_in C i j : In j C -> apart i j <= farthest C i.
Proof.
  induction C as [|k C IH]; intros []; cbn [farthest fold_right]; [subst; lia|]. specialize (IH H).
  unfold farthest in IH. lia.
Qed.

Hypothesis no_decisions : decisions G = [].

Lemma told_apart s : forall M asked, known M -> fits (free asked) M -> fair s M asked ->
  T (fun im => snd im * farthest (map fst M) (fst im)) M <= spent s M asked.
Proof.
  induction s as [|d|t next IH]; intros M asked K F [->|V]; try (rewrite spent_nil; cbn; apply N.le_refl).
  - rewrite (T_eq _ _ _ (fun _ => 0)); [rewrite T_zero; apply N.le_0_l|]. intros [i m] Hi. cbn [fst snd].
    assert (Z : farthest (map fst M) i <= 0).
    { apply farthest_le. intros j Hj. rewrite apart_same; [lia|]. apply (proj2 V); [exact (in_map fst _ _ Hi)|exact
      Hj]. }
    nia.
  - destruct V as [V _]. rewrite no_decisions in V. inversion V.
  - destruct V as [V1 [V2 [V3 V4]]]. assert (P : free asked t = true) by (apply free_in; exact V2). cbn [spent].
    eapply N.le_trans.
    + apply (ask_sum t M (fun a i => farthest (map fst (after t a M)) i) (pays t asked)). intros i m Hi.
      assert (Ci : In i causes) by (apply K; exact (in_map fst _ _ Hi)).
      apply (one_more (free asked) t i m _ _ (fun a => farthest (map fst (after t a M)) i) V1 Ci P (fits_one _ _ _ F
        Hi)).
      intros a Ha R. apply farthest_le. intros j Hj. destruct (N.eq_dec (rate (cell t j) a) 0) as [E|E].
      * pose proof (apart_least t i j a V1 Ci (K j Hj) (going_in t a Ha) R E).
        assert (later_of t <= pays t asked) by (unfold pays; pose proof (cheaper t); destruct (is_open t asked);
          lia). lia.
      * assert (Q : In j (map fst (after t a M))).
        { rewrite causes_after. apply filter_In. split; [exact Hj|]. destruct (N.eqb_spec (rate (cell t j) a) 0);
          [contradiction|reflexivity]. }
        pose proof (farthest_in _ i j Q). lia.
    + apply N.add_le_mono_l. apply T_le. intros a Ha. apply IH; [apply known_after, K| |exact (V4 a Ha)].
      apply fits_child; assumption.
Qed.

End Apart.

End Theory.
