(** What the checker computes before it looks at claims: bounds, sizes of parts, tables of counting. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import Theory.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Bounds *)

Definition reached (b v : bound) : bool :=  (* [v] is at least [b] *)
  match b, v with _, None => true | None, Some _ => false | Some x, Some y => x <=? y end.

Definition lesser (a b : bound) : bound :=
  match a, b with None, v => v | v, None => v | Some x, Some y => Some (min x y) end.

Definition greater (a b : bound) : bound := match a, b with Some x, Some y => Some (max x y) | _, _ => None end.

Lemma reached_reaches b v n : reached b v = true -> reaches v n -> reaches b n.
Proof. destruct b, v; cbn; try tauto; try discriminate. rewrite Nat.leb_le. lia. Qed.

Lemma lesser_l a b n : reaches a n -> reaches (lesser a b) n.
Proof. destruct a, b; cbn; lia. Qed.

Lemma lesser_r a b n : reaches b n -> reaches (lesser a b) n.
Proof. destruct a, b; cbn; lia. Qed.

Lemma greater_reaches a b n : reaches a n -> reaches b n -> reaches (greater a b) n.
Proof. destruct a, b; cbn; try tauto; lia. Qed.

Lemma plus_assoc a b c : plus a (plus b c) = plus (plus a b) c.
Proof. destruct a, b, c; cbn; try reflexivity. f_equal. lia. Qed.

Lemma plus_zero a : plus a (Some 0) = a.
Proof. destruct a; cbn; [f_equal; lia|reflexivity]. Qed.

Definition plus_all : list bound -> bound := fold_right plus (Some 0).

(** Bounds in a list are bounds by number. *)
Lemma by_number (R : nat -> bound -> Prop) m vs :
  Forall2 R (seq 0 m) vs -> exists bs, vs = map bs (seq 0 m) /\ forall a, a < m -> R a (bs a).
Proof.
  intros V. exists (fun a => nth a vs (Some 0)).
  cut (forall z, Forall2 R (seq z m) vs ->
    vs = map (fun a => nth (a - z) vs (Some 0)) (seq z m) /\ forall a, a < m -> R (z + a) (nth a vs (Some 0))).
  { intros X. destruct (X 0 V) as [X1 X2]. split; [|exact X2]. rewrite X1 at 1. apply map_ext. intros a.
    rewrite Nat.sub_0_r. reflexivity. }
  clear V. revert vs; induction m as [|m IH]; intros vs z V; cbn [seq] in V.
  - inversion V. split; [reflexivity|intros; lia].
  - inversion V as [|? v ? vs' V1 V2]; subst. destruct (IH vs' (S z) V2) as [X1 X2]. split.
    + cbn [seq map]. rewrite Nat.sub_diag. cbn [nth]. f_equal. rewrite X1 at 1. apply map_ext_in. intros a Ha.
      apply in_seq in Ha. replace (a - z) with (S (a - S z)) by lia. reflexivity.
    + intros [|a] Ha; [rewrite Nat.add_0_r; exact V1|]. rewrite Nat.add_succ_r. apply (X2 a). lia.
Qed.

Lemma fold_keeps {A T} (Q : T -> Prop) (step : T -> A -> T) l :
  (forall t a, In a l -> Q t -> Q (step t a)) -> forall t, Q t -> Q (fold_left step l t).
Proof.
  induction l as [|a l IH]; intros H t Z; [exact Z|].
  apply IH; [intros; apply H; [right|]; assumption|]. apply H; [left; reflexivity|exact Z].
Qed.

Lemma filter_false {A} (l : list A) : filter (fun _ => false) l = [].
Proof. induction l; auto. Qed.

(** ** Sizes of parts *)

Lemma map_nth_seq {A} (f : nat -> A) l : map (fun i => f (nth i l 0)) (seq 0 (List.length l)) = map f l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [List.length seq map]. rewrite <- seq_shift, map_map. cbn.
rewrite IH. reflexivity. Qed.

