(** Lower bounds for trees of questions. Secrets are numbers; a secret is known by the list of its answers to every
    guess, 0 where the guess is the secret. The lemmas are those of LEMMAS.md, by their numbers. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import CodeGame.
From Proof Require Export Lists.
Import ListNotations.

(** ** Trees *)

Definition bound := option nat.  (* [None]: no tree settles the set *)

Definition reaches (b : bound) (n : nat) : Prop := match b with Some k => k <= n | None => False end.

Definition plus (a b : bound) : bound := match a, b with Some x, Some y => Some (x + y) | _, _ => None end.

Definition pre (d : option nat) : option nat := option_map pred d.

Section Trees.

Variable col : nat -> list nat.  (* the answers of each secret to each guess *)

Inductive tree := Leaf | Node (guess : nat) (next : nat -> tree).

Fixpoint asks (t : tree) (x : nat) : option nat :=
  match t with
  | Leaf => None
  | Node g next =>
      match nth_error (col x) g with
      | None => None
      | Some 0 => Some 1
      | Some (S a) => option_map S (asks (next a) x)
      end
  end.

Definition count (t : tree) (x : nat) : nat := match asks t x with Some k => k | None => 0 end.

Definition cost (t : tree) (s : list nat) : nat := sum (count t) s.

Definition solves (d : option nat) (t : tree) (s : list nat) : Prop :=
  forall x, In x s -> exists k, asks t x = Some k /\ within d k.

(** Every tree for the set costs at least the bound. *)
Definition lb (d : option nat) (s : list nat) (b : bound) : Prop := forall t, solves d t s -> reaches b (cost t s).

(** Every tree that begins with the guess does. *)
Definition ask_lb (d : option nat) (g : nat) (s : list nat) (b : bound) : Prop :=
  forall next, solves d (Node g next) s -> reaches b (cost (Node g next) s).

Definition has (g r x : nat) : bool := match nth_error (col x) g with Some k => k =? r | None => false end.

Definition part (g r : nat) (s : list nat) : list nat := filter (has g r) s.

Lemma asks_positive t x k : asks t x = Some k -> 1 <= k.
Proof.
  destruct t as [|g next]; cbn; [discriminate|]. destruct (nth_error (col x) g) as [[|a]|]; try discriminate.
  - intros [= <-]; lia.
  - destruct (asks (next a) x); cbn; [intros [= <-]; lia|discriminate].
Qed.

Lemma solves_part d g next s a : solves d (Node g next) s -> solves (pre d) (next a) (part g (S a) s).
Proof.
  intros H x Hx. apply filter_In in Hx as [Hx Hr]. destruct (H x Hx) as [k [Hk Hd]].
  unfold has in Hr. cbn in Hk. destruct (nth_error (col x) g) as [r|]; [|discriminate].
  apply Nat.eqb_eq in Hr; subst r. destruct (asks (next a) x) as [j|]; [|discriminate].
  exists j; split; [reflexivity|]. injection Hk as <-. destruct d; cbn in *; lia.
Qed.

Lemma part_cons g r x s : part g r (x :: s) = if has g r x then x :: part g r s else part g r s.
Proof. reflexivity. Qed.

Lemma length_part_cons g r x s : length (part g r (x :: s)) = (if has g r x then 1 else 0) + length (part g r s).
Proof. rewrite part_cons. destruct (has g r x); reflexivity. Qed.

Lemma length_part g r s : length (part g r s) <= length s.
Proof. induction s as [|x s IH]; [apply le_n|]. rewrite length_part_cons. cbn [length]. destruct (has g r x); lia.
Qed.

Lemma cost_part_cons t g r x s : cost t (part g r (x :: s)) = (if has g r x then count t x else 0) + cost t (part g r
  s).
Proof. rewrite part_cons. destruct (has g r x); reflexivity. Qed.

(** A guess is paid by all, and leaves its parts to the trees below (L1 a). *)
Lemma cost_node d g next s m :
  solves d (Node g next) s ->
  length s + sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m) <= cost (Node g next) s.
