(** The checker of claims about sets of secrets, and why what it accepts is true. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String.
From Proof Require Import CodeGame Theory Store Vector Board Counting.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** What is known: that a set costs at least a bound within so many guesses. *)
Record fact := { set_of : list nat; depth_of : option nat; bound_of : bound;
  looks : nat }.  (* 0: proved; 1, 2: by looking ahead, whether it can be settled, or all *)

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

Definition seed : nat.
Proof. exact (Nat.pow 3 18). Qed.

Definition hash (s : list nat) : nat :=
  fold_left (fun h x => Nat.land ((Nat.lxor h (Nat.shiftr h 15) + x + 1) * seed) (Nat.ones 30)) s 0.

Definition deeper (d d' : option nat) : bool :=  (* within [d'] is within [d] *)
  match d, d' with None, _ => true | Some _, None => false | Some x, Some y => y <=? x end.

Lemma deeper_within d d' k : deeper d d' = true -> within d' k -> within d k.
Proof. destruct d, d'; cbn; try tauto; try discriminate. rewrite Nat.leb_le. lia. Qed.

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

Variable B : board.
Variable tables : list (delayed table).  (* by the most parts that a guess makes *)
Variable other : table.                  (* where there is none *)

Definition table_for (K : nat) : table := value (nth K tables (Delay other)).

(** At least what a guess costs by the sizes of its parts. *)
Definition by_sizes (T : table) (room n g : nat) (s : list nat) : bound :=
  sum_row (responses B) 1 room (least T) (answers B) 1 (g * secrets B) s n.

(** By the number of its parts: no part has more secrets than are settled. *)
Definition by_parts (T : table) (room n key : nat) : bound :=
  if max 1 room * Nat.div2 key <? n then None else Some (even T n (Nat.div2 key) (Nat.odd key)).

Definition finite (v : bound) : bool := match v with Some _ => true | None => false end.

(** The least over guesses with as many parts, as far as it matters. *)
Fixpoint least_of (T : table) (room n : nat) (s : list nat) (enough : bound -> bool) (v : bound) (gs : list nat) : bound :=
  match gs with
  | [] => v
  | g :: gs => if enough v then v else least_of T room n s enough (lesser v (by_sizes T room n g s)) gs
  end.

(** The least over guesses, those with the most parts first. Keys below 3 tell nothing. *)
Fixpoint least_below (T : table) (room n : nat) (s : list nat) (ks : bytes) (enough : bound -> bool) (v : bound) (key : nat)
    : bound :=
  match key with
  | 0 => v
  | S below =>
      if (key <=? 2) || enough v then v
      else
        let e := by_parts T room n key in
        let v := if reached v e then v
                 else least_of T room n s (fun v => enough v || reached v e) v (places ks (guesses B) key) in
        least_below T room n s ks enough v below
  end.

(** One step ahead (L5). [whole]: it is only asked whether the set can be settled. *)
Definition ahead (whole : bool) (s : list nat) (d : option nat) : bound :=
  let n := List.length s in
  let ks := keys B s in
  let top := largest_byte ks in
  let T := table_for (Nat.div2 top) in
  let floor := costs T d n in
  if finite floor then
    let enough v := reached v floor || (whole && finite v) in
    let v := least_below T (room_of T (pre d)) n s ks enough None (S top) in
    if whole && finite v then floor else greater floor v
  else None.

(** The best bound that is known, and whether a look ahead shows no more. *)
Definition known (mem : memory) (s : list nat) (d : option nat) (whole : bool) : bound * bool :=
  fold_left (fun v f =>
    if same_set (set_of f) s && deeper (depth_of f) d
    then (greater (fst v) (bound_of f),
          snd v || (deeper d (depth_of f) && ((looks f =? 2) || (whole && (looks f =? 1))))) else v)
    (find (hash s) mem) (Some 0, false).

(** Whether a lemma showed as much of the set, with as many guesses as it needs. *)
Definition proved (mem : memory) (s : list nat) (d : option nat) (b : bound) : bool :=
  let n := List.length s in
  let d := match d with None => n | Some d => min d n end in
  existsb (fun f => (looks f =? 0) && deeper (depth_of f) (Some d) && reached b (bound_of f) && same_set (set_of f) s)
    (find (hash s) mem).

Definition remember (s : list nat) (d : option nat) (b : bound) (looks : nat) (mem : memory) : memory :=
  insert (hash s) {| set_of := s; depth_of := d; bound_of := b; looks := looks |} mem.

Definition split (g : nat) (s : list nat) : list (list nat) :=
  filter (fun part => match part with [] => false | _ => true end) (tl (buckets (responses B) (reply B g) s)).

Definition known_all (mem : memory) (d : option nat) (whole : bool) (counted : list (list nat * bound))
    : list (list nat * (bound * bool)) :=
  map (fun pv =>
    let k := match fst pv with _ :: _ :: _ :: _ => known mem (fst pv) d whole | _ => (Some 0, true) end in
    (fst pv, (greater (snd pv) (fst k), snd k))) counted.

(** Parts of about as many secrets as there are answers gain most for what a look at them takes: they go first. *)
Definition distance (s : list nat) : nat :=
  let n := List.length s in (n - responses B) + (responses B - n).

Fixpoint placed {A} (k : nat) (x : A) (l : list (nat * A)) : list (nat * A) :=
  match l with
  | [] => [(k, x)]
  | y :: rest => if k <=? fst y then (k, x) :: l else y :: placed k x rest
  end.

Definition ordered {A} (l : list (list nat * A)) : list (list nat * A) :=
  map snd (fold_right (fun x l => placed (distance (fst x)) x l) [] l).

(** Whether the parts reach the bound, each looked into as long as the sum is too small. *)
Fixpoint improve (d : option nat) (b : bound) (whole : bool) (sum : nat) (todo : list (list nat * (bound * bool)))
    (mem : memory) : bool * memory :=
  if reached b (Some sum) then (true, mem) else
  match todo with
  | [] => (false, mem)
  | (s, (v, looked)) :: todo =>
      match s with
      | _ :: _ :: _ :: _ =>
          if looked then improve d b whole sum todo mem
          else
            let now := ahead whole s d in
            let mem := remember s d now (if whole && finite now then 1 else 2) mem in
            match now, v with
            | Some now, Some v => improve d b whole (sum + (now - v)) todo mem
            | _, _ => (true, mem)
            end
      | _ => improve d b whole sum todo mem
      end
  end.

Definition sum_of (n : nat) (l : list bound) : bound := fold_left plus l (Some n).

Definition asking (T : table) (s : list nat) (d : option nat) (b : bound) (g : nat) (mem : memory) : bool * memory :=
  let n := List.length s in
  let whole := negb (finite b) in
  let counted := map (fun part => (part, costs T (pre d) (List.length part))) (split g s) in
  if reached b (sum_of n (map snd counted)) then (true, mem)
  else
    let todo := known_all mem (pre d) whole counted in
    match sum_of n (map (fun pv => fst (snd pv)) todo) with
    | None => (true, mem)
    | Some sum => improve (pre d) b whole sum (ordered todo) mem
    end.

Definition passes (label : nat) (passed : store nat) : bool := existsb (Nat.eqb label) (find label passed).

(** Each guess passes or, with renamings, one that they make equal to it. *)
Fixpoint all_pass (ask : nat -> memory -> bool * memory) (weak : list nat) (mem : memory) : bool * memory :=
  match weak with
  | [] => (true, mem)
  | g :: weak => let '(yes, mem) := ask g mem in if yes then all_pass ask weak mem else (false, mem)
  end.

Fixpoint some_pass (ask : nat -> memory -> bool * memory) (label : nat -> nat) (gs : list nat) (passed : store nat)
    (mem : memory) : store nat * memory :=
  match gs with
  | [] => (passed, mem)
  | g :: gs =>
      if passes (label g) passed then some_pass ask label gs passed mem
      else
        let '(yes, mem) := ask g mem in
        some_pass ask label gs (if yes then insert (label g) (label g) passed else passed) mem
  end.

