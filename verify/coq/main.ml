(* Reads the file, calls the checker that was proved, prints what it says. *)

let read name =
  let file = open_in_bin name in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  text

let letters text = List.init (String.length text) (String.get text)

(* The line of the word that so many words follow. *)
let line text more =
  let words = ref 0 and at = ref (String.length text) in
  let blank c = String.contains " \t\r\n" c in
  while !at > 0 && !words <= more do
    decr at;
    if not (blank text.[!at]) && (!at = 0 || blank text.[!at - 1]) then incr words
  done;
  List.length (String.split_on_char '\n' (String.sub text 0 !at))

let words text = String.split_on_char ' ' (String.map (fun c -> if String.contains "\t\r\n" c then ' ' else c) text)

(* How many claims are inside the whole: each has a body, which is a point or begins with a parenthesis. *)
let lemmas text = List.length (List.filter (fun word -> word = "." || word = "(") (words text)) - 1

(* Why a file is refused, where it is about a game that the theorem does not cover. *)
let why text =
  let covered = [ "mastermind"; "blackpeg"; "bulls" ] in
  match List.filter (( <> ) "") (words (String.sub text 0 (min 256 (String.length text)))) with
  | "guesstree-proof/1" :: kind :: _ when not (List.mem kind covered) ->
      Printf.sprintf ": %s is none of the games of the theorem: %s" (String.escaped kind) (String.concat ", " covered)
  | _ -> ""

let () =
  match Sys.argv with
  | [| _; name |] -> (
      match read name with
      | exception Sys_error why ->
          prerr_endline ("guesstree-coq: " ^ why);
          exit 2
      | text -> (
          match Checker.check (letters text) with
          | Checker.Inl claim ->
              let game = claim.Checker.of0 in
              let codes = List.length (Checker.codes game) in
              let rule =
                match game.Checker.rules with
                | Checker.Mastermind -> "mastermind"
                | Checker.BlackPeg -> "blackpeg"
                | Checker.Bulls -> "bulls" in
              Printf.printf "verified: %s %d %d, %d secrets: " rule game.Checker.pegs game.Checker.colours codes;
              (match claim.Checker.cost with
              | Some least -> Printf.printf "every strategy costs at least %d" least
              | None -> print_string "no strategy finds all secrets");
              (match claim.Checker.limit with
              | Some most -> Printf.printf " within %d guesses" most
              | None -> ());
              Printf.printf " (%d guesses, %d lemmas)\n" codes (lemmas text)
          | Checker.Inr more ->
              Printf.eprintf "%s:%d: refused%s\n" name (line text more) (why text);
              exit 1
          | exception (Stack_overflow | Out_of_memory) ->
              Printf.eprintf "%s: refused: too deep or too large for this machine\n" name;
              exit 1))
  | _ ->
      prerr_endline "usage: guesstree-coq FILE.proof";
      exit 2