Proof.
  induction s as [|x s IH]; intros H.
  - replace (sum _ _) with (sum (fun _ : nat => 0) (seq 0 m)) by (apply sum_eq; reflexivity). rewrite sum_zero.
    cbn; lia.
  - assert (IH' := IH (fun y Hy => H y (or_intror Hy))). clear IH.
    replace (sum (fun a => cost (next a) (part g (S a) (x :: s))) (seq 0 m))
      with (sum (fun a => if has g (S a) x then count (next a) x else 0) (seq 0 m)
            + sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m))
      by (rewrite <- sum_add; apply sum_eq; intros; rewrite cost_part_cons; reflexivity).
    change (cost (Node g next) (x :: s)) with (count (Node g next) x + cost (Node g next) s).
    cut (S (sum (fun a => if has g (S a) x then count (next a) x else 0) (seq 0 m)) <= count (Node g next) x);
      [cbn [length]; lia|].
    destruct (H x (or_introl eq_refl)) as [k [Hk _]]. unfold count at 2. rewrite Hk. unfold has. cbn in Hk.
    destruct (nth_error (col x) g) as [[|a0]|]; try discriminate.
    + injection Hk as <-. rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity. rewrite sum_zero. lia.
    + destruct (asks (next a0) x) as [j|] eqn:E; [|discriminate]. injection Hk as <-.
      rewrite (sum_eq _ _ (fun a => if a =? a0 then count (next a0) x else 0)).
      * rewrite sum_pick. unfold count. rewrite E. destruct (a0 <? m); lia.
      * intros a _. cbn [Nat.eqb]. rewrite (Nat.eqb_sym a0 a). destruct (Nat.eqb_spec a a0); subst; reflexivity.
Qed.

(** Every secret is in one part. *)
Lemma sizes_add_up d g next s m :
  solves d (Node g next) s -> (forall x r, In x s -> nth_error (col x) g = Some r -> r <= m) ->
  length (part g 0 s) + sum (fun a => length (part g (S a) s)) (seq 0 m) = length s.
Proof.
  intros H B. rewrite <- (sum_first (fun r => length (part g r s)) m).
  induction s as [|x s IH].
  - rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity. apply sum_zero.
  - rewrite (sum_eq _ _ (fun r => (if has g r x then 1 else 0) + length (part g r s)))
      by (intros; apply length_part_cons).
    rewrite sum_add, IH; [|intros y Hy; apply H; right; exact Hy|intros y r Hy; apply B; right; exact Hy].
    destruct (H x (or_introl eq_refl)) as [k [Hk _]]. cbn in Hk. unfold has.
    destruct (nth_error (col x) g) as [r|] eqn:E; [|discriminate].
    rewrite (sum_eq _ _ (fun j => if j =? r then 1 else 0)) by (intros; rewrite Nat.eqb_sym; reflexivity).
    rewrite sum_pick. pose proof (B x r (or_introl eq_refl) E). destruct (Nat.ltb_spec r (S m)); cbn [length]; lia.
Qed.

(** There is a greatest answer. *)
Lemma greatest g s : exists m, forall x r, In x s -> nth_error (col x) g = Some r -> r <= m.
Proof.
  induction s as [|x s [m IH]]; [exists 0; intros x r []|].
  exists (m + match nth_error (col x) g with Some r => r | None => 0 end).
  intros y r [<-|Hy] E; [rewrite E|specialize (IH y r Hy E)]; lia.
Qed.

(** ** L2 to L4: counting *)

Section Counting.

Variable K : nat.            (* no guess makes more parts, the winning one counted *)
Variable P : nat -> nat.     (* no guess leaves more parts, the winning one left out, of more than [j] secrets *)

