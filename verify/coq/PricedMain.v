(** The checker of whole priced certificates, and the theorem: what it accepts is true of the table. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted Ascii String Mergesort Orders.
From Proof Require Import Lists Text Labels PricedGame PricedTheory PricedAsking PricedChain PricedHuffman
  PricedChecker.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.
Local Arguments Nat.ltb : simpl never.
Local Arguments Nat.leb : simpl never.

(** ** The table as rows of numbers *)

(** A row from a list: the first is here, the others take turns. What it holds is looked up once more, so nothing has
  to
    be proved of this function. *)
Fixpoint pushed (c : PricedTheory.cell) (r : row) : row :=
  match r with Tip => Bin c Tip Tip | Bin d odd even => Bin c (pushed d even) odd end.

Definition same_cell (c d : PricedTheory.cell) : bool := (key c =? key d) && (PricedTheory.price c =?
  PricedTheory.price d).

Definition made (cs : list PricedTheory.cell) : option row :=
  let r := fold_right pushed Tip cs in
  if forallb (fun ic => same_cell (look r (fst ic)) (snd ic)) (combine (seq 0 (List.length cs)) cs) then Some r else
    None.

Lemma made_is cs r s c : made cs = Some r -> nth_error cs s = Some c -> look r s = c.
Proof.
  unfold made. destruct (forallb _ _) eqn:E; [|discriminate]. intros [= <-] H.
  assert (L : s < List.length cs) by (apply nth_error_Some; rewrite H; discriminate).
  assert (I : In (s, c) (combine (seq 0 (List.length cs)) cs)).
  { apply nth_error_nth with (d := c) in H. rewrite <- H. replace s with (nth s (seq 0 (List.length cs)) 0) at 1 by
    (rewrite seq_nth; lia).
    rewrite <- combine_nth by apply seq_length. apply nth_In. rewrite combine_length, seq_length. lia. }
  pose proof (proj1 (forallb_forall _ _) E _ I) as Q. apply andb_prop in Q as [Q1 Q2]. apply Nat.eqb_eq in Q1, Q2.
  cbn [fst snd] in *. destruct (look _ s), c. cbn in *. congruence.
Qed.

(** Responses to a guess by their numbers: 0 wins. *)
Definition key_of (to_win : bool) (labels : list text) (r : text) : nat :=
  if to_win && spells "win" r then 0 else S (index r labels).

Definition name_of (labels : list text) (k : nat) : text := nth (k - 1) labels [].

Lemma name_is to_win labels r : In r labels -> to_win && spells "win" r = false -> name_of labels (key_of to_win
  labels r) = r.
Proof. intros H W. unfold key_of, name_of. rewrite W. cbn [Nat.sub]. rewrite Nat.sub_0_r.
  apply nth_error_nth, index_is, H. Qed.

Definition cells_of (to_win : bool) (row : list (text * nat)) : list PricedTheory.cell :=
  let labels := labels_in (map fst row) [] in
  map (fun rc => {| key := key_of to_win labels (fst rc); PricedTheory.price := snd rc |}) row.

(** ** Secrets by weight, the heaviest first *)

Module Heavy <: TotalLeBool.
  Definition t : Type := nat * nat.
  Definition leb (x y : t) : bool := fst y <=? fst x.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End Heavy.
Module Sorting := Sort Heavy.

Definition by_weight (ws : list nat) : list nat := map snd (Sorting.sort (combine ws (seq 0 (List.length ws)))).

Definition weights_row (ws : list nat) : option row := made (map (fun w => {| key := 1; PricedTheory.price := w |})
  ws).

Lemma by_weight_all ws : Permutation (by_weight ws) (seq 0 (List.length ws)).
Proof.
  unfold by_weight. rewrite <- (Permutation_map snd (Sorting.Permuted_sort _)).
  replace (map snd (combine ws (seq 0 (List.length ws)))) with (seq 0 (List.length ws)); [reflexivity|].
  generalize 0. induction ws as [|w ws IH]; intros n; [reflexivity|]. cbn. rewrite <- IH. reflexivity.
Qed.

Lemma by_weight_sorted ws r : weights_row ws = Some r ->
  StronglySorted (fun x y => PricedTheory.price (look r y) <= PricedTheory.price (look r x)) (by_weight ws).
Proof.
  intros R. unfold by_weight. set (l := Sorting.sort _).
  assert (X : forall p, In p l -> PricedTheory.price (look r (snd p)) = fst p).
  { intros p Hp. apply (Permutation_in _ (Permutation_sym (Sorting.Permuted_sort _))) in Hp.
    destruct p as [w s]. apply In_nth_error in Hp as [i Hi]. cbn [fst snd].
    assert (E : s = i /\ nth_error ws i = Some w).
    { assert (G : forall ws n i, nth_error (combine ws (seq n (List.length ws))) i = Some (w, s) -> s = n + i /\
      nth_error ws i = Some w).
      { clear. induction ws as [|v ws IH]; intros n i H; [destruct i; discriminate|]. destruct i as [|i]; cbn in H.
        - injection H as <- <-. split; [lia|reflexivity].
        - apply IH in H as [-> H]. split; [lia|exact H]. }
      apply (G ws 0 i Hi). }
    destruct E as [-> E]. rewrite (made_is _ r i {| key := 1; PricedTheory.price := w |} R); [reflexivity|].
    apply (map_nth_error (fun w => {| key := 1; PricedTheory.price := w |})), E. }
  assert (S : StronglySorted (fun x y => is_true (Heavy.leb x y)) l).
  { apply Sorting.StronglySorted_sort. intros x y z. unfold Heavy.leb, is_true. rewrite !Nat.leb_le. lia. }
  clearbody l. induction S as [|p l S IH F]; cbn [map]; [constructor|]. constructor; [apply IH; intros q Hq; apply X;
    right; exact Hq|].
  apply Forall_forall. intros s Hs. apply in_map_iff in Hs as [q [<- Hq]].
  pose proof (proj1 (Forall_forall _ _) F q Hq) as L. unfold Heavy.leb, is_true in L. apply Nat.leb_le in L.
  rewrite (X p (or_introl eq_refl)), (X q (or_intror Hq)). exact L.
Qed.

(** ** What secrets pay at least (P3, P4), as found; it is compared with all guesses *)

Definition least_price (rows : list row) (want : PricedTheory.cell -> bool) (s : nat) : bound :=
  fold_left (fun v r => let c := look r s in if want c then lesser v (Some (PricedTheory.price c)) else v) rows None.

Definition coded (b : bound) : PricedTheory.cell :=
  match b with Some p => {| key := 1; PricedTheory.price := p |} | None => {| key := 0; PricedTheory.price := 0 |}
    end.

Definition decoded (c : PricedTheory.cell) : bound := if key c =? 0 then None else Some (PricedTheory.price c).

Definition useful (to_win : bool) (everything : list nat) (r : row) : bool :=
  tells r everything || existsb (fun s => won to_win (look r s)) everything.

Definition unit_of (rows : list row) (everything : list nat) : nat :=
  match fold_left (fun v r => fold_left (fun v s => lesser v (Some (PricedTheory.price (look r s)))) everything v)
    rows None with
  | Some u => u
  | None => 0
  end.

(** The least that anybody pays who pays, where that is one response to each guess, and nothing is paid for some
  (P5). *)
Definition payer_of (rows : list row) (everything : list nat) : nat :=
  match fold_left (fun v r => fold_left (fun v s =>
      let p := PricedTheory.price (look r s) in if p =? 0 then v else lesser v (Some p)) everything v) rows None with
  | Some p => p
  | None => 0
  end.

Definition paying (everything : list nat) (r : row) : list nat :=
  filter (fun s => negb (PricedTheory.price (look r s) =? 0)) everything.

Definition pays_once (rows : list row) (everything : list nat) (payer : nat) : bool :=
  forallb (fun r =>
    let ps := paying everything r in
    forallb (fun s => (key (look r s) =? key (look r (hd 0 ps))) && (payer <=? PricedTheory.price (look r s))) ps)
      rows.

(** Whether a number is a bound for what rows say. *)
Definition prices_hold (to_win : bool) (rows : list row) (everything : list nat) (pay ending : nat -> bound) (unit :
  nat) : bool :=
  forallb (fun r =>
    (List.length (filter (fun s => won to_win (look r s)) everything) <=? 1) &&
    forallb (fun s =>
      let c := look r s in
      reached (if won to_win c then ending s else pay s) (Some (PricedTheory.price c)) && (unit <=?
        PricedTheory.price c)) everything) rows.

(** ** Reading a certificate *)

Definition most_total : nat := Nat.pow 10 17.

Definition capped_sum (l : list nat) : nat := fold_left (fun v w => min (v + w) (S most_total)) l 0.

(** What PRICED.md asks of a table beyond what the game is made of, so that all checkers refuse the same. *)
Definition plain_table (table : text) : bool :=
  match rows_of table with
  | Some ((_ :: heads) :: rows) =>
      let good (hc : text * text) :=
        match snd hc with
        | [] => negb (spells "cost" (fst hc))
        | _ => match number (snd hc) with Some _ => true | None => false end
        end in
      once_each (filter is_cost heads) &&
      (List.length (filter is_weight rows) <=? 1) &&
      forallb (fun row => is_weight row ||
        forallb good (filter (fun hc => is_cost (fst hc)) (combine heads (tl row)))) rows
  | _ => false
  end.

Definition sound_game (G : game) (everything : list nat) (rows : list row) : bool :=
  let n := List.length (weights G) in
  let total := capped_sum (weights G) in
  let most := fold_left (fun m row => fold_left (fun m rc => max m (snd rc)) row m) (guesses G) 1 in
  (1 <=? n) && (n <=? Nat.pow 10 5) && (1 <=? List.length (guesses G)) &&
  forallb (fun w => 1 <=? w) (weights G) &&
  forallb (fun row => (List.length row =? n) && forallb (fun rc => negb (empty (fst rc))) row) (guesses G) &&
  (total <=? most_total) && (most <=? Nat.div (Nat.div most_total total) n) &&
  (negb (win G) || forallb (fun s => existsb (fun r => won true (look r s)) rows) everything).

Definition limit_in (w : text) : option (option nat) := if spells "-" w then Some None else option_map Some (number
  w).

(** The bound, the rate, the penalty and what it says. *)
Definition cost_in (w : text) (limit : option nat) (all : nat) : option (bound * nat * bound * PricedGame.cost) :=
  match split_at (Ascii.eqb ":") w [] [] with
  | [b] =>
      if spells "inf" b then Some (None, 1, None, Impossible)
      else option_map (fun n => (Some n, 1, None, Least n)) (number b)
  | lost :: t :: more =>
      match spells "lost" lost, limit, number t with
      | true, Some m, Some t =>
          let scale := all * m + 1 in
          if (m <=? Nat.div (Nat.div most_total all - 1) all) && (t <=? all) then
            match more with
            | [] => Some (Some t, 0, Some 1, Loses t)
            | [v] =>
                match number v with
                | Some v => if v <? scale then Some (Some (t * scale + v), 1, Some (scale - m), LosesOrPays t v) else
                  None
                | None => None
                end
            | _ => None
            end
          else None
      | _, _, _ => None
      end
  | [] => None
  end.

(** Whether to win, and whether candidates only are asked. *)
Definition goal_in (w : text) : option (bool * bool) :=
  if spells "win" w then Some (true, false)
  else if spells "win-candidates" w then Some (true, true)
  else if spells "identify" w then Some (false, false)
  else None.

Definition guess_in (all_rows : list row) (w : text) : option nat :=
  match number w with Some (S g) => if g <? List.length all_rows then Some g else None | _ => None end.

Definition secret_in (n : nat) (w : text) : option nat :=
  match number w with Some (S s) => if s <? n then Some s else None | _ => None end.

Definition first_in (all_rows : list row) (w : text) : option (option nat) :=
  if spells "-" w then Some None else option_map Some (guess_in all_rows w).

(** The guesses that may be asked, and tell something, or win, with their numbers. *)
Definition numbered_rows (to_win candidates : bool) (everything : list nat) (all_rows : list row) : list (nat * row)
  :=
  filter (fun gr => useful to_win everything (snd gr) && may to_win candidates (snd gr) everything)
    (combine (seq 0 (List.length all_rows)) all_rows).

(** Nothing if the proof is accepted; otherwise how many words are left. *)
Definition refused (G : game) (all_rows : list row) (ws : row) (c : PricedGame.claim) (b : bound) (rate : nat)
  (penalty : bound)
    (proof : list text) : option nat :=
  let to_win := win G in
  let candidates := only c in
  let everything := by_weight (weights G) in
  let n := List.length (weights G) in
  let numbered := numbered_rows to_win candidates everything all_rows in
  let rows := map snd numbered in
  let weight s := PricedTheory.price (look ws s) in
  let bounds want := made (map (fun s => coded (least_price rows want s)) (seq 0 n)) in
  match bounds (fun c => negb (won to_win c)), bounds (won to_win) with
  | Some pays, Some endings =>
      let pay s := decoded (look pays s) in
      let ending s := if to_win then decoded (look endings s) else Some 0 in
      let unit := unit_of rows everything in
      let paid_once := payer_of rows everything in
      let payer := if (unit =? 0) && pays_once rows everything paid_once then paid_once else 0 in
      let free r := existsb (fun s => PricedTheory.price (look r s) =? 0) everything in
      let frees := if candidates then [] else filter free rows in
      let only := match first c with Some g => nth_error all_rows g | None => None end in
      if sound_game G everything rows && prices_hold to_win rows everything pay ending unit &&
         match only with Some r => may to_win candidates r everything | None => true end then
        refusal to_win candidates weight everything rate penalty numbered rows pay ending unit frees (huffman weight)
          (fun l S => chain weight rate penalty (askable to_win candidates rows S) payer most_sum l S)
          (fun w => match guess_in all_rows w with
            | Some g => option_map (pair g) (nth_error all_rows g)
            | None => None
            end)
          (secret_in n) number proof only (within c) b
      else Some (List.length proof)
  | _, _ => Some (List.length proof)
  end.

(** The claim that a certificate proves of a table, or how many words are left where it is refused. *)
Definition check (table certificate : text) : PricedGame.claim + nat :=
  match words_of certificate with
  | format :: kind :: sha :: file :: goal :: first :: within :: cost :: proof =>
      let refused_here := inr (List.length proof) in
      if negb (spells "guesstree-proof/1" format && spells "priced" kind && plain_table table) then refused_here else
      match goal_in goal with
      | Some (to_win, candidates) =>
          match game_of to_win table with
          | Some G =>
              match all_some (map (fun row => made (cells_of to_win row)) (guesses G)), weights_row (weights G),
                limit_in within with
              | Some all_rows, Some ws, Some l =>
                  match first_in all_rows first, cost_in cost l (capped_sum (weights G)) with
                  | Some f, Some (b, rate, penalty, said) =>
                      let c := {| PricedGame.to_win := to_win; PricedGame.only := candidates; PricedGame.first := f;
                        PricedGame.within := l; PricedGame.least := said |} in
                      match refused G all_rows ws c b rate penalty proof with None => inl c | Some more => inr more
                        end
                  | _, _ => refused_here
                  end
              | _, _, _ => refused_here
              end
          | None => refused_here
          end
      | None => refused_here
      end
  | _ => inr 0
  end.

(** ** Why it is true *)

Lemma all_some_is {A} (l : list (option A)) m : all_some l = Some m -> l = map Some m.
Proof.
  revert m; induction l as [|[a|] l IH]; intros m H; cbn in H; try discriminate; [injection H as <-; reflexivity|].
  destruct (all_some l) as [m'|]; [|discriminate]. injection H as <-. cbn. f_equal. apply IH. reflexivity.
Qed.

Lemma numbers_once to_win candidates everything all_rows g r r' :
  In (g, r) (numbered_rows to_win candidates everything all_rows) ->
  In (g, r') (numbered_rows to_win candidates everything all_rows) -> r = r'.
Proof.
  intros H H'. apply filter_In in H as [H _], H' as [H' _]. apply in_numbers in H, H'. congruence.
Qed.

(** Only which secrets are left matters. *)
Lemma asks_same G t : forall S T, (forall s, In s S <-> In s T) -> asks_candidates G t S -> asks_candidates G t T.
Proof.
  induction t as [|g next IH]; intros S T E [->|H];
    try (left; destruct T as [|x T]; [reflexivity|destruct (proj2 (E x) (or_introl eq_refl))]); right; [exact I|].
  destruct H as [[s [r [c [Hs H]]]] L]. split; [exists s, r, c; split; [apply E, Hs|exact H]|].
  intros response. apply (IH response (filter (responds G g response) S)); [|apply L].
  intros x. rewrite !filter_In, E. reflexivity.
Qed.

Section Game.

Variable G : game.

Definition labels (g : nat) : list text := labels_in (map fst (nth g (guesses G) [])) [].

Lemma won_is r g a s c : look r s = {| key := key_of (win G) (labels g) a; PricedTheory.price := c |} ->
  won (win G) (look r s) = win G && spells "win" a.
Proof.
  intros ->. unfold won, key_of. cbn [key]. destruct (win G); [|reflexivity]. cbn [andb]. destruct (spells "win" a);
    reflexivity.
Qed.

Variable all_rows : list row.
Variable everything : list nat.

Hypothesis rows_made : all_some (map (fun row => made (cells_of (win G) row)) (guesses G)) = Some all_rows.

Lemma cell_is g s a c : PricedGame.cell G g s = Some (a, c) ->
  exists r, nth_error all_rows g = Some r /\ In a (labels g) /\
  look r s = {| key := key_of (win G) (labels g) a; PricedTheory.price := c |}.
Proof.
  unfold PricedGame.cell. destruct (nth_error (guesses G) g) as [cells|] eqn:E; [|discriminate]. intros H.
  pose proof (all_some_is _ _ rows_made) as M.
  pose proof (map_nth_error (fun row => made (cells_of (win G) row)) _ _ E) as N. rewrite M in N.
  destruct (nth_error all_rows g) as [r|] eqn:R.
  - rewrite (map_nth_error Some _ _ R) in N. injection N as N. exists r. split; [reflexivity|].
    assert (L : labels g = labels_in (map fst cells) [])
      by (unfold labels; rewrite (nth_error_nth _ _ _ E); reflexivity).
    rewrite L. split.
    + apply labels_have. right. exact (in_map fst _ _ (nth_error_In _ _ H)).
    + symmetry in N. apply (made_is _ _ s _ N). unfold cells_of.
      exact (map_nth_error (fun rc =>
        {| key := key_of (win G) (labels_in (map fst cells) []) (fst rc); PricedTheory.price := snd rc |}) _ _ H).
  - exfalso. apply nth_error_None in R. rewrite (proj2 (nth_error_None _ _)) in N; [discriminate|]. rewrite
    map_length. exact R.
Qed.

Variable candidates : bool.

Let rows := map snd (numbered_rows (win G) candidates everything all_rows).

Notation leaves := (leaves (win G)).
Notation permitted := (permitted (win G) candidates rows).

Lemma key_is g r s a c a' : PricedGame.cell G g s = Some (a, c) -> nth_error all_rows g = Some r ->
  In a' (labels g) -> win G && spells "win" a' = false ->
  (key (look r s) = key_of (win G) (labels g) a' /\ won (win G) (look r s) = false <-> responds G g a' s = true).
Proof.
  intros C R A' W. destruct (cell_is g s a c C) as [r' [R' [A L]]]. rewrite R in R'. injection R' as <-.
  rewrite (won_is r g a s c L), L. unfold responds. rewrite C. cbn [key]. rewrite andb_true_iff, negb_true_iff,
    same_text_eq.
  split; intros [E Wa]; split; try exact Wa.
  - rewrite <- (name_is _ _ a A Wa), E. apply name_is; assumption.
  - subst a'. reflexivity.
Qed.

(** A strategy as a tree for a set, without the guesses that tell nothing. *)
Fixpoint tree_of (t : strategy) (S : list nat) : tree :=
  match t, S with
  | Stop, _ | _, [] => Leaf
  | Ask g next, _ =>
      match nth_error all_rows g with
      | None => Leaf
      | Some r =>
          if useful (win G) everything r
          then Node r (fun k => tree_of (next (name_of (labels g) k)) (leaves r k S))
          else tree_of (next (name_of (labels g) (key (look r (hd 0 everything))))) S
      end
  end.

Definition asked_tree (g : nat) (r : row) (next : text -> strategy) (S : list nat) : tree :=
  Node r (fun k => tree_of (next (name_of (labels g) k)) (leaves r k S)).

Lemma tree_none t : tree_of t [] = Leaf. Proof. destruct t; reflexivity. Qed.

Lemma useful_in g r : nth_error all_rows g = Some r -> useful (win G) everything r = true ->
  may (win G) candidates r everything = true -> In r rows.
Proof.
  intros R U M. apply in_map_iff. exists (g, r). split; [reflexivity|]. apply filter_In. split; [apply in_numbers,
    R|].
  cbn [snd]. rewrite U. exact M.
Qed.

Lemma useless_is r s : useful (win G) everything r = false -> In s everything ->
  key (look r s) = key (look r (hd 0 everything)) /\ won (win G) (look r s) = false.
Proof.
  intros U Hs. apply orb_false_elim in U as [U1 U2]. split.
  - apply (tells_not r everything U1); [exact Hs|]. destruct everything; [destruct Hs|left; reflexivity].
  - destruct (won _ _) eqn:W; [|reflexivity]. rewrite <- U2. symmetry. apply existsb_exists. exists s. auto.
Qed.

(** What is asked, if candidates only are, is asked of the tree, too. *)
Definition asks_as_it_may (t : strategy) (S : list nat) : Prop := candidates = true -> asks_candidates G t S.

Lemma candidate_is g next S x : incl S everything -> In x S -> asks_as_it_may (Ask g next) S -> candidates = true ->
  exists r, nth_error all_rows g = Some r /\ useful (win G) everything r = true /\ may (win G) candidates r S = true.
Proof.
  intros I Hx A C. destruct (A C) as [->|[[s [a [c [Hs [Cl W]]]]] _]]; [destruct Hx|].
  destruct (cell_is g s a c Cl) as [r [R [_ L]]]. pose proof (won_is r g a s c L) as Q. rewrite W in Q.
  assert (E : forall T, In s T -> existsb (fun s => won (win G) (look r s)) T = true).
  { intros T HT. apply existsb_exists. exists s. auto. }
  exists r. split; [exact R|]. unfold useful, may. rewrite (E S Hs), (E everything (I s Hs)), !orb_true_r. auto.
Qed.

Hypothesis cells_there : forall g r s, nth_error all_rows g = Some r -> In s everything ->
  exists a c, PricedGame.cell G g s = Some (a, c).

Lemma leaves_permitted g r next S k : nth_error all_rows g = Some r -> incl S everything ->
  asks_as_it_may (Ask g next) S -> leaves r k S <> [] -> asks_as_it_may (next (name_of (labels g) k)) (leaves r k S).
Proof.
  intros R I A N C. destruct (leaves r k S) as [|x l] eqn:E; [contradiction|].
  assert (Hx : In x (leaves r k S)) by (rewrite E; left; reflexivity). rewrite <- E. clear E N.
  apply in_leaves in Hx as [Hx [K W]].
  destruct (A C) as [->|[_ B]]; [destruct Hx|]. destruct (cells_there g r x R (I x Hx)) as [a [c Cl]].
  destruct (cell_is g x a c Cl) as [r' [R' [La L]]]. rewrite R in R'. injection R' as <-.
  pose proof (won_is r g a x c L) as Q. rewrite W in Q. symmetry in Q.
  assert (Ka : k = key_of (win G) (labels g) a) by (rewrite <- K, L; reflexivity).
  rewrite Ka, name_is by assumption. specialize (B a).
  replace (PricedAsking.leaves _ _ _ S) with (filter (responds G g a) S); [exact B|].
  unfold PricedAsking.leaves. apply filter_ext_in. intros s Hs. destruct (cells_there g r s R (I s Hs)) as [a1 [c1
    C1]].
  pose proof (key_is g r s a1 c1 a C1 R La Q) as X. apply eq_true_iff_eq. rewrite <- X, andb_true_iff, negb_true_iff,
    Nat.eqb_eq.
  reflexivity.
Qed.

Lemma tree_permitted t : forall S, incl S everything -> asks_as_it_may t S -> permitted (tree_of t S) S.
Proof.
  induction t as [|g next IH]; intros S I A; [exact Logic.I|]. destruct S as [|x S]; [exact Logic.I|].
  set (T := x :: S) in *. change (permitted (match nth_error all_rows g with
    | None => Leaf
    | Some r =>
        if useful (win G) everything r then asked_tree g r next T
        else tree_of (next (name_of (labels g) (key (look r (hd 0 everything))))) T
    end) T).
  destruct (nth_error all_rows g) as [r|] eqn:R; [|exact Logic.I].
  destruct (bool_dec candidates true) as [C|C].
  - destruct (candidate_is g next T x I (or_introl eq_refl) A C) as [r' [R' [U M]]].
    rewrite R in R'. injection R' as <-. rewrite U. split; [|split; [exact M|]].
    + apply (useful_in g r R U). exact (may_incl (win G) candidates r everything T I M).
    + intros k. destruct (leaves r k T) as [|y l] eqn:E; [rewrite tree_none; exact Logic.I|]. rewrite <- E.
      apply IH; [intros s Hs; apply in_leaves in Hs; apply I, Hs|].
      apply (leaves_permitted g r next T k R I A). rewrite E. discriminate.
  - apply not_true_is_false in C. assert (Any : forall t S, asks_as_it_may t S) by (intros t' S'; unfold
    asks_as_it_may; congruence).
    destruct (useful _ _ r) eqn:U; [|apply IH; [exact I|apply Any]].
    assert (M : forall S, may (win G) candidates r S = true) by (intros S'; unfold may; rewrite C; reflexivity).
    split; [exact (useful_in g r R U (M _))|]. split; [apply M|].
    intros k. apply IH; [intros s Hs; apply in_leaves in Hs; apply I, Hs|apply Any].
Qed.

Lemma asked_permitted g r next : nth_error all_rows g = Some r -> asks_as_it_may (Ask g next) everything ->
  forall k, permitted (tree_of (next (name_of (labels g) k)) (leaves r k everything)) (leaves r k everything).
Proof.
  intros R A k. destruct (leaves r k everything) as [|x l] eqn:E; [rewrite tree_none; exact Logic.I|]. rewrite <- E.
  apply tree_permitted; [intros s Hs; apply in_leaves in Hs; apply Hs|].
  apply (leaves_permitted g r next everything k R (incl_refl _) A). rewrite E. discriminate.
Qed.

Lemma paid_asked g r next S s p : nth_error all_rows g = Some r -> In s S ->
  (forall a q U, In s U -> PricedGame.paid G (next a) s = Some q -> le (PricedTheory.paid (win G) (tree_of (next a)
    U) s) (Some q))
    ->
  PricedGame.paid G (Ask g next) s = Some p -> le (PricedTheory.paid (win G) (asked_tree g r next S) s) (Some p).
Proof.
  intros R Hs IH H. cbn [PricedGame.paid] in H. destruct (PricedGame.cell G g s) as [[a c]|] eqn:C; [|discriminate].
  destruct (cell_is g s a c C) as [r' [R' [A L]]]. rewrite R in R'. injection R' as <-. pose proof (won_is r g a s c
    L) as W.
  unfold asked_tree. cbn [PricedTheory.paid]. cbv zeta.
  destruct (win G && spells "win" a) eqn:Win; rewrite W.
  { rewrite L. injection H as <-. apply le_refl. }
  destruct (PricedGame.paid G (next a) s) as [q|] eqn:Q; [|discriminate]. injection H as <-.
  set (U := leaves r (key (look r s)) S). assert (HU : In s U) by (apply in_leaves; auto). clearbody U.
  rewrite L. cbn [key PricedTheory.price]. rewrite name_is by assumption.
  apply (plus_le (Some c) (Some c) _ (Some q) (le_refl _) (IH a q U HU Q)).
Qed.

Lemma apart_asked g r next S x y : nth_error all_rows g = Some r -> win G = false -> In x S -> In y S ->
  (forall a U, In x U -> In y U -> told_apart G (next a) x y = true -> apart (tree_of (next a) U) x y = true) ->
  told_apart G (Ask g next) x y = true -> apart (asked_tree g r next S) x y = true.
Proof.
  intros R Nw Hx Hy IH H. cbn [told_apart] in H.
  destruct (PricedGame.cell G g x) as [[a c]|] eqn:Cx; [|discriminate].
  destruct (PricedGame.cell G g y) as [[b d]|] eqn:Cy; [|discriminate].
  destruct (cell_is g x a c Cx) as [r1 [R1 [A L]]]. destruct (cell_is g y b d Cy) as [r2 [R2 [B L']]].
  rewrite R in R1, R2. injection R1 as <-. injection R2 as <-.
  assert (Na : name_of (labels g) (key_of (win G) (labels g) a) = a) by (apply name_is; [exact A|rewrite Nw;
    reflexivity]).
  assert (Nb : name_of (labels g) (key_of (win G) (labels g) b) = b) by (apply name_is; [exact B|rewrite Nw;
    reflexivity]).
  unfold asked_tree. cbn [apart]. destruct (Nat.eqb_spec (key (look r x)) (key (look r y))) as [E|E]; [|reflexivity].
  cbn [negb orb].
  assert (Hw : forall s, won (win G) (look r s) = false) by (intros s; unfold won; rewrite Nw; reflexivity).
  assert (Ux : In x (leaves r (key (look r x)) S)) by (apply in_leaves; auto).
  assert (Uy : In y (leaves r (key (look r x)) S)) by (apply in_leaves; auto).
  set (U := leaves r (key (look r x)) S) in *. clearbody U. rewrite L, L' in E. cbn [key] in E. rewrite L. cbn [key].
    rewrite Na.
  apply IH; [exact Ux|exact Uy|]. rewrite E in Na. rewrite Na in Nb. subst b.
  assert (S' : same_text a a = true) by (apply same_text_eq; reflexivity). rewrite S' in H. exact H.
Qed.

Lemma paid_tree t s : In s everything -> forall S, In s S -> forall p, PricedGame.paid G t s = Some p ->
  le (PricedTheory.paid (win G) (tree_of t S) s) (Some p).
Proof.
  intros He. induction t as [|g next IH]; intros S Hs p H.
  - cbn [tree_of PricedTheory.paid PricedGame.paid] in *. destruct (win G); [discriminate|]. injection H as <-. apply
    le_refl.
  - destruct S as [|z S]; [destruct Hs|]. set (T := z :: S) in *.
    destruct (PricedGame.cell G g s) as [[a c]|] eqn:C; [|cbn [PricedGame.paid] in H; rewrite C in H; discriminate].
    destruct (cell_is g s a c C) as [r [R [A L]]].
    pose proof (paid_asked g r next T s p R Hs (fun a q U HU => IH a U HU q) H) as Q.
    cbn [tree_of]. unfold T. cbv iota. fold T. rewrite R. destruct (useful (win G) everything r) eqn:U; [exact Q|].
    destruct (useless_is r s U He) as [K W]. rewrite <- K. cbn [PricedGame.paid] in H. rewrite C in H. rewrite
      (won_is r g a s c L) in W. rewrite W in H.
    destruct (PricedGame.paid G (next a) s) as [q|] eqn:Pq; [|discriminate]. injection H as <-.
    rewrite L. cbn [key]. rewrite name_is by assumption. apply (le_trans _ _ _ (IH a T Hs q Pq)). cbn [le]. lia.
Qed.

Lemma apart_tree t x y : win G = false -> In x everything -> In y everything -> forall S, In x S -> In y S ->
  told_apart G t x y = true -> apart (tree_of t S) x y = true.
Proof.
  intros Nw Ex Ey. induction t as [|g next IH]; intros S Hx Hy H; [discriminate|].
  destruct S as [|z S]; [destruct Hx|]. set (T := z :: S) in *.
  destruct (PricedGame.cell G g x) as [[a c]|] eqn:Cx; [|cbn [told_apart] in H; rewrite Cx in H; discriminate].
  destruct (cell_is g x a c Cx) as [r [R [A L]]].
  pose proof (apart_asked g r next T x y R Nw Hx Hy IH H) as Q.
  cbn [tree_of]. unfold T. cbv iota. fold T. rewrite R. destruct (useful (win G) everything r) eqn:U; [exact Q|].
  destruct (useless_is r x U Ex) as [Kx _], (useless_is r y U Ey) as [Ky _]. rewrite <- Kx.
  rewrite L. cbn [key]. rewrite name_is by (try assumption; rewrite Nw; reflexivity). apply IH; [exact Hx|exact Hy|].
  cbn [told_apart] in H. rewrite Cx in H. destruct (PricedGame.cell G g y) as [[b d]|] eqn:Cy; [|discriminate].
  destruct (cell_is g y b d Cy) as [r' [R' [B L']]]. rewrite R in R'. injection R' as <-.
  assert (E : a = b).
  { rewrite <- (name_is (win G) (labels g) a A), <- (name_is (win G) (labels g) b B) by (rewrite Nw; reflexivity).
    f_equal. rewrite L in Kx. rewrite L' in Ky. cbn [key] in *. congruence. }
  subst b. rewrite (proj2 (same_text_eq a a) eq_refl) in H. exact H.
Qed.

Hypothesis everything_is : Permutation everything (secrets G).

(** A tree that stands for a strategy: nobody pays more, and it tells apart what the strategy does. *)
Definition stands_for (T : tree) (t : strategy) : Prop :=
  (forall s, In s everything -> forall p, PricedGame.paid G t s = Some p -> le (PricedTheory.paid (win G) T s) (Some
    p)) /\
  (win G = false -> forall x y, In x everything -> In y everything -> told_apart G t x y = true -> apart T x y =
    true).

Lemma tree_stands t : stands_for (tree_of t everything) t.
Proof. split; [intros s Hs; apply paid_tree; exact Hs|intros; apply apart_tree; assumption]. Qed.

Lemma asked_stands g r next : nth_error all_rows g = Some r -> stands_for (asked_tree g r next everything) (Ask g
  next).
Proof.
  intros R. split.
  - intros s Hs p. apply paid_asked; [exact R|exact Hs|]. intros a q U HU. apply paid_tree; [exact Hs|exact HU].
  - intros Nw x y Hx Hy. apply apart_asked; [exact R|exact Nw|exact Hx|exact Hy|].
    intros a U Ux Uy. apply apart_tree; assumption.
Qed.

Lemma stands_solves T t : stands_for T t -> settles G t -> solves (win G) T everything.
Proof.
  intros [S1 S2] [A B].
  assert (X : forall s, In s everything -> In s (secrets G)) by (intros s; apply Permutation_in, everything_is).
  split.
  - intros s Hs. specialize (A s (X s Hs)). destruct (PricedGame.paid G t s) as [p|] eqn:P; [|contradiction].
    pose proof (S1 s Hs p P) as Q. destruct (PricedTheory.paid _ _ s); [discriminate|destruct Q].
  - intros Nw x y Hx Hy N. apply S2; auto.
Qed.

Variable rate : nat.
Variable penalty : bound.

Lemma stands_cost T t (weight : nat -> nat) l : stands_for T t -> settles G t ->
  le (PricedTheory.cost (win G) weight rate penalty T l everything)
     (total (fun s => times (weight s) (per rate penalty (Some (pays G t s)) l)) (secrets G)).
Proof.
  intros [S1 _] [A _]. unfold PricedTheory.cost. rewrite (total_perm _ _ _ everything_is). apply total_le. intros s
    Hs. apply times_le, per_mono.
  unfold pays. specialize (A s Hs). destruct (PricedGame.paid G t s) as [p|] eqn:P; [|contradiction]. apply S1;
    [|exact P].
  exact (Permutation_in _ (Permutation_sym everything_is) Hs).
Qed.

Lemma sum_cons x l : list_sum (x :: l) = x + list_sum l. Proof. reflexivity. Qed.

(** What all pay, in two sums. *)
Lemma cost_is t (w : nat -> nat) l L : (forall s, In s L -> w s = PricedGame.weight G s) ->
  let inside := list_sum (map (fun s => PricedGame.weight G s * pays G t s) (filter (pays_within G t l) L)) in
  let outside := list_sum (map (PricedGame.weight G) (filter (fun s => negb (pays_within G t l s)) L)) in
  match penalty, l with
  | Some q, Some m => total (fun s => times (w s) (per rate penalty (Some (pays G t s)) l)) L = Some (rate * inside +
    (q + rate * m) * outside)
  | _, _ => outside = 0 -> (forall s, In s L -> 1 <= w s) ->
      total (fun s => times (w s) (per rate penalty (Some (pays G t s)) l)) L = Some (rate * inside)
  end.
Proof.
  intros H. cbv zeta. unfold per, over, PricedTheory.lost, pays_within. destruct penalty as [q|], l as [m|].
  - induction L as [|s L IH]; [cbn; f_equal; lia|]. rewrite total_cons, IH by (intros x Hx; apply H; right; exact Hx).
    rewrite (H s (or_introl eq_refl)). cbn [filter]. rewrite Nat.ltb_antisym. destruct (pays G t s <=? m); cbn [negb
      map times plus]; rewrite ?sum_cons; f_equal; ring.
  - intros _ W. induction L as [|s L IH]; [cbn; f_equal; lia|]. rewrite total_cons, IH by (intros x Hx; auto using
    in_cons).
    rewrite (H s (or_introl eq_refl)). cbn [filter map times plus]. rewrite ?sum_cons. f_equal. ring.
  - induction L as [|s L IH]; intros Z W; [cbn; f_equal; lia|]. rewrite total_cons. cbn [filter] in *. rewrite
    Nat.ltb_antisym.
    pose proof (H s (or_introl eq_refl)) as Hs. pose proof (W s (or_introl eq_refl)) as Ws.
    destruct (pays G t s <=? m); cbn [negb map times plus] in *.
    + rewrite IH; [|intros x Hx; apply H; right; exact Hx|exact Z|intros x Hx; apply W; right; exact Hx].
      rewrite Hs. cbn [plus]. rewrite ?sum_cons. f_equal. ring.
    + exfalso. rewrite sum_cons in Z. lia.
  - intros _ W. induction L as [|s L IH]; [cbn; f_equal; lia|]. rewrite total_cons, IH by (intros x Hx; auto using
    in_cons).
    rewrite (H s (or_introl eq_refl)). cbn [filter map times plus]. rewrite ?sum_cons. f_equal. ring.
Qed.

End Game.

(** What the words of the cost say of two sums. *)
Lemma cost_means w l all b rate penalty said G t :
  cost_in w l all = Some (b, rate, penalty, said) ->
  (forall s, In s (secrets G) -> 1 <= PricedGame.weight G s) -> list_sum (map (PricedGame.weight G) (secrets G)) <=
    all -> 1 <= all ->
  le b (total (fun s => times (PricedGame.weight G s) (per rate penalty (Some (pays G t s)) l)) (secrets G)) ->
  true_of G l said t.
Proof.
  intros E W A A1 H. pose proof (cost_is G rate penalty t (PricedGame.weight G) l (secrets G) (fun _ _ => eq_refl))
    as C. cbv zeta in C.
  fold (PricedGame.total G t l) in C. fold (PricedGame.lost G t l) in C.
  assert (Free : penalty = None -> PricedGame.lost G t l = 0 -> le b (Some (rate * PricedGame.total G t l))).
  { intros -> Z. rewrite <- (C Z W). exact H. }
  unfold cost_in in E. destruct (split_at _ _ _ _) as [|w1 [|w2 more]]; [discriminate|..].
  - destruct (spells "inf" w1).
    + injection E as <- <- <- <-. cbn [true_of]. specialize (Free eq_refl). destruct (PricedGame.lost G t l);
      [destruct (Free eq_refl)|lia].
    + destruct (number w1) as [n|]; [|discriminate]. injection E as <- <- <- <-. cbn [true_of]. intros Z. specialize
      (Free eq_refl Z).
      cbn [le] in Free. lia.
  - destruct (spells "lost" w1); [|discriminate]. destruct l as [m|]; [|discriminate]. destruct (number w2) as [k|];
    [|discriminate].
    cbv zeta in E. destruct (_ && _); [|discriminate]. destruct more as [|w3 [|w4 more]]; [| |discriminate].
    + injection E as <- <- <- <-. rewrite C in H. cbn [true_of le] in *. lia.
    + destruct (number w3) as [v|]; [|discriminate]. destruct (Nat.ltb_spec v (all * m + 1)) as [V|V];
      [|discriminate].
      injection E as <- <- <- <-. rewrite C in H. cbn [true_of le] in *.
      assert (T : PricedGame.total G t (Some m) <= m * list_sum (map (PricedGame.weight G) (secrets G))).
      { unfold PricedGame.total. clear. induction (secrets G) as [|s L IH]; [cbn; lia|]. cbn [filter map]. rewrite
        sum_cons.
        unfold pays_within at 1. destruct (Nat.leb_spec (pays G t s) m); [cbn [map]; rewrite sum_cons|]; nia. }
      assert (T2 : PricedGame.total G t (Some m) <= all * m) by nia.
      assert (M : m <= all * m + 1) by nia.
      replace (all * m + 1 - m + 1 * m) with (all * m + 1) in H by lia.
      set (lostw := PricedGame.lost G t (Some m)) in *. set (tot := PricedGame.total G t (Some m)) in *.
      destruct (Nat.lt_trichotomy k lostw) as [Q|[Q|Q]]; [left; exact Q|right; split; [exact Q|subst k; nia]|].
      exfalso. assert (lostw + 1 <= k) by lia. nia.
Qed.

Lemma capped_is l : capped_sum l <= most_total -> capped_sum l = list_sum l.
Proof.
  unfold capped_sum. assert (X : forall l v, v <= S most_total ->
    fold_left (fun v w => min (v + w) (S most_total)) l v = min (v + list_sum l) (S most_total)).
  { clear. generalize (S most_total) as cap. intros cap. induction l as [|w l IH]; intros v H; cbn [fold_left]; [cbn;
    lia|].
    rewrite IH by lia. rewrite sum_cons. lia. }
  rewrite X by lia. generalize most_total. intros cap. lia.
Qed.

Lemma nth_all (l : list nat) : map (fun s => nth s l 0) (seq 0 (List.length l)) = l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [List.length seq map nth]. rewrite <- seq_shift, map_map. cbn
  [nth]. rewrite IH. reflexivity. Qed.

Lemma prices_are to_win rows everything pay ending unit r s :
  prices_hold to_win rows everything pay ending unit = true -> In r rows -> In s everything ->
  le (if won to_win (look r s) then ending s else pay s) (Some (PricedTheory.price (look r s))) /\ unit <=
    PricedTheory.price (look r s).
Proof.
  intros H Hr Hs. pose proof (proj1 (forallb_forall _ _) H r Hr) as Q. apply andb_prop in Q as [_ Q].
  pose proof (proj1 (forallb_forall _ _) Q s Hs) as P. apply andb_prop in P as [P1 P2]. split; [apply reached_le,
    P1|apply Nat.leb_le, P2].
Qed.

Lemma pays_once_is rows everything payer r s : pays_once rows everything payer = true -> In r rows -> In s everything
  ->
  PricedTheory.price (look r s) <> 0 -> key (look r s) = key (look r (hd 0 (paying everything r))) /\ payer <=
    PricedTheory.price (look r s).
Proof.
  intros H Hr Hs P. pose proof (proj1 (forallb_forall _ _) H r Hr) as Q. cbv beta zeta in Q.
  assert (I : In s (paying everything r)) by (apply filter_In; split; [exact Hs|destruct (Nat.eqb_spec
    (PricedTheory.price (look r s)) 0); [contradiction|reflexivity]]).
  pose proof (proj1 (forallb_forall _ _) Q s I) as R. apply andb_prop in R as [R1 R2].
  apply Nat.eqb_eq in R1. apply Nat.leb_le in R2. auto.
Qed.

Lemma prices_win_once to_win rows everything pay ending unit : NoDup everything ->
  prices_hold to_win rows everything pay ending unit = true -> wins_once to_win everything rows.
Proof.
  intros D H r Hr x y Hx Hy Wx Wy. pose proof (proj1 (forallb_forall _ _) H r Hr) as Q. apply andb_prop in Q as [Q _].
  apply Nat.leb_le in Q. pose proof (NoDup_filter (fun s => won to_win (look r s)) D) as N.
  assert (Ix : In x (filter (fun s => won to_win (look r s)) everything)) by (apply filter_In; auto).
  assert (Iy : In y (filter (fun s => won to_win (look r s)) everything)) by (apply filter_In; auto).
  destruct (filter _ everything) as [|z [|z' l]]; cbn [List.length] in Q; [destruct Ix| |lia].
  destruct Ix as [<-|[]], Iy as [<-|[]]. reflexivity.
Qed.

Lemma refused_true G all_rows ws c b rate penalty proof w :
  (forall g s s' a p q, PricedGame.cell G g s = Some (a, p) -> PricedGame.cell G g s' = Some (a, q) -> p = q) ->
  all_some (map (fun row => made (cells_of (win G) row)) (guesses G)) = Some all_rows ->
  weights_row (weights G) = Some ws -> cost_in w (within c) (capped_sum (weights G)) = Some (b, rate, penalty, least
    c) ->
  (forall g, first c = Some g -> g < List.length all_rows) ->
  refused G all_rows ws c b rate penalty proof = None ->
  forall t, settles G t -> (only c = true -> asks_candidates G t (secrets G)) -> begins (first c) t ->
  true_of G (within c) (least c) t.
Proof.
  intros Once RM WM CM FM E t Ht Hc Hb. unfold refused in E. cbv zeta in E.
  set (everything := by_weight (weights G)) in *. set (candidates := PricedGame.only c) in *.
  set (numbered := numbered_rows (win G) candidates everything all_rows) in *.
  set (rows := map snd numbered) in *.
  destruct (made _) as [pays|] in E; [|discriminate]. destruct (made _) as [endings|] in E; [|discriminate].
  set (weight := fun s => PricedTheory.price (look ws s)) in *.
  set (pay := fun s => decoded (look pays s)) in *. set (ending := fun s => if win G then decoded (look endings s)
    else Some 0) in *.
  set (unit := unit_of rows everything) in *. set (paid_once := payer_of rows everything) in *.
  set (payer := if (unit =? 0) && pays_once rows everything paid_once then paid_once else 0) in *. destruct (_ && _)
    eqn:Q in E; [|discriminate]. apply andb_prop in Q as [Q FP]. apply andb_prop in Q as [SG PH].
  set (only := match first c with Some g => nth_error all_rows g | None => None end) in *.
  assert (EP : Permutation everything (secrets G)) by apply by_weight_all.
  assert (D : NoDup everything) by (apply (Permutation_NoDup (Permutation_sym EP)), seq_NoDup).
  assert (WG : forall s, In s (secrets G) -> weight s = PricedGame.weight G s).
  { intros s Hs. unfold weight, PricedGame.weight. apply in_seq in Hs.
    assert (N : nth_error (weights G) s = Some (nth s (weights G) 0)) by (apply nth_error_nth'; lia).
    apply (map_nth_error (fun w => {| key := 1; PricedTheory.price := w |})) in N. rewrite (made_is _ ws s _ WM N).
      reflexivity. }
  unfold sound_game in SG. cbv zeta in SG. repeat (apply andb_prop in SG as [SG ?]).
  assert (W1 : forall s, In s (secrets G) -> 1 <= PricedGame.weight G s).
  { intros s Hs. unfold PricedGame.weight. apply in_seq in Hs. 
    apply Nat.leb_le. match goal with H : forallb (fun w => 1 <=? w) _ = true |- _ => apply (proj1 (forallb_forall _
      _) H) end.
    apply nth_In. lia. }
  assert (Sum : list_sum (map (PricedGame.weight G) (secrets G)) = capped_sum (weights G)).
  { rewrite capped_is by (apply Nat.leb_le; assumption). f_equal. apply nth_all. }
  assert (A1 : 1 <= capped_sum (weights G)).
  { rewrite <- Sum. apply Nat.leb_le in SG. destruct (secrets G) as [|s L] eqn:S; [unfold secrets in S; destruct
    (weights G); [cbn in SG; lia|discriminate]|].
    pose proof (W1 s (or_introl eq_refl)). cbn [map]. rewrite sum_cons. lia. }
  apply (cost_means _ _ _ b rate penalty (least c) G t CM W1); [lia|exact A1|].
  assert (There : forall g r s, nth_error all_rows g = Some r -> In s everything ->
    exists a p, PricedGame.cell G g s = Some (a, p)).
  { intros g r s R Hs. pose proof (all_some_is _ _ RM) as M.
    assert (L : g < List.length (guesses G)).
    { rewrite <- (map_length (fun row => made (cells_of (win G) row))), M, map_length. apply nth_error_Some.
      congruence. }
    unfold PricedGame.cell. destruct (nth_error (guesses G) g) as [row|] eqn:E2; [|apply nth_error_None in E2; lia].
    assert (N : List.length row = List.length (weights G)).
    { apply Nat.eqb_eq. match goal with H : forallb (fun row => (List.length row =? _) && _) _ = true |- _ =>
        pose proof (proj1 (forallb_forall _ _) H row (nth_error_In _ _ E2)) as Q end. apply andb_prop in Q. apply Q. }
    pose proof (Permutation_in s EP Hs) as Hs'. apply in_seq in Hs'.
    destruct (nth_error row s) as [[a p]|] eqn:E3; [eauto|apply nth_error_None in E3; lia]. }
  assert (First : forall r, only = Some r -> may_be_first (win G) candidates everything rows everything r).
  { intros r Hr. assert (M : may (win G) candidates r everything = true) by (rewrite Hr in FP; exact FP).
    unfold only in Hr. destruct (first c) as [g|]; [|discriminate]. destruct (useful (win G) everything r) eqn:U.
    - left. split; [exact (useful_in G all_rows everything candidates g r Hr U M)|exact M].
    - right. split.
      + destruct (bool_dec candidates true) as [C|C]; [|apply not_true_is_false, C]. unfold may in M. rewrite C in M.
        cbn [negb orb] in M. unfold useful in U. rewrite M, orb_true_r in U. discriminate.
      + exists (key (look r (hd 0 everything))). intros s Hs. apply (useless_is G); assumption. }
  assert (B : first_lb (win G) candidates weight rate penalty rows only (within c) everything b).
  { apply (refusal_true (win G) candidates weight everything rate penalty numbered rows pay ending unit) in E; try
    exact E;
      try exact First.
    - reflexivity.
    - apply numbers_once.
    - exact D.
    - apply by_weight_sorted, WM.
    - exact (prices_win_once _ _ _ _ _ _ D PH).
    - intros r s Hr Hs Wn. destruct (prices_are _ _ _ _ _ _ r s PH Hr Hs) as [P _]. rewrite Wn in P. exact P.
    - intros r s Hr Hs Wn. destruct (prices_are _ _ _ _ _ _ r s PH Hr Hs) as [P _]. rewrite Wn in P. exact P.
    - intros Nw s _. unfold ending. rewrite Nw. reflexivity.
    - intros r s Hr Hs. apply (prices_are _ _ _ _ _ _ r s PH Hr Hs).
    - intros l S. destruct (Nat.eq_dec payer 0) as [Z|Z].
      { intros _ _. unfold chain. rewrite Z. apply lb_0. }
      assert (PO : pays_once rows everything payer = true).
      { unfold payer in *. destruct ((unit =? 0) && pays_once rows everything paid_once) eqn:Q; [|contradiction].
        apply andb_prop in Q. apply Q. }
      assert (In_rows : forall r, In r (askable (win G) candidates rows S) -> In r rows)
        by (intros r Hr; apply in_askable in Hr; apply Hr).
      intros O L. apply lb_of_all.
      apply (chain_true (win G) weight everything); [exact D| |..|exact O|exact L].
      + apply (askable_wins_once (win G) candidates rows everything). exact (prices_win_once _ _ _ _ _ _ D PH).
      + intros r x y Hr Hx Hy Px Py. apply In_rows in Hr. destruct (pays_once_is rows everything payer r x PO Hr Hx
        Px) as [Kx _].
        destruct (pays_once_is rows everything payer r y PO Hr Hy Py) as [Ky _]. congruence.
      + intros r s Hr Hs Ps. apply (pays_once_is rows everything payer r s PO (In_rows r Hr) Hs Ps).
    - intros l S K Pn Nw _ HK O L F. apply lb_of_all. rewrite Pn.
      assert (In_rows : forall r, In r (askable (win G) candidates rows S) -> In r rows)
        by (intros r Hr; apply in_askable in Hr; apply Hr).
      apply (huffman_true (win G) weight everything) with (ending := ending); try assumption; try lia; try exact
        (askable_wins_once (win G) candidates rows everything (prices_win_once _ _ _ _ _ _ D PH) S);
        try (apply by_weight_sorted, WM).
      + intros r s Hr Hs. apply (prices_are _ _ _ _ _ _ r s PH (In_rows r Hr) Hs).
      + intros s _. unfold ending. rewrite Nw. reflexivity.
    - intros C. rewrite C. reflexivity.
    - intros _ r Hr x y Hx Hy K. pose proof (prices_win_once _ _ _ _ _ _ D PH r Hr x y Hx Hy) as Wx.
      apply in_map_iff in Hr as [[g r'] [Er Hr]]. cbn [snd] in Er. subst r'. apply filter_In in Hr as [Hr _].
      apply in_numbers in Hr. destruct (There g r x Hr Hx) as [a1 [p Cx]], (There g r y Hr Hy) as [a2 [q Cy]].
      destruct (cell_is G all_rows RM g x a1 p Cx) as [r1 [R1 [A1' L1]]]. rewrite Hr in R1. injection R1 as <-.
      destruct (cell_is G all_rows RM g y a2 q Cy) as [r2 [R2 [A2 L2]]]. rewrite Hr in R2. injection R2 as <-.
      assert (V : won (win G) (look r x) = won (win G) (look r y)) by (unfold won; rewrite K; reflexivity).
      destruct (won (win G) (look r x)) eqn:W; [rewrite (Wx eq_refl (eq_sym V)); reflexivity|].
      rewrite (won_is G r g a1 x p L1) in W. rewrite (won_is G r g a2 y q L2) in V. symmetry in V.
      rewrite L1, L2 in K. cbn [key] in K. assert (Ea : a1 = a2).
      { rewrite <- (name_is (win G) (labels G g) a1 A1' W), K. apply name_is; assumption. }
      subst a2. rewrite L1, L2. exact (Once g x y a1 p q Cx Cy). }
  assert (Any : asks_as_it_may G candidates t everything).
  { intros C. exact (asks_same G t (secrets G) everything (fun s => conj (Permutation_in s (Permutation_sym EP))
      (Permutation_in s EP)) (Hc C)). }
  assert (Fin : exists T, stands_for G everything T t /\
    (solves (win G) T everything -> le b (PricedTheory.cost (win G) weight rate penalty T (within c) everything))).
  { destruct (first c) as [g|] eqn:F.
    - destruct t as [|g' next]; [destruct Hb|]. cbn [begins] in Hb. subst g'. specialize (FM g eq_refl).
      destruct (nth_error all_rows g) as [r|] eqn:R; [|apply nth_error_None in R; lia].
      exists (asked_tree G all_rows everything g r next everything). split; [apply asked_stands; assumption|].
      unfold only in B. cbn [first_lb] in B. intros S. apply B; [|exact S].
      apply asked_permitted; try assumption.
    - exists (tree_of G all_rows everything t everything). split; [apply tree_stands; assumption|]. unfold only in B.
      cbn
      [first_lb] in B.
      intros S. apply B; [apply tree_permitted; auto using incl_refl|exact S]. }
  destruct Fin as [T [S1 S2]]. apply (le_trans _ _ _ (S2 (stands_solves G everything EP T t S1 Ht))).
  eapply le_trans; [apply (stands_cost G everything EP rate penalty T t weight (within c) S1 Ht)|].
  apply total_le. intros s Hs. rewrite (WG s Hs). apply le_refl.
Qed.

(** The cells of costs say what a guess costs for each response. *)
Lemma response_price to_win table G g s s' a p q : game_of to_win table = Some G ->
  PricedGame.cell G g s = Some (a, p) -> PricedGame.cell G g s' = Some (a, q) -> p = q.
Proof.
  intros E. assert (R : forall row, In row (guesses G) -> exists costs, forall b c, In (b, c) row ->
    PricedGame.price costs b = Some c).
  { unfold game_of in E. destruct (rows_of table) as [[|[|h heads] rows]|]; try discriminate. cbv zeta in E.
    destruct (all_some (map (row_of heads) _)) as [gs|] eqn:A; [|discriminate]. apply all_some_is in A.
    assert (GG : guesses G = gs) by (destruct (match filter is_weight rows with [] => _ | _ => _ end);
      [|discriminate];
      injection E as <-; reflexivity).
    intros row Hr. rewrite GG in Hr. apply (in_map Some) in Hr. rewrite <- A in Hr. apply in_map_iff in Hr as [cells
      [Hc _]].
    unfold row_of in Hc. cbv zeta in Hc. apply all_some_is in Hc. exists (filter (fun hc => is_cost (fst hc))
      (combine heads cells)).
    intros b c Hb. apply (in_map Some) in Hb. rewrite <- Hc in Hb. apply in_map_iff in Hb as [hc [Hb _]].
    destruct (PricedGame.price _ (snd hc)) as [v|] eqn:P; [|discriminate]. injection Hb as <- <-. exact P. }
  unfold PricedGame.cell. destruct (nth_error (guesses G) g) as [row|] eqn:Eg; [|discriminate].
  intros H H'. destruct (R row (nth_error_In _ _ Eg)) as [costs C].
  pose proof (C _ _ (nth_error_In _ _ H)). pose proof (C _ _ (nth_error_In _ _ H')). congruence.
Qed.

(** What the checker accepts is true of the table. *)
Theorem priced_sound table certificate c : check table certificate = inl c -> holds table c.
Proof.
  unfold check. destruct (words_of certificate) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 proof]]]]]]]]; try
    discriminate.
  cbv zeta. destruct (negb _); [discriminate|]. destruct (goal_in w5) as [[to_win candidates]|]; [|discriminate].
  destruct (game_of to_win table) as [G|] eqn:GO; [|discriminate].
  destruct (all_some _) as [all_rows|] eqn:RM; [|discriminate]. destruct (weights_row _) as [ws|] eqn:WM;
    [|discriminate].
  destruct (limit_in w7) as [l|]; [|discriminate]. destruct (first_in all_rows w6) as [f|] eqn:FI; [|discriminate].
  destruct (cost_in w8 l _) as [[[[b rate] penalty] said]|] eqn:CI; [|discriminate].
  set (c' := {| PricedGame.to_win := to_win; PricedGame.only := candidates; PricedGame.first := f;
    PricedGame.within := l; PricedGame.least := said |}).
  destruct (refused _ _ _ _ _ _ _ _) eqn:E; [discriminate|]. intros [= <-]. exists G. split; [exact GO|].
  assert (W : win G = to_win).
  { assert (X : forall (a : option (list (list (text * nat)))) (b : option (list nat)),
      match a, b with
      | Some guesses, Some weights => Some {| win := to_win; weights := weights; guesses := guesses |}
      | _, _ => None
      end = Some G -> win G = to_win) by (intros [a|] [b'|]; try discriminate; intros [= <-]; reflexivity).
    revert GO. unfold game_of. destruct (rows_of table) as [[|[|h heads] rows]|]; try discriminate. apply X. }
  apply (refused_true G all_rows ws c' b rate penalty proof w8); try assumption;
    [intros g s s' a p q; apply (response_price to_win table), GO|rewrite W; exact RM|].
  intros g Hg. cbn [first c'] in Hg. subst f. unfold first_in in FI. destruct (spells "-" w6); [discriminate|].
  unfold guess_in in FI. destruct (number w6) as [[|k]|]; try discriminate. destruct (Nat.ltb_spec k (List.length
    all_rows)); [|discriminate].
  injection FI as <-. assumption.
Qed.

Print Assumptions priced_sound.
