(** The checker of whole files about games with lies, and the theorem: what it accepts is true of the game. *)

From Coq Require Import Ascii String List Arith Bool.
From Proof Require Import Game Text LiesGame LiesNumbers LiesCodes LiesTables.
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

(** The first guess, if one is prescribed. *)
Definition first_in {A} (read : text -> option A) (w : text) : option (option A) :=
  if spells "-" w then Some None else option_map Some (read w).

(** What is proved of a game of codes, of words, of a table; or how many words are left where it is refused. *)
Section Subjects.

Variable beside : text -> text -> option text.  (* the text of the file with this SHA-256 and name *)
Variable to : goal.
Variables d l : nat.
Variable proof : list text.

Definition judged (s : subject) (refused : option nat) : claim + nat :=
  match refused with None => inl {| of := s; aim := to; within := d; lies := l |} | Some more => inr more end.

Definition about_codes (r : rule) (a b first : text) : claim + nat :=
  match number_of_digits 3 a, number_of_digits 3 b, first_in digits first with
  | Some p, Some c, Some first =>
      let G := {| rules := r; pegs := p; colours := c |} in
      if small_enough G then judged (Codes G first) (refused_codes G to first d l proof) else inr (List.length proof)
  | _, _, _ => inr (List.length proof)
  end.

Definition about_words (a b first : text) : claim + nat :=
  match beside a a, beside b b, first_in Some first with
  | Some hidden, Some allowed, Some first =>
      judged (Words hidden allowed first) (refused_words hidden allowed to first d l proof)
  | _, _, _ => inr (List.length proof)
  end.

Definition about_table (a b first : text) : claim + nat :=
  match (if List.length a =? 64 then beside a b else None), first_in (counted_in (Nat.pow 10 6)) first with
  | Some csv, Some first => judged (Table csv first) (refused_table csv to first d l proof)
  | _, _ => inr (List.length proof)
  end.

End Subjects.

(** Letters, blanks and ends of lines. *)
Definition printable (c : ascii) : bool :=
  blank c || (let n := nat_of_ascii c in (32 <=? n) && (n <=? 126)).

(** The claim that a file proves, or how many words are left where it is refused. *)
Definition check (beside : text -> text -> option text) (file : text) : claim + nat :=
  match words_of file with
  | format :: second :: told :: kind :: a :: b :: goal :: first :: within :: bound :: proof =>
      match spells "guesstree-proof/1" format && spells "lies" second && spells "inf" bound && forallb printable file,
            lies_in told, goal_in goal, number_of_digits 3 within with
      | true, Some l, Some to, Some d =>
          match rule_in kind with
          | Some r => about_codes to d l proof r a b first
          | None =>
              if spells "wordle" kind then about_words beside to d l proof a b first
              else if spells "table" kind then about_table beside to d l proof a b first
              else inr (List.length proof)
          end
      | _, _, _, _ => inr (List.length proof)
      end
  | _ => inr 0
  end.

(** What the checker accepts is true: no strategy settles the game within so many guesses. *)
Theorem lies_sound beside file c : check beside file = inl c -> holds c.
Proof.
  assert (J : forall to d l s refused, judged to d l s refused = inl c -> refused = None /\
    c = {| of := s; aim := to; within := d; lies := l |}).
  { intros to d l s [more|] H; [discriminate|]. injection H as <-. auto. }
  unfold check. destruct (words_of file) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 [|w9 [|w10 proof]]]]]]]]]];
    try discriminate.
  destruct (_ && _); [|discriminate]. destruct (lies_in w3) as [l|]; [|discriminate].
  destruct (goal_in w7) as [to|]; [|discriminate]. destruct (number_of_digits 3 w9) as [d|]; [|discriminate].
  destruct (rule_in w4) as [r|]; [|destruct (spells "wordle" w4); [|destruct (spells "table" w4); [|discriminate]]].
  - unfold about_codes. destruct (number_of_digits 3 w5) as [p|]; [|discriminate].
    destruct (number_of_digits 3 w6) as [k|]; [|discriminate]. destruct (first_in digits w8) as [first|]; [|discriminate].
    cbv zeta. destruct (small_enough _); [|discriminate]. intros H. apply J in H as [H ->]. exact (codes_sound _ _ _ _ _ _ H).
  - unfold about_words. destruct (beside w5 w5) as [hidden|]; [|discriminate].
    destruct (beside w6 w6) as [allowed|]; [|discriminate]. destruct (first_in Some w8) as [first|]; [|discriminate].
    intros H. apply J in H as [H ->]. exact (words_sound _ _ _ _ _ _ _ H).
  - unfold about_table. destruct (if List.length w5 =? 64 then beside w5 w6 else None) as [csv|]; [|discriminate].
    destruct (first_in _ w8) as [first|]; [|discriminate].
    intros H. apply J in H as [H ->]. exact (table_sound _ _ _ _ _ _ H).
Qed.

Print Assumptions lies_sound.
