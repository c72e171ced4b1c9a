(** The checker of games with lies as OCaml; what is trusted is that of Integers.v. *)

From Coq Require Import Extraction.
From Proof Require Import Integers Game Text LiesGame LiesMain.

Extraction "lies.ml" check codes lines_of rows_of word_guesses.
