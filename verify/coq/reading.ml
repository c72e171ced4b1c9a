(* Files and their words, for the programs around the checkers. *)

let read name =
  let file = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let letters text = String.fold_right List.cons text []
let text letters = String.of_seq (List.to_seq letters)

let words text =
  let blank c = String.contains "\t\r\n" c in
  List.filter (( <> ) "") (String.split_on_char ' ' (String.map (fun c -> if blank c then ' ' else c) text))

let contains part whole =
  let long = String.length part in
  let rec from i = i + long <= String.length whole && (String.sub whole i long = part || from (i + 1)) in
  from 0

(* The text of a file beside the certificate, if its SHA-256 is the digest; if it is in the name, where that stands for
   the digest, too. *)
let beside certificate ~name ~digest =
  if String.contains name '/' || (digest <> name && String.length digest <> 64) then None
  else
    let content = read (Filename.concat (Filename.dirname certificate) name) in
    if contains (Sha256.hex content) digest then Some content else None

(* The letters of a file that a certificate names, for a checker that asks for one. *)
let letters_beside certificate digest name = Option.map letters (beside certificate ~name:(text name) ~digest:(text digest))

(* Why a certificate is refused, if it is about a game that is none of those of a theorem. *)
let why_not kind covered theorem =
  if List.mem kind covered then ""
  else Printf.sprintf ": %s is none of the games of the %s: %s" (String.escaped kind) theorem (String.concat ", " covered)

(* What a checker says of the table that a certificate names; how many words are left where it is refused, and why. *)
let of_table certificate words check =
  match words with
  | _ :: _ :: digest :: name :: proof -> (
      match if String.length digest = 64 then beside certificate ~name ~digest else None with
      | None -> Error (List.length proof, ": no file beside the certificate has this name and SHA-256")
      | Some table -> check (letters table))
  | _ -> Error (0, ": the file ends too early")
