(* SHA-256 of a text, as 64 hexadecimal digits (FIPS 180-4). Numbers of 32 bits in machine integers of 63. *)

let rec primes n found = (* the first 64 *)
  if List.length found = 64 then List.rev found
  else primes (n + 1) (if List.exists (fun p -> n mod p = 0) found then found else n :: found)

(* The first 32 bits of what is behind the point of a root. 2^32 times the root is found exactly, bit by bit. *)
let fraction power p =
  let rec grow low bit =
    if bit < 0 then low
    else
      let next = low lor (1 lsl bit) in
      grow (if power next p then next else low) (bit - 1)
  in
  grow 0 36 land 0xffffffff

(* Products of integers, as lists of digits to base 2^20, the lowest first. *)
let rec carry = function
  | [] -> []
  | [ d ] when d < 1 lsl 20 -> [ d ]
  | d :: rest ->
      let above = d lsr 20 in
      (d land 0xfffff) :: carry (match rest with [] -> [ above ] | e :: rest -> (e + above) :: rest)

let digits n = carry [ n ]

let rec add a b = match (a, b) with [], c | c, [] -> c | x :: a, y :: b -> (x + y) :: add a b

let rec times a b =
  match a with [] -> [] | d :: a -> carry (add (List.map (fun e -> d * e) b) (0 :: times a b))

let rec trim digits = match List.rev digits with 0 :: rest -> trim (List.rev rest) | _ -> digits

let at_most a b =
  let a = List.rev (trim a) and b = List.rev (trim b) in
  compare (List.length a, a) (List.length b, b) <= 0

let shifted p bits = times (digits p) (List.fold_left times [ 1 ] (List.init (bits / 16) (fun _ -> [ 1 lsl 16 ])))

let square_root n p = let n = digits n in at_most (times n n) (shifted p 64)
let cube_root n p = let n = digits n in at_most (times n (times n n)) (shifted p 96)
let first = Array.of_list (primes 2 [])
let start = Array.init 8 (fun i -> fraction square_root first.(i))
let round = Array.map (fraction cube_root) first

let turn x by = ((x lsr by) lor (x lsl (32 - by))) land 0xffffffff

let block text at h =
  let w = Array.make 64 0 in
  for i = 0 to 15 do
    w.(i) <- Int32.to_int (Bytes.get_int32_be text (at + (4 * i))) land 0xffffffff
  done;
  for i = 16 to 63 do
    let a = w.(i - 15) and b = w.(i - 2) in
    let low = turn a 7 lxor turn a 18 lxor (a lsr 3) and high = turn b 17 lxor turn b 19 lxor (b lsr 10) in
    w.(i) <- (w.(i - 16) + w.(i - 7) + low + high) land 0xffffffff
  done;
  let rec mixed i a b c d e f g k =
    if i = 64 then [| a; b; c; d; e; f; g; k |]
    else
      let t =
        k + round.(i) + w.(i)
        + (turn e 6 lxor turn e 11 lxor turn e 25)
        + ((e land f) lxor (lnot e land g land 0xffffffff))
      and u = (turn a 2 lxor turn a 13 lxor turn a 22) + ((a land b) lxor (a land c) lxor (b land c)) in
      mixed (i + 1) ((t + u) land 0xffffffff) a b c ((d + t) land 0xffffffff) e f g in
  let v = mixed 0 h.(0) h.(1) h.(2) h.(3) h.(4) h.(5) h.(6) h.(7) in
  Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land 0xffffffff) v

let hex text =
  let length = String.length text in
  let whole = Bytes.make ((length + 8) / 64 * 64 + 64) '\000' in
  Bytes.blit_string text 0 whole 0 length;
  Bytes.set whole length '\128';
  Bytes.set_int64_be whole (Bytes.length whole - 8) (Int64.of_int (8 * length));
  let h = Array.copy start in
  for i = 0 to (Bytes.length whole / 64) - 1 do block whole (64 * i) h done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))
