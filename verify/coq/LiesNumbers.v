(** Games with lies as numbers: what is shown of numbers is a fact about the game. *)

From Coq Require Import List Arith Bool Lia Permutation Mergesort Orders.
From Proof Require Import Theory Store Text LiesGame Orbits LiesTheory LiesChecker.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Lists of things found by number *)

Definition numbered {A} (l : list A) : store (nat * A) :=
  fold_left (fun t ia => insert (fst ia) ia t) (combine (seq 0 (List.length l)) l) Nil.

Definition at_number {A} (t : store (nat * A)) (i : nat) : option A :=
  option_map snd (List.find (fun e => fst e =? i) (Store.find i t)).

Lemma at_number_is A (l : list A) i a : at_number (numbered l) i = Some a -> nth_error l i = Some a.
Proof.
  intros H. assert (S : Store.all (fun e => nth_error l (fst e) = Some (snd e)) (numbered l)).
  { unfold numbered. apply (fold_keeps (Store.all _)); [|exact I]. intros t [j b] Hj Ht.
    apply all_insert; [|exact Ht]. apply in_numbers, Hj. }
  unfold at_number in H. destruct (List.find _ _) as [e|] eqn:E; [|discriminate]. injection H as <-.
  apply find_some in E as [E1 E2]. apply Nat.eqb_eq in E2. subst i. exact (all_find _ _ _ _ _ S E1).
Qed.

(** ** A game as numbers, and what is shown of numbers as a fact about the game *)

Definition wins (G : goal) : bool := match G with Win => true | Identify => false end.

Definition column_in (t : store (nat * list nat)) (i : nat) : list nat :=
  match at_number t i with Some c => c | None => [] end.

(** Nothing if the proof is accepted; otherwise how many words are left. [t]: the columns of [secrets] secrets, their
    responses to [guesses] guesses; [first]: the number of the first guess. *)
Definition refused (G : goal) (guesses secrets lies : nat) (t : store (nat * list nat))
    (guess_in secret_in : text -> option nat)
    (renaming : list (list nat) -> state -> list text -> option (list (nat * nat) * list text))
    (d : nat) (first : option nat) (proof : list text) : option nat :=
  let col := column_in t in
  let all := whole secrets lies in
  let rs := rows guesses col all in
  let table := table_of (wins G) (most_kinds rs) secrets lies in
  if forallb (fun i => List.length (col i) =? guesses) (seq 0 secrets) &&
     forallb (fun row => List.length (filter (Nat.eqb 0) row) <=? 1) rs && (d <? List.length table)
  then refusal (wins G) guesses secrets lies col table rs guess_in secret_in (renaming rs) proof d first
  else Some (List.length proof).

Section Game.

Context {Guess Secret Response : Type}.

Variable guesses : list Guess.
Variable secrets : list Secret.
Variable says : Guess -> Secret -> Response.
Variable ends : Guess -> Secret -> bool.
Variable G : goal.
Variable number : Guess -> Response -> nat.  (* of what a guess gets *)
Variable response : Guess -> nat -> Response.
Variable guess_number : Guess -> nat.
Variable secret_number : Secret -> nat.

Definition reply (s : Secret) (g : Guess) : nat := if ends g s then 0 else S (number g (says g s)).

(** Of each secret its responses. *)
Definition columns : store (nat * list nat) := numbered (map (fun s => map (reply s) guesses) secrets).

Hypothesis response_number : forall g s, In g guesses -> In s secrets ->
  response g (number g (says g s)) = says g s.
Hypothesis guess_is : forall g, In g guesses -> nth_error guesses (guess_number g) = Some g.
Hypothesis secret_is : forall i s, nth_error secrets i = Some s -> secret_number s = i.

Let M := List.length guesses.
Let N := List.length secrets.
Let col := column_in columns.

Hypothesis col_length : forall i, i < N -> List.length (col i) = M.

Lemma col_is i s : M <> 0 -> nth_error secrets i = Some s -> col i = map (reply s) guesses.
Proof using col_length.
  intros Z H. assert (Hi : i < N) by (apply nth_error_Some; rewrite H; discriminate).
  pose proof (col_length i Hi) as L. unfold col, column_in in *.
  destruct (at_number columns i) as [c|] eqn:E; [|destruct (Z (eq_sym L))]. apply at_number_is in E.
  rewrite (map_nth_error (fun s => map (reply s) guesses) _ _ H) in E. congruence.
Qed.

