(** The checker of claims about sets of pairs, a secret and the lies left, and why what it accepts is true. *)

From Coq Require Import Ascii String List Arith Bool Lia.
From Proof Require Import Theory Store Text Orbits LiesTheory.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Sets *)

Fixpoint same_state (a b : state) : bool :=
  match a, b with
  | [], [] => true
  | (s, l) :: a, (s', l') :: b => (s =? s') && (l =? l') && same_state a b
  | _, _ => false
  end.

Lemma same_state_eq a b : same_state a b = true -> a = b.
Proof.
  revert b; induction a as [|[s l] a IH]; intros [|[s' l'] b]; cbn; try discriminate; [reflexivity|].
  intros H. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2].
  apply Nat.eqb_eq in H1, H2. subst. f_equal. auto.
Qed.

Definition wide : nat := Nat.pow 2 20.

Definition hash (X : state) : nat := fold_left (fun h m => Nat.modulo (31 * h + 8 * fst m + snd m + 1) wide) X 0.

Definition most_lies (X : state) : nat := fold_left (fun k m => max k (snd m)) X 0.

Lemma most_lies_bounds X s l : In (s, l) X -> l <= most_lies X.
Proof.
  unfold most_lies. cut (forall k, k <= fold_left (fun k m => max k (snd m)) X k /\
    (In (s, l) X -> l <= fold_left (fun k m => max k (snd m)) X k)); [intros H; apply H|].
  induction X as [|m X IH]; intros k; cbn; [split; [lia|tauto]|]. destruct (IH (max k (snd m))) as [A B].
  split; [lia|]. intros [->|H]; [cbn in *; lia|auto].
Qed.

(** ** Responses of a guess, in the order of a set *)

(** The first of each kind, but the winning one. *)
Fixpoint kinds (row met : list nat) : list nat :=
  match row with
  | [] => met
  | q :: row => if (q =? 0) || existsb (Nat.eqb q) met then kinds row met else kinds row (met ++ [q])
  end.

Lemma kinds_in row : forall met r, In r (kinds row met) -> In r met \/ r <> 0 /\ In r row.
Proof.
  induction row as [|q row IH]; intros met r H; cbn in H; [auto|].
  destruct (Nat.eqb_spec q 0) as [Z|Z]; cbn [orb] in H.
  - apply IH in H as [H|[N H]]; [auto|right; split; [exact N|right; exact H]].
  - destruct (existsb _ _).
    + apply IH in H as [H|[N H]]; [auto|right; split; [exact N|right; exact H]].
    + apply IH in H as [H|[N H]].
      * apply in_app_or in H as [H|[<-|[]]]; [auto|right; split; [exact Z|left; reflexivity]].
      * right; split; [exact N|right; exact H].
Qed.

Lemma kinds_all row : forall met r, In r met \/ r <> 0 /\ In r row -> In r (kinds row met).
Proof.
  induction row as [|q row IH]; intros met r H; cbn [kinds]; [destruct H as [H|[_ []]]; exact H|].
  destruct ((q =? 0) || existsb (Nat.eqb q) met) eqn:E; apply IH.
  - destruct H as [H|[N [<-|H]]]; [auto| |auto]. left. destruct (Nat.eqb_spec q 0); [contradiction|].
    apply existsb_exists in E as [x [Hx E]]. apply Nat.eqb_eq in E as ->. exact Hx.
  - rewrite in_app_iff. destruct H as [H|[N [<-|H]]]; [auto|left; right; left; reflexivity|auto].
Qed.

Lemma kinds_once row : forall met, NoDup met -> NoDup (kinds row met).
Proof.
  induction row as [|q row IH]; intros met H; cbn [kinds]; [exact H|].
  destruct ((q =? 0) || existsb (Nat.eqb q) met) eqn:E; apply IH; [exact H|].
  apply orb_false_iff in E as [_ E]. apply NoDup_rev in H. rewrite <- (rev_involutive (met ++ [q])), rev_app_distr.
  apply NoDup_rev. cbn [rev app]. constructor; [|exact H]. intros I. apply in_rev in I.
  assert (existsb (Nat.eqb q) met = true) as Q by (apply existsb_exists; exists q; split; [exact I|apply Nat.eqb_refl]).
  congruence.
Qed.

Definition most_kinds (rows : list (list nat)) : nat :=
  fold_left (fun k row => max k (List.length (kinds row []))) rows 1.

Lemma most_kinds_bounds rows : 1 <= most_kinds rows /\
  forall row, In row rows -> List.length (kinds row []) <= most_kinds rows.
Proof.
  unfold most_kinds. enough (H : forall k, k <= fold_left (fun k row => max k (List.length (kinds row []))) rows k /\
    forall row, In row rows -> List.length (kinds row []) <= fold_left (fun k row => max k (List.length (kinds row []))) rows k)
    by exact (H 1).
  induction rows as [|x rows IH]; intros k; cbn [fold_left]; [split; [lia|intros row []]|].
  destruct (IH (max k (List.length (kinds x [])))) as [A B]. split; [lia|]. intros row [<-|H]; [lia|auto].
Qed.

Fixpoint after_row (X : state) (row : list nat) (r : nat) : state :=
  match X, row with
  | m :: X, q :: row =>
      if q =? 0 then after_row X row r
      else if q =? r then m :: after_row X row r
      else match snd m with 0 => after_row X row r | S l => (fst m, l) :: after_row X row r end
  | _, _ => []
  end.

(** The volume of what is left; [weights]: of each pair U(d, l) and U(d, l - 1). *)
Fixpoint volume_row (r : nat) (row : list nat) (weights : list (nat * nat)) (v : nat) : nat :=
  match row, weights with
  | q :: row, w :: weights =>
      volume_row r row weights (if q =? 0 then v else if q =? r then v + fst w else v + snd w)
  | _, _ => v
  end.

(** The response of the first of a set; [weights] are (0, 0) where none stands. *)
Fixpoint first_in (row : list nat) (weights : list (nat * nat)) : nat :=
  match row, weights with
  | q :: row, w :: weights => if fst w =? 0 then first_in row weights else q
  | _, _ => 0
  end.

Fixpoint all_say (r : nat) (row : list nat) (weights : list (nat * nat)) : bool :=
  match row, weights with
  | q :: row, w :: weights => ((fst w =? 0) || (q =? r)) && all_say r row weights
  | _, _ => true
  end.

(** Whether the guess tells nothing: one response for all, and not the winning one. *)
Definition useless (weights : list (nat * nat)) (row : list nat) : bool :=
  let r := first_in row weights in negb (r =? 0) && all_say r row weights.

Lemma all_say_true r row weights q w : all_say r row weights = true -> In (q, w) (combine row weights) ->
  fst w <> 0 -> q = r.
