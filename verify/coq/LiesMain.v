(** The checker of whole files about games with lies, and the theorem: what it accepts is true of the game. *)

From Coq Require Import List Arith Bool Ascii String.
From Proof Require Import Game Text LiesGame LiesNumbers LiesCodes.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

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
