(** What the theorem on tests that may get several answers is about: a table of tests with odds, decisions and
    set-ups, strategies, what they cost, and what a certificate claims. Nothing else has to be believed to understand it
    but how rows, cells and numbers are read, in Text.v; the checker is in other files. *)

From Coq Require Import List Arith NArith Bool Ascii String.
From Proof Require Import Text.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** The game *)

(** Answers, causes and tests are numbers. A cell: the answers that a cause may get, with their rates. A group is
    known by its first test. *)
Record test := {
  names : list text; cells : list (list (nat * N)); price : N; later : N; group : option nat; ends : list nat;
  needs : list nat }.

Record game := { cliques : bool; weights : list N; tests : list test; decisions : list (list (option N)) }.

(** *** The text of a table *)

Definition number (w : text) : option N :=
  match digits w with
  | Some (x :: l) =>
      let n := fold_left (fun v x => 10 * v + N.of_nat x)%N (x :: l) 0%N in
      if (List.length l <? 16) && forallb (fun x => x <? 10) (x :: l) && ((0 <? x) || empty l) && (n <=? 10 ^ 15)%N
      then Some n else None
  | _ => None
  end.

Definition positive_number (w : text) : option N :=
  match number w with Some n => if (n =? 0)%N then None else Some n | None => None end.

Definition words_between (c : ascii) (t : text) : list text := split_at (Ascii.eqb c) t [] [].

Fixpoint index (w : text) (l : list text) : option nat :=
  match l with [] => None | x :: l => if same_text x w then Some 0 else option_map S (index w l) end.

Fixpoint distinct_texts (l : list text) : bool :=
  match l with [] => true | x :: l => negb (existsb (same_text x) l) && distinct_texts l end.

Fixpoint once (l met : list text) : list text :=
  match l with
  | [] => rev' met
  | x :: l => once l (if existsb (same_text x) met then met else x :: met)
  end.

(** An answer, or answers with rates, in a cell. *)
Definition rated (part : text) : option (text * N) :=
  match words_between ":" part with
  | [] | [] :: _ | [_] => None
  | answer :: rate =>
      match positive_number (skipn (S (List.length answer)) part) with Some n => Some (answer, n) | None => None end
  end.

Definition sum_of (l : list N) : N := fold_right N.add 0%N l.

Definition cell_of (t : text) : option (list (text * N)) :=
  match words_between "/" t with
  | [[]] => None
  | [part] => if existsb (Ascii.eqb ":") part then option_map (fun a => [(fst a, 1%N)]) (rated part) else Some
    [(part, 1%N)]
  | parts =>
      match all_some (map rated parts) with
      | Some found =>
          let common := fold_right (fun a v => N.gcd (snd a) v) 0%N found in
          if distinct_texts (map fst found) && (sum_of (map snd found) <=? 10 ^ 15)%N
          then Some (map (fun a => (fst a, (snd a / common)%N)) found) else None
      | None => None
      end
  end.

Definition is_cost (head : text) : bool := spells "cost" head || spells "cost:" (firstn 5 head).

(** The cell of a row in a column; empty where there is no such column. *)
Definition column (heads : list text) (name : string) (row : list text) : text :=
  match find (fun hc => spells name (fst hc)) (combine heads (tl row)) with Some hc => snd hc | None => [] end.

Definition listed {A} (read : text -> option A) (t : text) : option (list A) :=
  match t with [] => Some [] | _ => all_some (map read (words_between "/" t)) end.

