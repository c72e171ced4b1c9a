(* The definitions of Vector.v, with arrays for lists. Each does what the definition of its name there does; where a place
   is outside of an array, which gives 0 there, the program ends. *)

type words = Bytes.t (* 8 bytes each; so the collector of garbage does not look into them *)
type bytes = Bytes.t

let less (n : int) m = if n < m then 0 else n - m
let before n = less n 1
let max (n : int) m = if n < m then m else n
let min (n : int) m = if n < m then n else m

let range n =
  let rec from i l = if i < 0 then l else from (i - 1) (i :: l) in
  from (n - 1) []

let word_at v i = Int64.to_int (Bytes.get_int64_ne v (8 * i))
let put v i x = Bytes.set_int64_ne v (8 * i) (Int64.of_int x)
let size v = Bytes.length v / 8

let make_words n f =
  let v = Bytes.create (8 * n) in
  for i = 0 to n - 1 do
    put v i (f i)
  done;
  v

let byte_at v i = Char.code (Bytes.get v i)

let make_bytes n f =
  let v = Bytes.create n in
  for i = 0 to n - 1 do
    Bytes.set v i (Char.unsafe_chr (min (f i) 255))
  done;
  v

let make_grid rows columns f =
  let v = Bytes.create (rows * columns) in
  for i = 0 to rows - 1 do
    for j = 0 to columns - 1 do
      Bytes.set v ((i * columns) + j) (Char.unsafe_chr (min (f i j) 255))
    done
  done;
  v

let words_of l =
  let v = Bytes.create (8 * List.length l) in
  List.iteri (put v) l;
  v

let list_of v = List.init (size v) (word_at v)

let inverse n v =
  let first = make_words n (fun _ -> size v) in
  for i = size v - 1 downto 0 do
    if word_at v i < n then put first (word_at v i) i
  done;
  first

let tally n f s =
  let h = Bytes.make (8 * n) '\000' in
  let rec count = function
    | [] -> h
    | x :: s ->
        let r = f x in
        if r < n then put h r (word_at h r + 1);
        count s in
  count s

(* Without a look at bounds: places are below those that were looked at, or bytes. *)
external get : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external set : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"

(* The list at hand as an array, and the largest number in it: one list is looked at by many rows. *)
let held = ref []
let inside = ref [||]
let many = ref 0
let most = ref 0

let hold s =
  if s != !held then begin
    held := s;
    inside := Array.of_list s;
    many := Array.length !inside;
    most := Array.fold_left max 0 !inside;
    if !many >= 1 lsl 20 then invalid_arg "hold"
  end

let check v step from =
  if !many > 0 && (step < 0 || from < 0 || from + (step * !most) >= Bytes.length v) then invalid_arg "check"

let byte v i = Char.code (Bytes.unsafe_get v i)

(* Of each byte the call that met it last, and how often it did: less than 2^20 times. *)
let met = Array.make 256 0
let calls = ref 0

let next_call () =
  incr calls;
  !calls lsl 20

let sum_row n first room costs v step from s sum =
  hold s;
  check v step from;
  let now = next_call () and inside = !inside and many = !many in
  let rec count i sum =
    if i = many then Some sum
    else
      let r = byte v (from + (step * Array.unsafe_get inside i)) in
      if r < first || r >= n then count (i + 1) sum
      else
        let k = max (Array.unsafe_get met r - now) 0 + 1 in
        if k > room then None
        else begin
          Array.unsafe_set met r (now + k);
          count (i + 1) (sum + word_at costs k - word_at costs (k - 1))
        end in
  count 0 (sum + (less n first * word_at costs 0))

let variety n v step from s =
  hold s;
  check v step from;
  let now = next_call () and inside = !inside in
  let count = ref 0 in
  for i = 0 to !many - 1 do
    let r = byte v (from + (step * Array.unsafe_get inside i)) in
    count := !count + (((Array.unsafe_get met r - now) lsr 62) land ((r - n) lsr 62)); (* 1 if both are negative *)
    Array.unsafe_set met r now
  done;
  !count

let block = 64
let seen = Bytes.create (256 * block) (* by row and byte; 64 rows at a time stay near the processor *)

let varieties n rows v s =
  hold s;
  if n > 255 then invalid_arg "varieties";
  let inside = !inside and counts = Bytes.make rows '\000' in
  let rec from first =
    if first < rows then begin
      let last = min (rows - first) block - 1 in
      Bytes.fill seen 0 (256 * block) '\000';
      for i = 0 to !many - 1 do
        let column = (Array.unsafe_get inside i * rows) + first in
        if column < 0 || column + last >= Bytes.length v then invalid_arg "varieties";
        for g = 0 to last do
          let r = byte v (column + g) in
          let at = (g lsl 8) + r in
          let once = (1 - byte seen at) land ((r - n) lsr 62) in (* 1 if r is below n, and new *)
          Bytes.unsafe_set counts (first + g) (Char.unsafe_chr (byte counts (first + g) + once));
          Bytes.unsafe_set seen at '\001'
        done
      done;
      from (first + block)
    end in
  from 0;
  counts

