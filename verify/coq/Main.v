(** The quick checker of codes to win, and why what it accepts is true. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String.
From Proof Require Import CodeGame Text Theory Store Vector Board Codes Counting Checker Tables Renamings.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** The places of codes *)

(** The digits of all codes; what each is worth, and the place of what is worth so much. *)
Record names := { digits_of : words; worths : words; place_of : words }.

Definition names_of (G : game) (all : list code) : names :=
  let worths := words_of (map (worth (colours G)) all) in
  {| digits_of := words_of (List.concat all); worths := worths;
     place_of := inverse (colours G ^ pegs G) worths |}.

Definition place_in (G : game) (N : names) (n : nat) (c : code) : option nat :=
  if (List.length c =? pegs G) && forallb (fun x => x <? colours G) c
  then let i := word_at (place_of N) (worth (colours G) c) in if i <? n then Some i else None
  else None.

Fixpoint position (i x : nat) (l : list nat) : nat :=
  match l with [] => 0 | y :: l => if x =? y then i else position (S i) x l end.

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => option_map (cons a) (all_some l)
  | None :: _ => None
  end.

(** Colours for all places alike or, where only black pegs are told, place by place with [/] between. *)
Fixpoint by_places (w now : word) : list word :=
  match w with
  | [] => [rev' now]
  | c :: w => if Ascii.eqb c "/" then rev' now :: by_places w [] else by_places w (c :: now)
  end.

Definition colours_in (G : game) (w : word) : option (list (list nat)) :=
  match all_some (map digits (by_places w [])) with
  | Some [alike] => if permutes alike (colours G) then Some (repeat alike (pegs G)) else None
  | Some several =>
      match rules G with BlackPeg => if List.length several =? pegs G then Some several else None | _ => None end
  | None => None
  end.

(** Where a renaming of positions and colours leads from a code: its number; [n], if that is not found. *)
Definition image_by (G : game) (n : nat) (N : names) (p c : word) : option (nat -> nat) :=
  match digits p, colours_in G c with
  | Some places, Some to =>
      let p := pegs G in
      let k := colours G in
      let from := map (fun y => position 0 y places) (seq 0 p) in
      if permutes places p && permutes from p && forallb (fun l => permutes l k) to
      then
        let tos := words_of (List.concat to) in
        Some (fun g =>
          let v := fold_right (fun y v => word_at tos (y * k + word_at (digits_of N) (g * p + y)) + k * v) 0 from in
          let i := word_at (place_of N) v in
          if i <? n then if word_at (worths N) i =? v then i else n else n)
      else None
  | _, _ => None
  end.

(** The images of all codes, each once. *)
Definition images (G : game) (n : nat) (N : names) (p c : word) : option words :=
  match image_by G n N p c with
  | Some image =>
      let found := make_words n image in
      if (largest found <? n) && permuted n (word_at found) (range n)
      then Some found else None
  | None => None
  end.

(** The same few renamings keep most sets: each is made when it is needed, and once. *)
Definition kept (A : Type) := store (word * word * delayed A).

Definition sign (p c : word) : nat :=
  fold_left (fun h x => Nat.land (31 * h + nat_of_ascii x + 1) (Nat.ones 30)) (p ++ c) 0.

Definition kept_in {A} (t : kept A) (p c : word) : option (delayed A) :=
  option_map snd (List.find (fun e => same_text (fst (fst e)) p && same_text (snd (fst e)) c) (find (sign p c) t)).

Fixpoint kept_of {A} (make : word -> word -> A) (words_ : list word) (t : kept A) : kept A :=
  match words_ with
  | e :: ((p :: c :: _) as rest) =>
      kept_of make rest (if is "=" e then match kept_in t p c with
                                          | Some _ => t
                                          | None => insert (sign p c) (p, c, Delay (make p c)) t end else t)
  | _ => t
  end.

Definition made_once {A} (make : word -> word -> A) (t : kept A) (p c : word) : A :=
  match kept_in t p c with Some a => value a | None => make p c end.

Lemma made_once_is {A} (make : word -> word -> A) words_ p c : made_once make (kept_of make words_ Nil) p c =
  make p c.
Proof.
  assert (X : forall l t, all (fun e => value (snd e) = make (fst (fst e)) (snd (fst e))) t ->
    all (fun e => value (snd e) = make (fst (fst e)) (snd (fst e))) (kept_of make l t)).
  { induction l as [|e [|p' [|c' l]] IH]; intros t H; try exact H. cbn [kept_of]. apply IH.
    destruct (is "=" e); [|exact H]. destruct (kept_in t p' c'); [exact H|].
    apply all_insert; [reflexivity|exact H]. }
  specialize (X words_ Nil I). unfold made_once, kept_in. destruct (List.find _ _) as [e|] eqn:E; [|reflexivity].
  cbn [option_map]. apply find_some in E as [E1 E2]. apply andb_prop in E2 as [E2 E3].
  apply same_text_eq in E2 as <-, E3 as <-. exact (all_find _ _ _ _ _ X E1).
