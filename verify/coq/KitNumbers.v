(** Kits of numbered questions and secrets: answers as digits, renamings of secrets, and why what is shown of the
    digits is true of the numbers. *)

From Coq Require Import Ascii String List Arith Bool Lia Permutation Mergesort Orders.
From Proof Require Import Lists Store Text Orbits Vector KitTheory KitSets KitChecker LiesNumbers.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Numbers *)

(** Of each secret the digits of its answers; [rows]: of each question the answers that secrets get. *)
Definition columns (questions secrets many : nat) (rows : list words) : store (nat * list words) :=
  numbered (map (fun s => digits_of questions many (words_of (map (fun row => word_at row s) rows))) (range secrets)).

Definition column_in (t : store (nat * list words)) (s : nat) : list words :=
  match at_number t s with Some c => c | None => [] end.

(** All numbers below [n] are images. *)
Definition onto (n : nat) (to back : words) : bool :=
  forallb (fun u => let s := word_at back u in (s <? n) && (word_at to s =? u) && (word_at to u <? n)) (range n).

Lemma onto_true n to back : onto n to back = true ->
  (forall s, s < n -> word_at to s < n) /\ forall u, u < n -> exists s, s < n /\ word_at to s = u.
Proof.
  intros E. assert (X : forall u, u < n -> word_at back u < n /\ word_at to (word_at back u) = u /\ word_at to u < n).
  { intros u Hu. assert (I : In u (range n)) by (apply in_seq; lia).
    pose proof (proj1 (forallb_forall _ _) E u I) as Q. cbv zeta in Q. apply andb_prop in Q as [Q Q3].
    apply andb_prop in Q as [Q1 Q2]. apply Nat.ltb_lt in Q1, Q3. apply Nat.eqb_eq in Q2. auto. }
  split; [intros s Hs; apply X, Hs|]. intros u Hu. exists (word_at back u). destruct (X u Hu) as [A [B _]]. auto.
Qed.

(** Rows by which secrets answer alike, and what an image has, too; of several that are the same the first number
    first. *)
Module Alike <: TotalLeBool.
  Definition t := (list nat * nat)%type.
  Fixpoint before (a b : list nat) (x y : nat) : bool :=
    match a, b with
    | [], [] => x <=? y
    | [], _ :: _ => true
    | _ :: _, [] => false
    | v :: a, w :: b => (v <? w) || (v =? w) && before a b x y
    end.
  Definition leb (p q : t) := before (fst p) (fst q) (snd p) (snd q).
  Lemma leb_total p q : leb p q = true \/ leb q p = true.
  Proof.
    destruct p as [a x], q as [b y]. unfold leb. cbn [fst snd]. revert b.
    induction a as [|v a IH]; intros [|w b]; cbn [before]; auto.
    - rewrite !Nat.leb_le. lia.
    - destruct (Nat.lt_total v w) as [L|[->|L]].
      + left. apply Nat.ltb_lt in L as ->. reflexivity.
      + rewrite Nat.ltb_irrefl, Nat.eqb_refl. cbn [orb andb]. apply IH.
      + right. apply Nat.ltb_lt in L as ->. reflexivity.
  Qed.
End Alike.
Module ByPattern := Sort Alike.

Fixpoint first_met (row met : list nat) : list nat :=
  match row with
  | [] => []
  | v :: row => let i := place_of v 0 met in i :: first_met row (if i <? List.length met then met else met ++ [v])
  end.

(** The numbers of one list beside those of another, both in the order of rows; then in that of the first. *)
Definition matched (here there : list (list nat * nat)) : words :=
  let pairs := combine (map snd (ByPattern.sort here)) (map snd (ByPattern.sort there)) in
  words_of (map snd (ByPattern.sort (map (fun p => ([fst p], snd p)) pairs))).

Record game := { rows : list words; costs : words; musts : words; nevers : words; kinds : words }.

Section Game.

Variable G : game.
Variables secrets lies many : nat.  (* [many]: how many digits answers have *)
Variables question_in secret_in : text -> option nat.

Let questions := List.length (rows G).

Definition answer_rows_fit (t : store (nat * list words)) : bool :=
  forallb (fun row => forallb (fun s => word_at row s <? Nat.pow 2 many) (range secrets)) (rows G) &&
  forallb (fun s => List.length (column_in t s) =? many) (range secrets).

Definition cost_of (g : nat) : nat := word_at (costs G) g.
Definition kind_of (s : nat) : nat := word_at (kinds G) s.
Definition must_have (g : nat) : bool := word_at (musts G) g =? 1.
Definition never (g : nat) : bool := word_at (nevers G) g =? 1.

(** What a question costs at least, if it costs something. *)
Definition least : nat :=
  fold_left (fun v c => if c =? 0 then v else if (v =? 0) || (c <? v) then c else v) (list_of (costs G)) 0.

