(** The checker of priced certificates as OCaml; what is trusted is that of Integers.v. *)

From Coq Require Import Extraction.
From Proof Require Import Integers PricedMain.

Extraction "priced.ml" PricedMain.check.
