(** The checker of whole files, and the theorem: what it accepts is true of the game. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String.
From Proof Require Import Text Store Vector Theory Counting Trees Plain HardTrees HardChecker Game Kinds Rows.
From Proof Require Board Main.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** The profile of the whole game *)

Lemma above_cons j x l : above j (x :: l) = (if j <? x then 1 else 0) + above j l.
Proof. unfold above. cbn [filter]. destruct (j <? x); reflexivity. Qed.

Lemma above_larger j l : forall m, above j l <= above j (larger l m) /\ above j m <= above j (larger l m).
Proof.
  induction l as [|x l IH]; intros m.
  - destruct m; cbn [larger]; split; try apply le_n; apply Nat.le_0_l.
  - destruct m as [|y m]; cbn [larger]; [split; [apply le_n|apply Nat.le_0_l]|].
    destruct (IH m) as [A B]. rewrite !above_cons.
    destruct (Nat.ltb_spec j x), (Nat.ltb_spec j y), (Nat.ltb_spec j (max x y)); lia.
Qed.

Lemma above_falling j l : above j (falling l) = above j l.
Proof.
  assert (P : forall x l, above j (place_falling x l) = (if j <? x then 1 else 0) + above j l).
  { intros x. induction l0 as [|y l0 IH]; [apply above_cons|]. cbn [place_falling].
    destruct (y <=? x); [apply above_cons|]. rewrite !above_cons, IH. lia. }
  unfold falling. cut (forall d, above j (fold_left (fun l x => place_falling x l) l d) = above j d + above j l);
    [intros X; rewrite X; reflexivity|].
  induction l as [|x l IH]; intros d; cbn [fold_left]; [unfold above; cbn; lia|].
  rewrite IH, P, above_cons. lia.
Qed.

Lemma above_some j l : above j (filter (Nat.ltb 0) l) = above j l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct x as [|x].
  - cbn [Nat.ltb Nat.leb]. rewrite above_cons, IH. reflexivity.
  - cbn [Nat.ltb Nat.leb]. rewrite !above_cons, IH. reflexivity.
Qed.

Lemma above_fold {A} j (f : A -> list nat) l r :
  above j r <= above j (fold_left (fun r a => larger r (f a)) l r) /\
  forall a, In a l -> above j (f a) <= above j (fold_left (fun r a => larger r (f a)) l r).
Proof.
  revert r; induction l as [|x l IH]; intros r; cbn [fold_left]; [split; [apply le_n|intros a []]|].
  destruct (IH (larger r (f x))) as [A1 A2]. destruct (above_larger j r (f x)) as [B1 B2]. split; [lia|].
  intros a [<-|H]; [lia|auto].
Qed.

Lemma above_profile j ranks : above j ranks = nth j (profile_of ranks) 0.
Proof.
  unfold profile_of. set (top := fold_left max ranks 0). destruct (Nat.lt_ge_cases j top) as [H|H].
  - rewrite (nth_map _ (seq 0 top) j 0) by (rewrite seq_length; exact H). rewrite seq_nth by exact H. reflexivity.
  - rewrite nth_overflow by (rewrite map_length, seq_length; exact H). unfold above.
    assert (T : forall x, In x ranks -> x <= j).
    { intros x Hx. pose proof (proj2 (fold_max ranks 0) x Hx). fold top in H0. lia. }
    induction ranks as [|x l IH]; [reflexivity|]. cbn [filter]. pose proof (T x (or_introl eq_refl)).
    destruct (Nat.ltb_spec j x); [lia|]. clear H0. cut (List.length (filter (Nat.ltb j) l) = 0); [auto|].
    clear - T. induction l as [|y l IH]; [reflexivity|]. cbn [filter]. pose proof (T y (or_intror (or_introl eq_refl))).
    destruct (Nat.ltb_spec j y); [lia|]. apply IH. intros z [->|Hz]; [apply T; left; reflexivity|apply T; right; right; exact Hz].
Qed.

Lemma nth_tl (l : list nat) a : nth a (tl l) 0 = nth (S a) l 0.
Proof. destruct l; [destruct a|]; reflexivity. Qed.

(** ** A claim about a game *)

