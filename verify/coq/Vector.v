(** Vectors of numbers. Here they are lists; [Extract.v] replaces exactly the definitions of this file by arrays and
    bytes of OCaml, which [vectors.ml] has one by one. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import Theory.
Import ListNotations.

(** Numbers [0 .. n - 1]. *)
Definition range (n : nat) : list nat := seq 0 n.

(** Words are numbers as large as a machine integer is; bytes are below 256. *)
Definition words := list nat.
Definition bytes := list nat.

Definition make_words (n : nat) (f : nat -> nat) : words := map f (range n).
Definition word_at (v : words) (i : nat) : nat := nth i v 0.

Definition make_bytes (n : nat) (f : nat -> nat) : bytes := map (fun i => min (f i) 255) (range n).
Definition byte_at (v : bytes) (i : nat) : nat := nth i v 0.

(** Rows of bytes, one behind the other. *)
Definition make_grid (rows columns : nat) (f : nat -> nat -> nat) : bytes :=
  make_bytes (rows * columns) (fun i => f (i / columns) (i mod columns)).

Definition words_of (l : list nat) : words := l.
Definition list_of (v : words) : list nat := v.

(** Of each number below [n] the first place where it is, or how many places there are. *)
Definition first_place (v : words) (k : nat) : nat :=
  (fix first i l := match l with [] => i | x :: l => if x =? k then i else first (S i) l end) 0 v.
Definition inverse (n : nat) (v : words) : words := make_words n (first_place v).

(** How often [f] has each value below [n] on a list. *)
Definition tally (n : nat) (f : nat -> nat) (s : list nat) : words :=
  make_words n (fun r => length (filter (fun x => f x =? r) s)).

(** What a table says of [many] numbers from place [r] on, in all; nothing, if one of them is above [room]. *)
Fixpoint sum_within (room : nat) (costs h : words) (many r sum : nat) : option nat :=
  match many with
  | 0 => Some sum
  | S many =>
      let size := word_at h r in
      if room <? size then None else sum_within room costs h many (S r) (sum + word_at costs size)
  end.

(** The same of how often bytes at equal steps have each value from [first] on. *)
Definition sum_row (n first room : nat) (costs : words) (v : bytes) (step from : nat) (s : list nat) (sum : nat)
    : option nat :=
  sum_within room costs (tally n (fun x => byte_at v (from + step * x)) s) (n - first) first sum.

(** How many values below [n] they have. *)
Definition variety (n : nat) (v : bytes) (step from : nat) (s : list nat) : nat :=
  length (filter (fun r => existsb (fun x => byte_at v (from + step * x) =? r) s) (range n)).

(** The same of all rows: [v] has columns of so many rows, one behind the other. *)
Definition varieties (n rows : nat) (v : bytes) (s : list nat) : bytes :=
  make_bytes rows (fun g => length (filter (fun r => existsb (fun x => byte_at v (x * rows + g) =? r) s) (range n))).

(** How many digits of a number are 1: at least. *)
Fixpoint ones (fuel m : nat) : nat :=
  match fuel with
  | 0 => m
  | S fuel => if m =? 0 then 0 else (if Nat.odd m then 1 else 0) + ones fuel (Nat.div2 m)
  end.

(** Rows of words, [width] each; the digits that are 1 in row [x] for some [x] of a list. *)
Definition united (rows : words) (width : nat) (s : list nat) (w : nat) : nat :=
  fold_left (fun u x => Nat.lor u (word_at rows (x * width + w))) s 0.

(** A word has [slots] fields of [bits] digits. Field [i] of word [w] is number [i * width + w]; of each field, twice
    the number of its digits that are 1, and one more if the first is. *)
Definition field (rows : words) (width bits : nat) (s : list nat) (j : nat) : nat :=
  Nat.land (Nat.shiftr (united rows width s (j mod width)) (bits * (j / width))) (Nat.ones bits).

Definition fields (rows : words) (width slots bits : nat) (s : list nat) : bytes :=
  make_bytes (slots * width) (fun j =>
    let m := field rows width bits s j in 2 * ones 64 m + Nat.b2n (Nat.odd m)).

(** A list by the values of [f] below [n], in its order. *)
Definition buckets (n : nat) (f : nat -> nat) (s : list nat) : list (list nat) :=
  map (fun r => filter (fun x => f x =? r) s) (range n).

Definition largest (v : words) : nat := fold_left max v 0.
Definition largest_byte (v : bytes) : nat := fold_left max v 0.

(** The places below [n] that have a value. *)
Definition places (v : bytes) (n k : nat) : list nat := filter (fun i => byte_at v i =? k) (range n).

Definition same_words (v w : words) : bool := if list_eq_dec Nat.eq_dec v w then true else false.

(** Whether [f] has the values below [n] of a list as often as the list has them. *)
Definition permuted (n : nat) (f : nat -> nat) (s : list nat) : bool :=
  same_words (tally n f s) (tally n (fun x => x) s).

(** Of each place below [n] the least number of its own and those at its images. *)
Definition nearer (n : nat) (images : list words) (now : words) : words :=
  make_words n (fun i => fold_left (fun l image => min l (word_at now (word_at image i))) images (word_at now i)).

(** Of each place one number that all have to which images lead, as far as they are followed: the least. *)
Fixpoint labels (fuel n : nat) (images : list words) (now : words) : words :=
  match fuel with
  | 0 => now
  | S fuel =>
      let near := nearer n images now in
      let next := make_words n (fun i => word_at near (word_at near i)) in
      if same_words next now then now else labels fuel n images next
  end.

(** What is computed when it is needed, and once. *)
CoInductive delayed (A : Type) := Delay (value : A).
Arguments Delay {A}.
Definition value {A} (d : delayed A) : A := match d with Delay a => a end.

(** ** What is known of them *)

Lemma length_make n f : length (make_words n f) = n.
Proof. unfold make_words, range. rewrite map_length. apply seq_length. Qed.

Lemma make_at n f i : word_at (make_words n f) i = if i <? n then f i else 0.
Proof.
  unfold word_at, make_words, range. destruct (Nat.ltb_spec i n) as [H|H].
  - rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; exact H). rewrite map_nth, seq_nth by exact H.
    reflexivity.
  - apply nth_overflow. rewrite map_length, seq_length. exact H.