Definition fits (s : list nat) : Prop :=
  (forall g, length (part g 0 s) <= 1) /\
  (forall g m, sum (fun r => if 0 <? length (part g r s) then 1 else 0) (seq 0 m) <= K) /\
  (forall g j m, sum (fun a => if j <? length (part g (S a) s) then 1 else 0) (seq 0 m) <= P j).

Lemma length_part_part g r h q s : length (part g r (part h q s)) <= length (part g r s).
Proof.
  induction s as [|x s IH]; [apply le_n|]. rewrite part_cons, length_part_cons.
  destruct (has h q x); [rewrite length_part_cons|]; lia.
Qed.

Lemma fits_part s g r : fits s -> fits (part g r s).
Proof.
  intros [H1 [H2 H3]]. repeat split.
  - intros h. pose proof (length_part_part h 0 g r s). specialize (H1 h). lia.
  - intros h m. etransitivity; [|apply (H2 h m)]. apply sum_le. intros q _. pose proof (length_part_part h q g r s).
    destruct (Nat.ltb_spec 0 (length (part h q (part g r s)))); destruct (Nat.ltb_spec 0 (length (part h q s))); lia.
  - intros h j m. etransitivity; [|apply (H3 h j m)]. apply sum_le. intros q _.
    pose proof (length_part_part h (S q) g r s).
    destruct (Nat.ltb_spec j (length (part h (S q) (part g r s))));
      destruct (Nat.ltb_spec j (length (part h (S q) s))); lia.
Qed.

(** The guess makes at most [k] parts, the winning one counted. *)
Definition few (k g : nat) (s : list nat) : Prop :=
  forall m, sum (fun r => if 0 <? length (part g r s) then 1 else 0) (seq 0 m) <= k.

(** Parts with more than [j] secrets; [w]: whether the guess wins. *)
Definition room (k w j : nat) : nat := min (P j) (k - w).

Lemma parts_in_room s k g m j :
  fits s -> few k g s ->
  sum (fun a => if j <? length (part g (S a) s) then 1 else 0) (seq 0 m) <= room k (length (part g 0 s)) j.
Proof.
  intros [H1 [_ H3]] H2. apply Nat.min_glb; [apply H3|].
  specialize (H2 (S m)). rewrite sum_first in H2. specialize (H1 g).
  assert (sum (fun a => if j <? length (part g (S a) s) then 1 else 0) (seq 0 m)
          <= sum (fun a => if 0 <? length (part g (S a) s) then 1 else 0) (seq 0 m)).
  { apply sum_le. intros a _. destruct (Nat.ltb_spec j (length (part g (S a) s)));
      destruct (Nat.ltb_spec 0 (length (part g (S a) s))); lia. }
  destruct (Nat.ltb_spec 0 (length (part g 0 s))); lia.
Qed.

(** Places in parts: what they cost by place is what they cost by part. *)
Lemma places s k g m n (f : nat -> nat) :
  fits s -> few k g s -> (forall a, length (part g (S a) s) <= n) ->
  sum (fun a => sum f (seq 0 (length (part g (S a) s)))) (seq 0 m)
  <= sum (fun j => f j * room k (length (part g 0 s)) j) (seq 0 n).
Proof.
  intros H Hk B.
  rewrite (sum_eq _ _ (fun a => sum (fun j => f j * (if j <? length (part g (S a) s) then 1 else 0)) (seq 0 n))).
  - rewrite sum_swap. apply sum_le. intros j _. rewrite sum_mul. apply Nat.mul_le_mono_l.
    apply parts_in_room; assumption.
  - intros a _. rewrite <- (sum_below f _ n) by apply B. apply sum_eq. intros j _. destruct (j <? _); lia.
Qed.

Lemma fits_few s g : fits s -> few K g s.
Proof. intros [_ [H _]] m. apply H. Qed.

(** At most how many secrets [d] guesses settle. *)
Fixpoint capacity (d : nat) : nat :=
  match d with
  | 0 => 0
  | S d => max (sum (room K 0) (seq 0 (capacity d))) (1 + sum (room K 1) (seq 0 (capacity d)))
  end.

