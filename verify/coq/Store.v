(** A store of things found by a number: a binary tree by its digits, with one thing at each place. Only one fact is
    needed for truth: what is found was put in. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

Section Store.

Variable E : Type.

Inductive store := Nil | Fork (key : nat) (here : E) (even odd : store).

(** [rest]: the digits of the key that are left. *)
Fixpoint put (key rest : nat) (e : E) (t : store) : store :=
  match t with
  | Nil => Fork key e Nil Nil
  | Fork k x even odd =>
      if Nat.odd rest then Fork k x even (put key (Nat.div2 rest) e odd)
      else Fork k x (put key (Nat.div2 rest) e even) odd
  end.

(** All with the key, before some: what was put in last comes first. *)
Fixpoint get (key rest : nat) (t : store) (some : list E) : list E :=
  match t with
  | Nil => some
  | Fork k x even odd =>
      get key (Nat.div2 rest) (if Nat.odd rest then odd else even) (if k =? key then x :: some else some)
  end.

Fixpoint all (Q : E -> Prop) (t : store) : Prop :=
  match t with Nil => True | Fork _ here even odd => Q here /\ all Q even /\ all Q odd end.

Lemma all_put (Q : E -> Prop) key rest e t : Q e -> all Q t -> all Q (put key rest e t).
Proof.
  intros He. revert rest; induction t as [|k x even IHe odd IHo]; intros rest Ht; cbn in *; [tauto|].
  destruct Ht as [H1 [H2 H3]]. destruct (Nat.odd rest); cbn; auto.
Qed.

Lemma all_get (Q : E -> Prop) key t : forall rest some,
  all Q t -> Forall Q some -> Forall Q (get key rest t some).
Proof.
  induction t as [|k x even IHe odd IHo]; intros rest some Ht H; cbn in *; [exact H|].
  destruct Ht as [H1 [H2 H3]]. assert (S' : Forall Q (if k =? key then x :: some else some))
    by (destruct (k =? key); [constructor|]; assumption).
  destruct (Nat.odd rest); auto.
Qed.

Definition insert (key : nat) (e : E) (t : store) : store := put key key e t.
Definition find (key : nat) (t : store) : list E := get key key t [].

Lemma all_insert (Q : E -> Prop) key e t : Q e -> all Q t -> all Q (insert key e t).
Proof. apply all_put. Qed.

Lemma all_find (Q : E -> Prop) key t e : all Q t -> In e (find key t) -> Q e.
Proof. intros H. apply (proj1 (Forall_forall Q _)), all_get; [exact H|constructor]. Qed.

End Store.

Arguments Nil {E}.
Arguments Fork {E}.
Arguments insert {E}.
Arguments find {E}.
Arguments all {E}.
