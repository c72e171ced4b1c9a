(* Certificates of games with lies: calls the checker that was proved, says what it proves. *)

let digits code = String.concat "" (List.map (fun d -> String.make 1 "0123456789abcdefghijklmnopqrstuvwxyz".[d]) code)

(* What the file proves, or how many words are left where it is refused. *)
let said letters =
  match Lies.check letters with
  | Lies.Inr more -> Error more
  | Lies.Inl claim ->
      let secrets, guesses, first =
        match claim.Lies.of0 with
        | Lies.Codes (game, first) ->
            let codes = List.length (Lies.codes game) in
            (codes, codes, Option.map digits first) in
      Ok
        (Printf.sprintf "no strategy settles all %d secrets within %d guesses if %d response%s may be false%s (%d guesses"
           secrets claim.Lies.within claim.Lies.lies
           (if claim.Lies.lies = 1 then "" else "s")
           (match first with Some guess -> ", first guess " ^ guess | None -> "")
           guesses)

(* Why a file is refused, where it is about a game that the theorem does not cover. *)
let why words =
  let covered = [ "mastermind"; "blackpeg"; "bulls" ] in
  match List.filter (( <> ) "") words with
  | _ :: _ :: _ :: kind :: _ when not (List.mem kind covered) ->
      Printf.sprintf ": %s is none of the games of the theorem on lies: %s" (String.escaped kind) (String.concat ", " covered)
  | _ -> ""
