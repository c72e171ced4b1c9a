(* Certificates of games with lies: reads the files that they name, calls the checker that was proved, says what it
   proves. *)

let letters text = List.init (String.length text) (String.get text)
let text letters = String.of_seq (List.to_seq letters)

let read name =
  let file = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let contains part whole =
  let rec from i = i + String.length part <= String.length whole && (String.sub whole i (String.length part) = part || from (i + 1)) in
  from 0

(* The text of a file beside the certificate, if its SHA-256 is in the digest: for a list of words this is its name. *)
let beside certificate digest name =
  let digest = text digest and name = text name in
  if String.contains name '/' || (digest <> name && String.length digest <> 64) then None
  else
    let content = read (Filename.concat (Filename.dirname certificate) name) in
    if contains (Sha256.hex content) digest then Some (letters content) else None

let digits code = String.concat "" (List.map (fun d -> String.make 1 "0123456789abcdefghijklmnopqrstuvwxyz".[d]) code)
let size = function Some list -> List.length list | None -> 0

(* How many secrets and guesses there are, and which guess is the first. *)
let numbers = function
  | Lies.Codes (game, first) ->
      let codes = List.length (Lies.codes game) in
      (codes, codes, Option.map digits first)
  | Lies.Words (hidden, allowed, first) ->
      let secrets = Lies.lines_of hidden in
      let guesses =
        match (secrets, Lies.lines_of allowed) with
        | Some secrets, Some others -> List.length (Lies.word_guesses secrets others)
        | _ -> 0 in
      (size secrets, guesses, Option.map text first)
  | Lies.Table (csv, first) ->
      let rows = Lies.rows_of csv in
      let header = Option.map List.hd rows in
      (size header - 1, size rows - 1, Option.map (fun g -> string_of_int (g + 1)) first)

(* What the file proves, as far as the number of guesses; or how many words are left where it is refused. *)
let said certificate file =
  match Lies.check (beside certificate) file with
  | Lies.Inr more -> Error more
  | Lies.Inl claim ->
      let secrets, guesses, first = numbers claim.Lies.of0 in
      Ok
        (Printf.sprintf "no strategy settles all %d secrets within %d guesses if %d response%s may be false%s (%d guesses"
           secrets claim.Lies.within claim.Lies.lies
           (if claim.Lies.lies = 1 then "" else "s")
           (match first with Some guess -> ", first guess " ^ guess | None -> "")
           guesses)

(* Why a file is refused, where it is about a game that the theorem does not cover. *)
let why words =
  let covered = [ "mastermind"; "blackpeg"; "bulls"; "wordle"; "table" ] in
  match List.filter (( <> ) "") words with
  | _ :: _ :: _ :: kind :: _ when not (List.mem kind covered) ->
      Printf.sprintf ": %s is none of the games of the theorem on lies: %s" (String.escaped kind) (String.concat ", " covered)
  | _ -> ""