Proof.
  revert weights; induction row as [|p row IH]; intros [|v weights] A H N; cbn in *; try tauto.
  apply andb_prop in A as [A1 A2]. destruct H as [[= -> ->]|H]; [|exact (IH weights A2 H N)].
  destruct (Nat.eqb_spec (fst w) 0); [contradiction|]. apply Nat.eqb_eq, A1.
Qed.

(** A set within all secrets from [i] on, as its secrets stand in order. *)
Fixpoint stands (X : state) (i n : nat) : bool :=
  match n, X with
  | 0, [] => true
  | 0, _ :: _ => false
  | S _, [] => true
  | S n, m :: X' => if fst m =? i then stands X' (S i) n else stands X (S i) n
  end.

Fixpoint pick (X : state) (i : nat) (row : list nat) : list nat :=
  match X, row with
  | m :: X', q :: row => if fst m =? i then q :: pick X' (S i) row else pick X (S i) row
  | _, _ => []
  end.

Fixpoint spread_out (X : state) (weights : list (nat * nat)) (i n : nat) : list (nat * nat) :=
  match n with
  | 0 => []
  | S n =>
      match X, weights with
      | m :: X', w :: weights' =>
          if fst m =? i then w :: spread_out X' weights' (S i) n else (0, 0) :: spread_out X weights (S i) n
      | _, _ => (0, 0) :: spread_out X weights (S i) n
      end
  end.

Lemma pick_is (f : nat -> nat) n : forall X i, stands X i n = true ->
  pick X i (map f (seq i n)) = map (fun m => f (fst m)) X.
Proof.
  induction n as [|n IH]; intros [|m X] i H; cbn in *; try reflexivity; try discriminate.
  destruct (Nat.eqb_spec (fst m) i) as [E|_]; [cbn; rewrite IH by exact H; rewrite E; reflexivity|exact (IH (m :: X) (S i) H)].
Qed.

Lemma volume_spread_out r (f : nat -> nat) (g : nat * nat -> nat * nat) n : forall X i v, stands X i n = true ->
  volume_row r (map f (seq i n)) (spread_out X (map g X) i n) v = volume_row r (map (fun m => f (fst m)) X) (map g X) v.
Proof.
  assert (Z : forall n i v, volume_row r (map f (seq i n)) (spread_out [] [] i n) v = v).
  { induction n0 as [|n0 IH]; intros i v; cbn [seq map spread_out volume_row]; [reflexivity|]. rewrite IH. cbn.
    destruct (f i =? 0); [reflexivity|]. destruct (f i =? r); lia. }
  induction n as [|n IH]; intros [|m X] i v H; cbn [stands] in H; try discriminate.
  - reflexivity.
  - exact (Z (S n) i v).
  - cbn [seq map spread_out volume_row]. destruct (Nat.eqb_spec (fst m) i) as [E|_].
    + cbn [volume_row]. rewrite IH by exact H. rewrite E. reflexivity.
    + cbn [volume_row fst snd]. rewrite !Nat.add_0_r. change (g m :: map g X) with (map g (m :: X)).
      replace (if f i =? 0 then v else if f i =? r then v else v) with v
        by (destruct (f i =? 0); [|destruct (f i =? r)]; reflexivity).
      rewrite IH by exact H. reflexivity.
Qed.

Lemma in_spread_out (f : nat -> nat) (g : nat * nat -> nat * nat) n : forall X i m, stands X i n = true -> In m X ->
  In (f (fst m), g m) (combine (map f (seq i n)) (spread_out X (map g X) i n)).
Proof.
  induction n as [|n IH]; intros [|x X] i m H I; cbn [stands] in H; try discriminate; try destruct I.
  - cbn [seq map spread_out]. subst x. destruct (Nat.eqb_spec (fst m) i) as [E|_].
    + left. rewrite E. reflexivity.
    + right. change (g m :: map g X) with (map g (m :: X)). apply IH; [exact H|left; reflexivity].
  - cbn [seq map spread_out]. destruct (Nat.eqb_spec (fst x) i) as [E|_].
    + right. apply IH; assumption.
    + right. change (g x :: map g X) with (map g (x :: X)). apply IH; [exact H|right; assumption].
Qed.

(** The rows of all guesses, from the columns of secrets. *)
Fixpoint heads (columns : list (list nat)) : list nat :=
  match columns with [] => [] | c :: columns => hd 0 c :: heads columns end.

Fixpoint tails (columns : list (list nat)) : list (list nat) :=
  match columns with [] => [] | c :: columns => tl c :: tails columns end.

Fixpoint transposed (n : nat) (columns : list (list nat)) : list (list nat) :=
  match n with
  | 0 => []
  | S n => heads columns :: transposed n (tails columns)
  end.