(** Whether the set is shown to cost at least the bound. *)
Definition judge (s : list nat) (d : option nat) (b : bound) (renamings : list words) (named : list nat) (mem : memory)
    : bool * memory :=
  if reached b (fst (known mem s d false)) then (true, mem)
  else
    let n := List.length s in
    let ks := keys B s in
    let top := largest_byte ks in
    let T := table_for (Nat.div2 top) in
    if reached b (costs T d n) then (true, mem)
    else if n =? 0 then (false, mem)
    else
      let room := room_of T (pre d) in
      let evens := map (fun key => (key <=? 2) || reached b (by_parts T room n key)) (range (S top)) in
      let at_once := make_words (S top) (fun key => Nat.b2n (nth key evens false)) in
      let weak := filter (fun g => (word_at at_once (byte_at ks g) =? 0) && negb (reached b (by_sizes T room n g s)))
        (range (guesses B)) in
      let ask := asking T s d b in
      match renamings with
      | [] => all_pass ask weak mem
      | _ =>
          let orbits := labels (guesses B) (guesses B) renamings (make_words (guesses B) (fun g => g)) in
          let label := word_at orbits in
          let '(passed, mem) := some_pass ask label (rev' named ++ weak) Nil mem in
          (forallb (fun g => passes (label g) passed) weak, mem)
      end.

(** A renaming is the list of the images of all guesses. *)
Definition keeps (s : list nat) (images : words) : bool :=
  permuted (secrets B) (word_at images) s.

(** ** Reading a proof *)

Definition word := list ascii.

Variable place : word -> option nat.                     (* the number of a code *)
Variable renaming : word -> word -> option words.
Variable image : word -> word -> list nat -> option (list nat).  (* of a set, rising *)

Definition is (c : ascii) (w : word) : bool := match w with [x] => Ascii.eqb x c | _ => false end.

(** A claim behind [~]: what was proved of the image of its set. *)
Definition renamed (words_ : list word) (s : list nat) (d : option nat) (b : bound) (mem : memory)
    : option (list word * memory) :=
  match words_ with
  | p :: c :: rest =>
      match image p c s with
      | Some to => if proved mem to d b then Some (rest, remember s d b 0 mem) else None
      | None => None
      end
  | _ => None
  end.

(** Items up to the end of the body of a claim; the rest of the words, or the words from where it is refused. *)
Fixpoint items (fuel : nat) (here words_ : list word) (s : list nat) (d : option nat) (b : bound) (renamings : list words)
    (named : list nat) (mem : memory) : (list word * memory) + list word :=
  match fuel, words_ with
  | S fuel, w :: rest =>
      if is ")" w then
        let '(yes, mem) := judge s d b renamings named mem in
        if yes then inl (rest, remember s d b 0 mem) else inr here
      else if is "=" w then
        match rest with
        | p :: c :: rest =>
            match renaming p c with
            | Some images =>
                if keeps s images then items fuel here rest s d b (images :: renamings) named mem else inr words_
            | None => inr words_
            end
        | _ => inr words_
        end
      else
        match rest with
        | x :: c :: o :: rest =>
            match place w, place x, bound_in c with
            | Some g, Some x, Some b' =>
                let r := reply B g x in
                let s' := filter (fun y => reply B g y =? r) s in
                if (g <? guesses B) && negb (r =? 0) && existsb (Nat.eqb x) s then
                  if is "." o then
                    let '(yes, mem) := judge s' (pre d) b' [] [] mem in
                    if yes then items fuel here rest s d b renamings (g :: named) (remember s' (pre d) b' 0 mem)
                    else inr (o :: rest)
                  else if is "(" o then
                    match items fuel (o :: rest) rest s' (pre d) b' [] [] mem with
                    | inl (rest, mem) => items fuel here rest s d b renamings (g :: named) mem
                    | inr more => inr more
                    end
                  else if is "~" o then
                    match renamed rest s' (pre d) b' mem with
                    | Some (rest, mem) => items fuel here rest s d b renamings (g :: named) mem
                    | None => inr (o :: rest)
                    end
                  else inr (o :: rest)
                else inr words_
            | _, _, _ => inr words_
            end
        | _ => inr words_
        end
  | _, _ => inr words_
  end.

Definition whole : list nat := range (secrets B).

(** The words of a whole proof: nothing, or the words from where it is refused. *)
Definition refusal (words_ : list word) (d : option nat) (b : bound) : option (list word) :=
  match words_ with
  | o :: rest =>
      if is "." o then
        if fst (judge whole d b [] [] Nil) then match rest with [] => None | _ => Some rest end else Some words_
      else if is "(" o then
        match items (List.length words_) words_ rest whole d b [] [] Nil with
        | inl ([], _) => None
        | inl (rest, _) => Some rest
        | inr more => Some more
        end
      else Some words_
  | [] => Some []
  end.

(** ** Why it is true *)

Hypothesis B_made : made B.
Hypothesis B_sound : sound B = true.

Variable col : nat -> list nat.

Hypothesis col_is : forall x, x < secrets B -> forall g,
  nth_error (col x) g = if g <? guesses B then Some (reply B g x) else None.

Variable profile : list nat.

Let P (j : nat) : nat := nth j profile 0.

Definition proper (s : list nat) : Prop :=
  (forall x, In x s -> x < secrets B) /\ List.length s <= secrets B /\ exists K, fits col K P s.

Definition table_true (K : nat) (T : table) : Prop :=
  (forall d s, fits col K P s -> List.length s <= secrets B -> lb col d s (costs T d (List.length s))) /\
  (forall d g s k, fits col K P s -> List.length s <= secrets B -> few col k g s ->
   ask_lb col d g s (Some (even T (List.length s) k (0 <? List.length (part col g 0 s))))).

Hypothesis tables_true : forall K, table_true K (table_for K).

Definition fact_true (f : fact) : Prop := lb col (depth_of f) (set_of f) (bound_of f).

Lemma lb_zero d s : lb col d s (Some 0).
Proof. intros t _. cbn. lia. Qed.

Lemma lb_greater d s a b : lb col d s a -> lb col d s b -> lb col d s (greater a b).
Proof. intros Ha Hb t Ht. apply greater_reaches; auto. Qed.

Lemma lb_reached d s b v : reached b v = true -> lb col d s v -> lb col d s b.
Proof. intros R H t Ht. exact (reached_reaches _ _ _ R (H t Ht)). Qed.

Lemma ask_lb_reached d g s b v : reached b v = true -> ask_lb col d g s v -> ask_lb col d g s b.
Proof. intros R H next Ht. exact (reached_reaches _ _ _ R (H next Ht)). Qed.

Lemma proper_part s g r : proper s -> proper (part col g r s).
Proof.
  intros [H1 [H2 [K F]]]. repeat split.
  - intros x Hx. apply filter_In in Hx as [Hx _]. auto.
  - pose proof (length_part col g r s). lia.
  - exists K. apply fits_part, F.
Qed.

Lemma columns s : (forall x, In x s -> x < secrets B) -> forall x, In x s -> List.length (col x) = guesses B.
Proof.
  intros H x Hx. apply H in Hx. apply Nat.le_antisymm.
  - apply nth_error_None. rewrite col_is by exact Hx. rewrite Nat.ltb_irrefl. reflexivity.
  - destruct (Nat.le_gt_cases (guesses B) (List.length (col x))) as [L|L]; [exact L|exfalso].
    pose proof (proj2 (nth_error_None (col x) (List.length (col x))) (le_n _)) as N. rewrite col_is in N by exact Hx.
    apply Nat.ltb_lt in L. rewrite L in N. discriminate.
Qed.

Lemma part_is s g r : (forall x, In x s -> x < secrets B) -> g < guesses B ->
  part col g r s = filter (fun x => reply B g x =? r) s.