Definition refused (renaming_in : list text -> option (words * list text)) (bound : nat) (proof : list text)
    : option nat :=
  let t := columns questions secrets many (rows G) in
  let lowest := Nat.max 1 least in
  if answer_rows_fit t
  then
    KitChecker.refused questions secrets lies (column_in t) cost_of kind_of lowest question_in secret_in renaming_in
      must_have never bound proof
  else Some (List.length proof).

Definition answer_at (g s : nat) : nat := word_at (nth g (rows G) []) s.

Lemma answers_are t g s : t = columns questions secrets many (rows G) -> answer_rows_fit t = true ->
  g < questions -> s < secrets -> ans (column_in t) g s = answer_at g s /\ List.length (column_in t s) = many.
Proof.
  intros -> F Hg Hs. apply andb_prop in F as [F1 F2]. set (t := columns _ _ _ _) in *.
  assert (L : List.length (column_in t s) = many).
  { apply Nat.eqb_eq, (proj1 (forallb_forall _ _) F2), in_seq. lia. }
  split; [|exact L]. unfold ans, answer_at.
  set (row := map (fun row => word_at row s) (rows G)).
  assert (R : word_at row g = word_at (nth g (rows G) []) s).
  { unfold row, word_at at 1. rewrite nth_indep with (d' := word_at [] s) by (rewrite map_length; exact Hg).
    apply (map_nth (fun row => word_at row s)). }
  assert (C : column_in t s = digits_of questions many row).
  { unfold column_in in *. destruct (at_number t s) as [c|] eqn:E.
    - apply at_number_is in E.
      rewrite (map_nth_error _ s (range secrets) (d := s)) in E; [injection E as <-; reflexivity|].
      rewrite nth_error_nth' with (d := 0) by (unfold range; rewrite seq_length; exact Hs). f_equal.
      apply seq_nth, Hs.
    - cbn in L. rewrite <- L. reflexivity. }
  rewrite C, <- R. apply answer_is; [exact Hg|]. rewrite R.
  assert (I : In (nth g (rows G) []) (rows G)) by (apply nth_In; exact Hg).
  apply Nat.ltb_lt, (proj1 (forallb_forall _ _) (proj1 (forallb_forall _ _) F1 _ I)), in_seq. lia.
Qed.

(** A renaming of numbers. *)
Definition renames_numbers (to : nat -> nat) : Prop := renames questions secrets answer_at cost_of kind_of to.

Theorem refused_true renaming_in bound proof :
  (forall words_ to rest, renaming_in words_ = Some (to, rest) -> renames_numbers (word_at to)) ->
  refused renaming_in bound proof = None -> forall Z,
  (forall g, In g Z -> g < questions /\ never g = false) ->
  (forall g, g < questions -> must_have g = true -> In g Z) ->
  kit secrets lies answer_at kind_of Z -> bound <= spent cost_of Z.
Proof.
  intros R E Z A I Kt. unfold refused in E. cbv zeta in E. set (t := columns _ _ _ _) in E.
  destruct (answer_rows_fit t) eqn:F; [|discriminate].
  assert (X : forall g s, g < questions -> s < secrets -> ans (column_in t) g s = answer_at g s)
    by (intros g s Hg Hs; apply (answers_are t g s eq_refl F Hg Hs)).
  apply (KitChecker.refused_true questions secrets lies (column_in t) cost_of kind_of (Nat.max 1 least) question_in
    secret_in renaming_in) with (4 := E); [| | |exact A|exact I|].
  - intros s s' Hs Hs'. destruct (Nat.eq_dec questions 0) as [Q|Q].
    + apply andb_prop in F as [_ F]. pose proof (proj1 (forallb_forall _ _) F) as F'.
      transitivity many; [|symmetry]; apply Nat.eqb_eq, F', in_seq; lia.
    + destruct (answers_are t 0 s eq_refl F) as [_ L], (answers_are t 0 s' eq_refl F) as [_ L']; try assumption; lia.
  - intros words_ to rest Er. destruct (R words_ to rest Er) as [A1 [go [B0 [B1 [B2 B3]]]]]. split; [exact A1|].
    exists go. split; [exact B0|]. split; [exact B1|]. split; [exact B2|]. intros g s s' Hg Hs Hs'.
    destruct (A1 g Hg) as [Hto _]. specialize (B3 g s s' Hg Hs Hs'). unfold tells in *. rewrite !X by auto. exact B3.
  - lia.
  - intros s s' Hs Hs' D. specialize (Kt s s' Hs Hs' D). unfold told in *.
    rewrite (filter_ext_in _ (fun g => tells answer_at g s s')); [exact Kt|].
    intros g Hg. destruct (A g Hg) as [Hq _]. unfold tells. rewrite !X by assumption. reflexivity.
Qed.

(** ** Renamings of secrets (K3) *)

Definition tag (g : nat) : nat := 4 * cost_of g + 2 * Nat.b2n (must_have g) + Nat.b2n (never g).

Definition pattern_at (go : nat -> nat) (row : words) : pattern :=
  map (fun s => (word_at row (go s), 0)) (range secrets).

Definition secret_renaming (words_ : list text) : option (words * list text) :=
  match cycles_in secret_in words_ [] [] with
  | Some (cycles, rest) =>
      let all := range secrets in
      let go := make_words secrets (goes (moves_of cycles)) in
      let back := make_words secrets (goes (turned (moves_of cycles))) in
      if well_formed cycles all && onto secrets go back &&
         forallb (fun s => let k := kind_of s in (k <? secrets) && (kind_of k =? k) &&
           (kind_of (word_at go s) =? kind_of (word_at go k))) all
      then
        let numbered := combine (range questions) (rows G) in
        let key f gr := (tag (fst gr) :: first_met (map (fun s => word_at (snd gr) (f s)) all) [], fst gr) in
        let keys f := map (key f) numbered in
        let to := matched (keys (fun s => s)) (keys (word_at go)) in
        let stored := LiesNumbers.numbered (rows G) in
        if (List.length (list_of to) =? questions) &&
           forallb (fun gr => let h := word_at to (fst gr) in
             (h <? questions) && (cost_of h =? cost_of (fst gr)) && (tag h =? tag (fst gr)) &&
             match at_number stored h with
             | Some row => split_alike (pattern_at (fun s => s) (snd gr)) (pattern_at (word_at go) row)
             | None => false
             end) numbered
        then Some (to, rest) else None
      else None
  | None => None
  end.

Lemma secret_renaming_true words_ to rest : secret_renaming words_ = Some (to, rest) -> renames_numbers (word_at to).
Proof.
  unfold secret_renaming. destruct (cycles_in _ _ _ _) as [[cycles rest']|]; [|discriminate]. cbv zeta.
  set (go := make_words secrets (goes (moves_of cycles))). set (back := make_words secrets _).
  destruct (well_formed _ _ && _ && _) eqn:E; [|discriminate].
  apply andb_prop in E as [E E3]. apply andb_prop in E as [_ E2]. apply onto_true in E2 as [O1 O2].
  set (image := matched _ _). clearbody image. destruct (_ && forallb _ _) eqn:E; [|discriminate]. intros [= <- _].
  apply andb_prop in E as [_ E].
  assert (I : forall g, g < questions -> In (g, nth g (rows G) []) (combine (range questions) (rows G))).
  { intros g Hg. apply in_numbers. apply nth_error_nth'. exact Hg. }
  assert (X : forall g, g < questions -> word_at image g < questions /\ cost_of (word_at image g) = cost_of g /\
    split_alike (pattern_at (fun s => s) (nth g (rows G) []))
      (pattern_at (word_at go) (nth (word_at image g) (rows G) [])) = true).
  { intros g Hg. pose proof (proj1 (forallb_forall _ _) E _ (I g Hg)) as Q. cbv zeta in Q. cbn [fst snd] in Q.
    apply andb_prop in Q as [Q Q4]. apply andb_prop in Q as [Q _]. apply andb_prop in Q as [Q1 Q2].
    apply Nat.ltb_lt in Q1. apply Nat.eqb_eq in Q2. split; [exact Q1|]. split; [exact Q2|].
    destruct (at_number _ _) as [row|] eqn:R; [|discriminate]. apply at_number_is in R.
    assert (N : nth (word_at image g) (rows G) [] = row) by exact (nth_error_nth _ _ _ R). rewrite N. exact Q4. }
  split; [intros g Hg; destruct (X g Hg) as [A [B _]]; auto|].
  exists (word_at go). split; [exact O1|]. split; [exact O2|]. split.
  - assert (K : forall s, s < secrets -> kind_of (word_at go s) = kind_of (word_at go (kind_of s))).
    { intros s Hs. assert (J : In s (range secrets)) by (apply in_seq; lia).
      pose proof (proj1 (forallb_forall _ _) E3 s J) as Q. cbv zeta in Q. apply andb_prop in Q as [_ Q].
      apply Nat.eqb_eq, Q. }
    intros s t Hs Ht D. rewrite (K s Hs), (K t Ht), D. reflexivity.
  - intros g s t Hg Hs Ht. destruct (X g Hg) as [_ [_ Q]].
    apply (split_alike_true (fun s => (word_at (nth g (rows G) []) s, 0))
      (fun s => (word_at (nth (word_at image g) (rows G) []) (word_at go s), 0)) (range secrets)) in Q as [_ Q].
    specialize (Q s t ltac:(apply in_seq; lia) ltac:(apply in_seq; lia)). cbn [fst] in Q. unfold tells, answer_at.
    f_equal.
    apply eq_true_iff_eq. rewrite !Nat.eqb_eq. symmetry. exact Q.
Qed.

End Game.
