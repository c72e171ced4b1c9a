(** Lists of words and tables with lies: renamings of secrets, the checker of their proofs, and why what it accepts is
    true. *)

From Coq Require Import Ascii String List Arith Bool Lia Permutation.
From Proof Require Import Theory Store Text Labels Orbits LiesGame LiesTheory LiesChecker LiesNumbers.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Renamings of secrets (F2) *)

Definition keeps_by (to : nat -> nat) (X : state) : bool :=
  same_state (Sorting.sort (map (fun m => (to (fst m), snd m)) X)) X.

(** What guesses tell of secrets in this order, and whether they win. *)
Definition patterns (guesses : nat) (col : nat -> list nat) (secrets : list nat) : list (nat * pattern) :=
  combine (seq 0 guesses) (map (map (fun q => (q, Nat.b2n (q =? 0)))) (transposed guesses (map col secrets))).

Definition set_renaming (guesses : nat) (col : nat -> list nat) (secret_in : text -> option nat) (X : state)
    (words : list text) : option (list (nat * nat) * list text) :=
  match cycles_in secret_in words [] [] with
  | None => None
  | Some (cycles, words) =>
      let D := map fst X in
      let to := goes (moves_of cycles) in
      let fro := goes (turned (moves_of cycles)) in
      if well_formed cycles D && (2 <=? List.length X) && keeps_by to X && keeps_by fro X &&
         forallb (fun s => fro (to s) =? s) D
      then
        let here := patterns guesses col D in
        let images f := images_in (by_shape (patterns guesses col (map f D))) here in
        match images to, images fro with
        | Some l, Some _ => Some (turned l ++ l, words)
        | _, _ => None
        end
      else None
  end.

Section SetRenaming.

Variable win : bool.
Variables guesses secrets : nat.
Variable col : nat -> list nat.

Hypothesis once : forall g s s',
  g < guesses -> s < secrets -> s' < secrets -> resp col g s = 0 -> resp col g s' = 0 -> s = s'.

Definition pattern_of (D : list nat) (g : nat) : pattern :=
  map (fun x => (resp col g x, Nat.b2n (resp col g x =? 0))) D.

Lemma patterns_are D : patterns guesses col D = map (fun g => (g, pattern_of D g)) (seq 0 guesses).
Proof.
  unfold patterns. rewrite transposed_is, map_map. unfold pattern_of. induction (seq 0 guesses) as [|g l IH];
    [reflexivity|].
  cbn [map combine]. rewrite IH, !map_map. reflexivity.
Qed.

Lemma in_patterns D g row : In (g, row) (patterns guesses col D) <-> g < guesses /\ row = pattern_of D g.
Proof.
  rewrite patterns_are, in_map_iff. split.
  - intros [h [[= <- <-] H]]. apply in_seq in H. split; [lia|reflexivity].
  - intros [H ->]. exists g. split; [reflexivity|]. apply in_seq. lia.
Qed.

Lemma alike_by_pattern D to g h : split_alike (pattern_of D g) (pattern_of (map to D) h) = true ->
  splits_alike (resp col) D to g h.
Proof.
  unfold pattern_of. rewrite map_map. intros E. apply split_alike_true in E as [K E]. cbn [fst snd] in *. split.
  - intros x Hx. specialize (K x Hx).
    destruct (Nat.eqb_spec (resp col g x) 0), (Nat.eqb_spec (resp col h (to x)) 0); try discriminate; tauto.
  - intros x y Hx Hy. symmetry. exact (E x y Hx Hy).
Qed.

