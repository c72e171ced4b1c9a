(** What the theorem about lies says: games in which some responses may be false, strategies, and when one settles all
    secrets. Nothing else has to be believed to understand it, but the rules of codes in Game.v and how lines and cells
    are read, in Text.v. *)

From Coq Require Import List Arith Bool Ascii String.
From Proof Require Import Game Text.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

Inductive goal := Win | Identify.

(** ** Asking someone who may lie *)

Section Asking.

Context {Guess Secret Response : Type}.

Variable guesses : list Guess.
Variable secrets : list Secret.
Variable says : Guess -> Secret -> Response.   (* the true response *)
Variable ends : Guess -> Secret -> bool.       (* whether the guess ends the game: to win, if it is the secret *)

(** A strategy asks, and goes on by the response that it gets, or names the secret. To win, only guesses end the game:
    then a name is worth nothing. *)
Inductive strategy := Name (secret : Secret) | Ask (guess : Guess) (next : Response -> strategy).

(** What may be said after a guess: what it gets from some secret, but never that the game has ended. *)
Definition possible (g : Guess) (r : Response) : Prop := exists x, In x secrets /\ ends g x = false /\ says g x = r.

(** Whether the strategy ends well if the secret is [s], at most [d] guesses are asked, and at most [l] responses are
    false, whichever they are: each response is the true one, or a false one, after which one lie less is left. *)
Fixpoint succeeds (G : goal) (t : strategy) (d l : nat) (s : Secret) : Prop :=
  match t, d with
  | Name x, _ => G = Identify /\ x = s
  | Ask g next, 0 => False
  | Ask g next, S d =>
      In g guesses /\
      (ends g s = true \/
       succeeds G (next (says g s)) d l s /\
       forall r, possible g r -> r <> says g s -> 1 <= l -> succeeds G (next r) d (l - 1) s)
  end.

Definition begins (first : option Guess) (t : strategy) : Prop :=
  match first with None => True | Some g => exists next, t = Ask g next end.

(** No strategy (of those that begin with the guess, if one is given) settles all secrets within so many guesses. *)
Definition unsettled (G : goal) (first : option Guess) (within lies : nat) : Prop :=
  ~ exists t, begins first t /\ forall s, In s secrets -> succeeds G t within lies s.

End Asking.

(** ** What a certificate claims *)

(** The marks of a word: 2 for a letter in place; 1 for one that is among the letters of the secret that are not in
    place, each of which answers for one letter; 0 for others. *)
Fixpoint without (a : ascii) (w : text) : text :=
  match w with [] => [] | b :: w => if Ascii.eqb a b then w else b :: without a w end.

Fixpoint marks (guess secret spare : text) : list nat :=
  match guess, secret with
  | a :: guess, b :: secret =>
      if Ascii.eqb a b then 2 :: marks guess secret spare
      else if existsb (Ascii.eqb a) spare then 1 :: marks guess secret (without a spare)
      else 0 :: marks guess secret spare
  | _, _ => []
  end.

Definition word_says (guess secret : text) : list nat :=
  marks guess secret (map snd (filter (fun ab => negb (Ascii.eqb (fst ab) (snd ab))) (combine guess secret))).

(** A secret may always be guessed. *)
Definition word_guesses (secrets allowed : list text) : list text :=
  secrets ++ filter (fun w => negb (existsb (same_text w) secrets)) allowed.

(** A table: behind the header a row for each guess; behind its first cell what it gets from each secret. *)
Definition cell (rows : list (list text)) (guess secret : nat) : text := nth (S secret) (nth guess rows []) [].

(** Codes; words, by the texts of the files of secrets and of others that may be guessed; a table, by its text. *)
Inductive subject :=
  | Codes (G : game) (first : option code)
  | Words (hidden allowed : text) (first : option text)
  | Table (csv : text) (first : option nat).

Record claim := { of : subject; aim : goal; within : nat; lies : nat }.

(** To win, the guess that is the secret ends the game, or the response [win] of a table; to identify, only a name. *)
Definition holds (c : claim) : Prop :=
  let to_win (won : bool) : bool := match aim c with Win => won | Identify => false end in
  match of c with
  | Codes G first =>
      unsettled (codes G) (codes G) (answer G) (fun guess secret => to_win (same guess secret))
        (aim c) first (within c) (lies c)
  | Words hidden allowed first =>
      match lines_of hidden, lines_of allowed with
      | Some secrets, Some others =>
          unsettled (word_guesses secrets others) secrets word_says
            (fun guess secret => to_win (same_text guess secret)) (aim c) first (within c) (lies c)
      | _, _ => False
      end
  | Table csv first =>
      match rows_of csv with
      | Some (header :: rows) =>
          unsettled (seq 0 (List.length rows)) (seq 0 (List.length header - 1)) (cell rows)
            (fun guess secret => to_win (spells "win" (cell rows guess secret))) (aim c) first (within c) (lies c)
      | _ => False
      end
  end.
