(** The games of the statement as numbers: answers as bytes, and why bounds of numbers are bounds of games. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import Text Store Vector Theory Counting Trees HardTrees Plain Game.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

Lemma same_eq a b : same a b = true <-> a = b.
Proof. unfold same. destruct (list_eq_dec Nat.eq_dec a b); split; congruence. Qed.

(** ** Strategies as trees *)

Section Numbers.

Variable c : claim.

Let G := questions_of (of c).

Variable ans : nat -> nat -> nat.
Variable may : list nat -> nat -> Prop.

Let one := match aim c with Win => false | Identify => true end.

Definition all_secrets : list nat := seq 0 (secrets G).

Hypothesis ans_ends : forall g s, g < guesses G -> s < secrets G -> (ans g s = 0 <-> ends c g s = true).
Hypothesis ans_response : forall g s s', g < guesses G -> s < secrets G -> s' < secrets G ->
  ends c g s = false -> ends c g s' = false -> (ans g s = ans g s' <-> response G g s = response G g s').
Hypothesis may_ask : forall some g, incl some all_secrets -> g < guesses G ->
  (only c = true -> exists s, In s some /\ is c g s = true) -> may some g.

(** The response that an answer stands for. *)
Definition decode (g a : nat) : code :=
  match List.find (fun s => ans g s =? S a) all_secrets with Some s => response G g s | None => [] end.

Fixpoint tree_of (t : strategy) : tree :=
  match t with Stop => Leaf | Ask g next => Node g (fun a => tree_of (next (decode g a))) end.

Lemma in_all s : In s all_secrets <-> s < secrets G.
Proof. unfold all_secrets. rewrite in_seq. lia. Qed.

Lemma decode_is g s a : g < guesses G -> s < secrets G -> ans g s = S a -> decode g a = response G g s.
Proof.
  intros Hg Hs E. unfold decode. destruct (List.find _ all_secrets) as [s'|] eqn:F.
  - apply find_some in F as [H F]. apply in_all in H. apply Nat.eqb_eq in F.
    assert (Z : forall s, s < secrets G -> ans g s = S a -> ends c g s = false).
    { intros s0 H0 E0. destruct (ends c g s0) eqn:X; [|reflexivity]. apply ans_ends in X; [|exact Hg|exact H0]. congruence. }
    apply (ans_response g s' s); auto. congruence.
  - exfalso.
    pose proof (find_none _ _ F s (proj2 (in_all s) Hs)) as X. cbn in X. apply Nat.eqb_neq in X. contradiction.
Qed.

Lemma part_decode g a some : g < guesses G -> incl some all_secrets ->
  part ans g (S a) some = filter (fun s => negb (ends c g s) && same (response G g s) (decode g a)) some
  \/ part ans g (S a) some = [].
Proof.
  intros Hg I. destruct (List.find (fun s => ans g s =? S a) all_secrets) as [s0|] eqn:F.
  - left. apply find_some in F as [H0 E0]. apply in_all in H0. apply Nat.eqb_eq in E0.
    apply filter_ext_in. intros s Hs. apply I, in_all in Hs. unfold has. rewrite (decode_is g s0 a Hg H0 E0).
    assert (X0 : ends c g s0 = false).
    { destruct (ends c g s0) eqn:X; [|reflexivity]. apply ans_ends in X; [congruence|exact Hg|exact H0]. }
    destruct (ends c g s) eqn:X.
    + apply ans_ends in X; [|exact Hg|exact Hs]. rewrite X. reflexivity.
    + cbn [negb andb]. apply eq_true_iff_eq. rewrite Nat.eqb_eq, same_eq, <- E0. apply ans_response; assumption.
  - right. unfold part. destruct (filter _ some) as [|s l] eqn:E; [reflexivity|].
    assert (H : In s (filter (has ans g (S a)) some)) by (rewrite E; left; reflexivity).
    apply filter_In in H as [H1 H2]. pose proof (find_none _ _ F s (I s H1)) as X. unfold has in H2. cbn in X. congruence.
Qed.

Lemma solves_tree t : forall limit open some, incl some all_secrets -> settles c limit open some t ->
  solves ans may one limit (tree_of t) some /\ forall s, In s some -> count ans (tree_of t) s = asked c t s.
Proof.
  induction t as [|g next IH]; intros limit open some I H.
  - split; [|intros; reflexivity]. destruct H as [->|[H L]]; [left; reflexivity|right]. unfold one. rewrite H. auto.
  - destruct H as [->|[H1 [H2 [_ [H3 H4]]]]]; [split; [left; reflexivity|intros s []]|].
    assert (J : forall r, incl (filter (fun s => negb (ends c g s) && same (response G g s) r) some) all_secrets).
    { intros r s Hs. apply filter_In in Hs as [Hs _]. apply I, Hs. }
    split.
    + right. split; [exact H1|]. split; [exact (may_ask some g I H2 H3)|]. intros a.
      destruct (part_decode g a some H2 I) as [->| ->]; [|apply solves_nothing].
      apply (IH (decode g a) (option_map pred limit) _ _ (J _) (H4 _)).
    + intros s Hs. pose proof (I s Hs) as Hs'. apply in_all in Hs'. cbn [tree_of count asked]. f_equal.
      destruct (ends c g s) eqn:X.
      * apply ans_ends in X; [|exact H2|exact Hs']. rewrite X. reflexivity.
      * destruct (ans g s) as [|a] eqn:E; [apply ans_ends in E; [congruence|exact H2|exact Hs']|].
        rewrite (decode_is g s a H2 Hs' E).
        apply (IH (response G g s) (option_map pred limit) _ _ (J _) (H4 _)). apply filter_In. split; [exact Hs|].
        fold G. rewrite X. cbn. apply same_eq. reflexivity.
Qed.

Theorem holds_by_numbers :
  match first c with
  | None => lb ans may one (limit c) all_secrets (cost c)
  | Some g => ask_lb ans may one (limit c) g all_secrets (cost c)
  end -> holds c.
Proof.
  intros H t Ht B. fold G in Ht |- *. fold all_secrets in Ht |- *.
  destruct (solves_tree t (limit c) _ all_secrets (incl_refl _) Ht) as [S1 S2].
  assert (E : Trees.cost ans (tree_of t) all_secrets = list_sum (map (asked c t) all_secrets)).
  { unfold Trees.cost, sum. f_equal. apply map_ext_in, S2. }
  change (reaches (cost c) (list_sum (map (asked c t) all_secrets))). rewrite <- E.
  destruct (first c) as [g|]; [|exact (H _ S1)]. destruct B as [next ->]. exact (H _ S1).
Qed.

(** In hard mode: the guesses that are left behind an answer. *)
Definition behind (g a later : nat) : bool := follows G g (decode g a) later.

Lemma plays_tree t : forall limit open some A, incl some all_secrets ->
  (forall g, g < guesses G -> open g = true -> In g A) -> settles c limit open some t ->
  plays ans may one behind A limit (tree_of t) some.
Proof.
  induction t as [|g next IH]; intros limit open some A I O H.
  - destruct H as [->|[H L]]; [left; reflexivity|right]. unfold one. rewrite H. auto.
  - destruct H as [->|[H1 [H2 [H3 [H4 H5]]]]]; [left; reflexivity|right]. split; [exact H1|].
    split; [split; [exact (may_ask some g I H2 H4)|exact (O g H2 H3)]|]. intros a.
    destruct (part_decode g a some H2 I) as [->| ->]; [|apply plays_nothing].
    apply (IH (decode g a) _ (fun later => open later && follows G g (decode g a) later)); [| |exact (H5 _)].
    + intros s Hs. apply filter_In in Hs as [Hs _]. apply I, Hs.
    + intros h Hh E. apply andb_prop in E as [E1 E2]. apply filter_In. split; [exact (O h Hh E1)|exact E2].
Qed.

Theorem holds_by_history :
  let everything := seq 0 (guesses G) in
  match first c with
  | None => hard_lb ans may one behind everything (limit c) all_secrets (cost c)
  | Some g => hard_ask_lb ans may one behind everything (limit c) g all_secrets (cost c)
  end -> holds c.
Proof.
  intros everything H t Ht B. fold G in Ht |- *. fold all_secrets in Ht |- *.
  destruct (solves_tree t (limit c) _ all_secrets (incl_refl _) Ht) as [_ S2].
  assert (S1 : plays ans may one behind everything (limit c) (tree_of t) all_secrets).
  { apply (plays_tree t _ (fun _ => true)); [apply incl_refl| |exact Ht]. intros g Hg _. apply in_seq. lia. }
  assert (E : Trees.cost ans (tree_of t) all_secrets = list_sum (map (asked c t) all_secrets)).
  { unfold Trees.cost, sum. f_equal. apply map_ext_in, S2. }
  change (reaches (cost c) (list_sum (map (asked c t) all_secrets))). rewrite <- E.
  destruct (first c) as [g|]; [|exact (H _ S1)]. destruct B as [next ->]. exact (H _ S1).
Qed.

End Numbers.

(** ** Answers as bytes *)

(** Rows of numbers, as bytes. *)
Definition grid {A} (f : A -> list nat) (rows : list A) : bytes := flat_map (fun a => map (fun v => min v 255) (f a)) rows.

Lemma grid_at {A} (f : A -> list nat) rows n g s :
  (forall a, In a rows -> List.length (f a) = n) -> g < List.length rows -> s < n ->
  byte_at (grid f rows) (g * n + s) = min (nth s (nth g (map f rows) []) 0) 255.
Proof.
  unfold byte_at. revert g; induction rows as [|a rows IH]; intros g L Hg Hs; [cbn in Hg; lia|].
  pose proof (L a (or_introl eq_refl)) as La. cbn [grid flat_map map]. destruct g as [|g].
  - cbn [Nat.mul Nat.add nth]. rewrite app_nth1 by (rewrite map_length; lia).
    rewrite nth_indep with (d' := (fun v => min v 255) 0) by (rewrite map_length; lia).
    rewrite (map_nth (fun v => min v 255)). reflexivity.
  - cbn [nth]. rewrite app_nth2 by (rewrite map_length; cbn; lia). rewrite map_length, La.
    replace (S g * n + s - n) with (g * n + s) by (cbn; lia). apply IH; [intros; apply L; right; assumption|cbn in Hg; lia|exact Hs].
Qed.

(** The place of a response among some. *)
Fixpoint index (r : code) (dict : list code) : nat :=
  match dict with [] => 0 | x :: dict => if same r x then 0 else S (index r dict) end.

Lemma index_in r dict : index r dict < List.length dict -> nth_error dict (index r dict) = Some r.
Proof.
  induction dict as [|x dict IH]; cbn [index List.length]; [lia|]. destruct (same r x) eqn:E.
  - apply same_eq in E as ->. reflexivity.
  - intros H. apply IH. lia.
Qed.

Lemma index_same r r' dict :
  index r dict < List.length dict -> index r' dict < List.length dict -> index r dict = index r' dict -> r = r'.
Proof. intros H H' E. apply index_in in H, H'. congruence. Qed.

Definition add_new (dict : list code) (r : code) : list code := if existsb (same r) dict then dict else r :: dict.

Definition dictionary (l : list code) : list code := fold_left add_new l [].

Lemma dictionary_has l r : In r l -> In r (dictionary l).
Proof.
  unfold dictionary. cut (forall d, (forall x, In x d -> In x (fold_left add_new l d)) /\
    (In r l -> In r (fold_left add_new l d))); [intros X; apply X|].
  assert (K : forall d x y, In y d -> In y (add_new d x)).
  { intros d x y H. unfold add_new. destruct (existsb _ d); [exact H|right; exact H]. }
  induction l as [|x l IH]; intros d; cbn [fold_left]; [split; [auto|intros []]|].
  destruct (IH (add_new d x)) as [A B]. split; [intros y Hy; apply A, K, Hy|].
  intros [->|H]; [|auto]. apply A. unfold add_new. destruct (existsb (same r) d) eqn:E; [|left; reflexivity].
  apply existsb_exists in E as [y [Hy E]]. apply same_eq in E as ->. exact Hy.
Qed.

Lemma index_found r dict : In r dict -> index r dict < List.length dict.
Proof.
  induction dict as [|x dict IH]; intros H; [destruct H|]. cbn [index List.length].
  destruct (same r x) eqn:E; [lia|]. destruct H as [->|H]; [|specialize (IH H); lia].
  assert (same r r = true) by (apply same_eq; reflexivity). congruence.
Qed.

(** Marks as a number, in the system of three. *)
Definition worth_of (r : code) : nat := fold_right (fun x v => x + 3 * v) 0 r.

Lemma worth_same r r' : (forall x, In x r -> x < 3) -> (forall x, In x r' -> x < 3) -> List.length r = List.length r' ->
  worth_of r = worth_of r' -> r = r'.
Proof.
  revert r'; induction r as [|x r IH]; intros [|y r'] B B' L E; try discriminate; [reflexivity|].
  cbn [worth_of fold_right] in E. fold (worth_of r) (worth_of r') in E.
  pose proof (B x (or_introl eq_refl)). pose proof (B' y (or_introl eq_refl)).
  assert (x = y /\ worth_of r = worth_of r') as [-> E'] by lia. f_equal. apply IH; auto.
  - intros z Hz. apply B. right; exact Hz.
  - intros z Hz. apply B'. right; exact Hz.
Qed.

Lemma marks_are both left : List.length (marks both left) = List.length both /\ forall x, In x (marks both left) -> x < 3.
Proof.
  revert left; induction both as [|[g s] both IH]; intros left; [split; [reflexivity|intros x []]|]. cbn [marks].
  destruct (g =? s); [|destruct (existsb (Nat.eqb g) left)].
  1, 3: destruct (IH left) as [A B]. 3: destruct (IH (without g left)) as [A B].
  all: split; [cbn; lia|]; intros x [<-|H]; [lia|auto].
Qed.

(** The same number at once: of a guess and a secret, with what is left of the secret. *)
Fixpoint unmet (guess secret : code) : code :=
  match guess, secret with
  | x :: guess, y :: secret => if x =? y then unmet guess secret else y :: unmet guess secret
  | _, _ => []
  end.

Fixpoint occurs (x : nat) (l : code) : bool := match l with [] => false | y :: l => (x =? y) || occurs x l end.

Fixpoint worth_by (guess secret left : code) : nat :=
  match guess, secret with
  | x :: guess, y :: secret =>
      if x =? y then 2 + 3 * worth_by guess secret left
      else if occurs x left then 1 + 3 * worth_by guess secret (without x left) else 3 * worth_by guess secret left
  | _, _ => 0
  end.

Lemma worth_wordle g s : worth_by g s (unmet g s) = worth_of (wordle g s).
Proof.
  unfold wordle. replace (unmet g s) with (map snd (filter (fun gs => negb (fst gs =? snd gs)) (combine g s))).
  - generalize (map snd (filter (fun gs => negb (fst gs =? snd gs)) (combine g s))).
    revert s; induction g as [|x g IH]; intros [|y s] left; try reflexivity. cbn [worth_by combine marks].
    replace (occurs x left) with (existsb (Nat.eqb x) left) by (induction left as [|z l L]; [reflexivity|cbn;
      congruence]).
    destruct (x =? y); [|destruct (existsb _ left)]; rewrite IH; reflexivity.
  - revert s; induction g as [|x g IH]; intros [|y s]; try reflexivity. cbn [combine filter fst snd unmet].
    destruct (x =? y); cbn [negb map snd]; rewrite IH; reflexivity.
Qed.

(** The rows of guesses of a game: 0 where the game ends, otherwise the number of the response from 1. *)
Definition row_by (win : bool) (number : code -> nat) (respond : code -> code -> code) (all : list code) (g : code)
    : list nat :=
  map (fun s => if win && same g s then 0 else S (number (respond g s))) all.

Definition row_of_words (win : bool) (all : list code) (g : code) : list nat :=
  map (fun s => if win && same g s then 0 else S (worth_by g s (unmet g s))) all.

Definition win_text : code := [119; 105; 110].

Definition row_of_cells (win : bool) (row : list code) : list nat :=
  let cells := tl row in
  let dict := dictionary cells in
  map (fun c => if win && same c win_text then 0 else S (index c dict)) cells.

Definition others_of (answers others : list code) : list code :=
  filter (fun w => negb (existsb (same w) answers)) others.

Definition pair_of (bw : nat * nat) : code := [fst bw; snd bw].

(** The answers that there can be to codes. *)
Definition pairs_of (G : game) : list code :=
  map pair_of (filter (fun bw => fst bw + snd bw <=? pegs G) (list_prod (seq 0 (S (pegs G))) (seq 0 (S (pegs G))))).

Definition bytes_of (k : kind) (win : bool) : bytes :=
  match k with
  | Codes G =>
      let all := codes G in
      let dict := pairs_of G in
      grid (row_by win (fun r => index r dict) (fun g s => pair_of (answer G g s)) all) all
  | Words _ answers others => grid (row_of_words win answers) (answers ++ others_of answers others)
  | Table rows => grid (row_of_cells win) (tl rows)
  end.

Lemma bytes_of_words m answers others win : bytes_of (Words m answers others) win
  = grid (row_by win worth_of wordle answers) (answers ++ others_of answers others).
Proof.
  apply flat_map_ext. intros g. f_equal. apply map_ext. intros s. rewrite worth_wordle. reflexivity.
Qed.

(** What else has to be so that the bytes are the answers. *)
Definition plain_kind (k : kind) (largest : nat) : bool :=
  (largest <? 255) &&
  match k with
  | Codes G => largest <=? List.length (pairs_of G)
  | Words _ answers others => forallb (fun w => List.length w =? List.length (hd [] answers)) (answers ++ others)
  | Table rows => forallb (fun row => List.length row =? List.length (nth 0 rows [])) rows
  end.

Definition ans_in (B : bytes) (n_guesses n_secrets g s : nat) : nat :=
  if (g <? n_guesses) && (s <? n_secrets) then byte_at B (g * n_secrets + s) else 1.

Lemma byte_below B i v : largest_byte B < 255 -> byte_at B i = min v 255 -> byte_at B i = v.
Proof. intros L E. pose proof (at_most_largest B i). unfold word_at, largest, largest_byte, byte_at in *. lia. Qed.

Lemma byte_at_most B i : byte_at B i <= largest_byte B.
Proof. apply at_most_largest. Qed.

Lemma nth_map {A B} (f : A -> B) l i x y : i < List.length l -> nth i (map f l) y = f (nth i l x).
Proof. intros H. rewrite nth_indep with (d' := f x) by (rewrite map_length; exact H). apply map_nth. Qed.

Section ByNames.

Variables all_guesses all_secrets_ : list code.
Variable respond : code -> code -> code.
Variable number : code -> nat.
Variable win : bool.

Let B := grid (row_by win number respond all_secrets_) all_guesses.

Hypothesis B_small : largest_byte B < 255.

Let resp g s := respond (nth g all_guesses []) (nth s all_secrets_ []).

Hypothesis number_same : forall g s s',
  g < List.length all_guesses -> s < List.length all_secrets_ -> s' < List.length all_secrets_ ->
  S (number (resp g s)) <= largest_byte B -> S (number (resp g s')) <= largest_byte B ->
  number (resp g s) = number (resp g s') -> resp g s = resp g s'.

Let ans := ans_in B (List.length all_guesses) (List.length all_secrets_).

Let ended g s := win && same (nth g all_guesses []) (nth s all_secrets_ []).

Lemma names_ans g s : g < List.length all_guesses -> s < List.length all_secrets_ ->
  ans g s = (if ended g s then 0 else S (number (resp g s))) /\ ans g s <= largest_byte B.
Proof.
  intros Hg Hs. unfold ans, ans_in. rewrite (proj2 (Nat.ltb_lt _ _) Hg), (proj2 (Nat.ltb_lt _ _) Hs). cbn [andb].
  split; [|apply byte_at_most]. apply byte_below; [exact B_small|].
  unfold B. rewrite (grid_at _ all_guesses); [|intros a _; unfold row_by; apply map_length|exact Hg|exact Hs].
  f_equal. rewrite (nth_map _ all_guesses g []) by exact Hg. unfold row_by.
  rewrite (nth_map _ all_secrets_ s []) by exact Hs. reflexivity.
Qed.

Lemma names_ends g s : g < List.length all_guesses -> s < List.length all_secrets_ -> (ans g s = 0 <-> ended g s = true).
Proof. intros Hg Hs. destruct (names_ans g s Hg Hs) as [-> _]. destruct (ended g s); split; congruence. Qed.

Lemma names_response g s s' :
  g < List.length all_guesses -> s < List.length all_secrets_ -> s' < List.length all_secrets_ ->
  ended g s = false -> ended g s' = false -> (ans g s = ans g s' <-> resp g s = resp g s').
Proof.
  intros Hg Hs Hs' E E'. destruct (names_ans g s Hg Hs) as [A L]. destruct (names_ans g s' Hg Hs') as [A' L'].
  rewrite A in *. rewrite A' in *. rewrite E in *. rewrite E' in *. split; [|congruence].
  intros [= Q]. apply number_same; assumption.
Qed.

End ByNames.

Lemma length_wordle g s : List.length (wordle g s) = min (List.length g) (List.length s).
Proof. unfold wordle. rewrite (proj1 (marks_are _ _)). apply combine_length. Qed.

Definition wins_ (a : goal) : bool := match a with Win => true | Identify => false end.

Lemma all_of_length (l : list code) n i : forallb (fun w => List.length w =? n) l = true -> i < List.length l ->
  List.length (nth i l []) = n.
Proof. intros H Hi. apply Nat.eqb_eq. apply (proj1 (forallb_forall _ _) H). apply nth_In, Hi. Qed.

Theorem kind_true c :
  let G := questions_of (of c) in
  let B := bytes_of (of c) (wins_ (aim c)) in
  let ans := ans_in B (guesses G) (secrets G) in
  plain_kind (of c) (largest_byte B) = true ->
  (forall g s, g < guesses G -> s < secrets G -> (ans g s = 0 <-> ends c g s = true)) /\
  (forall g s s', g < guesses G -> s < secrets G -> s' < secrets G ->
    ends c g s = false -> ends c g s' = false -> (ans g s = ans g s' <-> response G g s = response G g s')).
Proof.
  intros G B ans H. apply andb_prop in H as [L H]. apply Nat.ltb_lt in L.
  assert (E : forall g s, ends c g s = wins_ (aim c) && wins G g s) by (intros; unfold ends; destruct (aim c); reflexivity).
  subst G B ans. destruct (of c) as [G|m answers others|rows]; rewrite ?bytes_of_words in *;
    cbn [questions_of by_names bytes_of guesses secrets response wins] in *.
  - apply Nat.leb_le in H. split.
    + intros g s Hg Hs. rewrite E. apply names_ends; assumption.
    + intros g s s' Hg Hs Hs' X X'. rewrite E in X, X'.
      apply (names_response (codes G) (codes G) (fun g s => pair_of (answer G g s))); try assumption.
      clear - H. intros g s s' _ _ _ Q Q' Z. eapply index_same; [| |exact Z]; lia.
  - split.
    + intros g s Hg Hs. rewrite E. apply names_ends; assumption.
    + intros g s s' Hg Hs Hs' X X'. rewrite E in X, X'.
      apply (names_response (answers ++ others_of answers others) answers wordle); try assumption.
      clear - H. intros g s s' Hg Hs Hs' _ _. apply worth_same.
      * apply marks_are.
      * apply marks_are.
      * rewrite !length_wordle. f_equal. rewrite forallb_app in H. apply andb_prop in H as [H _].
        rewrite !(all_of_length answers _ _ H) by assumption. reflexivity.
  - assert (A : forall g s, g < pred (List.length rows) -> s < pred (List.length (nth 0 rows [])) ->
      exists dict, let cell s := nth (S s) (nth (S g) rows []) [] in
      ans_in (grid (row_of_cells (wins_ (aim c))) (tl rows)) (pred (List.length rows)) (pred (List.length (nth 0 rows []))) g s
      = (if wins_ (aim c) && same (cell s) [119; 105; 110] then 0 else S (index (cell s) dict)) /\
      dict = dictionary (tl (nth (S g) rows [])) /\ In (cell s) dict).
    { intros g s Hg Hs. exists (dictionary (tl (nth (S g) rows []))). cbv zeta.
      assert (R : nth g (tl rows) [] = nth (S g) rows []) by (destruct rows; [destruct g|]; reflexivity).
      assert (Lt : List.length (tl rows) = pred (List.length rows)) by (destruct rows; reflexivity).
      assert (Lr : forall row, In row (tl rows) -> List.length (tl row) = pred (List.length (nth 0 rows []))).
      { intros row Hr. assert (Hr' : In row rows) by (destruct rows; [destruct Hr|right; exact Hr]).
        apply (proj1 (forallb_forall _ _) H) in Hr'. apply Nat.eqb_eq in Hr'. rewrite <- Hr'. destruct row; reflexivity. }
      assert (Hin : In (nth g (tl rows) []) (tl rows)) by (apply nth_In; lia).
      assert (Ls : s < List.length (tl (nth (S g) rows []))) by (rewrite <- R, (Lr _ Hin); exact Hs).
      assert (C : nth (S s) (nth (S g) rows []) [] = nth s (tl (nth (S g) rows [])) [])
        by (destruct (nth (S g) rows []); [destruct s|]; reflexivity).
      split; [|split; [reflexivity|]].
      - unfold ans_in. rewrite (proj2 (Nat.ltb_lt _ _) Hg), (proj2 (Nat.ltb_lt _ _) Hs). cbn [andb].
        apply byte_below; [exact L|].
        rewrite (grid_at _ (tl rows)); [|intros a Ha; unfold row_of_cells; rewrite map_length; apply Lr, Ha|lia|exact Hs].
        f_equal. rewrite (nth_map _ (tl rows) g []) by lia. rewrite R. unfold row_of_cells. cbv zeta.
        etransitivity; [apply (nth_map _ _ s []); exact Ls|]. rewrite C. reflexivity.
      - apply dictionary_has. rewrite C. apply nth_In, Ls. }
    split.
    + intros g s Hg Hs. rewrite E. destruct (A g s Hg Hs) as [dict [-> _]]. destruct (_ && _); split; congruence.
    + intros g s s' Hg Hs Hs' X X'. rewrite E in X, X'.
      destruct (A g s Hg Hs) as [dict [-> [D I]]]. destruct (A g s' Hg Hs') as [dict' [-> [D' I']]].
      rewrite X, X'. rewrite D' in *. rewrite <- D in *. split; [|congruence].
      intros [= Q]. apply (index_same _ _ dict); [apply index_found, I|apply index_found, I'|exact Q].
Qed.