Lemma capacity_bounds d t s : fits s -> solves (Some d) t s -> length s <= capacity d.
Proof.
  revert t s; induction d as [|d IH]; intros t s F H.
  - destruct s as [|x s]; [apply le_n|]. destruct (H x (or_introl eq_refl)) as [k [Hk Hd]].
    pose proof (asks_positive t x k Hk). cbn in Hd; lia.
  - destruct s as [|x s]; [cbn; lia|]. destruct t as [|g next].
    { destruct (H x (or_introl eq_refl)) as [k [Hk _]]; discriminate. }
    set (S' := x :: s) in *. destruct (greatest g S') as [m Hm]. pose proof (sizes_add_up _ _ _ _ m H Hm) as E.
    assert (B : forall a, length (part g (S a) S') <= capacity d).
    { intros a. apply (IH (next a)); [apply fits_part, F|]. exact (solves_part _ _ _ _ a H). }
    pose proof (places S' K g m (capacity d) (fun _ => 1) F (fits_few S' g F) B) as L.
    rewrite (sum_eq _ (fun a => sum _ _) (fun a => length (part g (S a) S'))) in L
      by (intros a _; rewrite sum_const; lia).
    rewrite (sum_eq _ (fun j => 1 * _) (room K (length (part g 0 S')))) in L by (intros; lia).
    destruct F as [F1 _]. specialize (F1 g). cbn [capacity].
    destruct (length (part g 0 S')) as [|[|w]]; lia.
Qed.

(** A table of costs by number of secrets: at the price [p] of a place, no sizes of parts cost less. *)
Variable tab : nat -> nat.
Variable n0 : nat.

Definition excess (p j : nat) : nat := p + tab j - tab (S j).

Definition overpaid (k p w : nat) : nat := sum (fun j => excess p j * room k w j) (seq 0 n0).

Definition good : Prop :=
  tab 0 = 0 /\
  forall n w, 1 <= n <= n0 -> w <= 1 -> exists p, tab n + overpaid K p w <= n + p * (n - w).

Lemma by_places p k : p * k + tab 0 <= tab k + sum (excess p) (seq 0 k).
Proof.
  induction k as [|k IH]; [cbn; lia|]. rewrite seq_S. unfold sum in *. rewrite map_app, list_sum_app. cbn.
  unfold excess at 2. lia.
Qed.

Lemma at_price d g next s k p :
  tab 0 = 0 -> fits s -> few k g s -> length s <= n0 -> solves d (Node g next) s ->
  (forall a, tab (length (part g (S a) s)) <= cost (next a) (part g (S a) s)) ->
  length s + p * (length s - length (part g 0 s)) <= cost (Node g next) s + overpaid k p (length (part g 0 s)).
Proof.
  intros G0 F Hk B H T. destruct (greatest g s) as [m Hm]. pose proof (sizes_add_up _ _ _ _ m H Hm) as E.
  pose proof (cost_node d g next s m H) as C.
  assert (Z : forall a, length (part g (S a) s) <= n0).
  { intros a. etransitivity; [|exact B]. apply length_part. }
  pose proof (places s k g m n0 (excess p) F Hk Z) as L. fold (overpaid k p (length (part g 0 s))) in L.
  assert (p * sum (fun a => length (part g (S a) s)) (seq 0 m)
          <= sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m)
             + sum (fun a => sum (excess p) (seq 0 (length (part g (S a) s)))) (seq 0 m)) as M.
  { rewrite <- sum_mul, <- sum_add. apply sum_le. intros a _.
    pose proof (by_places p (length (part g (S a) s))). specialize (T a). lia. }
  replace (length s - length (part g 0 s)) with (sum (fun a => length (part g (S a) s)) (seq 0 m)) by lia.
  lia.
Qed.

Lemma counting_bounds d t s : good -> fits s -> length s <= n0 -> solves d t s -> tab (length s) <= cost t s.
Proof.
  intros [G0 G]. revert d s; induction t as [|g next IH]; intros d s F B H.
  - destruct s as [|x s]; [change (tab 0 <= 0); lia|]. destruct (H x (or_introl eq_refl)) as [k [Hk _]]; discriminate.
  - destruct s as [|x s]; [change (tab 0 <= cost (Node g next) []); lia|]. set (S' := x :: s) in *.
    assert (W : length (part g 0 S') <= 1) by apply F.
    destruct (G (length S') (length (part g 0 S'))) as [p Hp]; [cbn in *; lia|exact W|].
    assert (T : forall a, tab (length (part g (S a) S')) <= cost (next a) (part g (S a) S')).
    { intros a. apply (IH a (pre d)); [apply fits_part, F| |exact (solves_part _ _ _ _ a H)].
      pose proof (length_part g (S a) S'). lia. }
    pose proof (at_price d g next S' K p G0 F (fits_few S' g F) B H T). lia.
Qed.

(** A guess by the number of its parts (L4). *)
Lemma ask_by_parts d g s k p :
  good -> fits s -> few k g s -> length s <= n0 ->
  ask_lb d g s (Some (length s + p * (length s - length (part g 0 s)) - overpaid k p (length (part g 0 s)))).
Proof.
  intros Gd F Hk B next Ht. cbn [reaches].
  assert (T : forall a, tab (length (part g (S a) s)) <= cost (next a) (part g (S a) s)).
  { intros a. apply (counting_bounds (pre d)); [exact Gd|apply fits_part, F| |exact (solves_part _ _ _ _ a Ht)].
    pose proof (length_part g (S a) s). lia. }
  pose proof (at_price d g next s k p (proj1 Gd) F Hk B Ht T). lia.
Qed.

End Counting.

(** ** L1: asking *)

Lemma lb_weaker d d' s b : (forall k, within d' k -> within d k) -> lb d s b -> lb d' s b.
Proof. intros W H t Ht. apply H. intros x Hx. destruct (Ht x Hx) as [k [E D]]. exists k; auto. Qed.

Lemma reaches_le b n m : reaches b n -> n <= m -> reaches b m.
Proof. destruct b; cbn; [lia|tauto]. Qed.

Lemma ask_lb_sum d g s (bs : nat -> bound) m :
  (forall a, a < m -> lb (pre d) (part g (S a) s) (bs a)) ->
  ask_lb d g s (plus (Some (length s)) (fold_right plus (Some 0) (map bs (seq 0 m)))).
Proof.
  intros H next Ht. apply reaches_le with (2 := cost_node d g next s m Ht).
  assert (X : forall l, (forall a, In a l -> a < m) ->
    reaches (fold_right plus (Some 0) (map bs l)) (sum (fun a => cost (next a) (part g (S a) s)) l)).
  { induction l as [|a l IH]; intros B; [cbn; lia|]. cbn [map fold_right]. rewrite sum_cons.
    pose proof (H a (B a (or_introl eq_refl)) _ (solves_part _ _ _ _ a Ht)) as Ha.
    assert (Hl := IH (fun y Hy => B y (or_intror Hy))).
    destruct (bs a) as [u|]; [|destruct Ha]. destruct (fold_right plus _ _) as [v|]; [|destruct Hl]. cbn in *. lia. }
  specialize (X (seq 0 m)). destruct (fold_right plus _ _) as [v|]; cbn in *; [|apply X; intros a; rewrite in_seq;
    lia].
  assert (v <= sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m)) by (apply X; intros a; rewrite in_seq; lia).
  lia.
Qed.

(** A guess that tells nothing may be left out (L1 b). *)
Lemma lb_by_asking guesses d s b :
  s <> [] -> (forall x, In x s -> length (col x) = guesses) ->
  (forall g, g < guesses -> (exists a, part g (S a) s = s) \/ ask_lb d g s b) -> lb d s b.
Proof.
  intros N L H t. induction t as [|g next IH]; intros Ht.
  - destruct s as [|x s]; [contradiction|]. destruct (Ht x (or_introl eq_refl)) as [k [Hk _]]; discriminate.
  - destruct (Nat.lt_ge_cases g guesses) as [Hg|Hg].
    + destruct (H g Hg) as [[a Ha]|A]; [|exact (A next Ht)].
      pose proof (solves_part _ _ _ _ a Ht) as Hn. pose proof (cost_node d g next s (S a) Ht) as C.
      rewrite seq_S in C. unfold sum in C. rewrite map_app, list_sum_app in C. cbn in C. rewrite Ha in *.
      apply reaches_le with (n := cost (next a) s); [|lia]. apply IH.
      intros x Hx. destruct (Hn x Hx) as [k [E D]]. exists k; split; [exact E|]. destruct d; cbn in *; lia.
    + destruct s as [|x s]; [contradiction|]. destruct (Ht x (or_introl eq_refl)) as [k [Hk _]].
      cbn in Hk. rewrite (proj2 (nth_error_None (col x) g)) in Hk; [discriminate|].
      rewrite (L x (or_introl eq_refl)). exact Hg.
Qed.

(** ** L6: depth *)

(** A tree without guesses that tell nothing. *)
Fixpoint prune (t : tree) (s : list nat) : tree :=
  match t with
  | Leaf => Leaf
  | Node g next =>
      let on := Node g (fun a => prune (next a) (part g (S a) s)) in
      match nth_error (col (hd 0 s)) g with
      | Some (S a) => if forallb (has g (S a)) s then prune (next a) s else on
      | _ => on
      end
  end.

Lemma part_smaller g r s : forallb (has g r) s = false -> length (part g r s) < length s.
Proof.
  induction s as [|x s IH]; intros H; [discriminate|]. cbn [forallb] in H. rewrite length_part_cons. cbn [length].
  pose proof (length_part g r s). destruct (has g r x); [specialize (IH H)|]; lia.
Qed.

Lemma prune_true d t : forall s, solves d t s -> forall x, In x s ->
  exists k, asks (prune t s) x = Some k /\ k <= count t x /\ k <= length s.
Proof.
  revert d; induction t as [|g next IH]; intros d s H x Hx; [destruct (H x Hx) as [k [E _]]; discriminate|].
  assert (On : (forall a, has g (S a) (hd 0 s) = true -> forallb (has g (S a)) s = false) ->
    exists k, asks (Node g (fun a => prune (next a) (part g (S a) s))) x = Some k /\ k <= count (Node g next) x /\
      k <= length s).
  { intros D. unfold count. destruct (H x Hx) as [k [E _]]. cbn [asks] in *.
    destruct (nth_error (col x) g) as [[|a]|] eqn:R; [| |discriminate].
    - exists 1. split; [reflexivity|]. split; [apply le_n|]. destruct s; [destruct Hx|cbn; lia].
    - assert (I : In x (part g (S a) s)) by (apply filter_In; unfold has; rewrite R, Nat.eqb_refl; auto).
      destruct (IH a (pre d) _ (solves_part _ _ _ _ a H) x I) as [j [E1 [E2 E3]]]. exists (S j).
      rewrite E1. split; [reflexivity|]. unfold count in E2. destruct (asks (next a) x) as [i|]; [|discriminate].
      split; [cbn; lia|].
      assert (N : forallb (has g (S a)) s = false).
      { destruct (forallb (has g (S a)) s) eqn:Y; [|reflexivity]. rewrite <- Y. apply D.
        apply (proj1 (forallb_forall _ _) Y). destruct s; [destruct Hx|left; reflexivity]. }
      pose proof (part_smaller g (S a) s N). lia. }
  cbn [prune]. destruct (nth_error (col (hd 0 s)) g) as [[|a]|] eqn:R.
  1, 3: apply On; intros b; unfold has; rewrite R; discriminate.
  destruct (forallb (has g (S a)) s) eqn:A.
  - assert (I : forall y, In y s -> has g (S a) y = true) by (apply forallb_forall, A).
    assert (H' : solves (pre d) (next a) s).
    { intros y Hy. apply (solves_part d g next s a H y), filter_In. auto. }
    destruct (IH a (pre d) s H' x Hx) as [k [E1 [E2 E3]]]. exists k. split; [exact E1|]. split; [|exact E3].
    specialize (I x Hx). unfold has in I. unfold count in *. cbn [asks].
    destruct (nth_error (col x) g) as [r|]; [|discriminate]. apply Nat.eqb_eq in I as ->.
    destruct (asks (next a) x); cbn; lia.
  - apply On. intros b. unfold has at 1. rewrite R. intros E. apply Nat.eqb_eq in E. injection E as <-. exact A.
Qed.

(** More guesses than there are secrets do not help. *)
Lemma lb_deep d s b : lb (Some (length s)) s b -> lb d s b.
Proof.
  intros H t Ht. pose proof (prune_true d t s Ht) as Q.
  refine (reaches_le _ _ _ (H (prune t s) _) _).
  - intros x Hx. destruct (Q x Hx) as [k [E [_ L]]]. exists k. auto.
  - apply sum_le. intros x Hx. destruct (Q x Hx) as [k [E [L _]]]. unfold count at 1. rewrite E. exact L.
Qed.

(** ** L8: renamings *)

Section Renaming.

Variable to : nat -> nat.

Fixpoint rename (t : tree) : tree :=
  match t with Leaf => Leaf | Node g next => Node (to g) (fun a => rename (next a)) end.

Lemma asks_rename t x : (forall g, nth_error (col (to x)) (to g) = nth_error (col x) g) ->
  asks (rename t) (to x) = asks t x.
Proof.
  intros H. induction t as [|g next IH]; [reflexivity|]. cbn. rewrite H.
  destruct (nth_error (col x) g) as [[|a]|]; try reflexivity. rewrite IH. reflexivity.
Qed.

Lemma lb_renamed d s s' b :
  (forall x, In x s -> forall g, nth_error (col (to x)) (to g) = nth_error (col x) g) -> Permutation (map to s) s' ->
  lb d s' b -> lb d s b.
Proof.
  intros H Q A t Ht. assert (E : cost (rename t) s' = cost t s).
  { unfold cost, sum. rewrite <- (Permutation_list_sum (Permutation_map _ Q)), map_map. f_equal. apply map_ext_in.
    intros x Hx. unfold count. rewrite (asks_rename t x (H x Hx)). reflexivity. }
  rewrite <- E. apply A. intros y Hy. apply (Permutation_in _ (Permutation_sym Q)) in Hy.
  apply in_map_iff in Hy as [x [<- Hx]]. rewrite (asks_rename t x (H x Hx)). exact (Ht x Hx).
Qed.

Lemma ask_lb_renamed d g s b :
  (forall x, In x s -> forall g, nth_error (col (to x)) (to g) = nth_error (col x) g) -> Permutation (map to s) s ->
  ask_lb d (to g) s b -> ask_lb d g s b.
Proof.
  intros H Q A next Ht.
  assert (E : cost (Node (to g) (fun a => rename (next a))) s = cost (Node g next) s).
  { unfold cost, sum. rewrite <- (Permutation_list_sum (Permutation_map _ Q)), map_map. f_equal. apply map_ext_in.
    intros x Hx.
    unfold count. rewrite <- (asks_rename (Node g next) x (H x Hx)). reflexivity. }
  rewrite <- E. apply A. intros y Hy. apply (Permutation_in _ (Permutation_sym Q)) in Hy.
  apply in_map_iff in Hy as [x [<- Hx]]. destruct (Ht x Hx) as [k Hk]. exists k.
  rewrite <- (asks_rename (Node g next) x (H x Hx)) in Hk. exact Hk.
Qed.

End Renaming.

End Trees.
