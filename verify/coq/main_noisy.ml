(* Tests that may get several answers: reads the table that the certificate names, calls the checker that was proved, says
   what it proves. *)

let base = 1_000_000_000

(* Twice a number and a digit more; a number is its digits to the base, the lowest first. *)
let rec twice more = function
  | [] -> if more = 0 then [] else [ more ]
  | x :: rest ->
      let y = (2 * x) + more in
      (y mod base) :: twice (y / base) rest

let rec digits = function
  | Noisy.XH -> [ 1 ]
  | Noisy.XO p -> twice 0 (digits p)
  | Noisy.XI p -> twice 1 (digits p)

let decimal = function
  | Noisy.N0 -> "0"
  | Noisy.Npos p ->
      let highest = List.rev (digits p) in
      String.concat "" (string_of_int (List.hd highest) :: List.map (Printf.sprintf "%09d") (List.tl highest))

let claimed table (claim : Noisy.claim) =
  let game = match Noisy.game_of table with Some game -> game | None -> assert false in
  let secrets = List.length game.weights in
  let said =
    match claim.costs with
    | Expected least ->
        let unit = decimal (Noisy.mass_unit game false) in
        Printf.sprintf "every strategy for %d secrets costs at least %s%s" secrets (decimal least)
          (if unit = "1" then "" else " / " ^ unit)
    | Endless -> Printf.sprintf "no strategy settles all %d secrets" secrets
    | Over limit -> Printf.sprintf "no strategy settles all %d secrets within %s" secrets (decimal limit)
  in
  let first = match claim.first with Some t -> Printf.sprintf ", first guess %d" (t + 1) | None -> "" in
  Printf.sprintf "%s%s (%d guesses" said first (List.length game.tests)

(* How many lemmas are in an accepted body: an item is a test, an answer, a bound and a body. *)
let lemmas proof =
  let rec items found = function
    | ")" :: rest -> items found rest
    | _ :: _ :: _ :: _ :: rest -> items (found + 1) rest
    | _ -> found
  in
  match proof with "(" :: rest -> items 0 rest | _ -> 0

let said certificate text words =
  Reading.of_table certificate words (fun table ->
      match Noisy.check table (Reading.letters text) with
      | Noisy.Inl claim -> Ok (claimed table claim)
      | Noisy.Inr more -> Error (more, ""))