Lemma transposed_is n : forall columns, transposed n columns = map (fun g => map (fun c => nth g c 0) columns) (seq 0 n).
Proof.
  assert (T : forall columns, tails columns = map (@tl nat) columns).
  { induction columns as [|c columns IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. }
  induction n as [|n IH]; intros columns; [reflexivity|]. cbn [transposed seq map]. f_equal.
  - induction columns as [|c columns IH']; [reflexivity|]. cbn [heads map]. rewrite IH'. destruct c; reflexivity.
  - rewrite IH, <- seq_shift, map_map. apply map_ext. intros g. rewrite T, map_map. apply map_ext.
    intros [|x c]; [destruct g|]; reflexivity.
Qed.

(** ** Numbers of volume (F3) *)

(** For each number of guesses U(d, l) and B(d, l), by the lies l. *)
Definition table := list (list nat * list nat).

Fixpoint next_volumes (k before : nat) (us : list nat) : list nat :=
  match us with [] => [] | u :: us => u + k * before :: next_volumes k u us end.

Fixpoint next_rooms (win : bool) (K : nat) (us bs : list nat) : list nat :=
  match us, bs with
  | u :: us, b :: bs => (if win then u else 0) + K * b :: next_rooms win K us bs
  | _, _ => []
  end.

(** The first number of guesses for which numbers are large is the last one; [above]: whether they are. *)
Fixpoint levels_of (win : bool) (K : nat) (above : list nat -> list nat -> bool) (steps d : nat) (us bs : list nat) : table :=
  (us, bs) ::
  match steps with
  | 0 => []
  | S steps =>
      if above us bs then []
      else
        let us' := if win && (d =? 0) then us else next_volumes (K - 1) 0 us in
        levels_of win K above steps (S d) us' (next_rooms win K us' bs)
  end.

Definition biggest : nat := Nat.pow 10 17.

Definition table_of (win : bool) (K secrets lies : nat) : table :=
  let above us bs := (biggest / K / secrets <? last us 0) || (biggest / K <? last bs 0) in
  levels_of win K above 64 0 (repeat 1 (S lies)) (repeat (if win then 0 else 1) (S lies)).

Section Volumes.

Variable win : bool.
Variable K : nat.

Let numbers d l (us bs : list nat) : Prop :=
  us = map (U win K d) (seq 0 l) /\ bs = map (B win K d) (seq 0 l).

Lemma next_volumes_is d l : win && (d =? 0) = false ->
  next_volumes (K - 1) 0 (map (U win K d) (seq 0 l)) = map (U win K (S d)) (seq 0 l).
Proof.
  intros H.
  enough (X : forall z, next_volumes (K - 1) (match z with 0 => 0 | S y => U win K d y end) (map (U win K d) (seq z l))
    = map (U win K (S d)) (seq z l)) by exact (X 0).
  induction l as [|l IH]; intros z; [reflexivity|]. cbn [seq map next_volumes]. rewrite (IH (S z)). f_equal.
  rewrite U_step by exact H. destruct z; reflexivity.
Qed.

Lemma next_rooms_is d l :
  next_rooms win K (map (U win K (S d)) (seq 0 l)) (map (B win K d) (seq 0 l)) = map (B win K (S d)) (seq 0 l).
Proof. generalize 0. induction l as [|l IH]; intros z; [reflexivity|]. cbn [seq map next_rooms]. rewrite IH. reflexivity. Qed.

Lemma levels_are above l : forall steps d us bs, numbers d l us bs ->
  forall i us' bs', nth_error (levels_of win K above steps d us bs) i = Some (us', bs') -> numbers (d + i) l us' bs'.
Proof.
  induction steps as [|steps IH]; intros d us bs N i us' bs' H; cbn [levels_of] in H.
  - destruct i as [|[|i]]; cbn in H; [injection H as <- <-; rewrite Nat.add_0_r; exact N|discriminate|discriminate].
  - destruct i as [|i]; cbn in H; [injection H as <- <-; rewrite Nat.add_0_r; exact N|].
    destruct (above us bs); [destruct i; discriminate|]. rewrite Nat.add_succ_r. apply (IH (S d) _ _) in H; [exact H|].
    destruct N as [-> ->]. destruct (win && (d =? 0)) eqn:E.
    + assert (Q : map (U win K d) (seq 0 l) = map (U win K (S d)) (seq 0 l)).
      { apply map_ext. intros x. cbn [U]. rewrite E. apply andb_prop in E as [_ E]. apply Nat.eqb_eq in E. subst d.
        reflexivity. }
      rewrite Q. split; [reflexivity|apply next_rooms_is].
    + rewrite next_volumes_is by exact E. split; [reflexivity|apply next_rooms_is].
Qed.

Lemma table_of_is secrets lies d us bs : nth_error (table_of win K secrets lies) d = Some (us, bs) ->
  us = map (U win K d) (seq 0 (S lies)) /\ bs = map (B win K d) (seq 0 (S lies)).
Proof.
  unfold table_of. cbv zeta. intros H. apply (levels_are _ (S lies) 64 0) in H; [exact H|].
  assert (R : forall (c : nat) f n z, (forall x, f x = c) -> repeat c n = map f (seq z n))
    by (induction n as [|n IH]; intros z E; cbn; [reflexivity|rewrite E, <- IH; auto]).
  split; apply R; reflexivity.
Qed.

Lemma next_small big N l d : 1 <= K -> 1 <= N -> U win K d l <= big / K / N -> U win K (S d) l * N <= big.
Proof.
  intros HK HN H. assert (G : U win K (S d) l <= K * U win K d l).
  { destruct (win && (d =? 0)) eqn:F.
    - cbn [U]. rewrite F. pose proof (proj2 (U_rises win K d l)). nia.
    - rewrite U_step by exact F. pose proof (proj1 (U_rises win K d l)). nia. }
  pose proof (Nat.mul_div_le big K ltac:(lia)) as M1. pose proof (Nat.mul_div_le (big / K) N ltac:(lia)) as M2.
  pose proof (Nat.mul_le_mono_l _ _ N H) as H1. pose proof (Nat.mul_le_mono_r _ _ N G) as G1.
  assert (H2 : N * U win K d l <= big / K) by lia. apply (Nat.mul_le_mono_l _ _ K) in H2.
  replace (K * U win K d l * N) with (K * (N * U win K d l)) in G1 by lia. lia.
Qed.

(** Numbers stay small: the volume of a set is at most that of all secrets. *)
Lemma levels_small big N l above : 1 <= K -> 1 <= N ->
  (forall us bs, above us bs = (big / K / N <? last us 0) || (big / K <? last bs 0)) ->
  forall steps d us bs, numbers d (S l) us bs -> U win K d l * N <= big -> B win K d l <= 2 * big ->
  forall i us' bs', nth_error (levels_of win K above steps d us bs) i = Some (us', bs') ->
  U win K (d + i) l * N <= big /\ B win K (d + i) l <= 2 * big.
Proof.
  intros HK HN A.
  assert (L : forall (f : nat -> nat), last (map f (seq 0 (S l))) 0 = f l)
    by (intros f; rewrite seq_S, map_app; apply last_last).
  induction steps as [|steps IH]; intros d us bs Nu Hu Hb i us' bs' H; cbn [levels_of] in H.
  - destruct i as [|[|i]]; cbn in H; try discriminate. rewrite Nat.add_0_r. auto.
  - destruct i as [|i]; cbn in H; [rewrite Nat.add_0_r; auto|].
    destruct (above us bs) eqn:E; [destruct i; discriminate|]. rewrite A in E. destruct Nu as [-> ->].
    rewrite !L in E. apply orb_false_iff in E as [E1 E2]. apply Nat.ltb_ge in E1, E2.
    rewrite Nat.add_succ_r. apply (IH (S d) _ _) in H; [exact H| | |].
    + destruct (win && (d =? 0)) eqn:F.
      * assert (Q : map (U win K d) (seq 0 (S l)) = map (U win K (S d)) (seq 0 (S l))).
        { apply map_ext. intros x. cbn [U]. rewrite F. apply andb_prop in F as [_ F]. apply Nat.eqb_eq in F. subst d.
          reflexivity. }
        rewrite Q. split; [reflexivity|apply next_rooms_is].
      * rewrite next_volumes_is by exact F. split; [reflexivity|apply next_rooms_is].
    + exact (next_small big N l d HK HN E1).
    + pose proof (next_small big N l d HK HN E1) as G. pose proof (Nat.mul_div_le big K ltac:(lia)) as M.
      pose proof (Nat.mul_le_mono_l _ _ K E2) as M2. assert (U win K (S d) l <= big) by nia. cbn [B].
      destruct win; lia.
Qed.

Lemma table_small secrets lies d us bs : 1 <= K -> 1 <= secrets <= biggest ->
  nth_error (table_of win K secrets lies) d = Some (us, bs) ->
  U win K d lies * secrets <= biggest /\ B win K d lies <= 2 * biggest.
Proof.
  intros HK [S1 S2]. unfold table_of. cbv zeta. generalize biggest, S2. clear S2. intros big S2 H.
  refine (levels_small big secrets lies _ HK S1 (fun _ _ => eq_refl) 64 0 _ _ _ _ _ d us bs H); [|cbn; lia|].
  - assert (R : forall (c : nat) f n z, (forall x, f x = c) -> repeat c n = map f (seq z n))
      by (induction n as [|n IH]; intros z E; cbn; [reflexivity|rewrite E, <- IH; auto]).
    split; apply R; reflexivity.
  - cbn. destruct win; lia.
Qed.

End Volumes.

Section Checker.

Variable win : bool.
Variables guesses secrets lies : nat.
Variable col : nat -> list nat.  (* of each secret its responses to all guesses, 0 where the guess wins *)
Variable numbers : table.
Variable all_rows : list (list nat).  (* of each guess the responses of all secrets *)

Definition resp (g s : nat) : nat := nth g (col s) 0.

Definition rows (X : state) : list (list nat) := transposed guesses (map (fun m => col (fst m)) X).

Definition row (X : state) (g : nat) : list nat := map (fun m => resp g (fst m)) X.

(** [None]: numbers are too large. *)
Definition volumes (d : nat) : option (list nat * list nat) := nth_error numbers d.

Definition volume_of (us : list nat) (X : state) : nat := fold_left (fun v m => v + nth (snd m) us 0) X 0.

Definition exceeds (d : nat) (X : state) : bool :=
  match volumes d with
  | Some (us, bs) => nth (most_lies X) bs 0 <? volume_of us X
  | None => false
  end.

(** F4: what was proved, with the number of guesses. *)
Definition memory := store (state * nat).

Definition known (mem : memory) (d : nat) (X : state) : bool :=
  existsb (fun f => (d <=? snd f) && same_state (fst f) X) (find (hash X) mem).

Definition remember (X : state) (d : nat) (mem : memory) : memory := insert (hash X) (X, d) mem.

Definition is_open (X : state) : bool :=
  match X with [] => false | [_] => win | _ => true end.

Definition weights_of (us : list nat) (X : state) : list (nat * nat) :=
  let ws := combine us (0 :: us) in map (fun m => nth (snd m) ws (0, 0)) X.

(** A large set is seen within all secrets, for which the rows are there. *)
Definition large (X : state) : bool := (secrets <? 4 * List.length X) && stands X 0 secrets.

(** What is seen of a set: whether it is large, how much may be left of it, its weights. *)
Record sight := { within_all : bool; room : nat; weights : list (nat * nat) }.

Definition sight_of (d : nat) (X : state) : option sight :=
  match volumes d with
  | Some (us, bs) =>
      let ws := weights_of us X in
      let l := large X in
      Some {| within_all := l; room := nth (most_lies X) bs 0; weights := if l then spread_out X ws 0 secrets else ws |}
  | None => None
  end.

Definition rows_seen (v : sight) (X : state) : list (list nat) := if within_all v then all_rows else rows X.

(** A response that leaves too large a volume; those that did so before, [hints], are tried first. *)
Definition too_much (v : sight) (hints row : list nat) : option nat :=
  let much r := (room v <? volume_row r row (weights v) 0) && existsb (Nat.eqb r) row && negb (r =? 0) in
  match List.find much hints with
  | Some r => Some r
  | None => List.find much (kinds row [])
  end.

Fixpoint all_too_much (v : sight) (hints : list nat) (rows : list (list nat)) : bool :=
  match rows with
  | [] => true
  | row :: rows =>
      match too_much v hints row with
      | Some r => all_too_much v (r :: filter (fun q => negb (q =? r)) hints) rows
      | None => useless (weights v) row && all_too_much v hints rows
      end
  end.

(** F5. *)
Definition ahead (d : nat) (X : state) : bool :=
  is_open X &&
  (exceeds d X ||
   match d with
   | 0 => false
   | S e => match sight_of e X with Some v => all_too_much v [] (rows_seen v X) | None => false end
   end).

(** Whether a guess with this row leaves what [d] guesses more do not settle. *)
Definition leaves_refuted (mem : memory) (d : nat) (X : state) (v : sight) (row : list nat) : bool :=
  match too_much v [] row with
  | Some _ => true
  | None =>
      let row := if within_all v then pick X 0 row else row in
      let parts := map (after_row X row) (kinds row []) in
      existsb (fun part => exceeds d part || known mem d part) parts || existsb (ahead d) parts
  end.

(** ** Orbits (F2) *)

(** The guesses from [g] on, with their rows: which pass of those that are equal to a guess, and what that makes pass. *)
Fixpoint some_pass (ask : list nat -> bool) (many : nat) (to : arrows) (equal : store nat) (g : nat)
    (rows : list (list nat)) (passed : store nat) : store nat :=
  match rows with
  | [] => passed
  | row :: rows =>
      some_pass ask many to equal (S g) rows
        (if passed_in g equal && negb (passed_in g passed) && ask row then pass_with many to g passed else passed)
  end.

(** All guesses pass, each by itself or by its orbit; those with rows. *)
Fixpoint all_pass (skip ask : list nat -> bool) (many : nat) (to : arrows) (g : nat) (rows : list (list nat))
    (passed : store nat) : bool :=
  match rows with
  | [] => true
  | row :: rows =>
      if passed_in g passed then all_pass skip ask many to (S g) rows passed
      else if skip row || ask row then all_pass skip ask many to (S g) rows (pass_with many to g passed)
      else
        let passed := some_pass ask many to (pass_with many to g Nil) (S g) rows passed in
        if passed_in g passed then all_pass skip ask many to (S g) rows passed else false
  end.

(** Whether [d] guesses are shown not to settle the set; [only]: the first guess that is prescribed; [many]: how many
    arrows there are at most. *)
Definition judge (mem : memory) (X : state) (d : nat) (only : option nat) (many : nat) (to : arrows) (named : list nat)
    : bool :=
  is_open X &&
  (exceeds d X || known mem d X ||
   match d with
   | 0 => false
   | S e =>
       match sight_of e X with
       | Some v =>
           let rs := rows_seen v X in
           let ask := leaves_refuted mem e X v in
           match only with
           | Some g => (g <? guesses) && ask (nth g rs [])
           | None =>
               let first := fold_left (fun p g =>
                 if (g <? guesses) && negb (passed_in g p) && ask (nth g rs []) then pass_with many to g p else p)
                 (rev' named) Nil in
               all_pass (useless (weights v)) ask many to 0 rs first
           end
       | None => false
       end
   end).

(** ** Reading a proof *)

Variable guess_in secret_in : text -> option nat.  (* the number of a guess, of a secret *)

(** The guesses that the renaming in the next words makes equal, and the words behind it. *)
Variable renaming : state -> list text -> option (list (nat * nat) * list text).

(** Items up to the end of the body of a claim; the rest of the words, or how many are left where it is refused. *)
Fixpoint items (fuel nesting : nat) (words : list text) (X : state) (d : nat) (only : option nat) (many : nat)
    (to : arrows) (named : list nat) (mem : memory) : (list text * memory) + nat :=
  let refused (_ : unit) := inr (List.length words) in
  let keep := match only with None => remember X d | Some _ => fun mem => mem end in
  match fuel, words with
  | S fuel, w :: words =>
      if spells ")" w then if judge mem X d only many to named then inl (words, keep mem) else refused tt
      else if spells "=" w then
        match renaming X words with
        | Some (l, words) => items fuel nesting words X d only (List.length l + many) (add_arrows l to) named mem
        | None => refused tt
        end
      else
        match words, d, nesting with
        | x :: o :: words, S e, S nesting' =>
            match guess_in w, secret_in x with
            | Some g, Some x =>
                let r := resp g x in
                let X' := after_row X (row X g) r in
                if (g <? guesses) && negb (r =? 0) && existsb (fun m => fst m =? x) X then
                  if spells "." o then
                    if judge mem X' e None 0 Nil []
                    then items fuel nesting words X d only many to (g :: named) (remember X' e mem)
                    else refused tt
                  else if spells "(" o then
                    match items fuel nesting' words X' e None 0 Nil [] mem with
                    | inl (words, mem) => items fuel nesting words X d only many to (g :: named) mem
                    | inr more => inr more
                    end
                  else refused tt
                else refused tt
            | _, _ => refused tt
            end
        | _, _, _ => refused tt
        end
  | _, _ => refused tt
  end.

Definition whole : state := map (fun s => (s, lies)) (seq 0 secrets).

(** The words of a whole proof: nothing, or how many words are left where it is refused. *)
Definition refusal (words : list text) (d : nat) (first : option nat) : option nat :=
  match words with
  | o :: words =>
      if spells "." o then
        if judge Nil whole d first 0 Nil [] then match words with [] => None | _ => Some (List.length words) end
        else Some (List.length words)
      else if spells "(" o then
        match items (List.length words) (Nat.pow 10 3) words whole d first 0 Nil [] Nil with
        | inl ([], _) => None
        | inl (words, _) => Some (List.length words)
        | inr more => Some more
        end
      else Some (List.length words)
  | [] => Some 0
  end.

(** ** Why it is true *)

Variable K : nat.

Hypothesis numbers_true : forall d us bs, volumes d = Some (us, bs) ->
  us = map (U win K d) (seq 0 (S lies)) /\ bs = map (B win K d) (seq 0 (S lies)).

Hypothesis all_rows_true : all_rows = map (fun g => map (resp g) (seq 0 secrets)) (seq 0 guesses).

Hypothesis K_positive : 1 <= K.
Hypothesis K_most : forall g, g < guesses ->
  exists rs, length rs <= K /\ NoDup rs /\ (forall r, In r rs <-> legal secrets resp g r).
Hypothesis once : forall g s s',
  g < guesses -> s < secrets -> s' < secrets -> resp g s = 0 -> resp g s' = 0 -> s = s'.
Hypothesis never : win = false -> forall g s, g < guesses -> s < secrets -> resp g s <> 0.

(** Sets that there are: with no more lies than at first. *)
Definition good (X : state) : Prop := proper secrets X /\ forall s l, In (s, l) X -> l <= lies.

Definition lost (d : nat) (X : state) : Prop := refuted win guesses secrets resp d X.
Definition lost_asking (d : nat) (X : state) (g : nat) : Prop := refuted_asking win guesses secrets resp d X g.

Definition fact_true (f : state * nat) : Prop := lost (snd f) (fst f).

Lemma good_after X g r : good X -> good (after resp X g r).
Proof. intros [P L]. split; [apply proper_after, P|apply lies_after, L]. Qed.

Lemma after_row_is X g r : after_row X (row X g) r = after resp X g r.
Proof.
  induction X as [|[s l] X IH]; [reflexivity|].
  change (after resp ((s, l) :: X) g r) with (left_of resp g r (s, l) ++ after resp X g r).
  unfold left_of. cbn [row map after_row fst snd]. fold (row X g). rewrite IH.
  destruct (resp g s =? 0); [reflexivity|]. destruct (resp g s =? r); [reflexivity|]. destruct l; reflexivity.
Qed.

Lemma rows_are X : rows X = map (row X) (seq 0 guesses).
Proof.
  unfold rows. rewrite transposed_is. apply map_ext. intros g. rewrite map_map. reflexivity.
Qed.

Lemma nth_numbers (f : nat -> nat) n l : l < n -> nth l (map f (seq 0 n)) 0 = f l.
Proof.
  intros H. rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; exact H).
  rewrite map_nth, seq_nth by exact H. reflexivity.
Qed.

Lemma volume_of_is d X : (forall s l, In (s, l) X -> l <= lies) ->
  volume_of (map (U win K d) (seq 0 (S lies))) X = volume win K d X.
Proof.
  intros H. unfold volume_of, volume.
  enough (E : forall v, fold_left (fun v m => v + nth (snd m) (map (U win K d) (seq 0 (S lies))) 0) X v
    = v + sum (fun m => U win K d (snd m)) X) by exact (E 0).
  induction X as [|[s l] X IH]; intros v; [cbn; lia|]. cbn [fold_left]. rewrite IH, sum_cons.
  - cbn [snd]. rewrite nth_numbers; [lia|]. pose proof (H s l (or_introl eq_refl)). lia.
  - intros s' l' H'. apply (H s' l'). right; exact H'.
Qed.

Lemma most_lies_small X : (forall s l, In (s, l) X -> l <= lies) -> most_lies X <= lies.
Proof.
  intros H. unfold most_lies. enough (E : forall k, k <= lies -> fold_left (fun k m => max k (snd m)) X k <= lies)
    by (apply E; lia).
  induction X as [|[s l] X IH]; intros k Hk; [exact Hk|]. cbn [fold_left snd]. apply IH.
  - intros s' l' H'. apply (H s' l'). right; exact H'.
  - pose proof (H s l (or_introl eq_refl)). lia.
Qed.

Lemma room_is d X bs : (forall s l, In (s, l) X -> l <= lies) -> bs = map (B win K d) (seq 0 (S lies)) ->
  nth (most_lies X) bs 0 = B win K d (most_lies X).
Proof. intros H ->. apply nth_numbers. pose proof (most_lies_small X H). lia. Qed.

Lemma exceeds_true d X : good X -> exceeds d X = true -> lost d X.
Proof.
  intros [P L] E. unfold exceeds in E. destruct (volumes d) as [[us bs]|] eqn:V; [|discriminate].
  destruct (numbers_true d us bs V) as [-> E2]. rewrite (room_is d X bs L E2) in E. apply Nat.ltb_lt in E.
  rewrite volume_of_is in E by exact L.
  apply (refuted_by_volume win guesses secrets resp K K_positive K_most once never d X P).
  exists (most_lies X). split; [intros s l; apply most_lies_bounds|exact E].
Qed.

Lemma nth_weights d l : l <= lies ->
  nth l (combine (map (U win K d) (seq 0 (S lies))) (0 :: map (U win K d) (seq 0 (S lies)))) (0, 0)
  = (U win K d l, under win K d l).
Proof.
  intros H. assert (G : forall A B (a : list A) (b : list B) x y n, n < length a -> n < length b ->
    nth n (combine a b) (x, y) = (nth n a x, nth n b y)).
  { induction a as [|p a IH]; intros [|q b] x y [|n]; cbn; try lia; [reflexivity|]. intros; apply IH; lia. }
  rewrite G; cbn [length]; rewrite ?map_length, ?seq_length; try lia. f_equal; [apply nth_numbers; lia|].
  destruct l as [|l]; [reflexivity|]. cbn [nth under]. apply nth_numbers. lia.
Qed.

Lemma volume_row_is d X g r : (forall s l, In (s, l) X -> l <= lies) ->
  volume_row r (row X g) (weights_of (map (U win K d) (seq 0 (S lies))) X) 0 = volume win K d (after resp X g r).
Proof.
  intros H. unfold weights_of. cbv zeta.
  set (f := fun m : nat * nat => nth (snd m) (combine (map (U win K d) (seq 0 (S lies)))
    (0 :: map (U win K d) (seq 0 (S lies)))) (0, 0)).
  enough (E : forall v, volume_row r (row X g) (map f X) v = v + volume win K d (after resp X g r)) by exact (E 0).
  induction X as [|[s l] X IH]; intros v; [cbn; lia|].
  change (after resp ((s, l) :: X) g r) with (left_of resp g r (s, l) ++ after resp X g r).
  cbn [row map volume_row]. fold (row X g). rewrite IH by (intros s' l' H'; apply (H s' l'); right; exact H').
  unfold f at 1 2. cbn [snd]. rewrite nth_weights by (apply (H s l); left; reflexivity). cbn [fst snd].
  unfold volume. rewrite sum_app. unfold left_of. cbn [fst snd].
  destruct (resp g s =? 0); [cbn; lia|]. destruct (resp g s =? r); [cbn; lia|]. destruct l; cbn; lia.
Qed.

Lemma U_positive d l : U win K d l <> 0.
Proof. pose proof (proj2 (U_rises win K d l)). lia. Qed.

(** The row of a guess, as it is seen. *)
Definition seen (v : sight) (X : state) (g : nat) : list nat :=
  if within_all v then map (resp g) (seq 0 secrets) else row X g.

Lemma rows_seen_are v X : rows_seen v X = map (seen v X) (seq 0 guesses).
Proof. unfold rows_seen, seen. destruct (within_all v); [exact all_rows_true|apply rows_are]. Qed.

Lemma nth_rows_seen v X g : g < guesses -> nth g (rows_seen v X) [] = seen v X g.
Proof.
  intros H. rewrite rows_seen_are. rewrite nth_indep with (d' := seen v X 0) by (rewrite map_length, seq_length; exact H).
  rewrite map_nth, seq_nth by exact H. reflexivity.
Qed.

Lemma sight_true d X v : good X -> sight_of d X = Some v ->
  room v = B win K d (most_lies X) /\
  (within_all v = true -> stands X 0 secrets = true) /\
  (forall g r, volume_row r (seen v X g) (weights v) 0 = volume win K d (after resp X g r)) /\
  (forall g s l, In (s, l) X -> exists w, fst w <> 0 /\ In (resp g s, w) (combine (seen v X g) (weights v))).
Proof.
  intros [P L] E. unfold sight_of in E. destruct (volumes d) as [[us bs]|] eqn:V; [|discriminate]. cbv zeta in E.
  destruct (numbers_true d us bs V) as [-> E2]. injection E as <-. cbn [within_all room weights]. unfold seen.
  cbn [within_all]. split; [exact (room_is d X bs L E2)|]. destruct (large X) eqn:Q.
  - unfold large in Q. apply andb_prop in Q as [_ Q]. split; [auto|]. split.
    + intros g r. unfold weights_of. cbv zeta. rewrite volume_spread_out by exact Q. apply volume_row_is, L.
    + intros g s l H. exists (U win K d l, under win K d l). split; [apply U_positive|].
      rewrite <- nth_weights by exact (L s l H). unfold weights_of. cbv zeta.
      exact (in_spread_out (resp g) (fun m => nth (snd m) (combine (map (U win K d) (seq 0 (S lies)))
        (0 :: map (U win K d) (seq 0 (S lies)))) (0, 0)) secrets X 0 (s, l) Q H).
  - split; [discriminate|]. split.
    + intros g r. apply volume_row_is, L.
    + intros g s l H. exists (U win K d l, under win K d l). split; [apply U_positive|].
      rewrite <- nth_weights by exact (L s l H). unfold weights_of, row. cbv zeta. clear - H.
      induction X as [|m X IH]; [destruct H|]. destruct H as [->|H]; [left; reflexivity|right; exact (IH H)].
Qed.

Lemma in_seen X v g r : good X -> In r (seen v X g) -> r <> 0 -> legal secrets resp g r.
Proof.
  intros [[P _] _] H N. split; [exact N|]. unfold seen in H. destruct (within_all v).
  - apply in_map_iff in H as [s [E H]]. apply in_seq in H. exists s. split; [lia|exact E].
  - apply in_map_iff in H as [[s l] [E H]]. exists s. split; [exact (P s l H)|exact E].
Qed.

Lemma too_much_true d X v hints g r : good X -> sight_of d X = Some v -> too_much v hints (seen v X g) = Some r ->
  lost_asking (S d) X g.
Proof.
  intros G V E. destruct (sight_true d X v G V) as [R [_ [S _]]].
  assert (Q : room v < volume_row r (seen v X g) (weights v) 0 /\ In r (seen v X g) /\ r <> 0).
  { unfold too_much in E. cbv zeta in E. set (much := fun r => _) in E.
    assert (M : much r = true).
    { destruct (List.find much hints) eqn:F; [injection E as ->; exact (proj2 (find_some _ _ F))|].
      exact (proj2 (find_some _ _ E)). }
    unfold much in M. apply andb_prop in M as [M M3]. apply andb_prop in M as [M1 M2]. apply Nat.ltb_lt in M1.
    split; [exact M1|]. apply existsb_exists in M2 as [q [M2 E2]]. apply Nat.eqb_eq in E2. subst q.
    split; [exact M2|]. intros ->. discriminate. }
  destruct Q as [Q1 [Q2 Q3]]. rewrite S, R in Q1.
  apply (refuted_by_response win guesses secrets resp g d X r (in_seen X v g r G Q2 Q3)).
  apply (refuted_by_volume win guesses secrets resp K K_positive K_most once never); [apply proper_after, G|].
  exists (most_lies X). split; [|exact Q1]. apply lies_after. intros s l. apply most_lies_bounds.
Qed.

Lemma kinds_legal X g r : good X -> In r (kinds (row X g) []) -> legal secrets resp g r.
Proof.
  intros [[P _] _] H. apply kinds_in in H as [[]|[N H]]. split; [exact N|].
  apply in_map_iff in H as [[s l] [E H]]. exists s. split; [exact (P s l H)|exact E].
Qed.

Lemma known_true mem d X : all fact_true mem -> known mem d X = true -> lost d X.
Proof.
  intros M E. apply existsb_exists in E as [[Y k] [I E]]. apply (all_find _ _ _ _ _ M) in I. cbn [fst snd] in E.
  apply andb_prop in E as [E1 E2]. apply Nat.leb_le in E1. apply same_state_eq in E2. subst Y.
  exact (refuted_fewer win guesses secrets resp k d X E1 I).
Qed.

Lemma remember_true mem X d : all fact_true mem -> lost d X -> all fact_true (remember X d mem).
Proof. intros M H. apply all_insert; assumption. Qed.

Lemma is_open_true X : good X -> is_open X = true -> open win X.
Proof.
  intros [[_ N] _] E. unfold open. destruct X as [|[s l] [|[s' l'] X]]; cbn in E.
  - discriminate.
  - rewrite E. discriminate.
  - destruct win; [discriminate|]. exists s, l, s', l'. split; [left; reflexivity|]. split; [right; left; reflexivity|].
    cbn in N. inversion N as [|? ? N1 _]; subst. intros ->. apply N1. left; reflexivity.
Qed.

Lemma first_in_row row weights : first_in row weights <> 0 -> In (first_in row weights) row.
Proof.
  revert weights; induction row as [|q row IH]; intros [|w weights] H; cbn in *; try contradiction.
  destruct (fst w =? 0); [right; apply IH; exact H|left; reflexivity].
Qed.

Lemma useless_true d X v g : good X -> sight_of d X = Some v -> useless (weights v) (seen v X g) = true ->
  alike secrets resp X g.
Proof.
  intros G V E. destruct (sight_true d X v G V) as [_ [_ [_ S]]]. unfold useless in E. cbv zeta in E.
  apply andb_prop in E as [E1 E2]. exists (first_in (seen v X g) (weights v)).
  assert (N : first_in (seen v X g) (weights v) <> 0) by (intros Q; rewrite Q in E1; discriminate).
  split; [exact (in_seen X v g _ G (first_in_row _ _ N) N)|]. intros s l H. destruct (S g s l H) as [w [W I]].
  exact (all_say_true _ _ _ _ _ E2 I W).
Qed.

Lemma all_too_much_true d X v : good X -> sight_of d X = Some v -> forall n g hints,
  all_too_much v hints (map (seen v X) (seq g n)) = true ->
  forall h, g <= h < g + n -> alike secrets resp X h \/ lost_asking (S d) X h.
Proof.
  intros G V. induction n as [|n IH]; intros g hints E h Hh; [lia|]. cbn [seq map all_too_much] in E.
  destruct (too_much v hints (seen v X g)) as [r|] eqn:Q.
  - destruct (Nat.eq_dec h g) as [->|]; [right; exact (too_much_true d X v hints g r G V Q)|].
    apply (IH (S g) _ E). lia.
  - apply andb_prop in E as [E1 E2].
    destruct (Nat.eq_dec h g) as [->|]; [left; exact (useless_true d X v g G V E1)|]. apply (IH (S g) _ E2). lia.
Qed.

Lemma ahead_true d X : good X -> ahead d X = true -> lost d X.
Proof.
  intros G E. unfold ahead in E. apply andb_prop in E as [O E]. apply orb_prop in E as [E|E]; [exact (exceeds_true d X G E)|].
  destruct d as [|d]; [discriminate|]. destruct (sight_of d X) as [v|] eqn:V; [|discriminate].
  rewrite rows_seen_are in E.
  apply (refuted_by_asking win guesses secrets resp); [exact (is_open_true X G O)|]. intros g Hg.
  apply (all_too_much_true d X v G V guesses 0 [] E). lia.
Qed.

Lemma leaves_refuted_true mem d X v g : good X -> all fact_true mem -> sight_of d X = Some v ->
  leaves_refuted mem d X v (seen v X g) = true -> lost_asking (S d) X g.
Proof.
  intros G M V E. unfold leaves_refuted in E. cbv zeta in E.
  destruct (too_much v [] (seen v X g)) as [r|] eqn:Q; [exact (too_much_true d X v [] g r G V Q)|]. clear Q.
  assert (R : (if within_all v then pick X 0 (seen v X g) else seen v X g) = row X g).
  { destruct (sight_true d X v G V) as [_ [S _]]. unfold seen. destruct (within_all v); [|reflexivity].
    apply pick_is, S. reflexivity. }
  rewrite R in E. clear R.
  assert (Q : exists part, In part (map (after_row X (row X g)) (kinds (row X g) [])) /\ (good part -> lost d part)).
  { apply orb_prop in E as [E|E]; apply existsb_exists in E as [part [I E]]; exists part; (split; [exact I|]); intros G'.
    - apply orb_prop in E as [E|E]; [exact (exceeds_true d part G' E)|exact (known_true mem d part M E)].
    - exact (ahead_true d part G' E). }
  destruct Q as [part [I L]]. apply in_map_iff in I as [r [<- Hr]]. rewrite after_row_is in L.
  apply (refuted_by_response win guesses secrets resp g d X r (kinds_legal X g r G Hr)), L, good_after, G.
Qed.

Section Passing.

Variable X : state.
Variable d : nat.

Hypothesis X_good : good X.

Definition cleared (g : nat) : Prop := alike secrets resp X g \/ lost_asking d X g.

Lemma some_pass_true ask seen many to equal : all (arrow_true cleared) to ->
  forall n g passed, (forall h : nat, ask (seen h) = true -> cleared h) -> all cleared passed ->
  all cleared (some_pass ask many to equal g (map seen (seq g n)) passed).
Proof.
  intros A. induction n as [|n IH]; intros g passed HA H; [exact H|]. cbn [seq map some_pass]. apply IH; [exact HA|].
  destruct (passed_in g equal && negb (passed_in g passed) && ask (seen g)) eqn:Z; [|exact H].
  apply andb_prop in Z as [_ Z]. apply pass_with_true; auto.
Qed.

Lemma all_pass_true skip ask seen many to : all (arrow_true cleared) to ->
  forall n g passed, (forall h : nat, skip (seen h) || ask (seen h) = true -> cleared h) ->
  all cleared passed -> all_pass skip ask many to g (map seen (seq g n)) passed = true ->
  forall h, g <= h < g + n -> cleared h.
Proof.
  intros A. induction n as [|n IH]; intros g passed HA H E h Hh; [lia|]. cbn [seq map all_pass] in E.
  destruct (passed_in g passed) eqn:Q.
  - destruct (Nat.eq_dec h g) as [->|]; [exact (passed_true cleared g passed H Q)|]. apply (IH (S g) passed); auto. lia.
  - destruct (skip (seen g) || ask (seen g)) eqn:Z.
    + assert (C : cleared g) by (apply HA; exact Z).
      destruct (Nat.eq_dec h g) as [->|]; [exact C|].
      apply (IH (S g) (pass_with many to g passed)); auto; [apply pass_with_true; assumption|lia].
    + assert (S' : all cleared (some_pass ask many to (pass_with many to g Nil) (S g) (map seen (seq (S g) n)) passed)).
      { apply some_pass_true; [exact A| |exact H]. intros i Hi. apply HA. rewrite Hi. apply orb_true_r. }
      destruct (passed_in g _) eqn:Q' in E; [|discriminate].
      destruct (Nat.eq_dec h g) as [->|]; [exact (passed_true cleared g _ S' Q')|].
      apply (IH (S g) _ HA S' E). lia.
Qed.

End Passing.

(** A claim with a first guess is one about strategies that begin with it. *)
Definition claimed (X : state) (d : nat) (only : option nat) : Prop :=
  match only with None => lost d X | Some g => lost_asking d X g end.

Lemma lost_claimed X d only : lost d X -> claimed X d only.
Proof. intros H. destruct only; [intros next; apply H|exact H]. Qed.

Lemma judge_true mem X d only many to named :
  good X -> all fact_true mem -> all (arrow_true (cleared X d)) to ->
  judge mem X d only many to named = true -> claimed X d only.
Proof.
  intros G M A E. unfold judge in E. apply andb_prop in E as [O E].
  apply orb_prop in E as [E|E]; [apply orb_prop in E as [E|E]; apply lost_claimed|].
  - exact (exceeds_true d X G E).
  - exact (known_true mem d X M E).
  - destruct d as [|e]; [discriminate|]. destruct (sight_of e X) as [v|] eqn:V; [|discriminate]. cbv zeta in E.
    destruct only as [g|]; cbn [claimed].
    + apply andb_prop in E as [Hg E]. apply Nat.ltb_lt in Hg. rewrite nth_rows_seen in E by exact Hg.
      exact (leaves_refuted_true mem e X v g G M V E).
    + apply (refuted_by_asking win guesses secrets resp); [exact (is_open_true X G O)|]. intros g Hg.
      assert (HA : forall h, leaves_refuted mem e X v (seen v X h) = true -> cleared X (S e) h)
        by (intros h Hh; right; exact (leaves_refuted_true mem e X v h G M V Hh)).
      rewrite rows_seen_are in E at 1.
      refine (all_pass_true X (S e) _ _ (seen v X) many to A guesses 0 _ _ _ E g _); [| |lia].
      * intros h Hh. apply orb_prop in Hh as [Hh|Hh]; [left; exact (useless_true e X v h G V Hh)|exact (HA h Hh)].
      * apply (fold_keeps (all (cleared X (S e)))); [|exact I]. intros p h _ Hp.
        destruct (Nat.ltb_spec h guesses) as [Hh|_]; [|exact Hp]. destruct (negb (passed_in h p)); [|exact Hp].
        cbn [andb]. rewrite nth_rows_seen by exact Hh.
        destruct (leaves_refuted mem e X v (seen v X h)) eqn:Z; [|exact Hp]. apply pass_with_true; auto.
Qed.

Hypothesis renaming_true : forall X words l rest, good X -> renaming X words = Some (l, rest) ->
  forall d a, In a l -> arrow_true (cleared X d) a.

Lemma keep_true X d only mem : all fact_true mem -> claimed X d only ->
  all fact_true (match only with None => remember X d | Some _ => fun mem => mem end mem).
Proof. intros M C. destruct only; [exact M|apply remember_true; assumption]. Qed.

Lemma items_true fuel : forall nesting words X d only many to named mem rest mem',
  good X -> all fact_true mem -> all (arrow_true (cleared X d)) to ->
  items fuel nesting words X d only many to named mem = inl (rest, mem') -> claimed X d only /\ all fact_true mem'.
Proof.
  induction fuel as [|fuel IH]; intros nesting words X d only many to named mem rest mem' G M A E; [discriminate|].
  destruct words as [|w words]; [discriminate|]. cbn [items] in E. destruct (spells ")" w).
  { destruct (judge mem X d only many to named) eqn:J; [|discriminate]. injection E as <- <-.
    apply judge_true in J; [|assumption..]. split; [exact J|apply keep_true; assumption]. }
  destruct (spells "=" w).
  { destruct (renaming X words) as [[l words']|] eqn:Q; [|discriminate]. apply IH in E; [exact E|assumption..|].
    apply add_arrows_true; [|exact A]. intros a Ha. exact (renaming_true X words l words' G Q d a Ha). }
  destruct words as [|x' [|o words]]; try discriminate. destruct d as [|e]; [discriminate|].
  destruct nesting as [|nesting']; [discriminate|].
  destruct (guess_in w) as [g|]; [|discriminate]. destruct (secret_in x') as [x|]; [|discriminate].
  rewrite after_row_is in E. set (X' := after resp X g (resp g x)) in *.
  assert (G' : good X') by (apply good_after, G).
  destruct (_ && _); [|discriminate].
  destruct (spells "." o).
  { destruct (judge mem X' e None 0 Nil []) eqn:J; [|discriminate].
    apply judge_true in J; [|assumption..|exact I]. apply IH in E; [exact E|exact G|apply remember_true; assumption|exact A]. }
  destruct (spells "(" o); [|discriminate].
  destruct (items fuel nesting' words X' e None 0 Nil [] mem) as [[words' mem'']|] eqn:Q; [|discriminate].
  apply IH in Q as [_ Q]; [|assumption..|exact I]. apply IH in E; assumption.
Qed.

Lemma whole_is_good : good whole.
Proof.
  split; [split|].
  - intros s l H. apply in_map_iff in H as [x [[= <- _] H]]. apply in_seq in H. lia.
  - unfold whole. rewrite map_map, map_id. apply seq_NoDup.
  - intros s l H. apply in_map_iff in H as [x [[= _ <-] _]]. apply le_n.
Qed.

Lemma refusal_true words d first : refusal words d first = None -> claimed whole d first.
Proof.
  intros E. destruct words as [|o words]; [discriminate|]. unfold refusal in E. pose proof whole_is_good as G.
  destruct (spells "." o).
  { destruct (judge _ _ _ _ _ _ _) eqn:J in E; [|discriminate]. apply judge_true in J; [exact J|exact G|exact I|exact I]. }
  destruct (spells "(" o); [|discriminate].
  destruct (items _ _ _ _ _ _ _ _ _ _) as [[[|] mem]|] eqn:Q in E; try discriminate.
  apply items_true in Q as [Q _]; [exact Q|exact G|exact I|exact I].
Qed.

End Checker.
