(** The checker of whole priced certificates, and the theorem: what it accepts is true of the table. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted Ascii String Mergesort Orders.
From Proof Require Import Lists Text Labels PricedGame PricedTheory PricedChain PricedHuffman PricedChecker.
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

Definition goal_in (w : text) : option bool := if spells "win" w then Some true else if spells "identify" w then Some
  false else None.

Definition guess_in (all_rows : list row) (w : text) : option nat :=
  match number w with Some (S g) => if g <? List.length all_rows then Some g else None | _ => None end.

Definition secret_in (n : nat) (w : text) : option nat :=
  match number w with Some (S s) => if s <? n then Some s else None | _ => None end.

Definition first_in (all_rows : list row) (w : text) : option (option nat) :=
  if spells "-" w then Some None else option_map Some (guess_in all_rows w).

(** The guesses that tell something, or win, with their numbers. *)
Definition numbered_rows (to_win : bool) (everything : list nat) (all_rows : list row) : list (nat * row) :=
  filter (fun gr => useful to_win everything (snd gr)) (combine (seq 0 (List.length all_rows)) all_rows).

(** Nothing if the proof is accepted; otherwise how many words are left. *)
Definition refused (G : game) (all_rows : list row) (ws : row) (c : PricedGame.claim) (b : bound) (rate : nat)
  (penalty : bound)
    (proof : list text) : option nat :=
  let to_win := win G in
  let everything := by_weight (weights G) in
  let n := List.length (weights G) in
  let numbered := numbered_rows to_win everything all_rows in
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
      let frees := filter (fun r => existsb (fun s => PricedTheory.price (look r s) =? 0) everything) rows in
      let only := match first c with Some g => nth_error all_rows g | None => None end in
      if sound_game G everything rows && prices_hold to_win rows everything pay ending unit then
        refusal to_win weight everything rate penalty numbered rows pay ending unit frees (huffman weight)
          (chain weight rate penalty rows payer most_sum)
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
      | Some to_win =>
          match game_of to_win table with
          | Some G =>
              match all_some (map (fun row => made (cells_of to_win row)) (guesses G)), weights_row (weights G),
                limit_in within with
              | Some all_rows, Some ws, Some l =>
                  match first_in all_rows first, cost_in cost l (capped_sum (weights G)) with
                  | Some f, Some (b, rate, penalty, said) =>
                      let c := {| PricedGame.to_win := to_win; PricedGame.first := f; PricedGame.within := l;
                        PricedGame.least := said |} in
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

Lemma numbers_once to_win everything all_rows g r r' :
  In (g, r) (numbered_rows to_win everything all_rows) ->
  In (g, r') (numbered_rows to_win everything all_rows) -> r = r'.
Proof.
  intros H H'. apply filter_In in H as [H _], H' as [H' _]. apply in_numbers in H, H'. congruence.
Qed.

Section Game.

Variable G : game.
Variable all_rows : list row.
Variable everything : list nat.

Hypothesis rows_made : all_some (map (fun row => made (cells_of (win G) row)) (guesses G)) = Some all_rows.

Let rows := map snd (numbered_rows (win G) everything all_rows).

Definition labels (g : nat) : list text := labels_in (map fst (nth g (guesses G) [])) [].

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

(** A strategy as a tree, without the guesses that tell nothing. *)
Fixpoint tree_of (t : strategy) : tree :=
  match t with
  | Stop => Leaf
  | Ask g next =>
      match nth_error all_rows g with
      | None => Leaf
      | Some r =>
          if useful (win G) everything r then Node r (fun k => tree_of (next (name_of (labels g) k)))
          else tree_of (next (name_of (labels g) (key (look r (hd 0 everything)))))
      end
  end.

Lemma useful_in g r : nth_error all_rows g = Some r -> useful (win G) everything r = true -> In r rows.
Proof.
  intros R U. apply in_map_iff. exists (g, r). split; [reflexivity|]. apply filter_In. split; [|exact U].
  apply in_numbers, R.
Qed.

Lemma tree_legal t : legal rows (tree_of t).
Proof.
  induction t as [|g next IH]; cbn [tree_of]; [exact I|]. destruct (nth_error all_rows g) as [r|] eqn:R; [|exact I].
  destruct (useful _ _ r) eqn:U; [|apply IH]. split; [|intros k; apply IH]. exact (useful_in g r R U).
Qed.

Lemma useless_is r s : useful (win G) everything r = false -> In s everything ->
  key (look r s) = key (look r (hd 0 everything)) /\ won (win G) (look r s) = false.
Proof.
  intros U Hs. apply orb_false_elim in U as [U1 U2]. split.
  - apply (tells_not r everything U1); [exact Hs|]. destruct everything; [destruct Hs|left; reflexivity].
  - destruct (won _ _) eqn:W; [|reflexivity]. rewrite <- U2. symmetry. apply existsb_exists. exists s. auto.
Qed.

Lemma won_is r g a s c : look r s = {| key := key_of (win G) (labels g) a; PricedTheory.price := c |} ->
  won (win G) (look r s) = win G && spells "win" a.
Proof.
  intros ->. unfold won, key_of. cbn [key]. destruct (win G); [|reflexivity]. cbn [andb]. destruct (spells "win" a);
    reflexivity.
Qed.

Definition asked_tree (g : nat) (r : row) (next : text -> strategy) : tree := Node r (fun k => tree_of (next (name_of
  (labels g) k))).

Lemma paid_asked g r next s p : nth_error all_rows g = Some r ->
  (forall a q, PricedGame.paid G (next a) s = Some q -> le (PricedTheory.paid (win G) (tree_of (next a)) s) (Some q))
    ->
  PricedGame.paid G (Ask g next) s = Some p -> le (PricedTheory.paid (win G) (asked_tree g r next) s) (Some p).
Proof.
  intros R IH H. cbn [PricedGame.paid] in H. destruct (PricedGame.cell G g s) as [[a c]|] eqn:C; [|discriminate].
  destruct (cell_is g s a c C) as [r' [R' [A L]]]. rewrite R in R'. injection R' as <-. pose proof (won_is r g a s c
    L) as W.
  unfold asked_tree. cbn [PricedTheory.paid]. cbv zeta. rewrite W, L. cbn [key PricedTheory.price].
  destruct (win G && spells "win" a) eqn:Win; [injection H as <-; apply le_refl|].
  destruct (PricedGame.paid G (next a) s) as [q|] eqn:Q; [|discriminate]. injection H as <-. rewrite name_is by
    assumption.
  apply (plus_le (Some c) (Some c) _ (Some q) (le_refl _) (IH a q Q)).
Qed.

Lemma apart_asked g r next x y : nth_error all_rows g = Some r -> win G = false ->
  (forall a, told_apart G (next a) x y = true -> apart (tree_of (next a)) x y = true) ->
  told_apart G (Ask g next) x y = true -> apart (asked_tree g r next) x y = true.
Proof.
  intros R Nw IH H. cbn [told_apart] in H.
  destruct (PricedGame.cell G g x) as [[a c]|] eqn:Cx; [|discriminate].
  destruct (PricedGame.cell G g y) as [[b d]|] eqn:Cy; [|discriminate].
  destruct (cell_is g x a c Cx) as [r1 [R1 [A L]]]. destruct (cell_is g y b d Cy) as [r2 [R2 [B L']]].
  rewrite R in R1, R2. injection R1 as <-. injection R2 as <-.
  assert (Na : name_of (labels g) (key_of (win G) (labels g) a) = a) by (apply name_is; [exact A|rewrite Nw;
    reflexivity]).
  assert (Nb : name_of (labels g) (key_of (win G) (labels g) b) = b) by (apply name_is; [exact B|rewrite Nw;
    reflexivity]).
  unfold asked_tree. cbn [apart]. rewrite L, L'. cbn [key]. rewrite Na.
  destruct (Nat.eqb_spec (key_of (win G) (labels g) a) (key_of (win G) (labels g) b)) as [E|E]; [|reflexivity].
  cbn [negb orb]. apply IH. rewrite E in Na. rewrite Na in Nb. subst b.
  assert (S : same_text a a = true) by (apply same_text_eq; reflexivity). rewrite S in H. exact H.
Qed.

Lemma paid_tree t s : In s everything -> forall p, PricedGame.paid G t s = Some p -> le (PricedTheory.paid (win G)
  (tree_of t) s) (Some p).
Proof.
  intros Hs. induction t as [|g next IH]; intros p H; cbn [tree_of].
  - cbn [PricedTheory.paid PricedGame.paid] in *. destruct (win G); [discriminate|]. injection H as <-. apply le_refl.
  - destruct (PricedGame.cell G g s) as [[a c]|] eqn:C; [|cbn [PricedGame.paid] in H; rewrite C in H; discriminate].
    destruct (cell_is g s a c C) as [r [R [A L]]]. rewrite R. pose proof (paid_asked g r next s p R IH H) as Q.
    destruct (useful (win G) everything r) eqn:U; [exact Q|]. destruct (useless_is r s U Hs) as [K W]. rewrite <- K.
    apply (le_trans _ _ _ (paid_next (win G) r (fun k => tree_of (next (name_of (labels g) k))) s _ eq_refl W) Q).
Qed.

Lemma apart_tree t x y : win G = false -> In x everything -> In y everything -> told_apart G t x y = true -> apart
  (tree_of t) x y = true.
Proof.
  intros Nw Hx Hy. induction t as [|g next IH]; intros H; cbn [tree_of]; [discriminate|].
  destruct (PricedGame.cell G g x) as [[a c]|] eqn:Cx; [|cbn [told_apart] in H; rewrite Cx in H; discriminate].
  destruct (cell_is g x a c Cx) as [r [R [A L]]]. rewrite R. pose proof (apart_asked g r next x y R Nw IH H) as Q.
  destruct (useful (win G) everything r) eqn:U; [exact Q|]. destruct (useless_is r x U Hx) as [Kx _], (useless_is r y
    U Hy) as [Ky _].
  unfold asked_tree in Q. cbn [apart] in Q. rewrite Kx, Ky, Nat.eqb_refl in Q. exact Q.
Qed.

Hypothesis everything_is : Permutation everything (secrets G).

(** A tree that stands for a strategy: nobody pays more, and it tells apart what the strategy does. *)
Definition stands_for (T : tree) (t : strategy) : Prop :=
  (forall s, In s everything -> forall p, PricedGame.paid G t s = Some p -> le (PricedTheory.paid (win G) T s) (Some
    p)) /\
  (win G = false -> forall x y, In x everything -> In y everything -> told_apart G t x y = true -> apart T x y =
    true).

Lemma tree_stands t : stands_for (tree_of t) t.
Proof. split; [intros s Hs; apply paid_tree, Hs|intros; apply apart_tree; assumption]. Qed.

Lemma asked_stands g r next : nth_error all_rows g = Some r -> stands_for (asked_tree g r next) (Ask g next).
Proof.
  intros R. split.
  - intros s Hs p. apply paid_asked; [exact R|]. intros a q. apply paid_tree, Hs.
  - intros Nw x y Hx Hy. apply apart_asked; [exact R|exact Nw|]. intros a. apply apart_tree; assumption.
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
  all_some (map (fun row => made (cells_of (win G) row)) (guesses G)) = Some all_rows ->
  weights_row (weights G) = Some ws -> cost_in w (within c) (capped_sum (weights G)) = Some (b, rate, penalty, least
    c) ->
  (forall g, first c = Some g -> g < List.length all_rows) ->
  refused G all_rows ws c b rate penalty proof = None ->
  forall t, settles G t -> begins (first c) t -> true_of G (within c) (least c) t.
Proof.
  intros RM WM CM FM E t Ht Hb. unfold refused in E. cbv zeta in E.
  set (everything := by_weight (weights G)) in *. set (numbered := numbered_rows (win G) everything all_rows) in *.
  set (rows := map snd numbered) in *.
  destruct (made _) as [pays|] in E; [|discriminate]. destruct (made _) as [endings|] in E; [|discriminate].
  set (weight := fun s => PricedTheory.price (look ws s)) in *.
  set (pay := fun s => decoded (look pays s)) in *. set (ending := fun s => if win G then decoded (look endings s)
    else Some 0) in *.
  set (unit := unit_of rows everything) in *. set (paid_once := payer_of rows everything) in *.
  set (payer := if (unit =? 0) && pays_once rows everything paid_once then paid_once else 0) in *. destruct (_ && _)
    eqn:Q in E; [|discriminate]. apply andb_prop in Q as [SG PH].
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
  assert (First : forall r, only = Some r -> may_be_first (win G) everything rows r).
  { intros r Hr. unfold only in Hr. destruct (first c) as [g|]; [|discriminate]. destruct (useful (win G) everything
    r) eqn:U.
    - left. exact (useful_in G all_rows everything g r Hr U).
    - right. exists (key (look r (hd 0 everything))). intros s Hs. apply (useless_is G); assumption. }
  assert (B : first_lb (win G) weight rate penalty rows only (within c) everything b).
  { apply (refusal_true (win G) weight everything rate penalty numbered rows pay ending unit) in E; try exact E;
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
      apply chain_true; [exact D|exact (prices_win_once _ _ _ _ _ _ D PH)|..].
      + intros r x y Hr Hx Hy Px Py. destruct (pays_once_is rows everything payer r x PO Hr Hx Px) as [Kx _].
        destruct (pays_once_is rows everything payer r y PO Hr Hy Py) as [Ky _]. congruence.
      + intros r s Hr Hs Ps. apply (pays_once_is rows everything payer r s PO Hr Hs Ps).
    - intros l S K Pn Nw _ HK O L F. rewrite Pn.
      apply (huffman_true (win G) weight everything) with (ending := ending); try assumption; try lia; try exact
        (prices_win_once _ _ _ _ _ _ D PH); try (apply by_weight_sorted, WM).
      + intros r s Hr Hs. apply (prices_are _ _ _ _ _ _ r s PH Hr Hs).
      + intros s _. unfold ending. rewrite Nw. reflexivity. }
  assert (Fin : exists T, stands_for G everything T t /\
    (solves (win G) T everything -> le b (PricedTheory.cost (win G) weight rate penalty T (within c) everything))).
  { destruct (first c) as [g|] eqn:F.
    - destruct t as [|g' next]; [destruct Hb|]. cbn [begins] in Hb. subst g'. specialize (FM g eq_refl).
      destruct (nth_error all_rows g) as [r|] eqn:R; [|apply nth_error_None in R; lia].
      exists (asked_tree G all_rows everything g r next). split; [apply asked_stands; assumption|].
      unfold only in B. cbn [first_lb] in B. intros S. apply B; [intros k; apply tree_legal|exact S].
    - exists (tree_of G all_rows everything t). split; [apply tree_stands; assumption|]. unfold only in B. cbn
      [first_lb] in B.
      intros S. apply B; [apply tree_legal|exact S]. }
  destruct Fin as [T [S1 S2]]. apply (le_trans _ _ _ (S2 (stands_solves G everything EP T t S1 Ht))).
  eapply le_trans; [apply (stands_cost G everything EP rate penalty T t weight (within c) S1 Ht)|].
  apply total_le. intros s Hs. rewrite (WG s Hs). apply le_refl.
Qed.

(** What the checker accepts is true of the table. *)
Theorem priced_sound table certificate c : check table certificate = inl c -> holds table c.
Proof.
  unfold check. destruct (words_of certificate) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 proof]]]]]]]]; try
    discriminate.
  cbv zeta. destruct (negb _); [discriminate|]. destruct (goal_in w5) as [to_win|]; [|discriminate].
  destruct (game_of to_win table) as [G|] eqn:GO; [|discriminate].
  destruct (all_some _) as [all_rows|] eqn:RM; [|discriminate]. destruct (weights_row _) as [ws|] eqn:WM;
    [|discriminate].
  destruct (limit_in w7) as [l|]; [|discriminate]. destruct (first_in all_rows w6) as [f|] eqn:FI; [|discriminate].
  destruct (cost_in w8 l _) as [[[[b rate] penalty] said]|] eqn:CI; [|discriminate].
  set (c' := {| PricedGame.to_win := to_win; PricedGame.first := f; PricedGame.within := l; PricedGame.least := said
    |}).
  destruct (refused _ _ _ _ _ _ _ _) eqn:E; [discriminate|]. intros [= <-]. exists G. split; [exact GO|].
  assert (W : win G = to_win).
  { assert (X : forall (a : option (list (list (text * nat)))) (b : option (list nat)),
      match a, b with
      | Some guesses, Some weights => Some {| win := to_win; weights := weights; guesses := guesses |}
      | _, _ => None
      end = Some G -> win G = to_win) by (intros [a|] [b'|]; try discriminate; intros [= <-]; reflexivity).
    revert GO. unfold game_of. destruct (rows_of table) as [[|[|h heads] rows]|]; try discriminate. apply X. }
  apply (refused_true G all_rows ws c' b rate penalty proof w8); try assumption; [rewrite W; exact RM|].
  intros g Hg. cbn [first c'] in Hg. subst f. unfold first_in in FI. destruct (spells "-" w6); [discriminate|].
  unfold guess_in in FI. destruct (number w6) as [[|k]|]; try discriminate. destruct (Nat.ltb_spec k (List.length
    all_rows)); [|discriminate].
  injection FI as <-. assumption.
Qed.

Print Assumptions priced_sound.