Lemma one_response_true (D : list nat) g : D <> [] -> one_response (pattern_of D g) = negb (tells (resp col) D g).
Proof.
  intros N. apply eq_true_iff_eq. rewrite negb_true_iff. split.
  - intros O. destruct (tells _ D g) eqn:T; [|reflexivity]. apply existsb_exists in T as [x [Hx T]].
    apply existsb_exists in T as [y [Hy T]]. apply negb_true_iff, Nat.eqb_neq in T. exfalso. apply T.
    destruct D as [|d D]; [contradiction|]. unfold pattern_of in O. cbn [map one_response fst] in O.
    assert (A : forall z, In z (d :: D) -> resp col g z = resp col g d).
    { intros z [->|Hz]; [reflexivity|]. apply Nat.eqb_eq.
      exact (proj1 (forallb_forall _ _) O _ (in_map (fun x => (resp col g x, Nat.b2n (resp col g x =? 0))) D z Hz)). }
    rewrite (A x Hx), (A y Hy). reflexivity.
  - intros T. destruct D as [|d D]; [contradiction|]. unfold pattern_of. cbn [map one_response fst].
    apply forallb_forall. intros r Hr. apply in_map_iff in Hr as [y [<- Hy]]. cbn [fst]. apply Nat.eqb_eq.
    apply (tells_not (resp col) (d :: D) g y d T); [right; exact Hy|left; reflexivity].
Qed.

Definition pair_true (D : list nat) (to : nat -> nat) (gh : nat * nat) : Prop :=
  fst gh < guesses /\ tells (resp col) D (fst gh) = true /\ snd gh < guesses /\
  splits_alike (resp col) D to (fst gh) (snd gh).

Lemma images_are (D : list nat) to l : D <> [] ->
  images_in (by_shape (patterns guesses col (map to D))) (patterns guesses col D) = Some l ->
  Forall (pair_true D to) l /\
  forall g, g < guesses -> tells (resp col) D g = true -> exists h, In (g, h) l.
