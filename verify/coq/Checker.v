(** The checker of claims about sets of secrets, and why what it accepts is true. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String.
From Coq Require Import Mergesort Orders.
From Proof Require Import Game Theory Store Counting.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** What is known: that a set costs at least a bound within so many guesses. *)
Record fact := { set_of : list nat; depth_of : option nat; bound_of : bound }.

Definition memory := store fact.

Fixpoint same_set (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && same_set a b
  | _, _ => false
  end.

Lemma same_set_eq a b : same_set a b = true -> a = b.
Proof.
  revert b; induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  intros H. apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. f_equal; auto.
Qed.

Definition wide : nat := Nat.pow 2 20.

Definition hash (s : list nat) : nat := fold_left (fun h x => Nat.modulo (31 * h + x + 1) wide) s 0.

Definition deeper (d d' : option nat) : bool :=  (* within [d'] is within [d] *)
  match d, d' with None, _ => true | Some _, None => false | Some x, Some y => y <=? x end.

Lemma deeper_within d d' k : deeper d d' = true -> within d' k -> within d k.
Proof. destruct d, d'; cbn; try tauto; try discriminate. rewrite Nat.leb_le. lia. Qed.

Module Rising <: TotalLeBool.
  Definition t := nat.
  Definition leb := Nat.leb.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End Rising.
Module Sorting := Sort Rising.

(** Numbers, bounds and codes of a file. *)
Definition symbols : list ascii := list_ascii_of_string "0123456789abcdefghijklmnopqrstuvwxyz".

Fixpoint index_from (i : nat) (c : ascii) (l : list ascii) : option nat :=
  match l with [] => None | x :: l => if Ascii.eqb x c then Some i else index_from (S i) c l end.

Definition digit (c : ascii) : option nat := index_from 0 c symbols.

Fixpoint digits (w : list ascii) : option (list nat) :=
  match w with
  | [] => Some []
  | c :: w => match digit c, digits w with Some x, Some l => Some (x :: l) | _, _ => None end
  end.

Definition number_in (w : list ascii) : option nat :=
  match digits w with
  | Some (x :: l) =>
      if (List.length l <? 12) && forallb (fun x => x <? 10) (x :: l) && ((0 <? x) || (List.length l =? 0))
      then Some (fold_left (fun v x => 10 * v + x) (x :: l) 0) else None
  | _ => None
  end.

Definition bound_in (w : list ascii) : option bound :=
  match w with
  | ["i"; "n"; "f"]%char => Some None
  | _ => option_map Some (number_in w)
  end.

Section Checker.

Variable col : nat -> list nat.
Variable guesses : nat.

Definition rows (s : list nat) : list (list nat) := transpose guesses (map col s).

Definition hists (s : list nat) : list (list nat) := map counts (rows s).

(** What is seen of a guess at once: the answers, how many are different, whether one wins. *)
Record look := { row : list nat; parts : nat; won : bool }.

Definition look_at (r : list nat) : look := let m := mask r in {| row := r; parts := ones 64 m; won := Nat.odd m |}.

Definition looks (s : list nat) : list look := map look_at (rows s).

Definition most (ls : list look) : nat := fold_left (fun m l => max m (parts l)) ls 0.

(** The bounds of all parts but the winning one. *)
Fixpoint tally (cs : list bound) (sum : nat) (h : list nat) : bound :=
  match h with
  | [] => Some sum
  | c :: h => match nth c cs (Some 0) with None => None | Some v => tally cs (sum + v) h end
  end.

Definition by_sizes (cs : list bound) (n : nat) (l : look) : bound := tally cs n (tl (counts (row l))).

Definition useless (l : look) : bool :=
  (parts l =? 1) && match row l with 0 :: _ => false | r :: rest => forallb (fun q => q =? r) rest | [] => false end.

Variable tables : list table.  (* by the most parts that a guess makes *)

(** What counting says of a set with these looks, and of all sets within. *)
Definition table_for (ls : list look) : table := nth (most ls) tables trivial.

Definition evens (T : table) (n k : nat) : list nat * list nat :=
  (map (fun k => even T n k false) (seq 0 (S k)), map (fun k => even T n k true) (seq 0 (S k))).

Definition by_parts (es : list nat * list nat) (l : look) : bound :=
  Some (nth (parts l) (if won l then snd es else fst es) 0).

(** The least over guesses, as far as it matters: it stops at the floor, and sizes are not looked at where the number
    of parts is enough. *)
Fixpoint least (cs : list bound) (es : list nat * list nat) (n : nat) (floor v : bound) (ls : list look) : bound :=
  match ls with
  | [] => v
  | l :: ls =>
      if reached v floor then v
      else if useless l || reached v (by_parts es l) then least cs es n floor v ls
      else least cs es n floor (lesser v (by_sizes cs n l)) ls
  end.

(** One step ahead (L5). *)
Definition ahead (s : list nat) (d : option nat) : bound :=
  let n := List.length s in
  let ls := looks s in
  let T := table_for ls in
  let floor := nth n (costs T d) (Some 0) in
  greater floor (least (costs T (pre d)) (evens T n (most ls)) n floor None ls).

Definition known (mem : memory) (s : list nat) (d : option nat) : bound :=
  fold_left (fun v f => if same_set (set_of f) s && deeper (depth_of f) d then greater v (bound_of f) else v)
    (find (hash s) mem) (Some 0).

