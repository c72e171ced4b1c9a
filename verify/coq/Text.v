(** Plain reading of text: words, lines, cells of tables, numbers. What README.md in the folder above says that the
    checkers accept. *)

From Coq Require Import List Arith Bool Ascii String.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

Definition text := list ascii.

Fixpoint same_text (a b : text) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => Ascii.eqb x y && same_text a b
  | _, _ => false
  end.

Lemma same_text_eq a b : same_text a b = true <-> a = b.
Proof.
  split; [|intros <-; induction a as [|x a IH]; [reflexivity|]; cbn; rewrite Ascii.eqb_refl; exact IH].
  revert b; induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  intros H. apply andb_prop in H as [H1 H2]. apply Ascii.eqb_eq in H1. f_equal; auto.
Qed.

Definition spells (s : string) (w : text) : bool := same_text (list_ascii_of_string s) w.

(** ** Words with blanks between *)

Definition blank (c : ascii) : bool := existsb (Ascii.eqb c) [" "; "009"; "010"; "013"]%char.

Fixpoint split_at (between : ascii -> bool) (text now : text) (done : list (list ascii)) : list (list ascii) :=
  match text with
  | [] => rev' (rev' now :: done)
  | c :: text => if between c then split_at between text [] (rev' now :: done) else split_at between text (c :: now) done
  end.

Definition empty {A} (l : list A) : bool := match l with [] => true | _ => false end.

(** Folded from the left, for a stack of any size: a certificate has a million words. *)
Definition words_of (t : text) : list text :=
  rev' (fold_left (fun done w => if empty w then done else w :: done) (split_at blank t [] []) []).

(** ** Numbers *)

(** The place of a letter among the symbols of codes. *)
Definition symbols : text := list_ascii_of_string "0123456789abcdefghijklmnopqrstuvwxyz".

Fixpoint index_from (i : nat) (c : ascii) (l : text) : option nat :=
  match l with [] => None | x :: l => if Ascii.eqb x c then Some i else index_from (S i) c l end.

Definition digit (c : ascii) : option nat := index_from 0 c symbols.

Fixpoint digits (w : text) : option (list nat) :=
  match w with
  | [] => Some []
  | c :: w => match digit c, digits w with Some x, Some l => Some (x :: l) | _, _ => None end
  end.

(** A number of at most so many digits, with no zeros before it. *)
Definition number_of_digits (most : nat) (w : text) : option nat :=
  match digits w with
  | Some (x :: l) =>
      if (List.length l <? most) && forallb (fun x => x <? 10) (x :: l) && ((0 <? x) || empty l)
      then Some (fold_left (fun v x => 10 * v + x) (x :: l) 0) else None
  | _ => None
  end.

(** ** Files beside a certificate *)

(** No byte order mark, no control characters but line ends. *)
Definition plain_text (t : text) : bool :=
  match t with "239" :: "187" :: "191" :: _ => false | _ => true end%char &&
  forallb (fun c => Ascii.eqb c "010" || (32 <=? nat_of_ascii c) && negb (nat_of_ascii c =? 127)) t.

(** The lines of a file, each of which ends with a line end; the last may lack it. *)
Definition lines_of (t : text) : option (list text) :=
  if plain_text t then
    let lines := split_at (Ascii.eqb "010") t [] [] in
    Some (match rev' lines with [] :: ((_ :: _) as before) => rev' before | _ => lines end)
  else None.

(** No blank at either end. *)
Definition trimmed (cell : text) : bool :=
  negb (Ascii.eqb (hd "-"%char cell) " ") && negb (Ascii.eqb (last cell "-"%char) " ").

(** Where in a cell: before it, in one without quotation marks, inside them, behind one that ends the cell or is half
    of two. *)
Inductive place_in_cell := Before | Plain | Inside | Behind.

(** The cells of a row, without their quotation marks; [now], [done]: backwards. *)
Fixpoint cells (at_ : place_in_cell) (row now : text) (done : list text) : option (list text) :=
  let ended := let cell := rev' now in if trimmed cell then Some (cell :: done) else None in
  match row with
  | [] => match at_ with Inside => None | _ => option_map (@rev' text) ended end
  | c :: row =>
      let comma := Ascii.eqb c "," in
      let mark := Ascii.eqb c """" in
      match at_ with
      | Before | Plain =>
          if comma then match ended with Some done => cells Before row [] done | None => None end
          else if mark then match at_ with Before => cells Inside row [] done | _ => None end
          else cells Plain row (c :: now) done
      | Inside => if mark then cells Behind row now done else cells Inside row (c :: now) done
      | Behind =>
          if comma then match ended with Some done => cells Before row [] done | None => None end
          else if mark then cells Inside row (c :: now) done
          else None
      end
  end.

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => option_map (cons a) (all_some l)
  | None :: _ => None
  end.

(** The rows of a table, all of one length. *)
Definition rows_of (t : text) : option (list (list text)) :=
  match lines_of t with
  | Some lines =>
      match all_some (map (fun line => cells Before line [] []) lines) with
      | Some (header :: rows) =>
          if forallb (fun row => List.length row =? List.length header) rows then Some (header :: rows) else None
      | _ => None
      end
  | None => None
  end.

(** What follows are examples, which Coq computes. *)
Local Definition of_string := list_ascii_of_string.

Local Definition texts (l : list string) : list text := map of_string l.

Goal words_of (of_string " ab c
  d ") = texts ["ab"; "c"; "d"]%string. reflexivity. Qed.
Goal number_of_digits 12 (of_string "120") = Some 120. reflexivity. Qed.
Goal number_of_digits 12 (of_string "012") = None. reflexivity. Qed.
Goal number_of_digits 2 (of_string "120") = None. reflexivity. Qed.
Goal lines_of (of_string "ab
c
") = Some (texts ["ab"; "c"]%string). reflexivity. Qed.
Goal lines_of (of_string "ab

") = Some (texts ["ab"; ""]%string). reflexivity. Qed.
Goal rows_of (of_string ",s,""a """"b""""""
g,1,""x,y""
") = Some [texts [""; "s"; "a ""b"""]; texts ["g"; "1"; "x,y"]]%string. reflexivity. Qed.
Goal rows_of (of_string "g, a") = None. reflexivity. Qed.
Goal rows_of (of_string "g,""a ""
") = None. reflexivity. Qed.
Goal rows_of (of_string "g,a""") = None. reflexivity. Qed.
Goal rows_of (of_string "g,""a""b") = None. reflexivity. Qed.
Goal rows_of (of_string "g,""") = None. reflexivity. Qed.
Goal rows_of (of_string "a,b
c
") = None. reflexivity. Qed.
