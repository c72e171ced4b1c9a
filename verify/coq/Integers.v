(** Natural numbers as machine integers of OCaml, letters as characters; for all that is extracted. This has to be
    trusted: no number may reach 2^62. [Nat] is what [Arith] gives that name, which has all of [Init.Nat] once more. *)

From Coq Require Import Arith Ascii List Extraction.
From Coq Require Export ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlChar.

Extract Inlined Constant Init.Nat.add => "(+)".
Extract Inlined Constant Init.Nat.mul => "( * )".
Extract Inlined Constant Init.Nat.sub => "Vectors.less".
Extract Inlined Constant Init.Nat.pred => "Vectors.before".
Extract Inlined Constant Init.Nat.max => "Vectors.max".
Extract Inlined Constant Init.Nat.min => "Vectors.min".
Extract Inlined Constant Nat.add => "(+)".
Extract Inlined Constant Nat.mul => "( * )".
Extract Inlined Constant Nat.sub => "Vectors.less".
Extract Inlined Constant Nat.pred => "Vectors.before".
Extract Inlined Constant Nat.max => "Vectors.max".
Extract Inlined Constant Nat.min => "Vectors.min".
Extract Inlined Constant Nat.leb => "((<=) : int -> int -> bool)".
Extract Inlined Constant Nat.ltb => "((<) : int -> int -> bool)".
Extract Inlined Constant Nat.eqb => "((=) : int -> int -> bool)".
Extract Inlined Constant Nat.eq_dec => "((=) : int -> int -> bool)".
Extract Constant Nat.odd => "fun n -> n land 1 = 1".
Extract Constant Nat.div2 => "fun n -> n lsr 1".
Extract Inlined Constant Nat.lor => "(lor)".
Extract Inlined Constant Nat.land => "(land)".
Extract Inlined Constant Nat.lxor => "(lxor)".
Extract Inlined Constant Nat.shiftl => "(lsl)".
Extract Inlined Constant Nat.shiftr => "(lsr)".
Extract Constant Nat.ones => "fun n -> (1 lsl n) - 1".
Extract Constant Nat.div => "fun n m -> if m = 0 then 0 else n / m".
Extract Constant Nat.modulo => "fun n m -> if m = 0 then n else n mod m".
Extract Constant Nat.pow => "fun n m -> let rec power v m = if m = 0 then v else power (v * n) (m - 1) in power 1 m".

(** With a stack of any size. *)
Extract Inlined Constant List.length => "Stdlib.List.length".

Extract Constant nat_of_ascii => "Char.code".
Extract Inlined Constant Ascii.eqb => "((=) : char -> char -> bool)".