Definition remember (s : list nat) (d : option nat) (b : bound) (mem : memory) : memory :=
  insert (hash s) {| set_of := s; depth_of := d; bound_of := b |} mem.

Definition tagged (g : nat) (s : list nat) : list (nat * nat) := map (fun x => (nth g (col x) 0, x)) s.

Definition split (g : nat) (s : list nat) : list (list nat) :=
  let tags := tagged g s in
  let top := fold_left (fun m t => max m (fst t)) tags 0 in
  map (fun r => map snd (filter (fun t => fst t =? r) tags)) (seq 1 top).

(** Whether the parts reach the bound, each looked into as long as the sum is too small. *)
Fixpoint improve (d : option nat) (b sum : bound) (todo : list (list nat * bound)) : bool :=
  reached b (plus sum (plus_all (map snd todo))) ||
  match todo with
  | [] => false
  | (s, v) :: todo =>
      let better := match s with _ :: _ :: _ :: _ => greater v (ahead s d) | _ => v end in
      improve d b (plus sum better) todo
  end.

Definition asking (T : table) (mem : memory) (s : list nat) (d : option nat) (b : bound) (g : nat) : bool :=
  (g <? guesses) &&
  let parts := split g s in
  let cs := costs T (pre d) in
  improve (pre d) b (Some (List.length s))
    (map (fun part => (part, greater (nth (List.length part) cs (Some 0)) (known mem part (pre d)))) parts).

(** Guesses that renamings lead from a guess to: the pairs (image, guess). *)
Definition arrows := store (nat * nat).

Definition arrows_of (renamings : list (list nat)) : arrows :=
  fold_left (fun t images => fold_left (fun t gi => insert (snd gi) (snd gi, fst gi) t)
    (combine (seq 0 guesses) images) t) renamings Nil.

Definition passes (g : nat) (passed : store nat) : bool := existsb (Nat.eqb g) (find g passed).

Fixpoint spread (fuel : nat) (to : arrows) (work : list nat) (passed : store nat) : store nat :=
  match fuel, work with
  | S fuel, g :: work =>
      let from := map snd (filter (fun a => fst a =? g) (find g to)) in
      let news := filter (fun h => negb (passes h passed)) from in
      spread fuel to (news ++ work) (fold_left (fun p h => insert h h p) news passed)
  | _, _ => passed
  end.

Definition pass (renamings : nat) (to : arrows) (g : nat) (passed : store nat) : store nat :=
  spread (guesses * S renamings) to [g] (insert g g passed).

Fixpoint all_pass (ask : nat -> bool) (renamings : nat) (to : arrows) (weak : list nat) (passed : store nat) : bool :=
  match weak with
  | [] => true
  | g :: weak =>
      if passes g passed then all_pass ask renamings to weak passed
      else if ask g then all_pass ask renamings to weak (pass renamings to g passed)
      else false
  end.

(** Whether the set is shown to cost at least the bound. *)
Definition judge (mem : memory) (s : list nat) (d : option nat) (b : bound) (renamings : list (list nat))
    (named : list nat) : bool :=
  let n := List.length s in
  let ls := looks s in
  let T := table_for ls in
  reached b (nth n (costs T d) (Some 0)) || reached b (known mem s d) ||
  (let cs := costs T (pre d) in
   let es := evens T n (most ls) in
   let passes_at_once l := useless l || reached b (by_parts es l) || reached b (by_sizes cs n l) in
   let weak := map fst (filter (fun gl => negb (passes_at_once (snd gl))) (combine (seq 0 guesses) ls)) in
   let to := arrows_of renamings in
   let many := List.length renamings in
   let ask := asking T mem s d b in
   let first := fold_left (fun p g => if negb (passes g p) && ask g then pass many to g p else p) named Nil in
   negb (n =? 0) && all_pass ask many to weak first).

(** A renaming is the list of the images of all guesses. *)
Definition keeps (s : list nat) (images : list nat) : bool := same_set (Sorting.sort (map (fun x => nth x images x)
  s)) s.

(** ** Reading a proof *)

Definition word := list ascii.

Variable place : word -> option nat.                     (* the number of a code *)
Variable renaming : word -> word -> option (list nat).

Definition is (c : ascii) (w : word) : bool := match w with [x] => Ascii.eqb x c | _ => false end.

(** Items up to the end of the body of a claim; the rest of the words, or how many are left where it is refused. *)
Fixpoint items (fuel : nat) (words : list word) (s : list nat) (d : option nat) (b : bound) (renamings : list (list
  nat))
    (named : list nat) (mem : memory) : (list word * memory) + nat :=
  let refused (_ : unit) := inr (List.length words) in
  match fuel, words with
  | S fuel, w :: words =>
      if is ")" w then
        if judge mem s d b renamings named then inl (words, remember s d b mem) else refused tt
      else if is "=" w then
        match words with
        | p :: c :: words =>
            match renaming p c with
            | Some images =>
                if keeps s images then items fuel words s d b (images :: renamings) named mem else refused tt
            | None => refused tt
            end
        | _ => refused tt
        end
      else
        match words with
        | x :: c :: o :: words =>
            match place w, place x, bound_in c with
            | Some g, Some x, Some b' =>
                let r := nth g (col x) 0 in
                let s' := map snd (filter (fun t => fst t =? r) (tagged g s)) in
                if (g <? guesses) && (x <? guesses) && negb (r =? 0) && existsb (Nat.eqb x) s then
                  if is "." o then
                    if judge mem s' (pre d) b' [] []
                    then items fuel words s d b renamings (g :: named) (remember s' (pre d) b' mem)
                    else refused tt
                  else if is "(" o then
                    match items fuel words s' (pre d) b' [] [] mem with
                    | inl (words, mem) => items fuel words s d b renamings (g :: named) mem
                    | inr more => inr more
                    end
                  else refused tt
                else refused tt
            | _, _, _ => refused tt
            end
        | _ => refused tt
        end
  | _, _ => refused tt
  end.