Qed.

(** The image of a set, rising. *)
Definition image_of (G : game) (n : nat) (N : names) (p c : word) (s : list nat) : option (list nat) :=
  match image_by G n N p c with
  | Some image => let to := map image s in if forallb (fun x => x <? n) to then Some (Sorting.sort to) else None
  | None => None
  end.

(** ** A claim *)

Definition place_of_word (G : game) (n : nat) (N : names) (w : word) : option nat :=
  match digits w with Some c => place_in G N n c | None => None end.

(** Nothing if the proof is accepted; otherwise how many words follow that at which it is refused. *)
Definition refused (c : claim) (proof : list word) : option nat :=
  let G := of c in
  let all := codes G in
  let n := List.length all in
  let T := tables_of G all in
  let B := board_of_codes G all T in
  if sound B && single B && classed G all T then
    let profile := profile_of B in
    let tables := map (fun K => Delay (table_of n K profile)) (seq 0 (S (responses B))) in
    let N := names_of G all in
    let known := made_once (images G n N) (kept_of (images G n N) proof Nil) in
    option_map (fun l => pred (List.length l))
      (refusal B tables (trivial n) (place_of_word G n N) known (image_of G n N) proof (limit c)
         (CodeGame.cost c))
  else Some (List.length proof).

(** ** Why it is true *)

Section Game.

Variable G : game.

Let all := codes G.
Let n := List.length all.
Let B := board_of_codes G all (tables_of G all).
Let N := names_of G all.

Hypothesis B_sound : sound B = true.
Hypothesis all_classed : classed G all (tables_of G all) = true.

(** The answers of a secret to all guesses. *)
Definition column (x : nat) : list nat := map (fun g => reply B g x) (seq 0 n).

Lemma column_is x g : nth_error (column x) g = if g <? n then Some (reply B g x) else None.
Proof.
  unfold column. destruct (Nat.ltb_spec g n) as [H|H].
  - rewrite (map_nth_error _ g _ (d := g)); [reflexivity|]. rewrite nth_error_nth' with (d := 0) by (rewrite seq_length; exact H).
    rewrite seq_nth by exact H. reflexivity.
  - apply nth_error_None. rewrite map_length, seq_length. exact H.
Qed.

