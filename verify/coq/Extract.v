(** The checker as OCaml. Numbers become machine integers and letters become characters: this has to be trusted. *)

From Coq Require Import List Arith Ascii String Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlChar.
From Proof Require Import Game Store Checker Main.

Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Inlined Constant Nat.eq_dec => "(=)".
Extract Constant Nat.odd => "fun n -> n land 1 = 1".
Extract Inlined Constant Nat.lor => "(lor)".
Extract Inlined Constant Nat.shiftl => "(lsl)".
Extract Constant Nat.modulo => "fun n m -> if m = 0 then n else n mod m".
Extract Constant Nat.pow => "fun n m -> let rec power v m = if m = 0 then v else power (v * n) (m - 1) in power 1 m".

Extraction "checker.ml" check.
