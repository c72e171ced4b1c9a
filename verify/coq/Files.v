(** The checker of files, and the theorem: what it accepts is true of the game. *)

From Coq Require Import List Arith Bool Lia Ascii String.
From Proof Require Import Text Store Vector Trees Plain Game Kinds Whole.
From Proof Require CodeGame Main Quick.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Names of guesses and secrets *)

Definition hash_of (w : text) : nat := fold_left (fun h x => (31 * h + nat_of_ascii x + 1) mod wide) w 0.

Definition places_of (names : list text) : store (nat * text) :=
  fold_left (fun t iw => insert (hash_of (snd iw)) iw t) (combine (range (List.length names)) names) Nil.

Definition place_in (t : store (nat * text)) (w : text) : option nat :=
  option_map fst (List.find (fun e => same_text (snd e) w) (Store.find (hash_of w) t)).

(** A number from 1. *)
Definition place_by_number (n : nat) (w : text) : option nat :=
  match number_in w with Some i => if (1 <=? i) && (i <=? n) then Some (i - 1) else None | None => None end.

Definition code_of (w : text) : code := map nat_of_ascii w.

(** ** Renamings *)

(** Of codes: positions, colours. *)
Definition rename_codes (images : text -> text -> option words) (words_ : list text) : option (renaming * list text)
  :=
  match words_ with
  | p :: w :: rest =>
      match images p w with
      | Some v => Some ({| secret_to := v; guess_to := v; exact := true |}, rest)
      | None => None
      end
  | _ => None
  end.

(** Of a set of codes, rising: its image. *)
Definition image_codes (G : game) (n : nat) (N : Main.names) (s : list nat) (words_ : list text)
    : option (list nat * list text) :=
  match words_ with
  | p :: w :: rest => option_map (fun to => (to, rest)) (Main.image_of G n N p w s)
  | _ => None
  end.