(** The guess that is a secret, or the number of guesses; of a table, where it is asked for. *)
Definition owners (c : claim) : nat -> nat :=
  let G := questions_of (of c) in
  match of c with
  | Table _ =>
      if only c then
        let v := make_words (secrets G) (fun s =>
          match List.find (fun g => is c g s) (range (guesses G)) with Some g => g | None => guesses G end) in
        fun s => if s <? secrets G then word_at v s else guesses G
      else fun _ => guesses G
  | _ => fun s => s
  end.

Definition numbered (l : list code) : list (nat * code) := combine (range (List.length l)) l.

Definition same_by_names (all_guesses all_secrets : list code) : bool :=
  let secrets := numbered all_secrets in
  forallb (fun g => forallb (fun s => negb (same (snd g) (snd s)) || (fst g =? fst s)) secrets) (numbered all_guesses).

(** No guess but the owner is the secret. *)
Definition owners_true (c : claim) (own : nat -> nat) : bool :=
  match of c with
  | Codes G => same_by_names (codes G) (codes G)
  | Words _ answers others => same_by_names (answers ++ others_of answers others) answers
  | Table _ =>
      let G := questions_of (of c) in
      forallb (fun g => forallb (fun s => negb (is c g s) || (own s =? g)) (range (secrets G))) (range (guesses G))
  end.

(** ** Hard mode *)

Definition ruled (k : kind) : bool := match k with Words Normal _ _ => false | Words _ _ _ => true | _ => false end.

(** Words by their numbers: as numbers in a vector, if they can be made of these again. *)
Definition packed (w : code) : nat := fold_left (fun v x => Nat.shiftl v 8 + x) w 0.

Fixpoint unpacked (letters v : nat) (w : code) : code :=
  match letters with 0 => w | S letters => unpacked letters (Nat.shiftr v 8) (Nat.land v (Nat.ones 8) :: w) end.

Definition word_in (l : list code) : nat -> code :=
  let v := words_of (map packed l) in
  let letters := List.length (hd [] l) in
  let many := List.length l in
  let good := forallb (fun iw => same (unpacked letters (word_at v (fst iw)) []) (snd iw)) (numbered l) in
  fun i => if good && (i <? many) then unpacked letters (word_at v i) [] else nth i l [].

Definition words_in (k : kind) : nat -> code :=
  match k with Words _ answers others => word_in (answers ++ others_of answers others) | _ => fun _ => [] end.

Definition mode_of (k : kind) : mode := match k with Words m _ _ => m | _ => Normal end.

(** What hard mode asks of a word, with what is counted in the guess before counted once. *)
Definition many_marked (guess marked : code) (x : nat) : nat :=
  List.length (filter (fun gm => (fst gm =? x) && negb (snd gm =? 0)) (combine guess marked)).

Fixpoint in_place (guess marked later : code) : bool :=
  match guess, marked, later with
  | x :: guess, m :: marked, y :: later => (negb (m =? 2) || (x =? y)) && in_place guess marked later
  | _, _, _ => true
  end.

Definition enough_of (many : list (nat * nat)) (later : code) : bool :=
  forallb (fun xn => snd xn <=? count_occ Nat.eq_dec later (fst xn)) many.

(** Whether a guess may be asked behind another, for a secret. *)
Definition followed (m : mode) (word : nat -> code) (g x : nat) : nat -> bool :=
  let w := word g in
  let marked := wordle w (word x) in
  match m with
  | Hard =>
      let many := filter (fun xn => 0 <? snd xn) (map (fun x => (x, many_marked w marked x)) w) in
      fun later => let l := word later in in_place w marked l && enough_of many l
  | _ => fun later => may_follow m w marked (word later)
  end.

(** What a mark of a letter demands, as numbers: the letter is in a place (0) or not (2), occurs more than so many times
    (1), or no more (3). [many]: how often the letter was marked. Claims are used where no less is demanded; that they are
    true there does not depend on these numbers. *)
Definition feature (relation i letter : nat) : nat := Nat.shiftl (8 * relation + i) 8 + letter.

