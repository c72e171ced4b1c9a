(** P5 of PRICED.md: the path of those who pay for every guess, where each guess has one response at most that costs
    something, as in Hangman. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted.
From Proof Require Import Lists PricedTheory.
Import ListNotations.
Local Arguments Nat.ltb : simpl never.
Local Arguments Nat.leb : simpl never.
Local Arguments Nat.mul : simpl never.
Local Arguments Nat.sub : simpl never.
Local Arguments Nat.eqb : simpl never.

Lemma sum_incl {A} (f : A -> nat) k l : NoDup k -> incl k l -> sum f k <= sum f l.
Proof.
  intros D. revert l. induction D as [|x k N D IH]; intros l I; [cbn; lia|]. rewrite sum_cons.
  destruct (in_split x l (I x (or_introl eq_refl))) as [l1 [l2 ->]]. rewrite sum_app, sum_cons.
  specialize (IH (l1 ++ l2)). rewrite sum_app in IH. enough (sum f k <= sum f l1 + sum f l2) by lia. apply IH.
  intros y Hy. specialize (I y (or_intror Hy)). apply in_app_or in I as [I|[->|I]]; [apply in_or_app;
    auto|contradiction|apply in_or_app; auto].
Qed.

(** The largest numbers first; nothing has to be proved of it. *)
Fixpoint insert_down (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: rest => if y <=? x then x :: l else y :: insert_down x rest end.

Definition falling (l : list nat) : list nat := fold_right insert_down [] l.

(** Products that stop at a number, so that they fit into a machine integer. *)
Definition capped_times (most a b : nat) : nat := if b =? 0 then 0 else if a <=? most / b then a * b else most.

Lemma capped_times_le most a b : capped_times most a b <= a * b.
Proof.
  unfold capped_times. destruct (Nat.eqb_spec b 0); [lia|]. destruct (Nat.leb_spec a (most / b)); [lia|].
  pose proof (Nat.div_mod most b ltac:(lia)). pose proof (Nat.mod_upper_bound most b ltac:(lia)). nia.
Qed.

Section Chain.

Variable win : bool.
Variable weight : nat -> nat.
Variable everything : list nat.
Variable rate : nat.
Variable penalty : bound.
Variable rows : list row.
Variable payer : nat.                  (* the least that anybody pays who pays; 0: there are other guesses *)
Variable most : nat.

Definition spares (S : list nat) (r : row) : nat := heft weight (filter (fun s => price (look r s) =? 0) S).

(** So many guesses spare the set so much at most: those that spare most, as each spares no more than [p] and its
  excess. *)
Definition gone (es down : list nat) (k : nat) : nat :=
  match k with 0 => 0 | S i => let p := nth i down 0 in k * p + sum (fun e => e - p) es end.

Fixpoint run (fuel k all heavy : nat) (es down : list nat) : nat :=
  match fuel with
  | 0 => 0
  | S fuel =>
      let r := all - gone es down (S k) in
      if r =? 0 then 0 else r + (if r <=? heavy then 0 else run fuel (S k) all heavy es down)
  end.

Definition chain (l : bound) (S : list nat) : bound :=
  let rs := filter (fun r => tells r S) rows in
  let all := heft weight S in
  if (payer =? 0) || (most / Datatypes.S (length rs) <? all) then Some 0
  else
    let es := map (spares S) rs in
    let down := falling es in
    let heavy := fold_right (fun s m => Nat.max (weight s) m) 0 S in
    greater
      (match l with
       | Some m =>
           let q := m / payer in
           times (min (all - gone es down q - heavy) (all - gone es down (Datatypes.S q))) (lost rate penalty l)
       | None => Some 0
       end)
      (match penalty with
       | None => Some (rate * capped_times most payer (run (length es) 0 all heavy es down))
       | Some _ => Some 0
       end).

Hypothesis everything_once : NoDup everything.
Hypothesis one_win : wins_once win everything rows.
Hypothesis pay_alike : forall r x y, In r rows -> In x everything -> In y everything ->
  price (look r x) <> 0 -> price (look r y) <> 0 -> key (look r x) = key (look r y).
Hypothesis payer_least : forall r s, In r rows -> In s everything -> price (look r s) <> 0 -> payer <= price (look r
  s).

Notation ok := (ok everything).
Notation solves := (solves win).
Notation paid := (paid win).
Notation heft := (heft weight).

Section Set_.

Variable S : list nat.
Hypothesis S_ok : ok S.

Let rs := filter (fun r => tells r S) rows.
Let all := heft S.
Let es := map (spares S) rs.
Let down := falling es.
Let heavy := fold_right (fun s m => Nat.max (weight s) m) 0 S.

Lemma gone_true U k : NoDup U -> incl U rs -> length U <= k -> sum (spares S) U <= gone es down k.
Proof.
  intros D I L. destruct k as [|k]; [destruct U; [cbn; lia|cbn in L; lia]|]. unfold gone. set (p := nth k down 0).
  assert (A : sum (spares S) U <= length U * p + sum (fun r => spares S r - p) U).
  { clear. induction U as [|u U IH]; [cbn; lia|]. rewrite !sum_cons. cbn [length]. lia. }
  assert (B : sum (fun r => spares S r - p) U <= sum (fun e => e - p) es).
  { unfold es, sum. rewrite map_map. fold (sum (fun r => spares S r - p) rs). exact (sum_incl _ _ _ D I). }
  nia.
Qed.

Lemma heavy_is X : incl X S -> NoDup X -> length X <= 1 -> heft X <= heavy.
Proof.
  intros I D L. destruct X as [|x [|y X]]; cbn in L; try lia; [cbn; lia|]. unfold PricedTheory.heft. cbn [map
    list_sum fold_right].
  specialize (I x (or_introl eq_refl)). clear - I. unfold heavy. clear heavy. induction S as [|y l IH]; [destruct
    I|]. cbn [fold_right].
  destruct I as [->|I]; [lia|specialize (IH I); lia].
Qed.

Lemma tells_more r X : incl X S -> tells r X = true -> tells r S = true.
Proof.
  intros I H. destruct (tells r S) eqn:E; [reflexivity|]. pose proof (tells_not r S E) as Q. destruct X as [|x X];
    [discriminate|].
  cbn [tells] in H. apply existsb_exists in H as [y [Hy H]]. rewrite (Q y x), Nat.eqb_refl in H; [discriminate|..];
    apply I; cbn; auto.
Qed.

Lemma tells_fewer r X Y : incl Y X -> tells r X = false -> tells r Y = false.
Proof.
  intros I H. destruct Y as [|y Y]; [reflexivity|]. cbn [tells]. destruct (existsb _ Y) eqn:E; [|reflexivity].
  apply existsb_exists in E as [z [Hz E]]. rewrite (tells_not r X H z y), Nat.eqb_refl in E; [discriminate|..]; apply
    I; cbn; auto.
Qed.

(** What is on the path: guesses were asked, none of which tells it apart any more. *)
Definition on_path (X : list nat) (U : list row) : Prop :=
  ok X /\ incl X S /\ NoDup U /\ incl U rs /\ (forall u, In u U -> tells u X = false) /\ all <= heft X + sum (spares
    S) U.

Definition payers (r : row) (X : list nat) : list nat := filter (fun s => negb (price (look r s) =? 0)) X.

Lemma next_path r X U : In r rows -> on_path X U -> tells r X = true ->
  all <= heft (payers r X) + sum (spares S) (r :: U) /\ NoDup (r :: U) /\ incl (r :: U) rs /\
  on_path (payers r X) (r :: U).
Proof.
  intros Hr [O [I [D [J [N A]]]]] T.
  assert (B : all <= heft (payers r X) + sum (spares S) (r :: U)).
  { rewrite sum_cons. assert (E : heft X = heft (filter (fun s => price (look r s) =? 0) X) + heft (payers r X)).
    { clear. unfold payers. induction X as [|x X IH]; [reflexivity|]. cbn [filter]. destruct (_ =? 0); cbn [negb];
      rewrite !heft_cons; lia. }
    assert (F : heft (filter (fun s => price (look r s) =? 0) X) <= spares S r).
    { unfold spares. apply (sum_incl weight); [apply NoDup_filter, (ok_once everything everything_once X O)|].
      intros s Hs. apply filter_In in Hs as [H1 H2]. apply filter_In. auto. }
    lia. }
  assert (D' : NoDup (r :: U)) by (constructor; [intros Q; rewrite (N r Q) in T; discriminate|exact D]).
  assert (J' : incl (r :: U) rs).
  { intros u [<-|Hu]; [|apply J, Hu]. apply filter_In. split; [exact Hr|exact (tells_more r X I T)]. }
  assert (IX : incl (payers r X) X) by (intros s Hs; apply filter_In in Hs; apply Hs).
  split; [exact B|]. split; [exact D'|]. split; [exact J'|]. split; [apply ok_filter, O|]. split; [intros s Hs; apply
    I, IX, Hs|].
  split; [exact D'|]. split; [exact J'|]. split; [|exact B].
  intros u [<-|Hu]; [|exact (tells_fewer u X _ IX (N u Hu))]. destruct (tells r (payers r X)) eqn:E; [|reflexivity].
    exfalso.
  destruct (payers r X) as [|x P] eqn:Q; [discriminate|]. cbn [tells] in E. apply existsb_exists in E as [y [Hy E]].
  assert (Hx' : In x (payers r X)) by (rewrite Q; left; reflexivity).
  assert (Hy' : In y (payers r X)) by (rewrite Q; right; exact Hy).
  apply filter_In in Hx' as [X1 X2], Hy' as [Y1 Y2].
  rewrite (pay_alike r y x), Nat.eqb_refl in E; [discriminate|exact Hr|exact (ok_in _ _ _ O Y1)|exact (ok_in _ _ _ O
    X1)|..];
    intros Z; rewrite Z in *; discriminate.
Qed.

(** Two who pay have not won, and meet the same tree. *)
Lemma payers_go_on r next X x : In r rows -> ok X -> solves (Node r next) X -> In x (payers r X) -> 2 <= length
  (payers r X) ->
  solves (next (key (look r x))) (payers r X) /\
  forall s, In s (payers r X) -> key (look r s) = key (look r x) /\ won win (look r s) = false.
Proof.
  intros Hr O Ht Hx L.
  assert (K : forall s, In s (payers r X) -> key (look r s) = key (look r x)).
  { intros s Hs. apply filter_In in Hs as [S1 S2], Hx as [X1 X2].
    apply (pay_alike r s x Hr (ok_in _ _ _ O S1) (ok_in _ _ _ O X1)); intros Z; rewrite Z in *; discriminate. }
  assert (W : forall s, In s (payers r X) -> won win (look r s) = false).
  { intros s Hs. destruct (won win (look r s)) eqn:W; [|reflexivity]. exfalso.
    assert (Q : forall z, In z (payers r X) -> won win (look r z) = true) by (intros z Hz; unfold won in *; rewrite
      (K z Hz), <- (K s Hs); exact W).
    pose proof (ok_once everything everything_once _ (ok_filter everything (fun s => negb (price (look r s) =? 0)) X
      O)) as D.
    fold (payers r X) in D. assert (M : forall z, In z (payers r X) -> In z everything).
    { intros z Hz. apply filter_In in Hz as [Hz _]. exact (ok_in _ _ _ O Hz). }
    destruct (payers r X) as [|a [|b P]]; cbn in L; try lia. inversion D; subst. apply H1. left. symmetry.
    apply (one_win r Hr); auto using in_eq, in_cons. }
  split; [|auto]. apply (solves_next win r next X _ _ Ht); [intros s Hs; apply filter_In in Hs; apply Hs|auto].
Qed.

Lemma payer_pays r next X s : In r rows -> ok X -> In s (payers r X) -> le (Some payer) (paid (Node r next) s).
Proof.
  intros Hr O Hs. apply filter_In in Hs as [H1 H2].
  assert (P : payer <= price (look r s)) by (apply payer_least; [exact Hr|exact (ok_in _ _ _ O H1)|intros Z; rewrite
    Z in *; discriminate]).
  cbn [PricedTheory.paid]. cbv zeta. destruct (won win _); [exact P|]. destruct (PricedTheory.paid win _ s); cbn;
    [lia|exact I].
Qed.

Definition pay_sum (t : tree) (X : list nat) : bound := total (fun s => times (weight s) (paid t s)) X.

Lemma useless_step r next X (f : nat -> tree) : In r rows -> ok X -> 2 <= length X -> tells r X = false -> solves
  (Node r next) X ->
  exists k, solves (next k) X /\ forall s, In s X -> le (paid (next k) s) (paid (Node r next) s).
Proof.
  intros Hr O L T Ht. destruct (useless_next win everything everything_once rows one_win r next X Hr O L T Ht) as [k
    [K1 K2]].
  exists k. split; [exact K1|]. intros s Hs. apply paid_next; apply (K2 s Hs).
Qed.

Lemma run_true t : legal rows t -> forall fuel X U, solves t X -> on_path X U -> 2 <= length X ->
  le (Some (payer * run fuel (length U) all heavy es down)) (pay_sum t X).
Proof.
  induction t as [|r next IH]; intros Lt fuel X U Ht P L.
  { destruct P as [O _]. destruct (not_leaf win everything everything_once X O L Ht). }
  destruct Lt as [Hr Ln]. pose proof P as [O _]. destruct (tells r X) eqn:T.
  - destruct fuel as [|fuel]; cbn [run]; [rewrite Nat.mul_0_r; apply le_0|]. cbv zeta.
    destruct (next_path r X U Hr P T) as [B [D [J P']]].
    pose proof (gone_true (r :: U) (Datatypes.S (length U)) D J (le_n _)) as G. set (g := gone es down (Datatypes.S
      (length U))) in *.
    assert (Hp : all - g <= heft (payers r X)) by lia. destruct (Nat.eqb_spec (all - g) 0) as [Z|Z]; [rewrite
      Nat.mul_0_r; apply le_0|].
    assert (Sub : le (pay_sum (Node r next) (payers r X)) (pay_sum (Node r next) X)) by apply total_filter_le.
    apply (le_trans _ (pay_sum (Node r next) (payers r X))); [|exact Sub].
    assert (First : le (Some (payer * (all - g))) (pay_sum (Node r next) (payers r X))).
    { apply (le_trans _ (total (fun s => times (weight s) (Some payer)) (payers r X))).
      - rewrite total_times. cbn [times le]. nia.
      - apply total_le. intros s Hs. apply times_le. exact (payer_pays r next X s Hr O Hs). }
    destruct (Nat.leb_spec (all - g) heavy) as [Hh|Hh]; [rewrite Nat.add_0_r; exact First|].
    assert (O' : ok (payers r X)) by apply P'. assert (I' : incl (payers r X) S) by apply P'.
    assert (L' : 2 <= length (payers r X)).
    { destruct (Nat.le_gt_cases (length (payers r X)) 1) as [Q|Q]; [|exact Q].
      pose proof (heavy_is _ I' (ok_once everything everything_once _ O') Q). lia. }
    destruct (payers r X) as [|x Q] eqn:E; [cbn in L'; lia|]. rewrite <- E in *.
    assert (Hx : In x (payers r X)) by (rewrite E; left; reflexivity).
    destruct (payers_go_on r next X x Hr O Ht Hx L') as [N1 N2].
    pose proof (IH (key (look r x)) (Ln _) fuel (payers r X) (r :: U) N1 P' L') as R. cbn [length] in R.
    apply (le_trans _ (plus (Some (payer * (all - g))) (Some (payer * run fuel (Datatypes.S (length U)) all heavy es
      down)))); [cbn [plus le]; nia|].
    apply (le_trans _ (plus (total (fun s => times (weight s) (Some payer)) (payers r X)) (pay_sum (next (key (look r
      x))) (payers r X)))).
    + apply plus_le; [|exact R]. rewrite total_times. cbn [times le]. nia.
    + unfold pay_sum. rewrite <- total_plus. apply total_le. intros s Hs. rewrite <- times_plus. apply times_le.
      destruct (N2 s Hs) as [K W]. cbn [PricedTheory.paid]. cbv zeta. rewrite W, K. apply plus_le; [|apply le_refl].
      apply filter_In in Hs as [H1 H2]. apply payer_least; [exact Hr|exact (ok_in _ _ _ O H1)|intros Q'; rewrite Q'
        in *; discriminate].
  - destruct (useless_step r next X next Hr O L T Ht) as [k [K1 K2]]. apply (le_trans _ _ _ (IH k (Ln k) fuel X U K1
    P L)).
    apply total_le. intros s Hs. apply times_le, K2, Hs.
Qed.

(** Who has paid so often. *)
Definition often (t : tree) (c : nat) (s : nat) : bool := match paid t s with Some p => c <=? p | None => true end.

Lemma often_more t t' c c' s : le (paid t s) (paid t' s) -> c' <= c -> often t c s = true -> often t' c' s = true.
Proof.
  unfold often. destruct (PricedTheory.paid win t s), (PricedTheory.paid win t' s); cbn [le]; rewrite ?Nat.leb_le;
    try tauto; try lia.
Qed.

Lemma heft_filter_le p q X : (forall s, In s X -> p s = true -> q s = true) -> heft (filter p X) <= heft (filter q X).
Proof.
  induction X as [|x X IH]; intros H; [cbn; lia|]. assert (IH' := IH (fun s Hs => H s (or_intror Hs))). cbn [filter].
  pose proof (H x (or_introl eq_refl)) as Hx. destruct (p x); [rewrite (Hx eq_refl), !heft_cons; lia|].
  destruct (q x); [rewrite heft_cons; lia|exact IH'].
Qed.

Lemma lost_true t q : legal rows t -> forall X U, solves t X -> on_path X U -> length U <= q ->
  min (all - gone es down q - heavy) (all - gone es down (Datatypes.S q))
  <= heft (filter (often t ((q - length U + 1) * payer)) X).
Proof.
  intros Lt. induction t as [|r next IH]; intros X U Ht P Q.
  all: pose proof P as [O [I [D [J [N A]]]]]; pose proof (gone_true U q D J Q) as G.
  all: destruct (Nat.le_gt_cases (length X) 1) as [L|L];
    [pose proof (heavy_is X I (ok_once everything everything_once X O) L); lia|].
  { destruct (not_leaf win everything everything_once X O L Ht). }
  destruct Lt as [Hr Ln]. destruct (tells r X) eqn:T.
  - destruct (next_path r X U Hr P T) as [B [D' [J' P']]].
    assert (O' : ok (payers r X)) by apply P'. assert (I' : incl (payers r X) S) by apply P'.
    assert (Sub : forall p, heft (filter p (payers r X)) <= heft (filter p X)).
    { intros p. apply (sum_incl weight); [apply NoDup_filter, (ok_once everything everything_once _ O')|].
      intros s Hs. apply filter_In in Hs as [H1 H2]. apply filter_In in H1 as [H1 _]. apply filter_In. auto. }
    destruct (Nat.eq_dec (length U) q) as [E|E].
    + pose proof (gone_true (r :: U) (Datatypes.S q) D' J' ltac:(cbn [length]; lia)) as G'.
      apply (Nat.le_trans _ (heft (payers r X))); [lia|]. eapply Nat.le_trans; [|apply Sub].
      replace (filter _ (payers r X)) with (payers r X); [lia|]. symmetry.
      replace (q - length U + 1) with 1 by lia. rewrite Nat.mul_1_l.
      assert (F : forall s, In s (payers r X) -> often (Node r next) payer s = true).
      { intros s Hs. pose proof (payer_pays r next X s Hr O Hs) as R. unfold often. destruct (PricedTheory.paid win _
        s); [|reflexivity].
        apply Nat.leb_le. exact R. }
      clear - F. induction (payers r X) as [|s Y IHY]; [reflexivity|]. cbn [filter]. rewrite (F s (or_introl
        eq_refl)). f_equal. apply IHY.
      intros z Hz. apply F. right. exact Hz.
    + pose proof (gone_true (r :: U) q D' J' ltac:(cbn [length]; lia)) as G'.
      destruct (Nat.le_gt_cases (length (payers r X)) 1) as [L'|L'].
      { pose proof (heavy_is _ I' (ok_once everything everything_once _ O') L'). lia. }
      destruct (payers r X) as [|x Y] eqn:Ex; [cbn in L'; lia|]. rewrite <- Ex in *.
      assert (Hx : In x (payers r X)) by (rewrite Ex; left; reflexivity).
      destruct (payers_go_on r next X x Hr O Ht Hx L') as [N1 N2].
      pose proof (IH (key (look r x)) (Ln _) (payers r X) (r :: U) N1 P' ltac:(cbn [length]; lia)) as R. cbn [length]
        in R.
      eapply Nat.le_trans; [exact R|]. eapply Nat.le_trans; [|apply Sub]. apply heft_filter_le. intros s Hs F.
      destruct (N2 s Hs) as [K W]. apply filter_In in Hs as [H1 H2].
      assert (Pp : payer <= price (look r s)) by (apply payer_least; [exact Hr|exact (ok_in _ _ _ O H1)|intros Z;
        rewrite Z in *; discriminate]).
      unfold often in *. cbn [PricedTheory.paid]. cbv zeta. rewrite W, K. destruct (PricedTheory.paid win _ s) as
        [p|]; cbn [plus]; [|reflexivity].
      apply Nat.leb_le in F. apply Nat.leb_le. replace (q - length U + 1) with (Datatypes.S (q - Datatypes.S (length
        U) + 1)) by lia. nia.
  - destruct (useless_step r next X next Hr O L T Ht) as [k [K1 K2]]. eapply Nat.le_trans; [apply (IH k (Ln k) X U K1
    P Q)|].
    apply heft_filter_le. intros s Hs. apply often_more; [apply K2, Hs|lia].
Qed.

End Set_.

Lemma chain_true l S : ok S -> 2 <= length S -> lb win weight rate penalty rows l S (chain l S).
Proof.
  intros O L. unfold chain. cbv zeta. destruct (Nat.eqb_spec payer 0) as [|Pp]; [apply lb_0|].
  destruct (_ <? _); [apply lb_0|]. cbn [orb].
  assert (Start : on_path S S []).
  { split; [exact O|]. split; [apply incl_refl|]. split; [constructor|]. split; [intros u []|]. split; [intros u
    []|]. cbn. lia. }
  apply lb_greater.
  - destruct l as [m|]; [|apply lb_0]. intros t Lt Ht.
    pose proof (lost_true S t (m / payer) Lt S [] Ht Start ltac:(cbn; lia)) as R. cbn [length] in R.
    eapply le_trans; [apply times_weight, R|]. rewrite <- total_heft. apply total_le. intros s Hs.
    destruct (often _ _ s) eqn:F; [|rewrite times_Some, Nat.mul_0_r; apply le_0]. apply times_le. unfold often in F.
      unfold per.
    destruct (PricedTheory.paid win t s) as [p|]; [|cbn; apply le_refl]. apply Nat.leb_le in F. cbn [over].
    replace (m <? p) with true; [apply le_refl|]. symmetry. apply Nat.ltb_lt.
    pose proof (Nat.div_mod m payer Pp). pose proof (Nat.mod_upper_bound m payer Pp). nia.
  - destruct penalty; [apply lb_0|]. intros t Lt Ht.
    pose proof (run_true S t Lt (length (map (spares S) (filter (fun r => tells r S) rows))) S [] Ht Start L) as R.
      cbn [length] in R.
    set (x := run _ _ _ _ _ _) in *. pose proof (capped_times_le most payer x) as C.
    apply (le_trans _ (times rate (pay_sum t S))).
    + apply (le_trans _ (times rate (Some (payer * x)))); [cbn [times le]; nia|apply times_le, R].
    + unfold pay_sum, cost. clear. induction S as [|s S IH]; [cbn; lia|]. rewrite !total_cons, times_plus. apply
      plus_le; [|exact IH].
      unfold each. set (v := per rate None _ l).
      assert (V : v = None \/ exists p, PricedTheory.paid win t s = Some p /\ v = Some (rate * p)).
      { unfold v, per. destruct (over _ l); [left; reflexivity|]. destruct (PricedTheory.paid win t s) as [p|];
        [right; exists p; auto|left; reflexivity]. }
      destruct V as [-> | [p [-> ->]]].
      * destruct (weight s) as [|w]; [|cbn [times Nat.eqb]; apply le_None]. rewrite !times_0, times_Some,
        Nat.mul_0_r. apply le_refl.
      * cbn [times le]. apply Nat.eq_le_incl. ring.
Qed.

End Chain.
