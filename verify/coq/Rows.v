(** The answers of a claim as they are looked up: bytes, and for codes from tables. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import Vector Theory Game Kinds.
From Proof Require Board CodeGame Codes Checker Main.
Import ListNotations.

(** [shifted]: the bytes are the answers less one; [highest]: no answer is above it. *)
Record rows := { answer_bytes : bytes; shifted : bool; highest : nat }.

Definition shift (R : rows) : nat := Nat.b2n (shifted R).

Definition answer_in (R : rows) (n_guesses n_secrets g s : nat) : nat :=
  if (g <? n_guesses) && (s <? n_secrets) then byte_at (answer_bytes R) (g * n_secrets + s) + shift R else 1.

Definition code_rows (G : game) (win : bool) : option rows :=
  if (1 <=? pegs G) && (List.length (Codes.pairs G) <=? 62) then
    let all := codes G in
    let T := Codes.tables_of G all in
    let B := Codes.board_of_codes G all T in
    if Board.sound B && Codes.classed G all T
    then Some {| answer_bytes := Board.answers B; shifted := negb win; highest := pred (List.length (Codes.pairs G)) + Nat.b2n (negb win) |}
    else None
  else None.

Definition rows_by_name (k : kind) (win : bool) : option rows :=
  let B := bytes_of k win in
  if plain_kind k (largest_byte B)
  then Some {| answer_bytes := B; shifted := false; highest := largest_byte B |} else None.

Definition rows_for (k : kind) (win : bool) : option rows :=
  match k with
  | Codes G => match code_rows G win with Some R => Some R | None => rows_by_name k win end
  | _ => rows_by_name k win
  end.

Lemma code_at G i : i < List.length (codes G) -> nth_error (codes G) i = Some (nth i (codes G) []).
Proof. apply nth_error_nth'. Qed.

Section Codes.

Variable G : game.
Variable win : bool.
Variable R : rows.

Hypothesis R_is : code_rows G win = Some R.

Let n := List.length (codes G).
Let B := Codes.board_of_codes G (codes G) (Codes.tables_of G (codes G)).

Lemma code_rows_are : Board.sound B = true /\ Codes.classed G (codes G) (Codes.tables_of G (codes G)) = true /\
  R = {| answer_bytes := Board.answers B; shifted := negb win; highest := pred (List.length (Codes.pairs G)) + Nat.b2n (negb win) |}.
Proof.
  pose proof R_is as E. unfold code_rows in E. destruct (_ && _) in E; [|discriminate]. cbv zeta in E. fold B in E.
  destruct (Board.sound B) eqn:S1; [|discriminate].
  destruct (Codes.classed G (codes G) (Codes.tables_of G (codes G))) eqn:S2; [|discriminate]. injection E as <-. auto.
Qed.

Lemma code_answer g s : g < n -> s < n -> answer_in R n n g s = Board.reply B g s + shift R.
Proof.
  intros Hg Hs. apply Nat.ltb_lt in Hg, Hs. unfold answer_in. rewrite Hg, Hs. cbn [andb].
  destruct code_rows_are as [_ [_ ->]]. reflexivity.
Qed.

Lemma code_reply g s : g < n -> s < n ->
  let a := answer G (nth g (codes G) []) (nth s (codes G) []) in
  Board.reply B g s = Codes.number_of_pair (fst a) (snd a) (Codes.pairs G) /\
  Codes.number_of_pair (fst a) (snd a) (Codes.pairs G) < List.length (Codes.pairs G).
Proof.
  intros Hg Hs. destruct code_rows_are as [S1 [S2 _]].
  exact (Codes.reply_is G S1 S2 g s _ _ (code_at G g Hg) (code_at G s Hs)).
Qed.

Lemma code_same g s g' s' : g < n -> s < n -> g' < n -> s' < n ->
  (Board.reply B g s = Board.reply B g' s' <->
   answer G (nth g (codes G) []) (nth s (codes G) []) = answer G (nth g' (codes G) []) (nth s' (codes G) [])).
Proof.
  intros Hg Hs Hg' Hs'. destruct (code_reply g s Hg Hs) as [E L], (code_reply g' s' Hg' Hs') as [E' L'].
  split; [|intros Q; rewrite E, E', Q; reflexivity]. intros Q. rewrite E, E' in Q.
  apply Codes.number_found in L, L'. rewrite Q, L' in L. injection L as Q1 Q2.
  apply injective_projections; [symmetry; exact Q1|symmetry; exact Q2].
Qed.

Lemma code_most g s : g < n -> s < n -> answer_in R n n g s <= highest R.
Proof.
  intros Hg Hs. rewrite code_answer by assumption. destruct (code_reply g s Hg Hs) as [-> L].
  revert L. generalize (Codes.number_of_pair (fst (answer G (nth g (codes G) []) (nth s (codes G) [])))
    (snd (answer G (nth g (codes G) []) (nth s (codes G) []))) (Codes.pairs G)). intros v L.
  destruct code_rows_are as [_ [_ ->]]. unfold shift. cbn [shifted highest]. destruct win; cbn [negb Nat.b2n]; lia.
Qed.

End Codes.

Theorem rows_true c R :
  let G := questions_of (of c) in
  let ans := answer_in R (guesses G) (secrets G) in
  rows_for (of c) (wins_ (aim c)) = Some R ->
  highest R < 255 /\
  (forall g s, ans g s <= max (highest R) 1) /\
  (forall g s, g < guesses G -> s < secrets G -> (ans g s = 0 <-> ends c g s = true)) /\
  (forall g s s', g < guesses G -> s < secrets G -> s' < secrets G ->
    ends c g s = false -> ends c g s' = false -> (ans g s = ans g s' <-> response G g s = response G g s')).
Proof.
  intros G ans E. assert (X : rows_by_name (of c) (wins_ (aim c)) = Some R \/
    exists G', of c = Codes G' /\ code_rows G' (wins_ (aim c)) = Some R).
  { unfold rows_for in E. destruct (of c) as [G'| |]; auto. destruct (code_rows G' (wins_ (aim c))) as [R'|] eqn:Q; [|auto].
    injection E as <-. right. exists G'. auto. }
  clear E. destruct X as [X|[G' [O X]]].
  - unfold rows_by_name in X. set (B := bytes_of (of c) (wins_ (aim c))) in *.
    destruct (plain_kind (of c) (largest_byte B)) eqn:P; [|discriminate]. injection X as <-.
    assert (Q : forall g s, ans g s = ans_in B (guesses G) (secrets G) g s).
    { intros g s. unfold ans, answer_in, ans_in. cbn [answer_bytes]. destruct (_ && _); [apply Nat.add_0_r|reflexivity]. }
    destruct (kind_true c P) as [K1 K2]. fold G in K1, K2. fold B in K1, K2. cbn [highest].
    split; [|split; [|split]].
    + unfold plain_kind in P. apply andb_prop in P as [P _]. apply Nat.ltb_lt, P.
    + intros g s. rewrite Q. unfold ans_in. pose proof (byte_at_most B (g * secrets G + s)).
      destruct (_ && _); lia.
    + intros g s Hg Hs. rewrite Q. apply K1; assumption.
    + intros g s s' Hg Hs Hs' E E'. rewrite !Q. apply K2; assumption.
  - assert (NG : guesses G = List.length (codes G') /\ secrets G = List.length (codes G'))
      by (unfold G; rewrite O; split; reflexivity).
    destruct NG as [Eg Es]. destruct (code_rows_are G' (wins_ (aim c)) R X) as [S1 [S2 ER]].
    assert (Sh : shift R = Nat.b2n (negb (wins_ (aim c)))) by (rewrite ER; reflexivity).
    assert (Ends : forall g s, ends c g s = wins_ (aim c) && same (nth g (codes G') []) (nth s (codes G') [])).
    { intros g s. unfold ends. rewrite O. destruct (aim c); reflexivity. }
    unfold ans. rewrite Eg, Es. split; [|split; [|split]].
    + pose proof S1 as S1'. unfold Board.sound in S1. repeat (apply andb_prop in S1 as [S1 ?]). rewrite ?Nat.leb_le in *. rewrite ER. cbn [highest].
      change (Board.responses _) with (List.length (Codes.pairs G')) in H2. destruct (wins_ (aim c)); cbn [negb Nat.b2n]; lia.
    + intros g s. destruct (Nat.lt_ge_cases g (List.length (codes G'))) as [Hg|Hg].
      * destruct (Nat.lt_ge_cases s (List.length (codes G'))) as [Hs|Hs].
        -- pose proof (code_most G' _ R X g s Hg Hs). lia.
        -- unfold answer_in. apply Nat.ltb_ge in Hs. rewrite Hs, andb_false_r. lia.
      * unfold answer_in. apply Nat.ltb_ge in Hg. rewrite Hg. cbn. lia.
    + intros g s Hg Hs. rewrite Ends, (code_answer G' _ R X) by assumption. rewrite Sh.
      pose proof (Codes.reply_wins G' S1 S2 g s _ _ (code_at G' g Hg) (code_at G' s Hs)) as W.
      destruct (wins_ (aim c)); cbn [negb Nat.b2n andb].
      * rewrite Nat.add_0_r. exact W.
      * split; [lia|discriminate].
    + intros g s s' Hg Hs Hs' _ _. rewrite !(code_answer G' _ R X) by assumption.
      pose proof (code_same G' _ R X g s g s' Hg Hs Hg Hs') as C. unfold G. rewrite O. cbn [questions_of by_names response].
      destruct (answer G' (nth g (codes G') []) (nth s (codes G') [])) as [a1 a2],
               (answer G' (nth g (codes G') []) (nth s' (codes G') [])) as [b1 b2]. cbn [fst snd].
      split.
      * intros E. assert (E' : (a1, a2) = (b1, b2)) by (apply C; lia). congruence.
      * intros E. f_equal. apply C. congruence.
Qed.

(** Codes with the same answer, if both or neither are the secret. *)
Lemma answers_alike G win R : rows_for (Codes G) win = Some R ->
  let n := List.length (codes G) in
  forall to, (forall g, g < n -> to g < n) -> Main.keeps_answers G to -> forall g x, g < n -> x < n ->
  answer_in R n n (to g) (to x) = answer_in R n n g x.
Proof.
  intros E n to L K g x Hg Hx. destruct (K g x Hg Hx) as [K1 K2]. pose proof (L g Hg) as Lg. pose proof (L x Hx) as Lx.
  unfold rows_for in E. destruct (code_rows G win) as [R'|] eqn:X.
  - injection E as ->. rewrite !(code_answer G win R X) by assumption. f_equal. apply (code_same G win R X); assumption.
  - unfold rows_by_name in E. cbv zeta in E. destruct (plain_kind _ _) eqn:P; [|discriminate]. injection E as <-.
    apply andb_prop in P as [P _]. apply Nat.ltb_lt in P.
    assert (Q : forall g s, g < n -> s < n -> answer_in {| answer_bytes := bytes_of (Codes G) win; shifted := false;
      highest := largest_byte (bytes_of (Codes G) win) |} n n g s
      = if win && same (nth g (codes G) []) (nth s (codes G) []) then 0
        else S (index (pair_of (answer G (nth g (codes G) []) (nth s (codes G) []))) (pairs_of G))).
    { intros g' s' Hg' Hs'.
      destruct (names_ans (codes G) (codes G) (fun g s => pair_of (answer G g s)) (fun r => index r (pairs_of G)) win P
        g' s' Hg' Hs') as [A _]. unfold answer_in. rewrite (proj2 (Nat.ltb_lt _ _) Hg'), (proj2 (Nat.ltb_lt _ _) Hs').
      cbn [andb answer_bytes].
      unfold shift. cbn [shifted Nat.b2n]. rewrite Nat.add_0_r. rewrite <- A. unfold ans_in. fold n.
      rewrite (proj2 (Nat.ltb_lt _ _) Hg'), (proj2 (Nat.ltb_lt _ _) Hs'). reflexivity. }
    rewrite !Q by assumption. rewrite K1, K2. reflexivity.
Qed.
