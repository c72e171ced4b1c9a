(** The checker as OCaml. Numbers become machine integers, letters become characters, and vectors become arrays: this
    has to be trusted. *)

From Coq Require Import List Arith Ascii String Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlChar.
From Proof Require Import Text Store Vector Board Checker Main Plain Game Kinds Whole Files.

Extract Inlined Constant Init.Nat.add => "(+)".
Extract Inlined Constant Init.Nat.mul => "( * )".
Extract Inlined Constant Init.Nat.sub => "Vectors.less".
Extract Inlined Constant Init.Nat.pred => "Vectors.before".
Extract Inlined Constant Init.Nat.max => "Vectors.max".
Extract Inlined Constant Init.Nat.min => "Vectors.min".
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
Extract Inlined Constant tally_row => "Vectors.tally_row".
Extract Inlined Constant fields => "Vectors.fields".
Extract Inlined Constant buckets => "Vectors.buckets".
Extract Inlined Constant largest => "Vectors.largest".
Extract Inlined Constant largest_byte => "Vectors.largest_byte".
Extract Inlined Constant places => "Vectors.places".
Extract Inlined Constant same_words => "Vectors.same_words".

Extract Constant nat_of_ascii => "Char.code".
Extract Inlined Constant grid => "Vectors.grid".

Extraction "checker.ml" check.