Lemma resp_is i j g s : nth_error guesses i = Some g -> nth_error secrets j = Some s -> resp col i j = reply s g.
Proof using col_length.
  intros Hg Hs. unfold resp. rewrite (col_is j s).
  - apply nth_error_nth. apply map_nth_error, Hg.
  - intros Z. apply length_zero_iff_nil in Z. rewrite Z in Hg. destruct i; discriminate.
  - exact Hs.
Qed.

Fixpoint tree_of (t : strategy) : tree :=
  match t with
  | Name x => Leaf (secret_number x)
  | Ask g next => Node (guess_number g) (fun r => tree_of (next (response g (pred r))))
  end.

Lemma succeeds_ok t : forall d l i s, nth_error secrets i = Some s ->
  succeeds guesses secrets says ends G t d l s -> ok (wins G) M N (resp col) (tree_of t) d l i.
Proof.
  induction t as [x|g next IH]; intros d l i s Hi H; cbn [succeeds tree_of ok] in *.
  - destruct H as [H ->]. split; [rewrite H; reflexivity|exact (secret_is i s Hi)].
  - destruct d as [|d]; [exact H|]. destruct H as [Hg H]. pose proof (guess_is g Hg) as E.
    split; [apply nth_error_Some; unfold M; rewrite E; discriminate|].
    rewrite (resp_is _ _ g s E Hi). unfold reply.
    destruct (ends g s) eqn:W; [left; reflexivity|]. destruct H as [H|[H1 H2]]; [discriminate|right].
    pose proof (nth_error_In _ _ Hi) as Is. split.
    + cbn [pred]. rewrite (response_number g s Hg Is). exact (IH _ d l i s Hi H1).
    + intros r [Z [j [Hj R]]] D L. destruct (nth_error secrets j) as [s'|] eqn:Ej;
        [|apply nth_error_None in Ej; unfold N in Hj; lia].
      rewrite (resp_is _ _ g s' E Ej) in R. unfold reply in R. destruct (ends g s') eqn:W'; [congruence|].
      subst r. cbn [pred]. rewrite (response_number g s' Hg (nth_error_In _ _ Ej)).
      apply (IH _ d (l - 1) i s Hi). apply H2; [|congruence|exact L].
      exists s'. split; [exact (nth_error_In _ _ Ej)|auto].
Qed.

Lemma claimed_unsettled first d lies :
  claimed (wins G) M N col (whole N lies) d (option_map guess_number first) ->
  unsettled guesses secrets says ends G first d lies.
Proof.
  intros H [t [Hf Ht]].
  assert (T : settles (wins G) M N (resp col) (tree_of t) d (whole N lies)).
  { intros i l Hi. apply in_map_iff in Hi as [x [[= -> <-] Hi]]. apply in_seq in Hi.
    destruct (nth_error secrets i) as [s|] eqn:Es; [|apply nth_error_None in Es; unfold N in Hi; lia].
    exact (succeeds_ok t d lies i s Es (Ht s (nth_error_In _ _ Es))). }
  destruct first as [g|]; cbn [option_map claimed] in H; [|exact (H (tree_of t) T)].
  destruct Hf as [next ->]. exact (H _ T).
Qed.

End Game.

Section Refused.

Variable G : goal.
Variables guesses secrets lies : nat.
Variable t : store (nat * list nat).
Variable guess_in secret_in : text -> option nat.
Variable renaming : list (list nat) -> state -> list text -> option (list (nat * nat) * list text).

Let col := column_in t.

Hypothesis never : (forall i, i < secrets -> List.length (col i) = guesses) -> G = Identify ->
  forall g s, g < guesses -> s < secrets -> resp col g s <> 0.
Hypothesis renaming_true : (forall i, i < secrets -> List.length (col i) = guesses) ->
  (forall g s s', g < guesses -> s < secrets -> s' < secrets -> resp col g s = 0 -> resp col g s' = 0 -> s = s') ->
  forall X words l rest, good secrets lies X ->
  renaming (rows guesses col (whole secrets lies)) X words = Some (l, rest) ->
  forall d a, In a l -> arrow_true (cleared (wins G) guesses secrets col X d) a.

Lemma at_most_one row : List.length (filter (Nat.eqb 0) row) <= 1 ->
  forall i j, nth_error row i = Some 0 -> nth_error row j = Some 0 -> i = j.
Proof.
  induction row as [|x row IH]; intros H [|i] [|j] Hi Hj; cbn in *; try discriminate; [reflexivity| | |].
  - injection Hi as ->. cbn in H. apply nth_error_In in Hj.
    assert (In 0 (filter (Nat.eqb 0) row)) as I by (apply filter_In; auto).
    destruct (filter _ row); [destruct I|cbn in H; lia].
  - injection Hj as ->. cbn in H. apply nth_error_In in Hi.
    assert (In 0 (filter (Nat.eqb 0) row)) as I by (apply filter_In; auto).
    destruct (filter _ row); [destruct I|cbn in H; lia].
  - f_equal. apply IH; [destruct x; cbn in H; lia|assumption|assumption].
Qed.

Lemma refused_true d first proof :
  refused G guesses secrets lies t guess_in secret_in renaming d first proof = None ->
  (forall i, i < secrets -> List.length (col i) = guesses) /\
  claimed (wins G) guesses secrets col (whole secrets lies) d first.
Proof.
  unfold refused. cbv zeta. fold col. set (rs := rows guesses col (whole secrets lies)).
  destruct (_ && _) eqn:E; [|discriminate]. apply andb_prop in E as [E _]. apply andb_prop in E as [E1 E2]. intros H.
  assert (L : forall i, i < secrets -> List.length (col i) = guesses).
  { intros i Hi. apply Nat.eqb_eq. apply (proj1 (forallb_forall _ _) E1). apply in_seq. lia. }
  split; [exact L|].
  assert (R : rs = map (row col (whole secrets lies)) (seq 0 guesses)) by apply rows_are.
  assert (W : forall g, row col (whole secrets lies) g = map (resp col g) (seq 0 secrets))
    by (intros g; unfold row, whole; rewrite map_map; reflexivity).
  assert (once : forall g s s', g < guesses -> s < secrets -> s' < secrets -> resp col g s = 0 -> resp col g s' = 0 ->
    s = s').
  { intros g s s' Hg Hs Hs' A B.
    assert (Q : forall x, x < secrets -> nth_error (map (resp col g) (seq 0 secrets)) x = Some (resp col g x)).
    { intros x Hx. apply map_nth_error. rewrite nth_error_nth' with (d := 0) by (rewrite seq_length; exact Hx).
      rewrite seq_nth by exact Hx. reflexivity. }
    apply (at_most_one (map (resp col g) (seq 0 secrets))).
    - apply Nat.leb_le. apply (proj1 (forallb_forall _ _) E2). rewrite R, <- W. apply in_map, in_seq. lia.
    - rewrite (Q s Hs), A. reflexivity.
    - rewrite (Q s' Hs'), B. reflexivity. }
  destruct (most_kinds_bounds rs) as [K1 K2].
  apply (refusal_true (wins G) guesses secrets lies col _ rs _ _ _ (most_kinds rs)) with (7 := renaming_true L once) (8 := H).
  - intros e us bs Q. exact (table_of_is (wins G) (most_kinds rs) secrets lies e us bs Q).
  - rewrite R. apply map_ext. exact W.
  - exact K1.
  - intros g Hg. exists (kinds (row col (whole secrets lies) g) []). split; [|split].
    + apply K2. rewrite R. apply in_map, in_seq. lia.
    + apply kinds_once. constructor.
    + intros r. rewrite W. split.
      * intros I. apply kinds_in in I as [[]|[Z I]]. split; [exact Z|]. apply in_map_iff in I as [x [I Hx]].
        apply in_seq in Hx. exists x. split; [lia|exact I].
      * intros [Z [x [Hx I]]]. apply kinds_all. right. split; [exact Z|]. rewrite <- I. apply in_map, in_seq. lia.
  - exact once.
  - intros F. apply (never L). destruct G; [discriminate|reflexivity].
Qed.

End Refused.

(** ** Renamings as lists of images *)

Module Rising <: TotalLeBool.
  Definition t := (nat * nat)%type.
  Definition leb (a b : t) := (fst a <? fst b) || (fst a =? fst b) && (snd a <=? snd b).
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof.
    unfold leb. destruct (Nat.ltb_spec (fst x) (fst y)); [auto|]. destruct (Nat.ltb_spec (fst y) (fst x)); [auto|].
    assert (fst x = fst y) as -> by lia. rewrite Nat.eqb_refl. cbn. rewrite !Nat.leb_le. lia.
  Qed.
End Rising.
Module Sorting := Sort Rising.

(** Whether a renaming, the list of all images, maps a set onto itself. *)
Definition keeps (images : list nat) (X : state) : bool :=
  same_state (Sorting.sort (map (fun m => (nth (fst m) images (fst m), snd m)) X)) X.

Lemma kept images X : keeps images X = true ->
  Permutation (map (fun m => (nth (fst m) images (fst m), snd m)) X) X.
Proof. intros H. apply same_state_eq in H. rewrite <- H at 2. apply Sorting.Permuted_sort. Qed.
