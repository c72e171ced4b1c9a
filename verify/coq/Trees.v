(** Lower bounds for trees of questions, for all goals. Secrets and guesses are numbers, and so are answers: 0 ends the
    game. The lemmas are those of LEMMAS.md, by their numbers. [Theory.v] has sums and bounds. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import Theory.
Import ListNotations.

(** At most as many: within [d'] is within [d]. *)
Definition fewer (d' d : option nat) : Prop :=
  match d, d' with None, _ => True | Some _, None => False | Some x, Some y => y <= x end.

Lemma reaches_le b n m : reaches b n -> n <= m -> reaches b m.
Proof. destruct b; cbn; [lia|tauto]. Qed.

Lemma fewer_pre d' d : fewer d' d -> fewer (pre d') (pre d).
Proof. destruct d, d'; cbn; try tauto; lia. Qed.

Lemma not_zero d' d : fewer d' d -> d' <> Some 0 -> d <> Some 0.
Proof. intros F H ->. destruct d' as [[|k]|]; cbn in F; [exact (H eq_refl)|lia|exact F]. Qed.

(** A tree gives up or stops, or asks a guess and goes on by the answer. *)
Inductive tree := Leaf | Node (guess : nat) (next : nat -> tree).

Section Trees.

Variable ans : nat -> nat -> nat.         (* the answer to a guess for a secret; 0 ends the game *)
Variable may : list nat -> nat -> Prop.   (* the guess may be asked of the set *)
Variable one : bool.                      (* one secret is settled: the goal is to identify *)

(** More may be asked of more secrets. *)
Hypothesis may_more : forall s s' g, incl s s' -> may s g -> may s' g.

Definition has (g r x : nat) : bool := ans g x =? r.

Definition part (g r : nat) (s : list nat) : list nat := filter (has g r) s.

Definition settled (s : list nat) : Prop := s = [] \/ one = true /\ length s = 1.

Fixpoint solves (d : option nat) (t : tree) (s : list nat) : Prop :=
  s = [] \/
  match t with
  | Leaf => one = true /\ length s = 1
  | Node g next => d <> Some 0 /\ may s g /\ forall a, solves (pre d) (next a) (part g (S a) s)
  end.

(** How many guesses are asked if this is the secret. *)
Fixpoint count (t : tree) (x : nat) : nat :=
  match t with
  | Leaf => 0
  | Node g next => S match ans g x with 0 => 0 | S a => count (next a) x end
  end.

Definition cost (t : tree) (s : list nat) : nat := sum (count t) s.

(** Every tree for the set costs at least the bound. *)
Definition lb (d : option nat) (s : list nat) (b : bound) : Prop := forall t, solves d t s -> reaches b (cost t s).

(** Every tree that begins with the guess does. *)
Definition ask_lb (d : option nat) (g : nat) (s : list nat) (b : bound) : Prop :=
  forall next, solves d (Node g next) s -> reaches b (cost (Node g next) s).

Lemma solves_nothing d t : solves d t [].
Proof. destruct t; left; reflexivity. Qed.

Lemma solves_may d g next s : s <> [] -> solves d (Node g next) s -> may s g /\ d <> Some 0.
Proof. intros N [->|[H1 [H2 _]]]; [contradiction|auto]. Qed.

Lemma solves_part d g next s a : solves d (Node g next) s -> solves (pre d) (next a) (part g (S a) s).
Proof. intros [->|[_ [_ H]]]; [apply solves_nothing|apply H]. Qed.

Lemma part_cons g r x s : part g r (x :: s) = if has g r x then x :: part g r s else part g r s.
Proof. reflexivity. Qed.

Lemma length_part_cons g r x s : length (part g r (x :: s)) = (if has g r x then 1 else 0) + length (part g r s).
Proof. rewrite part_cons. destruct (has g r x); reflexivity. Qed.

Lemma length_part g r s : length (part g r s) <= length s.
Proof. induction s as [|x s IH]; [apply le_n|]. rewrite length_part_cons. cbn [length]. destruct (has g r x); lia.
Qed.

Lemma part_incl g r s : incl (part g r s) s.
Proof. intros x Hx. apply filter_In in Hx. tauto. Qed.

Lemma cost_cons t x s : cost t (x :: s) = count t x + cost t s.
Proof. reflexivity. Qed.

(** A guess is paid by all, and leaves its parts to the trees below (L1 a). *)
Lemma cost_node g next s m :
  length s + sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m) <= cost (Node g next) s.
Proof.
  induction s as [|x s IH].
  - rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity. rewrite sum_zero. apply le_n.
  - rewrite (sum_eq _ _ (fun a => (if has g (S a) x then count (next a) x else 0) + cost (next a) (part g (S a) s))).
    2: { intros a _. rewrite part_cons. destruct (has g (S a) x); [apply cost_cons|reflexivity]. }
    rewrite sum_add, cost_cons. cbn [length].
    cut (S (sum (fun a => if has g (S a) x then count (next a) x else 0) (seq 0 m)) <= count (Node g next) x); [lia|].
    cbn [count]. unfold has. destruct (ans g x) as [|a0].
    + rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity. rewrite sum_zero. lia.
    + rewrite (sum_eq _ _ (fun a => if a =? a0 then count (next a0) x else 0)).
      * rewrite sum_pick. destruct (a0 <? m); lia.
      * intros a _. cbn [Nat.eqb]. rewrite (Nat.eqb_sym a0 a). destruct (Nat.eqb_spec a a0); subst; reflexivity.
Qed.

(** There is a greatest answer. *)
Lemma greatest g s : exists m, forall x, In x s -> ans g x <= m.
Proof.
  induction s as [|x s [m IH]]; [exists 0; intros x []|]. exists (m + ans g x).
  intros y [<-|Hy]; [lia|]. specialize (IH y Hy). lia.
Qed.

(** Every secret is in one part. *)
Lemma sizes_add_up g s m :
  (forall x, In x s -> ans g x <= m) ->
  length (part g 0 s) + sum (fun a => length (part g (S a) s)) (seq 0 m) = length s.
Proof.
  intros B. rewrite <- (sum_first (fun r => length (part g r s)) m).
  induction s as [|x s IH].
  - rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity. apply sum_zero.
  - rewrite (sum_eq _ _ (fun r => (if has g r x then 1 else 0) + length (part g r s)))
      by (intros; apply length_part_cons).
    rewrite sum_add, IH by (intros y Hy; apply B; right; exact Hy). unfold has.
    rewrite (sum_eq _ _ (fun j => if j =? ans g x then 1 else 0)) by (intros; rewrite Nat.eqb_sym; reflexivity).
    rewrite sum_pick. pose proof (B x (or_introl eq_refl)). destruct (Nat.ltb_spec (ans g x) (S m)); cbn [length]; lia.
Qed.

(** ** Fewer guesses, the order of secrets *)

Lemma solves_fewer d' d t : forall s, fewer d' d -> solves d' t s -> solves d t s.
Proof.
  revert d' d. induction t as [|g next IH]; intros d' d s F H; [exact H|].
  destruct H as [->|[H1 [H2 H3]]]; [left; reflexivity|right]. split; [exact (not_zero d' d F H1)|].
  split; [exact H2|]. intros a. apply (IH a (pre d')); [apply fewer_pre, F|apply H3].
Qed.

Lemma lb_fewer d d' s b : fewer d' d -> lb d s b -> lb d' s b.
Proof. intros F H t Ht. apply H. exact (solves_fewer d' d t s F Ht). Qed.

Lemma part_permuted g r s s' : Permutation s s' -> Permutation (part g r s) (part g r s').
Proof.
  induction 1; cbn; [constructor|destruct (has g r x); [constructor|]; assumption| |econstructor; eassumption].
  destruct (has g r x), (has g r y); try apply Permutation_refl. apply perm_swap.
Qed.

Lemma cost_permuted t s s' : Permutation s s' -> cost t s = cost t s'.
Proof. intros Q. apply Permutation_list_sum, Permutation_map, Q. Qed.

Lemma solves_permuted d t s s' : Permutation s s' -> solves d t s -> solves d t s'.
Proof.
  revert d s s'. induction t as [|g next IH]; intros d s s' Q [->|H].
  - left. exact (Permutation_nil Q).
  - right. rewrite <- (Permutation_length Q). exact H.
  - left. exact (Permutation_nil Q).
  - right. destruct H as [H1 [H2 H3]]. split; [exact H1|]. split.
    + apply (may_more s); [|exact H2]. intros x. apply Permutation_in, Q.
    + intros a. apply (IH a (pre d) (part g (S a) s)); [apply part_permuted, Q|apply H3].
Qed.

(** ** L2 to L4: counting *)

Section Counting.

Variable K : nat.            (* no guess makes more parts, the winning one counted *)
Variable P : nat -> nat.     (* no guess leaves more parts, the winning one left out, of more than [j] secrets *)
Variable ws : list nat.      (* how many secrets a guess may win for *)

(** The guess makes at most [k] parts, the winning one counted. *)
Definition few (k g : nat) (s : list nat) : Prop :=
  forall m, sum (fun r => if 0 <? length (part g r s) then 1 else 0) (seq 0 m) <= k.

Definition fits (s : list nat) : Prop :=
  (forall g, may s g -> In (length (part g 0 s)) ws) /\
  (forall g, may s g -> few K g s) /\
  (forall g j m, may s g -> sum (fun a => if j <? length (part g (S a) s) then 1 else 0) (seq 0 m) <= P j).

Lemma length_part_part g r h q s : length (part g r (part h q s)) <= length (part g r s).
Proof.
  induction s as [|x s IH]; [apply le_n|]. rewrite part_cons, length_part_cons.
  destruct (has h q x); [rewrite length_part_cons|]; lia.
Qed.

Lemma few_part k g s h q : few k g s -> few k g (part h q s).
Proof.
  intros H m. etransitivity; [|apply (H m)]. apply sum_le. intros r _. pose proof (length_part_part g r h q s).
  destruct (Nat.ltb_spec 0 (length (part g r (part h q s)))); destruct (Nat.ltb_spec 0 (length (part g r s))); lia.
Qed.

(** It fits, and what a guess may win for is known of all sets within, too. *)
Definition fits_all (s : list nat) : Prop := fits s /\ NoDup s /\ forall s' g, NoDup s' -> incl s' s -> may s' g ->
  In (length (part g 0 s')) ws.

Lemma fits_all_part s g r : fits_all s -> fits_all (part g r s).
Proof.
  intros [[H1 [H2 H3]] [N W]]. pose proof (NoDup_filter (has g r) N) as N'. pose proof (part_incl g r s) as I.
  split; [split; [|split]|split].
  - intros h Hh. apply W; assumption.
  - intros h Hh. apply few_part, H2. exact (may_more _ _ _ I Hh).
  - intros h j m Hh. etransitivity; [|apply (H3 h j m); exact (may_more _ _ _ I Hh)]. apply sum_le. intros q _.
    pose proof (length_part_part h (S q) g r s).
    destruct (Nat.ltb_spec j (length (part h (S q) (part g r s))));
      destruct (Nat.ltb_spec j (length (part h (S q) s))); lia.
  - exact N'.
  - intros s' h Ns Is Hh. apply W; [exact Ns|exact (fun x Hx => I x (Is x Hx))|exact Hh].
Qed.

(** Parts with more than [j] secrets; [w]: how many the guess wins for. *)
Definition room (k w j : nat) : nat := min (P j) (k - w).

Hypothesis ws_one : forall w, In w ws -> w <= 1.

Lemma parts_in_room s k g m j :
  fits s -> may s g -> few k g s ->
  sum (fun a => if j <? length (part g (S a) s) then 1 else 0) (seq 0 m) <= room k (length (part g 0 s)) j.
Proof.
  intros [H1 [_ H3]] M H2. apply Nat.min_glb; [apply H3, M|].
  specialize (H2 (S m)). rewrite sum_first in H2. specialize (ws_one _ (H1 g M)).
  assert (sum (fun a => if j <? length (part g (S a) s) then 1 else 0) (seq 0 m)
          <= sum (fun a => if 0 <? length (part g (S a) s) then 1 else 0) (seq 0 m)).
  { apply sum_le. intros a _. destruct (Nat.ltb_spec j (length (part g (S a) s)));
      destruct (Nat.ltb_spec 0 (length (part g (S a) s))); lia. }
  destruct (Nat.ltb_spec 0 (length (part g 0 s))); lia.
Qed.

(** Places in parts: what they cost by place is what they cost by part. *)
Lemma places s k g m n (f : nat -> nat) :
  fits s -> may s g -> few k g s -> (forall a, length (part g (S a) s) <= n) ->
  sum (fun a => sum f (seq 0 (length (part g (S a) s)))) (seq 0 m)
  <= sum (fun j => f j * room k (length (part g 0 s)) j) (seq 0 n).
Proof.
  intros H M Hk B.
  rewrite (sum_eq _ _ (fun a => sum (fun j => f j * (if j <? length (part g (S a) s) then 1 else 0)) (seq 0 n))).
  - rewrite sum_swap. apply sum_le. intros j _. rewrite sum_mul. apply Nat.mul_le_mono_l.
    apply parts_in_room; assumption.
  - intros a _. rewrite <- (sum_below f _ n) by apply B. apply sum_eq. intros j _. destruct (j <? _); lia.
Qed.

(** At most how many secrets [d] guesses settle. *)
Fixpoint capacity (d : nat) : nat :=
  let free := if one then 1 else 0 in
  match d with
  | 0 => free
  | S d => fold_left max (map (fun w => w + sum (room K w) (seq 0 (capacity d))) ws) free
  end.

Lemma fold_max l v : v <= fold_left max l v /\ forall x, In x l -> x <= fold_left max l v.
Proof.
  revert v; induction l as [|y l IH]; intros v; cbn [fold_left]; [split; [lia|intros x []]|].
  destruct (IH (max v y)) as [A B]. split; [lia|]. intros x [<-|Hx]; [lia|auto].
Qed.

Lemma capacity_bounds d t s : fits_all s -> solves (Some d) t s -> length s <= capacity d.
Proof.
  assert (Z : forall d s, settled s -> length s <= capacity d).
  { intros d' s' [->|[O L]]; [cbn; lia|]. rewrite L. destruct d'; cbn; rewrite O; [lia|exact (proj1 (fold_max _ _))]. }
  revert t s; induction d as [|d IH]; intros t s F H.
  - destruct t as [|g next]; [apply Z, H|]. destruct H as [->|[H _]]; [cbn; lia|contradiction].
  - destruct t as [|g next]; [apply Z, H|]. destruct H as [->|[_ [M H]]]; [cbn; lia|].
    destruct (greatest g s) as [m Hm]. pose proof (sizes_add_up g s m Hm) as E.
    assert (B : forall a, length (part g (S a) s) <= capacity d).
    { intros a. apply (IH (next a)); [apply fits_all_part, F|apply H]. }
    pose proof (proj1 F) as F0.
    pose proof (places s K g m (capacity d) (fun _ => 1) F0 M (proj1 (proj2 F0) g M) B) as L.
    rewrite (sum_eq _ (fun a => sum _ _) (fun a => length (part g (S a) s))) in L
      by (intros a _; rewrite sum_const; lia).
    rewrite (sum_eq _ (fun j => 1 * _) (room K (length (part g 0 s)))) in L by (intros; lia).
    cbn [capacity]. etransitivity; [|apply (proj2 (fold_max _ _)), in_map, (proj1 F0 g M)]. lia.
Qed.

(** A table of costs by number of secrets: at the price [p] of a place, no sizes of parts cost less. *)
Variable tab : nat -> nat.
Variable n0 : nat.

Definition excess (p j : nat) : nat := p + tab j - tab (S j).

Definition overpaid (k p w : nat) : nat := sum (fun j => excess p j * room k w j) (seq 0 n0).

Definition good : Prop :=
  tab 0 = 0 /\ (one = true -> tab 1 = 0) /\
  forall n w, (if one then 2 else 1) <= n <= n0 -> In w ws -> exists p, tab n + overpaid K p w <= n + p * (n - w).

Lemma by_places p k : p * k + tab 0 <= tab k + sum (excess p) (seq 0 k).
Proof.
  induction k as [|k IH]; [cbn; lia|]. rewrite seq_S. unfold sum in *. rewrite map_app, list_sum_app. cbn.
  unfold excess at 2. lia.
Qed.

Lemma at_price g next s k p :
  tab 0 = 0 -> fits s -> may s g -> few k g s -> length s <= n0 ->
  (forall a, tab (length (part g (S a) s)) <= cost (next a) (part g (S a) s)) ->
  length s + p * (length s - length (part g 0 s)) <= cost (Node g next) s + overpaid k p (length (part g 0 s)).
Proof.
  intros G0 F M Hk B T. destruct (greatest g s) as [m Hm]. pose proof (sizes_add_up g s m Hm) as E.
  pose proof (cost_node g next s m) as C.
  assert (Z : forall a, length (part g (S a) s) <= n0).
  { intros a. etransitivity; [|exact B]. apply length_part. }
  pose proof (places s k g m n0 (excess p) F M Hk Z) as L. fold (overpaid k p (length (part g 0 s))) in L.
  assert (p * sum (fun a => length (part g (S a) s)) (seq 0 m)
          <= sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m)
             + sum (fun a => sum (excess p) (seq 0 (length (part g (S a) s)))) (seq 0 m)) as Q.
  { rewrite <- sum_mul, <- sum_add. apply sum_le. intros a _.
    pose proof (by_places p (length (part g (S a) s))). specialize (T a). lia. }
  replace (length s - length (part g 0 s)) with (sum (fun a => length (part g (S a) s)) (seq 0 m)) by lia.
  lia.
Qed.

Lemma settled_or s : settled s \/ s <> [] /\ (if one then 2 else 1) <= length s.
Proof.
  destruct s as [|x [|y s]]; [left; left; reflexivity| |right; split; [discriminate|destruct one; cbn; lia]].
  destruct one eqn:O; [left; right; rewrite O; auto|right; split; [discriminate|cbn; lia]].
Qed.

Lemma counting_bounds d t s : good -> fits_all s -> length s <= n0 -> solves d t s -> tab (length s) <= cost t s.
Proof.
  intros [G0 [G1 G]].
  assert (Z : forall t s, settled s -> tab (length s) <= cost t s)
    by (intros t' s' [->|[O L]]; [cbn [length]; rewrite G0|rewrite L, (G1 O)]; lia).
  revert d s; induction t as [|g next IH]; intros d s F B H; [apply Z, H|].
  destruct (settled_or s) as [S'|[N L]]; [apply Z, S'|]. destruct H as [E|[_ [M H]]]; [contradiction|].
  pose proof (proj1 F) as F0.
  destruct (G (length s) (length (part g 0 s))) as [p Hp]; [lia|apply F0, M|].
  assert (T : forall a, tab (length (part g (S a) s)) <= cost (next a) (part g (S a) s)).
  { intros a. apply (IH a (pre d)); [apply fits_all_part, F| |apply H]. pose proof (length_part g (S a) s). lia. }
  pose proof (at_price g next s K p G0 F0 M (proj1 (proj2 F0) g M) B T). lia.
Qed.

(** A guess by the number of its parts (L4). *)
Lemma ask_by_parts d g s k p :
  good -> fits_all s -> s <> [] -> few k g s -> length s <= n0 ->
  ask_lb d g s (Some (length s + p * (length s - length (part g 0 s)) - overpaid k p (length (part g 0 s)))).
Proof.
  intros Gd F N Hk B next [E|[_ [M H]]]; [contradiction|]. cbn [reaches].
  assert (T : forall a, tab (length (part g (S a) s)) <= cost (next a) (part g (S a) s)).
  { intros a. apply (counting_bounds (pre d)); [exact Gd|apply fits_all_part, F| |apply H].
    pose proof (length_part g (S a) s). lia. }
  pose proof (at_price g next s k p (proj1 Gd) (proj1 F) M Hk B T). lia.
Qed.

(** *** To identify: leaves of trees with at most [K] branches at each node *)

Section Leaves.

Hypothesis no_end : forall g x, ans g x <> 0.
Hypothesis K_two : 2 <= K.

(** There are no more parts than secrets. *)
Lemma few_length g s : few (length s) g s.
Proof.
  intros m. transitivity (sum (fun r => length (part g r s)) (seq 0 m)).
  - apply sum_le. intros r _. destruct (Nat.ltb_spec 0 (length (part g r s))); lia.
  - induction s as [|x s IH]; [rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity; rewrite sum_zero; apply le_n|].
    rewrite (sum_eq _ _ (fun r => (if r =? ans g x then 1 else 0) + length (part g r s))).
    + rewrite sum_add, sum_pick. cbn [length]. destruct (ans g x <? m); lia.
    + intros r _. rewrite length_part_cons. unfold has. rewrite Nat.eqb_sym. reflexivity.
Qed.

Lemma no_winning g s : part g 0 s = [].
Proof.
  induction s as [|x s IH]; [reflexivity|]. rewrite part_cons. unfold has. destruct (Nat.eqb_spec (ans g x) 0) as [E|_];
    [destruct (no_end g x E)|exact IH].
Qed.

(** What is at least [A n - B] for each part that is not empty is so for [k] parts together. *)
Lemma sum_parts s k g m A B (v : nat -> nat) :
  few k g s -> (forall x, In x s -> ans g x <= m) ->
  (forall a, part g (S a) s <> [] -> A * length (part g (S a) s) <= v a + B) ->
  A * length s <= sum v (seq 0 m) + k * B.
Proof.
  intros Hk Hm H. pose proof (sizes_add_up g s m Hm) as E. rewrite no_winning in E. cbn [length Nat.add] in E.
  rewrite <- E, <- sum_mul. specialize (Hk (S m)). rewrite sum_first, no_winning in Hk. cbn [length Nat.ltb Nat.leb Nat.add] in Hk.
  transitivity (sum (fun a => v a + B * (if 0 <? length (part g (S a) s) then 1 else 0)) (seq 0 m)).
  - apply sum_le. intros a _. specialize (H a). destruct (part g (S a) s) as [|x l]; cbn [length Nat.ltb Nat.leb].
    + lia.
    + specialize (H ltac:(discriminate)). cbn [length] in H. lia.
  - rewrite sum_add, sum_mul. apply Nat.add_le_mono_l. rewrite Nat.mul_comm. apply Nat.mul_le_mono_r, Hk.
Qed.

Definition slope (t : nat) : nat := S t * pred K + 1.

Lemma slope_S t : slope (S t) = slope t + pred K.
Proof. unfold slope. cbn [Nat.mul]. lia. Qed.

Lemma slope_power t : slope t <= K ^ S t.
Proof.
  induction t as [|t IH]; [cbn; lia|]. change (K ^ S (S t)) with (K * K ^ S t).
  rewrite slope_S. assert (1 <= slope t) by apply Nat.le_add_l. revert K_two IH H.
  generalize (slope t). generalize (K ^ S t). generalize K. intros [|k] X p ? ? ?; [lia|]. cbn [pred Nat.mul].
  assert (k * 1 <= k * X) by (apply Nat.mul_le_mono_l; lia). lia.
Qed.

(** The sum of the depths, with the price [slope t] of a leaf. *)
Lemma leaves_cost d t s l : fits_all s -> s <> [] -> solves d t s -> slope l * length s <= pred K * cost t s + K ^ S l.
Proof.
  assert (Z : forall l t s, length s = 1 -> slope l * length s <= pred K * cost t s + K ^ S l)
    by (intros l' t' s' ->; rewrite Nat.mul_1_r, (slope_power l'); apply Nat.le_add_l).
  revert d s l; induction t as [|g next IH]; intros d s l F N H.
  { destruct H as [E|[_ E]]; [contradiction|apply Z, E]. }
  destruct H as [E|[_ [M H]]]; [contradiction|].
  destruct (greatest g s) as [m Hm]. pose proof (cost_node g next s m) as C.
  assert (Hk : few K g s) by apply (proj1 (proj2 (proj1 F))), M.
  assert (Q : forall l a, part g (S a) s <> [] ->
    slope l * length (part g (S a) s) <= pred K * cost (next a) (part g (S a) s) + K ^ S l).
  { intros l' a Na. apply (IH a (pre d)); [apply fits_all_part, F|exact Na|apply H]. }
  destruct l as [|l].
  - destruct (Nat.eq_dec (length s) 1) as [L1|L1]; [apply Z, L1|]. clear Z.
    (* one part of all, or some parts: none costs less than nothing *)
    assert (X : forall k, few k g s ->
      K * length s <= pred K * sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m) + k * K).
    { intros k Hk'. rewrite <- sum_mul. apply (sum_parts s k g m); [exact Hk'|exact Hm|]. intros a Na.
      specialize (Q 0 a Na). unfold slope in Q. rewrite Nat.pow_1_r in Q. nia. }
    pose proof (X K Hk) as XK. pose proof (X _ (few_length g s)) as XL.
    rewrite Nat.pow_1_r. unfold slope. rewrite Nat.mul_1_l.
    revert XK XL C K_two. generalize (cost (Node g next) s) as c.
    generalize (sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m)) as r. generalize (length s) as n.
    generalize K as k. intros [|[|k]] n r c XK XL C ?; [lia|lia|]. cbn [pred] in *.
    destruct (Nat.le_gt_cases (S (S k)) n); nia.
  - assert (X : slope l * length s <= pred K * sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m) + K * K ^ S l).
    { rewrite <- sum_mul. apply (sum_parts s K g m); [exact Hk|exact Hm|]. intros a Na. apply Q, Na. }
    change (K ^ S (S l)) with (K * K ^ S l).
    rewrite slope_S, Nat.mul_add_distr_r.
    assert (pred K * (length s + sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m))
            <= pred K * cost (Node g next) s) by apply Nat.mul_le_mono_l, C. lia.
Qed.

(** At least the sum of the depths of [n] leaves below [k] nodes: the best of the prices, as far as there are so many
    nodes ([power] is [K ^ S l]; no number here is much more than [n K K]). *)
Fixpoint best_price (fuel l power k n : nat) : nat :=
  match fuel with
  | 0 => 0
  | S fuel =>
      if n * K <? k * power then 0
      else max ((slope l * n - k * power + pred (pred K)) / pred K) (best_price fuel (S l) (power * K) k n)
  end.

Definition leaves (k n : nat) : nat := best_price 20 0 K k n.

Lemma leaves_least k n c : (forall l, slope l * n <= pred K * c + k * K ^ S l) -> leaves k n <= c.
Proof.
  intros H. unfold leaves. cut (forall fuel l, best_price fuel l (K ^ S l) k n <= c).
  { intros X. specialize (X 20 0). rewrite Nat.pow_1_r in X. exact X. }
  induction fuel as [|fuel IH]; intros l; cbn [best_price]; [apply Nat.le_0_l|].
  destruct (n * K <? k * K ^ S l); [apply Nat.le_0_l|]. apply Nat.max_lub.
  - specialize (H l). apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. rewrite Nat.mul_succ_r. revert H.
    generalize (slope l * n) as a. generalize (k * K ^ S l) as b. generalize (pred K * c) as e. lia.
  - rewrite (Nat.mul_comm (K ^ S l)). apply (IH (S l)).
Qed.

Lemma leaves_bound d s : fits_all s -> s <> [] -> lb d s (Some (leaves 1 (length s))).
Proof. intros F N t H. apply leaves_least. intros l. rewrite Nat.mul_1_l. exact (leaves_cost d t s l F N H). Qed.

(** A guess by the number of its parts (L4). *)
Lemma ask_leaves d g s k : fits_all s -> s <> [] -> few k g s -> ask_lb d g s (Some (length s + leaves k (length s))).
Proof.
  intros F N Hk next [E|[_ [_ H]]]; [contradiction|]. cbn [reaches]. destruct (greatest g s) as [m Hm].
  pose proof (cost_node g next s m) as C.
  assert (leaves k (length s) <= sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m)); [|lia].
  apply leaves_least. intros l. rewrite <- sum_mul. apply (sum_parts s k g m); [exact Hk|exact Hm|].
  intros a Na. apply (leaves_cost (pre d)); [apply fits_all_part, F|exact Na|apply H].
Qed.

End Leaves.

End Counting.

(** ** L1: asking *)

Lemma lb_zero d s : lb d s (Some 0).
Proof. intros t _. apply Nat.le_0_l. Qed.

Lemma node_reaches g next s (bs : nat -> bound) m :
  (forall a, a < m -> reaches (bs a) (cost (next a) (part g (S a) s))) ->
  reaches (plus (Some (length s)) (fold_right plus (Some 0) (map bs (seq 0 m)))) (cost (Node g next) s).
Proof.
  intros H. apply reaches_le with (2 := cost_node g next s m).
  assert (X : forall l, (forall a, In a l -> a < m) ->
    reaches (fold_right plus (Some 0) (map bs l)) (sum (fun a => cost (next a) (part g (S a) s)) l)).
  { induction l as [|a l IH]; intros B; [cbn; lia|]. cbn [map fold_right]. rewrite sum_cons.
    pose proof (H a (B a (or_introl eq_refl))) as Ha.
    assert (Hl := IH (fun y Hy => B y (or_intror Hy))).
    destruct (bs a) as [u|]; [|destruct Ha]. destruct (fold_right plus _ _) as [v|]; [|destruct Hl]. cbn in *. lia. }
  specialize (X (seq 0 m)). destruct (fold_right plus _ _) as [v|]; cbn in *; [|apply X; intros a; rewrite in_seq;
    lia].
  assert (v <= sum (fun a => cost (next a) (part g (S a) s)) (seq 0 m)) by (apply X; intros a; rewrite in_seq; lia).
  lia.
Qed.

Lemma ask_lb_sum d g s (bs : nat -> bound) m :
  (forall a, a < m -> lb (pre d) (part g (S a) s) (bs a)) ->
  ask_lb d g s (plus (Some (length s)) (fold_right plus (Some 0) (map bs (seq 0 m)))).
Proof. intros H next Ht. apply node_reaches. intros a Ha. exact (H a Ha _ (solves_part _ _ _ _ a Ht)). Qed.

(** A guess that tells nothing may be left out (L1 b). *)
Lemma lb_by_asking d s b :
  ~ settled s -> (forall g, may s g -> (exists a, part g (S a) s = s) \/ ask_lb d g s b) -> lb d s b.
Proof.
  intros N H t. induction t as [|g next IH]; intros Ht; [destruct (N Ht)|].
  destruct (solves_may d g next s) as [M _]; [intros ->; apply N; left; reflexivity|exact Ht|].
  destruct (H g M) as [[a Ha]|A]; [|exact (A next Ht)].
  pose proof (solves_part _ _ _ _ a Ht) as Hn. pose proof (cost_node g next s (S a)) as C.
  rewrite seq_S in C. unfold sum in C. rewrite map_app, list_sum_app in C. cbn in C. rewrite Ha in *.
  apply reaches_le with (n := cost (next a) s); [|lia]. apply (IH a).
  apply (solves_fewer (pre d)); [|exact Hn]. destruct d; cbn; lia.
Qed.

(** ** L6: depth *)

Definition finished (s : list nat) : bool := match s with [] => true | [_] => one | _ => false end.

Lemma finished_settled s : finished s = true <-> settled s.
Proof.
  unfold settled. destruct s as [|x [|y s]]; cbn; (split; [intros H|intros [H|[H L]]]); try discriminate; auto.
Qed.

(** A tree without guesses that tell nothing. *)
Fixpoint prune (t : tree) (s : list nat) : tree :=
  match t with
  | Leaf => Leaf
  | Node g next =>
      if finished s then Leaf
      else
        let on := Node g (fun a => prune (next a) (part g (S a) s)) in
        match ans g (hd 0 s) with
        | S a => if forallb (has g (S a)) s then prune (next a) s else on
        | 0 => on
        end
  end.

Lemma part_whole g r s : forallb (has g r) s = true -> part g r s = s.
Proof.
  induction s as [|x s IH]; intros H; [reflexivity|]. cbn [forallb] in H. apply andb_prop in H as [H1 H2].
  rewrite part_cons, H1, IH by exact H2. reflexivity.
Qed.

Lemma part_smaller g r s : forallb (has g r) s = false -> length (part g r s) < length s.
Proof.
  induction s as [|x s IH]; intros H; [discriminate|]. cbn [forallb] in H. rewrite length_part_cons. cbn [length].
  pose proof (length_part g r s). destruct (has g r x); [specialize (IH H)|]; lia.
Qed.

(** The guesses that a set needs at most. *)
Definition deep (s : list nat) : nat := length s - if one then 1 else 0.

Lemma cost_same_node g next next' s :
  (forall a, cost (next' a) (part g (S a) s) <= cost (next a) (part g (S a) s)) ->
  cost (Node g next') s <= cost (Node g next) s.
Proof.
  intros H. destruct (greatest g s) as [m Hm].
  assert (E : forall f, cost (Node g f) s = length s + sum (fun a => cost (f a) (part g (S a) s)) (seq 0 m)).
  { intros f. clear H. induction s as [|x s IH].
    - rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity. rewrite sum_zero. reflexivity.
    - rewrite cost_cons, IH by (intros y Hy; apply Hm; right; exact Hy).
      rewrite (sum_eq _ (fun a => cost (f a) (part g (S a) (x :: s)))
        (fun a => (if has g (S a) x then count (f a) x else 0) + cost (f a) (part g (S a) s))).
      2: { intros a _. rewrite part_cons. destruct (has g (S a) x); [apply cost_cons|reflexivity]. }
      rewrite sum_add. cbn [length count]. unfold has. pose proof (Hm x (or_introl eq_refl)) as B.
      destruct (ans g x) as [|a0].
      + rewrite (sum_eq _ (fun a => if 0 =? S a then count (f a) x else 0) (fun _ => 0)) by reflexivity.
        rewrite sum_zero. lia.
      + rewrite (sum_eq _ (fun a => if S a0 =? S a then count (f a) x else 0)
          (fun a => if a =? a0 then count (f a0) x else 0)).
        * rewrite sum_pick. destruct (Nat.ltb_spec a0 m); lia.
        * intros a _. cbn [Nat.eqb]. rewrite (Nat.eqb_sym a0 a). destruct (Nat.eqb_spec a a0); subst; reflexivity. }
  rewrite !E. apply Nat.add_le_mono_l, sum_le. intros a _. apply H.
Qed.

Lemma deep_node g s : ~ settled s -> deep s <> 0 /\
  forall a, forallb (has g (S a)) s = false -> deep (part g (S a) s) <= pred (deep s).
Proof.
  intros N. destruct (settled_or s) as [S'|[E L]]; [contradiction|]. unfold deep.
  split; [destruct one; lia|]. intros a Ha. apply part_smaller in Ha. destruct one; lia.
Qed.

Lemma prune_true d t : forall s, solves d t s -> solves (Some (deep s)) (prune t s) s /\ cost (prune t s) s <= cost t s.
Proof.
  revert d; induction t as [|g next IH]; intros d s H; [split; [exact H|apply le_n]|]. cbn [prune].
  destruct (finished s) eqn:Fin.
  { apply finished_settled in Fin. split; [exact Fin|]. destruct Fin as [->|[_ L]]; [apply le_n|].
    destruct s as [|x [|y s]]; try discriminate. cbn. lia. }
  assert (N : ~ settled s) by (intros S'; apply finished_settled in S'; congruence).
  assert (E : s <> []) by (intros ->; discriminate).
  destruct (solves_may d g next s E H) as [M _].
  assert (Q : forall a, solves (pre d) (next a) (part g (S a) s)) by (intros a; exact (solves_part d g next s a H)).
  set (on := Node g _). set (r := ans g (hd 0 s)).
  assert (A : (exists a, r = S a /\ forallb (has g (S a)) s = true) \/ forall a, forallb (has g (S a)) s = false).
  { destruct s as [|x l]; [contradiction|]. subst r. cbn [hd]. destruct (ans g x) as [|a] eqn:Ex.
    - right. intros a. cbn [forallb]. unfold has at 1. rewrite Ex. reflexivity.
    - destruct (forallb (has g (S a)) (x :: l)) eqn:F; [left; exists a; auto|right]. intros a'.
      destruct (Nat.eq_dec a' a) as [->|Na]; [exact F|]. cbn [forallb]. unfold has at 1. rewrite Ex.
      destruct (Nat.eqb_spec (S a) (S a')); [lia|reflexivity]. }
  destruct A as [[a [-> F]]|F].
  - rewrite F. apply part_whole in F. specialize (Q a). rewrite F in Q. destruct (IH a (pre d) s Q) as [X Y].
    split; [exact X|].
    etransitivity; [exact Y|]. pose proof (cost_node g next s (S a)) as C. rewrite seq_S in C. unfold sum in C.
    rewrite map_app, list_sum_app in C. cbn in C. rewrite F in C. lia.
  - replace (match r with 0 => on | S a => _ end) with on by (destruct r; [|rewrite F]; reflexivity). subst on.
    destruct (deep_node g s N) as [D0 D]. split.
    + right. split; [congruence|]. split; [exact M|]. intros a. destruct (IH a (pre d) _ (Q a)) as [X _].
      refine (solves_fewer _ _ _ _ _ X). cbn. apply D, F.
    + apply cost_same_node. intros a. apply (IH a (pre d)), Q.
Qed.

(** More guesses than a set needs do not help (L6). *)
Lemma lb_deep d s b : lb (Some (deep s)) s b -> lb d s b.
Proof. intros H t Ht. destruct (prune_true d t s Ht) as [X Y]. exact (reaches_le _ _ _ (H _ X) Y). Qed.

(** ** L7: small sets *)

Lemma solves_within d t : (forall s s' g, may s g -> may s' g) -> forall s h, NoDup h -> incl h s ->
  solves d t s -> solves d t h.
Proof.
  intros A. revert d; induction t as [|g next IH]; intros d s h N I H.
  - destruct H as [->|[O L]]; [left; apply incl_l_nil, I|].
    pose proof (NoDup_incl_length N I). destruct h as [|x [|y h]]; [left; reflexivity|right; auto|cbn in *; lia].
  - destruct H as [->|[H1 [H2 H3]]]; [left; apply incl_l_nil, I|right]. split; [exact H1|].
    split; [exact (A _ _ _ H2)|]. intros a. apply (IH a (pre d) (part g (S a) s)); [apply NoDup_filter, N| |apply H3].
    intros x Hx. apply filter_In in Hx as [Hx R]. apply filter_In. auto.
Qed.

Lemma lb_small d d' s h :
  (forall s s' g, may s g -> may s' g) -> NoDup h -> incl h s -> fewer d d' -> lb d' h None -> lb d s None.
Proof.
  intros A N I F H t Ht. apply (H t). apply (solves_fewer d); [exact F|]. exact (solves_within d t A s h N I Ht).
Qed.

(** ** L8, L9: renamings *)

Section Renaming.

Variable s : list nat.
Variable to : nat -> nat.     (* of secrets *)
Variable image : nat -> nat.  (* of guesses that tell the set apart *)

(** Not all of the set give one answer after which the game goes on. *)
Definition tells (g : nat) : bool :=
  match s with
  | [] => false
  | x :: _ => negb (negb (ans g x =? 0) && forallb (fun y => ans g y =? ans g x) s)
  end.

(** A guess that tells the set apart has an image, which splits the image of the set in the same way. *)
Definition has_images : Prop :=
  forall g, may s g -> tells g = true ->
    (forall s', incl s' s -> may s' g -> may (map to s') (image g)) /\
    (forall x, In x s -> (ans (image g) (to x) = 0 <-> ans g x = 0)) /\
    (forall x y, In x s -> In y s -> (ans (image g) (to x) = ans (image g) (to y) <-> ans g x = ans g y)).

Definition renames : Prop := Permutation (map to s) s /\ has_images.

(** What a guess answered where its image answers [S b], less one. *)
Definition back (g b : nat) : nat :=
  match find (fun x => ans (image g) (to x) =? S b) s with Some x => pred (ans g x) | None => 0 end.

Fixpoint rename (t : tree) : tree :=
  match t with
  | Leaf => Leaf
  | Node g next =>
      if tells g then Node (image g) (fun b => rename (next (back g b)))
      else rename (next (pred (ans g (hd 0 s))))
  end.

Hypothesis R : has_images.

Lemma tells_not g : tells g = false -> forall x, In x s -> ans g x = S (pred (ans g (hd 0 s))).
Proof.
  unfold tells. destruct s as [|y l]; [intros _ x []|]. intros H x Hx. apply negb_false_iff, andb_prop in H as [H1 H2].
  apply negb_true_iff, Nat.eqb_neq in H1. apply (proj1 (forallb_forall _ _)) with (x := x) in H2; [|exact Hx].
  apply Nat.eqb_eq in H2. cbn [hd]. lia.
Qed.

Lemma back_is g x b : may s g -> tells g = true -> In x s -> ans (image g) (to x) = S b -> ans g x = S (back g b).
Proof.
  intros M T Hx E. destruct (R g M T) as [_ [R1 R2]]. unfold back.
  destruct (find _ s) as [y|] eqn:F.
  - apply find_some in F as [Hy Ey]. apply Nat.eqb_eq in Ey. rewrite <- (proj1 (R2 y x Hy Hx)) by congruence.
    assert (ans g y <> 0) by (intros Z; apply (R1 y Hy) in Z; congruence). lia.
  - apply (find_none _ _ F) in Hx. apply Nat.eqb_neq in Hx. contradiction.
Qed.

Lemma part_image g b s' : may s g -> tells g = true -> incl s' s ->
  part (image g) (S b) (map to s') = map to (part g (S (back g b)) s')
  \/ part (image g) (S b) (map to s') = [].
Proof.
  intros M T. destruct (R g M T) as [_ [R1 R2]].
  destruct (existsb (fun x => ans (image g) (to x) =? S b) s) eqn:F.
  - intros I. left. apply existsb_exists in F as [x [Hx E]]. apply Nat.eqb_eq in E.
    pose proof (back_is g x b M T Hx E) as B.
    induction s' as [|y s' IH]; [reflexivity|]. cbn [map]. rewrite !part_cons, IH by (intros z Hz; apply I; right; exact Hz).
    pose proof (I y (or_introl eq_refl)) as Hy. unfold has. rewrite <- E, <- B.
    destruct (Nat.eqb_spec (ans (image g) (to y)) (ans (image g) (to x))) as [Z|Z].
    + apply (R2 y x Hy Hx) in Z. rewrite Z, Nat.eqb_refl. reflexivity.
    + destruct (Nat.eqb_spec (ans g y) (ans g x)) as [Z'|_]; [|reflexivity]. apply (R2 y x Hy Hx) in Z'. contradiction.
  - intros I. right. induction s' as [|y s' IH]; [reflexivity|]. cbn [map]. rewrite part_cons.
    rewrite IH by (intros z Hz; apply I; right; exact Hz). unfold has.
    destruct (Nat.eqb_spec (ans (image g) (to y)) (S b)) as [Z|_]; [|reflexivity]. exfalso.
    apply Bool.not_true_iff_false in F. apply F. apply existsb_exists. exists y. split; [apply I; left; reflexivity|].
    apply Nat.eqb_eq, Z.
Qed.

Lemma rename_true d t : forall s', incl s' s -> solves d t s' ->
  solves d (rename t) (map to s') /\ forall x, In x s' -> count (rename t) (to x) <= count t x.
Proof.
  revert d; induction t as [|g next IH]; intros d s' I H.
  - split; [|intros; apply le_n].
    destruct H as [->|[O L]]; [left; reflexivity|right; rewrite map_length; auto].
  - assert (N : s' = [] \/ s' <> []) by (destruct s'; [left; reflexivity|right; discriminate]).
    destruct N as [->|N]; [split; [apply solves_nothing|intros x []]|].
    destruct (solves_may d g next s' N H) as [M' D].
    assert (M : may s g) by exact (may_more _ _ _ I M').
    assert (Q : forall a, solves (pre d) (next a) (part g (S a) s')) by (intros a; exact (solves_part d g next s' a H)).
    assert (J : forall a, incl (part g (S a) s') s) by (intros a z Hz; apply I; exact (part_incl _ _ _ z Hz)).
    cbn [rename]. destruct (tells g) eqn:T.
    + destruct (R g M T) as [R0 [R1 R2]]. split.
      * right. split; [exact D|]. split; [exact (R0 s' I M')|]. intros b.
        destruct (part_image g b s' M T I) as [->| ->]; [|apply solves_nothing].
        apply (IH (back g b) (pre d) _ (J _) (Q _)).
      * intros x Hx. cbn [count]. destruct (ans (image g) (to x)) as [|b] eqn:Eb; [lia|].
        pose proof (back_is g x b M T (I x Hx) Eb) as B. rewrite B. apply le_n_S.
        apply (IH (back g b) (pre d) (part g (S (back g b)) s') (J _) (Q _)). apply filter_In.
        split; [exact Hx|]. unfold has. rewrite B. apply Nat.eqb_refl.
    + set (a := pred (ans g (hd 0 s))).
      assert (A : forall x, In x s' -> ans g x = S a) by (intros x Hx; apply tells_not; [exact T|apply I, Hx]).
      assert (W : part g (S a) s' = s').
      { apply part_whole, forallb_forall. intros x Hx. unfold has. rewrite (A x Hx). apply Nat.eqb_refl. }
      specialize (Q a). rewrite W in Q. destruct (IH a (pre d) s' I Q) as [X Y]. split.
      * apply (solves_fewer (pre d)); [|exact X]. destruct d; cbn; lia.
      * intros x Hx. cbn [count]. rewrite (A x Hx). specialize (Y x Hx). lia.
Qed.

Variable s' : list nat.

Hypothesis Q : Permutation (map to s) s'.

Lemma rename_cost t t' : (forall x, In x s -> count t' (to x) <= count t x) -> cost t' s' <= cost t s.
Proof.
  intros H. rewrite <- (cost_permuted t' _ _ Q). unfold cost. rewrite sum_map. apply sum_le, H.
Qed.

Lemma lb_renamed d b : lb d s' b -> lb d s b.
Proof.
  intros A t Ht. destruct (rename_true d t s (fun x Hx => Hx) Ht) as [X Y].
  apply (solves_permuted d _ _ _ Q) in X. exact (reaches_le _ _ _ (A _ X) (rename_cost _ _ Y)).
Qed.

Lemma ask_lb_renamed d g b : may s g -> tells g = true -> ask_lb d (image g) s' b -> ask_lb d g s b.
Proof.
  intros M T A next Ht. destruct (rename_true d (Node g next) s (fun x Hx => Hx) Ht) as [X Y].
  cbn [rename] in X, Y. rewrite T in X, Y. apply (solves_permuted d _ _ _ Q) in X.
  exact (reaches_le _ _ _ (A _ X) (rename_cost _ _ Y)).
Qed.

End Renaming.

End Trees.
