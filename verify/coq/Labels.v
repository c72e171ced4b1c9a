(** Texts by their places in a list. *)

From Coq Require Import List Arith Bool.
From Proof Require Import Text.
Import ListNotations.

Fixpoint index (w : text) (l : list text) : nat :=
  match l with [] => 0 | x :: l => if same_text x w then 0 else S (index w l) end.

Lemma index_is w l : In w l -> nth_error l (index w l) = Some w.
Proof.
  induction l as [|x l IH]; [intros []|]. cbn [index]. intros H. destruct (same_text x w) eqn:E.
  - apply same_text_eq in E. subst. reflexivity.
  - cbn. apply IH. destruct H as [->|H]; [|exact H]. rewrite (proj2 (same_text_eq w w) eq_refl) in E. discriminate.
Qed.

Fixpoint once_each (l : list text) : bool :=
  match l with [] => true | w :: l => negb (existsb (same_text w) l) && once_each l end.

Lemma once_each_true l : once_each l = true -> NoDup l.
Proof.
  induction l as [|w l IH]; intros H; [constructor|]. apply andb_prop in H as [H1 H2]. constructor; [|exact (IH H2)].
  intros I. assert (existsb (same_text w) l = true); [|rewrite H in H1; discriminate].
  apply existsb_exists. exists w. split; [exact I|apply same_text_eq; reflexivity].
Qed.

(** The responses that there are, each once. *)
Fixpoint labels_in (row labels : list text) : list text :=
  match row with
  | [] => labels
  | w :: row => labels_in row (if existsb (same_text w) labels then labels else labels ++ [w])
  end.

Lemma labels_have w row : forall labels, In w labels \/ In w row -> In w (labels_in row labels).
Proof.
  induction row as [|x row IH]; intros labels H; cbn [labels_in]; [destruct H as [H|[]]; exact H|]. apply IH.
  destruct (existsb (same_text x) labels) eqn:E.
  - destruct H as [H|[->|H]]; [auto| |auto]. left. apply existsb_exists in E as [y [I E]]. apply same_text_eq in E.
    subst. exact I.
  - rewrite in_app_iff. destruct H as [H|[->|H]]; [auto|left; right; left; reflexivity|auto].
Qed.
