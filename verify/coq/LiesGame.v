(** What the theorem about lies says: games in which some responses may be false, strategies, and when one settles all
    secrets. Nothing else has to be believed to understand it, but the rules of codes in Game.v. *)

From Coq Require Import List Arith Bool.
From Proof Require Import Game.
Import ListNotations.

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

Inductive subject := Codes (G : game) (first : option code).

Record claim := { of : subject; aim : goal; within : nat; lies : nat }.

(** To win, the guess that is the secret ends the game; to identify, nothing does before a name. *)
Definition holds (c : claim) : Prop :=
  match of c with
  | Codes G first =>
      unsettled (codes G) (codes G) (answer G)
        (fun guess secret => match aim c with Win => same guess secret | Identify => false end)
        (aim c) first (within c) (lies c)
  end.
