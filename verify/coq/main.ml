(* Reads a certificate, calls the checker that was proved, prints what it says. *)

(* The line of the word that so many words follow. *)
let line text more =
  let words = ref 0 and at = ref (String.length text) in
  let blank c = String.contains " \t\r\n" c in
  while !at > 0 && !words <= more do
    decr at;
    if not (blank text.[!at]) && (!at = 0 || blank text.[!at - 1]) then incr words
  done;
  List.length (String.split_on_char '\n' (String.sub text 0 !at))

(* How many claims are inside the whole: each has a body, which begins with one of a few words. *)
let lemmas = function
  | _ :: "noisy" :: _ :: _ :: _ :: _ :: _ :: _ :: proof -> Main_noisy.lemmas proof
  | words -> List.length (List.filter (fun word -> List.mem word [ "."; "("; "~"; "#"; "$" ]) words) - 1

let covered =
  [ "mastermind"; "blackpeg"; "bulls"; "wordle"; "wordle-hard"; "wordle-ultra"; "table"; "lies"; "priced"; "noisy"; "kit" ]

let why = function
  | "guesstree-proof/1" :: kind :: _ -> Reading.why_not kind covered "theorems"
  | _ -> ""

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
  | Checker.Words (mode, answers, others) ->
      ( (match mode with
        | Checker.Normal -> "wordle"
        | Checker.Hard -> "wordle-hard"
        | Checker.Ultra -> "wordle-ultra"),
        fun g ->
          let secret = Hashtbl.create 4096 in
          List.iter (fun w -> Hashtbl.replace secret w ()) answers;
          spelled Char.chr (List.nth (answers @ List.filter (fun w -> not (Hashtbl.mem secret w)) others) g) )
  | Checker.Table _ -> ("table", fun g -> string_of_int (g + 1))

let claimed (claim : Checker.claim) =
  let game, name = described claim.Checker.of0 in
  let questions = Checker.questions_of claim.Checker.of0 in
  let all = match claim.Checker.aim with Checker.Win -> "finds all secrets" | Checker.Identify -> "tells all secrets apart" in
  String.concat ""
    [
      Printf.sprintf "%s, %d secrets: " game questions.Checker.secrets;
      (match claim.Checker.cost with
      | Some least -> Printf.sprintf "every strategy that %s costs at least %d" all least
      | None -> Printf.sprintf "no strategy %s" all);
      (match claim.Checker.limit with Some most -> Printf.sprintf " within %d guesses" most | None -> "");
      (match claim.Checker.first with Some g -> ", first guess " ^ name g | None -> "");
      (if claim.Checker.only then ", asking what may be the secret alone" else "");
      Printf.sprintf " (%d guesses" questions.Checker.guesses;
    ]

(* What is proved, as far as the number of lemmas; or how many words are left where it is refused, and why. *)
let said certificate text words =
  match words with
  | _ :: "lies" :: _ -> Main_lies.said certificate text words
  | _ :: "priced" :: _ -> Main_priced.said certificate text words
  | _ :: "noisy" :: _ -> Main_noisy.said certificate text words
  | _ :: "kit" :: _ -> Main_kit.said certificate text words
  | _ -> (
      let beside name digest = Reading.letters_beside certificate digest name in
      match Checker.check beside (Reading.letters text) with
      | Checker.Inl claim -> Ok (claimed claim)
      | Checker.Inr more -> Error (more, why words))

let judge certificate =
  let text = Reading.read certificate in
  let words = Reading.words text in
  match said certificate text words with
  | Ok claimed -> Printf.printf "verified: %s, %d lemmas)\n" claimed (lemmas words)
  | Error (more, why) ->
      Printf.eprintf "%s:%d: refused%s\n" certificate (line text more) why;
      exit 1
  | exception (Stack_overflow | Out_of_memory | Invalid_argument _) ->
      Printf.eprintf "%s: refused: too deep or too large for this machine\n" certificate;
      exit 1

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 19; space_overhead = 120 };
  match Sys.argv with
  | [| _; certificate |] -> (
      try judge certificate
      with Sys_error why ->
        prerr_endline ("guesstree-coq: " ^ why);
        exit 2)
  | _ ->
      prerr_endline "usage: guesstree-coq FILE.proof";
      exit 2
