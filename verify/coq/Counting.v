(** What the checker computes before it looks at claims: bounds, sizes of parts, tables of counting. *)

From Coq Require Import List Arith Bool Lia.
From Proof Require Import Theory Vector.
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

Lemma greater_reaches a b n : reaches a n -> reaches b n -> reaches (greater a b) n.
Proof. destruct a, b; cbn; try tauto; lia. Qed.

Lemma plus_assoc a b c : plus a (plus b c) = plus (plus a b) c.
Proof. destruct a, b, c; cbn; try reflexivity. f_equal. lia. Qed.

Lemma plus_zero a : plus a (Some 0) = a.
Proof. destruct a; cbn; [f_equal; lia|reflexivity]. Qed.

Definition plus_all : list bound -> bound := fold_right plus (Some 0).

Lemma sum_within_is room costs h many : forall r n,
  sum_within room costs h many r n = plus (Some n) (plus_all (map (fun i =>
    if word_at h (r + i) <=? room then Some (word_at costs (word_at h (r + i))) else None) (seq 0 many))).
Proof.
  induction many as [|many IH]; intros r n; [cbn; f_equal; lia|]. cbn [sum_within seq map plus_all fold_right].
  rewrite <- seq_shift, map_map, (map_ext _ (fun i =>
    if word_at h (S r + i) <=? room then Some (word_at costs (word_at h (S r + i))) else None))
    by (intros i; rewrite Nat.add_succ_r; reflexivity).
  fold plus_all. fold (plus_all (map (fun i => if word_at h (S r + i) <=? room then Some (word_at costs
    (word_at h (S r + i))) else None) (seq 0 many))).
  rewrite Nat.add_0_r, plus_assoc. destruct (Nat.ltb_spec room (word_at h r)) as [H|H].
  - apply Nat.leb_gt in H as ->. reflexivity.
  - apply Nat.leb_le in H as ->. apply IH.
Qed.

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

Lemma sum_if {A} (p : A -> bool) l : sum (fun x => if p x then 1 else 0) l = List.length (filter p l).
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite sum_cons, IH. cbn. destruct (p x); reflexivity. Qed.

(** ** Tables of counting *)

(** What so many secrets cost at least; the most secrets that are settled within 0, 1, ... guesses; and by number of
    parts, the winning one left out, prices of a place with what they overpay. *)
Record table := {
  least : words;
  most : nat;  (* secrets *)
  rooms : list nat;
  priced : list (delayed (list (nat * nat))) }.

Definition trivial (n : nat) : table :=
  {| least := make_words (S n) (fun _ => 0); most := n; rooms := []; priced := [] |}.

(** The most secrets that are settled. *)
Definition room_of (T : table) (d : option nat) : nat :=
  match d with None => most T | Some d => min (nth d (rooms T) (most T)) (most T) end.

Definition costs (T : table) (d : option nat) (n : nat) : bound :=
  if n <=? room_of T d then Some (word_at (least T) n) else None.

Definition at_best (n w : nat) (ps : list (nat * nat)) : nat :=
  fold_left (fun v pd => max v (n + fst pd * (n - w) - snd pd)) ps 0.

(** At least what [n] secrets cost after a guess of [k] parts, one of which may win (L4). *)
Definition even (T : table) (n k : nat) (won : bool) : nat :=
  let w := Nat.b2n won in at_best n w (value (nth (k - w) (priced T) (Delay []))).

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
  if table_good K profile tab
  then {| least := words_of tab; most := n; rooms := capacities limits 0 K profile;
          priced := map (fun k => Delay (map (fun p => (p, overpaid_by p k profile tab)) prices)) (seq 0 (S K)) |}
  else trivial n.
