(** What may be asked of a set: any guess or, candidates only, one that wins on a secret of it (P7 of PRICED.md). What
    holds of all strategies that ask guesses that may be asked of the set holds of those that ask candidates only. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import PricedTheory.
Import ListNotations.

Section Asking.

Variable win : bool.
Variable candidates : bool.  (* only they may be asked *)
Variable rows : list row.    (* the guesses that tell something, or win; that win, if only they may be asked *)

Notation won := (won win).

Definition may (r : row) (S : list nat) : bool := negb candidates || existsb (fun s => won (look r s)) S.

Definition askable (S : list nat) : list row := if candidates then filter (fun r => may r S) rows else rows.

(** A guess that has to be looked at: it may be asked, and tells the set apart. *)
Definition asks (r : row) (S : list nat) : bool := may r S && tells r S.

Definition leaves (r : row) (k : nat) (S : list nat) : list nat :=
  filter (fun s => (key (look r s) =? k) && negb (won (look r s))) S.

(** A tree asks of each set only what may be asked of it. *)
Fixpoint permitted (t : tree) (S : list nat) : Prop :=
  match t with
  | Leaf => True
  | Node r next => In r rows /\ may r S = true /\ forall k, permitted (next k) (leaves r k S)
  end.

Lemma may_incl r S T : incl T S -> may r T = true -> may r S = true.
Proof.
  unfold may. destruct candidates; [|reflexivity]. cbn [negb orb]. rewrite !existsb_exists.
  intros I [s [Hs W]]. exists s. auto.
Qed.

Lemma in_askable r S : In r (askable S) <-> In r rows /\ may r S = true.
Proof. unfold askable, may. destruct candidates; [apply filter_In|cbn [negb orb]; tauto]. Qed.

Lemma in_leaves r k S s : In s (leaves r k S) <-> In s S /\ key (look r s) = k /\ won (look r s) = false.
Proof. unfold leaves. rewrite filter_In, andb_true_iff, Nat.eqb_eq, negb_true_iff. tauto. Qed.

Lemma leaves_same r k S T : (forall s, In s S <-> In s T) -> forall s, In s (leaves r k S) <-> In s (leaves r k T).
Proof. intros E s. rewrite !in_leaves, E. tauto. Qed.

Lemma permitted_same t : forall S T, (forall s, In s S <-> In s T) -> permitted t S -> permitted t T.
Proof.
  induction t as [|r next IH]; intros S T E; [auto|]. intros [Hr [M Ln]]. split; [exact Hr|]. split.
  - apply (may_incl r T S); [intros s; apply E|exact M].
  - intros k. apply (IH k _ _ (leaves_same r k S T E)), Ln.
Qed.

(** If all may be asked, the set does not matter. *)
Lemma permitted_any t : candidates = false -> forall S T, permitted t S -> permitted t T.
Proof.
  intros C. induction t as [|r next IH]; intros S T; [auto|]. intros [Hr [_ Ln]]. split; [exact Hr|].
  split; [unfold may; rewrite C; reflexivity|]. intros k. apply (IH k (leaves r k S)), Ln.
Qed.

Lemma permitted_legal t : forall S T, incl T S -> permitted t T -> legal (askable S) t.
Proof.
  induction t as [|r next IH]; intros S T I; [auto|]. intros [Hr [M Ln]]. split.
  - apply in_askable. split; [exact Hr|exact (may_incl r S T I M)].
  - intros k. apply (IH k S (leaves r k T)); [|apply Ln]. intros s Hs. apply I. apply in_leaves in Hs. apply Hs.
Qed.

Lemma permitted_rows t S : permitted t S -> legal rows t.
Proof.
  revert S; induction t as [|r next IH]; intros S; [auto|]. intros [Hr [_ Ln]]. split; [exact Hr|].
  intros k. exact (IH k _ (Ln k)).
Qed.

Variable weight : nat -> nat.
Variable everything : list nat.
Variable rate : nat.
Variable penalty : bound.

Notation ok := (ok everything).
Notation solves := (solves win).
Notation cost := (cost win weight rate penalty).

(** Every strategy for the set costs at least the bound; so does every one that begins with the guess. *)
Definition lb (l : bound) (S : list nat) (b : bound) : Prop :=
  forall t, permitted t S -> solves t S -> le b (cost t l S).

Definition ask_lb (l : bound) (r : row) (S : list nat) (b : bound) : Prop :=
  forall next, (forall k, permitted (next k) (leaves r k S)) -> solves (Node r next) S -> le b (cost (Node r next) l
    S).

Lemma lb_of_all l S b : PricedTheory.lb win weight rate penalty (askable S) l S b -> lb l S b.
Proof. intros H t Lt Ht. apply H; [exact (permitted_legal t S S (incl_refl S) Lt)|exact Ht]. Qed.

Lemma lb_le l S a b : le a b -> lb l S b -> lb l S a.
Proof. intros H B t Lt Ht. exact (le_trans _ _ _ H (B t Lt Ht)). Qed.

Lemma lb_0 l S : lb l S (Some 0). Proof. intros t _ _. apply le_0. Qed.

Lemma lb_greater l S a b : lb l S a -> lb l S b -> lb l S (greater a b).
Proof. intros A B. destruct (greater_is a b) as [-> | ->]; assumption. Qed.

(** P8 *)
Lemma lb_limit l l' S b : (penalty = None \/ rate = 0 /\ penalty <> None /\ l' <> None) -> le l l' ->
  lb l' S b -> lb l S b.
