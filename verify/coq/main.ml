(* Reads the files, calls the checker that was proved, prints what it says. *)

let read name =
  let file = open_in_bin name in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  text

let letters text = List.init (String.length text) (String.get text)
let text letters = String.of_seq (List.to_seq letters)

exception Cannot_read of string

(* What is in a file beside the certificate, if its SHA-256 stands in the digest. *)
let beside certificate name digest =
  let name = text name in
  if Filename.basename name <> name then None
  else
    match read (Filename.concat (Filename.dirname certificate) name) with
    | exception Sys_error why -> raise (Cannot_read why)
    | content ->
        let hash = Sha256.hex content in
        let within = text digest in
        let rec found i = i + 64 <= String.length within && (String.sub within i 64 = hash || found (i + 1)) in
        if found 0 then Some (letters content) else None

(* The line of the word that so many words follow. *)
let line text more =
  let words = ref 0 and at = ref (String.length text) in
  let blank c = String.contains " \t\r\n" c in
  while !at > 0 && !words <= more do
    decr at;
    if not (blank text.[!at]) && (!at = 0 || blank text.[!at - 1]) then incr words
  done;
  List.length (String.split_on_char '\n' (String.sub text 0 !at))

let words text =
  List.filter (( <> ) "")
    (String.split_on_char ' ' (String.map (fun c -> if String.contains "\t\r\n" c then ' ' else c) text))

(* How many claims are inside the whole: each has a body, which is a point or begins with a parenthesis. *)
let lemmas text = List.length (List.filter (fun word -> word = "." || word = "(") (words text)) - 1

(* Why a file is refused, where it is about a game that no theorem covers. *)
let why text =
  let covered = [ "mastermind"; "blackpeg"; "bulls"; "wordle"; "table"; "lies"; "priced" ] in
  match words (String.sub text 0 (min 256 (String.length text))) with
  | "guesstree-proof/1" :: kind :: _ when not (List.mem kind covered) ->
      Printf.sprintf ": %s is none of the games of the theorems: %s" (String.escaped kind) (String.concat ", " covered)
  | _ -> ""

(* The kinds of games that have checkers of their own, by the second word; each says what is proved, or how many words
   are left where it is refused, and why. *)
let judge_by said name text =
  match said () with
  | Ok claimed -> Printf.printf "verified: %s, %d lemmas)\n" claimed (lemmas text)
  | Error (more, why) ->
      Printf.eprintf "%s:%d: refused%s\n" name (line text more) why;
      exit 1
  | exception Sys_error why ->
      prerr_endline ("guesstree-coq: " ^ why);
      exit 2
  | exception (Stack_overflow | Out_of_memory) ->
      Printf.eprintf "%s: refused: too deep or too large for this machine\n" name;
      exit 1

let of_lies name text () =
  Result.map_error (fun more -> (more, Main_lies.why (words text))) (Main_lies.said name (letters text))

let is_of kind text =
  match words (String.sub text 0 (min 256 (String.length text))) with
  | _ :: second :: _ -> second = kind
  | _ -> false

let symbol x = "0123456789abcdefghijklmnopqrstuvwxyz".[x]
let spelled sign code = String.of_seq (Seq.map sign (List.to_seq code))

(* The game, and the name of a guess. *)
let described = function
  | Checker.Codes game ->
      let rule =
        match game.Checker.rules with
        | Checker.Mastermind -> "mastermind"
        | Checker.BlackPeg -> "blackpeg"
        | Checker.Bulls -> "bulls" in
      ( Printf.sprintf "%s %d %d" rule game.Checker.pegs game.Checker.colours,
        fun g -> spelled symbol (List.nth (Checker.codes game) g) )
  | Checker.Words (answers, others) ->
      ( "wordle",
        fun g -> spelled Char.chr (List.nth (answers @ List.filter (fun w -> not (List.mem w answers)) others) g) )
  | Checker.Table _ -> ("table", fun g -> string_of_int (g + 1))

let said text (claim : Checker.claim) =
  let game, name = described claim.Checker.of0 in
  let questions = Checker.questions_of claim.Checker.of0 in
  Printf.printf "verified: %s, %d secrets: " game questions.Checker.secrets;
  let all = match claim.Checker.aim with Checker.Win -> "finds all secrets" | Checker.Identify -> "tells all secrets apart" in
  (match claim.Checker.cost with
  | Some least -> Printf.printf "every strategy that %s costs at least %d" all least
  | None -> Printf.printf "no strategy %s" all);
  (match claim.Checker.limit with Some most -> Printf.printf " within %d guesses" most | None -> ());
  (match claim.Checker.first with Some g -> Printf.printf ", first guess %s" (name g) | None -> ());
  if claim.Checker.only then print_string ", asking what may be the secret alone";
  Printf.printf " (%d guesses, %d lemmas)\n" questions.Checker.guesses (lemmas text)

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 19; space_overhead = 120 };
  match Sys.argv with
  | [| _; name |] -> (
      match read name with
      | exception Sys_error why ->
          prerr_endline ("guesstree-coq: " ^ why);
          exit 2
      | text when is_of "lies" text -> judge_by (of_lies name text) name text
      | text when is_of "priced" text -> judge_by (Main_priced.said name text) name text
      | text -> (
          match Checker.check (beside name) (letters text) with
          | Checker.Inl claim -> said text claim
          | Checker.Inr more ->
              Printf.eprintf "%s:%d: refused%s\n" name (line text more) (why text);
              exit 1
          | exception Cannot_read why ->
              prerr_endline ("guesstree-coq: " ^ why);
              exit 2
          | exception (Stack_overflow | Out_of_memory | Invalid_argument _) ->
              Printf.eprintf "%s: refused: too deep or too large for this machine\n" name;
              exit 1))
  | _ ->
      prerr_endline "usage: guesstree-coq FILE.proof";
      exit 2