Proof.
  intros L Hg. apply filter_ext_in. intros x Hx. unfold has. rewrite col_is by auto. apply Nat.ltb_lt in Hg as ->.
  reflexivity.
Qed.

Lemma no_part s g r : (forall x, In x s -> x < secrets B) -> guesses B <= g -> part col g r s = [].
Proof.
  intros L Hg. unfold part. rewrite <- (filter_false s). apply filter_ext_in. intros x Hx. unfold has.
  rewrite col_is by auto. apply Nat.ltb_ge in Hg as ->. reflexivity.
Qed.

(** *** Looks *)

Lemma key_few s g : (forall x, In x s -> x < secrets B) -> g < guesses B ->
  few col (Nat.div2 (byte_at (keys B s) g)) g s /\
  Nat.odd (byte_at (keys B s) g) = (0 <? List.length (part col g 0 s)).
Proof.
  intros L Hg. destruct (key_is B g s B_made B_sound L Hg) as [H1 H2]. split.
  - intros m. etransitivity; [|apply (H1 m)]. apply Nat.eq_le_incl, sum_eq. intros r _. rewrite part_is by assumption.
    reflexivity.
  - rewrite part_is by assumption. exact H2.
Qed.

Definition most_parts (s : list nat) : nat := Nat.div2 (largest_byte (keys B s)).

Lemma key_most s g : byte_at (keys B s) g <= largest_byte (keys B s).
Proof. apply (at_most_largest (keys B s) g). Qed.

Lemma few_most s g : (forall x, In x s -> x < secrets B) -> few col (most_parts s) g s.
Proof.
  intros L m. destruct (Nat.lt_ge_cases g (guesses B)) as [Hg|Hg].
  - rewrite (proj1 (key_few s g L Hg) m). unfold most_parts. rewrite !Nat.div2_div.
    apply Nat.div_le_mono; [lia|apply key_most].
  - rewrite (sum_eq _ _ (fun _ => 0)) by (intros r _; rewrite no_part by assumption; reflexivity). rewrite sum_zero. lia.
Qed.

Lemma proper_fits s : proper s -> fits col (most_parts s) P s.
Proof.
  intros [H [_ [K [F1 [_ F3]]]]]. split; [exact F1|]. split; [|exact F3]. intros g m. apply few_most, H.
Qed.

Definition cost_in (T : table) (room size : nat) : bound :=
  if size <=? room then Some (word_at (least T) size) else None.

Lemma by_sizes_true K T s d g :
  proper s -> fits col K P s -> table_true K T -> g < guesses B ->
  ask_lb col d g s (by_sizes T (room_of T (pre d)) (List.length s) g s).
Proof.
  intros H F [HT _] Hg. unfold by_sizes, sum_row. rewrite sum_within_is. apply ask_lb_sum. intros a Ha.
  rewrite tally_at by lia. rewrite (filter_ext _ (fun x => reply B g x =? 1 + a)) by (intros x; rewrite Nat.mul_1_l;
    reflexivity).
  rewrite <- part_is by (try apply H; assumption).
  apply (HT (pre d) (part col g (1 + a) s)); [apply fits_part, F|].
  pose proof (length_part col g (1 + a) s). destruct H as [_ [H _]]. lia.
Qed.

Lemma by_parts_true K T s d g :
  proper s -> fits col K P s -> table_true K T -> g < guesses B ->
  ask_lb col d g s (by_parts T (room_of T (pre d)) (List.length s) (byte_at (keys B s) g)).
Proof.
  intros H F [HC HT] Hg. destruct (key_few s g (proj1 H) Hg) as [Hf Ho]. unfold by_parts. rewrite Ho.
  set (k := Nat.div2 _) in *. destruct (Nat.ltb_spec (max 1 (room_of T (pre d)) * k) (List.length s)) as [L|_].
  2: { apply HT; [exact F|apply H|exact Hf]. }
  intros next Ht. exfalso. set (room := room_of T (pre d)) in *.
  assert (R : forall a, List.length (part col g (S a) s) <= room).
  { intros a. pose proof (length_part col g (S a) s). destruct H as [_ [H _]].
    pose proof (HC (pre d) (part col g (S a) s) (fits_part _ _ _ _ _ _ F) ltac:(lia) _ (solves_part _ _ _ _ _ a Ht))
      as X.
    unfold costs in X. fold room in X. destruct (Nat.leb_spec (List.length (part col g (S a) s)) room);
      [assumption|destruct X]. }
  destruct (greatest col g s) as [m Hm]. pose proof (sizes_add_up col d g next s m Ht Hm) as E.
  rewrite <- (sum_first (fun r => List.length (part col g r s)) m) in E.
  assert (U : sum (fun r => List.length (part col g r s)) (seq 0 (S m))
    <= sum (fun r => max 1 room * (if 0 <? List.length (part col g r s) then 1 else 0)) (seq 0 (S m))).
  { apply sum_le. intros r _. destruct (Nat.ltb_spec 0 (List.length (part col g r s))); [|lia].
    destruct r as [|a]; [pose proof (proj1 F g)|specialize (R a)]; lia. }
  rewrite sum_mul in U. specialize (Hf (S m)). nia.
Qed.

Lemma some_sum s g x m : In x s -> has col g m x = true ->
  (fun r => if r =? m then 1 else 0) m <= if 0 <? List.length (part col g m s) then 1 else 0.
Proof.
  intros Hx Hm. assert (I : In x (part col g m s)) by (apply filter_In; auto). destruct (part col g m s); [destruct I|].
  cbn. destruct (m =? m); lia.
Qed.

Lemma few_alike s g k x y : few col k g s -> k <= 1 -> (forall z, In z s -> z < secrets B) -> g < guesses B ->
  In x s -> In y s -> reply B g x = reply B g y.
Proof.
  intros F K1 L Hg Hx Hy. destruct (Nat.eq_dec (reply B g x) (reply B g y)) as [E|N]; [exact E|exfalso].
  assert (X : forall z, In z s -> has col g (reply B g z) z = true).
  { intros z Hz. unfold has. rewrite col_is by auto. apply Nat.ltb_lt in Hg as ->. apply Nat.eqb_refl. }
  specialize (F (S (reply B g x + reply B g y))).
  assert (Q : sum (fun r => (if r =? reply B g x then 1 else 0) + (if r =? reply B g y then 1 else 0))
      (seq 0 (S (reply B g x + reply B g y))) <= k).
  { etransitivity; [|exact F]. apply sum_le. intros r _. destruct (Nat.eqb_spec r (reply B g x)) as [->|N1].
    - apply Nat.eqb_neq in N. rewrite N. pose proof (some_sum s g x _ Hx (X x Hx)) as Z. cbn beta in Z.
      rewrite Nat.eqb_refl in Z. lia.
    - destruct (Nat.eqb_spec r (reply B g y)) as [->|N2]; [|lia].
      pose proof (some_sum s g y _ Hy (X y Hy)) as Z. cbn beta in Z. rewrite Nat.eqb_refl in Z. lia. }
  rewrite sum_add, !sum_pick in Q.
  destruct (Nat.ltb_spec (reply B g x) (S (reply B g x + reply B g y))); [|lia].
  destruct (Nat.ltb_spec (reply B g y) (S (reply B g x + reply B g y))); lia.
Qed.

Lemma useless_true s g :
  proper s -> s <> [] -> g < guesses B -> byte_at (keys B s) g <= 2 -> exists a, part col g (S a) s = s.
