(** Renamings of secrets that keep weights, costs and wins (P9 of PRICED.md), and how a certificate gives them. *)

From Coq Require Import Ascii String List Arith Bool Lia Permutation.
From Proof Require Import Text Store Orbits PricedTheory PricedAsking.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.
Local Arguments Nat.mul : simpl never.

Section Renamings.

Variable win : bool.
Variable weight : nat -> nat.
Variable everything : list nat.
Variable rate : nat.
Variable penalty : bound.
Variable candidates : bool.
Variable numbered : list (nat * row).   (* the guesses that tell something, or win, with numbers *)
Variable rows : list row.

Hypothesis rows_are : rows = map snd numbered.

Hypothesis everything_once : NoDup everything.
Hypothesis one_win : wins_once win everything rows.

Notation won := (won win).
Notation paid := (paid win).
Notation ok := (ok everything).
Notation may := (may win candidates).
Notation askable := (askable win candidates rows).
Notation permitted := (permitted win candidates rows).
Notation solves := (solves win).
Notation cost := (cost win weight rate penalty).
Notation ask_lb := (ask_lb win candidates rows weight rate penalty).

(** ** Strategies for images *)

Section Moved.

Variable S : list nat.
Hypothesis S_ok : ok S.
Hypothesis two : 2 <= List.length S.

Variable to : nat -> nat.
Hypothesis to_onto : Permutation (map to S) S.
Hypothesis to_weight : forall s, In s S -> weight (to s) = weight s.

