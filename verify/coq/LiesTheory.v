(** Games with lies over numbered guesses, secrets and responses, 0 where the guess ends the game. The lemmas are those
    of LIES.md, by their numbers; sets are lists of pairs of a secret and the lies that are left if it is the secret. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import Theory.
Import ListNotations.

Definition state := list (nat * nat).

(** ** Asking someone who may lie *)

Section Lies.

Variable win : bool.                    (* the goal is to win *)
Variables guesses secrets : nat.
Variable resp : nat -> nat -> nat.      (* guess, secret *)

Inductive tree := Leaf (secret : nat) | Node (guess : nat) (next : nat -> tree).

Definition legal (g r : nat) : Prop := r <> 0 /\ exists x, x < secrets /\ resp g x = r.

Fixpoint ok (t : tree) (d l s : nat) : Prop :=
  match t, d with
  | Leaf x, _ => win = false /\ x = s
  | Node g next, 0 => False
  | Node g next, S d =>
      g < guesses /\
      (resp g s = 0 \/
       ok (next (resp g s)) d l s /\
       forall r, legal g r -> r <> resp g s -> 1 <= l -> ok (next r) d (l - 1) s)
  end.

(** The tree settles the set. *)
Definition settles (t : tree) (d : nat) (X : state) : Prop := forall s l, In (s, l) X -> ok t d l s.

Definition refuted (d : nat) (X : state) : Prop := forall t, ~ settles t d X.

Definition refuted_asking (d : nat) (X : state) (g : nat) : Prop := forall next, ~ settles (Node g next) d X.

(** More guesses and fewer lies do no harm. *)
Lemma ok_more t : forall d d' l l' s, d <= d' -> l' <= l -> ok t d l s -> ok t d' l' s.
Proof.
  induction t as [x|g next IH]; intros d d' l l' s Hd Hl H; [exact H|].
  destruct d as [|d]; [destruct H|]. destruct d' as [|d']; [lia|]. destruct H as [Hg [H|[H1 H2]]].
  - split; [exact Hg|left; exact H].
  - split; [exact Hg|right]. split; [apply (IH _ d d' l l'); [lia|exact Hl|exact H1]|]. intros r R N L.
    apply (IH r d d' (l - 1) (l' - 1)); [lia|lia|apply H2; [exact R|exact N|lia]].
Qed.