Lemma sum_nth (f : nat -> nat) l m : f 0 = 0 -> sum (fun i => f (nth i l 0)) (seq 0 m) <= sum f l.
Proof.
  intros H. revert m; induction l as [|x l IH]; intros m.
  - rewrite (sum_eq _ _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros [|i] _; exact H.
  - destruct m as [|m]; [cbn; lia|]. rewrite sum_first, sum_cons. cbn. specialize (IH m). lia.
Qed.

Lemma combine_nth_weak {A B} (l : list A) (m : list B) x y n :
  n < List.length l -> n < List.length m -> nth n (combine l m) (x, y) = (nth n l x, nth n m y).
Proof.
  revert m n; induction l as [|a l IH]; intros [|c m] [|n]; cbn; try lia; [reflexivity|]. intros; apply IH; lia.
Qed.

Lemma sum_if {A} (p : A -> bool) l : sum (fun x => if p x then 1 else 0) l = List.length (filter p l).
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite sum_cons, IH. cbn. destruct (p x); reflexivity. Qed.

Fixpoint bump (r : nat) (h : list nat) : list nat :=
  match r, h with
  | 0, [] => [1]
  | 0, c :: h => S c :: h
  | S r, [] => 0 :: bump r []
  | S r, c :: h => c :: bump r h
  end.

Lemma nth_bump r h k : nth k (bump r h) 0 = (if r =? k then 1 else 0) + nth k h 0.
Proof.
  revert h k; induction r as [|r IH]; intros [|c h] [|k]; cbn; try reflexivity.
  - destruct k; reflexivity.
  - rewrite IH. destruct k; reflexivity.
  - apply IH.
Qed.

(** How often each answer is given. *)
Definition counts (row : list nat) : list nat := fold_right bump [] row.

Lemma nth_counts row r : nth r (counts row) 0 = List.length (filter (fun q => q =? r) row).
Proof.
  induction row as [|q row IH]; [destruct r; reflexivity|]. cbn [counts fold_right filter]. rewrite nth_bump.
  fold (counts row).
  rewrite IH. destruct (q =? r); reflexivity.
Qed.

(** The answers of all secrets, guess by guess. *)
Fixpoint heads (columns : list (list nat)) : list nat :=
  match columns with [] => [] | c :: columns => hd 0 c :: heads columns end.

Fixpoint tails (columns : list (list nat)) : list (list nat) :=
  match columns with [] => [] | c :: columns => tl c :: tails columns end.

Lemma heads_is columns : heads columns = map (hd 0) columns.
Proof. induction columns as [|c columns IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Lemma tails_is columns : tails columns = map (@tl nat) columns.
Proof. induction columns as [|c columns IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Fixpoint transpose (n : nat) (columns : list (list nat)) : list (list nat) :=
  match n with
  | 0 => []
  | S n => heads columns :: transpose n (tails columns)
  end.

Lemma length_transpose n columns : List.length (transpose n columns) = n.
Proof. revert columns; induction n as [|n IH]; intros; cbn; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma nth_transpose n columns g : g < n -> nth g (transpose n columns) [] = map (fun c => nth g c 0) columns.
Proof.
  revert columns g; induction n as [|n IH]; intros columns g Hg; [lia|]. destruct g as [|g]; cbn [transpose nth].
  - rewrite heads_is. apply map_ext. intros [|r c]; reflexivity.
  - rewrite IH by lia. rewrite tails_is, map_map. apply map_ext. intros [|r c]; [destruct g|]; reflexivity.
Qed.

(** Which answers are given, as the digits of a number. *)
Definition mask (row : list nat) : nat := fold_left (fun m r => Nat.lor m (Nat.shiftl 1 r)) row 0.

Lemma mask_true row r : Nat.testbit (mask row) r = existsb (fun q => q =? r) row.
Proof.
  unfold mask. cut (forall m, Nat.testbit (fold_left (fun m r => Nat.lor m (Nat.shiftl 1 r)) row m) r
    = Nat.testbit m r || existsb (fun q => q =? r) row); [intros X; rewrite X, Nat.bits_0; reflexivity|].
  induction row as [|q row IH]; intros m; cbn [fold_left existsb]; [rewrite orb_false_r; reflexivity|].
  rewrite IH, Nat.lor_spec, Nat.shiftl_1_l, Nat.pow2_bits_eqb, orb_assoc. reflexivity.
Qed.

(** How many digits of a number are 1: at least. *)
Fixpoint ones (fuel m : nat) : nat :=
  match fuel with
  | 0 => m
  | S fuel => if m =? 0 then 0 else (if Nat.odd m then 1 else 0) + ones fuel (Nat.div2 m)
  end.

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

(** ** Tables of counting *)

(** Bounds by number of secrets, without limit and by limit; and by number of parts, without and with a winning one,
    prices of a place with what they overpay. *)
Record table := {
  unlimited : list bound;
  limited : list (list bound);
  priced : list (list (nat * nat) * list (nat * nat)) }.

Definition costs (T : table) (d : option nat) : list bound :=
  match d with None => unlimited T | Some d => nth d (limited T) (unlimited T) end.

Definition trivial : table := {| unlimited := []; limited := []; priced := [] |}.

Definition at_best (n w : nat) (ps : list (nat * nat)) : nat :=
  fold_left (fun v pd => max v (n + fst pd * (n - w) - snd pd)) ps 0.

(** At least what [n] secrets cost after a guess of [k] parts (L4). *)
Definition even (T : table) (n k : nat) (won : bool) : nat :=
  let ps := nth k (priced T) ([], []) in if won then at_best n 1 (snd ps) else at_best n 0 (fst ps).

(** What is overpaid at the price [p] of a place, with at most [k] parts. *)
Fixpoint overpaid_by (p k : nat) (profile tab : list nat) : nat :=
  match profile, tab with
  | u :: profile, a :: ((b :: _) as rest) => (p + a - b) * min u k + overpaid_by p k profile rest
  | _, _ => 0
  end.

Definition prices : list nat := seq 0 24.

Fixpoint rows_good (n w : nat) (priced : list (nat * nat)) (tab : list nat) : bool :=
  match tab with
  | [] => true
  | a :: tab => existsb (fun pd => a + snd pd <=? n + fst pd * (n - w)) priced && rows_good (S n) w priced tab
  end.

Definition table_good (K : nat) (profile tab : list nat) : bool :=
  match tab with
  | 0 :: rest =>
      forallb (fun w => rows_good 1 w (map (fun p => (p, overpaid_by p (K - w) profile tab)) prices) rest) [0; 1]
  | _ => false
  end.

(** A table that should be good: each number of secrets at the best price, by the places below. *)
Fixpoint fill (steps n before : nat) (priced : list (nat * (nat * nat))) (K : nat) (profile : list nat) : list nat :=
  match steps with
  | 0 => []
  | S steps =>
      let best w of := fold_left (fun v pd => max v (n + fst pd * (n - w) - of (snd pd))) priced 0 in
      let now := min (best 0 fst) (best 1 snd) in
      let u := hd 0 profile in
      let paid pd :=
        let excess := fst pd + before - now in
        (fst pd, (fst (snd pd) + excess * min u K, snd (snd pd) + excess * min u (K - 1))) in
      now :: fill steps (S n) now (map paid priced) K (tl profile)
  end.

Definition filled (n K : nat) (profile : list nat) : list nat :=
  0 :: fill n 1 0 (map (fun p => (p, (0, 0))) prices) K profile.

Fixpoint capped (n most : nat) (tab : list nat) : list bound :=
  match tab with
  | [] => []
  | a :: tab => (if n <=? most then Some a else None) :: capped (S n) most tab
  end.

Fixpoint total_room (n k : nat) (profile : list nat) : nat :=
  match n, profile with
  | S n, u :: profile => min u k + total_room n k profile
  | _, _ => 0
  end.

Fixpoint capacities (steps now K : nat) (profile : list nat) : list nat :=
  now :: match steps with
         | 0 => []
         | S steps => capacities steps (max (total_room now K profile) (1 + total_room now (K - 1) profile)) K profile
         end.

Definition limits : nat := 20.  (* beyond so many guesses, counting asks for no limit *)

Definition table_of (n K : nat) (profile : list nat) : table :=
  let tab := filled n K profile in
  let tab := if table_good K profile tab then tab else [] in
  let paid k := map (fun p => (p, overpaid_by p k profile tab)) prices in
  {| unlimited := map Some tab;
     limited := map (fun most => capped 0 most tab) (capacities limits 0 K profile);
     priced := match tab with [] => [] | _ => map (fun k => (paid k, paid (k - 1))) (seq 0 (S K)) end |}.
