(** The checker of whole files about games with lies, and the theorem: what it accepts is true of the game. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String Cantor.
From Coq Require Import Mergesort Orders.
From Proof Require Import Game Theory Store Text LiesGame LiesTheory LiesChecker Renamings.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Lists of things found by number *)

Definition numbered {A} (l : list A) : store (nat * A) :=
  fold_left (fun t ia => insert (fst ia) ia t) (combine (seq 0 (List.length l)) l) Nil.

Definition at_number {A} (t : store (nat * A)) (i : nat) : option A :=
  option_map snd (List.find (fun e => fst e =? i) (Store.find i t)).

Lemma in_numbers A (l : list A) i a : In (i, a) (combine (seq 0 (List.length l)) l) -> nth_error l i = Some a.
Proof.
  intros H. apply (In_nth _ _ (0, a)) in H as [k [Hk E]]. rewrite combine_length, seq_length, Nat.min_id in Hk.
  rewrite combine_nth in E by apply seq_length. rewrite seq_nth in E by exact Hk. injection E as <- E.
  rewrite <- E. apply nth_error_nth'. exact Hk.
Qed.

Lemma at_number_is A (l : list A) i a : at_number (numbered l) i = Some a -> nth_error l i = Some a.
Proof.
  intros H. assert (S : Store.all (fun e => nth_error l (fst e) = Some (snd e)) (numbered l)).
  { unfold numbered. apply (fold_keeps _ _ (Store.all _)); [|exact I]. intros t [j b] Hj Ht.
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
Variable number : Response -> nat.
Variable response : nat -> Response.
Variable guess_number : Guess -> nat.
Variable secret_number : Secret -> nat.

Definition reply (s : Secret) (g : Guess) : nat := if ends g s then 0 else S (number (says g s)).

(** Of each secret its responses. *)
Definition columns : store (nat * list nat) := numbered (map (fun s => map (reply s) guesses) secrets).

Hypothesis response_number : forall g s, In g guesses -> In s secrets -> response (number (says g s)) = says g s.
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
  | Ask g next => Node (guess_number g) (fun r => tree_of (next (response (pred r))))
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
  forall d a, In a l -> arrow_true (wins G) guesses secrets col X d a.

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

(** ** Games of codes *)

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

(** The places of codes, found by what they are worth as numbers. *)
Definition worth (base : nat) (c : code) : nat := fold_left (fun v x => base * v + x) c 0.

Definition places_of (base : nat) (all : list code) : store (nat * code) :=
  fold_left (fun t ic => insert (worth base (snd ic)) ic t) (combine (seq 0 (List.length all)) all) Nil.

Definition place_in (base : nat) (t : store (nat * code)) (c : code) : option nat :=
  option_map fst (List.find (fun e => same (snd e) c) (Store.find (worth base c) t)).

Definition place_of_word (G : game) (places : store (nat * code)) (w : text) : option nat :=
  match digits w with
  | Some c => if List.length c =? pegs G then place_in (colours G) places c else None
  | None => None
  end.

Fixpoint position (i x : nat) (l : list nat) : nat :=
  match l with [] => 0 | y :: l => if x =? y then i else position (S i) x l end.

(** Colours for all places alike or, where only black pegs are told, place by place with [/] between. *)
Definition colours_in (G : game) (w : text) : option (list (list nat)) :=
  match all_some (map digits (split_at (Ascii.eqb "/") w [] [])) with
  | Some [alike] => if permutes alike (colours G) then Some (repeat alike (pegs G)) else None
  | Some several =>
      match rules G with BlackPeg => if List.length several =? pegs G then Some several else None | _ => None end
  | None => None
  end.

(** The images of all codes under a renaming of positions and colours. *)
Definition images (G : game) (all : list code) (t : store (nat * code)) (p c : text) : option (list nat) :=
  match digits p, colours_in G c with
  | Some p, Some to =>
      let from := map (fun y => position 0 y p) (seq 0 (pegs G)) in
      if (List.length p =? pegs G) && permutes from (pegs G) && forallb (fun l => permutes l (colours G)) to
      then all_some (map (fun code => place_in (colours G) t (renamed from to code)) all)
      else None
  | _, _ => None
  end.

Definition code_renaming (G : game) (all : list code) (t : store (nat * code)) (X : state) (words : list text)
    : option (list (nat * nat) * list text) :=
  match words with
  | p :: c :: words =>
      match images G all t p c with
      | Some l =>
          let n := List.length all in
          if keeps l (whole n 0) && keeps l X then Some (combine l (seq 0 n), words) else None
      | None => None
      end
  | _ => None
  end.

(** Games with more codes would not fit. *)
Definition small_enough (G : game) : bool :=
  let most := Nat.pow 2 12 in
  (1 <=? pegs G) && (pegs G <=? 14) && (1 <=? colours G) && (colours G <=? 36) &&
  match rules G with Bulls => pegs G <=? colours G | _ => true end &&  (* or there is no code *)
  (fold_left (fun v _ => if v <=? most then v * colours G else v) (seq 0 (pegs G)) 1 <=? most * 8).

Definition code_ends (aim : goal) (guess secret : code) : bool :=
  match aim with Win => same guess secret | Identify => false end.

(** Nothing if the proof about a game of codes is accepted; otherwise how many words are left. *)
Definition refused_codes (G : game) (aim : goal) (first : option code) (d lies : nat) (proof : list text) : option nat :=
  let all := codes G in
  let n := List.length all in
  let places := places_of (colours G) all in
  match first, option_map (place_in (colours G) places) first with
  | Some _, Some None => Some (List.length proof)
  | _, number =>
      refused aim n n lies (columns all all (answer G) (code_ends aim) to_nat) (place_of_word G places)
        (place_of_word G places) (fun _ => code_renaming G all places) d
        (match number with Some i => i | None => None end) proof
  end.

Section Codes.

Variable G : game.
Variable aim : goal.

Let all := codes G.
Let n := List.length all.
Let places := places_of (colours G) all.
Let col := column_in (columns all all (answer G) (code_ends aim) to_nat).

Lemma place_is c i : place_in (colours G) places c = Some i -> nth_error all i = Some c.
Proof.
  intros H. assert (A : Store.all (fun e => nth_error all (fst e) = Some (snd e)) places).
  { unfold places, places_of. apply (fold_keeps _ _ (Store.all _)); [|exact I]. intros t [j c'] Hj Ht.
    apply all_insert; [|exact Ht]. apply in_numbers, Hj. }
  unfold place_in in H. destruct (List.find _ _) as [e|] eqn:E; [|discriminate]. injection H as <-.
  apply find_some in E as [E1 E2]. apply same_is in E2. subst c. exact (all_find _ _ _ _ _ A E1).
Qed.

Fixpoint number_of (c : code) (l : list code) : nat :=
  match l with [] => 0 | x :: l => if same c x then 0 else S (number_of c l) end.

Lemma number_of_in c l : In c l -> nth_error l (number_of c l) = Some c.
Proof.
  induction l as [|x l IH]; [intros []|]. intros H. cbn [number_of]. destruct (same c x) eqn:E.
  - apply same_is in E. subst. reflexivity.
  - cbn. apply IH. destruct H as [->|H]; [|exact H]. rewrite (proj2 (same_is c c) eq_refl) in E. discriminate.
Qed.

Lemma once_app A (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  induction l as [|x l IH]; intros L M D; [exact M|]. inversion L; subst. cbn. constructor.
  - rewrite in_app_iff. intros [H|H]; [contradiction|]. exact (D x (or_introl eq_refl) H).
  - apply IH; [assumption..|]. intros y Hy. apply D. right; exact Hy.
Qed.

Lemma codes_once : NoDup all.
Proof.
  assert (X : forall p k, NoDup (all_codes p k)).
  { induction p as [|p IH]; intros k; cbn; [repeat constructor; intros []|]. specialize (IH k).
    set (f := fun c : nat => map (cons c) (all_codes p k)).
    assert (Y : forall m z, NoDup (flat_map f (seq z m)) /\ forall x, In x (flat_map f (seq z m)) -> z <= hd 0 x).
    { induction m as [|m IHm]; intros z; cbn [seq flat_map]; [split; [constructor|intros x []]|].
      destruct (IHm (S z)) as [A B]. split.
      - apply once_app; [|exact A|].
        + apply FinFun.Injective_map_NoDup; [|exact IH]. intros a b H. congruence.
        + intros x Hx Hy. apply B in Hy. apply in_map_iff in Hx as [y [<- _]]. cbn in Hy. lia.
      - intros x Hx. apply in_app_or in Hx as [Hx|Hx]; [apply in_map_iff in Hx as [y [<- _]]; cbn; lia|].
        apply B in Hx. lia. }
    apply Y. }
  unfold all, codes. destruct (rules G); try apply X. apply NoDup_filter, X.
Qed.

Lemma number_is i c : nth_error all i = Some c -> number_of c all = i.
Proof.
  intros H. apply (proj1 (NoDup_nth_error all) codes_once).
  - apply nth_error_Some. rewrite number_of_in by exact (nth_error_In _ _ H). discriminate.
  - rewrite number_of_in by exact (nth_error_In _ _ H). congruence.
Qed.

Lemma all_some_nth A (l : list (option A)) m : all_some l = Some m -> l = map Some m.
Proof.
  revert m; induction l as [|[a|] l IH]; intros m H; cbn in H; try discriminate; [injection H as <-; reflexivity|].
  destruct (all_some l) as [m'|]; [|discriminate]. injection H as <-. cbn. f_equal. apply IH. reflexivity.
Qed.

Lemma colours_are w to :
  colours_in G w = Some to -> forallb (fun l => permutes l (colours G)) to = true ->
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
  destruct Q as [L Q].
  assert (X : forall y, y < pegs G -> Permutation (nth y to []) (seq 0 (colours G))).
  { intros y Hy. apply permutes_true. apply (proj1 (forallb_forall _ _) A). apply nth_In. lia. }
  split; [exact X|]. destruct Q as [Q|[alike [Q ->]]]; [left; exact Q|right]. exists alike. split; [exact Q|].
  intros y Hy. rewrite nth_indep with (d' := alike) by (rewrite repeat_length; exact Hy). apply nth_repeat.
Qed.

Lemma images_are p c l : images G all places p c = Some l ->
  List.length l = n /\ exists f : code -> code,
    (forall i s, nth_error all i = Some s -> nth_error all (nth i l i) = Some (f s)) /\
    (forall g s, In g all -> In s all -> same (f g) (f s) = same g s /\ answer G (f g) (f s) = answer G g s).
Proof.
  unfold images. destruct (digits p) as [p'|]; [|discriminate].
  destruct (colours_in G c) as [to|] eqn:C; [|discriminate].
  destruct (List.length p' =? pegs G); [|discriminate].
  set (from := map _ _). destruct (permutes from (pegs G)) eqn:Hf; [|discriminate].
  destruct (forallb _ to) eqn:Ht; [|discriminate]. cbn [andb]. intros H. apply all_some_nth in H.
  apply permutes_true in Hf. destruct (colours_are c to C Ht) as [Hto A].
  assert (L : List.length l = n) by (rewrite <- (map_length Some l), <- H, map_length; reflexivity).
  split; [exact L|]. exists (renamed from to). split.
  - intros i s Hi. assert (i < n) by (apply nth_error_Some; rewrite Hi; discriminate). apply place_is.
    apply (map_nth_error (fun code => place_in (colours G) places (renamed from to code))) in Hi. rewrite H in Hi.
    rewrite (map_nth_error Some i l (nth_error_nth' l i (ltac:(lia) : i < List.length l))) in Hi. congruence.
  - intros g s Hg Hs. split; [apply (same_renamed G); assumption|apply (answer_renamed G); assumption].
Qed.

Lemma kept images X : keeps images X = true ->
  Permutation (map (fun m => (nth (fst m) images (fst m), snd m)) X) X.
Proof. intros H. apply same_state_eq in H. rewrite <- H at 2. apply Sorting.Permuted_sort. Qed.

Hypothesis col_length : forall i, i < n -> List.length (col i) = n.

Lemma code_resp i j g s : nth_error all i = Some g -> nth_error all j = Some s ->
  resp col i j = reply (answer G) (code_ends aim) to_nat s g.
Proof. intros Hg Hs. exact (resp_is all all (answer G) (code_ends aim) to_nat col_length i j g s Hg Hs). Qed.

Lemma code_renaming_true lies X words l rest : good n lies X -> code_renaming G all places X words = Some (l, rest) ->
  forall d a, In a l -> arrow_true (wins aim) n n col X d a.
Proof.
  intros [P _] E d [i g] Ha. unfold code_renaming in E. destruct words as [|p [|c words]]; try discriminate.
  destruct (images G all places p c) as [m|] eqn:Em; [|discriminate].
  destruct (_ && _) eqn:Q; [|discriminate]. apply andb_prop in Q as [Q1 Q2]. apply kept in Q1, Q2.
  injection E as <- _. destruct (images_are p c m Em) as [L [f [F1 F2]]].
  set (to := fun x => nth x m x).
  assert (Hg : g < n /\ i = to g).
  { apply (In_nth _ _ (0, 0)) in Ha as [k [Hk E]]. rewrite combine_length, seq_length, L, Nat.min_id in Hk.
    rewrite combine_nth in E by (rewrite seq_length; exact L). rewrite seq_nth in E by exact Hk.
    injection E as <- <-. split; [exact Hk|]. apply nth_indep. rewrite L. exact Hk. }
  destruct Hg as [Hg ->]. clear Ha.
  assert (V : forall x, x < n -> exists s, nth_error all x = Some s).
  { intros x Hx. destruct (nth_error all x) as [s|] eqn:Es; [exists s; reflexivity|apply nth_error_None in Es; unfold n in Hx; lia]. }
  assert (TG : forall x, x < n -> to x < n).
  { intros x Hx. destruct (V x Hx) as [s Es]. apply nth_error_Some. unfold to. rewrite (F1 x s Es). discriminate. }
  assert (TR : forall x y, x < n -> y < n -> resp col (to x) (to y) = resp col x y).
  { intros x y Hx Hy. destruct (V x Hx) as [a Ex]. destruct (V y Hy) as [b Ey].
    unfold to. rewrite (code_resp _ _ _ _ (F1 x a Ex) (F1 y b Ey)), (code_resp _ _ _ _ Ex Ey). unfold reply, code_ends.
    destruct (F2 a b (nth_error_In _ _ Ex) (nth_error_In _ _ Ey)) as [-> ->]. reflexivity. }
  assert (TL : forall x r, x < n -> legal n (resp col) (to x) r -> legal n (resp col) x r).
  { intros x r Hx [Z [y [Hy R]]]. split; [exact Z|].
    assert (I : In (y, 0) (whole n 0)) by (apply in_map_iff; exists y; split; [reflexivity|apply in_seq; lia]).
    apply (Permutation_in _ (Permutation_sym Q1)) in I. apply in_map_iff in I as [[y' k] [[= E _] I]].
    apply in_map_iff in I as [y'' [[= <- _] I]]. apply in_seq in I. exists y''. split; [lia|].
    rewrite <- R, <- E. symmetry. apply TR; lia. }
  intros [[r [R A]]|B]; cbn [fst snd] in *; [left|right].
  - exists r. split; [exact (TL g r Hg R)|]. intros s k Hs. rewrite <- (TR g s Hg (proj1 P s k Hs)). apply (A _ k).
    apply (Permutation_in _ Q2). apply in_map_iff. exists (s, k). auto.
  - apply (refuted_asking_renamed (wins aim) n n (resp col) to TG TR TL d X g P); [|exact B].
    intros s k Hs. apply (Permutation_in _ (Permutation_sym Q2)) in Hs. apply in_map_iff in Hs as [[s' k'] [[= E <-] Hs]].
    exists s'. auto.
Qed.

End Codes.

Theorem codes_sound G aim first d lies proof :
  refused_codes G aim first d lies proof = None ->
  holds {| of := Codes G first; aim := aim; within := d; lies := lies |}.
Proof.
  intros E. unfold refused_codes in E. cbv zeta in E. unfold holds. cbn [of LiesGame.aim within LiesGame.lies].
  set (all := codes G) in *.
  assert (Q : exists number, number = option_map (fun c => number_of c all) first /\
    refused aim (List.length all) (List.length all) lies (columns all all (answer G) (code_ends aim) to_nat)
      (place_of_word G (places_of (colours G) all)) (place_of_word G (places_of (colours G) all))
      (fun _ => code_renaming G all (places_of (colours G) all)) d number proof = None).
  { destruct first as [c|]; cbn [option_map] in E; [|exists None; auto].
    destruct (place_in _ _ c) as [i|] eqn:Ep; [|discriminate]. exists (Some i). split; [|exact E].
    apply place_is in Ep. cbn. f_equal. symmetry. exact (number_is G i c Ep). }
  destruct Q as [number [-> Q]].
  apply refused_true in Q.
  - destruct Q as [L C].
    apply (claimed_unsettled all all (answer G) (code_ends aim) aim to_nat of_nat (fun c => number_of c all)
      (fun c => number_of c all)).
    + intros g s _ _. apply cancel_of_to.
    + intros g Hg. exact (number_of_in g all Hg).
    + exact (number_is G).
    + exact L.
    + exact C.
  - (* never *)
    intros L -> g s Hg Hs. destruct (nth_error all g) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
    destruct (nth_error all s) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
    intros Z. discriminate (eq_trans (eq_sym Z) (code_resp G Identify L g s a b Ea Eb)).
  - intros L _ X words l rest Gd Er. exact (code_renaming_true G aim L lies X words l rest Gd Er).
Qed.

(** ** Whole files *)

Definition rule_in (w : text) : option rule :=
  if spells "mastermind" w then Some Mastermind
  else if spells "blackpeg" w then Some BlackPeg
  else if spells "bulls" w then Some Bulls
  else None.

Definition goal_in (w : text) : option goal :=
  if spells "win" w then Some Win else if spells "identify" w then Some Identify else None.

Definition lies_in (w : text) : option nat :=
  match number_of_digits 1 w with Some l => if l <=? 7 then Some l else None | None => None end.

(** The claim that a file proves, or how many words are left where it is refused. *)
Definition check (text : text) : claim + nat :=
  match words_of text with
  | format :: lies :: told :: kind :: a :: b :: goal :: first :: within :: bound :: proof =>
      let no := inr (List.length proof) in
      match spells "guesstree-proof/1" format && spells "lies" lies && spells "inf" bound,
            lies_in told, goal_in goal, number_of_digits 3 within with
      | true, Some l, Some aim, Some d =>
          match rule_in kind, number_of_digits 3 a, number_of_digits 3 b with
          | Some r, Some p, Some c =>
              let G := {| rules := r; pegs := p; colours := c |} in
              match (if spells "-" first then Some None else option_map Some (digits first)), small_enough G with
              | Some first, true =>
                  match refused_codes G aim first d l proof with
                  | None => inl {| of := Codes G first; aim := aim; within := d; lies := l |}
                  | Some more => inr more
                  end
              | _, _ => no
              end
          | _, _, _ => no
          end
      | _, _, _, _ => no
      end
  | _ => inr 0
  end.

(** What the checker accepts is true: no strategy settles the game within so many guesses. *)
Theorem lies_sound text c : check text = inl c -> holds c.
Proof.
  unfold check. destruct (words_of text) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 [|w9 [|w10 proof]]]]]]]]]];
    try discriminate. cbv zeta.
  destruct (_ && _); [|discriminate]. destruct (lies_in w3) as [l|]; [|discriminate].
  destruct (goal_in w7) as [aim|]; [|discriminate]. destruct (number_of_digits 3 w9) as [d|]; [|discriminate].
  destruct (rule_in w4) as [r|]; [|discriminate]. destruct (number_of_digits 3 w5) as [p|]; [|discriminate].
  destruct (number_of_digits 3 w6) as [k|]; [|discriminate].
  destruct (if spells "-" w8 then _ else _) as [first|]; [|discriminate].
  destruct (small_enough _); [|discriminate]. destruct (refused_codes _ _ _ _ _ _) eqn:E; [discriminate|].
  intros [= <-]. apply codes_sound in E. exact E.
Qed.

Print Assumptions lies_sound.