Definition demands_of (m : mode) (many i letter mark : nat) : list nat :=
  let ultra := match m with Ultra => true | _ => false end in
  (if mark =? 2 then [feature 0 i letter] else if ultra then [feature 2 i letter] else []) ++
  map (fun j => feature 1 j letter) (seq 0 many) ++
  (if ultra && (mark =? 0) then [feature 3 many letter] else []).

(** What a guess demands, for a secret. *)
Definition demands (m : mode) (word : nat -> code) (g x : nat) : list nat :=
  let w := word g in
  let marked := wordle w (word x) in
  let each ilm :=
    demands_of m (many_marked w marked (fst (snd ilm))) (fst ilm) (fst (snd ilm)) (snd (snd ilm)) in
  fold_left (fun l f => merged [f] l) (flat_map each (combine (seq 0 (List.length w)) (combine w marked))) [].

Section Claims.

Variable c : claim.

Let G := questions_of (of c).
Let win := wins_ (aim c).

Variables place_of_guess place_of_secret : text -> option nat.
Variable reading : (nat -> nat -> nat) -> nat -> list nat -> list text -> option (renaming * list text).
Variable imaging : list nat -> list text -> option (list nat * list text).

(** The answers as a board, where that counts the parts of all guesses, and all may be asked. *)
Definition board_for (R : rows) (responses : nat) : option Board.board :=
  if only c then None
  else
    let board := Board.board_of (guesses G) (secrets G) (responses - shift R) (answer_bytes R) in
    if Board.sound board then Some board else None.

(** Nothing if the proof is accepted; otherwise the words from where it is refused. *)
Definition refused (proof : list text) : option (list text) :=
  match rows_for (of c) win with
  | None => Some proof
  | Some R =>
      let ng := guesses G in
      let ns := secrets G in
      let responses := S (max (highest R) 1) in
      let ans := answer_in R ng ns in
      let own := owners c in
      let all := whole ns in
      let asked_ := Plain.asked ng own (only c) all in
      if (negb (only c) || (largest (tally ng own all) <=? 1) && owners_true c own &&
           forallb (fun s => negb (own s <? ng) || negb win || (ans (own s) s =? 0)) all) &&
         (negb win || forallb (fun g => nth 0 (sizes ans responses g all) 0 <=? 1) asked_)
      then
        let ranks := ranks ans ng ns responses own (only c) in
        let profile := profile_of ranks in
        let tables := map (fun K => Delay (table_of ns (negb win) (only c) profile K))
                        (seq 0 (S (most ans ng responses own (only c) all))) in
        let columns := Delay (make_grid ns ng (fun x g => byte_at (answer_bytes R) (g * ns + x))) in
        if ruled (of c) then
          let word := words_in (of c) in
          let m := mode_of (of c) in
          hard_refusal ans ng ns responses own (negb win) (only c) tables (value columns) (shifted R)
            (followed m word)
            (demands m word) place_of_guess place_of_secret proof (limit c) (cost c) (first c)
        else
          refusal ans ng ns responses own (negb win) (only c) (answer_bytes R) (shifted R) (board_for R responses)
            columns tables place_of_guess place_of_secret (reading ans responses) imaging proof (limit c) (cost c)
            (first c)
      else Some proof
  end.

(** A renaming that says to keep all answers is one of positions and colours. *)
Hypothesis reading_exact : forall ans responses s words_ r rest,
  reading ans responses s words_ = Some (r, rest) -> exact r = true ->
  exists G' p w, of c = Codes G' /\ secret_to r = guess_to r /\
    Main.images G' (List.length (codes G')) (Main.names_of G' (codes G')) p w = Some (guess_to r).

(** So is what images of sets are made by. *)
Hypothesis imaging_exact : forall s words_ s' rest, imaging s words_ = Some (s', rest) ->
  exists G' p w, of c = Codes G' /\
    Main.image_of G' (List.length (codes G')) (Main.names_of G' (codes G')) p w s = Some s'.

Lemma owners_are g s :
  owners_true c (owners c) = true -> g < guesses G -> s < secrets G -> is c g s = true -> owners c s = g.