(** Of the tests their row, and which is the first of a group. *)
Definition test_of (heads : list text) (own : nat) (groups : list text) (row : list text) : option test :=
  match all_some (map cell_of (firstn own (tl row))) with
  | None => None
  | Some read =>
      let names := once (map fst (List.concat read)) [] in
      let numbered (a : text * N) := match index (fst a) names with Some k => Some (k, snd a) | None => None end in
      let grouped := column heads "cost:group" row in
      let told := column heads "cost:later" row in
      match all_some (map (fun c => all_some (map numbered c)) read), number (column heads "cost" row),
            listed (fun w => index w names) (column heads "cost:ends" row),
            listed (fun w => match positive_number w with
                             | Some n => if (n <=? N.of_nat (List.length groups))%N then Some (pred (N.to_nat n))
                               else None
                             | None => None
                             end) (column heads "cost:after" row) with
      | Some cells, Some price, Some ends, Some needs =>
          match (if empty told then Some price else number told), Bool.eqb (empty told) (empty grouped) with
          | Some later, true =>
              if (later <=? price)%N then
                Some {| names := names; cells := cells; price := price; later := later;
                        group := if empty grouped then None else index grouped groups; ends := ends; needs := needs |}
              else None
          | _, _ => None
          end
      | _, _, _, _ => None
      end
  end.

Definition is_weight (row : list text) : bool := spells "weight" (hd [] row).

Definition columns_are_good (heads : list text) (own : nat) : bool :=
  let costs := skipn own heads in
  let has name := existsb (spells name) costs in
  forallb is_cost costs && distinct_texts costs && has "cost"%string && Bool.eqb (has "cost:later"%string) (has
    "cost:group"%string) &&
  forallb (fun h => existsb (fun name => spells name h) ["cost"; "cost:later"; "cost:group"; "cost:ends";
    "cost:after"]%string)
    costs.

(** The first row names causes and columns. A row may be the weights; one without a cost is a decision. *)
Definition game_of (table : text) : option game :=
  match rows_of table with
  | Some ((corner :: heads) :: rows) =>
      let own := List.length (filter (fun h => negb (is_cost h)) heads) in
      let of_tests := filter (fun row => negb (is_weight row)) rows in
      let decides row := spells "-" (column heads "cost" row) in
      let asks := filter (fun row => negb (decides row)) of_tests in
      let weighed := filter is_weight rows in
      let groups := map (column heads "cost:group") asks in
      match all_some (map (test_of heads own groups) asks),
            all_some (map (fun row => all_some (map (fun c => if empty c then Some None else option_map Some (number
              c))
              (firstn own (tl row)))) (filter decides of_tests)),
            match weighed with
            | [] => Some (repeat 1%N own)
            | [row] => all_some (map positive_number (firstn own (tl row)))
            | _ => None
            end with
      | Some tests, Some decisions, Some weights =>
          if (empty corner || spells "cliques" corner) && (0 <? own) && negb (empty tests) && columns_are_good heads
            own &&
             (empty corner || empty decisions)
          then Some {| cliques := negb (empty corner); weights := weights; tests := tests; decisions := decisions |}
          else None
      | _, _, _ => None
      end
  | _ => None
  end.

(** ** Strategies *)

(** A strategy ends, or decides, or asks a test and goes on by the answer. *)
Inductive strategy := Stop | Decide (decision : nat) | Ask (test : nat) (next : nat -> strategy).

(** The causes that are still possible, each with its mass. *)
Definition masses := list (nat * N).

Section Costs.

Variable G : game.
Variable worst : bool.  (* not the expected cost, but the largest that may happen: then each mass is 1 *)

Definition no_test : test :=
  {| names := []; cells := []; price := 0; later := 0; group := None; ends := []; needs := [] |}.

Definition the_test (t : nat) : test := nth t (tests G) no_test.

Definition cell (t i : nat) : list (nat * N) := nth i (cells (the_test t)) [].

(** The rate of an answer in a cell, 0 if it is not there. *)
Definition rate (c : list (nat * N)) (a : nat) : N :=
  match find (fun r => fst r =? a) c with Some r => snd r | None => 0%N end.

(** The mass with which a cause is still possible after an answer. The divisions leave no rest, see [mass_unit]
    below. *)
Definition left (c : list (nat * N)) (a : nat) (m : N) : N :=
  if worst then if (rate c a =? 0)%N then 0%N else m else (m / sum_of (map snd c) * rate c a)%N.

Definition after (t a : nat) (M : masses) : masses :=
  flat_map (fun im =>
    let c := cell t (fst im) in if (rate c a =? 0)%N then [] else [(fst im, left c a (snd im))]) M.