Qed.

Lemma bytes_at n f i : i < n -> byte_at (make_bytes n f) i = min (f i) 255.
Proof.
  intros H. unfold byte_at, make_bytes, range. set (h := fun i => _).
  rewrite nth_indep with (d' := h 0) by (rewrite map_length, seq_length; exact H). rewrite map_nth, seq_nth by exact H.
  reflexivity.
Qed.

Lemma grid_at rows columns f i j : i < rows -> j < columns ->
  byte_at (make_grid rows columns f) (i * columns + j) = min (f i j) 255.
Proof.
  intros Hi Hj. unfold make_grid. rewrite bytes_at by nia.
  rewrite (Nat.add_comm (i * columns)), Nat.div_add, Nat.div_small, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

Lemma tally_at n f s r : r < n -> word_at (tally n f s) r = length (filter (fun x => f x =? r) s).
Proof. intros H. unfold tally. rewrite make_at. apply Nat.ltb_lt in H as ->. reflexivity. Qed.

Lemma places_are v n k i : In i (places v n k) <-> i < n /\ byte_at v i = k.
Proof. unfold places, range. rewrite filter_In, in_seq, Nat.eqb_eq. intuition lia. Qed.

Lemma largest_bounds l x : In x l -> x <= largest l.
Proof.
  unfold largest. cut (forall m, m <= fold_left max l m /\ (In x l -> x <= fold_left max l m)); [intros X; apply X|].
  induction l as [|y l IH]; intros m; cbn; [split; [lia|tauto]|]. destruct (IH (max m y)) as [A B].
  split; [lia|]. intros [->|H]; [lia|auto].
Qed.

Lemma at_most_largest v i : word_at v i <= largest v.
Proof.
  unfold word_at. destruct (Nat.lt_ge_cases i (length v)) as [H|H].
  - apply largest_bounds, nth_In, H.
  - rewrite nth_overflow by exact H. lia.
Qed.

Lemma same_words_eq v w : same_words v w = true -> v = w.
Proof. unfold same_words. destruct (list_eq_dec _ _ _); [auto|discriminate]. Qed.

(** Lists with the same tally are permutations of each other. *)
Lemma tally_permutes n f g s t :
  (forall x, In x s -> f x < n) -> (forall x, In x t -> g x < n) -> tally n f s = tally n g t ->
  Permutation (map f s) (map g t).
Proof.
  intros Hf Hg E. apply (Permutation_count_occ Nat.eq_dec). intros r.
  assert (C : forall (h : nat -> nat) l, count_occ Nat.eq_dec (map h l) r = length (filter (fun x => h x =? r) l)).
  { intros h l. induction l as [|x l IH]; [reflexivity|]. cbn [map count_occ filter].
    destruct (Nat.eq_dec (h x) r) as [->|N]; [rewrite Nat.eqb_refl; cbn; congruence|].
    apply Nat.eqb_neq in N as ->. exact IH. }
  rewrite !C. destruct (Nat.lt_ge_cases r n) as [H|H].
  - rewrite <- !(tally_at n) by exact H. f_equal. exact E.
  - assert (Z : forall (h : nat -> nat) l, (forall x, In x l -> h x < n) -> filter (fun x => h x =? r) l = []).
    { intros h l. induction l as [|x l IH]; intros B; [reflexivity|]. cbn [filter].
      pose proof (B x (or_introl eq_refl)). destruct (Nat.eqb_spec (h x) r); [lia|].
      apply IH. intros; apply B; right; assumption. }
    rewrite !Z by assumption. reflexivity.
Qed.

(** What is true of a number if it is of its image is true of the image, too: some power of a permutation leads
    back. *)
Lemma around (C : nat -> Prop) f l x :
  NoDup l -> Permutation (map f l) l -> (forall y, In y l -> C (f y) -> C y) -> In x l -> C x -> C (f x).
Proof.
  intros N Q H Hx Cx. set (at_ k := Nat.iter k f x).
  assert (I : forall k, In (at_ k) l) by (induction k as [|k IH];
    [exact Hx|exact (Permutation_in _ Q (in_map f _ _ IH))]).
  assert (B : forall a b, In a l -> In b l -> f a = f b -> a = b).
  { pose proof (Permutation_NoDup (Permutation_sym Q) N) as N'. clear - N'.
    induction l as [|y l IH]; intros a b Ha Hb E; [destruct Ha|].
    cbn [map] in N'. inversion N' as [|? ? N1 N2]; subst.
    destruct Ha as [<-|Ha], Hb as [<-|Hb]; auto; exfalso; apply N1; [rewrite E|rewrite <- E]; apply in_map;
      assumption. }
  assert (D : forall i k, at_ i = at_ (i + k) -> at_ 0 = at_ k)
    by (induction i as [|i IH]; intros k E; [exact E|]; apply IH, B; [apply I|apply I|exact E]).
  assert (R : forall m k, k + m = S (length l) -> NoDup (map at_ (seq 0 k)) -> exists j, at_ (S j) = x).
  { induction m as [|m IH]; intros k L V.
    - assert (Z : incl (map at_ (seq 0 k)) l) by (intros y Hy; apply in_map_iff in Hy as [i [<- _]]; apply I).
      pose proof (NoDup_incl_length V Z) as X. rewrite map_length, seq_length in X. lia.
    - destruct (in_dec Nat.eq_dec (at_ k) (map at_ (seq 0 k))) as [J|J].
      + apply in_map_iff in J as [i [E Hi]]. apply in_seq in Hi. replace k with (i + (k - i)) in E by lia.
        apply D in E.
        exists (k - i - 1). replace (S (k - i - 1)) with (k - i) by lia. symmetry. exact E.
      + apply (IH (S k)); [lia|]. rewrite seq_S, map_app.
        apply (Permutation_NoDup (Permutation_cons_append _ _)). constructor; assumption. }
  destruct (R (S (length l)) 0 eq_refl (NoDup_nil _)) as [j E]. rewrite <- E in Cx.
  cut (forall k, C (at_ (S k)) -> C (at_ 1)); [intros X; exact (X j Cx)|].
  induction k as [|k IH]; intros X; [exact X|]. apply IH, H; [apply I|exact X].
Qed.

(** Labels: what is true of a place if and only if it is of its images is true of it if and only if it is of its
    label. *)
Lemma labels_true (C : nat -> Prop) n images :
  (forall image, In image images -> forall i, i < n -> word_at image i < n /\ (C (word_at image i) <-> C i)) ->
  forall fuel now, (forall i, i < n -> word_at now i < n /\ (C (word_at now i) <-> C i)) ->
  forall i, i < n -> word_at (labels fuel n images now) i < n /\ (C (word_at (labels fuel n images now) i) <-> C i).
Proof.
  intros R. induction fuel as [|fuel IH]; intros now N; [exact N|]. cbn [labels]. cbv zeta.
  set (near := nearer n images now).
  assert (A : forall i, i < n -> word_at near i < n /\ (C (word_at near i) <-> C i)).
  { intros i Hi. unfold near, nearer. rewrite make_at. pose proof Hi as Hi'. apply Nat.ltb_lt in Hi' as ->.
    assert (X : forall l, incl l images -> forall v, v < n /\ (C v <-> C i) ->
      let v' := fold_left (fun m image => min m (word_at now (word_at image i))) l v in v' < n /\ (C v' <-> C i)).
    { induction l as [|image l IHl]; intros I v V; [exact V|]. cbn [fold_left].
      apply IHl; [intros z Hz; apply I; right; exact Hz|].
      destruct (Nat.min_dec v (word_at now (word_at image i))) as [->| ->]; [exact V|].
      destruct (R image (I _ (or_introl eq_refl)) i Hi) as [R1 R2]. destruct (N _ R1) as [N1 N2].
      split; [exact N1|tauto]. }
    apply X; [apply incl_refl|apply N, Hi]. }
  destruct (same_words _ now); [exact N|]. apply IH. intros i Hi. rewrite make_at. pose proof Hi as Hi'.
  apply Nat.ltb_lt in Hi' as ->. destruct (A i Hi) as [A1 A2]. destruct (A _ A1) as [A3 A4]. split; [exact A3|tauto].
Qed.

(** ** Digits *)

Lemma bits_below top : forall m, sum (fun r => if Nat.testbit m r then 1 else 0) (seq 0 top) <= m.
Proof.
  induction top as [|top IH]; intros m; [cbn; lia|]. rewrite sum_first. specialize (IH (Nat.div2 m)).
  change (sum (fun r => if Nat.testbit m (S r) then 1 else 0) (seq 0 top))
    with (sum (fun r => if Nat.testbit (Nat.div2 m) r then 1 else 0) (seq 0 top)).
  change (Nat.testbit m 0) with (Nat.odd m). pose proof (Nat.div2_odd m) as E.
  destruct (Nat.odd m); cbn [Nat.b2n] in E; lia.
Qed.

Lemma ones_true fuel : forall m top, sum (fun r => if Nat.testbit m r then 1 else 0) (seq 0 top) <= ones fuel m.
Proof.
  induction fuel as [|fuel IH]; intros m top; cbn [ones]; [apply bits_below|].
  destruct (Nat.eqb_spec m 0) as [->|N].
  - rewrite (sum_eq _ _ (fun _ => 0)) by (intros; rewrite Nat.bits_0; reflexivity). rewrite sum_zero. lia.
  - destruct top as [|top]; [cbn; lia|]. rewrite sum_first. specialize (IH (Nat.div2 m) top).
    change (sum (fun r => if Nat.testbit m (S r) then 1 else 0) (seq 0 top))
      with (sum (fun r => if Nat.testbit (Nat.div2 m) r then 1 else 0) (seq 0 top)).
    change (Nat.testbit m 0) with (Nat.odd m). lia.
Qed.

Lemma ones_small fuel : forall m, m < 2 ^ fuel -> ones fuel m <= fuel.
Proof.
  induction fuel as [|fuel IH]; intros m H; cbn [ones]; [cbn in H; lia|]. destruct (m =? 0); [lia|].
  pose proof (Nat.div2_odd m) as E. cbn [Nat.pow] in H.
  assert (X : Nat.div2 m < 2 ^ fuel) by (destruct (Nat.odd m); cbn [Nat.b2n] in E; lia).
  specialize (IH _ X). destruct (Nat.odd m); lia.
Qed.

Lemma united_bit rows width s w k :
  Nat.testbit (united rows width s w) k = existsb (fun x => Nat.testbit (word_at rows (x * width + w)) k) s.
Proof.
  unfold united. cut (forall m, Nat.testbit (fold_left (fun u x => Nat.lor u (word_at rows (x * width + w))) s m) k
    = Nat.testbit m k || existsb (fun x => Nat.testbit (word_at rows (x * width + w)) k) s);
    [intros X; rewrite X, Nat.bits_0; reflexivity|].
  induction s as [|x s IH]; intros m; cbn [fold_left existsb]; [rewrite orb_false_r; reflexivity|].
  rewrite IH, Nat.lor_spec, orb_assoc. reflexivity.
Qed.

Lemma field_bit rows width bits s j r : r < bits ->
  Nat.testbit (field rows width bits s j) r
  = existsb (fun x => Nat.testbit (word_at rows (x * width + j mod width)) (r + bits * (j / width))) s.
Proof.
  intros H. unfold field. rewrite Nat.land_spec, Nat.shiftr_spec by lia. rewrite Nat.ones_spec_low by exact H.
  rewrite andb_true_r. apply united_bit.
Qed.

(** One digit in each field: field [i] has its digit [f i]. *)
Definition marked (bits slots : nat) (f : nat -> nat) : nat :=
  fold_left (fun u i => Nat.lor u (Nat.shiftl 1 (f i + bits * i))) (range slots) 0.

Lemma marked_bit bits slots f i r :
  (forall k, k < slots -> f k < bits) -> i < slots -> r < bits ->
  Nat.testbit (marked bits slots f) (r + bits * i) = (f i =? r).
Proof.
  intros B Hi Hr. unfold marked, range.
  cut (forall l m, (forall k, In k l -> k < slots) ->
    Nat.testbit (fold_left (fun u k => Nat.lor u (Nat.shiftl 1 (f k + bits * k))) l m) (r + bits * i)
    = Nat.testbit m (r + bits * i) || (existsb (Nat.eqb i) l && (f i =? r))).
  { intros X. rewrite X by (intros k Hk; apply in_seq in Hk; lia). rewrite Nat.bits_0.
    replace (existsb (Nat.eqb i) (seq 0 slots)) with true; [reflexivity|]. symmetry. apply existsb_exists.
    exists i. split; [apply in_seq; lia|apply Nat.eqb_refl]. }
  induction l as [|k l IH]; intros m H; cbn [fold_left existsb]; [rewrite orb_false_r; reflexivity|].
  rewrite IH by (intros; apply H; right; assumption). rewrite Nat.lor_spec, Nat.shiftl_1_l, Nat.pow2_bits_eqb.
  pose proof (B k (H k (or_introl eq_refl))) as Hk.
  replace (f k + bits * k =? r + bits * i) with ((i =? k) && (f i =? r)).
  { rewrite <- orb_assoc. f_equal. rewrite andb_orb_distrib_l. reflexivity. }
  destruct (Nat.eqb_spec i k) as [<-|N].
  - cbn [andb]. apply eq_true_iff_eq. rewrite !Nat.eqb_eq. lia.
  - cbn [andb]. symmetry. apply Nat.eqb_neq. nia.
Qed.
