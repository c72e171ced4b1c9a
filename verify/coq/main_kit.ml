(* Certificates of kits: calls the checker that was proved, says what it proves. *)

(* How many secrets and questions there are. *)
let numbers = function
  | Kit.Codes game ->
      let codes = List.length (Kit.codes game) in
      (codes, codes)
  | Kit.Words (hidden, allowed) -> (
      match (Kit.lines_of hidden, Kit.lines_of allowed) with
      | Some secrets, Some others -> (List.length secrets, List.length (Kit.word_guesses secrets others))
      | _ -> assert false)
  | Kit.Table csv -> (
      match Kit.table_of csv with
      | Some table -> (List.length (List.hd table.Kit.answers), List.length table.Kit.answers)
      | None -> assert false)

let claimed (claim : Kit.claim) =
  let secrets, questions = numbers claim.Kit.of0 in
  Printf.sprintf "every kit for %d secrets costs at least %d (%d guesses" secrets claim.Kit.bound questions

(* Why a file is refused, where it is about a game that the theorem does not cover. *)
let why words =
  let covered = [ "mastermind"; "blackpeg"; "bulls"; "wordle"; "table" ] in
  match words with
  | _ :: _ :: _ :: kind :: _ when not (List.mem kind covered) ->
      let games = String.concat ", " covered in
      Printf.sprintf ": %s is none of the games of the theorem on kits: %s" (String.escaped kind) games
  | _ -> ""

let said certificate text words =
  let beside digest name =
    Option.map Reading.letters (Reading.beside certificate ~name:(Reading.text name) ~digest:(Reading.text digest)) in
  match Kit.check beside (Reading.letters text) with
  | Kit.Inl claim -> Ok (claimed claim)
  | Kit.Inr more -> Error (more, why words)