(** The answers that do not end the path. *)
Definition going (t : nat) : list nat :=
  filter (fun a => negb (existsb (Nat.eqb a) (ends (the_test t)))) (seq 0 (List.length (names (the_test t)))).

(** A sum; in the worst case, the largest. *)
Definition gather (l : list N) : N := fold_right (if worst then N.max else N.add) 0%N l.

(** Whether a test of the same group was asked; then a test costs less. *)
Definition opened (t : nat) (asked : list nat) : bool :=
  match group (the_test t) with
  | Some g => existsb (fun u => match group (the_test u) with Some h => g =? h | None => false end) asked
  | None => false
  end.

Definition priced (t : nat) (asked : list nat) : N :=
  if opened t asked then later (the_test t) else price (the_test t).

Definition loss (d i : nat) : option N := nth i (nth d (decisions G) []) None.

(** Two causes overlap if each test has an answer that both may get. *)
Definition overlap (i j : nat) : bool :=
  forallb (fun t => existsb (fun r => negb (rate (cell t j) (fst r) =? 0)%N) (cell t i)) (seq 0 (List.length (tests
    G))).

(** One cause is left, or with cliques every two overlap. *)
Definition settled (M : masses) : Prop :=
  forall i j, In i (map fst M) -> In j (map fst M) -> i = j \/ cliques G = true /\ overlap i j = true.

(** The strategy asks no test twice, nor before those that it needs, and ends only where it may. *)
Fixpoint valid (s : strategy) (M : masses) (asked : list nat) : Prop :=
  M = [] \/
  match s with
  | Stop => decisions G = [] /\ settled M
  | Decide d => d < List.length (decisions G) /\ forall i, In i (map fst M) -> loss d i <> None
  | Ask t next =>
      t < List.length (tests G) /\ ~ In t asked /\ incl (needs (the_test t)) asked /\
      forall a, In a (going t) -> valid (next a) (after t a M) (t :: asked)
  end.

Definition lost (d : nat) (im : nat * N) : N := match loss d (fst im) with Some x => snd im * x | None => 0 end.

(** What the strategy costs from a state on: masses, and the tests that were asked. *)
Fixpoint cost (s : strategy) (M : masses) (asked : list nat) : N :=
  match s with
  | Stop => 0
  | Decide d => gather (map (lost d) M)
  | Ask t next =>
      priced t asked * gather (map snd M) +
      gather (map (fun a => cost (next a) (after t a M) (t :: asked)) (going t))
  end.

(** What masses are counted in, so that they are integers: of each test the least common multiple of the sums of its
    cells. *)
Definition multiple (t : test) : N := fold_right (fun c v => N.lcm (sum_of (map snd c)) v) 1%N (cells t).

Definition mass_unit : N := if worst then 1 else fold_right (fun t v => multiple t * v)%N 1%N (tests G).

Definition beginning : masses :=
  combine (seq 0 (List.length (weights G))) (map (fun w => if worst then 1 else mass_unit * w)%N (weights G)).

End Costs.

(** ** What a certificate claims *)

(** Without a limit: what is expected costs so much at least, in the unit of the game. With a limit: in every
    strategy, something that may happen costs more. *)
Inductive bound := Expected (least : N) | Endless | Over (limit : N).

Record claim := { first : option nat; costs : bound }.

Definition begins (first : option nat) (s : strategy) : Prop :=
  match first with None => True | Some t => exists next, s = Ask t next end.

(** The table is a game, and what is claimed is true of all strategies that may be followed and begin so. *)
Definition holds (table : text) (c : claim) : Prop :=
  exists G, game_of table = Some G /\
  forall s, begins (first c) s ->
  match costs c with
  | Expected least => valid G false s (beginning G false) [] -> (least <= cost G false s (beginning G false) [])%N
  | Endless => ~ valid G false s (beginning G false) []
  | Over limit => valid G true s (beginning G true) [] -> (limit < cost G true s (beginning G true) [])%N
  end.
