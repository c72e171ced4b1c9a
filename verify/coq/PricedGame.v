(** What the theorem on costs is about: a table of tests with costs and weights, strategies, what secrets pay, and
  what
    a certificate claims. Nothing else has to be believed to understand it; the checker is in other files. *)

From Coq Require Import List Arith Bool Ascii String.
From Proof Require Import Text.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** The game *)

(** Of each secret its weight; of each guess a row: what each secret responds, and what it pays for that. *)
Record game := { win : bool; weights : list nat; guesses : list (list (text * nat)) }.

Definition number (w : text) : option nat :=
  match number_of_digits 16 w with Some n => if n <=? Nat.pow 10 15 then Some n else None | None => None end.

Definition is_cost (head : text) : bool := spells "cost" head || spells "cost:" (firstn 5 head).

(** What a response costs, by the cells of costs of a row: that of its own column, unless it is empty; of [cost]; 1.
  *)
Definition price (costs : list (text * text)) (response : text) : option nat :=
  let cell name := option_map snd (find (fun hc => same_text (fst hc) name) costs) in
  match cell (list_ascii_of_string "cost:" ++ response), cell (list_ascii_of_string "cost") with
  | Some (c :: own), _ => number (c :: own)
  | _, Some usual => number usual
  | _, None => Some 1
  end.

Definition row_of (heads row : list text) : option (list (text * nat)) :=
  let named := combine heads row in
  let costs := filter (fun hc => is_cost (fst hc)) named in
  all_some (map (fun hc => option_map (pair (snd hc)) (price costs (snd hc)))
    (filter (fun hc => negb (is_cost (fst hc))) named)).

Definition is_weight (row : list text) : bool := spells "weight" (hd [] row).

(** The first row names the columns; the first cell of a row names it. One row may be the weights. *)
Definition game_of (to_win : bool) (table : text) : option game :=
  match rows_of table with
  | Some ((_ :: heads) :: rows) =>
      let weighed := filter is_weight rows in
      let own (row : list text) := map snd (filter (fun hc => negb (is_cost (fst hc))) (combine heads (tl row))) in
      match all_some (map (row_of heads) (map (@tl text) (filter (fun row => negb (is_weight row)) rows))),
            match weighed with
            | [] => Some (map (fun _ => 1) (filter (fun h => negb (is_cost h)) heads))
            | row :: _ => all_some (map number (own row))
            end with
      | Some guesses, Some weights => Some {| win := to_win; weights := weights; guesses := guesses |}
      | _, _ => None
      end
  | _ => None
  end.

(** ** Strategies *)

(** A strategy stops, or asks a guess, by its number, and goes on by the response. *)
Inductive strategy := Stop | Ask (guess : nat) (next : text -> strategy).

Definition cell (G : game) (guess secret : nat) : option (text * nat) :=
  match nth_error (guesses G) guess with Some row => nth_error row secret | None => None end.

(** What a secret pays until it is won or, to identify, the strategy stops; nothing if that never happens. *)
Fixpoint paid (G : game) (t : strategy) (secret : nat) : option nat :=
  match t with
  | Stop => if win G then None else Some 0
  | Ask guess next =>
      match cell G guess secret with
      | None => None  (* there is no such guess *)
      | Some (response, cost) =>
          if win G && spells "win" response then Some cost
          else option_map (Nat.add cost) (paid G (next response) secret)
      end
  end.

(** Whether two secrets respond differently at last. *)
Fixpoint told_apart (G : game) (t : strategy) (x y : nat) : bool :=
  match t with
  | Stop => false
  | Ask guess next =>
      match cell G guess x, cell G guess y with
      | Some (a, _), Some (b, _) => negb (same_text a b) || told_apart G (next a) x y
      | _, _ => false
      end
  end.

Definition secrets (G : game) : list nat := seq 0 (List.length (weights G)).

(** The strategy wins all secrets, or tells them apart. *)
Definition settles (G : game) (t : strategy) : Prop :=
  (forall s, In s (secrets G) -> paid G t s <> None) /\
  (win G = false -> forall x y, In x (secrets G) -> In y (secrets G) -> x <> y -> told_apart G t x y = true).

(** Whether the guess gets this response, and does not win. *)
Definition responds (G : game) (guess : nat) (response : text) (secret : nat) : bool :=
  match cell G guess secret with
  | Some (r, _) => same_text r response && negb (win G && spells "win" r)
  | None => false
  end.

(** The strategy asks candidates only: each guess wins on one of the secrets that are left there. *)
Fixpoint asks_candidates (G : game) (t : strategy) (left : list nat) : Prop :=
  left = [] \/
  match t with
  | Stop => True
  | Ask guess next =>
      (exists s r c, In s left /\ cell G guess s = Some (r, c) /\ win G && spells "win" r = true) /\
      forall response, asks_candidates G (next response) (filter (responds G guess response) left)
  end.

(** ** What a certificate claims *)

Definition pays (G : game) (t : strategy) (s : nat) : nat := match paid G t s with Some p => p | None => 0 end.

Definition weight (G : game) (s : nat) : nat := nth s (weights G) 0.

Definition pays_within (G : game) (t : strategy) (limit : option nat) (s : nat) : bool :=
  match limit with None => true | Some most => pays G t s <=? most end.

(** What those pay who pay no more than the limit, weighted; what the others weigh. *)
Definition total (G : game) (t : strategy) (limit : option nat) : nat :=
  list_sum (map (fun s => weight G s * pays G t s) (filter (pays_within G t limit) (secrets G))).

Definition lost (G : game) (t : strategy) (limit : option nat) : nat :=
  list_sum (map (weight G) (filter (fun s => negb (pays_within G t limit s)) (secrets G))).

Inductive cost :=
  | Least (paid : nat)              (* nothing is lost only if so much is paid, at least *)
  | Impossible                      (* something is lost *)
  | Loses (weight : nat)            (* so much is lost, at least *)
  | LosesOrPays (weight paid : nat).  (* more is lost, or so much, and the others pay so much, at least *)

Definition true_of (G : game) (limit : option nat) (c : cost) (t : strategy) : Prop :=
  match c with
  | Least p => lost G t limit = 0 -> p <= total G t limit
  | Impossible => 0 < lost G t limit
  | Loses w => w <= lost G t limit
  | LosesOrPays w p => w < lost G t limit \/ w = lost G t limit /\ p <= total G t limit
  end.

Record claim := { to_win : bool; only : bool; first : option nat; within : option nat; least : cost }.

Definition begins (first : option nat) (t : strategy) : Prop :=
  match first, t with None, _ => True | Some g, Ask guess _ => g = guess | Some _, Stop => False end.

(** The table is a game, and what is claimed is true of all strategies that settle it and begin so; if only candidates
    may be asked, of those that ask no others. *)
Definition holds (table : text) (c : claim) : Prop :=
  exists G, game_of (to_win c) table = Some G /\
  forall t, settles G t -> (only c = true -> asks_candidates G t (secrets G)) -> begins (first c) t ->
  true_of G (within c) (least c) t.
