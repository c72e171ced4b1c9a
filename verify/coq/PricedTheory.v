(** Lower bounds for what strategies pay: P1 to P4 and P8 of PRICED.md. Secrets are numbers; a guess is a row that
  says
    of each secret which response it gives, 0 where the guess wins, and what it pays. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted.
Import ListNotations.

Local Arguments Nat.ltb : simpl never.
Local Arguments Nat.leb : simpl never.
Local Arguments Nat.mul : simpl never.
Local Arguments Nat.sub : simpl never.

(** ** Numbers up to infinity *)

Definition bound := option nat.  (* [None]: infinity *)

Definition le (a b : bound) : Prop :=
  match a, b with _, None => True | None, Some _ => False | Some x, Some y => x <= y end.

Definition plus (a b : bound) : bound := match a, b with Some x, Some y => Some (x + y) | _, _ => None end.

Definition times (w : nat) (b : bound) : bound :=
  match b with Some x => Some (w * x) | None => if w =? 0 then Some 0 else None end.

Definition minus (a b : bound) : bound :=
  match a, b with Some x, Some y => Some (x - y) | None, Some _ => None | _, None => Some 0 end.

Definition total {A} (f : A -> bound) (l : list A) : bound := fold_right (fun x v => plus (f x) v) (Some 0) l.

Ltac bounds := repeat match goal with b : bound |- _ => destruct b | b : option nat |- _ => destruct b end;
  cbn in *; try lia; try tauto; try discriminate.

Lemma le_refl a : le a a. Proof. bounds. Qed.
Lemma le_trans a b c : le a b -> le b c -> le a c. Proof. bounds. Qed.
Lemma le_0 a : le (Some 0) a. Proof. bounds. Qed.
Lemma le_None a : le a None. Proof. bounds. Qed.
Lemma plus_0 a : plus a (Some 0) = a. Proof. bounds; f_equal; lia. Qed.
Lemma plus_0' a : plus (Some 0) a = a. Proof. bounds. Qed.
Lemma plus_comm a b : plus a b = plus b a. Proof. bounds; f_equal; lia. Qed.
Lemma plus_assoc a b c : plus a (plus b c) = plus (plus a b) c. Proof. bounds; f_equal; lia. Qed.
Lemma plus_le a b c d : le a b -> le c d -> le (plus a c) (plus b d). Proof. bounds. Qed.
Lemma plus_left a b : le a (plus a b). Proof. bounds. Qed.
Lemma plus_right a b : le b (plus a b). Proof. bounds. Qed.

Lemma times_le w a b : le a b -> le (times w a) (times w b).
Proof. bounds; [apply Nat.mul_le_mono_l; assumption|destruct (w =? 0) eqn:E; cbn; [apply Nat.eqb_eq in E; subst;
  lia|tauto]|destruct (w =? 0); cbn; lia]. Qed.

Lemma times_weight v w a : v <= w -> le (times v a) (times w a).
Proof.
  intros H. destruct a; cbn; [apply Nat.mul_le_mono_r; exact H|].
  destruct v as [|v]; cbn; [destruct w; cbn; lia|]. destruct w; [lia|exact I].
Qed.

Lemma times_plus w a b : times w (plus a b) = plus (times w a) (times w b).
Proof. bounds; [f_equal; lia|..]; destruct w; cbn; reflexivity. Qed.

Lemma times_add v w a : times (v + w) a = plus (times v a) (times w a).
Proof. destruct a; cbn; [f_equal; lia|]. destruct v, w; reflexivity. Qed.

Lemma times_0 a : times 0 a = Some 0. Proof. destruct a; reflexivity. Qed.
Lemma times_Some w x : times w (Some x) = Some (w * x). Proof. reflexivity. Qed.

Lemma plus_swap a b c d : plus (plus a b) (plus c d) = plus (plus a c) (plus b d).
Proof. bounds; f_equal; lia. Qed.

Lemma minus_plus a b : le a b -> le (plus a (minus b a)) b.
Proof. bounds. Qed.

Section Totals.
Context {A : Type}.
Implicit Types f g : A -> bound.

Lemma total_cons f x l : total f (x :: l) = plus (f x) (total f l). Proof. reflexivity. Qed.

Lemma total_app f k l : total f (k ++ l) = plus (total f k) (total f l).
Proof. induction k as [|x k IH]; [symmetry; apply plus_0'|]. cbn [app]. rewrite !total_cons, IH. apply plus_assoc.
  Qed.

Lemma total_perm f k l : Permutation k l -> total f k = total f l.
Proof.
  induction 1; rewrite ?total_cons; try congruence. rewrite !plus_assoc. f_equal. apply plus_comm.
Qed.

Lemma total_le f g l : (forall x, In x l -> le (f x) (g x)) -> le (total f l) (total g l).
Proof.
  induction l as [|x l IH]; intros H; [apply le_refl|]. rewrite !total_cons.
  apply plus_le; [apply H; left; reflexivity|apply IH; intros; apply H; right; assumption].
Qed.

Lemma total_eq f g l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. rewrite !total_cons, IH by (intros; apply H; right; assumption).
  rewrite (H x (or_introl eq_refl)). reflexivity.
Qed.

Lemma total_plus f g l : total (fun x => plus (f x) (g x)) l = plus (total f l) (total g l).
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite !total_cons, IH. apply plus_swap. Qed.

Lemma total_concat f ls : total f (concat ls) = total (total f) ls.
Proof.
  induction ls as [|l ls IH]; [reflexivity|]. cbn [concat]. rewrite total_app, IH. reflexivity.
Qed.

Lemma total_split f (q : A -> bool) l :
  total f l = plus (total f (filter q l)) (total f (filter (fun x => negb (q x)) l)).
Proof.
  induction l as [|x l IH]; [reflexivity|]. rewrite total_cons, IH. cbn [filter]. destruct (q x); cbn [negb]; rewrite
    total_cons.
  - apply plus_assoc.
  - rewrite !plus_assoc. f_equal. apply plus_comm.
Qed.

Lemma total_filter_le f (q : A -> bool) l : le (total f (filter q l)) (total f l).
Proof. rewrite (total_split f q l). apply plus_left. Qed.
End Totals.

Lemma total_map {A B} (f : B -> bound) (h : A -> B) l : total f (map h l) = total (fun x => f (h x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map]. rewrite !total_cons, IH. reflexivity. Qed.

(** ** Rows of guesses: from a number to what is there *)

Record cell := { key : nat; price : nat }.

Inductive row := Tip | Bin (here : cell) (odd even : row).

Fixpoint look (r : row) (s : nat) : cell :=
  match r with
  | Tip => {| key := 1; price := 0 |}
  | Bin here odd even =>
      if s =? 0 then here else if Nat.odd s then look odd (Nat.div2 s) else look even (Nat.div2 s - 1)
  end.

(** ** Trees *)

Inductive tree := Leaf | Node (guess : row) (next : nat -> tree).

Section Theory.

Variable win : bool.
Variable weight : nat -> nat.
Variable everything : list nat.        (* all secrets, the heaviest first *)
Variable rate : nat.
Variable penalty : bound.              (* what a unit of weight costs that is lost with l left: penalty + rate * l *)

Hypothesis everything_once : NoDup everything.
Hypothesis heavy_first : StronglySorted (fun x y => weight y <= weight x) everything.

Definition won (c : cell) : bool := win && (key c =? 0).
Local Arguments won : simpl never.

Fixpoint paid (t : tree) (s : nat) : bound :=
  match t with
  | Leaf => if win then None else Some 0
  | Node r next =>
      let c := look r s in if won c then Some (price c) else plus (Some (price c)) (paid (next (key c)) s)
  end.

Fixpoint apart (t : tree) (x y : nat) : bool :=
  match t with
  | Leaf => false
  | Node r next => negb (key (look r x) =? key (look r y)) || apart (next (key (look r x))) x y
  end.

Definition solves (t : tree) (S : list nat) : Prop :=
  (forall s, In s S -> paid t s <> None) /\
  (win = false -> forall x y, In x S -> In y S -> x <> y -> apart t x y = true).

(** *** What a unit of weight costs that pays [p] where it may pay [l] *)

Definition over (p l : bound) : bool :=
  match p, l with _, None => false | None, Some _ => true | Some p, Some m => m <? p end.

Definition lost (l : bound) : bound := match penalty, l with Some q, Some m => Some (q + rate * m) | _, _ => None end.

Definition per (p l : bound) : bound :=
  if over p l then lost l else match p with Some p => Some (rate * p) | None => None end.

Definition after (l : bound) (c : nat) : bound := match l with Some m => Some (m - c) | None => None end.

Lemma per_mono p p' l : le p p' -> le (per p l) (per p' l).
Proof.
  unfold per, lost. destruct l as [m|]; cbn.
  - destruct p as [p|], p' as [p'|]; cbn; intros H; try tauto; try (apply le_refl).
    + destruct (Nat.ltb_spec m p), (Nat.ltb_spec m p'); try lia; try apply le_refl.
      * destruct penalty; cbn; [|exact I]. nia.
      * cbn. nia.
    + destruct (Nat.ltb_spec m p); [apply le_refl|]. destruct penalty; cbn; [nia|exact I].
  - destruct p as [p|], p' as [p'|]; cbn; try tauto. intros H. nia.
Qed.

Lemma per_over c p l : over (Some c) l = true -> per (plus (Some c) p) l = lost l.
Proof.
  unfold per. destruct l as [m|]; cbn; [|discriminate]. intros H. apply Nat.ltb_lt in H.
  destruct p as [p|]; cbn; [|reflexivity]. rewrite (proj2 (Nat.ltb_lt m (c + p))) by lia. reflexivity.
Qed.

Lemma per_after c p l :
  over (Some c) l = false -> per (plus (Some c) p) l = plus (Some (rate * c)) (per p (after l c)).
Proof.
  unfold per, lost. destruct l as [m|]; cbn.
  - intros H. apply Nat.ltb_ge in H. assert (E : rate * m = rate * c + rate * (m - c)) by nia.
    destruct p as [p|]; cbn.
    + destruct (Nat.ltb_spec m (c + p)), (Nat.ltb_spec (m - c) p); try lia.
      * destruct penalty; cbn; [f_equal; lia|reflexivity].
      * f_equal. lia.
    + destruct penalty; cbn; [f_equal; lia|reflexivity].
  - intros _. destruct p as [p|]; cbn; [f_equal; lia|reflexivity].
Qed.

(** What all of a set cost. *)
Definition each (t : tree) (l : bound) (s : nat) : bound := times (weight s) (per (paid t s) l).
Definition cost (t : tree) (l : bound) (S : list nat) : bound := total (each t l) S.

Definition heft (S : list nat) : nat := list_sum (map weight S).

Lemma heft_cons s S : heft (s :: S) = weight s + heft S. Proof. reflexivity. Qed.

Lemma total_times (b : bound) S : total (fun s => times (weight s) b) S = times (heft S) b.
Proof. induction S as [|s S IH]; [symmetry; apply times_0|]. rewrite total_cons, IH, heft_cons, times_add.
  reflexivity. Qed.

(** *** Sets *)

Definition ok (S : list nat) : Prop := exists q, S = filter q everything.

Lemma ok_filter q S : ok S -> ok (filter q S).
Proof.
  intros [p ->]. exists (fun s => p s && q s). clear. induction everything as [|s l IH]; [reflexivity|]. cbn [filter].
  destruct (p s); cbn [filter andb]; [destruct (q s); rewrite IH; reflexivity|exact IH].
Qed.

Lemma ok_everything : ok everything.
Proof. exists (fun _ => true). clear. induction everything as [|s l IH]; [reflexivity|]. cbn. rewrite <- IH.
  reflexivity. Qed.

Lemma ok_in S s : ok S -> In s S -> In s everything.
Proof. intros [q ->] H. apply filter_In in H. apply H. Qed.

Lemma ok_once S : ok S -> NoDup S.
Proof. intros [q ->]. apply NoDup_filter, everything_once. Qed.

Lemma sorted_filter (R : nat -> nat -> Prop) q l : StronglySorted R l -> StronglySorted R (filter q l).
Proof.
  induction 1 as [|s l H IH F]; cbn; [constructor|]. destruct (q s); [|exact IH]. constructor; [exact IH|].
  apply Forall_forall. intros x Hx. apply filter_In in Hx. apply (proj1 (Forall_forall _ _) F), Hx.
Qed.

Lemma ok_sorted S : ok S -> StronglySorted (fun x y => weight y <= weight x) S.
Proof. intros [q ->]. apply sorted_filter, heavy_first. Qed.

Lemma solves_incl t S T : incl T S -> solves t S -> solves t T.
Proof. intros H [A B]. split; [intros s Hs; auto|intros W x y Hx Hy; auto]. Qed.

(** *** What a guess leaves (P1) *)

Lemma solves_next r next S U k :
  solves (Node r next) S -> incl U S -> (forall s, In s U -> key (look r s) = k /\ won (look r s) = false) ->
  solves (next k) U.
Proof.
  intros [A B] I H. split.
  - intros s Hs. specialize (A s (I s Hs)). cbn in A. destruct (H s Hs) as [<- W]. rewrite W in A.
    destruct (paid _ s); [discriminate|contradiction].
  - intros W x y Hx Hy N. specialize (B W x y (I x Hx) (I y Hy) N). cbn in B.
    destruct (H x Hx) as [E _], (H y Hy) as [E' _]. rewrite E, E', Nat.eqb_refl in B. exact B.
Qed.

Lemma each_node r next l s :
  each (Node r next) l s =
  let c := look r s in
  if won c then times (weight s) (per (Some (price c)) l)
  else if over (Some (price c)) l then times (weight s) (lost l)
  else plus (times (weight s) (Some (rate * price c))) (each (next (key c)) (after l (price c)) s).
Proof.
  unfold each. cbn [paid]. cbv zeta. set (c := look r s). destruct (won c); [reflexivity|].
  destruct (over (Some (price c)) l) eqn:O; [rewrite per_over by exact O; reflexivity|].
  rewrite per_after by exact O. apply times_plus.
Qed.

(** Every strategy for the set costs at least the bound. *)
Variable rows : list row.  (* the guesses that tell something, or win *)

Fixpoint legal (t : tree) : Prop :=
  match t with Leaf => True | Node r next => In r rows /\ forall k, legal (next k) end.

Definition lb (l : bound) (S : list nat) (b : bound) : Prop := forall t, legal t -> solves t S -> le b (cost t l S).

Definition ask_lb (l : bound) (r : row) (S : list nat) (b : bound) : Prop :=
  forall next, (forall k, legal (next k)) -> solves (Node r next) S -> le b (cost (Node r next) l S).

Lemma lb_le l S a b : le a b -> lb l S b -> lb l S a.
Proof. intros H B t Lt Ht. exact (le_trans _ _ _ H (B t Lt Ht)). Qed.

Lemma lb_0 l S : lb l S (Some 0). Proof. intros t _ _. apply le_0. Qed.

(** P8 *)
Lemma cost_limit l l' t S : (penalty = None \/ rate = 0 /\ penalty <> None /\ l' <> None) -> le l l' ->
  solves t S -> le (cost t l' S) (cost t l S).
Proof.
  intros F H [Ht _]. apply total_le. intros s Hs. apply times_le.
  specialize (Ht s Hs). destruct (paid t s) as [p|]; [|contradiction].
  unfold per, lost. destruct l as [m|], l' as [m'|]; cbn in *; try tauto.
  - destruct (Nat.ltb_spec m p), (Nat.ltb_spec m' p); try lia; try apply le_refl.
    + destruct F as [->|[-> _]]; [exact I|]. destruct penalty; cbn; lia.
    + destruct F as [->|[-> _]]; [exact I|]. destruct penalty; cbn; lia.
  - destruct (Nat.ltb_spec m p); [|cbn; lia]. destruct F as [->|[_ [_ F]]]; [exact I|contradiction].
  - cbn; lia.
Qed.

Definition tells (r : row) (S : list nat) : bool :=
  match S with [] => false | x :: rest => existsb (fun y => negb (key (look r y) =? key (look r x))) rest end.

Lemma tells_not r S : tells r S = false -> forall x y, In x S -> In y S -> key (look r x) = key (look r y).
Proof.
  intros H. destruct S as [|z S]; [intros x y []|]. cbn in H.
  assert (E : forall y, In y (z :: S) -> key (look r y) = key (look r z)).
  { intros y [<-|Hy]; [reflexivity|]. apply Nat.eqb_eq. destruct (_ =? _) eqn:E; [reflexivity|].
    rewrite <- H. apply existsb_exists. exists y. rewrite E. auto. }
  intros x y Hx Hy. rewrite (E x Hx), (E y Hy). reflexivity.
Qed.

(** A guess wins on one secret at most. *)
Definition wins_once : Prop := forall r, In r rows -> forall x y, In x everything -> In y everything ->
  won (look r x) = true -> won (look r y) = true -> x = y.

Hypothesis one_win : wins_once.

(** A guess that tells nothing of two secrets has one response for all, and wins on none ((ii)). *)
Lemma useless_for r S : In r rows -> ok S -> 2 <= length S -> tells r S = false ->
  forall s, In s S -> key (look r s) = key (look r (hd 0 S)) /\ won (look r s) = false.
Proof.
  intros Hr O N H. destruct S as [|x [|y S]]; cbn in N; try lia. cbn [hd].
  assert (E : forall s, In s (x :: y :: S) -> key (look r s) = key (look r x)).
  { intros s Hs. apply (tells_not r (x :: y :: S) H); [exact Hs|left; reflexivity]. }
  assert (D : x <> y). { intros ->. pose proof (ok_once _ O) as Q. inversion Q; subst. apply H2. left; reflexivity. }
  intros s Hs. split; [exact (E s Hs)|]. destruct (won (look r s)) eqn:W; [|reflexivity]. exfalso. apply D.
  assert (forall z, In z (x :: y :: S) -> won (look r z) = true) as A.
  { intros z Hz. unfold won in *. rewrite (E z Hz), <- (E s Hs). exact W. }
  apply (one_win r Hr); [apply (ok_in _ _ O)..|apply A|apply A]; cbn; auto.
Qed.

(** It leaves them to one tree, and nobody pays less for that. *)
Lemma useless_next r next S : In r rows -> ok S -> 2 <= length S -> tells r S = false -> solves (Node r next) S ->
  exists k, solves (next k) S /\ forall s, In s S -> key (look r s) = k /\ won (look r s) = false.
Proof.
  intros Hr O N H Ht. exists (key (look r (hd 0 S))). pose proof (useless_for r S Hr O N H) as Q.
  split; [|exact Q]. exact (solves_next r next _ _ _ Ht (incl_refl _) Q).
Qed.

Lemma paid_next r next s k : key (look r s) = k -> won (look r s) = false -> le (paid (next k) s) (paid (Node r next)
  s).
Proof. intros <- W. cbn [paid]. cbv zeta. rewrite W. apply plus_right. Qed.

Lemma not_leaf S : ok S -> 2 <= length S -> ~ solves Leaf S.
Proof.
  intros O N [A B]. destruct S as [|x [|y S]]; cbn in N; try lia. cbn in *. destruct win.
  - apply (A x); auto.
  - assert (D : x <> y). { intros ->. pose proof (ok_once _ O) as Q. inversion Q; subst. apply H1. left; reflexivity.
    }
    specialize (B eq_refl x y (or_introl eq_refl) (or_intror (or_introl eq_refl)) D). discriminate.
Qed.

(** P1: one guess that tells the set apart is asked. *)
Lemma lb_by_asking l S b :
  ok S -> 2 <= length S -> (forall r, In r rows -> tells r S = true -> ask_lb l r S b) -> lb l S b.
Proof.
  intros O N H t. induction t as [|r next IH]; intros Lt Ht; [destruct (not_leaf S O N Ht)|]. destruct Lt as [Hr Ln].
  destruct (tells r S) eqn:E; [exact (H r Hr E next Ln Ht)|].
  destruct (useless_next r next S Hr O N E Ht) as [k [Hk K]].
  apply (le_trans _ _ _ (IH k (Ln k) Hk)). apply total_le. intros s Hs. apply times_le, per_mono.
  apply paid_next; apply (K s Hs).
Qed.

(** *** P3: secret by secret *)

Variable pay ending : nat -> bound.

Hypothesis pay_least : forall r s, In r rows -> In s everything -> won (look r s) = false -> le (pay s) (Some (price
  (look r s))).
Hypothesis ending_least : forall r s, In r rows -> In s everything -> won (look r s) = true -> le (ending s) (Some
  (price (look r s))).
Hypothesis ending_zero : win = false -> forall s, In s everything -> ending s = Some 0.

Lemma pays_ending t s : legal t -> In s everything -> paid t s <> None -> le (ending s) (paid t s).
Proof.
  intros Lt Hs. induction t as [|r next IH]; cbn [paid]; cbv zeta.
  - destruct win eqn:W; [contradiction|]. intros _. rewrite (ending_zero eq_refl s Hs). apply le_0.
  - destruct Lt as [Hr Ln]. destruct (won (look r s)) eqn:W; [intros _; apply ending_least; assumption|].
    intros P. specialize (IH (key (look r s)) (Ln _)). destruct (paid (next _) s); [|contradiction].
    apply (le_trans _ _ _ (IH ltac:(discriminate))). apply plus_right.
Qed.

Lemma pays_but_one t S : legal t -> ok S -> 2 <= length S -> solves t S ->
  exists x, In x S /\ forall s, In s S -> (win = true /\ s = x) \/ le (plus (pay s) (ending s)) (paid t s).
Proof.
  intros Lt O N. induction t as [|r next IH]; intros Ht; [destruct (not_leaf S O N Ht)|]. pose proof Lt as [Hr Ln].
  destruct (tells r S) eqn:E.
  - assert (F : forall s, In s S -> won (look r s) = false -> le (plus (pay s) (ending s)) (paid (Node r next) s)).
    { intros s Hs W. cbn [paid]. cbv zeta. rewrite W. apply plus_le; [apply pay_least; [exact Hr|exact (ok_in _ _ O
      Hs)|exact W]|].
      apply pays_ending; [apply Ln|exact (ok_in _ _ O Hs)|]. destruct Ht as [A _]. specialize (A s Hs). cbn in A.
      rewrite W in A. destruct (paid _ s); [discriminate|contradiction]. }
    destruct (existsb (fun s => won (look r s)) S) eqn:X.
    + apply existsb_exists in X as [x [Hx W]]. exists x. split; [exact Hx|]. intros s Hs.
      destruct (won (look r s)) eqn:W'; [|right; auto]. left. split; [|apply (one_win r Hr); auto; apply (ok_in _ _
        O); assumption].
      unfold won in W. destruct win; [reflexivity|discriminate].
    + destruct S as [|x S]; [cbn in N; lia|]. exists x. split; [left; reflexivity|]. intros s Hs. right. apply F;
      [exact Hs|].
      destruct (won (look r s)) eqn:W; [|reflexivity]. rewrite <- X. symmetry. apply existsb_exists. exists s. auto.
  - destruct (useless_next r next S Hr O N E Ht) as [k [Hk K]]. destruct (IH k (Ln k) Hk) as [x [Hx F]].
    exists x. split; [exact Hx|]. intros s Hs. destruct (F s Hs) as [G|G]; [left; exact G|right].
    apply (le_trans _ _ _ G). apply paid_next; apply (K s Hs).
Qed.

Definition full (l : bound) (s : nat) : bound := times (weight s) (per (plus (pay s) (ending s)) l).
Definition last (l : bound) (s : nat) : bound := times (weight s) (per (ending s) l).

Definition lesser (a b : bound) : bound :=
  match a, b with None, _ => b | _, None => a | Some x, Some y => if x <=? y then a else b end.

Definition greater (a b : bound) : bound :=
  match a, b with Some x, Some y => if x <=? y then b else a | _, _ => None end.

Lemma greater_is a b : greater a b = a \/ greater a b = b. Proof. destruct a, b; cbn; auto. destruct (_ <=? _); auto.
  Qed.
Lemma lesser_left a b : le (lesser a b) a.
Proof. destruct a, b; cbn; try lia; try tauto. destruct (Nat.leb_spec n n0); cbn; lia. Qed.
Lemma lesser_right a b : le (lesser a b) b.
Proof. destruct a, b; cbn; try lia; try tauto. destruct (Nat.leb_spec n n0); cbn; lia. Qed.
Lemma le_greater a b c : le (greater a b) c <-> le a c /\ le b c.
Proof. destruct a, b, c; cbn; try tauto; destruct (Nat.leb_spec n n0); cbn; lia. Qed.

Lemma lb_greater l S a b : lb l S a -> lb l S b -> lb l S (greater a b).
Proof. intros A B. destruct (greater_is a b) as [-> | ->]; assumption. Qed.

(** What all cost in full; what they cost if one of them is spared the guess before the last. *)
Fixpoint spared (l : bound) (S : list nat) : bound * bound :=
  match S with
  | [] => (Some 0, None)
  | s :: rest => let '(a, b) := spared l rest in (plus (full l s) a, lesser (plus (full l s) b) (plus (last l s) a))
  end.

Definition by_secret (l : bound) (S : list nat) : bound := if win then snd (spared l S) else fst (spared l S).

Lemma spared_none l (h : nat -> bound) S : (forall s, In s S -> le (full l s) (h s)) -> le (fst (spared l S)) (total
  h S).
Proof.
  induction S as [|s S IH]; intros H; [apply le_refl|]. cbn. destruct (spared l S) as [a b]. cbn in *.
  apply plus_le; [apply H; left; reflexivity|apply IH; intros; apply H; right; assumption].
Qed.

Lemma spared_one l (h : nat -> bound) x S : NoDup S -> In x S -> le (last l x) (h x) ->
  (forall s, In s S -> s = x \/ le (full l s) (h s)) -> le (snd (spared l S)) (total h S).
Proof.
  intros D I Hx H. induction S as [|s S IH]; [destruct I|]. inversion D; subst. cbn [spared].
  assert (R := spared_none l h S). destruct (spared l S) as [a b]. cbn [fst snd] in *. rewrite total_cons.
  destruct I as [->|I].
  - apply (le_trans _ _ _ (lesser_right _ _)). apply plus_le; [exact Hx|]. apply R. intros s Hs.
    destruct (H s (or_intror Hs)) as [->|]; [contradiction|assumption].
  - apply (le_trans _ _ _ (lesser_left _ _)). apply plus_le.
    + destruct (H s (or_introl eq_refl)) as [->|]; [contradiction|assumption].
    + apply IH; [assumption..|]. intros y Hy. apply H. right; exact Hy.
Qed.

Lemma by_secret_true l S : ok S -> 2 <= length S -> lb l S (by_secret l S).
Proof.
  intros O N t Lt Ht. destruct (pays_but_one t S Lt O N Ht) as [x [Hx F]].
  assert (G : forall s, In s S -> (win = true /\ s = x) \/ le (full l s) (each t l s)).
  { intros s Hs. destruct (F s Hs) as [Q|Q]; [left; exact Q|right]. apply times_le, per_mono, Q. }
  unfold by_secret. destruct (Bool.bool_dec win true) as [W|W]; [rewrite W|apply not_true_is_false in W; rewrite W].
  - apply (spared_one l _ x); [apply ok_once, O|exact Hx| |].
    + apply times_le, per_mono, pays_ending; [exact Lt|exact (ok_in _ _ O Hx)|apply Ht, Hx].
    + intros s Hs. destruct (G s Hs) as [[_ Q]|Q]; auto.
  - apply spared_none. intros s Hs. destruct (G s Hs) as [[Q _]|Q]; [congruence|exact Q].
Qed.

(** *** P4: counting *)

Variable unit : nat.

Hypothesis unit_least : forall r s, In r rows -> In s everything -> unit <= price (look r s).

Fixpoint depth (t : tree) (s : nat) : nat :=
  match t with
  | Leaf => 0
  | Node r next => if won (look r s) then 1 else S (depth (next (key (look r s))) s)
  end.

Lemma pays_depth t s : legal t -> In s everything -> paid t s <> None -> le (Some (unit * depth t s)) (paid t s).
Proof.
  intros Lt Hs. induction t as [|r next IH]; cbn [paid depth].
  - intros _. destruct win; cbn; lia.
  - destruct Lt as [Hr Ln]. pose proof (unit_least r s Hr Hs). destruct (won (look r s)); [intros _; cbn; lia|].
    intros P. specialize (IH (key (look r s)) (Ln _)). destruct (paid (next _) s); [|contradiction].
    specialize (IH ltac:(discriminate)). cbn in *. nia.
Qed.

Definition open (r : row) (S : list nat) : list nat := filter (fun s => negb (won (look r s))) S.
Definition kinds (r : row) (S : list nat) : list nat := nodup Nat.eq_dec (map (fun s => key (look r s)) (open r S)).

(** No guess leaves more than K parts but the one that it wins. *)
Definition fits (K : nat) (S : list nat) : Prop := forall r, In r rows -> length (kinds r S) <= K.

Lemma fits_incl K S T : incl T S -> fits K S -> fits K T.
Proof.
  intros H F r Hr. apply (Nat.le_trans _ (length (kinds r S))); [|apply F, Hr]. apply NoDup_incl_length; [apply
    NoDup_nodup|].
  intros k Hk. apply nodup_In in Hk. apply nodup_In. apply in_map_iff in Hk as [s [<- Hs]]. apply in_map_iff. exists
    s.
  split; [reflexivity|]. apply filter_In in Hs as [Hs W]. apply filter_In. auto.
Qed.

Definition many (q : nat -> bool) (S : list nat) : nat := length (filter q S).

Lemma many_by_kind (h : nat -> nat) (q : nat -> bool) S ks : NoDup ks -> (forall s, In s S -> In (h s) ks) ->
  many q S = list_sum (map (fun k => many q (filter (fun s => h s =? k) S)) ks).
Proof.
  intros D. induction S as [|s S IH]; intros H.
  - clear. induction ks as [|k ks IH]; [reflexivity|]. exact IH.
  - set (f := fun k => many q (filter (fun s => h s =? k) (s :: S))).
    set (g := fun k => many q (filter (fun s => h s =? k) S)) in *.
    assert (P : forall k, f k = g k + (if h s =? k then if q s then 1 else 0 else 0)).
    { intros k. unfold f, g, many. cbn [filter]. destruct (h s =? k); cbn [filter]; destruct (q s); cbn [length];
      lia. }
    assert (X : list_sum (map f ks) = list_sum (map g ks) + (if q s then 1 else 0)).
    { specialize (H s (or_introl eq_refl)). clear - D P H. clearbody f g. revert D H.
      assert (Z : forall l, ~ In (h s) l -> list_sum (map f l) = list_sum (map g l)).
      { induction l as [|k l IHl]; intros N; [reflexivity|]. unfold list_sum in *. cbn [map fold_right].
        rewrite IHl by (intros X; apply N; right; exact X). rewrite P. destruct (Nat.eqb_spec (h s) k) as [E|E];
          [|lia].
        exfalso. apply N. left. auto. }
      induction ks as [|k ks IHk]; intros D []; inversion D; subst; unfold list_sum in *; cbn [map fold_right];
        rewrite P.
      - rewrite Nat.eqb_refl, Z by assumption. lia.
      - rewrite IHk by assumption. destruct (Nat.eqb_spec (h s) k) as [E|E]; [subst k; contradiction|lia]. }
    rewrite X, <- IH by (intros; apply H; right; assumption). unfold many. cbn [filter]. destruct (q s); cbn
      [length]; lia.
Qed.

Lemma list_sum_le {A} (f : A -> nat) c l : (forall x, In x l -> f x <= c) -> list_sum (map f l) <= length l * c.
Proof.
  unfold list_sum. induction l as [|x l IH]; intros H; [cbn; lia|]. cbn [map fold_right length].
  pose proof (H x (or_introl eq_refl)). assert (fold_right Nat.add 0 (map f l) <= length l * c) by (apply IH; intros;
    apply H; right; assumption). lia.
Qed.

(** How many secrets there can be in so many guesses. *)
Fixpoint room (K j : nat) : nat :=
  match j with 0 => if win then 0 else 1 | S j => (if win then 1 else 0) + K * room K j end.

Lemma room_1 K j : win = false -> 1 <= K -> 1 <= room K j.
Proof. intros W HK. induction j as [|j IH]; cbn; rewrite W; [lia|]. nia. Qed.

Lemma many_le q S : many q S <= length S.
Proof. unfold many. induction S as [|s S IH]; cbn; [lia|]. destruct (q s); cbn; lia. Qed.

Lemma shallow K t : 1 <= K -> forall S j, legal t -> ok S -> fits K S -> solves t S -> many (fun s => depth t s <=?
  j) S <= room K j.
Proof.
  intros HK. induction t as [|r next IH]; intros S j Lt O F Ht.
  - destruct win eqn:W.
    + destruct S as [|s S]; [cbn; lia|]. destruct Ht as [A _]. specialize (A s (or_introl eq_refl)). cbn in A.
      rewrite W in A. contradiction.
    + apply (Nat.le_trans _ 1); [|apply room_1; assumption]. apply (Nat.le_trans _ _ _ (many_le _ _)).
      destruct (Nat.le_gt_cases (length S) 1) as [|G]; [assumption|]. destruct (not_leaf S O G Ht).
  - destruct Lt as [Hr Ln]. destruct j as [|j].
    + replace (many _ S) with 0; [lia|]. symmetry. unfold many. rewrite (proj2 (length_zero_iff_nil _));
      [reflexivity|].
      clear. induction S as [|s S IHS]; [reflexivity|]. cbn [filter depth]. destruct (won _); exact IHS.
    + cbn [room]. set (q := fun s => depth (Node r next) s <=? Datatypes.S j).
      assert (E : many q S = many q (filter (fun s => won (look r s)) S) + many q (open r S)).
      { unfold many, open. clear. induction S as [|s S IHS]; [reflexivity|]. cbn [filter].
        destruct (won (look r s)); cbn [negb filter]; destruct (q s); cbn [length]; lia. }
      rewrite E. apply Nat.add_le_mono.
      * apply (Nat.le_trans _ _ _ (many_le _ _)). destruct win eqn:W.
        -- destruct (filter _ S) as [|x [|y l]] eqn:Q; cbn [length]; try lia. exfalso.
           assert (Hx : In x (filter (fun s => won (look r s)) S)) by (rewrite Q; cbn; auto).
           assert (Hy : In y (filter (fun s => won (look r s)) S)) by (rewrite Q; cbn; auto).
           pose proof (ok_once _ (ok_filter (fun s => won (look r s)) S O)) as D. rewrite Q in D. inversion D; subst.
           apply H1. left. apply filter_In in Hx as [Hx X], Hy as [Hy Y].
           apply (one_win r Hr); auto; apply (ok_in _ _ O); assumption.
        -- clear - W. induction S as [|s S IHS]; [cbn; lia|]. cbn [filter]. unfold won at 1. rewrite W. exact IHS.
      * rewrite (many_by_kind (fun s => key (look r s)) q (open r S) (kinds r S)).
        -- apply (Nat.le_trans _ (length (kinds r S) * room K j)); [|apply Nat.mul_le_mono_r, F, Hr].
           apply list_sum_le. intros k _. set (U := filter _ (open r S)).
           assert (Q : forall s, In s U -> key (look r s) = k /\ won (look r s) = false).
           { intros s Hs. apply filter_In in Hs as [Hs Hk]. apply Nat.eqb_eq in Hk. apply filter_In in Hs as [_ W].
             destruct (won (look r s)); [discriminate|auto]. }
           assert (I : incl U S) by (intros s Hs; apply filter_In in Hs as [Hs _]; apply filter_In in Hs; apply Hs).
           assert (OU : ok U) by (apply ok_filter, ok_filter, O).
           specialize (IH k U j (Ln k) OU (fits_incl _ _ _ I F) (solves_next r next S U k Ht I Q)).
           replace (many q U) with (many (fun s => depth (next k) s <=? j) U); [exact IH|].
           unfold many. f_equal. apply filter_ext_in. intros s Hs. destruct (Q s Hs) as [Hk W]. unfold q. cbn [depth].
           rewrite W, Hk. reflexivity.
        -- apply NoDup_nodup.
        -- intros s Hs. apply nodup_In, in_map_iff. exists s. auto.
Qed.

Lemma skip_one m S w : (forall s, In s S -> weight s <= w) -> heft (skipn m S) <= w + heft (skipn (Datatypes.S m) S).
Proof.
  revert S; induction m as [|m IH]; intros [|s S] H; cbn [skipn]; try lia.
  - rewrite heft_cons. pose proof (H s (or_introl eq_refl)). cbn. lia.
  - apply IH. intros x Hx. apply H. right; exact Hx.
Qed.

Lemma lightest q S m : StronglySorted (fun x y => weight y <= weight x) S -> many (fun s => negb (q s)) S <= m ->
  heft (skipn m S) <= heft (filter q S).
Proof.
  intros D. revert m. induction D as [|s S D IH F]; intros m H; [rewrite skipn_nil; cbn; lia|].
  unfold many in *. cbn [filter] in *. destruct (q s); cbn [negb length] in *.
  - rewrite heft_cons. destruct m as [|m].
    + specialize (IH 0 H). cbn [skipn] in *. rewrite heft_cons. lia.
    + cbn [skipn]. specialize (IH (Datatypes.S m) H). pose proof (skip_one m S (weight s) (proj1 (Forall_forall _ _)
      F)). lia.
  - destruct m as [|m]; [lia|]. cbn [skipn]. apply IH. lia.
Qed.

Lemma deep_ones K t S j m : 1 <= K -> legal t -> ok S -> fits K S -> solves t S -> room K j <= m ->
  heft (skipn m S) <= heft (filter (fun s => j <? depth t s) S).
Proof.
  intros HK Lt O F Ht Hm. apply lightest; [apply ok_sorted, O|]. apply (Nat.le_trans _ (room K j)); [|exact Hm].
  apply (Nat.le_trans _ (many (fun s => depth t s <=? j) S)); [|apply shallow; assumption].
  unfold many. clear. induction S as [|s S IH]; [cbn; lia|]. cbn [filter]. rewrite Nat.ltb_antisym, negb_involutive.
  destruct (depth t s <=? j); cbn [length]; lia.
Qed.

(** To win: what the d-th guess costs, at least; and how much more than the one before. *)
Definition at_depth (l : bound) (d : nat) : bound := per (Some (d * unit)) l.

Fixpoint levels (fuel d : nat) (rest : list nat) (wide K cap : nat) (l : bound) : bound :=
  match fuel, rest with
  | S fuel, _ :: _ =>
      plus (times (heft rest) (minus (at_depth l (S d)) (at_depth l d)))
        (levels fuel (S d) (skipn wide rest) (min (wide * K) cap) K cap l)
  | _, _ => Some 0
  end.

Definition by_levels (l : bound) (S : list nat) (K : nat) : bound :=
  let n := length S in
  plus (times (heft S) (at_depth l 1)) (levels n 1 (skipn 1 S) (min K n) K n l).

(** What one secret at a depth pays is made of steps. *)
Fixpoint steps (fuel d : nat) (l : bound) (deep : nat) : bound :=
  match fuel with
  | 0 => Some 0
  | S fuel => plus (if d <? deep then minus (at_depth l (S d)) (at_depth l d) else Some 0) (steps fuel (S d) l deep)
  end.

Lemma at_depth_mono l d e : d <= e -> le (at_depth l d) (at_depth l e).
Proof. intros H. apply per_mono. cbn. nia. Qed.

Lemma steps_none fuel d l deep : deep <= d -> steps fuel d l deep = Some 0.
Proof.
  revert d; induction fuel as [|fuel IH]; intros d H; [reflexivity|]. cbn. rewrite (proj2 (Nat.ltb_ge d deep)) by lia.
  rewrite IH by lia. reflexivity.
Qed.

Lemma steps_le fuel d l deep : d <= deep -> le (plus (at_depth l d) (steps fuel d l deep)) (at_depth l deep).
Proof.
  revert d; induction fuel as [|fuel IH]; intros d H; cbn [steps]; [rewrite plus_0; apply at_depth_mono, H|].
  destruct (Nat.ltb_spec d deep) as [L|L].
  - rewrite plus_assoc. eapply le_trans; [apply plus_le; [apply minus_plus, at_depth_mono; lia|apply le_refl]|].
    apply IH. lia.
  - rewrite steps_none by lia. cbn [plus]. rewrite plus_0. apply at_depth_mono, H.
Qed.

Lemma skipn_skipn_plus {A} (l : list A) : forall a b, skipn a (skipn b l) = skipn (b + a) l.
Proof. intros a b. revert l. induction b as [|b IH]; intros l; [reflexivity|]. destruct l; [rewrite !skipn_nil;
  reflexivity|]. apply IH. Qed.

Lemma total_heft (q : nat -> bool) b S : total (fun s => times (weight s) (if q s then b else Some 0)) S = times
  (heft (filter q S)) b.
Proof.
  induction S as [|s S IH]; [symmetry; apply times_0|]. rewrite total_cons, IH. cbn [filter]. destruct (q s).
  - rewrite heft_cons, times_add. reflexivity.
  - rewrite times_Some, Nat.mul_0_r. apply plus_0'.
Qed.

Lemma levels_true K t S : win = true -> 1 <= K -> legal t -> ok S -> fits K S -> solves t S ->
  forall fuel d m wide l, room K d <= m \/ length S <= m -> Nat.pow K d <= wide \/ length S <= wide ->
  le (levels fuel d (skipn m S) wide K (length S) l) (total (fun s => times (weight s) (steps fuel d l (depth t s)))
    S).
Proof.
  intros W HK Lt O F Ht. induction fuel as [|fuel IH]; intros d m wide l Hm Hw; [apply le_0|]. cbn [levels].
  destruct (skipn m S) as [|x rest] eqn:E; [apply le_0|]. rewrite <- E. cbn [steps].
  rewrite (total_eq _ (fun s => plus (times (weight s) (if d <? depth t s then minus (at_depth l (Datatypes.S d))
    (at_depth l d) else Some 0))
    (times (weight s) (steps fuel (Datatypes.S d) l (depth t s))))) by (intros s _; apply times_plus).
  rewrite total_plus. apply plus_le.
  - rewrite total_heft. apply times_weight. destruct Hm as [Hm|Hm].
    + apply (deep_ones K); assumption.
    + rewrite skipn_all2 by exact Hm. cbn. lia.
  - rewrite skipn_skipn_plus. apply IH.
    + destruct Hm as [Hm|Hm]; [|right; lia]. destruct Hw as [Hw|Hw]; [left|right; lia].
      assert (G : forall d, room K (Datatypes.S d) = room K d + Nat.pow K d).
      { clear - W. induction d as [|d IHd]; [cbn; rewrite W; lia|]. 
        change ((if win then 1 else 0) + K * room K (Datatypes.S d) = room K (Datatypes.S d) + K * Nat.pow K d).
        rewrite IHd at 1. change (room K (Datatypes.S d)) with ((if win then 1 else 0) + K * room K d). lia. }
      rewrite G. lia.
    + cbn [Nat.pow]. assert (G : wide * K < length S /\ min (wide * K) (length S) = wide * K \/ min (wide * K)
      (length S) = length S)
        by lia.
      destruct Hw as [Hw|Hw], G as [[_ ->]| ->]; [left|right|right|right]; try lia.
      * rewrite (Nat.mul_comm wide K). apply Nat.mul_le_mono_l, Hw.
      * apply (Nat.le_trans _ wide); [exact Hw|]. rewrite <- (Nat.mul_1_r wide) at 1. apply Nat.mul_le_mono_l, HK.
Qed.

Lemma depth_1 t s : win = true -> paid t s <> None -> 1 <= depth t s.
Proof. intros W. destruct t; cbn; [rewrite W; contradiction|]. intros _. destruct (won _); lia. Qed.

Lemma by_levels_true l S K : win = true -> 1 <= K -> ok S -> fits K S -> lb l S (by_levels l S K).
Proof.
  intros W HK O F t Lt Ht. unfold by_levels.
  apply (le_trans _ (total (fun s => times (weight s) (plus (at_depth l 1) (steps (length S) 1 l (depth t s)))) S)).
  - rewrite (total_eq _ (fun s => plus (times (weight s) (at_depth l 1)) (times (weight s) (steps (length S) 1 l
    (depth t s)))))
      by (intros s _; apply times_plus).
    rewrite total_plus, total_times. apply plus_le; [apply le_refl|]. apply levels_true; try assumption.
    + left. cbn. rewrite W. lia.
    + cbn [Nat.pow]. rewrite Nat.mul_1_r. destruct (Nat.min_spec K (length S)) as [[_ ->]|[_ ->]]; [left|right]; lia.
  - apply total_le. intros s Hs. apply times_le. apply (le_trans _ (at_depth l (depth t s))).
    + apply steps_le. apply depth_1; [exact W|apply Ht, Hs].
    + apply per_mono. rewrite Nat.mul_comm. apply pays_depth; [exact Lt|exact (ok_in _ _ O Hs)|apply Ht, Hs].
Qed.

(** To identify: how many can be told apart by what may be paid. *)
Fixpoint reach (fuel reached j K n : nat) : nat :=
  match fuel with
  | 0 => n
  | S fuel => if (n <=? reached) || (j =? 0) then reached else reach fuel (reached * K) (j - 1) K n
  end.

Lemma reach_true K n : forall fuel reached j, n <= reach fuel reached j K n \/ reached * Nat.pow K j <= reach fuel
  reached j K n.
Proof.
  induction fuel as [|fuel IH]; intros reached j; cbn [reach]; [left; lia|].
  destruct (Nat.leb_spec n reached); [left; assumption|]. destruct (Nat.eqb_spec j 0) as [->|J]; cbn [orb].
  - right. cbn. lia.
  - destruct (IH (reached * K) (j - 1)) as [|Q]; [left; assumption|right]. destruct j as [|j]; [lia|].
    cbn [Nat.pow]. replace (Datatypes.S j - 1) with j in * by lia. nia.
Qed.

Definition by_reach (m : nat) (S : list nat) (K : nat) : bound :=
  times (heft (skipn (reach (length S) 1 (m / unit) K (length S)) S)) (lost (Some m)).

Lemma by_reach_true m S K : win = false -> 1 <= K -> 1 <= unit -> ok S -> fits K S -> lb (Some m) S (by_reach m S K).
Proof.
  intros W HK U O F t Lt Ht. unfold by_reach.
  apply (le_trans _ (times (heft (filter (fun s => m / unit <? depth t s) S)) (lost (Some m)))).
  - apply times_weight. destruct (reach_true K (length S) (length S) 1 (m / unit)) as [R|R].
    + rewrite skipn_all2 by exact R. cbn. lia.
    + apply (deep_ones K); try assumption. rewrite Nat.mul_1_l in R. apply (Nat.le_trans _ (Nat.pow K (m / unit)));
      [|exact R].
      generalize (m / unit) as j. clear - W. induction j as [|j IH]; cbn; rewrite W; [lia|]. apply Nat.mul_le_mono_l,
        IH.
  - rewrite <- total_heft. apply total_le. intros s Hs. destruct (Nat.ltb_spec (m / unit) (depth t s)) as [L|L].
    + apply times_le. pose proof (pays_depth t s Lt (ok_in _ _ O Hs) (proj1 Ht s Hs)) as P.
      assert (G : m < unit * depth t s).
      { pose proof (Nat.div_mod m unit ltac:(lia)). pose proof (Nat.mod_upper_bound m unit ltac:(lia)). nia. }
      unfold per. destruct (paid t s) as [p|]; cbn in *; [|apply le_refl].
      rewrite (proj2 (Nat.ltb_lt m p)) by lia. apply le_refl.
    + rewrite times_Some, Nat.mul_0_r. apply le_0.
Qed.

Lemma no_branches l S K : win = false -> K <= 1 -> ok S -> 2 <= length S -> fits K S -> lb l S None.
Proof.
  intros W HK O N F. apply lb_by_asking; [exact O|exact N|]. intros r Hr E. exfalso. specialize (F r Hr).
  destruct S as [|x S]; [discriminate|]. cbn [tells] in E. apply existsb_exists in E as [y [Hy E]].
  assert (Q : incl [key (look r y); key (look r x)] (kinds r (x :: S))).
  { intros k Hk. apply nodup_In. apply in_map_iff. destruct Hk as [<-|[<-|[]]].
    - exists y. split; [reflexivity|]. apply filter_In. split; [right; exact Hy|]. unfold won. rewrite W. reflexivity.
    - exists x. split; [reflexivity|]. apply filter_In. split; [left; reflexivity|]. unfold won. rewrite W.
      reflexivity. }
  apply NoDup_incl_length in Q; [cbn [length] in Q; lia|]. constructor; [|constructor; [intros []|constructor]].
  intros [E'|[]]. rewrite E', Nat.eqb_refl in E. discriminate.
Qed.

End Theory.