Proof.
  intros H Hg Hs E. assert (N : forall gs ss, same_by_names gs ss = true -> g < List.length gs -> s < List.length ss ->
    same (nth g gs []) (nth s ss []) = true -> s = g).
  { intros gs ss X Lg Ls Q. unfold same_by_names, numbered, range in X.
    assert (I : forall (l : list code) i, i < List.length l -> In (i, nth i l []) (combine (seq 0 (List.length l)) l)).
    { intros l i Hi. replace (i, nth i l []) with (nth i (combine (seq 0 (List.length l)) l) (0, @nil nat)).
      - apply nth_In. rewrite combine_length, seq_length. lia.
      - rewrite combine_nth by apply seq_length. rewrite seq_nth by exact Hi. reflexivity. }
    assert (Y := proj1 (forallb_forall _ _) X _ (I gs g Lg)). cbn [fst snd] in Y.
    assert (Z := proj1 (forallb_forall _ _) Y _ (I ss s Ls)). cbn [fst snd] in Z. rewrite Q in Z. cbn in Z.
    apply Nat.eqb_eq in Z. auto. }
  unfold owners_true, owners, is in *. subst G. destruct (of c) as [G|m answers others|rows];
    cbn [questions_of by_names guesses secrets wins names] in *.
  - apply (N _ _ H Hg Hs). destruct (aim c); exact E.
  - apply (N _ _ H Hg Hs). destruct (aim c); exact E.
  - rewrite forallb_forall in H. specialize (H g ltac:(apply in_seq; lia)).
    rewrite forallb_forall in H. specialize (H s ltac:(apply in_seq; lia)).
    apply orb_prop in H as [H|H]; [|apply Nat.eqb_eq, H]. rewrite E in H. discriminate.
Qed.

Lemma word_in_is l i : word_in l i = nth i l [].
Proof.
  unfold word_in. destruct (forallb _ (numbered l)) eqn:H; [|reflexivity]. cbn [andb].
  destruct (Nat.ltb_spec i (List.length l)) as [L|_]; [|reflexivity].
  apply same_eq. refine (proj1 (forallb_forall _ _) H (i, nth i l []) _). unfold numbered, range.
  replace (i, nth i l []) with (nth i (combine (seq 0 (List.length l)) l) (0, @nil nat)).
  - apply nth_In. rewrite combine_length, seq_length. lia.
  - rewrite combine_nth by apply seq_length. rewrite seq_nth by exact L. reflexivity.
Qed.

Lemma followed_is m word g x later :
  followed m word g x later = may_follow m (word g) (wordle (word g) (word x)) (word later).
Proof.
  destruct m; try reflexivity. unfold followed, may_follow. f_equal.
  - generalize (word later) as l. generalize (wordle (word g) (word x)) as marked. generalize (word g) as w.
    induction w as [|a w IH]; intros [|m marked] [|y l]; try reflexivity. cbn [in_place combine forallb fst snd].
    rewrite IH. reflexivity.
  - set (n := many_marked _ _).
    change (enough_of (filter (fun xn => 0 <? snd xn) (map (fun x => (x, n x)) (word g))) (word later)
      = forallb (fun x => n x <=? count_occ Nat.eq_dec (word later) x) (word g)). clearbody n. unfold enough_of.
    induction (word g) as [|y l IH]; [reflexivity|]. cbn [map filter snd forallb]. rewrite <- IH.
    destruct (Nat.ltb_spec 0 (n y)) as [_|L]; [reflexivity|]. replace (n y) with 0 by lia. reflexivity.
Qed.

Lemma followed_true g x later : ruled (of c) = true -> x < secrets G ->
  followed (mode_of (of c)) (words_in (of c)) g x later = follows G g (response G g x) later.
Proof.
  unfold G. destruct (of c) as [|m answers others|]; try discriminate. intros _ Hx. rewrite followed_is. unfold words_in.
  rewrite !word_in_is. cbn [questions_of by_names follows response secrets mode_of] in *.
  rewrite (app_nth1 answers (others_of answers others) [] Hx). reflexivity.
Qed.

