(** The checker of whole files, and the theorem: what it accepts is true of the game. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String Cantor.
From Proof Require Import Game Theory Store Counting Checker Tables Renamings.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** The answers of a game, as numbers *)

(** 0 where the guess is the secret; otherwise the answer as a number from 1. *)
Definition reply (G : game) (guess secret : code) : nat :=
  if same guess secret then 0 else S (to_nat (answer G guess secret)).

Definition column (G : game) (guesses : list code) (secret : code) : list nat := map (fun g => reply G g secret)
  guesses.

Definition columns_of (G : game) (all : list code) : store (nat * list nat) :=
  fold_left (fun t ic => insert (fst ic) (fst ic,
    column G all (snd ic)) t) (combine (seq 0 (List.length all)) all) Nil.

Definition column_in (t : store (nat * list nat)) (i : nat) : list nat :=
  match List.find (fun e => fst e =? i) (Store.find i t) with Some e => snd e | None => [] end.

(** The places of codes, by what they are worth as numbers. *)
Definition worth (base : nat) (c : code) : nat := fold_left (fun v x => base * v + x) c 0.

Definition places_of (base : nat) (all : list code) : store (nat * code) :=
  fold_left (fun t ic => insert (worth base (snd ic)) ic t) (combine (seq 0 (List.length all)) all) Nil.

Definition place_in (base : nat) (t : store (nat * code)) (c : code) : option nat :=
  option_map fst (List.find (fun e => same_set (snd e) c) (Store.find (worth base c) t)).

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

(** The images of all codes under a renaming of positions and colours. *)
Definition images (G : game) (all : list code) (t : store (nat * code)) (p c : word) : option (list nat) :=
  match digits p, colours_in G c with
  | Some p, Some to =>
      let from := map (fun y => position 0 y p) (seq 0 (pegs G)) in
      if (List.length p =? pegs G) && permutes from (pegs G) && forallb (fun l => permutes l (colours G)) to
      then all_some (map (fun code => place_in (colours G) t (renamed from to code)) all)
      else None
  | _, _ => None
  end.

(** ** Reading a file *)

Definition blank (c : ascii) : bool := existsb (Ascii.eqb c) [" "; "009"; "010"; "013"]%char.

Fixpoint words_in (text : list ascii) (now : word) (done : list word) : list word :=
  let next := match now with [] => done | _ => rev' now :: done end in
  match text with
  | [] => rev' next
  | c :: text => if blank c then words_in text [] next else words_in text (c :: now) done
  end.

Definition spells (s : string) (w : word) : bool := String.eqb (string_of_list_ascii w) s.

Definition rule_in (w : word) : option rule :=
  if spells "mastermind" w then Some Mastermind
  else if spells "blackpeg" w then Some BlackPeg
  else if spells "bulls" w then Some Bulls
  else None.

Definition limit_in (w : word) : option (option nat) :=
  if spells "-" w then Some None
  else match number_in w with Some d => if d <=? Nat.pow 10 5 then Some (Some d) else None | None => None end.

(** Other games are refused: they would not fit, and 55 answers are digits of a machine integer. *)
Definition small_enough (G : game) : bool :=
  let most := Nat.pow 10 5 in
  (1 <=? pegs G) && (pegs G <=? 9) && (1 <=? colours G) && (colours G <=? 36) &&
  match rules G with Bulls => pegs G <=? colours G | _ => true end &&  (* or there is no code *)
  (fold_left (fun v _ => if v <=? most then v * colours G else v) (seq 0 (pegs G)) 1 <=? most).

Definition place_of_word (G : game) (places : store (nat * code)) (w : word) : option nat :=
  match digits w with
  | Some c => if List.length c =? pegs G then place_in (colours G) places c else None
  | None => None
  end.

(** Nothing if the proof is accepted; otherwise how many words are left. *)
Definition refused (c : claim) (proof : list word) : option nat :=
  let G := of c in
  let all := codes G in
  let n := List.length all in
  let columns := columns_of G all in
  let places := places_of (colours G) all in
  let col := column_in columns in
  let hs := hists col n (whole n) in
  let profile := profile_of hs in
  let tables := map (fun K => table_of n K profile) (seq 0 (S (most (looks col n (whole n))))) in
  if forallb (fun i => List.length (col i) =? n) (seq 0 n) && single hs
  then refusal col n tables (place_of_word G places)
         (images G all places) proof (limit c) (Game.cost c)
  else Some (List.length proof).

(** The claim that a file proves, or how many words are left where it is refused. *)
Definition check (text : list ascii) : claim + nat :=
  match words_in text [] [] with
  | format :: kind :: p :: c :: goal :: first :: within :: least :: proof =>
      match spells "guesstree-proof/1" format && spells "win" goal && spells "-" first,
            rule_in kind, number_in p, number_in c, limit_in within, bound_in least with
      | true, Some r, Some p, Some c, Some d, Some b =>
          let claimed := {| of := {| rules := r; pegs := p; colours := c |}; limit := d; Game.cost := b |} in
          if small_enough (of claimed) then
            match refused claimed proof with None => inl claimed | Some more => inr more end
          else inr (List.length proof)
      | _, _, _, _, _, _ => inr (List.length proof)
      end
  | _ => inr 0
  end.

