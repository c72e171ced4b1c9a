(** The checker of whole certificates of kits, and the theorem: what it accepts is true. *)

From Coq Require Import Ascii String List Arith Bool Lia Permutation Mergesort Orders.
From Proof Require Import Lists Store Text Labels Game KitGame Codes Vector KitTheory KitSets KitChecker KitNumbers.
From Proof Require LiesGame LiesCodes LiesTables LiesMain.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Games as numbers *)

Definition digits_for (rows : list words) : nat :=
  (fix needed (fuel v : nat) : nat :=
    match fuel with 0 => 0 | S fuel => if v =? 0 then 0 else S (needed fuel (Nat.div2 v)) end)
    width (fold_left (fun m row => Nat.max m (largest row)) rows 0).

Section Any.

Context {Question Secret Answer : Type}.

Variable questions : list Question.
Variable secrets : list Secret.
Variable says : Question -> Secret -> Answer.
Variable same : Answer -> Answer -> bool.
Variable cost : Question -> nat.
Variables must never : Question -> bool.
Variable alike : Secret -> Secret -> bool.

Variable lies : nat.

(** The questions and secrets in the order of their numbers. *)
Variable listed : list Question.
Variable hidden : list Secret.
Variable number : Question -> nat.
Variable G : game.

Hypothesis listed_in : forall i q, nth_error listed i = Some q -> In q questions /\ number q = i.
Hypothesis number_is : forall q, In q questions -> nth_error listed (number q) = Some q.
Hypothesis hidden_in : forall j s, nth_error hidden j = Some s -> In s secrets.
Hypothesis rows_length : List.length (rows G) = List.length listed.
Hypothesis rows_are : forall i q j k s t, nth_error listed i = Some q ->
  nth_error hidden j = Some s -> nth_error hidden k = Some t ->
  (answer_at G i j =? answer_at G i k) = same (says q s) (says q t).
Hypothesis costs_are : forall i q, nth_error listed i = Some q -> cost_of G i = cost q.
Hypothesis musts_are : forall i q, nth_error listed i = Some q -> must_have G i = must q.
Hypothesis nevers_are : forall i q, nth_error listed i = Some q -> KitNumbers.never G i = never q.
Hypothesis kinds_are : forall j k s t, nth_error hidden j = Some s -> nth_error hidden k = Some t ->
  kind_of G j <> kind_of G k -> alike s t = false.

Definition refused_any (question_in secret_in : text -> option nat)
    (renaming_in : list text -> option (words * list text)) (bound : nat) (proof : list text) : option nat :=
  KitNumbers.refused G (List.length hidden) lies (digits_for (rows G)) question_in secret_in renaming_in bound proof.

Lemma any_sound question_in secret_in renaming_in bound proof :
  (forall words_ to rest, renaming_in words_ = Some (to, rest) ->
    renames_numbers G (List.length hidden) (word_at to)) ->
  refused_any question_in secret_in renaming_in bound proof = None ->
  every_kit_costs questions secrets says same cost must never alike lies bound.