Proof. intros F H B t Lt Ht. exact (le_trans _ _ _ (B t Lt Ht) (cost_limit win weight rate penalty l l' t S F H Ht)).
  Qed.

Hypothesis everything_once : NoDup everything.
Hypothesis one_win : wins_once win everything rows.

Lemma askable_wins_once S : wins_once win everything (askable S).
Proof. intros r Hr. apply in_askable in Hr as [Hr _]. exact (one_win r Hr). Qed.

(** A candidate tells two secrets apart ((ii)). *)
Lemma candidate_tells r S : candidates = true -> In r rows -> ok S -> 2 <= length S -> may r S = true -> tells r S =
  true.
Proof.
  intros C Hr O N M. destruct (tells r S) eqn:T; [reflexivity|].
  unfold may in M. rewrite C in M. cbn [negb orb] in M. apply existsb_exists in M as [s [Hs W]].
  pose proof (useless_for win everything everything_once rows one_win r S Hr O N T s Hs) as [_ Q]. congruence.
Qed.

(** P1: a guess that may be asked and tells the set apart is asked. *)
Lemma lb_by_asking l S b :
  ok S -> 2 <= length S -> (forall r, In r rows -> asks r S = true -> ask_lb l r S b) -> lb l S b.
Proof.
  intros O N H t. induction t as [|r next IH]; intros Lt Ht; [destruct (not_leaf win everything everything_once S O N
    Ht)|].
  destruct Lt as [Hr [M Ln]]. destruct (tells r S) eqn:E.
  { apply (H r Hr); [unfold asks; rewrite M; exact E|exact Ln|exact Ht]. }
  destruct (bool_dec candidates true) as [C|C]; [rewrite (candidate_tells r S C Hr O N M) in E; discriminate|].
  apply not_true_is_false in C.
  destruct (useless_next win everything everything_once rows one_win r next S Hr O N E Ht) as [k [Hk K]].
  apply (le_trans _ _ _ (IH k (permitted_any _ C _ S (Ln k)) Hk)). apply total_le. intros s Hs.
  apply times_le, per_mono. apply paid_next; apply (K s Hs).
Qed.

(** Parts of parts are no more. *)
Lemma fits_part K S T : incl T S -> fits win (askable S) K S -> fits win (askable T) K T.
Proof.
  intros I F r Hr. apply (fits_incl win (askable S) K S T I F). apply in_askable in Hr as [Hr M].
  apply in_askable. split; [exact Hr|exact (may_incl r S T I M)].
Qed.

End Asking.