Lemma refuted_fewer d d' X : d' <= d -> refuted d X -> refuted d' X.
Proof. intros Hd H t T. apply (H t). intros s l Hs. apply (ok_more t d' d l l); [exact Hd|apply le_n|auto]. Qed.

(** ** What is left of a set after a response *)

Definition left_of (g r : nat) (m : nat * nat) : state :=
  let q := resp g (fst m) in
  if q =? 0 then [] else if q =? r then [m] else match snd m with 0 => [] | S l => [(fst m, l)] end.

Definition after (X : state) (g r : nat) : state := flat_map (left_of g r) X.

Lemma in_after X g r s l :
  In (s, l) (after X g r) <-> resp g s <> 0 /\ (resp g s = r /\ In (s, l) X \/ resp g s <> r /\ In (s, S l) X).
Proof.
  unfold after. rewrite in_flat_map. split.
  - intros [[s' l'] [HX H]]. unfold left_of in H. cbn [fst snd] in H.
    destruct (Nat.eqb_spec (resp g s') 0) as [E|N]; [destruct H|].
    destruct (Nat.eqb_spec (resp g s') r) as [E|N'].
    + destruct H as [[= <- <-]|[]]. auto.
    + destruct l' as [|l']; [destruct H|]. destruct H as [[= <- <-]|[]]. auto.
  - intros [N [[E H]|[E H]]].
    + exists (s, l). split; [exact H|]. unfold left_of. cbn [fst snd].
      rewrite (proj2 (Nat.eqb_neq _ _) N), (proj2 (Nat.eqb_eq _ _) E). left; reflexivity.
    + exists (s, S l). split; [exact H|]. unfold left_of. cbn [fst snd].
      rewrite (proj2 (Nat.eqb_neq _ _) N), (proj2 (Nat.eqb_neq _ _) E). left; reflexivity.
Qed.

Lemma settles_after g next d X r : legal g r -> settles (Node g next) (S d) X -> settles (next r) d (after X g r).
Proof.
  intros R H s l Hs. apply in_after in Hs as [N [[E Hs]|[E Hs]]].
  - destruct (H s l Hs) as [_ [H0|[H1 _]]]; [contradiction|]. rewrite E in H1. exact H1.
  - destruct (H s (S l) Hs) as [_ [H0|[_ H2]]]; [contradiction|].
    replace l with (S l - 1) by lia. apply H2; [exact R|congruence|lia].
Qed.

Lemma refuted_by_response g d X r : legal g r -> refuted d (after X g r) -> refuted_asking (S d) X g.
Proof. intros R H next T. exact (H (next r) (settles_after g next d X r R T)). Qed.

(** ** F1: asking *)

Definition open (X : state) : Prop :=
  if win then X <> [] else exists s l s' l', In (s, l) X /\ In (s', l') X /\ s <> s'.

Lemma leaf_settles_none d X x : open X -> ~ settles (Leaf x) d X.
Proof.
  unfold open. intros O T. destruct win eqn:E.
  - destruct X as [|[s l] X]; [contradiction|]. destruct (T s l (or_introl eq_refl)) as [F _]. congruence.
  - destruct O as [s [l [s' [l' [H [H' N]]]]]]. destruct (T s l H) as [_ A]. destruct (T s' l' H') as [_ B]. congruence.
Qed.

Definition alike (X : state) (g : nat) : Prop := exists r, legal g r /\ forall s l, In (s, l) X -> resp g s = r.

Lemma refuted_by_asking d X :
  open X -> (forall g, g < guesses -> alike X g \/ refuted_asking d X g) -> refuted d X.
Proof.
  intros O H t. induction t as [x|g next IH]; intros T; [exact (leaf_settles_none d X x O T)|].
  assert (Some' : exists s l, In (s, l) X).
  { unfold open in O. destruct win; [destruct X as [|[s l] X]; [contradiction|exists s, l; left; reflexivity]|].
    destruct O as [s [l [_ [_ [O _]]]]]. exists s, l; exact O. }
  destruct Some' as [s0 [l0 H0]].
  destruct d as [|d]; [exact (T s0 l0 H0)|]. destruct (T s0 l0 H0) as [Hg _].
  destruct (H g Hg) as [[r [[R _] A]]|B]; [|exact (B next T)].
  apply (IH r). intros s l Hs. destruct (T s l Hs) as [_ [E|[E _]]]; rewrite (A s l Hs) in E; [contradiction|].
  apply (ok_more (next r) d (S d) l l); [lia|apply le_n|exact E].
Qed.

(** ** F3: volume *)

Variable K : nat.  (* at least 1; no guess gets more responses, but 0, from all secrets *)

Fixpoint U (d l : nat) : nat :=
  match d with
  | 0 => 1
  | S e => if win && (e =? 0) then 1 else U e l + (K - 1) * match l with 0 => 0 | S l => U e l end
  end.

Fixpoint B (d m : nat) : nat :=
  match d with
  | 0 => if win then 0 else 1
  | S e => (if win then U d m else 0) + K * B e m
  end.

Definition volume (d : nat) (X : state) : nat := sum (fun m => U d (snd m)) X.

Definition under (d l : nat) : nat := match l with 0 => 0 | S l => U d l end.  (* U(d, l - 1) *)

Lemma U_step d l : win && (d =? 0) = false -> U (S d) l = U d l + (K - 1) * under d l.
Proof. intros H. cbn [U]. rewrite H. reflexivity. Qed.

Lemma U_rises d : forall l, under d l <= U d l /\ 1 <= U d l.
Proof.
  induction d as [|d IH]; intros l.
  - destruct l; cbn; lia.
  - destruct (IH l) as [A P]. destruct l as [|l]; cbn [under].
    + split; [lia|]. cbn [U]. destruct (_ && _); lia.
    + destruct (IH l) as [A' P']. cbn [U]. destruct (_ && _); [lia|]. cbn [under] in A. split; [|lia].
      fold (under d l). assert ((K - 1) * under d l <= (K - 1) * U d l) by (apply Nat.mul_le_mono_l, A'). lia.
Qed.

Lemma U_rising d l m : l <= m -> U d l <= U d m.
Proof. induction 1 as [|m H IH]; [apply le_n|]. pose proof (proj1 (U_rises d (S m))) as A. cbn [under] in A. lia. Qed.

Lemma B_rising d l m : l <= m -> B d l <= B d m.
Proof.
  intros H. induction d as [|d IH]; [apply le_n|]. cbn [B].
  assert (K * B d l <= K * B d m) by (apply Nat.mul_le_mono_l, IH).
  destruct win; [|lia]. pose proof (U_rising (S d) l m H). lia.
Qed.

Lemma U_below_power d l : win = false -> 1 <= K -> U d l <= B d l.
Proof.
  intros W P. revert l; induction d as [|d IH]; intros l; [cbn; rewrite W; apply le_n|].
  rewrite U_step by (rewrite W; reflexivity). pose proof (proj1 (U_rises d l)) as R. pose proof (IH l) as A.
  cbn [B]. rewrite W. assert ((K - 1) * under d l <= (K - 1) * B d l) by (apply Nat.mul_le_mono_l; lia). nia.
Qed.

Definition proper (X : state) : Prop :=
  (forall s l, In (s, l) X -> s < secrets) /\ NoDup (map fst X).

Hypothesis K_positive : 1 <= K.
Hypothesis K_most : forall g, g < guesses -> exists rs, length rs <= K /\ NoDup rs /\ (forall r, In r rs <-> legal g r).
Hypothesis once : forall g s s', g < guesses -> s < secrets -> s' < secrets -> resp g s = 0 -> resp g s' = 0 -> s = s'.
Hypothesis never : win = false -> forall g s, g < guesses -> s < secrets -> resp g s <> 0.

Lemma proper_cons m X : proper (m :: X) -> proper X.
Proof. intros [A N]. split; [intros s l H; apply (A s l); right; exact H|]. inversion N; assumption. Qed.

Lemma fst_after_in X g r s : In s (map fst (after X g r)) -> In s (map fst X).
Proof.
  intros H. apply in_map_iff in H as [[s' l] [<- H]]. apply in_after in H as [_ [[_ H]|[_ H]]];
    apply (in_map fst) in H; exact H.
Qed.

Lemma proper_after X g r : proper X -> proper (after X g r).
Proof.
  intros [A N]. split.
  - intros s l H. apply in_after in H as [_ [[_ H]|[_ H]]]; exact (A _ _ H).
  - clear A. induction X as [|[s l] X IH]; [constructor|]. inversion N as [|? ? N1 N2]; subst.
    change (after ((s, l) :: X) g r) with (left_of g r (s, l) ++ after X g r). unfold left_of. cbn [fst snd].
    assert (M : ~ In s (map fst (after X g r))) by (intros H; apply N1; exact (fst_after_in X g r s H)).
    destruct (_ =? 0); [exact (IH N2)|]. destruct (_ =? r); [constructor; [exact M|exact (IH N2)]|].
    destruct l; [exact (IH N2)|constructor; [exact M|exact (IH N2)]].
Qed.

Lemma lies_after X g r k : (forall s l, In (s, l) X -> l <= k) -> forall s l, In (s, l) (after X g r) -> l <= k.
Proof.
  clear K_positive. intros H s l A. apply in_after in A as [_ [[_ A]|[_ A]]]; apply H in A; lia.
Qed.

(** The volumes of what is left, over all responses. *)
Lemma volumes_after d g rs : NoDup rs -> (forall r, In r rs <-> legal g r) ->
  forall X, (forall s l, In (s, l) X -> s < secrets) ->
  sum (fun r => volume d (after X g r)) rs
  = sum (fun m => if resp g (fst m) =? 0 then 0 else U d (snd m) + (length rs - 1) * under d (snd m)) X.
Proof.
  intros N L X. induction X as [|[s l] X IH]; intros P.
  - unfold volume, after. cbn. apply sum_zero.
  - rewrite sum_cons, <- IH by (intros; eapply P; right; eassumption). clear IH.
    assert (Z : sum (fun r => volume d (left_of g r (s, l))) rs
      = (if resp g (fst (s, l)) =? 0 then 0 else U d (snd (s, l)) + (length rs - 1) * under d (snd (s, l)))).
    { unfold left_of. cbn [fst snd]. destruct (Nat.eqb_spec (resp g s) 0) as [E|E].
      - rewrite <- (sum_zero nat rs). apply sum_eq. intros; reflexivity.
      - assert (I : In (resp g s) rs) by (apply L; split; [exact E|exists s; split; [exact (P s l (or_introl eq_refl))|
          reflexivity]]).
        clear L P E. revert I; induction rs as [|r rs IH]; [intros []|]. inversion N as [|? ? N1 N2]; subst.
        rewrite sum_cons. intros [->|I].
        + rewrite Nat.eqb_refl. unfold volume at 1. rewrite sum_cons. cbn [snd sum map list_sum fold_right length].
          rewrite (sum_eq _ _ (fun _ => under d l)).
          * rewrite sum_alike. cbn. lia.
          * intros q Hq. destruct (Nat.eqb_spec (resp g s) q) as [Q|_]; [subst q; contradiction|].
            destruct l; unfold volume; cbn; lia.
        + destruct (Nat.eqb_spec (resp g s) r) as [Q|_]; [subst r; contradiction|]. rewrite IH by assumption.
          assert (1 <= length rs) by (destruct rs; [destruct I|cbn; lia]). cbn [length].
          replace (S (length rs) - 1) with (S (length rs - 1)) by lia.
          destruct l; unfold volume; cbn [sum map list_sum fold_right under snd]; lia. }
    rewrite <- Z, <- sum_add. apply sum_eq. intros r _. unfold volume.
    change (after ((s, l) :: X) g r) with (left_of g r (s, l) ++ after X g r). apply sum_app.
Qed.

(** The secrets on which the guess does not win. *)
Lemma volume_asked d g next X m :
  g < guesses -> proper X -> (forall r, legal g r -> volume d (after X g r) <= B d m) ->
  settles (Node g next) (S d) X ->
  sum (fun x => if resp g (fst x) =? 0 then 0 else U d (snd x) + (K - 1) * under d (snd x)) X <= K * B d m.
Proof.
  intros Hg P H _. destruct (K_most g Hg) as [rs [LK [N L]]].
  assert (S1 : sum (fun r => volume d (after X g r)) rs <= B d m * length rs).
  { apply sum_bounded. intros r Hr. apply H, L, Hr. }
  rewrite (volumes_after d g rs N L X (proj1 P)) in S1.
  destruct (Nat.eq_dec (length rs) 0) as [Z|Z].
  - rewrite (sum_eq _ _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros [s l] Hs. cbn [fst].
    destruct (Nat.eqb_spec (resp g s) 0) as [_|E]; [reflexivity|].
    assert (In (resp g s) rs) as I by (apply L; split; [exact E|exists s; split; [exact (proj1 P s l Hs)|reflexivity]]).
    destruct rs; [destruct I|discriminate].
  - set (a := sum (fun x => if resp g (fst x) =? 0 then 0 else U d (snd x)) X).
    set (b := sum (fun x => if resp g (fst x) =? 0 then 0 else under d (snd x)) X).
    assert (E : forall k, sum (fun x => if resp g (fst x) =? 0 then 0 else U d (snd x) + k * under d (snd x)) X
      = a + k * b).
    { intros k. unfold a, b. rewrite <- sum_mul, <- sum_add. apply sum_eq. intros x _. destruct (_ =? 0); lia. }
    rewrite E in *. assert (A : b <= a).
    { apply sum_le. intros x _. destruct (_ =? 0); [lia|]. apply U_rises. }
    assert (b <= B d m) by nia. nia.
Qed.

Lemma volume_bounds d : forall t X m,
  proper X -> (forall s l, In (s, l) X -> l <= m) -> settles t d X -> volume d X <= B d m.
Proof.
  induction d as [|d IH]; intros t X m P M T.
  - destruct t as [x|g next].
    + destruct X as [|[s l] X]; [apply Nat.le_0_l|]. destruct (T s l (or_introl eq_refl)) as [W ->]. cbn [B]. rewrite W.
      destruct X as [|[s' l'] X]; [unfold volume; cbn; lia|].
      destruct (T s' l' (or_intror (or_introl eq_refl))) as [_ ->]. destruct P as [_ P]. cbn in P.
      inversion P as [|? ? N _]; subst. destruct N; left; reflexivity.
    + destruct X as [|[s l] X]; [apply Nat.le_0_l|]. destruct (T s l (or_introl eq_refl)).
  - destruct t as [x|g next].
    + destruct X as [|[s l] X]; [apply Nat.le_0_l|]. destruct (T s l (or_introl eq_refl)) as [W ->].
      destruct X as [|[s' l'] X].
      * unfold volume. rewrite sum_cons. cbn [snd sum map list_sum fold_right].
        pose proof (U_below_power (S d) l W K_positive).
        pose proof (B_rising (S d) l m (M s l (or_introl eq_refl))). lia.
      * destruct (T s' l' (or_intror (or_introl eq_refl))) as [_ ->]. destruct P as [_ P]. cbn in P.
        inversion P as [|? ? N _]; subst. destruct N; left; reflexivity.
    + destruct X as [|[s0 l0] X0]; [apply Nat.le_0_l|]. destruct (T s0 l0 (or_introl eq_refl)) as [Hg _].
      set (X := (s0, l0) :: X0) in *. clearbody X. clear s0 l0 X0.
      assert (C : forall r, legal g r -> volume d (after X g r) <= B d m).
      { intros r R. apply (IH (next r)); [apply proper_after, P|apply lies_after, M|].
        exact (settles_after g next d X r R T). }
      pose proof (volume_asked d g next X m Hg P C T) as V.
      (* the secret on which the guess wins *)
      assert (E : volume (S d) X = sum (fun x => if resp g (fst x) =? 0 then U (S d) (snd x) else 0) X
        + sum (fun x => if resp g (fst x) =? 0 then 0 else U (S d) (snd x)) X).
      { unfold volume. rewrite <- sum_add. apply sum_eq. intros x _. destruct (resp g (fst x) =? 0); lia. }
      assert (W1 : sum (fun x => if resp g (fst x) =? 0 then U (S d) (snd x) else 0) X <= U (S d) m).
      { clear - P M once Hg. induction X as [|[s l] X IH]; [apply Nat.le_0_l|]. rewrite sum_cons. cbn [fst snd].
        destruct (Nat.eqb_spec (resp g s) 0) as [Z|Z].
        - rewrite (sum_eq _ _ (fun _ => 0)).
          + rewrite sum_zero. pose proof (U_rising (S d) l m (M s l (or_introl eq_refl))). lia.
          + intros [s' l'] H'. cbn [fst snd]. destruct (Nat.eqb_spec (resp g s') 0) as [Z'|_]; [|reflexivity].
            exfalso. destruct P as [P N]. inversion N as [|? ? N1 N2]; subst.
            pose proof (P s' l' (or_intror H')) as B'. pose proof (P s l (or_introl eq_refl)) as B0.
            rewrite (once g s s' Hg B0 B' Z Z') in N1. apply N1. apply (in_map fst) in H'. exact H'.
        - apply IH; [exact (proper_cons _ _ P)|intros s' l' H'; apply (M s' l'); right; exact H']. }
      cbn [B]. destruct (win && (d =? 0)) eqn:F.
      * apply andb_prop in F as [F1 F2]. apply Nat.eqb_eq in F2. subst d. rewrite F1 in *.
        assert (Y : sum (fun x => if resp g (fst x) =? 0 then 0 else U 1 (snd x)) X = 0).
        { rewrite (sum_eq _ _ (fun _ => 0)); [apply sum_zero|]. intros [s l] H. cbn [fst].
          destruct (Nat.eqb_spec (resp g s) 0) as [_|Z]; [reflexivity|].
          destruct (T s l H) as [_ [A|[A _]]]; [contradiction|]. destruct (next (resp g s)); destruct A; congruence. }
        lia.
      * rewrite (sum_eq _ (fun x => if resp g (fst x) =? 0 then 0 else U (S d) (snd x))
          (fun x => if resp g (fst x) =? 0 then 0 else U d (snd x) + (K - 1) * under d (snd x))) in E
          by (intros x _; destruct (resp g (fst x) =? 0); [reflexivity|apply U_step, F]).
        destruct win eqn:W; [lia|].
        rewrite (sum_eq _ _ (fun _ => 0)) in E; [rewrite sum_zero in E; lia|]. intros [s l] H. cbn [fst].
        destruct (Nat.eqb_spec (resp g s) 0) as [Z|_]; [|reflexivity].
        destruct (never eq_refl g s Hg (proj1 P s l H) Z).
Qed.

(** One that is settled by none. *)
Definition too_many (d : nat) (X : state) : Prop :=
  exists m, (forall s l, In (s, l) X -> l <= m) /\ B d m < volume d X.

Lemma refuted_by_volume d X : proper X -> too_many d X -> refuted d X.
Proof. intros P [m [M V]] t T. pose proof (volume_bounds d t X m P M T). lia. Qed.

(** ** F2: renamings of codes *)

Section Renaming.

Variable to : nat -> nat.  (* of guesses and secrets *)

Hypothesis to_guess : forall g, g < guesses -> to g < guesses.
Hypothesis to_resp : forall g s, g < guesses -> s < secrets -> resp (to g) (to s) = resp g s.
Hypothesis to_legal : forall g r, g < guesses -> legal (to g) r -> legal g r.

Fixpoint rename (t : tree) : tree :=
  match t with Leaf x => Leaf (to x) | Node g next => Node (to g) (fun r => rename (next r)) end.

Lemma ok_rename t : forall d l s, s < secrets -> ok t d l s -> ok (rename t) d l (to s).
Proof.
  induction t as [x|g next IH]; intros d l s Hs H; cbn in *.
  - destruct H as [H ->]. auto.
  - destruct d as [|d]; [exact H|]. destruct H as [Hg H]. split; [exact (to_guess g Hg)|].
    rewrite (to_resp g s Hg Hs). destruct H as [H|[H1 H2]]; [left; exact H|right]. split; [apply IH; assumption|].
    intros r R N L. apply IH; [exact Hs|]. apply H2; [exact (to_legal g r Hg R)|exact N|exact L].
Qed.

Lemma refuted_asking_renamed d X g :
  proper X -> (forall s l, In (s, l) X -> exists s', In (s', l) X /\ to s' = s) ->
  refuted_asking d X (to g) -> refuted_asking d X g.
Proof.
  intros P H A next T. apply (A (fun r => rename (next r))). intros s l Hs.
  destruct (H s l Hs) as [s' [Hs' <-]]. apply (ok_rename (Node g next) d l s' (proj1 P s' l Hs')), T, Hs'.
Qed.

End Renaming.

(** ** F2: renamings of secrets *)

Section SetRenaming.

Variable D : list nat.        (* the secrets of the set *)
Variable to : nat -> nat.     (* where they go *)
Variable image : nat -> nat.  (* of each guess that tells them apart *)

Definition tells (g : nat) : bool := existsb (fun x => existsb (fun y => negb (resp g x =? resp g y)) D) D.

(** The image splits the images as the guess splits the secrets, and wins where it wins. *)
Definition splits_alike (g g' : nat) : Prop :=
  (forall x, In x D -> (resp g' (to x) = 0 <-> resp g x = 0)) /\
  (forall x y, In x D -> In y D -> (resp g' (to x) = resp g' (to y) <-> resp g x = resp g y)).

Hypothesis D_secrets : forall x, In x D -> x < secrets.
Hypothesis D_two : exists x y, In x D /\ In y D /\ x <> y.
Hypothesis image_true : forall g, g < guesses -> tells g = true -> image g < guesses /\ splits_alike g (image g).

(** The response to a guess, by that to its image; if none of the set gives it, some response that is given. *)
Definition back (g r : nat) : nat :=
  match find (fun x => resp (image g) (to x) =? r) D with
  | Some x => resp g x
  | None => match find (fun x => negb (resp g x =? 0)) D with Some x => resp g x | None => 0 end
  end.

(** What tells nothing is left out. *)
Fixpoint moved (t : tree) : tree :=
  match t with
  | Leaf x => Leaf (to x)
  | Node g next =>
      if tells g then Node (image g) (fun r => moved (next (back g r))) else moved (next (resp g (hd 0 D)))
  end.

Lemma tells_not g x y : tells g = false -> In x D -> In y D -> resp g x = resp g y.
Proof.
  intros T Hx Hy. destruct (Nat.eq_dec (resp g x) (resp g y)) as [E|E]; [exact E|].
  assert (tells g = true); [|congruence]. apply existsb_exists. exists x. split; [exact Hx|]. apply existsb_exists.
  exists y. split; [exact Hy|]. apply negb_true_iff, Nat.eqb_neq, E.
Qed.

Lemma ok_moved t : forall d l s, In s D -> ok t d l s -> ok (moved t) d l (to s).
Proof.
  clear K_positive K_most never. induction t as [x|g next IH]; intros d l s Hs H; [cbn in *; destruct H as [H ->]; auto|].
  destruct d as [|d]; [destruct H|]. destruct H as [Hg H]. cbn [moved]. destruct (tells g) eqn:T.
  - destruct (image_true g Hg T) as [Hi [S0 S]]. cbn [ok]. split; [exact Hi|].
    destruct (Nat.eq_dec (resp g s) 0) as [E|E]; [left; apply S0; assumption|]. right.
    destruct H as [H|[H1 H2]]; [contradiction|].
    assert (E0 : resp (image g) (to s) <> 0) by (intros Q; apply E, S0; assumption). split.
    + apply IH; [exact Hs|]. unfold back. destruct (find _ D) as [x|] eqn:F.
      * apply find_some in F as [Hx F]. apply Nat.eqb_eq in F. apply S in F; [rewrite F; exact H1|assumption..].
      * apply find_none with (x := s) in F; [|exact Hs]. rewrite Nat.eqb_refl in F. discriminate.
    + intros r [R _] N L. apply IH; [exact Hs|].
      assert (Q : legal g (back g r)).
      { unfold back. destruct (find (fun x => resp (image g) (to x) =? r) D) as [x|] eqn:F.
        - apply find_some in F as [Hx F]. apply Nat.eqb_eq in F. split; [|exists x; auto].
          intros Z. apply S0 in Z; [congruence|exact Hx].
        - destruct (find (fun x => negb _) D) as [x|] eqn:F'.
          + apply find_some in F' as [Hx F']. apply negb_true_iff, Nat.eqb_neq in F'. split; [exact F'|exists x; auto].
          + apply find_none with (x := s) in F'; [|exact Hs]. apply negb_false_iff, Nat.eqb_eq in F'. contradiction. }
      destruct (Nat.eq_dec (back g r) (resp g s)) as [B0|B0].
      * rewrite B0. apply (ok_more (next (resp g s)) d d l (l - 1)); [lia|lia|exact H1].
      * apply H2; [exact Q|exact B0|exact L].
  - assert (A : resp g s = resp g (hd 0 D)).
    { apply (tells_not g); [exact T|exact Hs|]. destruct D; [destruct Hs|left; reflexivity]. }
    rewrite <- A. destruct H as [H|[H1 _]].
    + exfalso. destruct D_two as [x [y [Hx [Hy N]]]]. apply N. apply (once g); auto.
      * rewrite <- H. apply tells_not; assumption.
      * rewrite <- H. apply tells_not; assumption.
    + apply (ok_more _ d (S d) l l); [lia|lia|]. apply IH; assumption.
Qed.

Lemma refuted_asking_moved d X g :
  g < guesses -> tells g = true -> (forall s l, In (s, l) X -> exists s', In (s', l) X /\ In s' D /\ to s' = s) ->
  refuted_asking d X (image g) -> refuted_asking d X g.
Proof.
  intros Hg T H A next Z.
  apply (A (fun r => moved (next (back g r)))). intros s l Hs. destruct (H s l Hs) as [s' [H1 [H2 <-]]].
  pose proof (ok_moved (Node g next) d l s' H2 (Z s' l H1)) as Q. cbn [moved] in Q. rewrite T in Q. exact Q.
Qed.

End SetRenaming.

End Lies.