(* How many digits of a number below 2^14 are 1. *)
let ones_14 =
  let table = Bytes.make (1 lsl 14) '\000' in
  for m = 1 to (1 lsl 14) - 1 do
    Bytes.set table m (Char.chr (Char.code (Bytes.get table (m lsr 1)) + (m land 1)))
  done;
  table

let[@inline] low m k = Char.code (Bytes.unsafe_get ones_14 ((m lsr k) land 0x3fff))
let ones m = low m 0 + low m 14 + low m 28 + low m 42 + low m 56

let united = ref (Bytes.create 0)

let fields rows width slots bits s =
  if Bytes.length !united < 8 * width then united := Bytes.create (8 * width);
  let united = !united in
  Bytes.fill united 0 (8 * width) '\000';
  let row x =
    let from = 8 * x * width in
    if from < 0 || from + (8 * width) > Bytes.length rows then invalid_arg "fields";
    from in
  let rec unite = function (* four rows at a time *)
    | x :: y :: z :: t :: s ->
        let x = row x and y = row y and z = row z and t = row t in
        for w = 0 to width - 1 do
          let at = 8 * w in
          set united at
            (Int64.logor (get united at)
               (Int64.logor
                  (Int64.logor (get rows (x + at)) (get rows (y + at)))
                  (Int64.logor (get rows (z + at)) (get rows (t + at)))))
        done;
        unite s
    | x :: s ->
        let x = row x in
        for w = 0 to width - 1 do
          let at = 8 * w in
          set united at (Int64.logor (get united at) (get rows (x + at)))
        done;
        unite s
    | [] -> () in
  unite s;
  let keys = Bytes.create (slots * width) in
  let mask = (1 lsl bits) - 1 in
  for i = 0 to slots - 1 do
    let shift = bits * i in
    for w = 0 to width - 1 do
      let m = (Int64.to_int (get united (8 * w)) lsr shift) land mask in
      let ones = if bits <= 14 then low m 0 else if bits <= 28 then low m 0 + low m 14 else ones m in
      Bytes.unsafe_set keys ((i * width) + w) (Char.unsafe_chr ((2 * ones) + (m land 1)))
    done
  done;
  keys

let buckets n f s =
  let lists = Array.make n [] in
  List.iter (fun x -> let r = f x in if r < n then lists.(r) <- x :: lists.(r)) (List.rev s);
  Array.to_list lists

let largest v =
  let most = ref 0 in
  for i = 0 to size v - 1 do
    if word_at v i > !most then most := word_at v i
  done;
  !most

let largest_byte v =
  let most = ref 0 in
  for i = 0 to Bytes.length v - 1 do
    let x = Char.code (Bytes.unsafe_get v i) in
    if x > !most then most := x
  done;
  !most

(* Eight bytes at a time: one of them is [k] if one of their differences from it is 0. *)
let places v n k =
  if n > Bytes.length v then invalid_arg "places";
  let l = ref [] in
  let look first last =
    for i = last downto first do
      if byte_at v i = k then l := i :: !l
    done in
  let eighths = n / 8 in
  look (8 * eighths) (n - 1);
  let each = Int64.mul 0x0101010101010101L (Int64.of_int k) in
  for i = eighths - 1 downto 0 do
    let x = Int64.logxor (get v (8 * i)) each in
    let zero = Int64.logand (Int64.logand (Int64.sub x 0x0101010101010101L) (Int64.lognot x)) 0x8080808080808080L in
    if zero <> 0L then look (8 * i) ((8 * i) + 7)
  done;
  !l

let counts = ref [||] (* 0 between calls *)

let permuted n f s =
  if Array.length !counts < n then counts := Array.make n 0;
  let counts = !counts in
  let add x k = if x < n then counts.(x) <- counts.(x) + k in
  let none x = x >= n || counts.(x) = 0 in
  List.iter (fun x -> add (f x) 1; add x (-1)) s;
  let same = List.for_all (fun x -> none (f x) && none x) s in
  let clear x = if x < n then counts.(x) <- 0 in
  List.iter (fun x -> clear (f x); clear x) s;
  same

let label = ref (Bytes.create 0)
let nearest = ref (Bytes.create 0)

let labels fuel n images now =
  if size now <> n then invalid_arg "labels";
  if size !label <> n then begin
    label := Bytes.create (8 * n);
    nearest := Bytes.create (8 * n)
  end;
  Bytes.blit now 0 !label 0 (8 * n);
  let now = !label and near = !nearest in
  let follow image =
    for i = 0 to n - 1 do
      let l = word_at now (word_at image i) in
      if l < word_at near i then put near i l
    done in
  let rec go fuel =
    if fuel > 0 then begin
      Bytes.blit now 0 near 0 (8 * n);
      List.iter follow images;
      let changed = ref false in
      for i = 0 to n - 1 do
        let l = word_at near (word_at near i) in
        if l <> word_at now i then begin
          changed := true;
          put now i l
        end
      done;
      if !changed then go (fuel - 1)
    end in
  go fuel;
  Bytes.copy now

(* Of Kinds.v. *)
let grid f rows =
  let all = Buffer.create 65536 in
  List.iter (fun a -> List.iter (fun v -> Buffer.add_char all (Char.unsafe_chr (min v 255))) (f a)) rows;
  Buffer.to_bytes all
