(* Games with costs: reads the table that the certificate names, calls the checker that was proved, prints what it says. *)

let letters text = List.init (String.length text) (String.get text)

let read name =
  let file = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

exception Refused of string

(* What a certificate of a table is about: the text of the file with the SHA-256 that it names. *)
let table certificate words =
  match words with
  | _ :: _ :: sha :: file :: _ ->
      if String.length sha <> 64 then raise (Refused "a SHA-256 has 64 digits");
      if String.contains file '/' then raise (Refused "the name of a file beside the certificate is due");
      let text = read (Filename.concat (Filename.dirname certificate) file) in
      if Sha256.hex text <> sha then raise (Refused (String.escaped file ^ " has another SHA-256"));
      text
  | _ -> raise (Refused "the file ends too early")

let claimed table (claim : Priced.claim) =
  let game = match Priced.game_of claim.to_win (letters table) with Some game -> game | None -> assert false in
  let secrets = List.length game.weights and guesses = List.length game.guesses in
  let within = match claim.within with Some most -> Printf.sprintf " within %d" most | None -> "" in
  let said =
    match claim.least with
    | Least paid -> Printf.sprintf "every strategy for %d secrets costs at least %d%s" secrets paid within
    | Impossible -> Printf.sprintf "no strategy settles all %d secrets%s" secrets within
    | Loses weight -> Printf.sprintf "%s every strategy for %d secrets loses at least %d" within secrets weight
    | LosesOrPays (weight, paid) -> Printf.sprintf "%s every strategy for %d secrets loses at least %d:%d" within secrets weight paid
  in
  let first = match claim.first with Some g -> Printf.sprintf ", first guess %d" (g + 1) | None -> "" in
  Printf.sprintf "%s%s (%d guesses" (String.trim said) first guesses

let words text =
  let blank c = String.contains "\t\r\n" c in
  List.filter (( <> ) "") (String.split_on_char ' ' (String.map (fun c -> if blank c then ' ' else c) text))

(* What the certificate proves, as far as the number of lemmas; or how many words are left, and why. *)
let said name text () =
  let words = words text in
  match table name words with
  | exception Refused why -> Error (List.length words - 4, ": " ^ why)
  | table -> (
      match Priced.check (letters table) (letters text) with
      | Priced.Inl claim -> Ok (claimed table claim)
      | Priced.Inr more -> Error (more, if List.mem "=" words then ": renamings are not covered" else ""))
