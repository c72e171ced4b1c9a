(** Sets of questions as digits of words, and what every two secrets get different answers to. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import Vector.
Import ListNotations.
Local Open Scope nat_scope.

Definition width : nat := 60.  (* of words, in digits *)

Lemma width_positive : width <> 0. Proof. discriminate. Qed.
Opaque width.

Definition mem (g : nat) (B : words) : bool := Nat.odd (Nat.shiftr (word_at B (g / width)) (g mod width)).

(** A word in which every [d]-th digit is 1; halves of fields of 2, 4 and 8 digits. *)
Fixpoint every (d n : nat) : nat := match n with 0 => 0 | S n => 1 + Nat.shiftl (every d n) d end.

Definition lower_1 := every 2 30.
Definition lower_2 := 3 * every 4 15.
Definition lower_4 := 15 * every 8 8.
Opaque lower_1 lower_2 lower_4.

(** A word by its digits. *)
Fixpoint packed (f : nat -> bool) (n from : nat) : nat :=
  match n with 0 => 0 | S n => Nat.b2n (f from) + 2 * packed f n (S from) end.

Lemma packed_is f n : forall from b, b < n -> Nat.odd (Nat.shiftr (packed f n from) b) = f (from + b).
Proof.
  induction n as [|n IH]; intros from b H; [lia|]. cbn [packed]. rewrite <- Nat.testbit_odd.
  destruct b as [|b].
  - rewrite Nat.add_0_r, Nat.add_comm. apply Nat.testbit_0_r.
  - rewrite Nat.add_comm, Nat.testbit_succ_r, Nat.testbit_odd, IH by lia. f_equal. lia.
Qed.

Lemma no_digits n : Nat.shiftr 0 n = 0.
Proof. induction n as [|n IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Section Sets.

Variable questions : nat.

Definition long : nat := (questions + width - 1) / width.

Lemma place_inside g : g < questions -> g / width < long.
Proof.
  intros H. pose proof width_positive as W. unfold long.
  assert (E : questions + width - 1 = questions - 1 + 1 * width) by lia. rewrite E, Nat.div_add by exact W.
  pose proof (Nat.div_le_mono g (questions - 1) width W). lia.
Qed.

Definition set (f : nat -> bool) : words :=
  make_words long (fun i => packed (fun g => (g <? questions) && f g) width (width * i)).

Lemma mem_set f g : g < questions -> mem g (set f) = f g.
Proof.
  intros H. pose proof width_positive as W. unfold mem, set. rewrite make_at.
  pose proof (place_inside g H) as P. apply Nat.ltb_lt in P as ->.
  rewrite packed_is by (apply Nat.mod_upper_bound; exact W). rewrite <- (Nat.div_mod g width W).
  apply Nat.ltb_lt in H as ->. reflexivity.
Qed.

Definition inter (A B : words) : words := make_words long (fun i => Nat.land (word_at A i) (word_at B i)).

Lemma mem_inter A B g : g < questions -> mem g (inter A B) = mem g A && mem g B.
Proof.
  intros H. unfold mem, inter. rewrite make_at. pose proof (place_inside g H) as P. apply Nat.ltb_lt in P as ->.
  rewrite <- !Nat.testbit_odd. apply Nat.land_spec.
Qed.

Definition minus (A B : words) : words :=
  make_words long (fun i => let w := word_at A i in Nat.lxor w (Nat.land w (word_at B i))).

Lemma mem_minus A B g : g < questions -> mem g (minus A B) = mem g A && negb (mem g B).
Proof.
  intros H. unfold mem, minus. rewrite make_at. pose proof (place_inside g H) as P. apply Nat.ltb_lt in P as ->.
  cbv zeta. rewrite <- !Nat.testbit_odd, Nat.lxor_spec, Nat.land_spec.
  destruct (Nat.testbit _ _), (Nat.testbit _ _); reflexivity.
Qed.

Definition add (g : nat) (A : words) : words :=
  let i := g / width in let bit := Nat.shiftl 1 (g mod width) in
  make_words long (fun j => if j =? i then Nat.lor (word_at A j) bit else word_at A j).

Lemma mem_add A g h : h < questions -> mem h (add g A) = (h =? g) || mem h A.
Proof.
  intros H. pose proof width_positive as W. unfold mem, add. cbv zeta. rewrite make_at.
  pose proof (place_inside h H) as P. apply Nat.ltb_lt in P as ->.
  destruct (Nat.eqb_spec (h / width) (g / width)) as [E|E].
  - rewrite <- !Nat.testbit_odd, Nat.lor_spec, Nat.shiftl_1_l, Nat.pow2_bits_eqb, orb_comm. f_equal.
    destruct (Nat.eqb_spec (g mod width) (h mod width)) as [Q|Q]; symmetry.
    + apply Nat.eqb_eq. rewrite (Nat.div_mod g width W), (Nat.div_mod h width W). congruence.
    + apply Nat.eqb_neq. intros ->. apply Q. reflexivity.
  - destruct (Nat.eqb_spec h g) as [->|Q]; [congruence|reflexivity].
Qed.

Definition nothing : words := make_words long (fun _ => 0).

Definition only (g : nat) : words := add g nothing.

Lemma mem_only g h : h < questions -> mem h (only g) = (h =? g).
Proof.
  intros H. unfold only. rewrite mem_add by exact H.
  assert (E : mem h nothing = false); [|rewrite E; apply orb_false_r].
  unfold mem, nothing. rewrite make_at. cbv beta. destruct (_ <? _); rewrite no_digits; reflexivity.
Qed.

Definition members (A : words) : list nat := filter (fun g => mem g A) (range questions).

Lemma in_members A g : In g (members A) <-> g < questions /\ mem g A = true.
Proof. unfold members, range. rewrite filter_In, in_seq. intuition lia. Qed.

Definition places_of_words : list nat := range long.

Definition is_empty (ws : list nat) (A : words) : bool := forallb (fun i => word_at A i =? 0) ws.

Lemma is_empty_true A g : is_empty places_of_words A = true -> g < questions -> mem g A = false.
Proof.
  intros E H. unfold mem. assert (Z : word_at A (g / width) = 0); [|rewrite Z, no_digits; reflexivity].
  apply Nat.eqb_eq, (proj1 (forallb_forall _ _) E), in_seq. pose proof (place_inside g H). lia.
Qed.

(** How many are in a set, by sums of neighbours in all words; only to order sets. *)
Definition size (ws : list nat) (A : words) : nat :=
  fold_left (fun v i =>
    let w := word_at A i in
    let twos := w - Nat.land (Nat.shiftr w 1) (lower_1) in
    let fours := Nat.land twos (lower_2) + Nat.land (Nat.shiftr twos 2) (lower_2) in
    v + Nat.modulo (Nat.land (fours + Nat.shiftr fours 4) (lower_4)) 255) ws 0.

(** ** Answers by their digits: of each digit the set of questions whose answer has it *)

Fixpoint answer_of (digits : list words) (g : nat) : nat :=
  match digits with [] => 0 | d :: digits => Nat.b2n (mem g d) + 2 * answer_of digits g end.

Fixpoint differ (c d : list words) (i : nat) : nat :=
  match c, d with
  | x :: c, y :: d => Nat.lor (Nat.lxor (word_at x i) (word_at y i)) (differ c d i)
  | _, _ => 0
  end.

Definition telling (c d : list words) : words := make_words long (differ c d).

Lemma mem_telling c : forall d g, length c = length d -> g < questions ->
  mem g (telling c d) = negb (answer_of c g =? answer_of d g).
Proof.
  assert (X : forall c d g, length c = length d -> g < questions ->
    Nat.odd (Nat.shiftr (differ c d (g / width)) (g mod width)) = negb (answer_of c g =? answer_of d g)).
  { clear c. induction c as [|x c IH]; intros [|y d] g L H; try discriminate.
    - cbn [differ answer_of]. rewrite no_digits. reflexivity.
    - cbn [differ answer_of]. injection L as L. specialize (IH d g L H).
      rewrite <- Nat.testbit_odd in *. rewrite Nat.lor_spec, IH, Nat.lxor_spec. unfold mem.
      rewrite <- !Nat.testbit_odd. destruct (Nat.eqb_spec (answer_of c g) (answer_of d g)) as [E|E];
        destruct (Nat.testbit (word_at x _) _), (Nat.testbit (word_at y _) _); cbn [xorb negb orb Nat.b2n]; symmetry;
        first [apply negb_true_iff, Nat.eqb_neq; lia | apply negb_false_iff, Nat.eqb_eq; lia]. }
  intros d g L H. unfold mem, telling. rewrite make_at. pose proof (place_inside g H) as P.
  apply Nat.ltb_lt in P as ->.
  apply X; assumption.
Qed.

(** Of a secret the digits of its answers, so many of each. *)
Definition digits_of (many : nat) (row : words) : list words :=
  map (fun j => set (fun g => Nat.odd (Nat.shiftr (word_at row g) j))) (seq 0 many).

Lemma answer_is many row g : g < questions -> word_at row g < 2 ^ many
  -> answer_of (digits_of many row) g = word_at row g.
Proof.
  intros H. unfold digits_of.
  assert (X : forall many from v, v < 2 ^ many -> (forall j, Nat.odd (Nat.shiftr (word_at row g) (from + j)) =
    Nat.odd (Nat.shiftr v j)) ->
    answer_of (map (fun j => set (fun g => Nat.odd (Nat.shiftr (word_at row g) j))) (seq from many)) g = v).
  { clear many. induction many as [|many IH]; intros from v L E; [cbn in *; lia|].
    cbn [seq map answer_of]. rewrite mem_set by exact H. rewrite (IH (S from) (Nat.div2 v)).
    - specialize (E 0). rewrite Nat.add_0_r in E. rewrite E. change (Nat.shiftr v 0) with v.
      pose proof (Nat.div2_odd v). lia.
    - pose proof (Nat.div2_odd v) as D. cbn [Nat.pow] in L. destruct (Nat.odd v); cbn [Nat.b2n] in D; lia.
    - intros j. replace (S from + j) with (from + S j) by lia. rewrite E. f_equal.
      clear. induction j as [|j IH]; [reflexivity|]. cbn in *. rewrite IH. reflexivity. }
  intros L. apply X; [exact L|reflexivity].
Qed.

End Sets.
