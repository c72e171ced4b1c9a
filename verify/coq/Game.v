(** What the theorem is about: games with a secret code, strategies, and what a strategy costs.
    Nothing else has to be believed to understand it, and no part of the checker is in this file. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

(** ** The games *)

(** A code is a list of colours; a colour is a number from 0. *)
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

(** The secrets of a game, which are also its guesses. In Bulls and Cows no colour is repeated. *)
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

(** ** Strategies *)

(** A strategy gives up, or asks a guess and goes on by the answer. *)
Inductive strategy := Stop | Ask (guess : code) (next : nat * nat -> strategy).

(** How many guesses are asked until the guess is the secret; none if that never happens. A guess that is no code of
    the game never finds anything. *)
Fixpoint asked (G : game) (t : strategy) (secret : code) : option nat :=
  match t with
  | Stop => None
  | Ask guess next =>
      if negb (existsb (same guess) (codes G)) then None
      else if same guess secret then Some 1
      else option_map S (asked G (next (answer G guess secret)) secret)
  end.

(** Within a limit of guesses, if there is one. *)
Definition within (limit : option nat) (k : nat) : Prop :=
  match limit with None => True | Some most => k <= most end.

(** The strategy finds every secret, within the limit. *)
Definition settles (G : game) (limit : option nat) (t : strategy) : Prop :=
  forall secret, In secret (codes G) -> exists k, asked G t secret = Some k /\ within limit k.

(** Its cost: the guesses asked, added up over all secrets. *)
Definition total (G : game) (t : strategy) : nat :=
  list_sum (map (fun secret => match asked G t secret with Some k => k | None => 0 end) (codes G)).

(** ** What a certificate claims *)

(** Every strategy that finds every secret within the limit costs at least so much;
  [None]: there is no such strategy. *)
Record claim := { of : game; limit : option nat; cost : option nat }.

Definition holds (c : claim) : Prop :=
  forall t, settles (of c) (limit c) t ->
  match cost c with Some least => least <= total (of c) t | None => False end.