(** ** Why it is true *)

Lemma in_numbered (all : list code) i c : In (i, c) (combine (seq 0 (List.length all)) all) ->
  nth_error all i = Some c.
Proof.
  intros H. apply (In_nth _ _ (0, [])) in H as [k [Hk E]]. rewrite combine_length, seq_length, Nat.min_id in Hk.
  rewrite combine_nth in E by apply seq_length. rewrite seq_nth in E by exact Hk. injection E as <- <-.
  apply nth_error_nth'. exact Hk.
Qed.

Section Game.

Variable G : game.

Let all := codes G.
Let n := List.length all.
Let columns := columns_of G all.
Let places := places_of (colours G) all.
Let col := column_in columns.

Hypothesis col_length : forall i, i < n -> List.length (col i) = n.

Lemma column_is i s : nth_error all i = Some s -> col i = column G all s.
Proof.
  intros H. assert (Hi : i < n) by (apply nth_error_Some; rewrite H; discriminate). pose proof (col_length i Hi) as L.
  assert (A : Store.all (fun e => forall s, nth_error all (fst e) = Some s -> snd e = column G all s) columns).
  { unfold columns, columns_of. apply (fold_keeps (Store.all _)); [|exact I]. intros t [j c] Hj Ht.
    apply all_insert; [|exact Ht].
    cbn [fst snd]. intros s' Hs'. apply in_numbered in Hj. congruence. }
  unfold col, column_in in *. destruct (List.find _ _) as [e|] eqn:E; [|cbn in L; lia].
  apply find_some in E as [E1 E2]. apply Nat.eqb_eq in E2. subst i. exact (all_find _ _ _ _ _ A E1 s H).
Qed.

