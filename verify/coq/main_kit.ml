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

let why = function
  | _ :: _ :: _ :: kind :: _ ->
      Reading.why_not kind [ "mastermind"; "blackpeg"; "bulls"; "wordle"; "table" ] "theorem on kits"
  | _ -> ""

let said certificate text words =
  match Kit.check (Reading.letters_beside certificate) (Reading.letters text) with
  | Kit.Inl claim -> Ok (claimed claim)
  | Kit.Inr more -> Error (more, why words)