Proof.
  intros H N Hg U. destruct s as [|x s]; [contradiction|]. set (l := x :: s) in *.
  pose proof (proj1 H) as L. destruct (key_few l g L Hg) as [F O]. set (k := byte_at (keys B l) g) in *.
  assert (K1 : Nat.div2 k <= 1) by (destruct k as [|[|[|k]]]; cbn; lia).
  assert (A : forall y, In y l -> reply B g y = reply B g x)
    by (intros y Hy; apply (few_alike l g _ y x F K1 L Hg); [exact Hy|left; reflexivity]).
  assert (W : forall r, reply B g x = r -> part col g r l = l).
  { intros r <-. rewrite part_is by assumption. clear - A.
    induction l as [|y l IH]; [reflexivity|]. cbn [filter]. rewrite (A y (or_introl eq_refl)), Nat.eqb_refl, IH; [reflexivity|].
    intros z Hz. apply A. right; exact Hz. }
  destruct (reply B g x) as [|a]; [|exists a; apply W; reflexivity]. exfalso.
  rewrite (W 0 eq_refl) in O. change (Nat.odd k = true) in O. specialize (F 1). cbn [seq] in F.
  rewrite sum_cons, (W 0 eq_refl) in F. change (1 + 0 <= Nat.div2 k) in F.
  destruct k as [|[|[|k]]]; cbn in *; try lia; discriminate.
Qed.

Lemma reached_refl v : reached v v = true.
Proof. destruct v; cbn; [apply Nat.leb_refl|reflexivity]. Qed.

Lemma reached_lesser v w : reached (lesser v w) v = true /\ reached (lesser v w) w = true.
Proof. destruct v, w; cbn; rewrite ?Nat.leb_le; split; try reflexivity; lia. Qed.

Lemma reached_trans u v w : reached u v = true -> reached v w = true -> reached u w = true.
Proof. destruct u, v, w; cbn; rewrite ?Nat.leb_le; try discriminate; try reflexivity; lia. Qed.

Definition stays (enough : bound -> bool) : Prop :=
  forall v v', reached v' v = true -> enough v = true -> enough v' = true.

Lemma least_of_true T room n s enough : stays enough -> forall gs v,
  let v' := least_of T room n s enough v gs in
  reached v' v = true /\ (enough v' = true \/ forall g, In g gs -> reached v' (by_sizes T room n g s) = true).
Proof.
  intros St. induction gs as [|g gs IH]; intros v; cbn [least_of].
  - split; [apply reached_refl|right; intros g []].
  - destruct (enough v) eqn:E; [split; [apply reached_refl|left; exact E]|].
    destruct (IH (lesser v (by_sizes T room n g s))) as [H1 H2].
    destruct (reached_lesser v (by_sizes T room n g s)) as [A1 A2].
    split; [exact (reached_trans _ _ _ H1 A1)|]. destruct H2 as [H2|H2]; [left; exact H2|right].
    intros h [<-|Hh]; [exact (reached_trans _ _ _ H1 A2)|auto].
Qed.

(** What a bound of a look says of a guess. *)
Definition weighed (T : table) (room n : nat) (s : list nat) (v : bound) (g : nat) : Prop :=
  byte_at (keys B s) g <= 2 \/ reached v (by_parts T room n (byte_at (keys B s) g)) = true \/
  reached v (by_sizes T room n g s) = true.

Lemma weighed_less T room n s v v' g : reached v' v = true -> weighed T room n s v g -> weighed T room n s v' g.
Proof.
  intros R [H|[H|H]]; [left; exact H|right; left|right; right]; exact (reached_trans _ _ _ R H).
Qed.

Lemma least_below_true T room n s enough : stays enough -> forall key v,
  let v' := least_below T room n s (keys B s) enough v key in
  reached v' v = true /\
  (enough v' = true \/ forall g, g < guesses B -> byte_at (keys B s) g <= key -> weighed T room n s v' g).
