(** The checker of certificates of tests that may get several answers as OCaml; what is trusted is that of
    Integers.v. *)

From Coq Require Import Extraction.
From Proof Require Import Integers NoisyMain.

Extraction "noisy.ml" NoisyMain.check.