(** Of secrets: cycles with [/] between, up to [;]. Backwards: the cycle at hand, those before. *)
Fixpoint cycles_in (place : text -> option nat) (words_ : list text) (now : list nat) (done : list (list nat))
    : option (list (list nat) * list text) :=
  match words_ with
  | [] => None
  | w :: rest =>
      if Plain.is ";" w then Some (rev' now :: done, rest)
      else if Plain.is "/" w then cycles_in place rest [] (rev' now :: done)
      else match place w with Some x => cycles_in place rest (x :: now) done | None => None end
  end.

(** Each to the next one, the last to the first. *)
Definition moves_of (cycle : list nat) : list (nat * nat) :=
  match cycle with x :: rest => combine cycle (rest ++ [x]) | [] => [] end.

Section Secrets.

Variables guesses secrets : nat.
Variable own : nat -> nat.
Variable only : bool.

(** How a guess splits secrets, as a number. *)
Definition pattern (ans : nat -> nat -> nat) (responses g : nat) (s : list nat) : nat :=
  fold_left (fun h x => (31 * h + x + 1) mod wide) (first_answers responses (map (ans g) s)) 0.

(** The images of guesses are found by comparing rows; [keeps] compares again. *)
Definition rename_secrets (place : text -> option nat) (ans : nat -> nat -> nat) (responses : nat) (s : list nat)
    (words_ : list text) : option (renaming * list text) :=
  match cycles_in place words_ [] [] with
  | None => None
  | Some (cycles, rest) =>
      let named := List.concat cycles in
      let moved := fold_left (fun t xy => insert (fst xy) xy t) (List.concat (map moves_of cycles)) Nil in
      let to_of x := match List.find (fun xy => fst xy =? x) (Store.find x moved) with Some xy => snd xy | None => x end in
      let seen := fold_left (fun t x => insert x x t) named Nil in
      let once x := List.length (filter (Nat.eqb x) (Store.find x seen)) =? 1 in
      if forallb (fun cycle => 2 <=? List.length cycle) cycles && forallb once named &&
         forallb (fun x => existsb (Nat.eqb x) s) named then
        let to := make_words secrets to_of in
        let moved_s := map to_of s in
        let image :=
          if only then
            let owned := fold_left (fun t x => insert (own x) (own x, own (to_of x)) t) s Nil in
            fun g => match List.find (fun e => fst e =? g) (Store.find g owned) with Some e => snd e | None => guesses end
          else
            let shapes := fold_left (fun t h => insert (pattern ans responses h moved_s) h t) (rev' (range guesses)) Nil in
            fun g =>
              match List.find (fun h => alike ans responses g s h moved_s)
                      (Store.find (pattern ans responses g s) shapes) with Some h => h | None => guesses end in
        Some ({| secret_to := to; guess_to := make_words guesses image; exact := false |}, rest)
      else None
  end.

End Secrets.

(** ** Games *)

Definition rule_in (w : text) : option rule :=
  if spells "mastermind" w then Some Mastermind
  else if spells "blackpeg" w then Some BlackPeg
  else if spells "bulls" w then Some Bulls
  else None.

Definition mode_in (w : text) : option mode :=
  if spells "wordle" w then Some Normal
  else if spells "wordle-hard" w then Some Hard
  else if spells "wordle-ultra" w then Some Ultra
  else None.

Definition most_codes : nat := Nat.pow 10 5.

Definition small_enough (G : game) : bool :=
  (1 <=? pegs G) && (pegs G <=? 14) && (1 <=? colours G) && (colours G <=? 36) &&
  match rules G with Bulls => pegs G <=? colours G | _ => true end &&  (* or there is no code *)
  (fold_left (fun v _ => if v <=? most_codes then v * colours G else v) (seq 0 (pegs G)) 1 <=? most_codes).

Definition letters (w : text) : bool :=
  forallb (fun c => (97 <=? nat_of_ascii c) && (nat_of_ascii c <=? 122)) w &&
  (1 <=? List.length w) && (List.length w <=? 5).

(** Words of a list, none of them twice. *)
Definition words_in_list (content : text) : option (list text) :=
  match lines_of content with
  | Some words_ =>
      let t := places_of words_ in
      let once i w := match place_in t w with Some j => i =? j | None => false end in
      if forallb letters words_ && (List.length words_ <=? most_codes) &&
         forallb (fun iw => once (fst iw) (snd iw)) (combine (range (List.length words_)) words_)
      then Some words_ else None
  | None => None
  end.

Fixpoint begins_with (p w : text) : bool :=
  match p, w with [], _ => true | x :: p, y :: w => Ascii.eqb x y && begins_with p w | _, [] => false end.

Definition named_cost (w : text) : bool :=
  spells "cost" w || begins_with (list_ascii_of_string "cost:") w.

Definition table_fits (rows : list (list text)) : bool :=
  match rows with
  | header :: (_ :: _) as rows =>
      (2 <=? List.length header) && negb (existsb named_cost (tl header)) &&
      (List.length header <=? S most_codes) && (List.length (tl rows) <=? most_codes) &&
      forallb (fun row => negb (spells "weight" (hd [] row)) && negb (existsb empty (tl row))) rows
  | _ => false
  end.

(** What a game is: its statement; the places of its guesses and secrets by name; how renamings are read, and images of
    sets. *)
Record known_game := {
  stated : kind;
  guess_place : text -> option nat;
  secret_place : text -> option nat;
  renamed_by : (nat -> nat) -> bool -> (nat -> nat -> nat) -> nat -> list nat -> list text -> option (renaming * list text);
  imaged_by : list nat -> list text -> option (list nat * list text) }.

Definition symbol (x : nat) : ascii := nth x symbols "?"%char.

Definition codes_in (r : rule) (p k : text) (proof : list text) : option known_game :=
  match number_in p, number_in k with
  | Some p, Some k =>
      let G := {| rules := r; pegs := p; colours := k |} in
      if small_enough G then
        let all := codes G in
        let t := places_of (map (map symbol) all) in
        let n := List.length all in
        let N := Main.names_of G all in
        let known := Main.made_once (Main.images G n N) (Main.kept_of (Main.images G n N) proof Nil) in
        Some {| stated := Codes G; guess_place := place_in t; secret_place := place_in t;
                renamed_by := fun _ _ _ _ _ => rename_codes known; imaged_by := image_codes G n N |}
      else None
  | _, _ => None
  end.

Definition words_game (m : mode) (answers others : list text) : known_game :=
  let t := places_of answers in
  let more := filter (fun w => match place_in t w with None => true | Some _ => false end) others in
  let t' := places_of (answers ++ more) in
  {| stated := Words m (map code_of answers) (map code_of others);
     guess_place := place_in t'; secret_place := place_in t;
     renamed_by := fun own only =>
       rename_secrets (List.length answers + List.length more) (List.length answers) own only (place_in t);
     imaged_by := fun _ _ => None |}.

Definition table_game (rows : list (list text)) : known_game :=
  let ng := pred (List.length rows) in
  let ns := pred (List.length (hd [] rows)) in
  {| stated := Table (map (map code_of) rows);
     guess_place := place_by_number ng; secret_place := place_by_number ns;
     renamed_by := fun own only => rename_secrets ng ns own only (place_by_number ns);
     imaged_by := fun _ _ => None |}.

(** The content of a file by its name, if its SHA-256 is in the second text. *)
Section Files.

Variable file : text -> text -> option text.

Definition game_in (kind_ a b : text) (proof : list text) : option known_game :=
  match rule_in kind_, mode_in kind_ with
  | Some r, _ => codes_in r a b proof
  | None, Some m =>
      match file a a, file b b with
      | Some x, Some y =>
          match words_in_list x, words_in_list y with
          | Some answers, Some others => Some (words_game m answers others)
          | _, _ => None
          end
      | _, _ => None
      end
  | None, None =>
      if spells "table" kind_ && (List.length a =? 64) then
        match file b a with
        | Some x =>
            match rows_of x with
            | Some rows => if table_fits rows then Some (table_game rows) else None
            | None => None
            end
        | None => None
        end
      else None
  end.

Definition goal_in (w : text) : option (goal * bool) :=
  if spells "win" w then Some (Win, false)
  else if spells "identify" w then Some (Identify, false)
  else if spells "win-candidates" w then Some (Win, true)
  else if spells "identify-candidates" w then Some (Identify, true)
  else None.

Definition first_in (place : text -> option nat) (w : text) : option (option nat) :=
  if spells "-" w then Some None else option_map Some (place w).

Definition limit_in (w : text) : option (option nat) :=
  if spells "-" w then Some None
  else match number_in w with Some d => if d <=? most_codes then Some (Some d) else None | None => None end.

Definition of_text (c : ascii) : bool :=
  (32 <=? nat_of_ascii c) && (nat_of_ascii c <=? 126) || blank c.

(** Whether the quick checker takes the claim: codes to win, of some pegs, with no more answers
    than it has digits for. *)
Definition is_quick (c : claim) (proof : list text) : option game :=
  match of c, aim c, only c, first c with
  | Codes G, Win, false, None => if (2 <=? pegs G) && (pegs G <=? 9) && negb (existsb (Plain.is "!") proof) then Some G else None
  | _, _, _, _ => None
  end.

(** No more than so many claims inside claims. *)
Fixpoint shallow (most : nat) (words_ : list text) : bool :=
  match words_ with
  | [] => true
  | w :: words_ =>
      negb ((most =? 0) && (Plain.is "(" w || Plain.is "." w || Plain.is "~" w)) &&
      shallow (if Plain.is "(" w then pred most else if Plain.is ")" w then S most else most) words_
  end.

(** The claim that a file proves, or how many words are left where it is refused. *)
Definition check (t : text) : claim + nat :=
  if negb (forallb of_text t) then inr 0
  else
    match Text.words_of t with
    | format :: kind_ :: a :: b :: goal_ :: first_ :: within :: least :: proof =>
        let left := List.length proof in
        if spells "guesstree-proof/1" format && shallow (S (Nat.pow 10 3)) proof then
          match game_in kind_ a b proof with
          | None => inr left
          | Some K =>
              match goal_in goal_, first_in (guess_place K) first_, limit_in within, bound_in least with
              | Some (aim_, only_), Some f, Some d, Some b =>
                  let c := {| of := stated K; aim := aim_; only := only_; first := f; limit := d; cost := b |} in
                  match is_quick c proof with
                  | Some G =>
                      match Main.refused {| CodeGame.of := G; CodeGame.limit := d; CodeGame.cost := b |} proof with
                      | None => inl c
                      | Some more => inr more
                      end
                  | None =>
                      match refused c (guess_place K) (secret_place K) (renamed_by K (owners c) only_) (imaged_by K)
                              proof with
                      | None => inl c
                      | Some rest => inr (List.length rest)
                      end
                  end
              | _, _, _, _ => inr left
              end
          end
        else inr left
    | _ => inr 0
    end.

(** Renamings that say to keep all answers are those of positions and colours. *)
Lemma game_exact k a b proof K : game_in k a b proof = Some K -> forall own only_ ans responses s words_ r rest,
  renamed_by K own only_ ans responses s words_ = Some (r, rest) -> exact r = true ->
  exists G p w, stated K = Codes G /\ secret_to r = guess_to r /\
    Main.images G (List.length (codes G)) (Main.names_of G (codes G)) p w = Some (guess_to r).
Proof.
  assert (N : forall ng ns own only_ place ans responses s words_ r rest,
    rename_secrets ng ns own only_ place ans responses s words_ = Some (r, rest) -> exact r <> true).
  { intros ng ns own only_ place ans responses s words_ r rest E. unfold rename_secrets in E.
    destruct (cycles_in _ _ _ _) as [[cycles rest']|]; [|discriminate]. cbv zeta in E. destruct (_ && _) in E; [|discriminate].
    injection E as <- _. discriminate. }
  intros E own only_ ans responses s words_ r rest R X. unfold game_in in E. destruct (rule_in k) as [ru|]; [|destruct (mode_in k) as [m|]].
  - unfold codes_in in E. destruct (number_in a) as [p|], (number_in b) as [q|]; try discriminate. cbv zeta in E.
    destruct (small_enough _); [|discriminate]. injection E as <-. cbn [renamed_by stated] in *.
    set (G := {| rules := ru; pegs := p; colours := q |}) in *. unfold rename_codes in R.
    destruct words_ as [|w1 [|w2 rest']]; try discriminate.
    rewrite Main.made_once_is in R. destruct (Main.images _ _ _ _ _) as [v|] eqn:I in R; [|discriminate].
    injection R as <- _. exists G, w1, w2. auto.
  - destruct (file a a); [|discriminate]. destruct (file b b); [|discriminate].
    destruct (words_in_list _); [|discriminate]. destruct (words_in_list _); [|discriminate]. injection E as <-.
    destruct (N _ _ _ _ _ _ _ _ _ _ _ R X).
  - destruct (_ && _); [|discriminate]. destruct (file b a); [|discriminate]. destruct (rows_of _); [|discriminate].
    destruct (table_fits _); [|discriminate]. injection E as <-. destruct (N _ _ _ _ _ _ _ _ _ _ _ R X).
Qed.

Lemma image_exact k a b proof K : game_in k a b proof = Some K -> forall s words_ s' rest,
  imaged_by K s words_ = Some (s', rest) ->
  exists G p w, stated K = Codes G /\
    Main.image_of G (List.length (codes G)) (Main.names_of G (codes G)) p w s = Some s'.
Proof.
  intros E s words_ s' rest I. unfold game_in in E. destruct (rule_in k) as [ru|]; [|destruct (mode_in k) as [m|]].
  - unfold codes_in in E. destruct (number_in a) as [p|], (number_in b) as [q|]; try discriminate. cbv zeta in E.
    destruct (small_enough _); [|discriminate]. injection E as <-. cbn [imaged_by stated] in *. unfold image_codes in I.
    destruct words_ as [|w1 [|w2 rest']]; try discriminate. eexists _, w1, w2. split; [reflexivity|].
    destruct (Main.image_of _ _ _ _ _ _); [|discriminate]. injection I as <- _. reflexivity.
  - destruct (file a a); [|discriminate]. destruct (file b b); [|discriminate].
    destruct (words_in_list _); [|discriminate]. destruct (words_in_list _); [|discriminate].
    injection E as <-. discriminate.
  - destruct (_ && _); [|discriminate]. destruct (file b a); [|discriminate]. destruct (rows_of _); [|discriminate].
    destruct (table_fits _); [|discriminate]. injection E as <-. discriminate.
Qed.

(** What the checker accepts is true: every strategy for the game costs at least what the file says. *)
Theorem check_sound t c : check t = inl c -> holds c.
Proof.
  unfold check. destruct (negb _); [discriminate|].
  destruct (Text.words_of t) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 proof]]]]]]]]; try discriminate.
  destruct (_ && _); [|discriminate]. destruct (game_in w2 w3 w4 proof) as [K|] eqn:GK; [|discriminate].
  destruct (goal_in w5) as [[aim_ only_]|]; [|discriminate].
  destruct (first_in _ w6) as [f|]; [|discriminate]. destruct (limit_in w7) as [d|]; [|discriminate].
  destruct (bound_in w8) as [b|]; [|discriminate]. cbv zeta. set (c' := Build_claim _ _ _ _ _ _).
  destruct (is_quick c' proof) as [G|] eqn:Q.
  - destruct (Main.refused _ proof) eqn:E; [discriminate|]. intros [= <-]. apply Main.refused_sound, Quick.quick_holds in E.
    unfold is_quick, c' in Q. cbn [of aim only first] in Q.
    destruct (stated K) as [G'| |]; try discriminate. destruct aim_, only_, f; try discriminate.
    destruct (_ && _); [|discriminate]. injection Q as <-. exact E.
  - destruct (refused _ _ _ _ _ _) eqn:E; [discriminate|]. intros [= <-].
    refine (refused_true _ _ _ _ _ _ _ _ E).
    + intros ans responses s words_ r rest R X. exact (game_exact _ _ _ _ _ GK _ _ _ _ _ _ _ _ R X).
    + exact (image_exact _ _ _ _ _ GK).
Qed.

End Files.

Print Assumptions check_sound.