Theorem refused_true proof : refused proof = None -> holds c.
Proof.
  unfold refused. destruct (rows_for (of c) win) as [R|] eqn:ER; [|discriminate]. cbv zeta.
  set (ng := guesses G). set (ns := secrets G). set (responses := S (max (highest R) 1)). set (ans := answer_in R ng ns).
  set (own := owners c). set (all := whole ns).
  destruct (_ && _) eqn:H; [|discriminate]. apply andb_prop in H as [H2 H3].
  destruct (rows_true c R ER) as [R1 [R2 [K1 K2]]]. fold G in R2, K1, K2. fold ng ns in R2, K1, K2. fold ans in R2, K1, K2.
  intros E.
  assert (A0 : forall g x, ans g x < responses) by (intros g x; specialize (R2 g x); unfold responses; lia).
  assert (W : negb win = match aim c with Win => false | Identify => true end) by (unfold win; destruct (aim c); reflexivity).
  assert (A1 : negb win = true -> forall g x, ans g x <> 0).
  { intros O g x Z. destruct ((g <? ng) && (x <? ns)) eqn:X.
    - apply andb_prop in X as [X1 X2]. apply Nat.ltb_lt in X1, X2. apply (K1 g x X1 X2) in Z.
      unfold ends in Z. rewrite W in O. destruct (aim c); discriminate.
    - unfold ans, answer_in in Z. rewrite X in Z. discriminate. }
  assert (SZ : forall g s r, nth r (sizes ans responses g s) 0 = List.length (part ans g r s))
    by (intros; apply sizes_at, A0).
  assert (A2 : forall g, may ng own (only c) all g -> List.length (part ans g 0 all) <= 1).
  { intros g M. destruct (Plain.yes_or_no win) as [O|O].
    - rewrite O in H3. cbn [negb orb] in H3. apply (proj1 (forallb_forall _ _) H3) in M. apply Nat.leb_le in M.
      rewrite SZ in M. exact M.
    - rewrite (no_winning ans); [cbn; lia|]. apply A1. rewrite O. reflexivity. }
  assert (H2' : only c = true -> owners_true c own = true /\
    forall s, s < ns -> own s < ng -> win = true -> ans (own s) s = 0).
  { intros O. rewrite O in H2. cbn [negb orb] in H2. apply andb_prop in H2 as [O1 O2].
    apply andb_prop in O1 as [_ O1]. split; [exact O1|].
    intros s Hs Ho Hw.
    assert (X := proj1 (forallb_forall _ _) O2 s ltac:(apply in_seq; lia)). cbv beta in X.
    rewrite (proj2 (Nat.ltb_lt _ _) Ho), Hw in X. cbn in X. apply Nat.eqb_eq, X. }
  assert (MA : forall some g, incl some (all_secrets c) -> g < guesses G ->
    (only c = true -> exists s, In s some /\ is c g s = true) -> may ng own (only c) some g).
  { intros some g I Hg HM. unfold may, Plain.asked. destruct (only c) eqn:O.
    - destruct (HM eq_refl) as [s [Hs Is]]. destruct (H2' eq_refl) as [O1 _].
      assert (Ls : s < ns) by (apply I in Hs; apply in_seq in Hs; fold G ns in Hs; lia).
      pose proof (owners_are g s O1 Hg Ls Is) as Q. fold own in Q. apply filter_In.
      split; [apply in_map_iff; exists s; auto|apply Nat.ltb_lt, Hg].
    - apply in_seq. fold G ng in Hg. lia. }
  set (profile := profile_of (ranks ans ng ns responses own (only c))) in *. set (tables := map _ _) in *.
  assert (A3 : only c = true -> negb win = false -> forall x, x < ns -> own x < ng -> ans (own x) x = 0).
  { intros O O' x Hx Ho. destruct (H2' O) as [_ Q]. apply Q; [exact Hx|exact Ho|]. destruct win; [reflexivity|discriminate]. }
  assert (A4 : forall g j m, may ng own (only c) all g ->
    sum (fun a => if j <? List.length (part ans g (S a) all) then 1 else 0) (seq 0 m) <= nth j profile 0).
  { intros g j m M. unfold profile. rewrite <- above_profile.
    transitivity (above j (tl (sizes ans responses g all))).
    + rewrite (sum_eq _ _ (fun a => if j <? nth a (tl (sizes ans responses g all)) 0 then 1 else 0)).
      * rewrite (sum_nth (fun x => if j <? x then 1 else 0)) by (destruct j; reflexivity). rewrite sum_if. apply le_n.
      * intros a _. rewrite nth_tl, SZ. reflexivity.
    + rewrite <- above_some, <- above_falling.
      apply (proj2 (above_fold j (fun g => falling (filter (Nat.ltb 0) (tl (sizes ans responses g all)))) (Plain.asked ng own (only c) all) [])).
      exact M. }
  assert (A5 : forall K T, nth_error tables K = Some T -> value T = table_of ns (negb win) (only c) profile K).
  { intros K T E'. unfold tables in E'. rewrite nth_error_map in E'. destruct (nth_error (seq 0 _) K) as [K'|] eqn:N; [|discriminate].
    injection E' as <-. cbn [value]. f_equal. pose proof (nth_error_nth _ _ 0 N) as Q.
    assert (L : K < List.length (seq 0 (S (most ans ng responses own (only c) all))))
      by (apply nth_error_Some; rewrite N; discriminate).
    rewrite seq_length in L. rewrite seq_nth in Q by exact L. symmetry. exact Q. }
  assert (A6 : forall g x, g < ng -> x < ns -> byte_at (answer_bytes R) (g * ns + x) + Nat.b2n (shifted R) = ans g x).
  { intros g x Hg Hx. unfold ans, answer_in. apply Nat.ltb_lt in Hg, Hx. rewrite Hg, Hx. reflexivity. }
  assert (A7 : forall g x, g < ng -> x < ns ->
    byte_at (make_grid ns ng (fun x g => byte_at (answer_bytes R) (g * ns + x))) (x * ng + g)
    = byte_at (answer_bytes R) (g * ns + x)).
  { intros g x Hg Hx. rewrite Vector.grid_at by assumption. apply Nat.min_l.
    pose proof (A6 g x Hg Hx). pose proof (R2 g x). lia. }
  destruct (ruled (of c)) eqn:Ru.
  - apply (holds_by_history c ans (may ng own (only c)) K1 K2 MA). rewrite <- W. change (all_secrets c) with all.
    apply hard_refusal_true with (profile := profile) (behind := behind c ans) in E; try assumption.
    + intros g x Hg Hx. replace (g + ng * x) with (x * ng + g) by lia. cbn [value]. rewrite (A7 g x Hg Hx).
      exact (A6 g x Hg Hx).
    + intros g x a later Hg Hx Ea. unfold behind. rewrite (decode_is c ans K1 K2 g x a Hg Hx Ea).
      symmetry. apply followed_true; assumption.
  - apply (holds_by_numbers c ans (may ng own (only c)) K1 K2 MA). rewrite <- W. change (all_secrets c) with all.
    apply refusal_true with (profile := profile) in E; try assumption.
    + unfold claim_true in E. destruct (first c) as [g|]; [|exact E]. destruct E as [[_ E]|E]; [exact E|].
      intros next. apply E.
    + intros s words_ r rest Rd X. destruct (reading_exact _ _ _ _ _ _ Rd X) as [G' [p [w [O [Sm Im]]]]].
      rewrite Sm. unfold ans, ng, ns, G in *. rewrite O in *. apply Main.images_true in Im as [L [Pm Kp]].
      split; [exact Pm|]. intros g x Hg Hx. split; [apply L, Hg|]. exact (answers_alike G' win R ER _ L Kp g x Hg Hx).
    + intros s words_ s' rest Rd I. destruct (imaging_exact _ _ _ _ Rd) as [G' [p [w [O Im]]]].
      unfold own, owners, ans, ng, ns, G in *. rewrite O in *.
      destruct (Main.image_of_true _ _ _ _ _ Im I) as [to [Q [L Kp]]]. exists to. split; [exact Q|].
      split; [reflexivity|]. split; [exact L|]. exact (answers_alike G' win R ER _ L Kp).
    + unfold responses. lia.
    + intros board E'. unfold board_for in E'. destruct (only c); [discriminate|]. fold G ng ns in E'.
      set (b := Board.board_of _ _ _ _) in E'. destruct (Board.sound b) eqn:So; [|discriminate]. injection E' as <-.
      split; [do 4 eexists; reflexivity|]. split; [exact So|]. repeat split.
Qed.

End Claims.
