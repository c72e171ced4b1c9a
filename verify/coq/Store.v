(** A store of things found by a number, a binary tree by its digits. Only one fact is needed for truth: what is
    found was put in. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

(** Numbers below 2^24 have a place of their own. Opaque: no proof is to unfold so many levels. *)
Definition levels : nat.
Proof. exact 24. Qed.

Section Store.

Variable E : Type.

Inductive store := Nil | Fork (here : list E) (even odd : store).

Definition parts_of (t : store) : list E * store * store :=
  match t with Nil => ([], Nil, Nil) | Fork here even odd => (here, even, odd) end.

Fixpoint put (fuel key : nat) (e : E) (t : store) : store :=
  let '(here, even, odd) := parts_of t in
  match fuel with
  | 0 => Fork (e :: here) even odd
  | S fuel =>
      if key =? 0 then Fork (e :: here) even odd
      else if Nat.odd key then Fork here even (put fuel (Nat.div2 key) e odd)
      else Fork here (put fuel (Nat.div2 key) e even) odd
  end.

Fixpoint get (fuel key : nat) (t : store) : list E :=
  match t with
  | Nil => []
  | Fork here even odd =>
      match fuel with
      | 0 => here
      | S fuel =>
          if key =? 0 then here
          else if Nat.odd key then get fuel (Nat.div2 key) odd
          else get fuel (Nat.div2 key) even
      end
  end.

Fixpoint all (Q : E -> Prop) (t : store) : Prop :=
  match t with Nil => True | Fork here even odd => Forall Q here /\ all Q even /\ all Q odd end.

Lemma all_put (Q : E -> Prop) fuel key e t : Q e -> all Q t -> all Q (put fuel key e t).
Proof.
  intros He. revert key t; induction fuel as [|fuel IH]; intros key t Ht.
  - destruct t as [|here even odd]; cbn in *; intuition.
  - destruct t as [|here even odd]; cbn in *.
    + destruct (key =? 0); [cbn; intuition|]. destruct (Nat.odd key); cbn; intuition; apply IH; exact I.
    + destruct Ht as [H1 [H2 H3]]. destruct (key =? 0); [cbn; intuition|].
      destruct (Nat.odd key); cbn; intuition; apply IH; assumption.
Qed.

Lemma all_get (Q : E -> Prop) fuel key t e : all Q t -> In e (get fuel key t) -> Q e.
Proof.
  revert key t; induction fuel as [|fuel IH]; intros key [|here even odd] Ht; cbn; try tauto;
    destruct Ht as [H1 [H2 H3]].
  - intros H. exact (proj1 (Forall_forall Q here) H1 e H).
  - destruct (key =? 0); [intros H; exact (proj1 (Forall_forall Q here) H1 e H)|].
    destruct (Nat.odd key); intros H; [exact (IH _ _ H3 H)|exact (IH _ _ H2 H)].
Qed.

Definition insert (key : nat) (e : E) (t : store) : store := put levels key e t.
Definition find (key : nat) (t : store) : list E := get levels key t.

Lemma all_insert (Q : E -> Prop) key e t : Q e -> all Q t -> all Q (insert key e t).
Proof. apply all_put. Qed.

Lemma all_find (Q : E -> Prop) key t e : all Q t -> In e (find key t) -> Q e.
Proof. apply all_get. Qed.

End Store.

Arguments Nil {E}.
Arguments Fork {E}.
Arguments insert {E}.
Arguments find {E}.
Arguments all {E}.