Definition splits_alike (r r' : row) : Prop :=
  (forall x, In x S -> price (look r' (to x)) = price (look r x) /\ won (look r' (to x)) = won (look r x)) /\
  forall x y, In x S -> In y S ->
    (key (look r x) = key (look r y) <-> key (look r' (to x)) = key (look r' (to y))).

Variable image : row -> row.
Hypothesis image_fits : forall r, In r (askable S) -> tells r S = true -> In (image r) rows /\ splits_alike r (image r).

(** The response to a guess, by the response to its image. *)
Definition back (r r' : row) (k : nat) : option nat :=
  option_map (fun s => key (look r s)) (List.find (fun s => key (look r' (to s)) =? k) S).

Lemma back_is r r' s : splits_alike r r' -> In s S -> back r r' (key (look r' (to s))) = Some (key (look r s)).
Proof.
  intros [_ A] Hs. unfold back. destruct (List.find _ S) as [x|] eqn:E.
  - apply find_some in E as [Hx E]. apply Nat.eqb_eq in E. cbn [option_map]. f_equal. apply A; assumption.
  - apply find_none with (x := s) in E; [|exact Hs]. rewrite Nat.eqb_refl in E. discriminate.
Qed.

(** The guesses that tell the set apart become their images, the others are left out ((ii)). *)
Fixpoint moved (t : tree) : tree :=
  match t with
  | Leaf => Leaf
  | Node r next =>
      if tells r S
      then Node (image r) (fun k => match back r (image r) k with Some k => moved (next k) | None => Leaf end)
      else moved (next (key (look r (hd 0 S))))
  end.

Definition asked_image (r r' : row) (next : nat -> tree) : tree :=
  Node r' (fun k => match back r r' k with Some k => moved (next k) | None => Leaf end).

Lemma may_image r r' T : splits_alike r r' -> incl T S -> may r T = true -> may r' (map to T) = true.
Proof.
  unfold PricedAsking.may. destruct candidates; [|reflexivity]. cbn [negb orb]. rewrite !existsb_exists.
  intros [A _] I [s [Hs W]]. exists (to s). split; [exact (in_map to T s Hs)|]. rewrite (proj2 (A s (I s Hs))). exact W.
Qed.

(** What is asked of a part is asked of its image. *)
Lemma leaves_image r r' T k k' : splits_alike r r' -> incl T S -> back r r' k = Some k' ->
  forall s, In s (map to (leaves win r k' T)) <-> In s (leaves win r' k (map to T)).
Proof.
  intros [A B] I E s. unfold back in E. destruct (List.find _ S) as [x|] eqn:F; [|discriminate]. injection E as <-.
  apply find_some in F as [Hx F]. apply Nat.eqb_eq in F. rewrite in_leaves, !in_map_iff. split.
  - intros [y [<- Hy]]. apply in_leaves in Hy as [Hy [K W]]. rewrite (proj2 (A y (I y Hy))), W.
    split; [exists y; auto|]. split; [|reflexivity]. rewrite <- F. exact (proj1 (B y x (I y Hy) Hx) K).
  - intros [[y [<- Hy]] [K W]]. exists y. split; [reflexivity|]. apply in_leaves.
    rewrite (proj2 (A y (I y Hy))) in W. split; [exact Hy|]. split; [|exact W].
    exact (proj2 (B y x (I y Hy) Hx) (eq_trans K (eq_sym F))).
Qed.

Lemma moved_permitted t : forall T, incl T S -> permitted t T -> permitted (moved t) (map to T).
Proof.
  induction t as [|r next IH]; intros T I; [auto|]. intros [Hr [M Ln]]. pose proof (may_incl win candidates r S T I M) as MS.
  cbn [moved]. destruct (tells r S) eqn:E.
  - destruct (image_fits r) as [F A]; [apply in_askable; auto|exact E|]. split; [exact F|].
    split; [exact (may_image r _ T A I M)|]. intros k. destruct (back r (image r) k) as [k'|] eqn:B; [|exact Logic.I].
    apply (permitted_same win candidates rows _ _ _ (leaves_image r _ T k k' A I B)). apply IH; [|apply Ln].
    intros s Hs. apply in_leaves in Hs. apply I, Hs.
  - destruct (bool_dec candidates true) as [C|C].
    + rewrite (candidate_tells win candidates rows everything everything_once one_win r S C Hr S_ok two MS) in E.
      discriminate.
    + apply not_true_is_false in C. apply IH; [exact I|]. exact (permitted_any win candidates rows _ C _ T (Ln _)).
Qed.

Lemma image_pays r r' next s : splits_alike r r' -> In s S ->
  (forall k, le (paid (moved (next k)) (to s)) (paid (next k) s)) ->
  le (paid (asked_image r r' next) (to s)) (paid (Node r next) s).
Proof.
  intros A Hs IH. unfold asked_image. cbn [PricedTheory.paid]. cbv zeta.
  destruct (proj1 A s Hs) as [-> ->]. destruct (won (look r s)); [apply le_refl|].
  apply plus_le; [apply le_refl|]. rewrite back_is by assumption. apply IH.
Qed.

Lemma image_apart r r' next x y : splits_alike r r' -> In x S -> In y S ->
  (forall k, apart (next k) x y = true -> apart (moved (next k)) (to x) (to y) = true) ->
  apart (Node r next) x y = true -> apart (asked_image r r' next) (to x) (to y) = true.
Proof.
  intros A Hx Hy IH. unfold asked_image. cbn [apart]. rewrite back_is by assumption.
  pose proof (proj2 A x y Hx Hy) as B.
  destruct (Nat.eqb_spec (key (look r x)) (key (look r y))) as [E|E],
    (Nat.eqb_spec (key (look r' (to x))) (key (look r' (to y)))) as [E'|E']; cbn [negb orb]; tauto || auto.
Qed.

Lemma moved_pays t s : legal (askable S) t -> In s S -> le (paid (moved t) (to s)) (paid t s).
Proof.
  intros Lt Hs. induction t as [|r next IH]; [apply le_refl|]. destruct Lt as [Hr Ln]. cbn [moved].
  destruct (tells r S) eqn:T.
  - apply image_pays; [apply image_fits; assumption|exact Hs|]. intros k. apply IH, Ln.
  - destruct (useless_for win everything everything_once (askable S) (askable_wins_once win candidates rows everything one_win S) r S Hr S_ok two T s Hs) as [K W].
    apply (le_trans _ _ _ (IH _ (Ln _))). apply paid_next; assumption.
Qed.

Lemma moved_apart t x y : legal (askable S) t -> In x S -> In y S -> apart t x y = true ->
  apart (moved t) (to x) (to y) = true.
Proof.
  intros Lt Hx Hy. induction t as [|r next IH]; [discriminate|]. destruct Lt as [Hr Ln]. cbn [moved].
  destruct (tells r S) eqn:T.
  - apply image_apart; [apply image_fits; assumption|exact Hx|exact Hy|]. intros k. apply IH, Ln.
  - intros H. apply IH; [apply Ln|]. cbn [apart] in H.
    pose proof (useless_for win everything everything_once (askable S) (askable_wins_once win candidates rows everything one_win S) r S Hr S_ok two T) as U.
    rewrite (proj1 (U x Hx)), (proj1 (U y Hy)), Nat.eqb_refl in H. exact H.
Qed.

(** What an image costs that is asked first, the guess costs. *)
Lemma image_asked r r' l b : splits_alike r r' -> ask_lb l r' S b -> ask_lb l r S b.
Proof.
  intros A H next Ln Ht. set (t := asked_image r r' next).
  assert (L : forall k, legal (askable S) (next k)).
  { intros k. apply (permitted_legal win candidates rows (next k) S (leaves win r k S)); [|apply Ln].
    intros s Hs. apply in_leaves in Hs. apply Hs. }
  assert (P : forall s, In s S -> le (paid t (to s)) (paid (Node r next) s)).
  { intros s Hs. apply image_pays; [exact A|exact Hs|]. intros k. apply moved_pays; [apply L|exact Hs]. }
  assert (Onto : forall s, In s S -> exists x, In x S /\ to x = s).
  { intros s Hs. apply (Permutation_in _ (Permutation_sym to_onto)) in Hs. apply in_map_iff in Hs as [x [E Hx]].
    exists x. auto. }
  assert (Ht' : solves t S).
  { destruct Ht as [H1 H2]. split.
    - intros s Hs. destruct (Onto s Hs) as [x [Hx <-]]. specialize (P x Hx). specialize (H1 x Hx).
      destruct (paid (Node r next) x); [|contradiction]. destruct (paid t (to x)); [discriminate|destruct P].
    - intros W x y Hx Hy N. destruct (Onto x Hx) as [x0 [Hx0 <-]], (Onto y Hy) as [y0 [Hy0 <-]].
      apply image_apart; [exact A|exact Hx0|exact Hy0| |apply H2; [exact W|exact Hx0|exact Hy0|congruence]].
      intros k. apply moved_apart; [apply L|exact Hx0|exact Hy0]. }
  eapply le_trans; [apply H; [|exact Ht']|].
  { intros k. cbv beta. destruct (back r r' k) as [k'|] eqn:B; [|exact I].
    apply (permitted_same win candidates rows _ (map to (leaves win r k' S))).
    - intros s. rewrite (leaves_image r r' S k k' A (incl_refl S) B). apply leaves_same.
      intros x. split; apply Permutation_in; [exact to_onto|exact (Permutation_sym to_onto)].
    - apply moved_permitted; [|apply Ln]. intros s Hs. apply in_leaves in Hs. apply Hs. }
  unfold PricedTheory.cost. fold t. rewrite <- (total_perm _ _ _ to_onto), total_map. apply total_le. intros s Hs.
  unfold each. rewrite (to_weight s Hs). apply times_le, per_mono, P, Hs.
Qed.

End Moved.

(** ** Reading a renaming *)

Variable secret_in : text -> option nat.

Definition seen_by (r : row) (S : list nat) : pattern :=
  map (fun s => let c := look r s in (key c, 2 * price c + Nat.b2n (won c))) S.

Definition keeps (to fro : nat -> nat) (S : list nat) : bool :=
  forallb (fun s => (fro (to s) =? s) && existsb (Nat.eqb (to s)) S && (weight (to s) =? weight s)) S.

Definition images_by (to : nat -> nat) (S : list nat) : option (list (nat * nat)) :=
  images_in (by_shape (map (fun gr => (fst gr, seen_by (snd gr) (map to S))) numbered))
    (map (fun gr => (fst gr, seen_by (snd gr) S)) (filter (fun gr => may (snd gr) S) numbered)).

(** The guesses that the renaming in the next words makes equal, and the words behind it. *)
Definition renaming (S : list nat) (words : list text) : option (list (nat * nat) * list text) :=
  match cycles_in secret_in words [] [] with
  | Some (cycles, words) =>
      let to := goes (moves_of cycles) in
      let fro := goes (turned (moves_of cycles)) in
      if well_formed cycles S && (2 <=? List.length S) && keeps to fro S && keeps fro to S then
        match images_by to S, images_by fro S with
        | Some l, Some _ => Some (turned l ++ l, words)
        | _, _ => None
        end
      else None
  | None => None
  end.

Hypothesis numbers_once : forall g r r', In (g, r) numbered -> In (g, r') numbered -> r = r'.

(** A guess is cleared if it is shown to cost so much when it is asked first. *)
Definition cleared (l : bound) (S : list nat) (b : bound) (g : nat) : Prop :=
  forall r, In (g, r) numbered -> ask_lb l r S b.

Lemma seen_by_once r S : S <> [] -> one_response (seen_by r S) = negb (tells r S).
Proof.
  intros N. destruct S as [|x S]; [contradiction|]. unfold seen_by. cbn [map one_response tells fst].
  induction S as [|y S IH]; [reflexivity|]. cbn [map forallb existsb fst].
  rewrite IH, negb_orb, negb_involutive by discriminate. reflexivity.
Qed.

Lemma seen_alike r r' S to : split_alike (seen_by r S) (seen_by r' (map to S)) = true -> splits_alike S to r r'.
Proof.
  intros E. unfold seen_by in E. rewrite map_map in E. apply split_alike_true in E as [A B]. split; [|exact B].
  intros x Hx. specialize (A x Hx). cbn [snd] in A.
  destruct (won (look r x)), (won (look r' (to x))); cbn in A; split; lia || reflexivity.
Qed.

Lemma keeps_true to fro S : NoDup S -> keeps to fro S = true ->
  Permutation (map to S) S /\ forall s, In s S -> fro (to s) = s /\ In (to s) S /\ weight (to s) = weight s.
Proof.
  intros D K. assert (A : forall s, In s S -> fro (to s) = s /\ In (to s) S /\ weight (to s) = weight s).
  { intros s Hs. pose proof (proj1 (forallb_forall _ _) K s Hs) as Q. apply andb_prop in Q as [Q Q3].
    apply andb_prop in Q as [Q1 Q2]. apply Nat.eqb_eq in Q1, Q3. apply existsb_exists in Q2 as [x [Hx Q2]].
    apply Nat.eqb_eq in Q2. rewrite Q2 at 2. auto. }
  split; [|exact A]. apply NoDup_Permutation_bis; [|rewrite map_length; apply le_n|].
  - apply (NoDup_map_inv fro). rewrite map_map, (map_ext_in _ (fun s => s)) by (intros s Hs; apply A, Hs).
    rewrite map_id. exact D.
  - intros s Hs. apply in_map_iff in Hs as [x [<- Hx]]. apply A, Hx.
Qed.

Lemma in_patterns (f : row -> pattern) g p grs : In (g, p) (map (fun gr : nat * row => (fst gr, f (snd gr))) grs) ->
  exists r, In (g, r) grs /\ p = f r.
Proof. intros H. apply in_map_iff in H as [[g' r] [[= <- <-] H]]. exists r. auto. Qed.

(** A guess is cleared if its image is. *)
Lemma image_clears to fro S l b ls : ok S -> 2 <= List.length S -> keeps to fro S = true ->
  images_by to S = Some ls -> forall g h r r', In (g, r) numbered -> In (h, r') numbered -> splits_alike S to r r' ->
  cleared l S b h -> cleared l S b g.
Proof.
  intros O N K E g h r r' Hg Hh A C r0 Hr0. rewrite (numbers_once g r0 r Hr0 Hg).
  destruct (keeps_true to fro S (ok_once everything everything_once S O) K) as [P Q].
  assert (NE : S <> []) by (intros ->; cbn in N; lia).
  apply images_in_true in E as [_ E].
  set (fits r r' := split_alike (seen_by r S) (seen_by r' (map to S))).
  set (image r := match List.find (fits r) rows with Some r' => r' | None => r end).
  apply (image_asked S O N to P) with (image := image) (r' := r'); [intros s Hs; apply Q, Hs| |exact A|apply C, Hh].
  intros r1 Hr1 T. apply in_askable in Hr1 as [Hr1 M]. rewrite rows_are in Hr1. apply in_map_iff in Hr1 as [[g1 r2] [Er Hr1]]. cbn [snd] in Er. subst r2.
  destruct (E g1 (seen_by r1 S)) as [h1 [p [_ [H1 H2]]]].
  - apply in_map_iff. exists (g1, r1). split; [reflexivity|]. apply filter_In. auto.
  - rewrite seen_by_once, T by exact NE. reflexivity.
  - apply (in_patterns (fun r => seen_by r (map to S))) in H1 as [r1' [H1 ->]].
    unfold image. destruct (List.find (fits r1) rows) as [r1''|] eqn:F.
    + apply find_some in F as [F1 F2]. split; [exact F1|apply seen_alike, F2].
    + exfalso. apply find_none with (x := r1') in F; [|rewrite rows_are; apply in_map_iff; exists (h1, r1'); auto].
      unfold fits in F. congruence.
Qed.

Lemma splits_back to fro S r r' : (forall s, In s S -> In (fro s) S /\ to (fro s) = s) ->
  splits_alike S to r r' -> splits_alike S fro r' r.
Proof.
  intros A [B C]. split.
  - intros x Hx. destruct (A x Hx) as [A1 A2]. destruct (B (fro x) A1) as [B1 B2]. rewrite A2 in B1, B2. auto.
  - intros x y Hx Hy. destruct (A x Hx) as [A1 A2], (A y Hy) as [A3 A4]. pose proof (C _ _ A1 A3) as Q.
    rewrite A2, A4 in Q. symmetry. exact Q.
Qed.

Lemma renaming_true S l b words ls rest : ok S -> renaming S words = Some (ls, rest) ->
  forall a, In a ls -> arrow_true (cleared l S b) a.
Proof.
  intros O E a Ha. unfold renaming in E. destruct (cycles_in _ _ _ _) as [[cycles words']|]; [|discriminate].
  cbv zeta in E. set (to := goes (moves_of cycles)) in E. set (fro := goes (turned (moves_of cycles))) in E.
  destruct (_ && _) eqn:Q in E; [|discriminate]. apply andb_prop in Q as [Q K']. apply andb_prop in Q as [Q K].
  apply andb_prop in Q as [_ N]. apply Nat.leb_le in N. clearbody to fro.
  destruct (images_by to S) as [lt|] eqn:E1; [|discriminate].
  destruct (images_by fro S) as [lf|] eqn:E2; [|discriminate].
  injection E as <- _. pose proof (ok_once everything everything_once S O) as D.
  assert (F : forall g h, In (g, h) lt ->
    exists r r', In (g, r) numbered /\ In (h, r') numbered /\ splits_alike S to r r').
  { intros g h H. pose proof E1 as X. apply images_in_true in X as [X _].
    destruct (X g h H) as [p [p' [H1 [_ [H2 H3]]]]].
    apply (in_patterns (fun r => seen_by r S)) in H1 as [r [H1 ->]]. apply filter_In in H1 as [H1 _].
    apply (in_patterns (fun r => seen_by r (map to S))) in H2 as [r' [H2 ->]]. exists r, r'.
    split; [exact H1|]. split; [exact H2|apply seen_alike, H3]. }
  apply in_app_or in Ha as [Ha|Ha].
  - apply in_map_iff in Ha as [[g h] [<- Ha]]. destruct (F g h Ha) as [r [r' [H1 [H2 H3]]]].
    unfold arrow_true. cbn [fst snd]. exact (image_clears to fro S l b lt O N K E1 g h r r' H1 H2 H3).
  - destruct a as [g h]. destruct (F g h Ha) as [r [r' [H1 [H2 H3]]]]. unfold arrow_true. cbn [fst snd].
    apply (image_clears fro to S l b lf O N K' E2 h g r' r H2 H1). apply (splits_back to fro); [|exact H3].
    intros s Hs. destruct (keeps_true fro to S D K') as [_ X]. destruct (X s Hs) as [X1 [X2 _]]. auto.
Qed.

End Renamings.