Definition whole : list nat := seq 0 guesses.

(** The words of a whole proof: nothing, or how many words are left where it is refused. *)
Definition refusal (words : list word) (d : option nat) (b : bound) : option nat :=
  match words with
  | o :: words =>
      let refused := Some (List.length words) in
      if is "." o then if judge Nil whole d b [] [] then match words with [] => None | _ => refused end else refused
      else if is "(" o then
        match items (List.length words) words whole d b [] [] Nil with
        | inl ([], _) => None
        | inl (words, _) => Some (List.length words)
        | inr more => Some more
        end
      else refused
  | [] => Some 0
  end.

(** ** Why it is true *)

Hypothesis col_length : forall x, x < guesses -> List.length (col x) = guesses.

Variable profile : list nat.

Let P (j : nat) : nat := nth j profile 0.

Definition proper (s : list nat) : Prop :=
  (forall x, In x s -> x < guesses) /\ List.length s <= guesses /\ exists K, fits col K P s.

Definition table_true (K : nat) (T : table) : Prop :=
  (forall d s, fits col K P s -> List.length s <= guesses -> lb col d s (nth (List.length s) (costs T d) (Some 0))) /\
  (forall d g s k, fits col K P s -> List.length s <= guesses -> few col k g s ->
   ask_lb col d g s (Some (even T (List.length s) k (0 <? List.length (part col g 0 s))))).

Hypothesis tables_true : forall K, table_true K (nth K tables trivial).

Definition fact_true (f : fact) : Prop := lb col (depth_of f) (set_of f) (bound_of f).

Lemma lb_zero d s : lb col d s (Some 0).
Proof. intros t _. cbn. lia. Qed.

Lemma lb_greater d s a b : lb col d s a -> lb col d s b -> lb col d s (greater a b).
Proof. intros A B t Ht. apply greater_reaches; auto. Qed.

Lemma proper_part s g r : proper s -> proper (part col g r s).
Proof.
  intros [H1 [H2 [K F]]]. repeat split.
  - intros x Hx. apply filter_In in Hx as [Hx _]. auto.
  - pose proof (length_part col g r s). lia.
  - exists K. apply fits_part, F.
Qed.

Lemma columns s : proper s -> forall x, In x s -> List.length (col x) = guesses.
Proof. intros [H _] x Hx. apply col_length; auto. Qed.

Lemma row_is s g : g < guesses -> nth g (rows s) [] = map (fun x => nth g (col x) 0) s.
Proof. intros Hg. unfold rows. rewrite nth_transpose by exact Hg. apply map_map. Qed.

Lemma length_rows s : List.length (rows s) = guesses.
Proof. apply length_transpose. Qed.

Lemma part_is s g r :
  (forall x, In x s -> List.length (col x) = guesses) -> g < guesses ->
    part col g r s = filter (fun x => nth g (col x) 0 =? r) s.
