(* Games with costs: reads the table that the certificate names, calls the checker that was proved, says what it proves. *)

let claimed table (claim : Priced.claim) =
  let game = match Priced.game_of claim.to_win table with Some game -> game | None -> assert false in
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

let said certificate text words =
  Reading.of_table certificate words (fun table ->
      match Priced.check table (Reading.letters text) with
      | Priced.Inl claim -> Ok (claimed table claim)
      | Priced.Inr more -> Error (more, ""))
