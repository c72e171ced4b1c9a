(** The checker as OCaml. Vectors become arrays, and numbers become integers as in Integers.v: this has to be trusted. *)

From Coq Require Import Extraction.
From Proof Require Import Integers Text Store Vector Board Checker Main Plain HardChecker Game Kinds Whole Files.

Extract Constant words => "Vectors.words".
Extract Constant bytes => "Vectors.bytes".
Extract Inlined Constant range => "Vectors.range".
Extract Inlined Constant make_words => "Vectors.make_words".
Extract Inlined Constant word_at => "Vectors.word_at".
Extract Inlined Constant make_bytes => "Vectors.make_bytes".
Extract Inlined Constant byte_at => "Vectors.byte_at".
Extract Inlined Constant make_grid => "Vectors.make_grid".
Extract Inlined Constant words_of => "Vectors.words_of".
Extract Inlined Constant list_of => "Vectors.list_of".
Extract Inlined Constant inverse => "Vectors.inverse".
Extract Inlined Constant tally => "Vectors.tally".
Extract Inlined Constant sum_row => "Vectors.sum_row".
Extract Inlined Constant variety => "Vectors.variety".
Extract Inlined Constant varieties => "Vectors.varieties".
Extract Inlined Constant fields => "Vectors.fields".
Extract Inlined Constant buckets => "Vectors.buckets".
Extract Inlined Constant largest => "Vectors.largest".
Extract Inlined Constant largest_byte => "Vectors.largest_byte".
Extract Inlined Constant places => "Vectors.places".
Extract Inlined Constant permuted => "Vectors.permuted".
Extract Inlined Constant labels => "Vectors.labels".
Extract Inlined Constant grid => "Vectors.grid".

Extraction "checker.ml" check.