Proof.
  intros L Hg. apply filter_ext_in. intros x Hx. unfold has.
  rewrite (nth_error_nth' (col x) 0) by (rewrite L; assumption). reflexivity.
Qed.

Lemma no_part s g r : (forall x, In x s -> List.length (col x) = guesses) -> guesses <= g -> part col g r s = [].
Proof.
  intros L Hg. unfold part. rewrite <- (filter_false s). apply filter_ext_in. intros x Hx. unfold has.
  rewrite (proj2 (nth_error_None (col x) g)) by (rewrite L; assumption). reflexivity.
Qed.

Lemma part_size s g r :
  (forall x, In x s -> List.length (col x) = guesses) -> g < guesses ->
  List.length (part col g r s) = List.length (filter (fun q => q =? r) (nth g (rows s) [])).
Proof.
  intros L Hg. rewrite part_is, row_is by assumption. clear L. induction s as [|x s IH]; [reflexivity|].
  cbn [filter map].
  destruct (nth g (col x) 0 =? r); cbn [List.length]; rewrite IH; reflexivity.
Qed.

Lemma hists_sizes s :
  (forall x, In x s -> List.length (col x) = guesses) ->
  List.length (hists s) = guesses /\
  forall g r, nth r (nth g (hists s) []) 0 = List.length (part col g r s).
Proof.
  intros L. unfold hists. rewrite map_length, length_rows. split; [reflexivity|]. intros g r.
  destruct (Nat.lt_ge_cases g guesses) as [Hg|Hg].
  - rewrite (map_nth counts (rows s) [] g : nth g (map counts (rows s)) [] = _).
    rewrite nth_counts, part_size by assumption. reflexivity.
  - rewrite nth_overflow with (n := g) by (rewrite map_length, length_rows; exact Hg).
    rewrite no_part by assumption. destruct r; reflexivity.
Qed.

Lemma nth_looks s g : g < guesses -> nth g (looks s) (look_at []) = look_at (nth g (rows s) []).
Proof. intros _. apply (map_nth look_at). Qed.

Lemma in_looks s g : g < guesses -> In (look_at (nth g (rows s) [])) (looks s).
Proof. intros Hg. apply in_map, nth_In. rewrite length_rows. exact Hg. Qed.

Lemma some_size (row : list nat) r : (0 <? List.length (filter (fun q => q =? r) row)) = existsb (fun q => q =? r)
  row.
Proof. induction row as [|q row IH]; [reflexivity|]. cbn [filter existsb].
destruct (q =? r); [reflexivity|exact IH]. Qed.

Lemma look_is_few s g :
  (forall x, In x s -> List.length (col x) = guesses) -> g < guesses ->
    few col (parts (look_at (nth g (rows s) []))) g s.
Proof.
  intros L Hg m. cbn [look_at parts]. rewrite <- (ones_true 64 (mask (nth g (rows s) [])) m). apply sum_le.
  intros r _.
  rewrite mask_true, part_size, some_size by assumption. apply le_n.
Qed.

Lemma look_won s g :
  (forall x, In x s -> List.length (col x) = guesses) -> g < guesses ->
  won (look_at (nth g (rows s) [])) = (0 <? List.length (part col g 0 s)).
Proof. intros L Hg. cbn [look_at won].
change (Nat.odd (mask (nth g (rows s) []))) with (Nat.testbit (mask (nth g (rows s) [])) 0).
  rewrite mask_true, part_size, some_size by assumption. reflexivity.
Qed.

Lemma most_bounds ls l : In l ls -> parts l <= most ls.
Proof.
  unfold most. cut (forall m, m <= fold_left (fun m l => max m (parts l)) ls m /\
    (In l ls -> parts l <= fold_left (fun m l => max m (parts l)) ls m)); [intros X; apply X|].
  induction ls as [|l' ls IH]; intros m; cbn; [split; [lia|tauto]|].
  destruct (IH (max m (parts l'))) as [A B]. split; [lia|]. intros [->|H]; [lia|auto].
Qed.

Lemma few_parts s : (forall x, In x s -> List.length (col x) = guesses) -> forall g, few col (most (looks s)) g s.
Proof.
  intros L g m. destruct (Nat.lt_ge_cases g guesses) as [Hg|Hg].
  - rewrite (look_is_few s g L Hg m). apply most_bounds, in_looks, Hg.
  - rewrite (sum_eq _ _ (fun _ => 0)) by (intros r _; rewrite no_part by assumption; reflexivity). rewrite sum_zero.
    lia.
Qed.

Lemma proper_fits s : proper s -> fits col (most (looks s)) P s.
Proof.
  intros H. pose proof (few_parts s (columns s H)) as X. destruct H as [_ [_ [K [F1 [_ F3]]]]].
  split; [exact F1|]. split; [exact X|exact F3].
Qed.

Lemma tally_is cs a h : tally cs a h = plus (Some a) (plus_all (map (fun c => nth c cs (Some 0)) h)).
Proof.
  revert a; induction h as [|c h IH]; intros a; cbn [tally map plus_all fold_right]; [cbn; f_equal; lia|].
  destruct (nth c cs (Some 0)) as [v|]; [|reflexivity]. rewrite IH. unfold plus_all.
  destruct (fold_right plus _ _); cbn; [f_equal; lia|reflexivity].
Qed.

Lemma by_sizes_true K T s d g :
  proper s -> fits col K P s -> table_true K T -> g < guesses ->
  ask_lb col d g s (by_sizes (costs T (pre d)) (List.length s) (look_at (nth g (rows s) []))).
Proof.
  intros H F [HT _] Hg. unfold by_sizes. rewrite tally_is. cbn [look_at row].
  set (h := counts (nth g (rows s) [])). unfold plus_all. rewrite <- map_nth_seq. apply ask_lb_sum. intros a Ha.
  assert (X : nth a (tl h) 0 = List.length (part col g (S a) s)).
  { rewrite part_size by (try apply columns; assumption). rewrite <- nth_counts. fold h.
    destruct h; [destruct a|]; reflexivity. }
  rewrite X. apply HT; [apply fits_part, F|]. pose proof (length_part col g (S a) s). destruct H as [_ [H _]]. lia.
Qed.

Lemma by_parts_true K T s d g :
  proper s -> fits col K P s -> table_true K T -> g < guesses ->
  ask_lb col d g s (by_parts (evens T (List.length s) (most (looks s))) (look_at (nth g (rows s) []))).
Proof.
  intros H F [_ HT] Hg. unfold by_parts, evens. pose proof (columns s H) as L.
  specialize (HT d g s (parts (look_at (nth g (rows s) []))) F (proj1 (proj2 H)) (look_is_few s g L Hg)).
  rewrite <- (look_won s g L Hg) in HT. pose proof (most_bounds _ _ (in_looks s g Hg)) as M.
  set (l := look_at (nth g (rows s) [])) in *. set (n := List.length s) in *.
  assert (X : forall w, nth (parts l) (map (fun k => even T n k w) (seq 0 (S (most (looks s))))) 0 = even T n (parts
    l) w).
  { intros w. rewrite nth_indep with (d' := even T n 0 w) by (rewrite map_length, seq_length; lia).
    rewrite (map_nth (fun k => even T n k w)). rewrite seq_nth by lia. reflexivity. }
  destruct (won l); cbn [fst snd]; rewrite X; exact HT.
Qed.

Lemma useless_true s g :
  proper s -> g < guesses -> useless (look_at (nth g (rows s) [])) = true -> exists a, part col g (S a) s = s.
Proof.
  intros H Hg U. apply andb_prop in U as [_ U]. cbn [look_at row] in U. rewrite row_is in U by exact Hg.
  destruct s as [|x s]; [discriminate|]. cbn [map] in U. destruct (nth g (col x) 0) as [|a] eqn:E; [discriminate|].
  exists a. rewrite part_is by (try apply columns; assumption). cbn [filter]. rewrite E, Nat.eqb_refl. f_equal.
  clear - U.
  induction s as [|y s IH]; [reflexivity|]. cbn [map forallb] in U. apply andb_prop in U as [U1 U2]. cbn [filter].
  rewrite U1, IH by exact U2. reflexivity.
Qed.

Lemma reached_refl v : reached v v = true.
Proof. destruct v; cbn; [apply Nat.leb_refl|reflexivity]. Qed.

Lemma reached_lesser v w x : reached v w = true -> reached (lesser v x) w = true.
Proof. destruct v, w, x; cbn; rewrite ?Nat.leb_le; try discriminate; try reflexivity; lia. Qed.

Lemma reached_trans u v w : reached u v = true -> reached v w = true -> reached u w = true.
Proof. destruct u, v, w; cbn; rewrite ?Nat.leb_le; try discriminate; try reflexivity; lia. Qed.

Lemma least_true cs es n floor : forall ls v,
  let v' := least cs es n floor v ls in
  reached v' v = true /\
  (reached v' floor = true \/
   forall l, In l ls -> useless l = true \/ reached v' (by_parts es l) = true \/ reached v' (by_sizes cs n l) = true).
Proof.
  induction ls as [|l ls IH]; intros v; cbn [least].
  - split; [apply reached_refl|right; intros l []].
  - destruct (reached v floor) eqn:F; [split; [apply reached_refl|left; exact F]|].
    destruct (useless l || reached v (by_parts es l)) eqn:U.
    + destruct (IH v) as [A B]. split; [exact A|]. destruct B as [B|B]; [left; exact B|right].
      intros l' [<-|Hl]; [|auto].
      apply orb_prop in U as [U|U]; [left; exact U|right; left; exact (reached_trans _ _ _ A U)].
    + destruct (IH (lesser v (by_sizes cs n l))) as [A B].
      assert (A1 : reached (lesser v (by_sizes cs n l)) v = true) by apply reached_lesser, reached_refl.
      assert (A2 : reached (lesser v (by_sizes cs n l)) (by_sizes cs n l) = true).
      { destruct v, (by_sizes cs n l); cbn; rewrite ?Nat.leb_le; try reflexivity; lia. }
      split; [exact (reached_trans _ _ _ A A1)|]. destruct B as [B|B]; [left; exact B|right].
      intros l' [<-|Hl]; [|auto].
      right; right; exact (reached_trans _ _ _ A A2).
Qed.

Lemma ask_lb_weaker d g s b v : reached b v = true -> ask_lb col d g s v -> ask_lb col d g s b.
Proof. intros R H next Ht. exact (reached_reaches _ _ _ R (H next Ht)). Qed.

Lemma ahead_true s d : proper s -> s <> [] -> lb col d s (ahead s d).
Proof.
  intros H N. pose proof (proper_fits s H) as F. unfold ahead. cbv zeta. set (T := table_for (looks s)).
  assert (HT : table_true (most (looks s)) T) by apply tables_true.
  assert (B : lb col d s (nth (List.length s) (costs T d) (Some 0))) by (apply HT; [exact F|apply H]).
  set (floor := nth (List.length s) (costs T d) (Some 0)) in *.
  destruct (least_true (costs T (pre d)) (evens T (List.length s) (most (looks s))) (List.length s) floor (looks s)
    None) as [_ X].
  set (v := least _ _ _ _ _ _) in *. apply lb_greater; [exact B|]. destruct X as [X|X].
  - intros t Ht. exact (reached_reaches _ _ _ X (B t Ht)).
  - apply (lb_by_asking col guesses); [exact N|apply columns, H|]. intros g Hg.
    destruct (X _ (in_looks s g Hg)) as [U|[U|U]].
    + left. apply useless_true; assumption.
    + right. apply (ask_lb_weaker _ _ _ _ _ U), (by_parts_true (most (looks s))); assumption.
    + right. apply (ask_lb_weaker _ _ _ _ _ U), (by_sizes_true (most (looks s))); assumption.
Qed.

Lemma known_true mem s d : all fact_true mem -> lb col d s (known mem s d).
Proof.
  intros H. unfold known.
  assert (X : forall f, In f (find (hash s) mem) -> fact_true f) by (intros f; apply all_find, H).
  assert (Z := lb_zero d s). revert X Z. generalize (Some 0) as v. generalize (find (hash s) mem) as l.
  induction l as [|f l IH]; intros v X Z; [exact Z|]. cbn. apply IH; [intros f' Hf; apply X; right; exact Hf|].
  destruct (same_set (set_of f) s && deeper (depth_of f) d) eqn:E; [|exact Z].
  apply andb_prop in E as [E1 E2]. apply same_set_eq in E1. apply lb_greater; [exact Z|].
  rewrite <- E1. apply (lb_weaker col (depth_of f)); [intros k; apply deeper_within, E2|]. apply X; left; reflexivity.
Qed.

Lemma remember_true mem s d b : all fact_true mem -> lb col d s b -> all fact_true (remember s d b mem).
Proof. intros H B. apply all_insert; assumption. Qed.

Lemma split_parts s g : proper s -> g < guesses -> exists m, split g s = map (fun a => part col g (S a) s) (seq 0 m).
Proof.
  intros H Hg. eexists. unfold split. rewrite <- seq_shift, map_map. apply map_ext. intros a.
  pose proof (columns s H) as L. clear H. unfold tagged, part. induction s as [|x s IH]; [reflexivity|].
  cbn [map filter]. cbn [fst]. unfold has at 1.
  assert (E : nth_error (col x) g = Some (nth g (col x) 0))
    by (apply nth_error_nth'; rewrite L; [exact Hg|left; reflexivity]).
  rewrite E. specialize (IH (fun y Hy => L y (or_intror Hy))).
  destruct (nth g (col x) 0 =? S a); cbn [map snd]; rewrite IH; reflexivity.
Qed.

Lemma improve_true d b : forall todo sum,
  (forall s v, In (s, v) todo -> proper s /\ lb col d s v) ->
  improve d b sum todo = true ->
  exists vs, Forall2 (fun sv v => lb col d (fst sv) v) todo vs /\ reached b (plus sum (plus_all vs)) = true.
Proof.
  induction todo as [|[s v] todo IH]; intros sum H E; cbn [improve] in E; apply orb_prop in E as [E|E].
  - exists []. split; [constructor|exact E].
  - discriminate.
  - exists (map snd ((s, v) :: todo)). split; [|exact E]. clear E IH.
    induction ((s, v) :: todo) as [|[s' v'] l IH]; constructor.
    + apply (H s' v'). left; reflexivity.
    + apply IH. intros; apply H; right; assumption.
  - apply IH in E as [vs [V R]]; [|intros; apply H; right; assumption].
    eexists (_ :: vs). split; [constructor; [|exact V]|cbn [plus_all fold_right]; rewrite plus_assoc; exact R].
    destruct (H s v (or_introl eq_refl)) as [Hp Hv]. cbn [fst].
    destruct s as [|x [|y [|z s]]]; try exact Hv. apply lb_greater; [exact Hv|].
    apply ahead_true; [exact Hp|discriminate].
Qed.

Lemma asking_true K T mem s d b g :
  table_true K T -> all fact_true mem -> proper s -> fits col K P s ->
  asking T mem s d b g = true -> ask_lb col d g s b.
Proof.
  intros HT HM H F E. unfold asking in E. apply andb_prop in E as [Hg E]. apply Nat.ltb_lt in Hg.
  destruct (split_parts s g H Hg) as [m S']. rewrite S' in E. rewrite map_map in E.
  apply improve_true in E.
  - destruct E as [vs [V R]].
    assert (Q : exists bs, vs = map bs (seq 0 m) /\ forall a, a < m -> lb col (pre d) (part col g (S a) s) (bs a)).
    { apply (by_number (fun a => lb col (pre d) (part col g (S a) s))). clear - V. revert vs V. generalize (seq 0 m).
      induction l as [|a l IH]; intros vs V; inversion V; subst; constructor; [assumption|apply IH; assumption]. }
    destruct Q as [bs [-> Q]]. intros next Ht. apply (reached_reaches b _ _ R).
    apply (ask_lb_sum col d g s bs m Q next Ht).
  - intros s' v I. apply in_map_iff in I as [a [[= <- <-] _]]. pose proof (proper_part s g (S a) H) as Hp.
    split; [exact Hp|].
    apply lb_greater; [|apply known_true, HM]. apply (proj1 HT); [apply fits_part, F|apply Hp].
Qed.

Section Passing.

Variable s : list nat.
Variable d : option nat.
Variable b : bound.

Definition cleared (g : nat) : Prop := ask_lb col d g s b.

Definition renames (images : list nat) : Prop :=
  forall x, x < guesses -> forall g, nth_error (col (nth x images x)) (nth g images g) = nth_error (col x) g.

Definition arrow_true (a : nat * nat) : Prop := cleared (fst a) -> cleared (snd a).

Lemma keeps_true images : keeps s images = true -> Permutation (map (fun x => nth x images x) s) s.
Proof. intros H. apply same_set_eq in H. rewrite <- H at 2. apply Sorting.Permuted_sort. Qed.

Lemma arrows_true renamings :
  proper s -> (forall images, In images renamings -> renames images /\ keeps s images = true) ->
  all arrow_true (arrows_of renamings).
Proof.
  intros [H _] R. unfold arrows_of. assert (Z : all arrow_true (@Nil (nat * nat))) by exact I. revert Z.
  generalize (@Nil (nat * nat)). induction renamings as [|images l IH]; intros t Z; [exact Z|]. cbn [fold_left].
  apply IH; [intros i Hi; apply R; right; exact Hi|]. destruct (R images (or_introl eq_refl)) as [R1 R2].
  assert (X : forall a, In a (combine (seq 0 guesses) images) -> nth (fst a) images (fst a) = snd a).
  { intros [g i] Hg. apply (In_nth _ _ (0, 0)) in Hg as [n [Hn E]]. rewrite combine_length, seq_length in Hn.
    cbn [fst snd]. revert E. clear - Hn. assert (Hn1 : n < guesses) by lia.
    assert (Hn2 : n < List.length images) by lia.
    rewrite combine_nth_weak by (rewrite ?seq_length; assumption). intros [= <- <-]. rewrite seq_nth by exact Hn1.
    cbn. apply nth_indep. exact Hn2. }
  assert (Y : forall a, In a (combine (seq 0 guesses) images) -> arrow_true (snd a, fst a)).
  { intros a Ha C. cbn [fst snd] in *. rewrite <- (X a Ha) in C.
    apply (ask_lb_renamed col (fun x => nth x images x)); [intros x Hx;
      apply R1, H, Hx|apply keeps_true, R2|exact C]. }
  apply (fold_keeps (all arrow_true)); [|exact Z]. intros t' a Ha Z'. apply all_insert; [apply Y, Ha|exact Z'].
Qed.

Lemma passes_true g passed : all cleared passed -> passes g passed = true -> cleared g.
Proof. intros A H. apply existsb_exists in H as [h [Hh E]]. apply Nat.eqb_eq in E as ->.
exact (all_find _ _ _ _ _ A Hh). Qed.

Lemma spread_true to : all arrow_true to -> forall fuel work passed,
  Forall cleared work -> all cleared passed -> all cleared (spread fuel to work passed).
Proof.
  intros A. induction fuel as [|fuel IH]; intros [|g work] passed W H; try exact H. cbn [spread]. inversion W; subst.
  set (news := filter _ _). assert (N : Forall cleared news).
  { apply Forall_forall. intros h Hh. apply filter_In in Hh as [Hh _]. apply in_map_iff in Hh as [[i j] [<- Hh]].
    apply filter_In in Hh as [Hh E]. apply Nat.eqb_eq in E. cbn in *. subst i. exact (all_find _ _ _ _ _ A Hh H2). }
  apply IH; [apply Forall_app; auto|]. clearbody news.
  apply (fold_keeps (all cleared)); [|exact H]. intros p h Hh Hp. apply all_insert; [|exact Hp].
  exact (proj1 (Forall_forall cleared news) N h Hh).
Qed.

Lemma pass_true to many g passed : all arrow_true to -> cleared g -> all cleared passed ->
  all cleared (pass many to g passed).
Proof. intros A C H. apply spread_true; [exact A|auto|apply all_insert; assumption]. Qed.

Lemma all_pass_true ask many to : all arrow_true to -> (forall g, ask g = true -> cleared g) -> forall weak passed,
  all cleared passed -> all_pass ask many to weak passed = true -> forall g, In g weak -> cleared g.
Proof.
  intros A HA. induction weak as [|h weak IH]; intros passed H E g []; cbn [all_pass] in E; subst.
  - destruct (passes g passed) eqn:P'; [exact (passes_true _ _ H P')|]. destruct (ask g) eqn:Q; [auto|discriminate].
  - destruct (passes h passed); [eauto|]. destruct (ask h) eqn:Q; [|discriminate].
    apply (IH (pass many to h passed)); auto. apply pass_true; auto.
Qed.

Lemma judge_true mem renamings named :
  proper s -> all fact_true mem -> (forall images, In images renamings -> renames images /\ keeps s images = true) ->
  judge mem s d b renamings named = true -> lb col d s b.
Proof.
  intros H M R E. unfold judge in E. pose proof (proper_fits s H) as F. set (T := table_for (looks s)) in *.
  assert (HT : table_true (most (looks s)) T) by apply tables_true.
  apply orb_prop in E as [E|E]; [apply orb_prop in E as [E|E]|].
  - intros t Ht. apply (reached_reaches _ _ _ E). apply HT; [exact F|apply H|exact Ht].
  - intros t Ht. apply (reached_reaches _ _ _ E). apply (known_true mem s d M), Ht.
  - apply andb_prop in E as [N E]. pose proof (arrows_true renamings H R) as A.
    apply (lb_by_asking col guesses).
    { intros ->. discriminate. }
    { apply columns, H. }
    intros g Hg. set (l := look_at (nth g (rows s) [])) in *.
    destruct (useless l) eqn:U; [left; apply useless_true; assumption|right].
    set (es := evens T (List.length s) (most (looks s))) in *.
    destruct (reached b (by_parts es l)) eqn:Q1.
    { apply (ask_lb_weaker _ _ _ _ _ Q1), (by_parts_true (most (looks s))); assumption. }
    destruct (reached b (by_sizes (costs T (pre d)) (List.length s) l)) eqn:Q2.
    { apply (ask_lb_weaker _ _ _ _ _ Q2), (by_sizes_true (most (looks s))); assumption. }
    set (ask := asking T mem s d b) in *.
    assert (HA : forall g, ask g = true -> cleared g) by (intros h; apply (asking_true (most (looks s))); assumption).
    eapply (all_pass_true ask); [exact A|exact HA| |exact E|].
    + apply (fold_keeps (all cleared)); [|exact I]. intros p h _ Hp. destruct (negb (passes h p)); [|exact Hp].
      cbn [andb]. destruct (ask h) eqn:Z; [|exact Hp].
      apply pass_true; auto.
    + apply in_map_iff. exists (g, l). split; [reflexivity|]. apply filter_In.
      split; [|cbn [snd]; rewrite U, Q1, Q2; reflexivity].
      assert (L : List.length (looks s) = guesses) by (unfold looks; rewrite map_length; apply length_rows).
      replace (g, l) with (nth g (combine (seq 0 guesses) (looks s)) (0, look_at [])).
      * apply nth_In. rewrite combine_length, seq_length, L. lia.
      * rewrite combine_nth by (rewrite seq_length; lia). rewrite seq_nth by exact Hg.
        rewrite nth_looks by exact Hg. reflexivity.
Qed.

End Passing.

Hypothesis renaming_true : forall p c images, renaming p c = Some images -> renames images.

Lemma tagged_part s g x :
  proper s -> g < guesses -> map snd (filter (fun t => fst t =? nth g (col x) 0) (tagged g s)) = part col g (nth g
    (col x) 0) s.
Proof.
  intros H Hg. generalize (nth g (col x) 0) as r. intros r. pose proof (columns s H) as L. clear H.
  unfold tagged, part.
  induction s as [|y s IH]; [reflexivity|]. cbn [map filter fst]. unfold has at 1.
  rewrite (nth_error_nth' (col y) 0) by (rewrite L; [exact Hg|left; reflexivity]).
  specialize (IH (fun z Hz => L z (or_intror Hz))).
  destruct (nth g (col y) 0 =? r); cbn [map snd]; rewrite IH; reflexivity.
Qed.

Lemma items_true fuel : forall words s d b renamings named mem rest mem',
  proper s -> all fact_true mem -> (forall images, In images renamings -> renames images /\ keeps s images = true) ->
  items fuel words s d b renamings named mem = inl (rest, mem') -> lb col d s b /\ all fact_true mem'.
Proof.
  induction fuel as [|fuel IH]; intros words s d b renamings named mem rest mem' H M R E; [discriminate|].
  destruct words as [|w words]; [discriminate|]. cbn [items] in E. destruct (is ")" w).
  { destruct (judge mem s d b renamings named) eqn:J; [|discriminate]. injection E as <- <-.
    apply judge_true in J; [|assumption..]. split; [exact J|apply remember_true; assumption]. }
  destruct (is "=" w).
  { destruct words as [|p [|c words]]; try discriminate. destruct (renaming p c) as [images|] eqn:Q; [|discriminate].
    destruct (keeps s images) eqn:Kp; [|discriminate]. apply IH in E; [exact E|assumption..|].
    intros i [<-|Hi]; [split; [exact (renaming_true _ _ _ Q)|exact Kp]|auto]. }
  destruct words as [|x' [|c [|o words]]]; try discriminate.
  destruct (place w) as [g|]; [|discriminate]. destruct (place x') as [x|]; [|discriminate].
  destruct (bound_in c) as [b'|]; [|discriminate].
  destruct (_ && _) eqn:G in E; [|discriminate]. apply andb_prop in G as [G _]. apply andb_prop in G as [G _].
  apply andb_prop in G as [G _]. apply Nat.ltb_lt in G. rewrite tagged_part in E by assumption.
  set (s' := part col g (nth g (col x) 0) s) in *.
  assert (H' : proper s') by (apply proper_part, H).
  destruct (is "." o).
  { destruct (judge mem s' (pre d) b' [] []) eqn:J; [|discriminate].
    apply judge_true in J; [|assumption..|intros ? []].
    apply IH in E; [exact E|exact H|apply remember_true; assumption|exact R]. }
  destruct (is "(" o); [|discriminate].
  destruct (items fuel words s' (pre d) b' [] [] mem) as [[words' mem'']|] eqn:Q; [|discriminate].
  apply IH in Q as [_ Q]; [|assumption..|intros ? []]. apply IH in E; assumption.
Qed.

Lemma whole_true words d b : proper whole -> refusal words d b = None -> lb col d whole b.
Proof.
  intros H E. destruct words as [|o words]; [discriminate|]. cbn [refusal] in E.
  assert (N : forall images : list nat, In images [] -> renames images /\ keeps whole images = true) by (intros ? []).
  destruct (is "." o).
  { destruct (judge _ _ _ _ _ _) eqn:J in E; [|discriminate].
    apply judge_true in J; [exact J|exact H|exact I|exact N]. }
  destruct (is "(" o); [|discriminate].
  destruct (items _ _ _ _ _ _ _ _) as [[[|] mem]|] eqn:Q in E; try discriminate.
  apply items_true in Q as [Q _]; [exact Q|exact H|exact I|exact N].
Qed.

End Checker.
