(** Games of codes to win, any guess first: as [Codes.v] and the quick checker take them. [Main.v] shows that this says
    what [Game.v] says. *)

From Coq Require Import List Arith Bool.
From Proof Require Export Game.
Import ListNotations.

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

(** ** What a quick certificate claims *)

(** Every strategy that finds every secret within the limit costs at least so much;
  [None]: there is no such strategy. *)
Record claim := { of : game; limit : option nat; cost : option nat }.

Definition holds (c : claim) : Prop :=
  forall t, settles (of c) (limit c) t ->
  match cost c with Some least => least <= total (of c) t | None => False end.