Lemma code_at i : i < n -> exists c, nth_error all i = Some c /\ nth i all [] = c.
Proof. intros H. exists (nth i all []). split; [apply nth_error_nth', H|reflexivity]. Qed.

Lemma colours_are w to :
  colours_in G w = Some to -> forallb (fun l => permutes l (colours G)) to = true ->
  List.length to = pegs G /\
  (forall y, y < pegs G -> Permutation (nth y to []) (seq 0 (colours G))) /\
  (rules G = BlackPeg \/ exists all, Permutation all (seq 0 (colours G)) /\ forall y, y < pegs G ->
    nth y to [] = all).
Proof.
  intros H A. assert (Q : List.length to = pegs G /\ (rules G = BlackPeg \/
    exists all, Permutation all (seq 0 (colours G)) /\ to = repeat all (pegs G))).
  { unfold colours_in in H. destruct (all_some _) as [[|alike [|second several]]|]; try discriminate.
    - destruct (rules G); try discriminate.
      destruct (Nat.eqb_spec (List.length (@nil (list nat))) (pegs G)); [|discriminate].
      injection H as <-. auto.
    - destruct (permutes alike (colours G)) eqn:E; [|discriminate]. injection H as <-. apply permutes_true in E.
      split; [apply repeat_length|right; exists alike; auto].
    - destruct (rules G); try discriminate.
      destruct (Nat.eqb_spec (List.length (alike :: second :: several)) (pegs G)); [|discriminate].
      injection H as <-. auto. }
  destruct Q as [L Q]. split; [exact L|].
  assert (X : forall y, y < pegs G -> Permutation (nth y to []) (seq 0 (colours G))).
  { intros y Hy. apply permutes_true. apply (proj1 (forallb_forall _ _) A). apply nth_In. lia. }
  split; [exact X|]. destruct Q as [Q|[alike [Q ->]]]; [left; exact Q|right]. exists alike. split; [exact Q|].
  intros y Hy. rewrite nth_indep with (d' := alike) by (rewrite repeat_length; exact Hy). apply nth_repeat.
Qed.

Lemma answer_same g s g' s' cg cs cg' cs' :
  nth_error all g = Some cg -> nth_error all s = Some cs -> nth_error all g' = Some cg' -> nth_error all s' = Some cs' ->
  answer G cg cs = answer G cg' cs' -> reply B g s = reply B g' s'.
Proof.
  intros H1 H2 H3 H4 E. pose proof (proj1 (reply_is G B_sound all_classed _ _ _ _ H1 H2)) as R1.
  pose proof (proj1 (reply_is G B_sound all_classed _ _ _ _ H3 H4)) as R2. rewrite E, <- R2 in R1. exact R1.
Qed.

Fixpoint number_of (c : code) (l : list code) : nat :=
  match l with [] => 0 | x :: l => if same c x then 0 else S (number_of c l) end.

Lemma number_is c l :
  nth_error l (number_of c l) = if existsb (same c) l then Some c else None.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn.
  destruct (same c x) eqn:E; cbn; [apply same_is in E; congruence|exact IH].
Qed.

(** Answers, and which code is the secret, are kept. *)
Definition keeps_answers (to : nat -> nat) : Prop := forall g x, g < n -> x < n ->
  answer G (nth (to g) all []) (nth (to x) all []) = answer G (nth g all []) (nth x all []) /\
  same (nth (to g) all []) (nth (to x) all []) = same (nth g all []) (nth x all []).

(** Each code has an image. *)
Lemma image_by_true p c image : image_by G n N p c = Some image ->
  exists to, (forall g, g < n -> to g < n) /\ keeps_answers to /\ forall g, g < n -> image g < n -> image g = to g.
Proof.
  unfold image_by. destruct (digits p) as [p'|]; [|discriminate].
  destruct (colours_in G c) as [to|] eqn:C; [|discriminate].
  destruct (permutes p' (pegs G)); [|discriminate].
  set (from := map _ _). destruct (permutes from (pegs G)) eqn:Hf; [|discriminate].
  destruct (forallb _ to) eqn:Ht; [|discriminate]. cbn [andb].
  match goal with |- Some ?f = _ -> _ => set (im := f) end. intros [= <-].
  apply permutes_true in Hf. destruct (colours_are c to C Ht) as [Lto [Hto A]].
  assert (X : forall g, g < n -> im g < n -> nth_error all (im g) = Some (renamed from to (nth g all []))).
  { intros g Lg Li. destruct (code_at g Lg) as [cg [Hg Ng]]. rewrite Ng. revert Li. unfold im.
    set (v := fold_right _ 0 from) in *. set (i := word_at (place_of N) v) in *.
    destruct (Nat.ltb_spec i n) as [Hi|]; [|intros; lia].
    destruct (Nat.eqb_spec (word_at (worths N) i) v) as [Hv|]; [|intros; lia]. intros _.
    destruct (code_at i Hi) as [ci [Ei _]]. rewrite Ei. f_equal.
    pose proof (nth_error_In _ _ Hg) as Ig. pose proof (nth_error_In _ _ Ei) as Ii.
    destruct (codes_are_codes G cg Ig) as [Dl Dg], (codes_are_codes G ci Ii) as [Dl' Di].
    assert (From : forall y, In y from -> y < pegs G)
      by (intros y Hy; apply (Permutation_in _ Hf), in_seq in Hy; lia).
    assert (Small : forall y, y < pegs G -> nth (nth y cg 0) (nth y to []) 0 < colours G).
    { intros y Hy. assert (Hc : nth y cg 0 < colours G) by (apply Dg, nth_In; lia).
      assert (I : In (nth (nth y cg 0) (nth y to []) 0) (nth y to [])).
      { apply nth_In. rewrite (Permutation_length (Hto y Hy)), seq_length. exact Hc. }
      apply (Permutation_in _ (Hto y Hy)), in_seq in I. lia. }
    apply (worth_once (colours G)).
    - unfold renamed. rewrite map_length, (Permutation_length Hf), seq_length. exact Dl'.
    - exact Di.
    - intros x Hx. apply in_map_iff in Hx as [y [<- Hy]]. apply Small, From, Hy.
    - assert (W : word_at (worths N) i = worth (colours G) ci).
      { unfold N, names_of, worths, words_of, word_at. apply nth_error_nth. apply map_nth_error, Ei. }
      rewrite <- W, Hv. unfold v. clear - Hg Dl Dg Hto From Lto. induction from as [|y from IH]; [reflexivity|].
      cbn [fold_right renamed map worth]. unfold renamed, worth in IH. rewrite IH by (intros z Hz; apply From; right; exact Hz).
      f_equal. pose proof (From y (or_introl eq_refl)) as Hy. unfold N, names_of. cbn [digits_of]. unfold word_at, words_of.
      rewrite (nth_rows all (pegs G) g y) by (try exact Hy; intros r Hr; apply (codes_are_codes G r Hr)).
      rewrite (nth_error_nth _ _ _ Hg). apply nth_rows.
      + intros r Hr. apply (In_nth _ _ []) in Hr as [j [Hj <-]]. rewrite (Permutation_length (Hto j ltac:(lia))).
        apply seq_length.
      + apply Dg, nth_In. lia. }
  assert (Y : forall g, g < n -> nth_error all (number_of (renamed from to (nth g all [])) all)
    = Some (renamed from to (nth g all []))).
  { intros g Hg. rewrite number_is. replace (existsb _ all) with true; [reflexivity|]. symmetry. apply existsb_exists.
    exists (renamed from to (nth g all [])). split; [|apply same_is; reflexivity].
    apply renamed_in_codes; try assumption. apply nth_In, Hg. }
  set (there := fun g => if im g <? n then im g else number_of (renamed from to (nth g all [])) all).
  assert (Z : forall g, g < n -> nth_error all (there g) = Some (renamed from to (nth g all []))).
  { intros g Hg. unfold there. destruct (Nat.ltb_spec (im g) n) as [L|_]; auto. }
  exists there. split; [|split].
  - intros g Hg. apply nth_error_Some. rewrite (Z g Hg). discriminate.
  - intros g x Hg Hx. rewrite (nth_error_nth all _ [] (Z g Hg)), (nth_error_nth all _ [] (Z x Hx)).
    split; [apply answer_renamed|apply (same_renamed G)]; try assumption; apply nth_In; assumption.
  - intros g _ L. unfold there. apply Nat.ltb_lt in L as ->. reflexivity.
Qed.

Lemma images_true p c l : images G n N p c = Some l ->
  (forall g, g < n -> word_at l g < n) /\ Permutation (map (word_at l) (range n)) (range n) /\
  keeps_answers (word_at l).
Proof.
  unfold images. destruct (image_by G n N p c) as [image|] eqn:E; [|discriminate].
  set (found := make_words n image). destruct (Nat.ltb_spec (largest found) n) as [L|]; [|discriminate]. cbn [andb].
  destruct (permuted _ _ _) eqn:K; [|discriminate]. intros [= <-]. apply same_words_eq in K.
  destruct (image_by_true p c image E) as [to [T1 [T2 T3]]].
  assert (X : forall g, g < n -> word_at found g = to g).
  { intros g Hg. pose proof (at_most_largest found g) as M. unfold found in M |- *. rewrite make_at in *.
    fold found in M. apply Nat.ltb_lt in Hg as Hg'. rewrite Hg' in *. apply T3; lia. }
  assert (Y : forall g, g < n -> word_at found g < n) by (intros g Hg; rewrite (X g Hg); apply T1, Hg).
  split; [exact Y|]. split.
  - rewrite <- (map_id (range n)) at 2.
    apply (tally_permutes n); [| |exact K]; intros g Hg; apply in_seq in Hg; [apply Y|]; lia.
  - intros g x Hg Hx. rewrite (X g Hg), (X x Hx). apply T2; assumption.
Qed.

Lemma image_of_true p c s s' : image_of G n N p c s = Some s' -> (forall x, In x s -> x < n) ->
  exists to, Permutation (map to s) s' /\ (forall g, g < n -> to g < n) /\ keeps_answers to.
Proof.
  unfold image_of. destruct (image_by G n N p c) as [image|] eqn:E; [|discriminate]. cbv zeta.
  destruct (forallb _ _) eqn:F; [|discriminate]. intros [= <-] I.
  destruct (image_by_true p c image E) as [to [T1 [T2 T3]]]. exists to. split; [|auto].
  rewrite (map_ext_in to image); [apply Sorting.Permuted_sort|]. intros x Hx. symmetry. apply T3; [apply I, Hx|].
  apply Nat.ltb_lt, (proj1 (forallb_forall _ _) F), in_map, Hx.
Qed.

Lemma replies_kept to : (forall g, g < n -> to g < n) -> keeps_answers to -> forall g x, g < n -> x < n ->
  reply B (to g) (to x) = reply B g x.
Proof.
  intros L K g x Hg Hx.
  apply (answer_same _ _ _ _ _ _ _ _ (nth_error_nth' all [] (L g Hg)) (nth_error_nth' all [] (L x Hx))
    (nth_error_nth' all [] Hg) (nth_error_nth' all [] Hx)), K; assumption.
Qed.

Lemma images_rename p c l : images G n N p c = Some l -> renames B l.
Proof.
  intros E. destruct (images_true p c l E) as [L [Q K]]. split; [reflexivity|]. split; [exact L|]. split; [exact Q|].
  exact (replies_kept _ L K).
Qed.

Lemma image_renames p c s s' : image_of G n N p c s = Some s' -> (forall x, In x s -> x < secrets B) ->
  exists to, Permutation (map to s) s' /\
    forall x, In x s -> forall g, nth_error (column (to x)) (to g) = nth_error (column x) g.
Proof.
  intros E I. destruct (image_of_true p c s s' E I) as [to [Q [L K]]].
  exists (fun g => if g <? n then to g else g). split.
  - rewrite (map_ext_in _ to); [exact Q|]. intros x Hx. apply I in Hx. change (x < n) in Hx.
    apply Nat.ltb_lt in Hx as ->. reflexivity.
  - intros x Hx g. apply I in Hx. change (x < n) in Hx. rewrite !column_is. apply Nat.ltb_lt in Hx as Hx'. rewrite Hx'.
    destruct (Nat.ltb_spec g n) as [Hg|Hg].
    + rewrite (proj2 (Nat.ltb_lt _ _) (L g Hg)). f_equal. exact (replies_kept to L K g x Hg Hx).
    + apply Nat.ltb_ge in Hg as ->. reflexivity.
Qed.

(** A strategy as a tree of numbers. *)
Fixpoint tree_of (t : strategy) : tree :=
  match t with
  | Stop => Leaf
  | Ask g next => Node (number_of g all) (fun a => tree_of (next (nth (S a) (pairs G) (0, 0))))
  end.

Lemma asks_tree t i s : nth_error all i = Some s -> asks column (tree_of t) i = asked G t s.
Proof.
  intros H. induction t as [|g next IH]; [reflexivity|]. cbn [tree_of asks asked]. rewrite column_is.
  pose proof (number_is g all) as Q. fold all. destruct (existsb (same g) all); cbn [negb].
  - assert (L : number_of g all < n) by (apply nth_error_Some; rewrite Q; discriminate). apply Nat.ltb_lt in L as ->.
    pose proof (reply_wins G B_sound all_classed _ _ _ _ Q H) as W. fold all B in W.
    destruct (reply_is G B_sound all_classed _ _ _ _ Q H) as [R1 R2]. fold all B in R1.
    destruct (reply B (number_of g all) i) as [|a].
    + rewrite (proj1 W eq_refl). reflexivity.
    + destruct (same g s); [discriminate (proj2 W eq_refl)|]. rewrite IH. do 3 f_equal.
      apply nth_error_nth. rewrite R1, number_found by exact R2. destruct (answer G g s); reflexivity.
  - assert (L : n <= number_of g all) by (apply nth_error_None, Q). apply Nat.ltb_ge in L as ->. reflexivity.
Qed.

Lemma map_numbered A (f : nat -> A) (h : code -> A) (l : list code) :
  (forall i c, nth_error l i = Some c -> f i = h c) -> map f (seq 0 (List.length l)) = map h l.
Proof.
  revert f; induction l as [|c l IH]; intros f H; [reflexivity|]. cbn [List.length seq map].
  rewrite <- seq_shift, map_map.
  f_equal; [apply (H 0); reflexivity|]. apply IH. intros i c' Hc. apply (H (S i)), Hc.
Qed.

Lemma holds_by_numbers d b : lb column d (range n) b -> holds {| of := G; limit := d; CodeGame.cost := b |}.
Proof.
  intros H t Ht. cbn [of limit CodeGame.cost] in *.
  assert (E : Theory.cost column (tree_of t) (range n) = total G t).
  { unfold Theory.cost, sum, total, range, n. f_equal. apply map_numbered. intros i c Hc. unfold count.
    rewrite (asks_tree t i c Hc). reflexivity. }
  rewrite <- E. apply (H (tree_of t)). intros i Hi. apply in_seq in Hi. destruct (code_at i) as [s [Es _]]; [lia|].
  rewrite (asks_tree t i s Es). apply Ht. exact (nth_error_In _ _ Es).
Qed.

End Game.

(** What the checker accepts is true. *)
Theorem refused_sound c proof : refused c proof = None -> holds c.
Proof.
  intros E. destruct c as [G d b]. unfold refused in E. cbv zeta in E. cbn [of limit CodeGame.cost] in E.
  destruct (_ && _) eqn:H in E; [|discriminate]. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2].
  set (all := codes G) in *.
  set (B := board_of_codes G all (tables_of G all)) in *. set (n := List.length all) in *.
  assert (M : made B) by (do 4 eexists; reflexivity).
  assert (C : forall x, x < secrets B -> forall g, nth_error (column G x) g = if g <? guesses B then Some (reply B g x) else None)
    by (intros x _ g; apply column_is).
  apply (holds_by_numbers G H1 H3).
  destruct (refusal _ _ _ _ _ _ _) as [more|] eqn:R in E; [discriminate|].
  refine (whole_true B _ _ _ _ _ M H1 (column G) C (profile_of B) _ _ _ proof d b _ R).
  - intros K. unfold table_for. set (tables := map _ _). destruct (Nat.lt_ge_cases K (List.length tables)) as [HK|HK].
    + unfold tables in *. set (f := fun K => Delay (table_of n K (profile_of B))) in *.
      rewrite nth_indep with (d' := f 0) by exact HK.
      rewrite (map_nth f). rewrite map_length, seq_length in HK. rewrite seq_nth by exact HK. apply table_is_true.
    + rewrite nth_overflow by exact HK. apply trivial_is_true.
  - intros p' c' l Hl. rewrite made_once_is in Hl. exact (images_rename G H1 H3 p' c' l Hl).
  - intros p' c' s s' Hs I. exact (image_renames G H1 H3 p' c' s s' Hs I).
  - apply whole_is_proper; assumption.
Qed.