Proof.
  intros St. induction key as [|key IH]; intros v; cbn [least_below].
  - split; [apply reached_refl|right; intros g _ Hk; left; lia].
  - destruct (Nat.leb_spec (S key) 2) as [K2|K2]; cbn [orb].
    { split; [apply reached_refl|right; intros g _ Hk; left; lia]. }
    destruct (enough v) eqn:E; [split; [apply reached_refl|left; exact E]|].
    set (e := by_parts T room n (S key)). set (w := if reached v e then v else _).
    assert (X : reached w v = true /\ (enough w = true \/ forall g, g < guesses B -> byte_at (keys B s) g = S key ->
      weighed T room n s w g)).
    { unfold w. destruct (reached v e) eqn:R.
      - split; [apply reached_refl|right]. intros g _ Hk. right; left. rewrite Hk. exact R.
      - set (enough' := fun v0 => enough v0 || reached v0 e).
        assert (St' : stays enough').
        { intros a a' Ha Hb. unfold enough' in *. apply orb_prop in Hb as [Hb|Hb].
          - rewrite (St a a' Ha Hb). reflexivity.
          - rewrite (reached_trans _ _ _ Ha Hb). apply orb_true_r. }
        destruct (least_of_true T room n s enough' St' (places (keys B s) (guesses B) (S key)) v) as [H1 H2].
        split; [exact H1|]. destruct H2 as [H2|H2].
        + apply orb_prop in H2 as [H2|H2]; [left; exact H2|right]. intros g _ Hk. right; left. rewrite Hk. exact H2.
        + right. intros g Hg Hk. right; right. apply H2, places_are. auto. }
    clearbody w. destruct X as [X1 X2]. destruct (IH w) as [H1 H2].
    split; [exact (reached_trans _ _ _ H1 X1)|]. destruct H2 as [H2|H2]; [left; exact H2|].
    destruct X2 as [X2|X2]; [left; exact (St _ _ H1 X2)|right]. intros g Hg Hk.
    destruct (Nat.eq_dec (byte_at (keys B s) g) (S key)) as [Q|Q]; [|apply H2; [exact Hg|lia]].
    exact (weighed_less _ _ _ _ _ _ _ H1 (X2 g Hg Q)).
Qed.

Lemma weighed_true K T s d v g :
  proper s -> s <> [] -> fits col K P s -> table_true K T -> g < guesses B ->
  weighed T (room_of T (pre d)) (List.length s) s v g -> (exists a, part col g (S a) s = s) \/ ask_lb col d g s v.
Proof.
  intros H N F HT Hg [U|[U|U]].
  - left. apply useless_true; assumption.
  - right. apply (ask_lb_reached _ _ _ _ _ U), (by_parts_true K); assumption.
  - right. apply (ask_lb_reached _ _ _ _ _ U), (by_sizes_true K); assumption.
Qed.

Lemma ahead_true whole s d : proper s -> s <> [] -> lb col d s (ahead whole s d).
Proof.
  intros H N. pose proof (proper_fits s H) as F. unfold ahead. cbv zeta.
  fold (most_parts s). set (T := table_for (most_parts s)).
  assert (HT : table_true (most_parts s) T) by apply tables_true.
  assert (Fl : lb col d s (costs T d (List.length s))) by (apply HT; [exact F|apply H]).
  set (floor := costs T d (List.length s)) in *. destruct (finite floor) eqn:Ff.
  2: { destruct floor; [discriminate|exact Fl]. }
  set (enough := fun v => reached v floor || (whole && finite v)).
  assert (St : stays enough).
  { intros v v' R E. unfold enough in *. apply orb_prop in E as [E|E].
    - rewrite (reached_trans _ _ _ R E). reflexivity.
    - apply andb_prop in E as [-> E]. destruct v, v'; try discriminate. apply orb_true_r. }
  destruct (least_below_true T (room_of T (pre d)) (List.length s) s enough St (S (largest_byte (keys B s))) None)
    as [_ X].
  set (v := least_below _ _ _ _ _ _ _ _) in *. destruct (whole && finite v) eqn:W; [exact Fl|].
  apply lb_greater; [exact Fl|]. destruct X as [X|X].
  - unfold enough in X. rewrite W, orb_false_r in X. exact (lb_reached _ _ _ _ X Fl).
  - apply (lb_by_asking col (guesses B)); [exact N|apply columns, H|]. intros g Hg.
    apply (weighed_true (most_parts s) T); try assumption. apply X; [exact Hg|].
    pose proof (key_most s g). lia.
Qed.

(** *** Memory *)

Lemma known_true mem s d whole : all fact_true mem -> lb col d s (fst (known mem s d whole)).
Proof.
  intros H. unfold known.
  assert (X : forall f, In f (find (hash s) mem) -> fact_true f) by (intros f; apply all_find, H).
  revert X. generalize (find (hash s) mem) as l.
  match goal with |- forall l, _ -> lb _ _ _ (fst (fold_left ?step l ?v)) =>
    cut (forall l v', (forall f, In f l -> fact_true f) -> lb col d s (fst v') -> lb col d s (fst (fold_left step l v')))
  end; [intros C l X; apply C; [exact X|apply lb_zero]|].
  induction l as [|f l IH]; intros v X Z; [exact Z|]. cbn [fold_left].
  apply IH; [intros f' Hf; apply X; right; exact Hf|].
  destruct (same_set (set_of f) s && deeper (depth_of f) d) eqn:E; [|exact Z].
  apply andb_prop in E as [E1 E2]. apply same_set_eq in E1. cbn [fst]. apply lb_greater; [exact Z|].
  rewrite <- E1. apply (lb_weaker col (depth_of f)); [intros k; apply deeper_within, E2|]. apply X; left; reflexivity.
Qed.

Lemma proved_true mem s d b : all fact_true mem -> proved mem s d b = true -> lb col d s b.
Proof.
  intros H E. apply existsb_exists in E as [f [Hf E]]. apply andb_prop in E as [E E4]. apply andb_prop in E as [E E3].
  apply andb_prop in E as [_ E2]. apply same_set_eq in E4. subst s. pose proof (all_find _ _ _ _ _ H Hf) as Q.
  assert (X : forall d', deeper (depth_of f) d' = true -> lb col d' (set_of f) b).
  { intros d' D. apply (lb_reached _ _ _ _ E3), (lb_weaker col (depth_of f)); [|exact Q].
    intros k. apply deeper_within, D. }
  destruct d as [d|]; [|apply lb_deep, X, E2]. destruct (Nat.le_gt_cases d (List.length (set_of f))) as [L|L].
  - rewrite Nat.min_l in E2 by exact L. apply X, E2.
  - rewrite Nat.min_r in E2 by lia. apply lb_deep, X, E2.
Qed.

Lemma remember_true mem s d b k : all fact_true mem -> lb col d s b -> all fact_true (remember s d b k mem).
Proof. intros H Hb. apply all_insert; assumption. Qed.

(** *** Asking *)

Lemma split_true g s d vs b :
  proper s -> g < guesses B -> Forall2 (lb col (pre d)) (split g s) vs ->
  reached b (plus (Some (List.length s)) (plus_all vs)) = true -> ask_lb col d g s b.
Proof.
  intros H Hg V R.
  assert (E : exists us, Forall2 (fun a => lb col (pre d) (part col g (S a) s)) (seq 0 (responses B - 1)) us /\
    plus_all us = plus_all vs).
  { unfold split, buckets, range in V.
    assert (Q : tl (map (fun r => filter (fun x => reply B g x =? r) s) (seq 0 (responses B)))
      = map (fun a => part col g (S a) s) (seq 0 (responses B - 1))).
    { destruct (responses B) as [|m]; [reflexivity|]. cbn [seq map tl]. rewrite Nat.sub_succ, Nat.sub_0_r.
      rewrite <- seq_shift, map_map. apply map_ext. intros a. symmetry. apply part_is; [apply H|exact Hg]. }
    rewrite Q in V. clear - V. revert vs V. generalize (seq 0 (responses B - 1)).
    induction l as [|a l IH]; intros vs V; cbn [map filter] in V.
    { inversion V; subst. exists []. split; [constructor|reflexivity]. }
    destruct (part col g (S a) s) as [|x p] eqn:E.
    - destruct (IH vs V) as [us [U1 U2]]. exists (Some 0 :: us). split; [constructor; [rewrite E; apply lb_zero|exact U1]|].
      cbn [plus_all fold_right]. fold (plus_all us). rewrite U2. unfold plus_all. destruct (fold_right _ _ vs); reflexivity.
    - inversion V as [|? v ? vs' V1 V2]; subst. destruct (IH vs' V2) as [us [U1 U2]]. exists (v :: us).
      split; [constructor; [rewrite E; exact V1|exact U1]|]. cbn [plus_all fold_right].
      fold (plus_all us) (plus_all vs'). rewrite U2. reflexivity. }
  destruct E as [us [U1 U2]]. apply by_number in U1 as [bs [E U1]].
  apply (ask_lb_reached _ _ _ _ _ R). rewrite <- U2, E. apply ask_lb_sum. exact U1.
Qed.

Lemma fold_plus l : forall a, fold_left plus l a = plus a (plus_all l).
Proof.
  induction l as [|x l IH]; intros a; cbn [fold_left plus_all fold_right].
  - symmetry. apply plus_zero.
  - rewrite IH. symmetry. apply plus_assoc.
Qed.

Lemma improve_true d b whole : forall todo sum mem yes mem' base,
  (forall s k, In (s, k) todo -> proper s /\ lb col d s (fst k)) -> all fact_true mem ->
  plus (Some base) (plus_all (map (fun p => fst (snd p)) todo)) = Some sum ->
  improve d b whole sum todo mem = (yes, mem') ->
  all fact_true mem' /\ (yes = true ->
    exists vs, Forall2 (fun p v => lb col d (fst p) v) todo vs /\ reached b (plus (Some base) (plus_all vs)) = true).
Proof.
  induction todo as [|[s [v looked]] todo IH]; intros sum mem yes mem' base H M E I; cbn [improve] in I.
  - assert (Q : mem' = mem /\ (yes = true -> reached b (Some sum) = true))
      by (destruct (reached b (Some sum)); injection I as <- <-; split; [reflexivity|auto|reflexivity|discriminate]).
    destruct Q as [-> Q]. split; [exact M|]. intros Y. exists []. split; [constructor|].
    cbn in E. cbn. rewrite E. apply Q, Y.
  - destruct (H s (v, looked) (or_introl eq_refl)) as [Hp Hv]. cbn [fst] in Hv.
    assert (H' : forall s' k, In (s', k) todo -> proper s' /\ lb col d s' (fst k)) by (intros; apply H; right; assumption).
    destruct (reached b (Some sum)) eqn:R.
    { injection I as <- <-. split; [exact M|]. intros _. exists (map (fun p => fst (snd p)) ((s, (v, looked)) :: todo)).
      split; [|rewrite E; exact R]. clear - H. induction ((s, (v, looked)) :: todo) as [|[s' k] l IH]; constructor.
      - apply (H s' k). left; reflexivity.
      - apply IH. intros; apply H; right; assumption. }
    cbn [map plus_all fold_right fst snd] in E. fold (plus_all (map (fun p => fst (snd p)) todo)) in E.
    destruct v as [v|]; [|discriminate].
    remember (plus_all (map (fun p => fst (snd p)) todo)) as total eqn:Er. symmetry in Er.
    destruct total as [rest|]; [|discriminate]. cbn in E.
    assert (Skip : improve d b whole sum todo mem = (yes, mem') ->
      all fact_true mem' /\ (yes = true -> exists vs, Forall2 (fun p v => lb col d (fst p) v) ((s, (Some v, looked)) :: todo)
        vs /\ reached b (plus (Some base) (plus_all vs)) = true)).
    { intros I'. assert (E' : plus (Some (base + v)) (Some rest) = Some sum)
        by (injection E as E; cbn; f_equal; lia).
      destruct (IH sum mem yes mem' (base + v) H' M E' I') as [A1 A2].
      split; [exact A1|]. intros Y. destruct (A2 Y) as [vs [V R']]. exists (Some v :: vs).
      split; [constructor; [exact Hv|exact V]|]. cbn [plus_all fold_right]. fold (plus_all vs). rewrite plus_assoc. exact R'. }
    destruct s as [|x [|y [|z s]]]; try (exact (Skip I)). destruct looked; [exact (Skip I)|].
    set (l := x :: y :: z :: s) in *. set (now := ahead whole l d) in *.
    assert (Hn : lb col d l now) by (apply ahead_true; [exact Hp|discriminate]).
    assert (M' : all fact_true (remember l d now (if whole && finite now then 1 else 2) mem))
      by (apply remember_true; assumption).
    destruct now as [now|].
    + assert (E' : plus (Some (base + max now v)) (Some rest) = Some (sum + (now - v)))
        by (injection E as E; cbn; f_equal; lia).
      destruct (IH (sum + (now - v)) _ yes mem' (base + max now v) H' M' E' I) as [A1 A2].
      split; [exact A1|]. intros Y. destruct (A2 Y) as [vs [V R']]. exists (Some (max now v) :: vs).
      split; [constructor; [exact (lb_greater _ _ _ _ Hn Hv)|exact V]|].
      cbn [plus_all fold_right]. fold (plus_all vs). rewrite plus_assoc. exact R'.
    + injection I as <- <-. split; [exact M'|]. intros _. exists (None :: map (fun p => fst (snd p)) todo). split.
      * constructor; [exact Hn|]. clear - H'. induction todo as [|[s' k] todo IH]; constructor.
        -- apply (H' s' k). left; reflexivity.
        -- apply IH. intros; apply H'; right; assumption.
      * destruct b; reflexivity.
Qed.

Lemma Forall2_map {A C D} (R : C -> D -> Prop) (f : A -> C) (h : A -> D) l :
  (forall a, In a l -> R (f a) (h a)) -> Forall2 R (map f l) (map h l).
Proof.
  induction l as [|a l IH]; intros H; constructor; [apply H; left; reflexivity|apply IH].
  intros; apply H; right; assumption.
Qed.

Lemma Forall2_fst {A C D} (R : A -> D -> Prop) (l : list (A * C)) vs :
  Forall2 (fun p v => R (fst p) v) l vs -> Forall2 R (map fst l) vs.
Proof. induction 1; constructor; assumption. Qed.

Lemma split_proper g s p : proper s -> g < guesses B -> In p (split g s) -> exists r, p = part col g r s.
Proof.
  intros H Hg I. apply filter_In in I as [I _].
  assert (Q : In p (buckets (responses B) (reply B g) s)) by (destruct (buckets _ _ _); [destruct I|right; exact I]).
  apply in_map_iff in Q as [r [<- _]]. exists r. symmetry. apply part_is; [apply H|exact Hg].
Qed.

Lemma ordered_permutes {A} (l : list (list nat * A)) : Permutation l (ordered l).
Proof.
  assert (Q : forall k (x : list nat * A) m, Permutation (x :: map snd m) (map snd (placed k x m))).
  { intros k x. induction m as [|y m IH]; [apply Permutation_refl|]. cbn [placed map].
    destruct (k <=? fst y); [apply Permutation_refl|]. cbn [map]. rewrite perm_swap. constructor. exact IH. }
  unfold ordered. induction l as [|x l IH]; [apply Permutation_refl|]. cbn [fold_right].
  etransitivity; [|apply Q]. constructor. exact IH.
Qed.

Lemma plus_swap a c x : plus a (plus c x) = plus c (plus a x).
Proof. destruct a, c, x; cbn; try reflexivity. f_equal. lia. Qed.

Lemma plus_all_permuted l m : Permutation l m -> plus_all l = plus_all m.
Proof.
  induction 1; cbn; [reflexivity|unfold plus_all in *; congruence|apply plus_swap|congruence].
Qed.

(** What is known part by part is known in any order. *)
Lemma Forall2_permuted {A} (R : A -> bound -> Prop) l m : Permutation l m -> forall vs, Forall2 R l vs ->
  exists us, Forall2 R m us /\ plus_all us = plus_all vs.
Proof.
  induction 1 as [|x l m _ IH|x y l|l m k _ IH1 _ IH2]; intros vs V.
  - inversion V; subst. exists []. split; [constructor|reflexivity].
  - inversion V as [|? v ? vs' V1 V2]; subst. destruct (IH vs' V2) as [us [U1 U2]]. exists (v :: us).
    split; [constructor; assumption|]. unfold plus_all in *. cbn. congruence.
  - inversion V as [|? v ? vs' V1 V2]; subst. inversion V2 as [|? w ? ws V3 V4]; subst. exists (w :: v :: ws).
    split; [repeat constructor; assumption|]. unfold plus_all. cbn. apply plus_swap.
  - destruct (IH1 vs V) as [us [U1 U2]]. destruct (IH2 us U1) as [ws [W1 W2]]. exists ws. split; [exact W1|congruence].
Qed.

Lemma asking_true K T s d b g mem yes mem' :
  table_true K T -> all fact_true mem -> proper s -> fits col K P s -> g < guesses B ->
  asking T s d b g mem = (yes, mem') -> all fact_true mem' /\ (yes = true -> ask_lb col d g s b).
Proof.
  intros HT HM H F Hg E. unfold asking in E. cbv zeta in E. unfold sum_of in E. rewrite !fold_plus, !map_map in E.
  cbn [snd fst] in E.
  assert (L : forall p, In p (split g s) -> lb col (pre d) p (costs T (pre d) (List.length p)) /\ proper p).
  { intros p Hp. destruct (split_proper g s p H Hg Hp) as [r ->]. pose proof (proper_part s g r H) as Q.
    split; [|exact Q]. apply (proj1 HT); [apply fits_part, F|apply Q]. }
  destruct (reached b _) eqn:R in E.
  { injection E as <- <-. split; [exact HM|]. intros _.
    apply (split_true g s d (map (fun p => costs T (pre d) (List.length p)) (split g s))); [exact H|exact Hg| |exact R].
    rewrite <- (map_id (split g s)) at 1. apply Forall2_map. intros p Hp. apply L, Hp. }
  unfold known_all in E. rewrite !map_map in E. cbn [fst snd] in E.
  set (vs := map _ (split g s)) in E. set (todo := map _ (split g s)) in E.
  assert (T1 : forall p k, In (p, k) todo -> proper p /\ lb col (pre d) p (fst k)).
  { intros p k I. apply in_map_iff in I as [q [[= -> <-] I]]. cbn [fst]. destruct (L p I) as [L1 L2].
    split; [exact L2|]. apply lb_greater; [exact L1|].
    destruct p as [|x [|y [|z p]]]; try apply lb_zero. apply known_true, HM. }
  assert (V : vs = map (fun p => fst (snd p)) todo) by (unfold vs, todo; rewrite map_map; reflexivity).
  assert (T2 : map fst todo = split g s) by (unfold todo; rewrite map_map; apply map_id).
  destruct (plus (Some (List.length s)) (plus_all vs)) as [sum|] eqn:Q.
  - rewrite V in Q. pose proof (ordered_permutes todo) as O.
    rewrite (plus_all_permuted _ _ (Permutation_map _ O)) in Q.
    assert (T1' : forall p k, In (p, k) (ordered todo) -> proper p /\ lb col (pre d) p (fst k))
      by (intros p k I; apply T1, (Permutation_in _ (Permutation_sym O)), I).
    destruct (improve_true (pre d) b _ (ordered todo) sum mem yes mem' (List.length s) T1' HM Q E) as [A1 A2].
    split; [exact A1|]. intros Y. destruct (A2 Y) as [us [U R']].
    destruct (Forall2_permuted _ _ _ (Permutation_sym O) us U) as [ws [W1 W2]]. rewrite <- W2 in R'.
    apply (split_true g s d ws); [exact H|exact Hg| |exact R']. rewrite <- T2. apply Forall2_fst, W1.
  - injection E as <- <-. split; [exact HM|]. intros _.
    apply (split_true g s d vs); [exact H|exact Hg| |rewrite Q; destruct b; reflexivity].
    rewrite <- T2, V. apply Forall2_map. intros [p k] I. apply (T1 p k I).
Qed.

(** *** Renamings *)

Definition renames (images : words) : Prop :=
  guesses B = secrets B /\ (forall g, g < guesses B -> word_at images g < guesses B) /\
  Permutation (map (word_at images) (range (guesses B))) (range (guesses B)) /\ forall g x, g < guesses B ->
    x < secrets B -> reply B (word_at images g) (word_at images x) = reply B g x.

Section Passing.

Variable s : list nat.
Variable d : option nat.
Variable b : bound.

Definition cleared (g : nat) : Prop := ask_lb col d g s b.

Lemma alike_image images g :
  proper s -> renames images -> keeps s images = true -> g < guesses B ->
  cleared (word_at images g) <-> cleared g.
Proof.
  intros [H _] [Sq [Im [Q R]]] K Hg. apply same_words_eq in K. rewrite Sq in *. set (n := secrets B) in *.
  assert (Q1 : Permutation (map (word_at images) s) s).
  { rewrite <- (map_id s) at 2. apply (tally_permutes n); [intros x Hx; apply Im, H, Hx|exact H|exact K]. }
  assert (Back : forall h, h < n -> cleared (word_at images h) -> cleared h).
  { intros h Hh C. set (up := fun y => if y <? n then word_at images y else y).
    assert (U : forall y, y < n -> up y = word_at images y) by (intros y Hy; unfold up;
      apply Nat.ltb_lt in Hy as ->; reflexivity).
    rewrite <- (U h Hh) in C. refine (ask_lb_renamed col up d h s b _ _ C).
    - intros x Hx k. apply H in Hx. rewrite (U x Hx), !col_is by (try apply Im; assumption).
      unfold up. destruct (Nat.ltb_spec k n) as [Hk|Hk].
      + pose proof (Im k Hk) as Ik. apply Nat.ltb_lt in Ik as ->. f_equal. apply R; assumption.
      + apply Nat.ltb_ge in Hk as ->. reflexivity.
    - rewrite (map_ext_in up (word_at images)); [exact Q1|]. intros x Hx. apply U, H, Hx. }
  split; [apply Back, Hg|]. apply (around cleared (word_at images) (range n));
    [apply seq_NoDup|exact Q| |apply in_seq; lia].
  intros y Hy. apply in_seq in Hy. apply Back. lia.
Qed.

Definition orbits_true (l : words) : Prop :=
  forall g, g < guesses B -> word_at l g < guesses B /\ (cleared (word_at l g) <-> cleared g).

(** The label of guesses that are cleared. *)
Definition label_true (label : nat -> nat) (l : nat) : Prop := forall g, g < guesses B -> label g = l -> cleared g.

Variable ask : nat -> memory -> bool * memory.

Hypothesis ask_true : forall g mem yes mem', g < guesses B -> all fact_true mem -> ask g mem = (yes, mem') ->
  all fact_true mem' /\ (yes = true -> cleared g).

Lemma all_pass_true : forall weak mem yes mem',
  (forall g, In g weak -> g < guesses B) -> all fact_true mem -> all_pass ask weak mem = (yes, mem') ->
  all fact_true mem' /\ (yes = true -> forall g, In g weak -> cleared g).
Proof.
  induction weak as [|g weak IH]; intros mem yes mem' L M E; cbn [all_pass] in E.
  - injection E as <- <-. split; [exact M|intros _ g []].
  - destruct (ask g mem) as [y m] eqn:A.
    destruct (ask_true g mem y m (L g (or_introl eq_refl)) M A) as [A1 A2].
    destruct y; [|injection E as <- <-; split; [exact A1|discriminate]].
    destruct (IH m yes mem') as [I1 I2]; [intros; apply L; right; assumption|exact A1|exact E|].
    split; [exact I1|]. intros Y h [<-|Hh]; [auto|apply I2; assumption].
Qed.

Lemma some_pass_true l : orbits_true l -> forall gs passed mem passed' mem',
  (forall g, In g gs -> g < guesses B) -> all fact_true mem -> all (label_true (word_at l)) passed ->
  some_pass ask (word_at l) gs passed mem = (passed', mem') ->
  all fact_true mem' /\ all (label_true (word_at l)) passed'.
Proof.
  intros O. induction gs as [|g gs IH]; intros passed mem passed' mem' L M Q E; cbn [some_pass] in E.
  - injection E as <- <-. auto.
  - assert (L' : forall h, In h gs -> h < guesses B) by (intros; apply L; right; assumption).
    destruct (passes (word_at l g) passed); [exact (IH _ _ _ _ L' M Q E)|].
    destruct (ask g mem) as [y m] eqn:A. pose proof (L g (or_introl eq_refl)) as Hg.
    destruct (ask_true g mem y m Hg M A) as [A1 A2]. refine (IH _ _ _ _ L' A1 _ E).
    destruct y; [|exact Q]. apply all_insert; [|exact Q]. intros h Hh X.
    apply (proj2 (O h Hh)). rewrite X. apply (proj2 (O g Hg)), A2. reflexivity.
Qed.

Lemma passes_true label g passed : all (label_true label) passed -> passes (label g) passed = true -> g < guesses B ->
  cleared g.
Proof.
  intros Q H Hg. apply existsb_exists in H as [h [Hh E]]. apply Nat.eqb_eq in E.
  exact (all_find _ _ _ _ _ Q Hh g Hg E).
Qed.

End Passing.

Lemma judge_true s d b renamings named mem yes mem' :
  proper s -> all fact_true mem -> (forall images, In images renamings -> renames images /\ keeps s images = true) ->
  (forall g, In g named -> g < guesses B) ->
  judge s d b renamings named mem = (yes, mem') -> all fact_true mem' /\ (yes = true -> lb col d s b).
Proof.
  intros H M R Nm E. unfold judge in E. cbv zeta in E. fold (most_parts s) in E.
  destruct (reached b (fst (known mem s d false))) eqn:Q1.
  { injection E as <- <-. split; [exact M|]. intros _. exact (lb_reached _ _ _ _ Q1 (known_true mem s d false M)). }
  pose proof (proper_fits s H) as F. set (T := table_for (most_parts s)) in *.
  assert (HT : table_true (most_parts s) T) by apply tables_true.
  destruct (reached b (costs T d (List.length s))) eqn:Q2.
  { injection E as <- <-. split; [exact M|]. intros _. apply (lb_reached _ _ _ _ Q2). apply HT; [exact F|apply H]. }
  destruct (Nat.eqb_spec (List.length s) 0) as [Z|Z]; [injection E as <- <-; split; [exact M|discriminate]|].
  assert (N : s <> []) by (intros ->; apply Z; reflexivity).
  set (n := List.length s) in *. set (room := room_of T (pre d)) in *. set (ks := keys B s) in *.
  set (at_once := make_words _ _) in *. set (weak := filter _ _) in *.
  assert (W : forall g, g < guesses B -> In g weak \/ (exists a, part col g (S a) s = s) \/ ask_lb col d g s b).
  { intros g Hg. destruct (in_dec Nat.eq_dec g weak) as [I|I]; [left; exact I|right].
    apply (weighed_true (most_parts s) T); try assumption.
    destruct (reached b (by_sizes T room n g s)) eqn:Y; [right; right; exact Y|].
    destruct (Nat.eqb_spec (word_at at_once (byte_at ks g)) 0) as [A|A].
    { exfalso. apply I, filter_In. split; [apply in_seq; lia|]. rewrite A, Y. reflexivity. }
    unfold at_once in A. rewrite make_at in A. pose proof (key_most s g) as Km. fold ks in Km.
    destruct (Nat.ltb_spec (byte_at ks g) (S (largest_byte ks))) as [Kl|Kl]; [|lia].
    set (f := fun key => (key <=? 2) || reached b (by_parts T room n key)) in *.
    assert (X : nth (byte_at ks g) (map f (range (S (largest_byte ks)))) false = f (byte_at ks g)).
    { rewrite nth_indep with (d' := f 0) by (unfold range; rewrite map_length, seq_length; lia).
      rewrite (map_nth f). unfold range. rewrite seq_nth by lia. reflexivity. }
    rewrite X in A. destruct (f (byte_at ks g)) eqn:Fk; [|contradiction].
    unfold f in Fk. apply orb_prop in Fk as [Fk|Fk]; [left; apply Nat.leb_le; exact Fk|right; left; exact Fk]. }
  assert (Lw : forall g, In g weak -> g < guesses B) by (intros g I; apply filter_In in I as [I _]; apply in_seq in I; lia).
  clearbody weak. clear at_once.
  assert (By : (forall g, In g weak -> ask_lb col d g s b) -> lb col d s b).
  { intros C. apply (lb_by_asking col (guesses B)); [exact N|apply columns, H|]. intros g Hg.
    destruct (W g Hg) as [I|X]; [right; apply C, I|exact X]. }
  assert (A : forall g mem yes mem', g < guesses B -> all fact_true mem -> asking T s d b g mem = (yes, mem') ->
    all fact_true mem' /\ (yes = true -> cleared s d b g)).
  { intros g m y m' Hg Hm Ha. exact (asking_true (most_parts s) T s d b g m y m' HT Hm H F Hg Ha). }
  destruct renamings as [|im renamings].
  - destruct (all_pass_true s d b (asking T s d b) A weak mem yes mem' Lw M E) as [E1 E2]. split; [exact E1|].
    intros Y. apply By, E2, Y.
  - set (l := labels _ _ _ _) in E.
    assert (O : orbits_true s d b l).
    { intros g0 Hg0. refine (labels_true (cleared s d b) _ _ _ _ _ _ g0 Hg0).
      - intros images I g Hg. destruct (R images I) as [R1 R2]. split; [apply R1, Hg|apply alike_image; assumption].
      - intros g Hg. rewrite make_at. pose proof Hg as Hg'. apply Nat.ltb_lt in Hg' as ->.
        split; [exact Hg|reflexivity]. }
    destruct (some_pass _ _ _ _ _) as [passed m] eqn:Sp in E. injection E as <- <-.
    assert (Lr : forall g, In g (rev' named ++ weak) -> g < guesses B).
    { intros g Hg. apply in_app_or in Hg as [Hg|Hg]; [|apply Lw, Hg]. apply Nm.
      unfold rev' in Hg. rewrite rev_append_rev, app_nil_r in Hg. apply in_rev, Hg. }
    destruct (some_pass_true s d b (asking T s d b) A l O _ Nil _ _ _ Lr M I Sp) as [S1 S2].
    split; [exact S1|]. intros Y. apply By. intros g Hg.
    apply (passes_true s d b (word_at l) g passed S2); [|apply Lw, Hg].
    exact (proj1 (forallb_forall _ _) Y g Hg).
Qed.

Hypothesis renaming_true : forall p c images, renaming p c = Some images -> renames images.
Hypothesis image_true : forall p c s s', image p c s = Some s' -> (forall x, In x s -> x < secrets B) ->
  exists to, Permutation (map to s) s' /\
    forall x, In x s -> forall g, nth_error (col (to x)) (to g) = nth_error (col x) g.

Lemma renamed_true words_ s d b mem rest mem' :
  proper s -> all fact_true mem -> renamed words_ s d b mem = Some (rest, mem') -> all fact_true mem'.
Proof.
  intros H M E. destruct words_ as [|p [|c words_]]; try discriminate. cbn [renamed] in E.
  destruct (image p c s) as [s'|] eqn:Im; [|discriminate]. destruct (proved mem s' d b) eqn:Pr; [|discriminate].
  injection E as _ <-. apply remember_true; [exact M|].
  destruct (image_true _ _ _ _ Im (proj1 H)) as [to [Q K]].
  exact (lb_renamed col to d s s' b K Q (proved_true _ _ _ _ M Pr)).
Qed.

Lemma items_true fuel : forall here words_ s d b renamings named mem rest mem',
  proper s -> all fact_true mem -> (forall images, In images renamings -> renames images /\ keeps s images = true) ->
  (forall g, In g named -> g < guesses B) ->
  items fuel here words_ s d b renamings named mem = inl (rest, mem') -> lb col d s b /\ all fact_true mem'.
Proof.
  induction fuel as [|fuel IH]; intros here words_ s d b renamings named mem rest mem' H M R N E; [discriminate|].
  destruct words_ as [|w words_]; [discriminate|]. cbn [items] in E. destruct (is ")" w).
  { destruct (judge s d b renamings named mem) as [yes m] eqn:J.
    apply judge_true in J as [J1 J2]; [|assumption..]. destruct yes; [|discriminate]. injection E as <- <-.
    split; [auto|apply remember_true; auto]. }
  destruct (is "=" w).
  { destruct words_ as [|p [|c words_]]; try discriminate. destruct (renaming p c) as [images|] eqn:Q; [|discriminate].
    destruct (keeps s images) eqn:Kp; [|discriminate]. apply IH in E; [exact E|assumption..| |assumption].
    intros i [<-|Hi]; [split; [exact (renaming_true _ _ _ Q)|exact Kp]|auto]. }
  destruct words_ as [|x' [|c [|o words_]]]; try discriminate.
  destruct (place w) as [g|]; [|discriminate]. destruct (place x') as [x|]; [|discriminate].
  destruct (bound_in c) as [b'|]; [|discriminate]. cbv zeta in E.
  destruct (_ && _) eqn:G in E; [|discriminate]. apply andb_prop in G as [G _]. apply andb_prop in G as [G _].
  apply Nat.ltb_lt in G. rewrite <- part_is in E by (try apply H; assumption).
  set (s' := part col g (reply B g x) s) in *.
  assert (H' : proper s') by (apply proper_part, H).
  assert (N' : forall h, In h (g :: named) -> h < guesses B) by (intros h [<-|Hh]; auto).
  destruct (is "." o).
  { destruct (judge s' (pre d) b' [] [] mem) as [yes m] eqn:J.
    apply judge_true in J as [J1 J2]; [|assumption..|intros ? []|intros ? []]. destruct yes; [|discriminate].
    apply IH in E; [exact E|exact H|apply remember_true; auto|exact R|exact N']. }
  destruct (is "(" o).
  { destruct (items fuel _ words_ s' (pre d) b' [] [] mem) as [[words' mem'']|] eqn:Q; [|discriminate].
    apply IH in Q as [_ Q]; [|assumption..|intros ? []|intros ? []]. apply IH in E; assumption. }
  destruct (is "~" o); [|discriminate].
  destruct (renamed words_ s' (pre d) b' mem) as [[words' mem'']|] eqn:Q; [|discriminate].
  apply renamed_true in Q; [|assumption..]. apply IH in E; assumption.
Qed.

Lemma whole_true words_ d b : proper whole -> refusal words_ d b = None -> lb col d whole b.
Proof.
  intros H E. destruct words_ as [|o words_]; [discriminate|]. cbn [refusal] in E.
  assert (N : forall images : Vector.words, In images [] -> renames images /\ keeps whole images = true) by (intros ? []).
  assert (N' : forall g : nat, In g [] -> g < guesses B) by (intros ? []).
  assert (Z : all fact_true Nil) by exact I.
  destruct (is "." o).
  { destruct (judge _ _ _ _ _ _) as [yes m] eqn:J in E. destruct yes; [|discriminate].
    apply judge_true in J as [_ J]; [apply J; reflexivity|assumption..]. }
  destruct (is "(" o); [|discriminate].
  destruct (items _ _ _ _ _ _ _ _) as [[[|] mem]|] eqn:Q in E; try discriminate.
  apply items_true in Q as [Q _]; assumption.
Qed.

End Checker.