Proof.
  intros N E. apply images_in_true in E as [A B]. split.
  - apply Forall_forall. intros [g h] H. destruct (A g h H) as [row [row' [H1 [H2 [H3 H4]]]]].
    apply in_patterns in H1 as [G ->], H3 as [G' ->]. rewrite one_response_true in H2 by exact N.
    apply negb_false_iff in H2. split; [exact G|]. split; [exact H2|]. split; [exact G'|apply alike_by_pattern, H4].
  - intros g Hg T. destruct (B g (pattern_of D g)) as [h [row' [H _]]].
    + apply in_patterns. auto.
    + rewrite one_response_true, T by exact N. reflexivity.
    + exists h. exact H.
Qed.

Lemma keeps_by_true to X : keeps_by to X = true -> Permutation (map (fun m => (to (fst m), snd m)) X) X.
Proof. intros H. apply same_state_eq in H. rewrite <- H at 2. apply Sorting.Permuted_sort. Qed.

Lemma kept_in to X : keeps_by to X = true ->
  (forall s l, In (s, l) X -> In (to s, l) X) /\
  (forall s l, In (s, l) X -> exists s', In (s', l) X /\ In s' (map fst X) /\ to s' = s) /\
  (forall s, In s (map fst X) -> In (to s) (map fst X)).
Proof.
  intros H. apply keeps_by_true in H.
  assert (A : forall s l, In (s, l) X -> In (to s, l) X).
  { intros s l Hs. apply (Permutation_in _ H). apply in_map_iff. exists (s, l). auto. }
  split; [exact A|]. split.
  - intros s l Hs. apply (Permutation_in _ (Permutation_sym H)) in Hs. apply in_map_iff in Hs as [[s' l'] [[= E <-] Hs]].
    exists s'. split; [exact Hs|]. split; [apply (in_map fst) in Hs; exact Hs|exact E].
  - intros s Hs. apply in_map_iff in Hs as [[s' l] [<- Hs]]. apply A in Hs. apply (in_map fst) in Hs. exact Hs.
Qed.

Lemma two_in (X : state) : NoDup (map fst X) -> 2 <= List.length X ->
  exists x y, In x (map fst X) /\ In y (map fst X) /\ x <> y.
Proof.
  intros N T. destruct X as [|m1 [|m2 X]]; cbn in T; try lia. exists (fst m1), (fst m2).
  split; [left; reflexivity|]. split; [right; left; reflexivity|]. cbn in N. inversion N as [|? ? N1 _]; subst.
  intros E. apply N1. left. symmetry. exact E.
Qed.

(** A guess is asked in vain if its image is. *)
Lemma arrow_moved X to l g h d :
  proper secrets X -> 2 <= List.length X -> keeps_by to X = true ->
  Forall (pair_true (map fst X) to) l ->
  (forall g, g < guesses -> tells (resp col) (map fst X) g = true -> exists h, In (g, h) l) ->
  pair_true (map fst X) to (g, h) -> arrow_true (cleared win guesses secrets col X d) (h, g).
Proof.
  intros P Two Kp F A [Hg [T [Hh S]]] C. cbn [fst snd] in *. destruct (kept_in to X Kp) as [K1 [K2 K3]].
  set (D := map fst X) in *.
  set (image := fun x => if x =? g then h else match List.find (fun p => fst p =? x) l with Some p => snd p | None => x end).
  assert (Ig : image g = h) by (unfold image; rewrite Nat.eqb_refl; reflexivity).
  assert (I : forall x, x < guesses -> tells (resp col) D x = true ->
    image x < guesses /\ splits_alike (resp col) D to x (image x)).
  { intros x Hx Tx. unfold image. destruct (Nat.eqb_spec x g) as [->|_]; [auto|].
    destruct (List.find _ l) as [p|] eqn:Q.
    - apply find_some in Q as [Q1 Q2]. apply Nat.eqb_eq in Q2. rewrite <- Q2.
      destruct (proj1 (Forall_forall _ _) F p Q1) as [_ [_ [B1 B2]]]. auto.
    - destruct (A x Hx Tx) as [y Hy]. apply find_none with (x := (x, y)) in Q; [|exact Hy].
      cbn in Q. rewrite Nat.eqb_refl in Q. discriminate. }
  assert (DS : forall x, In x D -> x < secrets).
  { intros x Hx. apply in_map_iff in Hx as [[s k] [<- Hx]]. exact (proj1 P s k Hx). }
  assert (D2 : exists x y, In x D /\ In y D /\ x <> y)
    by (apply two_in; [exact (proj2 P)|exact Two]).
  destruct C as [[r [_ R]]|B]; cbn [snd].
  - exfalso. apply existsb_exists in T as [x [Hx T]]. apply existsb_exists in T as [y [Hy T]].
    apply negb_true_iff, Nat.eqb_neq in T. apply T. apply (proj2 S); [exact Hx|exact Hy|].
    assert (Z : forall z, In z D -> resp col h (to z) = r).
    { intros z Hz. apply in_map_iff in Hz as [[s k] [<- Hz]]. exact (R (to s) k (K1 s k Hz)). }
    rewrite (Z x Hx), (Z y Hy). reflexivity.
  - right. apply (refuted_asking_moved win guesses secrets (resp col) once D to image DS D2 I d X g Hg T K2).
    rewrite Ig. exact B.
Qed.

Lemma set_renaming_true lies secret_in X words l rest :
  good secrets lies X -> set_renaming guesses col secret_in X words = Some (l, rest) ->
  forall d a, In a l -> arrow_true (cleared win guesses secrets col X d) a.
Proof.
  intros [P _] E d a Ha. unfold set_renaming in E. destruct (cycles_in _ _ _ _) as [[cycles words']|]; [|discriminate].
  cbv zeta in E. set (to := goes (moves_of cycles)) in E. set (fro := goes (turned (moves_of cycles))) in E.
  destruct (_ && _) eqn:Q in E; [|discriminate].
  apply andb_prop in Q as [Q Q4]. apply andb_prop in Q as [Q Q3]. apply andb_prop in Q as [Q Q2].
  apply andb_prop in Q as [_ Q1]. apply Nat.leb_le in Q1. clearbody to fro.
  destruct (images_in _ _) as [lt|] eqn:E1 in E; [|discriminate].
  destruct (images_in _ _) as [lf|] eqn:E2 in E; [|discriminate]. injection E as <- _.
  assert (N : map fst X <> []) by (destruct X; [cbn in Q1; lia|discriminate]).
  apply images_are in E1 as [F1 A1]; [|exact N]. apply images_are in E2 as [F2 A2]; [|exact N].
  apply in_app_or in Ha as [Ha|Ha].
  - apply in_map_iff in Ha as [[g h] [<- Ha]].
    exact (arrow_moved X to lt g h d P Q1 Q2 F1 A1 (proj1 (Forall_forall _ _) F1 (g, h) Ha)).
  - destruct a as [g h]. apply (arrow_moved X fro lf h g d P Q1 Q3 F2 A2).
    destruct (proj1 (Forall_forall _ _) F1 (g, h) Ha) as [G1 [T [G2 [S0 S]]]]. cbn [fst snd] in *.
    destruct (kept_in to X Q2) as [_ [K2 K3]].
    assert (Z : forall x, In x (map fst X) -> exists y, In y (map fst X) /\ to y = x /\ fro x = y).
    { intros x Hx. apply in_map_iff in Hx as [[s k] [<- Hx]]. destruct (K2 s k Hx) as [y [_ [Hy E]]]. exists y.
      split; [exact Hy|]. split; [exact E|]. cbn [fst]. rewrite <- E. apply Nat.eqb_eq.
      exact (proj1 (forallb_forall _ _) Q4 y Hy). }
    split; [exact G2|]. split; [|split; [exact G1|split]]; cbn [fst snd].
    + apply existsb_exists in T as [x [Hx T]]. apply existsb_exists in T as [y [Hy T]].
      apply existsb_exists. exists (to x). split; [exact (K3 x Hx)|]. apply existsb_exists. exists (to y).
      split; [exact (K3 y Hy)|]. apply negb_true_iff, Nat.eqb_neq in T. apply negb_true_iff, Nat.eqb_neq.
      intros B. apply T, S; assumption.
    + intros x Hx. destruct (Z x Hx) as [y [Hy [<- ->]]]. symmetry. exact (S0 y Hy).
    + intros x x' Hx Hx'. destruct (Z x Hx) as [y [Hy [<- ->]]]. destruct (Z x' Hx') as [y' [Hy' [<- ->]]].
      symmetry. exact (S y y' Hy Hy').
Qed.

End SetRenaming.

(** ** Words and tables *)

Definition to_win (aim : goal) (won : bool) : bool := match aim with Win => won | Identify => false end.

(** More responses would not fit. *)
Definition few_cells (guesses secrets : nat) : bool :=
  (1 <=? guesses) && (1 <=? secrets) && (guesses * secrets <=? Nat.pow 10 6).

(** Whether a game, as the columns [t], is refused. *)
Definition refused_any (guesses secrets : nat) (t : store (nat * list nat)) (guess_in secret_in : text -> option nat)
    (aim : goal) (d lies : nat) (first : option nat) (proof : list text) : option nat :=
  refused aim guesses secrets lies t guess_in secret_in (fun _ => set_renaming guesses (column_in t) secret_in)
    d first proof.

Section Any.  (* one game, of words or of a table *)

Context {Guess Secret Response : Type}.

Variable guesses : list Guess.
Variable secrets : list Secret.
Variable says : Guess -> Secret -> Response.
Variable wins_for : Guess -> Secret -> bool.
Variable number : Guess -> Response -> nat.
Variable response : Guess -> nat -> Response.
Variable guess_number : Guess -> nat.
Variable secret_number : Secret -> nat.

Hypothesis response_number : forall g s, In g guesses -> In s secrets ->
  response g (number g (says g s)) = says g s.
Hypothesis guess_is : forall g, In g guesses -> nth_error guesses (guess_number g) = Some g.
Hypothesis secret_is : forall i s, nth_error secrets i = Some s -> secret_number s = i.

Lemma any_sound guess_in secret_in aim d lies first proof :
  refused_any (List.length guesses) (List.length secrets)
    (columns guesses secrets says (fun g s => to_win aim (wins_for g s)) number) guess_in secret_in aim d lies
    (option_map guess_number first) proof = None ->
  unsettled guesses secrets says (fun g s => to_win aim (wins_for g s)) aim first d lies.
Proof.
  intros E. apply refused_true in E.
  - destruct E as [L C].
    exact (claimed_unsettled guesses secrets says _ aim number response guess_number secret_number response_number
      guess_is secret_is L first d lies C).
  - intros L -> g s Hg Hs. destruct (nth_error guesses g) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
    destruct (nth_error secrets s) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
    intros Z. discriminate (eq_trans (eq_sym Z) (resp_is guesses secrets says _ number L g s a b Ea Eb)).
  - intros L O X words l rest G R. exact (set_renaming_true (wins aim) _ _ _ O lies _ X words l rest G R).
Qed.

End Any.

(** The number of marks, none of more than 2. *)
Fixpoint marks_number (m : list nat) : nat := match m with [] => 0 | x :: m => S (x + 3 * marks_number m) end.

Fixpoint marks_of (long k : nat) : list nat :=
  match long, k with S long, S k => Nat.modulo k 3 :: marks_of long (Nat.div k 3) | _, _ => [] end.

Lemma marks_of_number m : forall long, (forall x, In x m -> x < 3) -> List.length m <= long ->
  marks_of long (marks_number m) = m.
Proof.
  induction m as [|x m IH]; intros [|long] H L; cbn in L; try lia; [reflexivity|reflexivity|].
  cbn [marks_number marks_of]. pose proof (H x (or_introl eq_refl)).
  replace (x + 3 * marks_number m) with (marks_number m * 3 + x) by lia.
  rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia.
  rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. f_equal. apply IH; [|lia]. intros y Hy. apply H. right; exact Hy.
Qed.

Lemma marks_small guess : forall secret spare,
  (forall x, In x (marks guess secret spare) -> x < 3) /\ List.length (marks guess secret spare) <= List.length guess.
Proof.
  induction guess as [|a guess IH]; intros [|b secret] spare; cbn [marks]; try (split; [intros x []|cbn; lia]).
  destruct (Ascii.eqb a b); [|destruct (existsb _ _)]; (split; [intros x [<-|H]; [lia|exact (proj1 (IH _ _) x H)]|
    cbn; pose proof (proj2 (IH secret spare)); pose proof (proj2 (IH secret (without a spare))); lia]).
Qed.

Definition letters (w : text) : bool :=
  (1 <=? List.length w) && (List.length w <=? 5) &&
  forallb (fun c => (97 <=? nat_of_ascii c) && (nat_of_ascii c <=? 122)) w.

Definition in_list (l : list text) (w : text) : option nat := let i := index w l in if i <? List.length l then Some i else None.

Definition refused_words (hidden allowed : text) (aim : goal) (first : option text) (d lies : nat) (proof : list text)
    : option nat :=
  match lines_of hidden, lines_of allowed with
  | Some secrets, Some others =>
      let guesses := word_guesses secrets others in
      let long := List.length (hd [] secrets) in
      if few_cells (List.length guesses) (List.length secrets) && once_each secrets && once_each others &&
         forallb (fun w => letters w && (List.length w =? long)) guesses &&
         match first with None => true | Some w => existsb (same_text w) guesses end
      then refused_any (List.length guesses) (List.length secrets)
        (columns guesses secrets word_says (fun g s => to_win aim (same_text g s)) (fun _ => marks_number))
        (in_list guesses) (in_list secrets) aim d lies (option_map (fun w => index w guesses) first) proof
      else Some (List.length proof)
  | _, _ => Some (List.length proof)
  end.

Lemma words_sound hidden allowed aim first d lies proof :
  refused_words hidden allowed aim first d lies proof = None ->
  holds {| of := Words hidden allowed first; aim := aim; within := d; lies := lies |}.
Proof.
  unfold refused_words, holds. cbn [of LiesGame.aim within LiesGame.lies].
  destruct (lines_of hidden) as [secrets|]; [|discriminate]. destruct (lines_of allowed) as [others|]; [|discriminate].
  cbv zeta. set (guesses := word_guesses secrets others). destruct (_ && _) eqn:Q; [|discriminate]. intros E.
  apply andb_prop in Q as [Q _]. apply andb_prop in Q as [Q Q3]. apply andb_prop in Q as [Q _].
  apply andb_prop in Q as [_ Q1]. apply once_each_true in Q1.
  refine (any_sound guesses secrets word_says same_text (fun _ => marks_number) (fun _ => marks_of 5)
    (fun w => index w guesses) (fun w => index w secrets) _ _ _ _ _ aim d lies first proof E).
  - intros g s Hg _. unfold word_says. set (spare := map snd _). destruct (marks_small g s spare) as [A B].
    apply marks_of_number; [exact A|]. pose proof (proj1 (forallb_forall _ _) Q3 g Hg) as C.
    apply andb_prop in C as [C _]. unfold letters in C. apply andb_prop in C as [C _]. apply andb_prop in C as [_ C].
    apply Nat.leb_le in C. lia.
  - intros g Hg. exact (index_is g guesses Hg).
  - intros i s H. apply (proj1 (NoDup_nth_error secrets) Q1).
    + apply nth_error_Some. rewrite (index_is s secrets (nth_error_In _ _ H)). discriminate.
    + rewrite (index_is s secrets (nth_error_In _ _ H)). congruence.
Qed.

(** A guess or a secret of a table is named by its number, from 1. *)
Definition counted_in (most : nat) (w : text) : option nat :=
  match number_of_digits 6 w with Some (S i) => if i <? most then Some i else None | _ => None end.

Definition about_costs (w : text) : bool := spells "cost" w || spells "cost:" (firstn 5 w).

(** *** Tables line by line *)

(** Letters of a table take much room, so they are read once, and of each line no more is kept than its numbers. *)

Definition line_end : ascii -> bool := Ascii.eqb "010".

(** The first line, and what is behind its end. *)
Fixpoint cut (t now : text) : option (text * text) :=
  match t with
  | [] => None
  | c :: t => if line_end c then Some (rev' now, t) else cut t (c :: now)
  end.

(** All lines, read one by one; the last may lack its end. *)
Fixpoint read_lines {A} (read : text -> option A) (t now : text) (done : list A) : option (list A) :=
  let ended (_ : unit) := option_map (fun a => a :: done) (read (rev' now)) in
  match t with
  | [] => option_map (@rev' A) (match now with [] => Some done | _ => ended tt end)
  | c :: t =>
      if line_end c then match ended tt with Some done => read_lines read t [] done | None => None end
      else read_lines read t (c :: now) done
  end.

Lemma rev_is {A} (l : list A) : rev' l = rev l.
Proof. symmetry. apply rev_alt. Qed.

Lemma cut_is t : forall now line rest done,
  cut t now = Some (line, rest) -> split_at line_end t now done = split_at line_end rest [] (line :: done).
Proof.
  induction t as [|c t IH]; intros now line rest done E; cbn [cut split_at] in *; [discriminate|].
  destruct (line_end c); [injection E as <- <-; reflexivity|exact (IH _ _ _ _ E)].
Qed.

Lemma read_lines_true {A} (read : text -> option A) first t : forall now done seen l,
  map read seen = map Some done -> read_lines read t now done = Some l ->
  exists lines, map read lines = map Some l /\
    let all := split_at line_end t now (seen ++ [first]) in
    match rev' all with [] :: ((_ :: _) as before) => rev' before | _ => all end = first :: lines.
Proof.
  induction t as [|c t IH]; intros now done seen l R E; cbn [read_lines split_at] in *.
  - assert (B : rev (seen ++ [first]) = first :: rev seen) by apply rev_app_distr.
    cbv zeta. rewrite (rev_is (_ :: _)), (rev_is (rev _)), rev_involutive.
    destruct now as [|c now]; cbn [option_map] in E.
    + injection E as <-. exists (rev seen). rewrite rev_is, !map_rev, R. split; [reflexivity|]. cbn.
      destruct (seen ++ [first]) as [|w before] eqn:Q; [destruct seen; discriminate|]. rewrite rev_is. exact B.
    + destruct (rev' (c :: now)) as [|b w] eqn:Q;
        [rewrite rev_is in Q; destruct (app_cons_not_nil _ _ _ (eq_sym Q))|].
      destruct (read (b :: w)) as [a|] eqn:W; [|discriminate]. injection E as <-. exists (rev ((b :: w) :: seen)).
      rewrite rev_is, !map_rev. cbn [map rev]. unfold text in *. rewrite R, W, B. split; reflexivity.
  - destruct (line_end c); [|exact (IH _ _ _ _ R E)].
    destruct (read (rev' now)) as [a|] eqn:W; [|discriminate]. cbn [option_map] in E.
    apply (IH [] (a :: done) (rev' now :: seen)); [cbn; congruence|exact E].
Qed.

(** The responses that a row has, behind its name. *)
Definition labels_of (row : list text) : list text := labels_in (tl row) [].

Definition numbers_by (labels : list text) (aim : goal) (row : list text) : list nat :=
  map (fun w => if to_win aim (spells "win" w) then 0 else S (index w labels)) (tl row).

(** The responses of a guess as numbers: their places among those of its row. *)
Definition row_in (aim : goal) (secrets : nat) (line : text) : option (list nat) :=
  match cells Before line [] [] with
  | Some row =>
      let labels := labels_of row in
      if (List.length row =? S secrets) && negb (spells "weight" (hd [] row)) &&
         forallb (fun w => negb (empty w)) (tl row) &&
         (List.length (filter (fun w => negb (spells "win" w)) labels) <=? 254)
      then Some (numbers_by labels aim row) else None
  | None => None
  end.

Definition refused_table (csv : text) (aim : goal) (first : option nat) (d lies : nat) (proof : list text)
    : option nat :=
  let refused := Some (List.length proof) in
  match (if plain_text csv then cut csv [] else None) with
  | Some (header, rest) =>
      match cells Before header [] [] with
      | Some (_ :: names) =>
          let n := List.length names in
          match read_lines (row_in aim n) rest [] [] with
          | Some rows =>
              let m := List.length rows in
              if few_cells m n && forallb (fun h => negb (about_costs h)) names &&
                 match first with None => true | Some g => g <? m end
              then refused_any m n (numbered (transposed n rows)) (counted_in m) (counted_in n) aim d lies first proof
              else refused
          | None => refused
          end
      | _ => refused
      end
  | None => refused
  end.

Section Table.

Variable aim : goal.
Variable secrets : nat.

Let numbers (row : list text) : list nat := numbers_by (labels_of row) aim row.

Lemma rows_in : forall lines found, map (row_in aim secrets) lines = map Some found ->
  exists rows, all_some (map (fun line => cells Before line [] []) lines) = Some rows /\ found = map numbers rows /\
    forall row, In row rows -> List.length row = S secrets.
Proof.
  induction lines as [|line lines IH]; intros [|f found] E; try discriminate.
  - exists []. split; [reflexivity|]. split; [reflexivity|intros row []].
  - injection E as E1 E2. destruct (IH found E2) as [rows [H1 [-> H2]]]. unfold row_in in E1. cbn [map all_some].
    destruct (cells Before line [] []) as [row|]; [|discriminate]. cbv zeta in E1.
    destruct (_ && _) eqn:Q in E1; [|discriminate].
    injection E1 as <-. exists (row :: rows). rewrite H1. split; [reflexivity|]. split; [reflexivity|].
    intros r [<-|H]; [|exact (H2 r H)]. apply andb_prop in Q as [Q _]. apply andb_prop in Q as [Q _].
    apply andb_prop in Q as [Q _]. apply Nat.eqb_eq, Q.
Qed.

Variable rows : list (list text).

Hypothesis alike : forall row, In row rows -> List.length row = S secrets.

Lemma row_is g : g < List.length rows -> List.length (tl (nth g rows [])) = secrets /\
  forall s, cell rows g s = nth s (tl (nth g rows [])) [].
Proof.
  intros Hg. pose proof (alike _ (nth_In rows [] Hg)) as L. unfold cell.
  destruct (nth g rows []) as [|x row]; cbn in *; (split; [lia|intros [|s]; reflexivity]).
Qed.

Lemma table_columns :
  numbered (transposed secrets (map numbers rows)) =
  columns (seq 0 (List.length rows)) (seq 0 secrets) (cell rows)
    (fun g s => to_win aim (spells "win" (cell rows g s))) (fun g w => index w (labels_of (nth g rows []))).
Proof.
  unfold columns. rewrite transposed_is. f_equal. apply map_ext_in. intros s Hs. apply in_seq in Hs.
  rewrite map_map. apply (nth_ext _ _ 0 0); rewrite !map_length, ?seq_length; [reflexivity|]. intros g Hg.
  rewrite nth_numbers by exact Hg. destruct (row_is g Hg) as [L C]. unfold reply. rewrite C.
  rewrite (nth_indep _ 0 (nth s (numbers []) 0)) by (rewrite map_length; exact Hg).
  rewrite (map_nth (fun row => nth s (numbers row) 0)). unfold numbers, numbers_by.
  set (f := fun w => if to_win _ _ then _ else _). rewrite (nth_indep _ 0 (f [])) by (rewrite map_length; lia).
  rewrite map_nth. reflexivity.
Qed.

End Table.

Lemma table_sound csv aim first d lies proof :
  refused_table csv aim first d lies proof = None ->
  holds {| of := Table csv first; aim := aim; within := d; lies := lies |}.
Proof.
  unfold refused_table, holds. cbn [of LiesGame.aim within LiesGame.lies]. cbv zeta.
  destruct (plain_text csv) eqn:P; [|discriminate]. destruct (cut csv []) as [[line rest]|] eqn:C; [|discriminate].
  destruct (cells Before line [] []) as [[|name names]|] eqn:H; try discriminate. set (n := List.length names).
  destruct (read_lines _ _ _ _) as [found|] eqn:R; [|discriminate]. destruct (_ && _); [|discriminate]. intros E.
  apply (read_lines_true _ line rest [] [] []) in R as [lines [R L]]; [|reflexivity].
  apply rows_in in R as [rows [R [-> A]]].
  assert (T : rows_of csv = Some ((name :: names) :: rows)).
  { assert (W : lines_of csv = Some (line :: lines)).
    { unfold lines_of. rewrite P. fold line_end. rewrite (cut_is csv [] line rest [] C). exact (f_equal Some L). }
    unfold rows_of. rewrite W. cbn [map all_some]. rewrite H, R. cbn [option_map].
    replace (forallb _ rows) with true; [reflexivity|]. symmetry. apply forallb_forall. intros row I.
    rewrite (A row I). apply Nat.eqb_refl. }
  rewrite T. replace (List.length (name :: names) - 1) with n by (cbn; lia). rewrite map_length in E.
  set (m := List.length rows) in *. rewrite (table_columns aim n rows A) in E.
  assert (S : forall k i, i < k -> nth_error (seq 0 k) i = Some i).
  { intros k i I. rewrite (nth_error_nth' _ 0) by (rewrite seq_length; exact I).
    rewrite seq_nth by exact I. reflexivity. }
  refine (any_sound (seq 0 m) (seq 0 n) (cell rows) (fun g s => spells "win" (cell rows g s))
    (fun g w => index w (labels_of (nth g rows []))) (fun g i => nth i (labels_of (nth g rows [])) [])
    (fun g => g) (fun s => s) _ _ _ (counted_in m) (counted_in n) aim d lies first proof _).
  - intros g s Hg Hs. apply in_seq in Hg, Hs. apply nth_error_nth, index_is, labels_have. right.
    destruct (row_is n rows A g (proj2 Hg)) as [Lg ->]. apply nth_In. rewrite Lg. apply Hs.
  - intros g Hg. apply in_seq in Hg. apply S. lia.
  - intros i s I. assert (B : i < n) by (rewrite <- (seq_length n 0); apply nth_error_Some; rewrite I; discriminate).
    rewrite (S n i B) in I. congruence.
  - rewrite !seq_length. replace (option_map (fun g : nat => g) first) with first by (destruct first; reflexivity).
    exact E.
Qed.
