(** What the theorem is about: games, strategies, and what a strategy costs. Nothing else has to be believed to
    understand it, and no part of a checker is in this file. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

(** ** The games *)

(** A code, a word or a cell of a table is a list of symbols: colours from 0, letters by their numbers in ASCII. *)
Definition code := list nat.

Definition same (a b : code) : bool := if list_eq_dec Nat.eq_dec a b then true else false.

(** All codes of so many pegs and colours, 0000 first. *)
Fixpoint all_codes (pegs colours : nat) : list code :=
  match pegs with
  | 0 => [[]]
  | S fewer => flat_map (fun c => map (cons c) (all_codes fewer colours)) (seq 0 colours)
  end.

Fixpoint distinct (c : code) : bool :=
  match c with
  | [] => true
  | x :: rest => negb (existsb (Nat.eqb x) rest) && distinct rest
  end.

Inductive rule := Mastermind | BlackPeg | Bulls.

Record game := { rules : rule; pegs : nat; colours : nat }.

(** The secrets of a game of codes, which are also its guesses. In Bulls and Cows no colour is repeated. *)
Definition codes (G : game) : list code :=
  match rules G with
  | Bulls => filter distinct (all_codes (pegs G) (colours G))
  | _ => all_codes (pegs G) (colours G)
  end.

(** Pegs with the same colour in the same place. *)
Definition black (guess secret : code) : nat :=
  length (filter (fun both => fst both =? snd both) (combine guess secret)).

(** Pegs that can be paired by colour, in place or not: of each colour, the lesser of its two numbers. *)
Definition common (many : nat) (guess secret : code) : nat :=
  list_sum (map (fun c => min (count_occ Nat.eq_dec guess c) (count_occ Nat.eq_dec secret c)) (seq 0 many)).

(** The answer: black pegs and white pegs. In black-peg Mastermind no white pegs are told. *)
Definition answer (G : game) (guess secret : code) : nat * nat :=
  (black guess secret,
   match rules G with
   | BlackPeg => 0
   | _ => common (colours G) guess secret - black guess secret
   end).

Fixpoint without (x : nat) (l : list nat) : list nat :=
  match l with [] => [] | y :: l => if x =? y then l else y :: without x l end.

(** The marks of Wordle, letter by letter: 2 in place; 1 elsewhere in what is left of the secret, from left to right;
    otherwise 0. *)
Fixpoint marks (both : list (nat * nat)) (left : code) : code :=
  match both with
  | [] => []
  | (g, s) :: both =>
      if g =? s then 2 :: marks both left
      else if existsb (Nat.eqb g) left then 1 :: marks both (without g left) else 0 :: marks both left
  end.

Definition wordle (guess secret : code) : code :=
  let both := combine guess secret in
  marks both (map snd (filter (fun gs => negb (fst gs =? snd gs)) both)).

(** What may be asked after a guess and its marks. In hard mode, a letter in place stays there, and each letter occurs at
    least as often as it was marked. In ultra-hard mode, the guess would get these marks, were it the secret. *)
Inductive mode := Normal | Hard | Ultra.

Definition may_follow (m : mode) (guess marked later : code) : bool :=
  match m with
  | Normal => true
  | Hard =>
      let many x := length (filter (fun gm => (fst gm =? x) && negb (snd gm =? 0)) (combine guess marked)) in
      forallb (fun gml => negb (snd (fst gml) =? 2) || (fst (fst gml) =? snd gml)) (combine (combine guess marked) later) &&
      forallb (fun x => many x <=? count_occ Nat.eq_dec later x) guess
  | Ultra => same (wordle guess later) marked
  end.

(** A game, its secrets and guesses numbered from 0: the response to a guess for a secret; whether the guess wins for it;
    whether it has the name of the secret; whether another guess may follow a guess and its response. *)
Record questions := {
  secrets : nat; guesses : nat; response : nat -> nat -> code; wins : nat -> nat -> bool; names : nat -> nat -> bool;
  follows : nat -> code -> nat -> bool }.

(** Words: those that may be the secret, and others that may be guessed. A table: a row of names of secrets, then a row
    for each guess, its name and its responses, of which "win" wins. *)
Inductive kind := Codes (G : game) | Words (m : mode) (answers others : list code) | Table (rows : list (list code)).

Definition by_names (guesses secrets : list code) (respond : code -> code -> code) (m : mode) : questions :=
  let guess i := nth i guesses [] in
  let secret i := nth i secrets [] in
  let is g s := same (guess g) (secret s) in
  {| secrets := length secrets; guesses := length guesses; response := fun g s => respond (guess g) (secret s);
     wins := is; names := is; follows := fun g r later => may_follow m (guess g) r (guess later) |}.

Definition questions_of (k : kind) : questions :=
  match k with
  | Codes G => by_names (codes G) (codes G) (fun g s => [fst (answer G g s); snd (answer G g s)]) Normal
  | Words m answers others =>
      by_names (answers ++ filter (fun w => negb (existsb (same w) answers)) others) answers wordle m
  | Table rows =>
      let cell g s := nth s (nth g rows []) [] in
      {| secrets := pred (length (nth 0 rows [])); guesses := pred (length rows);
         response := fun g s => cell (S g) (S s); wins := fun g s => same (cell (S g) (S s)) [119; 105; 110];
         names := fun g s => same (cell (S g) 0) (cell 0 (S s)); follows := fun _ _ _ => true |}
  end.

(** ** Claims *)

Inductive goal := Win | Identify.

(** Every strategy for the game, beginning with the first guess if there is one, costs at least so much within the limit;
    [None]: no limit; no strategy at all. [only]: only what may be the secret may be asked. *)
Record claim := {
  of : kind; aim : goal; only : bool; first : option nat; limit : option nat; cost : option nat }.

(** A strategy stops, or asks a guess and goes on by the response. *)
Inductive strategy := Stop | Ask (guess : nat) (next : code -> strategy).

Section Claim.

Variable c : claim.

Let G := questions_of (of c).

(** To win, the game ends where the guess wins. *)
Definition ends (g s : nat) : bool := match aim c with Win => wins G g s | Identify => false end.

Definition is (g s : nat) : bool := match aim c with Win => wins G g s | Identify => names G g s end.

(** The strategy settles all of these secrets within the limit, and asks only what may follow all before. *)
Fixpoint settles (limit : option nat) (may : nat -> bool) (some : list nat) (t : strategy) : Prop :=
  some = [] \/
  match t with
  | Stop => aim c = Identify /\ length some = 1
  | Ask g next =>
      limit <> Some 0 /\ g < guesses G /\ may g = true /\ (only c = true -> exists s, In s some /\ is g s = true) /\
      forall r, settles (option_map pred limit) (fun later => may later && follows G g r later)
                  (filter (fun s => negb (ends g s) && same (response G g s) r) some) (next r)
  end.

(** The guesses that are asked for a secret. *)
Fixpoint asked (t : strategy) (s : nat) : nat :=
  match t with
  | Stop => 0
  | Ask g next => S (if ends g s then 0 else asked (next (response G g s)) s)
  end.

Definition holds : Prop :=
  let all := seq 0 (secrets G) in
  forall t, settles (limit c) (fun _ => true) all t -> match first c with None => True | Some g => exists next, t = Ask g next end ->
  match cost c with Some least => least <= list_sum (map (asked t) all) | None => False end.

End Claim.