Lemma place_is c i : place_in (colours G) places c = Some i -> nth_error all i = Some c.
Proof.
  intros H. assert (A : Store.all (fun e => nth_error all (fst e) = Some (snd e)) places).
  { unfold places, places_of. apply (fold_keeps (Store.all _)); [|exact I]. intros t [j c'] Hj Ht.
    apply all_insert; [|exact Ht].
    apply in_numbered, Hj. }
  unfold place_in in H. destruct (List.find _ _) as [e|] eqn:E; [|discriminate]. injection H as <-.
  apply find_some in E as [E1 E2]. apply same_set_eq in E2. subst c. exact (all_find _ _ _ _ _ A E1).
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

Lemma images_rename p c l : images G all places p c = Some l -> renames col n l.
Proof.
  unfold images. destruct (digits p) as [p'|]; [|discriminate].
  destruct (colours_in G c) as [to|] eqn:C; [|discriminate].
  destruct (List.length p' =? pegs G); [|discriminate].
  set (from := map _ _). destruct (permutes from (pegs G)) eqn:Hf; [|discriminate].
  destruct (forallb _ to) eqn:Ht; [|discriminate]. cbn [andb]. intros H. apply all_some_nth in H.
  apply permutes_true in Hf. destruct (colours_are c to C Ht) as [Hto A].
  assert (L : List.length l = n) by (rewrite <- (map_length Some l), <- H, map_length; reflexivity).
  assert (X : forall i s, nth_error all i = Some s -> nth_error all (nth i l i) = Some (renamed from to s)).
  { intros i s Hi. assert (i < n) by (apply nth_error_Some; rewrite Hi; discriminate). apply place_is.
    apply (map_nth_error (fun code => place_in (colours G) places (renamed from to code))) in Hi. rewrite H in Hi.
    rewrite (map_nth_error Some i l (nth_error_nth' l i (ltac:(lia) : i < List.length l))) in Hi. congruence. }
  intros x Hx g. destruct (nth_error all x) as [s|] eqn:Es; [|apply nth_error_None in Es; unfold n in Hx; lia].
  rewrite (column_is _ _ Es), (column_is _ _ (X x s Es)). unfold column.
  destruct (nth_error all g) as [h|] eqn:Eh.
  - rewrite (map_nth_error _ _ _ Eh), (map_nth_error _ _ _ (X g h Eh)). f_equal. unfold reply.
    apply nth_error_In in Es, Eh. rewrite (same_renamed G), (answer_renamed G) by assumption. reflexivity.
  - apply nth_error_None in Eh. rewrite nth_overflow by (unfold n in L; lia).
    rewrite !(proj2 (nth_error_None _ g)) by (rewrite map_length; exact Eh). reflexivity.
Qed.

(** A strategy as a tree of numbers. *)
Fixpoint number_of (c : code) (l : list code) : nat :=
  match l with [] => 0 | x :: l => if same c x then 0 else S (number_of c l) end.

Fixpoint tree_of (t : strategy) : tree :=
  match t with Stop => Leaf | Ask g next => Node (number_of g all) (fun a => tree_of (next (of_nat a))) end.

Lemma number_is c l :
  nth_error l (number_of c l) = if existsb (same c) l then Some c else None.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn.
  destruct (same c x) eqn:E; cbn; [apply same_is in E; congruence|exact IH].
Qed.

Lemma asks_tree t i s : nth_error all i = Some s -> asks col (tree_of t) i = asked G t s.
Proof.
  intros H. induction t as [|g next IH]; [reflexivity|]. cbn [tree_of asks asked]. rewrite (column_is i s H).
  unfold column.
  pose proof (number_is g all) as N. fold all. destruct (existsb (same g) all); cbn [negb].
  - rewrite (map_nth_error _ _ _ N). unfold reply. destruct (same g s); [reflexivity|]. rewrite IH, cancel_of_to.
    reflexivity.
  - rewrite (proj2 (nth_error_None _ _)); [reflexivity|]. rewrite map_length. apply nth_error_None, N.
Qed.

Lemma map_numbered A (f : nat -> A) (h : code -> A) (l : list code) :
  (forall i c, nth_error l i = Some c -> f i = h c) -> map f (seq 0 (List.length l)) = map h l.
Proof.
  revert f; induction l as [|c l IH]; intros f H; [reflexivity|]. cbn [List.length seq map].
  rewrite <- seq_shift, map_map.
  f_equal; [apply (H 0); reflexivity|]. apply IH. intros i c' Hc. apply (H (S i)), Hc.
Qed.

Lemma holds_by_numbers d b : lb col d (whole n) b -> holds {| of := G; limit := d; Game.cost := b |}.
Proof.
  intros H t Ht. cbn [of limit Game.cost] in *.
  assert (E : Theory.cost col (tree_of t) (whole n) = total G t).
  { unfold Theory.cost, sum, total, whole, n. f_equal. apply map_numbered. intros i c Hc. unfold count.
    rewrite (asks_tree t i c Hc). reflexivity. }
  rewrite <- E. apply (H (tree_of t)). intros i Hi. apply in_seq in Hi. destruct (nth_error all i) as [s|] eqn:Es.
  - rewrite (asks_tree t i s Es). apply Ht. exact (nth_error_In _ _ Es).
  - apply nth_error_None in Es. unfold n in Hi. lia.
Qed.

End Game.

(** What the checker accepts is true: every strategy for the game costs at least what the file says. *)
Theorem check_sound text c : check text = inl c -> holds c.
Proof.
  unfold check. destruct (words_in text [] []) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 proof]]]]]]]];
    try discriminate.
  destruct (_ && _); [|discriminate]. destruct (rule_in w2) as [r|]; [|discriminate].
  destruct (number_in w3) as [p|]; [|discriminate]. destruct (number_in w4) as [k|]; [|discriminate].
  destruct (limit_in w7) as [d|]; [|discriminate]. destruct (bound_in w8) as [b|]; [|discriminate].
  cbv zeta. set (claimed := Build_claim _ _ _). destruct (small_enough (of claimed)); [|discriminate].
  destruct (refused claimed proof) eqn:E; [discriminate|]. intros [= <-]. unfold refused in E. cbv zeta in E.
  destruct (_ && _) eqn:H in E; [|discriminate]. apply andb_prop in H as [H1 H2]. subst claimed.
  cbn [of limit Game.cost] in *.
  set (G := {| rules := r; pegs := p; colours := k |}) in *. set (all := codes G) in *.
  set (n := List.length all) in *.
  set (col := column_in (columns_of G all)) in *.
  assert (L : forall i, i < n -> List.length (col i) = n).
  { intros i Hi. apply Nat.eqb_eq. apply (proj1 (forallb_forall _ _) H1). apply in_seq. lia. }
  apply holds_by_numbers; [exact L|]. fold all n col.
  refine (whole_true col n _ _ _ L (profile_of (hists col n (whole n))) _ _ proof d b _ E).
  - intros K. set (tables := map _ _). destruct (Nat.lt_ge_cases K (List.length tables)) as [HK|HK].
    + unfold tables in *. rewrite nth_indep with (d' := table_of n 0 (profile_of (hists col n (whole n))))
        by exact HK.
      rewrite (map_nth (fun K => table_of n K _)). rewrite map_length, seq_length in HK.
      rewrite seq_nth by exact HK. apply table_is_true.
    + rewrite nth_overflow by exact HK. apply trivial_is_true.
  - intros p' c' l Hl. exact (images_rename G L p' c' l Hl).
  - apply whole_is_proper; assumption.
Qed.

Print Assumptions check_sound.
