(** The checker of priced certificates as OCaml, as in Extract.v. *)

From Coq Require Import List Arith Ascii String Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlChar.
From Proof Require Import Text Store PricedGame PricedTheory PricedChain PricedHuffman PricedChecker PricedMain.

Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Inlined Constant Nat.eq_dec => "(=)".
Extract Constant Nat.odd => "fun n -> n land 1 = 1".
Extract Constant Nat.div2 => "fun n -> n lsr 1".
Extract Constant Nat.div => "fun n m -> if m = 0 then 0 else n / m".
Extract Constant Nat.modulo => "fun n m -> if m = 0 then n else n mod m".
Extract Constant Nat.pow => "fun n m -> let rec power v m = if m = 0 then v else power (v * n) (m - 1) in power 1 m".

Extraction "priced.ml" PricedMain.check.
