(** The answers of a game of codes, from tables: as bytes, and as numbers without gaps. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Coq Require Import Mergesort Orders.
From Proof Require Import CodeGame Theory Vector Board.
Import ListNotations.

Module Rising <: TotalLeBool.
  Definition t := nat.
  Definition leb := Nat.leb.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End Rising.
Module Sorting := Sort Rising.

(** What a code is worth as a number, the first digit least. *)
Definition worth (base : nat) (c : code) : nat := fold_right (fun x v => x + base * v) 0 c.

(** The answers that there can be; the first is that to the secret. With two colours, white pegs come in pairs. That
    no answer is missing need not be proved: it would have no number, which [sound] sees. *)
Definition pairs (G : game) : list (nat * nat) :=
  let p := pegs G in
  (p, 0) :: filter (fun bw => (fst bw + snd bw <=? p) && negb (fst bw =? p) &&
      negb ((fst bw =? p - 1) && (snd bw =? 1)) && ((3 <=? colours G) || negb (Nat.odd (snd bw))))
    (list_prod (seq 0 (S p)) (match rules G with BlackPeg => [0] | _ => seq 0 (S p) end)).

Fixpoint number_of_pair (b w : nat) (l : list (nat * nat)) : nat :=
  match l with [] => 0 | x :: l => if (fst x =? b) && (snd x =? w) then 0 else S (number_of_pair b w l) end.

(** How many of the last [p] digits are 0, in the system of [2 ^ bits]. *)
Fixpoint zeros (bits p v : nat) : nat :=
  match p with
  | 0 => 0
  | S p => (if Nat.land v (Nat.ones bits) =? 0 then 1 else 0) + zeros bits p (Nat.shiftr v bits)
  end.

(** Enough digits for a colour. *)
Definition bits_of (G : game) : nat := if colours G <=? 2 then 1 else S (Nat.log2 (colours G - 1)).

(** What is looked up: codes as numbers, their classes by colours alone, black pegs by where numbers differ, common
    colours by classes, numbers of answers. *)
Record tables := { packed : words; classes : words; blacks : words; commons : words; numbers : words; leaders : list code }.

Definition classes_of (k p : nat) (all : list code) : list code * words :=
  let n := length all in
  let sorted := words_of (map (fun c => worth k (Sorting.sort c)) all) in
  let first := inverse (k ^ p) sorted in
  let leader i := word_at first (word_at sorted i) in
  let leaders := inverse n (words_of (filter (fun i => leader i =? i) (range n))) in
  (map snd (filter (fun ic => leader (fst ic) =? fst ic) (combine (range n) all)),
   make_words n (fun i => word_at leaders (leader i))).

Definition tables_of (G : game) (all : list code) : tables :=
  let p := pegs G in
  let bits := bits_of G in
  let '(classes, class_of) := match rules G with
    | BlackPeg => ([], words_of [])
    | _ => classes_of (colours G) p all end in
  {| packed := words_of (map (worth (2 ^ bits)) all);
     classes := class_of;
     blacks := make_words (2 ^ (bits * p)) (zeros bits p);
     commons := words_of (flat_map (fun a => map (common (colours G) a) classes) classes);
     numbers := make_words (S p * S p) (fun i => number_of_pair (i / S p) (i mod S p) (pairs G));
     leaders := classes |}.

Definition answer_number (G : game) (T : tables) (many g s : nat) : nat :=
  let p := pegs G in
  let b := word_at (blacks T) (Nat.lxor (word_at (packed T) g) (word_at (packed T) s)) in
  let w := match rules G with
    | BlackPeg => 0
    | _ => word_at (commons T) (word_at (classes T) g * many + word_at (classes T) s) - b end in
  if (b <=? p) && (w <=? p) then word_at (numbers T) (b * S p + w) else length (pairs G).

Definition board_of_codes (G : game) (all : list code) (T : tables) : board :=
  let n := length all in
  board_of n n (length (pairs G)) (make_grid n n (answer_number G T (length (leaders T)))).

(** Whether each code has the colours of the leader of its class. *)
Definition classed (G : game) (all : list code) (T : tables) : bool :=
  match rules G with
  | BlackPeg => true
  | _ =>
      forallb (fun ic => same (Sorting.sort (nth (word_at (classes T) (fst ic)) (leaders T) [])) (Sorting.sort (snd ic))
        && (word_at (classes T) (fst ic) <? length (leaders T))) (combine (range (length all)) all)
  end.


(** ** Why they are right *)

Lemma codes_are_codes G c : In c (codes G) -> length c = pegs G /\ forall x, In x c -> x < colours G.
Proof.
  assert (X : forall p, In c (all_codes p (colours G)) -> length c = p /\ forall x, In x c -> x < colours G).
  { intros p. revert c; induction p as [|p IH]; intros c H; cbn in H.
    - destruct H as [<-|[]]. split; [reflexivity|intros x []].
    - apply in_flat_map in H as [x [Hx H]]. apply in_map_iff in H as [c' [<- H]]. apply IH in H as [L H].
      apply in_seq in Hx. split; [cbn; lia|]. intros y [<-|Hy]; [lia|auto]. }
  unfold codes. destruct (rules G); intros H; try (apply X, H). apply filter_In in H as [H _]. apply X, H.
Qed.

Lemma same_is a b : same a b = true <-> a = b.
Proof. unfold same. destruct (list_eq_dec Nat.eq_dec a b); split; congruence. Qed.


Lemma xor_low a b n : Nat.lxor a b mod 2 ^ n = Nat.lxor (a mod 2 ^ n) (b mod 2 ^ n).
Proof.
  apply Nat.bits_inj. intros i. destruct (Nat.lt_ge_cases i n) as [H|H].
  - rewrite Nat.mod_pow2_bits_low, !Nat.lxor_spec, !Nat.mod_pow2_bits_low by exact H. reflexivity.
  - rewrite Nat.mod_pow2_bits_high, !Nat.lxor_spec, !Nat.mod_pow2_bits_high by exact H. reflexivity.
Qed.

Lemma power_positive n : 0 < 2 ^ n.
Proof. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.

Lemma xor_below a b n : a < 2 ^ n -> b < 2 ^ n -> Nat.lxor a b < 2 ^ n.
Proof.
  intros Ha Hb. rewrite <- (Nat.mod_small a (2 ^ n)), <- (Nat.mod_small b (2 ^ n)), <- xor_low by assumption.
  apply Nat.mod_upper_bound. pose proof (power_positive n). lia.
Qed.

Lemma worth_below bits c : (forall x, In x c -> x < 2 ^ bits) -> worth (2 ^ bits) c < 2 ^ (bits * length c).
Proof.
  induction c as [|x c IH]; intros H; cbn [worth fold_right length]; [rewrite Nat.mul_0_r; cbn; lia|].
  fold (worth (2 ^ bits) c). pose proof (H x (or_introl eq_refl)). specialize (IH (fun y Hy => H y (or_intror Hy))).
  rewrite Nat.mul_succ_r, Nat.add_comm, Nat.pow_add_r. nia.
Qed.

Lemma zeros_are bits : forall a c, length a = length c ->
  (forall x, In x a -> x < 2 ^ bits) -> (forall x, In x c -> x < 2 ^ bits) ->
  zeros bits (length a) (Nat.lxor (worth (2 ^ bits) a) (worth (2 ^ bits) c)) = black a c.
Proof.
  induction a as [|x a IH]; intros [|y c] L Ha Hc; cbn in L; try discriminate; [reflexivity|].
  cbn [length zeros]. unfold black. cbn [combine filter fst snd].
  pose proof (Ha x (or_introl eq_refl)) as Hx. pose proof (Hc y (or_introl eq_refl)) as Hy.
  assert (D : forall z l, z < 2 ^ bits -> worth (2 ^ bits) (z :: l) mod 2 ^ bits = z /\
    Nat.shiftr (worth (2 ^ bits) (z :: l)) bits = worth (2 ^ bits) l).
  { intros z l Hz. cbn [worth fold_right]. fold (worth (2 ^ bits) l). rewrite Nat.shiftr_div_pow2, (Nat.mul_comm (2 ^ bits)).
    rewrite Nat.mod_add, Nat.mod_small, Nat.div_add, Nat.div_small by lia. split; reflexivity. }
  rewrite Nat.land_ones, xor_low, Nat.shiftr_lxor. destruct (D x a Hx) as [-> ->], (D y c Hy) as [-> ->].
  rewrite IH; [|lia|intros z Hz; apply Ha; right; exact Hz|intros z Hz; apply Hc; right; exact Hz].
  unfold black. destruct (Nat.eqb_spec x y) as [->|N].
  - rewrite Nat.lxor_nilpotent. reflexivity.
  - destruct (Nat.eqb_spec (Nat.lxor x y) 0) as [E|_]; [apply Nat.lxor_eq in E; contradiction|reflexivity].
Qed.

Lemma enough_bits G x : x < colours G -> x < 2 ^ bits_of G.
Proof.
  intros H. unfold bits_of. destruct (Nat.leb_spec (colours G) 2) as [K|K]; [cbn; lia|].
  destruct (Nat.log2_spec (colours G - 1)) as [_ L]; lia.
Qed.

Lemma nth_rows (l : list (list nat)) k i j : (forall r, In r l -> length r = k) -> j < k ->
  nth (i * k + j) (concat l) 0 = nth j (nth i l []) 0.
Proof.
  revert i; induction l as [|r l IH]; intros i H Hj; [destruct (i * k + j); destruct i, j; reflexivity|].
  pose proof (H r (or_introl eq_refl)) as L. cbn [concat]. destruct i as [|i]; cbn [nth].
  - rewrite app_nth1 by (cbn; lia). reflexivity.
  - rewrite app_nth2 by (cbn; lia). replace (S i * k + j - length r) with (i * k + j) by (cbn; lia).
    apply IH; [intros q Hq; apply H; right; exact Hq|exact Hj].
Qed.

Lemma common_permuted k a a' c c' : Permutation a a' -> Permutation c c' -> common k a c = common k a' c'.
Proof.
  intros Pa Pc. unfold common. f_equal. apply map_ext. intros x.
  rewrite (proj1 (Permutation_count_occ Nat.eq_dec _ _) Pa x), (proj1 (Permutation_count_occ Nat.eq_dec _ _) Pc x).
  reflexivity.
Qed.

Lemma number_found b w l : number_of_pair b w l < length l -> nth_error l (number_of_pair b w l) = Some (b, w).
Proof.
  induction l as [|[x y] l IH]; cbn [number_of_pair length fst snd]; [lia|].
  destruct (Nat.eqb_spec x b) as [->|N]; cbn [andb]; [destruct (Nat.eqb_spec y w) as [->|N]; [reflexivity|]|];
    intros H; apply IH; lia.
Qed.

Section Answers.

Variable G : game.

Let all := codes G.
Let n := length all.
Let T := tables_of G all.
Let B := board_of_codes G all T.

Hypothesis B_sound : sound B = true.
Hypothesis all_classed : classed G all T = true.

Lemma black_at g s cg cs : nth_error all g = Some cg -> nth_error all s = Some cs ->
  word_at (blacks T) (Nat.lxor (word_at (packed T) g) (word_at (packed T) s)) = black cg cs.
Proof.
  intros Hg Hs. assert (Pk : packed T = map (worth (2 ^ bits_of G)) all) by (unfold T, tables_of; destruct (match rules G with
    BlackPeg => _ | _ => _ end); reflexivity).
  assert (Bk : blacks T = make_words (2 ^ (bits_of G * pegs G)) (zeros (bits_of G) (pegs G))) by (unfold T, tables_of;
    destruct (match rules G with BlackPeg => _ | _ => _ end); reflexivity).
  assert (Q : forall i c, nth_error all i = Some c -> word_at (packed T) i = worth (2 ^ bits_of G) c).
  { intros i c Hi. rewrite Pk. unfold word_at. apply nth_error_nth. apply map_nth_error, Hi. }
  rewrite (Q g cg Hg), (Q s cs Hs), Bk, make_at.
  apply nth_error_In in Hg, Hs. destruct (codes_are_codes G cg Hg) as [Lg Dg], (codes_are_codes G cs Hs) as [Ls Ds].
  assert (Hg' : forall x, In x cg -> x < 2 ^ bits_of G) by (intros x Hx; apply enough_bits, Dg, Hx).
  assert (Hs' : forall x, In x cs -> x < 2 ^ bits_of G) by (intros x Hx; apply enough_bits, Ds, Hx).
  pose proof (worth_below _ cg Hg') as Wg. pose proof (worth_below _ cs Hs') as Ws. rewrite Lg in Wg. rewrite Ls in Ws.
  pose proof (xor_below _ _ _ Wg Ws) as X. apply Nat.ltb_lt in X as ->. rewrite <- Lg. apply zeros_are; congruence || assumption.
Qed.

Lemma common_at g s cg cs : rules G <> BlackPeg -> nth_error all g = Some cg -> nth_error all s = Some cs ->
  word_at (commons T) (word_at (classes T) g * length (leaders T) + word_at (classes T) s) = common (colours G) cg cs.
Proof.
  intros R Hg Hs.
  assert (Cm : commons T = concat (map (fun a => map (common (colours G) a) (leaders T)) (leaders T))).
  { rewrite <- flat_map_concat_map. unfold T, tables_of. destruct (match rules G with BlackPeg => _ | _ => _ end); reflexivity. }
  assert (Q : forall i c, nth_error all i = Some c -> word_at (classes T) i < length (leaders T) /\
    Permutation (nth (word_at (classes T) i) (leaders T) []) c).
  { intros i c Hi. assert (A : same (Sorting.sort (nth (word_at (classes T) i) (leaders T) [])) (Sorting.sort c)
      && (word_at (classes T) i <? length (leaders T)) = true).
    { unfold classed in all_classed. fold T in all_classed. assert (I : In (i, c) (combine (range (length all)) all)).
      { unfold range. assert (Li : i < length all) by (apply nth_error_Some; rewrite Hi; discriminate).
        replace (i, c) with (nth i (combine (seq 0 (length all)) all) (0, [])).
        - apply nth_In. rewrite combine_length, seq_length. lia.
        - rewrite combine_nth by apply seq_length. rewrite seq_nth by exact Li. rewrite (nth_error_nth _ _ _ Hi). reflexivity. }
      destruct (rules G); [|contradiction|]; exact (proj1 (forallb_forall _ _) all_classed (i, c) I). }
    apply andb_prop in A as [A1 A2]. apply same_is in A1. apply Nat.ltb_lt in A2. split; [exact A2|].
    etransitivity; [apply Sorting.Permuted_sort|]. rewrite A1. apply Permutation_sym, Sorting.Permuted_sort. }
  destruct (Q g cg Hg) as [G1 G2], (Q s cs Hs) as [S1 S2]. rewrite Cm. unfold word_at at 1.
  rewrite nth_rows; [|intros r Hr; apply in_map_iff in Hr as [a [<- _]]; apply map_length|exact S1].
  rewrite nth_indep with (d' := map (common (colours G) []) (leaders T)) by (rewrite map_length; exact G1).
  rewrite (map_nth (fun a => map (common (colours G) a) (leaders T))).
  rewrite nth_indep with (d' := common (colours G) (nth (word_at (classes T) g) (leaders T) []) [])
    by (rewrite map_length; exact S1).
  rewrite map_nth. apply common_permuted; assumption.
Qed.

Lemma reply_is g s cg cs : nth_error all g = Some cg -> nth_error all s = Some cs ->
  let a := answer G cg cs in
  reply B g s = number_of_pair (fst a) (snd a) (pairs G) /\ number_of_pair (fst a) (snd a) (pairs G) < length (pairs G).
Proof.
  intros Hg Hs. cbv zeta.
  assert (Lg : g < n) by (apply nth_error_Some; rewrite Hg; discriminate).
  assert (Ls : s < n) by (apply nth_error_Some; rewrite Hs; discriminate).
  pose proof (reply_small B g s B_sound) as R. change (responses B) with (length (pairs G)) in R.
  assert (R62 : length (pairs G) <= 62).
  { pose proof B_sound as H. unfold sound in H. repeat (apply andb_prop in H as [H ?]). apply Nat.leb_le. assumption. }
  assert (E : reply B g s = min (answer_number G T (length (leaders T)) g s) 255).
  { unfold reply. change (secrets B) with n. change (answers B) with (make_grid n n (answer_number G T (length (leaders T)))).
    apply grid_at; assumption. }
  assert (E' : reply B g s = answer_number G T (length (leaders T)) g s) by lia. rewrite E' in *. clear E E'.
  unfold answer_number in *. cbv zeta in *. rewrite (black_at g s cg cs Hg Hs) in *.
  set (w := match rules G with BlackPeg => 0 | _ => _ end) in *.
  assert (W : w = snd (answer G cg cs)).
  { unfold w, answer. cbn [snd]. destruct (rules G) eqn:Ru; [|reflexivity|];
      (rewrite (common_at g s cg cs); [reflexivity|rewrite Ru; discriminate|exact Hg|exact Hs]). }
  rewrite <- W. cbn [answer fst]. clearbody w.
  destruct ((black cg cs <=? pegs G) && (w <=? pegs G)) eqn:Q; [|lia]. apply andb_prop in Q as [Q1 Q2].
  rewrite Nat.leb_le in Q1, Q2.
  assert (Nm : numbers T = make_words (S (pegs G) * S (pegs G)) (fun i => number_of_pair (i / S (pegs G)) (i mod S (pegs G))
    (pairs G))) by (unfold T, tables_of; destruct (match rules G with BlackPeg => _ | _ => _ end); reflexivity).
  rewrite Nm, make_at in *. set (p := S (pegs G)) in *.
  assert (X : black cg cs * p + w < p * p) by nia. apply Nat.ltb_lt in X. rewrite X in *.
  rewrite (Nat.add_comm (_ * p)), Nat.div_add, Nat.mod_add, Nat.div_small, Nat.mod_small in * by lia.
  cbn [Nat.add] in *. auto.
Qed.

Lemma colours_count c : sum (count_occ Nat.eq_dec c) (seq 0 (colours G)) <= length c.
Proof.
  induction c as [|y c IH]; [rewrite (sum_eq _ _ (fun _ => 0)) by reflexivity; rewrite sum_zero; lia|].
  rewrite (sum_eq _ _ (fun x => (if x =? y then 1 else 0) + count_occ Nat.eq_dec c x)).
  - rewrite sum_add, sum_pick. cbn [length]. destruct (y <? colours G); lia.
  - intros x _. cbn [count_occ]. destruct (Nat.eq_dec y x) as [->|N]; [rewrite Nat.eqb_refl; reflexivity|].
    destruct (Nat.eqb_spec x y); [congruence|reflexivity].
Qed.

Lemma black_whole : forall a c, length a = length c -> (black a c = length a <-> a = c).
Proof.
  assert (Le : forall a c, black a c <= length a).
  { unfold black. induction a as [|x a IH]; intros [|y c]; cbn [combine filter length fst snd]; try lia.
    specialize (IH c). destruct (x =? y); cbn [length]; lia. }
  unfold black in *. induction a as [|x a IH]; intros [|y c] L; cbn in L; try discriminate; [tauto|].
  cbn [combine filter length fst snd]. specialize (Le a c). specialize (IH c ltac:(lia)).
  destruct (Nat.eqb_spec x y) as [->|N]; cbn [length]; split; intros E.
  - f_equal. apply IH. lia.
  - injection E as <-. f_equal. apply IH. reflexivity.
  - lia.
  - congruence.
Qed.

(** The first answer ends the game. *)
Lemma reply_wins g s cg cs : nth_error all g = Some cg -> nth_error all s = Some cs ->
  (reply B g s = 0 <-> same cg cs = true).
Proof.
  intros Hg Hs. destruct (reply_is g s cg cs Hg Hs) as [-> L]. rewrite same_is.
  apply nth_error_In in Hg, Hs. destruct (codes_are_codes G cg Hg) as [Lg _], (codes_are_codes G cs Hs) as [Ls _].
  pose proof (black_whole cg cs ltac:(congruence)) as W. rewrite Lg in W. rewrite <- W. clear W. split.
  - intros E. apply number_found in L. rewrite E in L. injection L as L1 _. symmetry. exact L1.
  - intros E. unfold pairs. cbn [number_of_pair answer fst snd]. rewrite E, Nat.eqb_refl. cbn [andb].
    replace (0 =? _) with true; [reflexivity|]. symmetry. apply Nat.eqb_eq.
    assert (C : cg = cs) by (apply (black_whole cg cs); congruence). subst cs. destruct (rules G); try reflexivity;
      (unfold common; rewrite (map_ext _ (count_occ Nat.eq_dec cg)) by (intros; apply Nat.min_id);
       pose proof (colours_count cg) as Q; unfold sum in Q; lia).
Qed.

End Answers.

(** ** Numbers of codes *)

Lemma worth_once k : forall a c, length a = length c -> (forall x, In x a -> x < k) -> (forall x, In x c -> x < k) ->
  worth k a = worth k c -> a = c.
Proof.
  induction a as [|x a IH]; intros [|y c] L Ha Hc E; cbn in L; try discriminate; [reflexivity|].
  cbn [worth fold_right] in E. fold (worth k a) (worth k c) in E.
  pose proof (Ha x (or_introl eq_refl)). pose proof (Hc y (or_introl eq_refl)).
  assert (D : x = y /\ worth k a = worth k c).
  { assert (M : (x + k * worth k a) mod k = (y + k * worth k c) mod k) by congruence.
    rewrite !(Nat.mul_comm k), !Nat.mod_add, !Nat.mod_small in M by lia. split; [exact M|nia]. }
  destruct D as [-> D]. f_equal. apply IH; [lia|intros z Hz; apply Ha; right; exact Hz|intros z Hz; apply Hc; right; exact Hz|exact D].
Qed.