Proof.
  intros R E kit [A [B C]].
  assert (X : forall q, In q kit -> In q questions) by (intros q Hq; apply A, Hq).
  assert (Z : bound <= spent (cost_of G) (map number kit)).
  { apply (KitNumbers.refused_true G (List.length hidden) lies (digits_for (rows G)) question_in secret_in
      renaming_in bound proof R E).
    - intros g Hg. apply in_map_iff in Hg as [q [<- Hq]]. destruct (A q Hq) as [Hq' N]. apply number_is in Hq'. split.
      + rewrite rows_length. apply nth_error_Some. rewrite Hq'. discriminate.
      + rewrite (nevers_are _ q Hq'). exact N.
    - intros g Hg M. rewrite rows_length in Hg. destruct (nth_error listed g) as [q|] eqn:Q;
        [|apply nth_error_None in Q; lia].
      destruct (listed_in g q Q) as [I <-]. rewrite (musts_are _ q Q) in M. apply in_map, B; assumption.
    - intros j k Hj Hk D. destruct (nth_error hidden j) as [s|] eqn:Es; [|apply nth_error_None in Es; lia].
      destruct (nth_error hidden k) as [t|] eqn:Et; [|apply nth_error_None in Et; lia].
      specialize (C s t (hidden_in j s Es) (hidden_in k t Et) (kinds_are j k s t Es Et D)).
      assert (T : KitTheory.told (answer_at G) (map number kit) j k = KitGame.told says same kit s t); [|lia].
      unfold KitTheory.told, KitGame.told. clear - rows_are number_is X Es Et.
      induction kit as [|q kit IH]; [reflexivity|].
      cbn [map filter]. unfold tells at 1.
      rewrite (rows_are _ q j k s t (number_is q (X q (or_introl eq_refl))) Es Et).
      specialize (IH (fun p Hp => X p (or_intror Hp))). destruct (same _ _); cbn [negb List.length]; rewrite IH;
        reflexivity. }
  assert (S : spent (cost_of G) (map number kit) = list_sum (map cost kit)); [|lia].
  unfold spent, sum. f_equal. rewrite map_map. apply map_ext_in. intros q Hq. apply costs_are, number_is, X, Hq.
Qed.

End Any.

(** More answers would not fit. *)
Definition few_cells (questions secrets : nat) : bool :=
  (1 <=? questions) && (1 <=? secrets) && (questions * secrets <=? Nat.pow 2 24).

(** A game in which all questions cost 1 and all secrets are of different kinds. *)
Definition plain (rows : list words) (secrets : nat) : game :=
  {| KitNumbers.rows := rows; KitNumbers.costs := words_of (map (fun _ => 1) rows);
     musts := words_of (map (fun _ => 0) rows); nevers := words_of (map (fun _ => 0) rows);
     KitNumbers.kinds := words_of (range secrets) |}.

Lemma plain_is rows secrets i : i < List.length rows ->
  cost_of (plain rows secrets) i = 1 /\ must_have (plain rows secrets) i = false /\
  KitNumbers.never (plain rows secrets) i = false.
Proof.
  intros H. destruct (nth_error rows i) as [r|] eqn:E; [|apply nth_error_None in E; lia].
  assert (N : forall v : nat, nth i (map (fun _ : words => v) rows) 0 = v)
    by (intros v; exact (nth_error_nth _ _ 0 (map_nth_error (fun _ => v) _ _ E))).
  assert (Z : (nth i (map (fun _ : words => 0) rows) 0 =? 1) = false) by (rewrite N; reflexivity).
  split; [exact (N 1)|]. split; exact Z.
Qed.

Lemma plain_kind rows secrets j : j < secrets -> kind_of (plain rows secrets) j = j.
Proof.
  intros H. unfold kind_of, word_at, words_of, range. cbn [KitNumbers.kinds plain]. apply seq_nth, H.
Qed.

(** ** Codes *)

Definition answer_number (G : Game.game) (a : nat * nat) : nat := fst a + S (pegs G) * snd a.

Definition code_rows (G : Game.game) (all : list code) : list words :=
  map (fun q => words_of (map (fun s => answer_number G (answer G q s)) all)) all.

Definition code_renaming (G : Game.game) (all : list code) (places : store (nat * code)) (words_ : list text) :
    option (words * list text) :=
  match words_ with
  | p :: c :: rest =>
      match LiesCodes.images G all places p c with
      | Some l =>
          let n := List.length all in let to := words_of l in
          if onto n to (inverse n to) then Some (to, rest) else None
      | None => None
      end
  | _ => None
  end.

Definition refused_codes (G : Game.game) (lies bound : nat) (proof : list text) : option nat :=
  let all := codes G in
  let places := LiesCodes.places_of (colours G) all in
  let place := LiesCodes.place_of_word G places in
  refused_any lies all (plain (code_rows G all) (List.length all)) place place (code_renaming G all places) bound
    proof.

Lemma black_small G q s : In q (codes G) -> black q s < S (pegs G).
Proof.
  intros H. destruct (codes_are_codes G q H) as [L _]. unfold black. rewrite <- L. apply le_n_S.
  etransitivity; [apply filter_short|]. rewrite combine_length. lia.
Qed.

Lemma code_answer_at G i j q s : nth_error (codes G) i = Some q -> nth_error (codes G) j = Some s ->
  answer_at (plain (code_rows G (codes G)) (List.length (codes G))) i j = answer_number G (answer G q s).
Proof.
  intros Hq Hs. unfold answer_at. cbn [KitNumbers.rows plain]. unfold code_rows.
  rewrite (nth_error_nth _ _ _ (map_nth_error _ _ _ Hq)). unfold word_at, words_of.
  exact (nth_error_nth _ _ _ (map_nth_error _ _ _ Hs)).
Qed.

Lemma answer_number_same G q s t : In q (codes G) ->
  (answer_number G (answer G q s) =? answer_number G (answer G q t)) = same_answer (answer G q s) (answer G q t).
Proof.
  intros Hq. pose proof (black_small G q s Hq) as A. pose proof (black_small G q t Hq) as B.
  unfold answer_number, same_answer. assert (Fs : fst (answer G q s) = black q s) by reflexivity.
  assert (Ft : fst (answer G q t) = black q t) by reflexivity. rewrite Fs, Ft.
  generalize (snd (answer G q s)) as v, (snd (answer G q t)) as w. intros v w.
  apply eq_true_iff_eq. rewrite andb_true_iff, !Nat.eqb_eq. split; [|intros [-> ->]; reflexivity]. intros E.
  rewrite (Nat.add_comm (black q s)), (Nat.add_comm (black q t)) in E.
  destruct (Nat.div_mod_unique (S (pegs G)) v w (black q s) (black q t) A B E) as [-> ->]. auto.
Qed.

Theorem codes_sound G lies bound proof : refused_codes G lies bound proof = None ->
  holds {| of := Codes G; lies := lies; bound := bound |}.
Proof.
  unfold refused_codes. cbv zeta. set (all := codes G). intros E. unfold holds. cbn [of KitGame.lies KitGame.bound].
  assert (L : List.length (code_rows G all) = List.length all) by apply map_length.
  assert (V : forall i x, nth_error all i = Some x -> i < List.length all)
    by (intros i x H; apply nth_error_Some; rewrite H; discriminate).
  refine (any_sound all all (answer G) same_answer (fun _ => 1) (fun _ => false) (fun _ => false) same lies all all
    (fun c => LiesCodes.number_of c all) (plain (code_rows G all) (List.length all)) _ _ _ L _ _ _ _ _ _ _ _ _ _ _ E).
  - intros i q H. split; [exact (nth_error_In _ _ H)|exact (LiesCodes.number_is G i q H)].
  - intros q H. exact (LiesCodes.number_of_in q all H).
  - intros j s H. exact (nth_error_In _ _ H).
  - intros i q j k s t Hq Hs Ht. unfold all. rewrite (code_answer_at G i j q s Hq Hs),
      (code_answer_at G i k q t Hq Ht).
    apply answer_number_same, (nth_error_In _ _ Hq).
  - intros i q H. apply plain_is. rewrite L. exact (V i q H).
  - intros i q H. apply plain_is. rewrite L. exact (V i q H).
  - intros i q H. apply plain_is. rewrite L. exact (V i q H).
  - intros j k s t Hs Ht D. rewrite !plain_kind in D by (eapply V; eassumption).
    apply not_true_iff_false. intros S. apply same_is in S. subst t. apply D.
    apply (proj1 (NoDup_nth_error all) (LiesCodes.codes_once G)); [exact (V j s Hs)|congruence].
  - intros words_ to rest R. unfold code_renaming in R. destruct words_ as [|p [|c words_]]; try discriminate.
    destruct (LiesCodes.images G all _ p c) as [l|] eqn:I; [|discriminate]. cbv zeta in R.
    destruct (onto _ _ _) eqn:O; [|discriminate]. injection R as <- _. apply onto_true in O as [O1 O2].
    destruct (LiesCodes.images_are G p c l I) as [Ll [f [F1 F2]]].
    assert (W : forall i, word_at (words_of l) i = nth i l 0) by reflexivity.
    assert (N : forall i s, nth_error all i = Some s -> nth_error all (word_at (words_of l) i) = Some (f s)).
    { intros i s H. rewrite W, (nth_indep l 0 i); [exact (F1 i s H)|]. rewrite Ll. exact (V i s H). }
    unfold renames_numbers. cbn [KitNumbers.rows plain]. rewrite L.
    split; [|exists (word_at (words_of l)); split; [exact O1|]; split; [exact O2|]; split].
    + intros g Hg. split; [exact (O1 g Hg)|].
      rewrite (proj1 (plain_is (code_rows G all) (List.length all) g ltac:(lia))).
      apply plain_is. rewrite L. exact (O1 g Hg).
    + intros s t Hs Ht D. rewrite !plain_kind in D by assumption. subst t. reflexivity.
    + intros g s t Hg Hs Ht.
      destruct (nth_error all g) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
      destruct (nth_error all s) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
      destruct (nth_error all t) as [d|] eqn:Ed; [|apply nth_error_None in Ed; lia].
      unfold tells, all. rewrite (code_answer_at G g s a b Ea Eb), (code_answer_at G g t a d Ea Ed).
      rewrite (code_answer_at G _ _ (f a) (f b) (N _ _ Ea) (N _ _ Eb)),
        (code_answer_at G _ _ (f a) (f d) (N _ _ Ea) (N _ _ Ed)).
      rewrite (proj2 (F2 a b (nth_error_In _ _ Ea) (nth_error_In _ _ Eb))).
      rewrite (proj2 (F2 a d (nth_error_In _ _ Ea) (nth_error_In _ _ Ed))). reflexivity.
Qed.

(** ** Words *)

(** In alphabetical order. *)
Module Alphabetical <: TotalLeBool.
  Definition t := text.
  Fixpoint leb (a b : text) : bool :=
    match a, b with
    | [], _ => true
    | _ :: _, [] => false
    | x :: a, y :: b =>
        let m := nat_of_ascii x in let n := nat_of_ascii y in (m <? n) || (m =? n) && leb a b
    end.
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof.
    revert b; induction a as [|x a IH]; intros [|y b]; cbn [leb]; auto. cbv zeta.
    destruct (Nat.lt_total (nat_of_ascii x) (nat_of_ascii y)) as [L|[->|L]].
    - left. apply Nat.ltb_lt in L as ->. reflexivity.
    - rewrite Nat.ltb_irrefl, Nat.eqb_refl. cbn [orb andb]. apply IH.
    - right. apply Nat.ltb_lt in L as ->. reflexivity.
  Qed.
End Alphabetical.
Module Sorting := Sort Alphabetical.

Definition word_rows (listed hidden : list text) : list words :=
  map (fun q => words_of (map (fun s => LiesTables.marks_number (LiesGame.word_says q s)) hidden)) listed.

Definition refused_words (beside_hidden beside_allowed : text) (lies bound : nat) (proof : list text) : option nat :=
  match lines_of beside_hidden, lines_of beside_allowed with
  | Some secrets, Some others =>
      let listed := Sorting.sort (LiesGame.word_guesses secrets others) in
      let hidden := Sorting.sort secrets in
      let long := List.length (hd [] secrets) in
      if few_cells (List.length listed) (List.length hidden) && once_each others && once_each listed &&
        once_each hidden &&
         forallb (fun w => LiesTables.letters w && (List.length w =? long)) listed
      then
        let G := plain (word_rows listed hidden) (List.length hidden) in
        let secret_in := LiesTables.in_list hidden in
        refused_any lies hidden G (LiesTables.in_list listed) secret_in
          (secret_renaming G (List.length hidden) secret_in) bound proof
      else Some (List.length proof)
  | _, _ => Some (List.length proof)
  end.

Lemma marks_same q s t : List.length q <= 5 ->
  (LiesTables.marks_number (LiesGame.word_says q s) =? LiesTables.marks_number (LiesGame.word_says q t)) =
  Game.same (LiesGame.word_says q s) (LiesGame.word_says q t).
Proof.
  intros L. assert (X : forall s, LiesTables.marks_of 5 (LiesTables.marks_number (LiesGame.word_says q s)) =
    LiesGame.word_says q s).
  { intros x. unfold LiesGame.word_says. set (spare := map snd _).
    destruct (LiesTables.marks_small q x spare) as [A B].
    apply LiesTables.marks_of_number; [exact A|lia]. }
  apply eq_true_iff_eq. rewrite Nat.eqb_eq, same_is. split; [|congruence]. intros E. rewrite <- (X s), <- (X t), E.
  reflexivity.
Qed.

Theorem words_sound beside_hidden beside_allowed lies bound proof :
  refused_words beside_hidden beside_allowed lies bound proof = None ->
  holds {| of := Words beside_hidden beside_allowed; lies := lies; bound := bound |}.
Proof.
  unfold refused_words, holds. cbn [of KitGame.lies KitGame.bound].
  destruct (lines_of beside_hidden) as [secrets|]; [|discriminate].
  destruct (lines_of beside_allowed) as [others|]; [|discriminate]. cbv zeta.
  set (listed := Sorting.sort (LiesGame.word_guesses secrets others)). set (hidden := Sorting.sort secrets).
  destruct (_ && _) eqn:Q; [|discriminate]. intros E.
  apply andb_prop in Q as [Q Q5]. apply andb_prop in Q as [Q Q4]. apply andb_prop in Q as [Q Q3]. clear Q.
  apply once_each_true in Q3, Q4.
  assert (In_l : forall q, In q listed <-> In q (secrets ++ others)).
  { intros q. unfold listed.
    rewrite <- (Permutation_in' eq_refl (Sorting.Permuted_sort (LiesGame.word_guesses secrets others))).
    unfold LiesGame.word_guesses. rewrite !in_app_iff, filter_In. split; [tauto|]. intros [H|H]; [auto|].
    destruct (existsb (same_text q) secrets) eqn:B; [|auto]. left. apply existsb_exists in B as [x [Hx B]].
    apply same_text_eq in B. subst. exact Hx. }
  assert (In_h : forall s, In s hidden -> In s secrets).
  { intros s H. exact (Permutation_in _ (Permutation_sym (Sorting.Permuted_sort secrets)) H). }
  assert (L : List.length (word_rows listed hidden) = List.length listed) by apply map_length.
  assert (V : forall (l : list text) i x, nth_error l i = Some x -> i < List.length l)
    by (intros l i x H; apply nth_error_Some; rewrite H; discriminate).
  refine (any_sound (secrets ++ others) secrets LiesGame.word_says Game.same (fun _ => 1) (fun _ => false)
    (fun _ => false) same_text lies listed hidden (fun w => index w listed)
    (plain (word_rows listed hidden) (List.length hidden))
    _ _ _ L _ _ _ _ _ _ _ _ _ _ _ E).
  - intros i q H. split; [apply In_l, (nth_error_In _ _ H)|].
    apply (proj1 (NoDup_nth_error listed) Q3).
    + apply nth_error_Some. rewrite (index_is q listed (nth_error_In _ _ H)). discriminate.
    + rewrite (index_is q listed (nth_error_In _ _ H)). congruence.
  - intros q H. apply index_is, In_l, H.
  - intros j s H. exact (In_h s (nth_error_In _ _ H)).
  - intros i q j k s t Hq Hs Ht. unfold answer_at. cbn [KitNumbers.rows plain]. unfold word_rows.
    rewrite (nth_error_nth _ _ _ (map_nth_error _ _ _ Hq)). unfold word_at, words_of.
    rewrite (nth_error_nth _ _ _ (map_nth_error _ _ _ Hs)), (nth_error_nth _ _ _ (map_nth_error _ _ _ Ht)).
    apply marks_same. pose proof (proj1 (forallb_forall _ _) Q5 q (nth_error_In _ _ Hq)) as B.
    apply andb_prop in B as [B _]. unfold LiesTables.letters in B. apply andb_prop in B as [B _].
    apply andb_prop in B as [_ B]. apply Nat.leb_le, B.
  - intros i q H. apply plain_is. rewrite L. exact (V _ _ _ H).
  - intros i q H. apply plain_is. rewrite L. exact (V _ _ _ H).
  - intros i q H. apply plain_is. rewrite L. exact (V _ _ _ H).
  - intros j k s t Hs Ht D. rewrite !plain_kind in D by (eapply V; eassumption).
    apply not_true_iff_false. intros S. apply same_text_eq in S. subst t. apply D.
    apply (proj1 (NoDup_nth_error hidden) Q4); [exact (V _ _ _ Hs)|congruence].
  - intros words_ to rest R. exact (secret_renaming_true _ _ _ words_ to rest R).
Qed.

(** ** Tables *)

Definition table_rows (T : table) : list words :=
  map (fun row => let labels := labels_in row [] in words_of (map (fun w => index w labels) row)) (answers T).

Definition table_game (T : table) (secrets : nat) : game :=
  let is name := map (fun use => Nat.b2n (spells name use)) (uses T) in
  {| KitNumbers.rows := table_rows T; KitNumbers.costs := words_of (KitGame.costs T);
     musts := words_of (is "must"%string); nevers := words_of (is "never"%string);
     KitNumbers.kinds := words_of match KitGame.kinds T with
       | Some row => map (fun w => index w row) row | None => range secrets end |}.

Definition refused_table (csv : text) (lies bound : nat) (proof : list text) : option nat :=
  match table_of csv with
  | Some T =>
      let m := List.length (answers T) in
      let n := List.length (hd [] (answers T)) in
      if few_cells m n && forallb (fun row => List.length row =? n) (answers T) &&
        (List.length (KitGame.costs T) =? m) &&
         (List.length (uses T) =? m) && match KitGame.kinds T with Some row => List.length row =? n | None => true end
      then
        let G := table_game T n in
        let secret_in := LiesTables.counted_in n in
        refused_any lies (range n) G (LiesTables.counted_in m) secret_in (secret_renaming G n secret_in) bound proof
      else Some (List.length proof)
  | None => Some (List.length proof)
  end.

Lemma index_same v w l : In v l -> In w l -> (index v l =? index w l) = same_text v w.
Proof.
  intros Hv Hw. apply eq_true_iff_eq. rewrite Nat.eqb_eq, same_text_eq. split; [|congruence]. intros E.
  apply index_is in Hv, Hw. rewrite E in Hv. congruence.
Qed.

Lemma range_is n i x : nth_error (range n) i = Some x -> x = i /\ i < n.
Proof.
  intros H. assert (L : i < n).
  { assert (N : nth_error (range n) i <> None) by (rewrite H; discriminate). apply nth_error_Some in N.
    unfold range in N. rewrite seq_length in N. exact N. }
  split; [|exact L]. unfold range in H. rewrite (nth_error_nth' _ 0) in H by (rewrite seq_length; exact L).
  rewrite seq_nth in H by exact L. injection H as <-. reflexivity.
Qed.

Lemma range_has n i : i < n -> nth_error (range n) i = Some i.
Proof.
  intros H. unfold range. rewrite (nth_error_nth' _ 0) by (rewrite seq_length; exact H).
  rewrite seq_nth by exact H. reflexivity.
Qed.

Theorem table_sound csv lies bound proof : refused_table csv lies bound proof = None ->
  holds {| of := Table csv; lies := lies; bound := bound |}.
Proof.
  unfold refused_table, holds. cbn [of KitGame.lies KitGame.bound]. destruct (table_of csv) as [T|]; [|discriminate].
  cbv zeta. set (m := List.length (answers T)). set (n := List.length (hd [] (answers T))).
  destruct (_ && _) eqn:Q; [|discriminate]. intros E. apply andb_prop in Q as [Q Q5]. apply andb_prop in Q as [Q Q4].
  apply andb_prop in Q as [Q Q3]. apply andb_prop in Q as [_ Q2]. apply Nat.eqb_eq in Q3, Q4.
  assert (L : List.length (table_rows T) = List.length (range m)).
  { unfold table_rows, range. rewrite map_length, seq_length. reflexivity. }
  assert (U : forall name i, i < m -> (word_at (map (fun use => Nat.b2n (spells name use)) (uses T)) i =? 1) =
    spells name (nth i (uses T) [])).
  { intros name i H. unfold word_at.
    rewrite nth_indep with (d' := Nat.b2n (spells name [])) by (rewrite map_length, Q4; exact H).
    rewrite (map_nth (fun use => Nat.b2n (spells name use))). destruct (spells _ _); reflexivity. }
  assert (Rows : forall i, i < m -> exists row, nth_error (answers T) i = Some row /\ nth i (answers T) [] = row /\
    List.length row = n /\ nth i (table_rows T) [] = map (fun w => index w (labels_in row [])) row).
  { intros i Hi. destruct (nth_error (answers T) i) as [row|] eqn:R; [|apply nth_error_None in R; fold m in R; lia].
    exists row. split; [reflexivity|]. split; [exact (nth_error_nth _ _ _ R)|]. split.
    - apply Nat.eqb_eq, (proj1 (forallb_forall _ _) Q2), (nth_error_In _ _ R).
    - exact (nth_error_nth _ _ _ (map_nth_error _ _ _ R)). }
  refine (any_sound (seq 0 m) (seq 0 n) (cell T) same_text (fun q => nth q (KitGame.costs T) 0)
    (fun q => spells "must" (nth q (uses T) [])) (fun q => spells "never" (nth q (uses T) [])) (same_kind T) lies
    (range m) (range n) (fun q => q) (table_game T n) _ _ _ L _ _ _ _ _ _ _ _ _ _ _ E).
  - intros i q H. split; [exact (nth_error_In _ _ H)|]. apply range_is in H. apply H.
  - intros q H. apply in_seq in H. apply range_has. lia.
  - intros j s H. exact (nth_error_In _ _ H).
  - intros i q j k s t Hq Hs Ht. apply range_is in Hq as [-> Hi], Hs as [-> Hj], Ht as [-> Hk].
    destruct (Rows i Hi) as [row [_ [R1 [R2 R3]]]]. unfold answer_at, cell, word_at. cbn [KitNumbers.rows table_game].
    rewrite R1, R3. set (labels := labels_in row []).
    assert (W : forall x, x < n -> nth x (map (fun w => index w labels) row) 0 = index (nth x row []) labels /\
      In (nth x row []) labels).
    { intros x Hx. split.
      - rewrite nth_indep with (d' := index [] labels) by (rewrite map_length, R2; exact Hx).
        apply (map_nth (fun w => index w labels)).
      - apply labels_have. right. apply nth_In. rewrite R2. exact Hx. }
    destruct (W j Hj) as [-> Ij], (W k Hk) as [-> Ik]. apply index_same; assumption.
  - intros i q H. apply range_is in H as [-> _]. reflexivity.
  - intros i q H. apply range_is in H as [-> H]. exact (U "must"%string i H).
  - intros i q H. apply range_is in H as [-> H]. exact (U "never"%string i H).
  - intros j k s t Hs Ht D. apply range_is in Hs as [-> Hj], Ht as [-> Hk]. unfold same_kind.
    unfold kind_of, word_at, words_of in D. cbn [KitNumbers.kinds table_game] in D.
    destruct (KitGame.kinds T) as [row|].
    + apply Nat.eqb_eq in Q5. apply not_true_iff_false. intros S. apply D.
      assert (W : forall x, x < n -> nth x (map (fun w => index w row) row) 0 = index (nth x row []) row).
      { intros x Hx. rewrite nth_indep with (d' := index [] row) by (rewrite map_length, Q5; exact Hx).
        apply (map_nth (fun w => index w row)). }
      apply same_text_eq in S. transitivity (index (nth j row []) row); [exact (W j Hj)|]. rewrite S. symmetry.
      exact (W k Hk).
    + apply Nat.eqb_neq. intros ->. apply D. reflexivity.
  - intros words_ to rest R. assert (Ln : List.length (range n) = n) by apply seq_length. rewrite Ln.
    exact (secret_renaming_true _ _ _ words_ to rest R).
Qed.

(** ** Certificates *)

Section Subjects.

Variable beside : text -> text -> option text.  (* the text of the file with this SHA-256 and name *)
Variables lies bound : nat.
Variable proof : list text.

(** What is proved of a game, or how many words are left where it is refused. *)
Definition judged (s : subject) (refused : option nat) : claim + nat :=
  match refused with
  | None => inl {| of := s; KitGame.lies := lies; KitGame.bound := bound |}
  | Some more => inr more
  end.

Definition about (kind a b : text) : claim + nat :=
  match LiesMain.rule_in kind with
  | Some r =>
      match number_of_digits 3 a, number_of_digits 3 b with
      | Some p, Some c =>
          let G := {| rules := r; pegs := p; colours := c |} in
          if LiesCodes.small_enough G then judged (Codes G) (refused_codes G lies bound proof)
          else inr (List.length proof)
      | _, _ => inr (List.length proof)
      end
  | None =>
      if spells "wordle" kind then
        match beside a a, beside b b with
        | Some hidden, Some allowed => judged (Words hidden allowed) (refused_words hidden allowed lies bound proof)
        | _, _ => inr (List.length proof)
        end
      else if spells "table" kind then
        match (if List.length a =? 64 then beside a b else None) with
        | Some csv => judged (Table csv) (refused_table csv lies bound proof)
        | None => inr (List.length proof)
        end
      else inr (List.length proof)
  end.

Lemma about_sound kind a b c : about kind a b = inl c -> holds c.
Proof.
  assert (J : forall s refused, judged s refused = inl c -> refused = None /\
    c = {| of := s; KitGame.lies := lies; KitGame.bound := bound |}).
  { intros s [more|] H; [discriminate|]. injection H as <-. auto. }
  unfold about. destruct (LiesMain.rule_in kind) as [r|];
    [|destruct (spells "wordle" kind); [|destruct (spells "table" kind); [|discriminate]]].
  - destruct (number_of_digits 3 a) as [p|]; [|discriminate]. destruct (number_of_digits 3 b) as [k|];
      [|discriminate].
    cbv zeta. destruct (LiesCodes.small_enough _); [|discriminate]. intros H. apply J in H as [H ->].
    exact (codes_sound _ _ _ _ H).
  - destruct (beside a a) as [hidden|]; [|discriminate]. destruct (beside b b) as [allowed|]; [|discriminate].
    intros H. apply J in H as [H ->]. exact (words_sound _ _ _ _ _ H).
  - destruct (if List.length a =? 64 then beside a b else None) as [csv|]; [|discriminate].
    intros H. apply J in H as [H ->]. exact (table_sound _ _ _ _ H).
Qed.

End Subjects.

Definition lies_in (w : text) : option nat :=
  match number_of_digits 2 w with Some l => if l <=? 20 then Some l else None | None => None end.

(** The claim that a certificate proves, or how many words are left where it is refused. *)
Definition check (beside : text -> text -> option text) (file : text) : claim + nat :=
  match Text.words_of file with
  | format :: second :: told :: kind :: a :: b :: goal :: first :: limit :: bound :: proof =>
      match spells "guesstree-proof/1" format && spells "kit" second && spells "identify" goal && spells "-" first &&
            spells "-" limit && forallb LiesMain.printable file, lies_in told, number_of_digits 12 bound with
      | true, Some lies, Some least => about beside lies least proof kind a b
      | _, _, _ => inr (List.length proof)
      end
  | _ => inr 0
  end.

(** What the checker accepts is true: every kit costs at least so much. *)
Theorem kit_sound beside file c : check beside file = inl c -> holds c.
Proof.
  unfold check. destruct (Text.words_of file) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 [|w9 [|w10 proof]]]]]]]]]];
    try discriminate.
  destruct (_ && _); [|discriminate]. destruct (lies_in w3) as [l|]; [|discriminate].
  destruct (number_of_digits 12 w10) as [least|]; [|discriminate]. apply about_sound.
Qed.

Print Assumptions kit_sound.
