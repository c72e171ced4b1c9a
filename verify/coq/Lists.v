(** Sums over lists, folds, the things of a list with their numbers. *)

From Coq Require Import List Arith Bool Lia.
Import ListNotations.

(** ** Sums *)

Definition sum {A} (f : A -> nat) (l : list A) : nat := list_sum (map f l).

Lemma sum_cons A (f : A -> nat) x l : sum f (x :: l) = f x + sum f l.
Proof. reflexivity. Qed.

Lemma sum_le A (f g : A -> nat) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; intros H; [apply le_n|]; rewrite !sum_cons.
  pose proof (H x (or_introl eq_refl)).
  assert (sum f l <= sum g l) by (apply IH; intros; apply H; right; assumption). lia.
Qed.

Lemma sum_eq A (f g : A -> nat) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof. intros H. apply Nat.le_antisymm; apply sum_le; intros x Hx; rewrite (H x Hx); apply le_n. Qed.

Lemma sum_add A (f g : A -> nat) l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l as [|x l IH]; [reflexivity|]; rewrite !sum_cons, IH; lia. Qed.

Lemma sum_mul A (f : A -> nat) k l : sum (fun x => k * f x) l = k * sum f l.
Proof. induction l as [|x l IH]; [cbn; lia|]; rewrite !sum_cons, IH; lia. Qed.

Lemma sum_zero A l : sum (fun _ : A => 0) l = 0.
Proof. induction l as [|x l IH]; [reflexivity|]; rewrite sum_cons, IH; reflexivity. Qed.

Lemma sum_swap A B (f : A -> B -> nat) l m :
  sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH]; [symmetry; apply sum_zero|].
  rewrite sum_cons, IH, <- sum_add. apply sum_eq; intros; rewrite sum_cons; reflexivity.
Qed.

Lemma sum_map A B (f : B -> nat) (h : A -> B) l : sum f (map h l) = sum (fun x => f (h x)) l.
Proof. unfold sum. rewrite map_map. reflexivity. Qed.

Lemma sum_first (f : nat -> nat) n : sum f (seq 0 (S n)) = f 0 + sum (fun i => f (S i)) (seq 0 n).
Proof. cbn [seq]. rewrite sum_cons, <- seq_shift, sum_map. reflexivity. Qed.

(** One number of a range. *)
Lemma sum_pick (v : nat) (i : nat) n : sum (fun j => if j =? i then v else 0) (seq 0 n) = if i <? n then v else 0.
Proof.
  revert i; induction n as [|n IH]; intros i; [reflexivity|]. rewrite sum_first. destruct i as [|i]; cbn.
  - replace (sum _ _) with (sum (fun _ : nat => 0) (seq 0 n)) by (apply sum_eq; reflexivity). rewrite sum_zero. lia.
  - rewrite IH. reflexivity.
Qed.

(** What is counted is below [i]. *)
Lemma sum_below (f : nat -> nat) i n : i <= n -> sum (fun j => if j <? i then f j else 0) (seq 0 n) = sum f (seq 0 i).
Proof.
  revert f i; induction n as [|n IH]; intros f i H; [replace i with 0 by lia; reflexivity|].
  destruct i as [|i]; [rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity; apply sum_zero|].
  rewrite !sum_first. cbn [Nat.ltb Nat.leb]. f_equal. rewrite <- (IH (fun j => f (S j)) i) by lia. reflexivity.
Qed.

Lemma sum_const (k : nat) n : sum (fun _ => k) (seq 0 n) = k * n.
Proof. induction n as [|n IH]; [cbn; lia|]. rewrite sum_first.
replace (sum _ _) with (k * n) by (rewrite <- IH; reflexivity). lia. Qed.

Lemma sum_app A (f : A -> nat) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [app]. rewrite !sum_cons, IH. lia. Qed.

Lemma sum_alike A (k : nat) (l : list A) : sum (fun _ => k) l = length l * k.
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite sum_cons, IH. cbn. lia. Qed.

Lemma sum_bounded A (f : A -> nat) (k : nat) l : (forall x, In x l -> f x <= k) -> sum f l <= k * length l.
Proof.
  induction l as [|x l IH]; intros H; [cbn; lia|]. rewrite sum_cons. cbn [length].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y Hy => H y (or_intror Hy))). lia.
Qed.

(** ** Folds and numbers *)

Lemma fold_keeps {A T} (Q : T -> Prop) (step : T -> A -> T) l :
  (forall t a, In a l -> Q t -> Q (step t a)) -> forall t, Q t -> Q (fold_left step l t).
Proof.
  induction l as [|a l IH]; intros H t Z; [exact Z|].
  apply IH; [intros; apply H; [right|]; assumption|]. apply H; [left; reflexivity|exact Z].
Qed.

(** The things of a list with their numbers. *)
Lemma in_numbers {A} (l : list A) i a : In (i, a) (combine (seq 0 (length l)) l) <-> nth_error l i = Some a.
Proof.
  assert (X : forall l n i, In (i, a) (combine (seq n (length l)) l) <-> n <= i /\ nth_error l (i - n) = Some a).
  { clear. induction l as [|x l IH]; intros n i; cbn [length seq combine In].
    - split; [tauto|]. intros [_ H]. destruct (i - n); discriminate.
    - rewrite IH. split.
      + intros [[= <- <-]|[H1 H2]]; [rewrite Nat.sub_diag; auto|]. split; [lia|].
        replace (i - n) with (S (i - S n)) by lia. exact H2.
      + intros [H1 H2]. destruct (i - n) as [|k] eqn:K; [left; injection H2 as ->; f_equal; lia|right].
        split; [lia|]. replace (i - S n) with k by lia. exact H2. }
  rewrite X, Nat.sub_0_r. split; [tauto|]. intros H. split; [lia|exact H].
Qed.
