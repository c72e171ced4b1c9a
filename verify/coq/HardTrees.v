(** Trees where what may be asked depends on the history (L10): each answer leaves some of the guesses that might be asked
    before it. The other lemmas are those of [Trees.v], for the guesses that are left. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import Theory Trees.
Import ListNotations.

Section HardTrees.

Variable ans : nat -> nat -> nat.
Variable may : list nat -> nat -> Prop.
Variable one : bool.
Variable follows : nat -> nat -> nat -> bool.  (* behind a guess and answer [S a], a guess may be asked *)

Hypothesis may_more : forall s s' g, incl s s' -> may s g -> may s' g.

Let part := part ans.
Let cost := cost ans.
Let settled := settled one.

(** What is left of the guesses [A]. *)
Definition left_of (A : list nat) (g a : nat) : list nat := filter (follows g a) A.

Lemma left_incl A g a : incl (left_of A g a) A.
Proof. intros h H. apply filter_In in H. apply H. Qed.

Lemma left_more A A' g a : incl A A' -> incl (left_of A g a) (left_of A' g a).
Proof. intros I h H. apply filter_In in H as [H F]. apply filter_In. auto. Qed.

(** The guess is one of these, and may be asked of the set. *)
Definition among (A s : list nat) (g : nat) : Prop := may s g /\ In g A.

Lemma among_more A s s' g : incl s s' -> among A s g -> among A s' g.
Proof. intros I [M H]. split; [exact (may_more _ _ _ I M)|exact H]. Qed.

(** The tree settles the set, where [A] are the guesses that may be asked. *)
Fixpoint plays (A : list nat) (d : option nat) (t : tree) (s : list nat) : Prop :=
  s = [] \/
  match t with
  | Leaf => one = true /\ length s = 1
  | Node g next => d <> Some 0 /\ among A s g /\ forall a, plays (left_of A g a) (pre d) (next a) (part g (S a) s)
  end.

(** Every such tree costs at least the bound. *)
Definition hard_lb (A : list nat) (d : option nat) (s : list nat) (b : bound) : Prop :=
  forall t, plays A d t s -> reaches b (cost t s).

Definition hard_ask_lb (A : list nat) (d : option nat) (g : nat) (s : list nat) (b : bound) : Prop :=
  forall next, plays A d (Node g next) s -> reaches b (cost (Node g next) s).

Lemma plays_nothing A d t : plays A d t [].
Proof. destruct t; left; reflexivity. Qed.

Lemma plays_part A d g next s a :
  plays A d (Node g next) s -> plays (left_of A g a) (pre d) (next a) (part g (S a) s).
Proof. intros [->|[_ [_ H]]]; [apply plays_nothing|apply H]. Qed.

(** Who may ask no more than [A] asks nothing else. *)
Lemma plays_solves A0 d t : forall A s, incl A A0 -> plays A d t s -> solves ans (among A0) one d t s.
Proof.
  revert d; induction t as [|g next IH]; intros d A s I H; [exact H|].
  destruct H as [->|[H1 [[M G] H3]]]; [left; reflexivity|right]. split; [exact H1|].
  split; [split; [exact M|apply I, G]|]. intros a. apply (IH a (pre d) (left_of A g a)); [|apply H3].
  intros h Hh. exact (I h (left_incl A g a h Hh)).
Qed.

Lemma hard_lb_of_lb A A' d s b : incl A' A -> lb ans (among A) one d s b -> hard_lb A' d s b.
Proof. intros I H t Ht. exact (H t (plays_solves A d t A' s I Ht)). Qed.

(** More guesses, and more of them in all. *)
Lemma plays_more t : forall A A' d d' s, incl A A' -> fewer d' d -> plays A d' t s -> plays A' d t s.
Proof.
  induction t as [|g next IH]; intros A A' d d' s I F H; [exact H|].
  destruct H as [->|[H1 [[M G] H3]]]; [left; reflexivity|right]. split; [exact (not_zero d' d F H1)|].
  split; [split; [exact M|apply I, G]|]. intros a. apply (IH a (left_of A g a) _ _ (pre d'));
    [apply left_more, I|apply fewer_pre, F|apply H3].
Qed.

(** What holds with fewer demands and more guesses left holds with more demands and fewer left. *)
Lemma hard_lb_fewer A A' d d' s b : incl A' A -> fewer d' d -> hard_lb A d s b -> hard_lb A' d' s b.
Proof. intros I F H t Ht. exact (H t (plays_more t A' A d d' s I F Ht)). Qed.

Lemma hard_lb_zero A d s : hard_lb A d s (Some 0).
Proof. intros t _. apply Nat.le_0_l. Qed.

(** L1: asking. *)
Lemma hard_ask_sum A d g s (bs : nat -> bound) m :
  (forall a, a < m -> hard_lb (left_of A g a) (pre d) (part g (S a) s) (bs a)) ->
  hard_ask_lb A d g s (plus (Some (length s)) (fold_right plus (Some 0) (map bs (seq 0 m)))).
Proof. intros H next Ht. apply node_reaches. intros a Ha. exact (H a Ha _ (plays_part _ _ _ _ _ a Ht)). Qed.

Lemma cost_useless g next s a : part g (S a) s = s -> cost (next a) s <= cost (Node g next) s.
Proof.
  intros Ha. pose proof (cost_node ans g next s (S a)) as C. fold part cost in C.
  rewrite seq_S in C. unfold sum in C. rewrite map_app, list_sum_app in C. cbn in C. rewrite Ha in C. lia.
Qed.

Lemma hard_lb_by_asking A d s b :
  ~ settled s -> (forall g, among A s g -> (exists a, part g (S a) s = s) \/ hard_ask_lb A d g s b) -> hard_lb A d s b.
Proof.
  intros N H t. induction t as [|g next IH]; intros Ht; [destruct (N Ht)|].
  assert (M : among A s g) by (destruct Ht as [->|[_ [M _]]]; [destruct N; left; reflexivity|exact M]).
  destruct (H g M) as [[a Ha]|Q]; [|exact (Q next Ht)].
  pose proof (plays_part _ _ _ _ _ a Ht) as Hn. rewrite Ha in Hn.
  apply reaches_le with (n := cost (next a) s); [|apply cost_useless, Ha]. apply (IH a).
  apply (plays_more _ (left_of A g a) A d (pre d)); [apply left_incl|destruct d; cbn; lia|exact Hn].
Qed.

(** L6: a guess that tells nothing is left out; what it demanded is demanded no more. *)
Lemma prune_plays t : forall A d s, plays A d t s -> plays A (Some (deep one s)) (prune ans one t s) s.
Proof.
  induction t as [|g next IH]; intros A d s H; [exact H|]. cbn [prune].
  destruct (finished one s) eqn:Fin; [exact (proj1 (finished_settled one s) Fin)|].
  assert (N : ~ settled s) by (intros S'; apply finished_settled in S'; congruence).
  assert (M : among A s g) by (destruct H as [->|[_ [M _]]]; [discriminate|exact M]).
  assert (Q : forall a, plays (left_of A g a) (pre d) (next a) (part g (S a) s)) by (intros a; exact (plays_part _ _ _ _ _ a H)).
  set (on := Node g _).
  assert (On : (forall a, forallb (has ans g (S a)) s = false) -> plays A (Some (deep one s)) on s).
  { intros F. destruct (deep_node ans one g s N) as [D0 D]. right. split; [congruence|]. split; [exact M|]. intros a.
    refine (plays_more _ _ _ _ _ _ (incl_refl _) _ (IH a _ _ _ (Q a))). cbn. apply D, F. }
  destruct (ans g (hd 0 s)) as [|a] eqn:E.
  - apply On. intros a. destruct s as [|x l]; [discriminate|]. cbn [hd forallb] in *. unfold has at 1. rewrite E. reflexivity.
  - destruct (forallb (has ans g (S a)) s) eqn:F.
    + specialize (Q a). unfold part in Q. rewrite (part_whole ans g (S a) s F) in Q.
      exact (plays_more _ _ _ (Some (deep one s)) (Some (deep one s)) _ (left_incl A g a) (le_n _) (IH a _ _ _ Q)).
    + apply On. intros a'. destruct (Nat.eq_dec a' a) as [->|Na]; [exact F|].
      destruct s as [|x l]; [discriminate|]. cbn [hd forallb] in *. unfold has at 1. rewrite E.
      destruct (Nat.eqb_spec (S a) (S a')); [lia|reflexivity].
Qed.

Lemma hard_lb_deep A d s b : hard_lb A (Some (deep one s)) s b -> hard_lb A d s b.
Proof.
  intros H t Ht. pose proof (prune_plays t A d s Ht) as X.
  apply (reaches_le _ _ _ (H _ X)). apply (prune_true ans (among A) one d). exact (plays_solves A d t A s (incl_refl _) Ht).
Qed.

(** L7: a tree for a set is one for a set within. *)
Lemma plays_within t : (forall s s' g, may s g -> may s' g) -> forall A d s h, NoDup h -> incl h s ->
  plays A d t s -> plays A d t h.
Proof.
  intros W. induction t as [|g next IH]; intros A d s h N I H.
  - destruct H as [->|[O L]]; [left; apply incl_l_nil, I|].
    pose proof (NoDup_incl_length N I). destruct h as [|x [|y h]]; [left; reflexivity|right; auto|cbn in *; lia].
  - destruct H as [->|[H1 [[M G] H3]]]; [left; apply incl_l_nil, I|right]. split; [exact H1|].
    split; [split; [exact (W _ _ _ M)|exact G]|]. intros a. apply (IH a _ _ (part g (S a) s)); [apply NoDup_filter, N| |apply H3].
    intros x Hx. apply filter_In in Hx as [Hx R]. apply filter_In. auto.
Qed.

Lemma hard_lb_small A A' d d' s h : (forall s s' g, may s g -> may s' g) ->
  NoDup h -> incl h s -> incl A' A -> fewer d d' -> hard_lb A d' h None -> hard_lb A' d s None.
Proof.
  intros W N I J F H t Ht. apply (H t). apply (plays_more t A' A d' d h J F). exact (plays_within t W A' d s h N I Ht).
Qed.

End HardTrees.
