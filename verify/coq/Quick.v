(** What the quick checker of codes shows is a claim of [Game.v]. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import CodeGame Main.
From Proof Require Trees Game Kinds.
Import ListNotations.

Section Codes.

Variable G : game.
Variable limit : option nat.
Variable cost : option nat.

Let all := codes G.

Definition stated : Game.claim :=
  {| Game.of := Game.Codes G; Game.aim := Game.Win; Game.only := false; Game.first := None; Game.limit := limit;
     Game.cost := cost |}.

(** A strategy that asks codes, not their numbers. *)
Fixpoint by_codes (t : Game.strategy) : strategy :=
  match t with
  | Game.Stop => Stop
  | Game.Ask g next => Ask (nth g all []) (fun bw => by_codes (next [fst bw; snd bw]))
  end.

Lemma asked_by_codes t : forall d open some,
  incl some (seq 0 (length all)) -> Game.settles stated d open some t ->
  forall s, In s some -> asked G (by_codes t) (nth s all []) = Some (Game.asked stated t s) /\
                         within d (Game.asked stated t s).
Proof.
  induction t as [|g next IH]; intros d open some I H s Hs.
  - destruct H as [->|[H _]]; [destruct Hs|discriminate].
  - destruct H as [->|[H1 [H2 [_ [_ H4]]]]]; [destruct Hs|].
    cbn [by_codes asked Game.asked]. change (Game.guesses (Game.questions_of (Game.of stated))) with (length all) in H2.
    assert (E : existsb (same (nth g all [])) (codes G) = true).
    { apply existsb_exists. exists (nth g all []). split; [apply nth_In, H2|apply Kinds.same_eq; reflexivity]. }
    rewrite E. cbn [negb].
    change (Game.ends stated g s) with (same (nth g all []) (nth s all [])).
    destruct (same (nth g all []) (nth s all [])) eqn:X.
    + split; [reflexivity|]. destruct d as [[|d]|]; cbn; [congruence|lia|exact Logic.I].
    + change (Game.response (Game.questions_of (Game.of stated)) g s)
        with [fst (answer G (nth g all []) (nth s all [])); snd (answer G (nth g all []) (nth s all []))].
      set (r := [fst _; snd _]). specialize (H4 r).
      destruct (IH r (option_map pred d) _ _ (fun x Hx => I x (proj1 (proj1 (filter_In _ _ _) Hx))) H4 s) as [A B].
      { apply filter_In. split; [exact Hs|].
        change (negb (same (nth g all []) (nth s all [])) && same r r = true). rewrite X. cbn.
        apply Kinds.same_eq. reflexivity. }
      rewrite A. split; [reflexivity|]. destruct d as [d|]; cbn in *; [|exact B].
      destruct d as [|d]; [congruence|cbn in B; lia].
Qed.

Lemma map_by_number (f : code -> nat) (l : list code) : map f l = map (fun i => f (nth i l [])) (seq 0 (length l)).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length seq map nth]. rewrite <- seq_shift, map_map, IH. reflexivity.
Qed.

Theorem quick_holds : holds {| of := G; CodeGame.limit := limit; CodeGame.cost := cost |} -> Game.holds stated.
Proof.
  intros H t Ht _. change (Game.secrets (Game.questions_of (Game.of stated))) with (length all) in *.
  pose proof (asked_by_codes t limit _ _ (incl_refl _) Ht) as Q.
  assert (S' : settles G limit (by_codes t)).
  { intros secret Hs. apply (In_nth _ _ []) in Hs as [i [Hi <-]]. exists (Game.asked stated t i). apply Q, in_seq.
    split; [apply Nat.le_0_l|exact Hi]. }
  specialize (H _ S'). cbn [CodeGame.cost of] in H. cbn [Game.cost stated].
  replace (list_sum _) with (total G (by_codes t)); [exact H|].
  unfold total. fold all. rewrite map_by_number. f_equal. apply map_ext_in. intros i Hi.
  rewrite (proj1 (Q i Hi)). reflexivity.
Qed.

End Codes.
