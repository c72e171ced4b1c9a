(** What the theorem on kits is about: questions that are all asked before any answer comes, the kits of them that
    tell all secrets apart, and what a certificate claims. Nothing else has to be believed to understand it, but the
    rules of codes in Game.v, the marks of words in LiesGame.v, and how lines, cells and numbers are read, in Text.v
    and at the beginning of PricedGame.v. *)

From Coq Require Import List Arith Bool Ascii String.
From Proof Require Import Text Game.
From Proof Require LiesGame PricedGame.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Kits *)

Section Kits.

Context {Question Secret Answer : Type}.

Variable questions : list Question.
Variable secrets : list Secret.
Variable says : Question -> Secret -> Answer.
Variable same : Answer -> Answer -> bool.
Variable cost : Question -> nat.
Variables must never : Question -> bool.     (* which questions a kit has to have, and which it may not have *)
Variable alike : Secret -> Secret -> bool.   (* which secrets are of one kind and need not be told apart *)

(** How many questions of a kit, each counted as often as it is there, get different answers from two secrets. *)
Definition told (kit : list Question) (s t : Secret) : nat :=
  List.length (filter (fun q => negb (same (says q s) (says q t))) kit).

(** A kit is a list of questions, some perhaps several times, to which so many answers may be false. *)
Definition is_kit (lies : nat) (kit : list Question) : Prop :=
  (forall q, In q kit -> In q questions /\ never q = false) /\
  (forall q, In q questions -> must q = true -> In q kit) /\
  forall s t, In s secrets -> In t secrets -> alike s t = false -> 2 * lies + 1 <= told kit s t.

Definition every_kit_costs (lies bound : nat) : Prop :=
  forall kit, is_kit lies kit -> bound <= list_sum (map cost kit).

End Kits.

(** ** Tables *)

(** Of each question its answers, its cost and its use; of each secret its kind, if there are kinds. *)
Record table := { answers : list (list text); costs : list nat; uses : list text; kinds : option (list text) }.

Definition is_extra (head : text) : bool := spells "cost" head || spells "use" head.

(** The cells of a row, without that of its name, under the secrets; its cell under another head. *)
Definition own (heads row : list text) : list text :=
  map snd (filter (fun hc => negb (is_extra (fst hc))) (combine heads (tl row))).

Definition column (heads : list text) (name : string) (row : list text) : option text :=
  option_map snd (find (fun hc => spells name (fst hc)) (combine heads (tl row))).

Definition cost_of (heads row : list text) : option nat :=
  match column heads "cost" row with Some w => PricedGame.number w | None => Some 1 end.

Definition use_of (heads row : list text) : option text :=
  match column heads "use" row with
  | Some w => if empty w || spells "must" w || spells "never" w then Some w else None
  | None => Some []
  end.

Definition is_kind (row : list text) : bool := spells "kind" (hd [] row).
Definition full (cells : list text) : bool := forallb (fun w => negb (empty w)) cells.

(** The first row names secrets and columns; one row may be the kinds; all others are questions. *)
Definition table_of (csv : text) : option table :=
  match rows_of csv with
  | Some ((_ :: heads) :: rows) =>
      let asked := filter (fun row => negb (is_kind row)) rows in
      let answers := map (own heads) asked in
      let few name := List.length (filter (spells name) heads) <=? 1 in
      match all_some (map (cost_of heads) asked), all_some (map (use_of heads) asked),
            match filter is_kind rows with
            | [] => Some None
            | [row] => if full (own heads row) then Some (Some (own heads row)) else None
            | _ => None
            end with
      | Some costs, Some uses, Some kinds =>
          if few "cost"%string && few "use"%string && existsb (fun h => negb (is_extra h)) heads &&
             negb (empty asked) && forallb full answers
          then Some {| answers := answers; costs := costs; uses := uses; kinds := kinds |} else None
      | _, _, _ => None
      end
  | _ => None
  end.

Definition cell (T : table) (question secret : nat) : text := nth secret (nth question (answers T) []) [].

Definition same_kind (T : table) (s t : nat) : bool :=
  match kinds T with Some row => same_text (nth s row []) (nth t row []) | None => s =? t end.

(** ** What a certificate claims *)

(** Codes; words, by the texts of the files of secrets and of others that may be asked; a table, by its text. *)
Inductive subject := Codes (G : game) | Words (hidden allowed : text) | Table (csv : text).

Record claim := { of : subject; lies : nat; bound : nat }.

Definition same_answer (a b : nat * nat) : bool := (fst a =? fst b) && (snd a =? snd b).

(** Codes and words cost 1 each. *)
Definition holds (c : claim) : Prop :=
  match of c with
  | Codes G =>
      every_kit_costs (codes G) (codes G) (answer G) same_answer (fun _ => 1) (fun _ => false) (fun _ => false) same
        (lies c) (bound c)
  | Words hidden allowed =>
      match lines_of hidden, lines_of allowed with
      | Some secrets, Some others =>
          every_kit_costs (secrets ++ others) secrets LiesGame.word_says same (fun _ => 1) (fun _ => false)
            (fun _ => false) same_text (lies c) (bound c)
      | _, _ => False
      end
  | Table csv =>
      match table_of csv with
      | Some T =>
          let use name q := spells name (nth q (uses T) []) in
          every_kit_costs (seq 0 (List.length (answers T))) (seq 0 (List.length (hd [] (answers T)))) (cell T)
            same_text (fun q => nth q (costs T) 0) (use "must"%string) (use "never"%string) (same_kind T)
            (lies c) (bound c)
      | None => False
      end
  end.
