(** Renamings of secrets as certificates give them: cycles; rows of guesses that split alike, found and compared;
    orbits of guesses. *)

From Coq Require Import Ascii String List Arith Bool.
From Proof Require Import Lists Store Text.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Cycles *)

(** Cycles with [/] between, up to [;], and the words behind. Backwards: the cycle at hand, those before. *)
Fixpoint cycles_in (secret_in : text -> option nat) (words : list text) (now : list nat) (done : list (list nat))
    : option (list (list nat) * list text) :=
  match words with
  | [] => None
  | w :: words =>
      if spells ";" w then Some (rev' now :: done, words)
      else if spells "/" w then cycles_in secret_in words [] (rev' now :: done)
      else match secret_in w with Some s => cycles_in secret_in words (s :: now) done | None => None end
  end.

Fixpoint distinct (l : list nat) : bool :=
  match l with [] => true | x :: l => negb (existsb (Nat.eqb x) l) && distinct l end.

(** Cycles of two secrets or more, each in one of them at most, all in the set. *)
Definition well_formed (cycles : list (list nat)) (S : list nat) : bool :=
  let named := concat cycles in
  forallb (fun c => 2 <=? List.length c) cycles && distinct named &&
  forallb (fun s => existsb (Nat.eqb s) S) named.

(** Each goes to the next one, the last to the first. *)
Definition moves_of (cycles : list (list nat)) : list (nat * nat) :=
  flat_map (fun c => combine c (tl c ++ firstn 1 c)) cycles.

Definition turned {A B} (l : list (A * B)) : list (B * A) := map (fun m => (snd m, fst m)) l.

(** Where a secret goes by a list of moves; all others stay. *)
Definition goes (moves : list (nat * nat)) (s : nat) : nat :=
  match List.find (fun m => fst m =? s) moves with Some m => snd m | None => s end.

(** ** Rows that split alike *)

(** The pattern of a row: a response for each secret of a set, and a number that an image has in common. *)
Definition pattern := list (nat * nat).

Fixpoint pairs_in (l met : list (nat * nat)) : list (nat * nat) :=
  match l with
  | [] => met
  | p :: l => pairs_in l (if existsb (fun q => (fst q =? fst p) && (snd q =? snd p)) met then met else p :: met)
  end.

(** By the pairs of responses that there are. *)
Definition split_alike (a b : pattern) : bool :=
  let ps := pairs_in (combine (map fst a) (map fst b)) [] in
  forallb (fun x => snd (fst x) =? snd (snd x)) (combine a b) &&
  forallb (fun x => forallb (fun y => Bool.eqb (fst x =? fst y) (snd x =? snd y)) ps) ps.

(** A number that rows have in common if they split alike: only a way to find them. *)
Fixpoint place_of (x i : nat) (l : list nat) : nat :=
  match l with [] => i | y :: l => if x =? y then i else place_of x (S i) l end.

Fixpoint shape (row : pattern) (met : list nat) (h : nat) : nat :=
  match row with
  | [] => h
  | (q, kept) :: row =>
      let i := place_of q 1 met in
      let met := if existsb (Nat.eqb q) met then met else met ++ [q] in
      shape row met (Nat.modulo (31 * (31 * h + i) + kept) (Nat.pow 2 20))
  end.

Definition by_shape (rows : list (nat * pattern)) : store (nat * pattern) :=
  fold_left (fun t gr => insert (shape (snd gr) [] 0) gr t) rows Nil.

Definition image_in (t : store (nat * pattern)) (row : pattern) : option nat :=
  option_map fst (List.find (fun e => split_alike row (snd e)) (Store.find (shape row [] 0) t)).

Definition one_response (row : pattern) : bool :=
  match row with [] => true | c :: row => forallb (fun d => fst d =? fst c) row end.

(** The image of each guess that tells the secrets apart; none, if one has no image. *)
Fixpoint images_in (t : store (nat * pattern)) (rows : list (nat * pattern)) : option (list (nat * nat)) :=
  match rows with
  | [] => Some []
  | (g, row) :: rows =>
      match images_in t rows with
      | None => None
      | Some l =>
          if one_response row then Some l
          else match image_in t row with Some h => Some ((g, h) :: l) | None => None end
      end
  end.

Lemma pairs_in_all p l : forall met, In p met \/ In p l -> In p (pairs_in l met).
Proof.
  induction l as [|q l IH]; intros met H; cbn [pairs_in]; [destruct H as [H|[]]; exact H|].
  destruct (existsb _ met) eqn:E; apply IH.
  - destruct H as [H|[->|H]]; [auto| |auto]. left. apply existsb_exists in E as [[a b] [I E]].
    apply andb_prop in E as [E1 E2]. apply Nat.eqb_eq in E1, E2. destruct p. cbn in *. subst. exact I.
  - destruct H as [H|[->|H]]; [left; right; exact H|left; left; reflexivity|right; exact H].
Qed.

Lemma in_combine_maps {A B C} (f : A -> B) (h : A -> C) D x : In x D -> In (f x, h x) (combine (map f D) (map h D)).
Proof. induction D as [|y D IH]; [intros []|]. intros [->|H]; [left; reflexivity|right; exact (IH H)]. Qed.

Lemma split_alike_true {A} (f h : A -> nat * nat) D : split_alike (map f D) (map h D) = true ->
  (forall x, In x D -> snd (f x) = snd (h x)) /\
  forall x y, In x D -> In y D -> (fst (f x) = fst (f y) <-> fst (h x) = fst (h y)).
Proof.
  unfold split_alike. cbv zeta. rewrite !map_map. set (ps := pairs_in _ _). intros E. apply andb_prop in E as [K E].
  assert (I : forall x, In x D -> In (fst (f x), fst (h x)) ps).
  { intros x Hx. apply pairs_in_all. right.
    exact (in_combine_maps (fun x => fst (f x)) (fun x => fst (h x)) D x Hx). }
  split.
  - intros x Hx. apply Nat.eqb_eq. exact (proj1 (forallb_forall _ _) K _ (in_combine_maps f h D x Hx)).
  - intros x y Hx Hy. pose proof (proj1 (forallb_forall _ _) E _ (I x Hx)) as A1.
    pose proof (proj1 (forallb_forall _ _) A1 _ (I y Hy)) as B1. apply eqb_prop in B1. cbn [fst snd] in B1.
    destruct (Nat.eqb_spec (fst (f x)) (fst (f y))), (Nat.eqb_spec (fst (h x)) (fst (h y))); try discriminate; tauto.
Qed.

Lemma image_in_true onto row h : image_in (by_shape onto) row = Some h ->
  exists row', In (h, row') onto /\ split_alike row row' = true.
Proof.
  assert (A : Store.all (fun e => In e onto) (by_shape onto)).
  { unfold by_shape. apply (fold_keeps (Store.all _)); [|exact I]. intros t e He Ht. apply all_insert; assumption. }
  unfold image_in. destruct (List.find _ _) as [[g row']|] eqn:E; [|discriminate]. intros [= <-].
  apply find_some in E as [E1 E2]. exists row'. split; [exact (all_find _ _ _ _ _ A E1)|exact E2].
Qed.

Lemma images_in_true onto : forall from l, images_in (by_shape onto) from = Some l ->
  (forall g h, In (g, h) l -> exists row row', In (g, row) from /\ one_response row = false /\ In (h, row') onto /\
    split_alike row row' = true) /\
  forall g row, In (g, row) from -> one_response row = false ->
    exists h row', In (g, h) l /\ In (h, row') onto /\ split_alike row row' = true.
Proof.
  induction from as [|[g row] from IH]; intros l E; cbn [images_in] in E.
  - injection E as <-. split; [intros g h []|intros g row []].
  - destruct (images_in _ from) as [l'|]; [|discriminate]. destruct (IH l' eq_refl) as [A B].
    assert (A' : forall g' h, In (g', h) l' -> exists row0 row', In (g', row0) ((g, row) :: from) /\
      one_response row0 = false /\ In (h, row') onto /\ split_alike row0 row' = true).
    { intros g' h H. destruct (A g' h H) as [r [r' [H1 H2]]]. exists r, r'. split; [right; exact H1|exact H2]. }
    destruct (one_response row) eqn:O.
    + injection E as <-. split; [exact A'|]. intros g' row0 [[= <- <-]|H] N; [congruence|exact (B g' row0 H N)].
    + destruct (image_in _ row) as [h|] eqn:J; [|discriminate]. injection E as <-.
      apply image_in_true in J as [row' [J1 J2]]. split.
      * intros g' h' [[= <- <-]|H]; [|exact (A' g' h' H)]. exists row, row'. split; [left; reflexivity|auto].
      * intros g' row0 [[= <- <-]|H] N; [exists h, row'; split; [left; reflexivity|auto]|].
        destruct (B g' row0 H N) as [h' [r' [B1 B2]]]. exists h', r'. split; [right; exact B1|exact B2].
Qed.

(** ** Orbits *)

(** Of two guesses (g, h): if g is cleared, so is h. *)
Definition arrows := store (nat * nat).

Definition add_arrows (l : list (nat * nat)) (to : arrows) : arrows := fold_left (fun t a => insert (fst a) a t) l to.

Definition passed_in (g : nat) (passed : store nat) : bool := existsb (Nat.eqb g) (find g passed).

Fixpoint spread (fuel : nat) (to : arrows) (work : list nat) (passed : store nat) : store nat :=
  match fuel, work with
  | S fuel, g :: work =>
      let from := map snd (filter (fun a => fst a =? g) (find g to)) in
      let news := filter (fun h => negb (passed_in h passed)) from in
      spread fuel to (news ++ work) (fold_left (fun p h => insert h h p) news passed)
  | _, _ => passed
  end.

(** A guess passes, and with it those that arrows lead to; [many]: how many arrows there are at most. *)
Definition pass_with (many : nat) (to : arrows) (g : nat) (passed : store nat) : store nat :=
  spread (S many) to [g] (insert g g passed).

Section Passing.

Variable cleared : nat -> Prop.

Definition arrow_true (a : nat * nat) : Prop := cleared (fst a) -> cleared (snd a).

Lemma passed_true g passed : all cleared passed -> passed_in g passed = true -> cleared g.
Proof.
  intros H E. apply existsb_exists in E as [h [Hh E]]. apply Nat.eqb_eq in E. subst h. exact (all_find _ _ _ _ _ H Hh).
Qed.

Lemma add_arrows_true l to : (forall a, In a l -> arrow_true a) -> all arrow_true to ->
  all arrow_true (add_arrows l to).
Proof.
  intros H. apply (fold_keeps (all arrow_true)). intros t a Ha Ht. apply all_insert; [exact (H a Ha)|exact Ht].
Qed.

Lemma spread_true to : all arrow_true to -> forall fuel work passed,
  Forall cleared work -> all cleared passed -> all cleared (spread fuel to work passed).
Proof.
  intros A. induction fuel as [|fuel IH]; intros [|g work] passed W H; try exact H. cbn [spread].
  inversion W as [|? ? W1 W2]; subst. set (news := filter _ _). assert (N : Forall cleared news).
  { apply Forall_forall. intros h Hh. apply filter_In in Hh as [Hh _]. apply in_map_iff in Hh as [[i j] [<- Hh]].
    apply filter_In in Hh as [Hh E]. apply Nat.eqb_eq in E. cbn in *. subst i. exact (all_find _ _ _ _ _ A Hh W1). }
  apply IH; [apply Forall_app; auto|]. clearbody news.
  apply (fold_keeps (all cleared)); [|exact H]. intros p h Hh Hp. apply all_insert; [|exact Hp].
  exact (proj1 (Forall_forall cleared news) N h Hh).
Qed.

Lemma pass_with_true to many g passed : all arrow_true to -> cleared g -> all cleared passed ->
  all cleared (pass_with many to g passed).
Proof. intros A C H. apply spread_true; [exact A|auto|apply all_insert; assumption]. Qed.

End Passing.
