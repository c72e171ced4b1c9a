(** The checker of certificates of kits as OCaml; what is trusted is that of Integers.v,
    and vectors as in Extract.v. *)

From Coq Require Import Extraction.
From Proof Require Import Integers Text Vector KitGame KitMain.
From Proof Require Game LiesGame.

Extract Constant words => "Vectors.words".
Extract Inlined Constant range => "Vectors.range".
Extract Inlined Constant make_words => "Vectors.make_words".
Extract Inlined Constant word_at => "Vectors.word_at".
Extract Inlined Constant Vector.words_of => "Vectors.words_of".
Extract Inlined Constant list_of => "Vectors.list_of".
Extract Inlined Constant inverse => "Vectors.inverse".
Extract Inlined Constant largest => "Vectors.largest".

Extraction "kit.ml" check Game.codes lines_of table_of LiesGame.word_guesses.
