(* Certificates of games with lies: calls the checker that was proved, says what it proves. *)

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
      (size secrets, guesses, Option.map Reading.text first)
  | Lies.Table (csv, first) ->
      let header, rows = Option.value (Lies.cut csv []) ~default:([], []) in
      let cells = Option.map List.hd (Lies.rows_of header) in
      let rows = Lies.read_lines (fun _ -> Some ()) rows [] [] in
      (size cells - 1, size rows, Option.map (fun g -> string_of_int (g + 1)) first)

let claimed (claim : Lies.claim) =
  let secrets, guesses, first = numbers claim.Lies.of0 in
  Printf.sprintf "no strategy settles all %d secrets within %d guesses if %d response%s may be false%s (%d guesses" secrets
    claim.Lies.within claim.Lies.lies
    (if claim.Lies.lies = 1 then "" else "s")
    (match first with Some guess -> ", first guess " ^ guess | None -> "")
    guesses

let why = function
  | _ :: _ :: _ :: kind :: _ ->
      Reading.why_not kind [ "mastermind"; "blackpeg"; "bulls"; "wordle"; "table" ] "theorem on lies"
  | _ -> ""

let said certificate text words =
  match Lies.check (Reading.letters_beside certificate) (Reading.letters text) with
  | Lies.Inl claim -> Ok (claimed claim)
  | Lies.Inr more -> Error (more, why words)
