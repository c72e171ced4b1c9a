(** The board of a game: the answers to all guesses as bytes, and what is seen of all guesses at once. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import Theory Vector.
Import ListNotations.

(** Guess [g] has a row of answers, one of each secret; they are below [responses]. *)
Record board := {
  guesses : nat; secrets : nat; responses : nat; answers : bytes;
  width : nat; slots : nat; marks : words }.

Definition reply (B : board) (g x : nat) : nat := byte_at (answers B) (g * secrets B + x).

(** Each secret has a row of words; guess [slot * width + w] has a field of word [w], with the digit of its answer. *)
Definition marks_of (guesses secrets responses width slots : nat) (answers : bytes) : words :=
  make_words (secrets * width) (fun at_ =>
    let x := at_ / width in
    let w := at_ mod width in
    marked responses slots (fun i =>
      let g := i * width + w in if g <? guesses then byte_at answers (g * secrets + x) else 0)).

Definition board_of (guesses secrets responses : nat) (answers : bytes) : board :=
  let slots := 62 / responses in
  let width := (guesses + slots - 1) / slots in
  {| guesses := guesses; secrets := secrets; responses := responses; answers := answers;
     width := width; slots := slots; marks := marks_of guesses secrets responses width slots answers |}.

(** Of each guess, twice the number of its parts of a set, and one more if it wins. *)
Definition keys (B : board) (s : list nat) : bytes := fields (marks B) (width B) (slots B) (responses B) s.

(** How many secrets give each answer. *)
Definition sizes (B : board) (g : nat) (s : list nat) : words := tally (responses B) (reply B g) s.

(** A board on which all can be looked up. *)
Definition sound (B : board) : bool :=
  (0 <? responses B) && (responses B <=? 62) && (0 <? width B) && (guesses B <=? slots B * width B) && (largest_byte (answers B) <? responses B).

Lemma reply_small B g x : sound B = true -> reply B g x < responses B.
Proof.
  intros H. apply andb_prop in H as [_ H]. apply Nat.ltb_lt in H.
  pose proof (at_most_largest (answers B) (g * secrets B + x)). unfold reply, byte_at, word_at, largest, largest_byte in *. lia.
Qed.

Lemma sizes_at B g s r :
  r < responses B -> word_at (sizes B g s) r = length (filter (fun x => reply B g x =? r) s).
Proof. intros H. unfold sizes. rewrite tally_at by exact H. reflexivity. Qed.

Lemma slot_of g width slots : 0 < width -> g < slots * width -> g / width < slots.
Proof. intros W H. apply Nat.div_lt_upper_bound; lia. Qed.

Lemma mark_bit guesses secrets responses answers width slots x g r :
  let B := {| guesses := guesses; secrets := secrets; responses := responses; answers := answers;
              width := width; slots := slots;
              marks := marks_of guesses secrets responses width slots answers |} in
  sound B = true -> x < secrets -> g < guesses -> r < responses ->
  Nat.testbit (word_at (marks B) (x * width + g mod width)) (r + responses * (g / width)) = (reply B g x =? r).
Proof.
  intros B H Hx Hg Hr. pose proof H as H'. unfold sound in H. repeat (apply andb_prop in H as [H ?]).
  subst B. cbn [Board.guesses Board.secrets Board.responses Board.answers Board.width Board.slots marks] in *.
  rewrite ?Nat.ltb_lt, ?Nat.leb_le in *.
  pose proof (Nat.mod_upper_bound g width ltac:(lia)). unfold marks_of. rewrite make_at.
  assert (E : x * width + g mod width < secrets * width) by nia. apply Nat.ltb_lt in E as ->.
  rewrite (Nat.add_comm (x * width)), Nat.div_add, Nat.div_small by lia. cbn [Nat.add].
  rewrite Nat.mod_add, Nat.mod_mod by lia.
  rewrite marked_bit; [| |apply slot_of; lia|exact Hr].
  - rewrite (Nat.mul_comm (g / width)), <- Nat.div_mod by lia. apply Nat.ltb_lt in Hg as ->. reflexivity.
  - intros k _. cbn beta. destruct (_ <? _); [|lia].
    apply (reply_small _ (k * width + g mod width) x H').
Qed.

(** A board as it is made. *)
Definition made (B : board) : Prop := exists g n r answers, B = board_of g n r answers.

Lemma field_is B k s :
  made B -> sound B = true -> (forall x, In x s -> x < secrets B) -> k < guesses B ->
  forall q, q < responses B ->
  Nat.testbit (field (marks B) (width B) (responses B) s k) q = existsb (fun x => reply B k x =? q) s.
Proof.
  intros [g [n [r [answers ->]]]] H Hs Hk q Hq. rewrite field_bit by exact Hq. induction s as [|x s IH]; [reflexivity|].
  cbn [existsb]. rewrite IH by (intros; apply Hs; right; assumption). f_equal.
  apply mark_bit; [exact H|apply Hs; left; reflexivity|exact Hk|exact Hq].
Qed.

Lemma some_part (row : nat -> nat) s r : existsb (fun x => row x =? r) s = (0 <? length (filter (fun x => row x =? r) s)).
Proof. induction s as [|x s IH]; [reflexivity|]. cbn [filter existsb]. destruct (row x =? r); [reflexivity|exact IH]. Qed.

(** What a key says of a guess. *)
Lemma key_is B k s :
  made B -> sound B = true -> (forall x, In x s -> x < secrets B) -> k < guesses B ->
  (forall m, sum (fun q => if 0 <? length (filter (fun x => reply B k x =? q) s) then 1 else 0) (seq 0 m)
             <= Nat.div2 (byte_at (keys B s) k)) /\
  Nat.odd (byte_at (keys B s) k) = (0 <? length (filter (fun x => reply B k x =? 0) s)).
Proof.
  intros M H Hs Hk. pose proof H as H'. unfold sound in H. repeat (apply andb_prop in H as [H ?]).
  rewrite ?Nat.ltb_lt, ?Nat.leb_le in *.
  unfold keys, fields. rewrite bytes_at by lia.
  set (m := field _ _ _ _ _). cbv zeta.
  assert (O : ones 64 m <= 64).
  { apply ones_small. unfold m, field. rewrite Nat.land_ones.
    apply Nat.lt_le_trans with (2 ^ responses B); [apply Nat.mod_upper_bound, Nat.pow_nonzero; lia|].
    apply Nat.pow_le_mono_r; lia. }
  rewrite Nat.min_l by (destruct (Nat.odd m); cbn [Nat.b2n]; lia). rewrite (Nat.add_comm (2 * _)).
  assert (D : Nat.div2 (Nat.b2n (Nat.odd m) + 2 * ones 64 m) = ones 64 m).
  { rewrite Nat.div2_div, (Nat.mul_comm 2), Nat.div_add by lia. destruct (Nat.odd m); reflexivity. }
  rewrite D. split.
  - intros top. rewrite <- (ones_true 64 m top). apply sum_le. intros q _. rewrite <- some_part.
    destruct (Nat.lt_ge_cases q (responses B)) as [Hq|Hq].
    + unfold m. rewrite field_is by assumption. apply le_n.
    + replace (existsb _ s) with false; [lia|]. symmetry. apply not_true_is_false. intros X.
      apply existsb_exists in X as [x [_ X]]. apply Nat.eqb_eq in X.
      pose proof (reply_small B k x H'). lia.
  - rewrite <- some_part, <- (field_is B k s M H' Hs Hk 0) by lia. fold m.
    rewrite Nat.odd_add_mul_2. rewrite Nat.bit0_odd. destruct (Nat.odd m); reflexivity.
Qed.
