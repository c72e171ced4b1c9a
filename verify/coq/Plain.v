(** A plain checker of claims about sets of secrets, for all goals, and why what it accepts is true. It adds up what
    counting says of the parts of each guess, looks one step ahead, and remembers. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String.
From Proof Require Import Text Store Vector Theory Counting Trees.
From Proof Require Board.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Sets, rising *)

Fixpoint equal (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && equal a b
  | _, _ => false
  end.

Lemma equal_eq a b : equal a b = true -> a = b.
Proof.
  revert b; induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  intros H. apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. f_equal; auto.
Qed.

(** All of [a] is in [b]. *)
Fixpoint inside (a b : list nat) : bool :=
  match b with
  | [] => empty a
  | y :: b => match a with [] => true | x :: rest => if x =? y then inside rest b else inside a b end
  end.

Lemma inside_incl a b : inside a b = true -> incl a b.
Proof.
  revert a; induction b as [|y b IH]; intros a H; cbn in H.
  - destruct a; [apply incl_refl|discriminate].
  - destruct a as [|x a]; [intros z []|]. destruct (Nat.eqb_spec x y) as [->|_].
    + intros z [<-|Hz]; [left; reflexivity|right; exact (IH a H z Hz)].
    + intros z Hz. right. exact (IH _ H z Hz).
Qed.

Fixpoint rising (l : list nat) : bool :=
  match l with x :: (y :: _) as rest => (x <? y) && rising rest | _ => true end.

Lemma rising_nodup l : rising l = true -> NoDup l.
Proof.
  assert (A : forall l x, rising (x :: l) = true -> forall y, In y l -> x < y).
  { intros l'. induction l' as [|z l' IH]; intros x H y Hy; [destruct Hy|].
    cbn in H. apply andb_prop in H as [H1 H2]. apply Nat.ltb_lt in H1.
    destruct Hy as [<-|Hy]; [exact H1|]. specialize (IH z H2 y Hy). lia. }
  induction l as [|x l IH]; intros H; constructor.
  - intros I. specialize (A l x H x I). lia.
  - apply IH. destruct l; [reflexivity|]. cbn in H. apply andb_prop in H. tauto.
Qed.

Definition deeper (d d' : option nat) : bool :=  (* within [d'] is within [d] *)
  match d, d' with None, _ => true | Some _, None => false | Some x, Some y => y <=? x end.

Lemma deeper_fewer d d' : deeper d d' = true -> fewer d' d.
Proof. destruct d, d'; cbn; try tauto; try discriminate. apply Nat.leb_le. Qed.

(** ** What is known *)

Record fact := { set_of : list nat; depth_of : option nat; bound_of : bound;
  looks : nat }.  (* 0: proved; 1, 2: by looking ahead, whether it can be settled, or all *)

Definition memory := store fact.

Definition wide : nat := Nat.pow 2 20.

Definition seed : nat.
Proof. exact (Nat.pow 3 18). Qed.

Definition hash (s : list nat) : nat :=
  fold_left (fun h x => Nat.land ((Nat.lxor h (Nat.shiftr h 15) + x + 1) * seed) (Nat.ones 30)) s 0.

(** The best bound of a set, and whether a look ahead shows no more. [all]: it is only asked whether the set can be
    settled. *)
Definition known (mem : memory) (s : list nat) (d : option nat) (all : bool) : bound * bool :=
  fold_left (fun v f =>
      if equal (set_of f) s && deeper (depth_of f) d
      then (greater (fst v) (bound_of f),
            snd v || (deeper d (depth_of f) && ((looks f =? 2) || (all && (looks f =? 1))))) else v)
    (find (hash s) mem) (Some 0, false).

(** Whether a lemma showed as much of the set. *)
Definition proved (mem : memory) (s : list nat) (d : option nat) (b : bound) : bool :=
  existsb (fun f => (looks f =? 0) && deeper (depth_of f) d && reached b (bound_of f) && equal (set_of f) s)
    (find (hash s) mem).

Definition remember (s : list nat) (d : option nat) (b : bound) (looks : nat) (mem : memory) : memory :=
  insert (hash s) {| set_of := s; depth_of := d; bound_of := b; looks := looks |} mem.

(** ** Tables of counting *)

(** What so many secrets cost at least; the most secrets that 0, 1, ... guesses settle, and that there are; the most
    parts; and by number of parts, for each number of secrets that may be won, prices of a place with what they
    overpay. *)
Record table := {
  least : words;
  caps : list nat;
  top : nat;
  fan : nat;
  priced : list (delayed (list (list (nat * nat)))) }.

(** The most secrets that are settled. *)
Definition room_of (T : table) (d : option nat) : nat :=
  match d with None => top T | Some d => nth d (caps T) (top T) end.

Definition cost_in (T : table) (room n : nat) : bound := if n <=? room then Some (word_at (least T) n) else None.

Definition costs (T : table) (d : option nat) (n : nat) : bound := cost_in T (room_of T d) n.

Definition at_best (n w : nat) (ps : list (nat * nat)) : nat :=
  fold_left (fun v pd => max v (n + fst pd * (n - w) - snd pd)) ps 0.

Definition least_in (l : list nat) : nat := match l with [] => 0 | v :: vs => fold_left min vs v end.

Definition finite (v : bound) : bool := match v with Some _ => true | None => false end.

(** Parts of about as many secrets as there are answers gain most for what a look at them takes: they go first. *)
Definition distance (most : nat) (s : list nat) : nat := let n := List.length s in (n - most) + (most - n).

Fixpoint placed {A} (k : nat) (x : A) (l : list (nat * A)) : list (nat * A) :=
  match l with
  | [] => [(k, x)]
  | y :: rest => if k <=? fst y then (k, x) :: l else y :: placed k x rest
  end.

Definition ordered {A} (most : nat) (l : list (list nat * A)) : list (list nat * A) :=
  map snd (fold_right (fun x l => placed (distance most (fst x)) x l) [] l).

(** What is overpaid at the price [p] of a place, with at most [k] parts. *)
Fixpoint overpaid_by (p k : nat) (profile tab : list nat) : nat :=
  match profile, tab with
  | u :: profile, a :: ((b :: _) as rest) => (p + a - b) * min u k + overpaid_by p k profile rest
  | _, _ => 0
  end.

Definition prices : list nat := seq 0 40.

Fixpoint rows_good (n w : nat) (priced : list (nat * nat)) (tab : list nat) : bool :=
  match tab with
  | [] => true
  | a :: tab => existsb (fun pd => a + snd pd <=? n + fst pd * (n - w)) priced && rows_good (S n) w priced tab
  end.

Definition table_good (K : nat) (ws profile tab : list nat) : bool :=
  match tab with
  | 0 :: rest =>
      forallb (fun w => rows_good 1 w (map (fun p => (p, overpaid_by p (K - w) profile tab)) prices) rest) ws
  | _ => false
  end.

(** A table that should be good: each number of secrets at the best price, by the places below. *)
Fixpoint fill (steps n before : nat) (priced : list (nat * list nat)) (K : nat) (ws profile : list nat) : list nat :=
  match steps with
  | 0 => []
  | S steps =>
      let best iw :=
        fold_left (fun v pd => max v (n + fst pd * (n - snd iw) - nth (fst iw) (snd pd) 0)) priced 0 in
      let now := least_in (map best (combine (seq 0 (List.length ws)) ws)) in
      let u := hd 0 profile in
      let paid (pd : nat * list nat) :=
        let excess := fst pd + before - now in
        (fst pd, map (fun wv => snd wv + excess * min u (K - fst wv)) (combine ws (snd pd))) in
      now :: fill steps (S n) now (map paid priced) K ws (tl profile)
  end.

Definition filled (n K : nat) (ws profile : list nat) : list nat :=
  0 :: fill n 1 0 (map (fun p => (p, map (fun _ => 0) ws)) prices) K ws profile.

Fixpoint total_room (n k : nat) (profile : list nat) : nat :=
  match n, profile with
  | S n, u :: profile => min u k + total_room n k profile
  | _, _ => 0
  end.

Fixpoint capacities (steps now free K : nat) (ws profile : list nat) : list nat :=
  now :: match steps with
         | 0 => []
         | S steps =>
             capacities steps (fold_left max (map (fun w => w + total_room now (K - w) profile) ws) free) free K ws profile
         end.

Definition limits : nat := 20.  (* beyond so many guesses, counting asks for no limit *)

Lemma overpaid_is p k w profile tab :
  overpaid_by p (k - w) profile tab
  = overpaid (fun j => nth j profile 0) (fun n => nth n tab 0) (pred (List.length tab)) k p w.
Proof.
  unfold overpaid, excess, room. generalize (k - w) as c. intros c.
  revert tab; induction profile as [|u l IH]; intros tab.
  - cbn [overpaid_by]. rewrite (sum_eq _ _ (fun _ => 0)); [symmetry; apply sum_zero|]. intros [|j] _; cbn; lia.
  - destruct tab as [|a [|b tab]]; try reflexivity. cbn [overpaid_by]. rewrite IH. cbn [List.length pred].
    rewrite sum_first. reflexivity.
Qed.

Lemma total_room_is n k w profile :
  total_room n (k - w) profile = sum (room (fun j => nth j profile 0) k w) (seq 0 n).
Proof.
  unfold room. generalize (k - w) as c. intros c. revert n; induction profile as [|u l IH]; intros n.
  - destruct n; cbn [total_room]; [reflexivity|]. rewrite (sum_eq _ _ (fun _ => 0)); [symmetry; apply sum_zero|].
    intros [|j] _; cbn; lia.
  - destruct n as [|n]; [reflexivity|]. rewrite sum_first. cbn [total_room]. rewrite IH. reflexivity.
Qed.

Lemma yes_or_no (b : bool) : b = true \/ b = false.
Proof. destruct b; auto. Qed.

Section Plain.

Variable ans : nat -> nat -> nat.
Variables guesses secrets responses : nat.
Variable guess_of : nat -> nat.  (* which guess is this secret *)
Variables one only : bool.       (* to identify; only candidates are asked *)

Definition asked (s : list nat) : list nat :=
  if only then filter (fun g => g <? guesses) (map guess_of s) else range guesses.

Definition may (s : list nat) (g : nat) : Prop := In g (asked s).

Definition ws : list nat := if one then [0] else if only then [1] else [0; 1].

(** How many secrets give each answer. *)
Definition sizes (g : nat) (s : list nat) : list nat := list_of (tally responses (ans g) s).

Definition count_parts (z : list nat) : nat := List.length (filter (Nat.ltb 0) z).

Definition most (s : list nat) : nat := fold_left (fun m g => max m (count_parts (sizes g s))) (asked s) 0.

Definition whole : list nat := range secrets.

(** *** The profile: how many parts, at most, have more than 0, 1, ... secrets *)

Fixpoint larger (l m : list nat) : list nat :=
  match l, m with [], m => m | l, [] => l | x :: l, y :: m => max x y :: larger l m end.

Fixpoint place_falling (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: rest => if y <=? x then x :: l else y :: place_falling x rest end.

Definition falling (l : list nat) : list nat := fold_left (fun l x => place_falling x l) l [].

Definition above (j : nat) (l : list nat) : nat := List.length (filter (Nat.ltb j) l).

Definition ranks : list nat :=
  fold_left (fun l g => larger l (falling (filter (Nat.ltb 0) (tl (sizes g whole))))) (asked whole) [].

Definition profile_of (ranks : list nat) : list nat := map (fun j => above j ranks) (seq 0 (fold_left max ranks 0)).

Variable profile : list nat.

(** The answers to each guess as bytes, less one if [shifted]; and as a board, if that counts parts. *)
Variable rows : bytes.
Variable shifted : bool.
Variable board : option Board.board.
Variable columns : delayed bytes.  (* the same answers, secret by secret *)

Let shift : nat := Nat.b2n shifted.

Let P (j : nat) : nat := nth j profile 0.

(** *** Tables *)

Definition to_identify (K : nat) : list nat :=
  map (fun n => if n <=? 1 then 0 else leaves (max K 2) 1 n) (seq 0 (S secrets)).

Definition table_of (K : nat) : table :=
  let free := if one then 1 else 0 in
  let caps := capacities limits free free K ws profile in
  if one then {| least := words_of (to_identify K); caps := caps; top := secrets; fan := max K 2; priced := [] |}
  else
    let tab := filled secrets K ws profile in
    let good := table_good K ws profile tab in
    {| least := words_of (if good then tab else repeat 0 (S secrets));
       caps := caps;
       top := secrets;
       fan := 0;
       priced := map (fun k => Delay (
         if good then map (fun w => map (fun p => (p, overpaid_by p (k - w) profile tab)) prices) ws else []))
         (seq 0 (S K)) |}.

Variable tables : list (delayed table).  (* by the most parts that a guess makes *)

Definition trivial : table :=
  {| least := make_words (S secrets) (fun _ => 0); caps := []; top := secrets; fan := 0; priced := [] |}.

Definition table_for (K : nat) : table := match nth_error tables K with Some T => value T | None => trivial end.

(** *** Bounds *)

Definition clip (s : list nat) (d : option nat) : option nat :=
  let most := List.length s - if one then 1 else 0 in
  match d with None => Some most | Some d => Some (min d most) end.

(** At least what a guess costs by the sizes of its parts. *)
Definition by_sizes (T : table) (room n g : nat) (s : list nat) : bound :=
  sum_row responses (1 - shift) room (least T) rows 1 (g * secrets) s n.

(** How many parts each guess makes, as keys; the same key for all that need not be told apart. *)
Definition keys (s : list nat) : bytes :=
  match board with
  | Some B => Board.keys B s
  | None =>
      if only then
        let mine := tally guesses guess_of s in
        make_bytes guesses (fun g => if word_at mine g =? 0 then 0 else variety responses rows 1 (g * secrets) s)
      else varieties responses guesses (value columns) s
  end.

Definition parts_by (key : nat) : nat := match board with Some _ => Nat.div2 key | None => key end.

(** A guess by the number of its parts: no part has more secrets than are settled (L3), and L4. *)
Definition by_parts (T : table) (room n k : nat) : bound :=
  if max 1 room * k <? n then None
  else Some (if one then n + leaves (fan T) k n
             else least_in (map (fun wp => at_best n (fst wp) (snd wp)) (combine ws (value (nth k (priced T) (Delay [])))))).

(** The least over guesses with as many parts, as far as it matters. *)
Fixpoint least_of (T : table) (room n : nat) (s : list nat) (enough : bound -> bool) (v : bound) (gs : list nat) : bound :=
  match gs with
  | [] => v
  | g :: gs => if enough v then v else least_of T room n s enough (lesser v (by_sizes T room n g s)) gs
  end.

(** The least over guesses, those with the most parts first. One part tells nothing. *)
Fixpoint least_below (T : table) (room n : nat) (s : list nat) (ks : bytes) (enough : bound -> bool) (v : bound) (key : nat)
    : bound :=
  match key with
  | 0 => v
  | S below =>
      if (parts_by key <=? 1) || enough v then v
      else
        let e := by_parts T room n (parts_by key) in
        let v := if reached v e then v
                 else least_of T room n s (fun v => enough v || reached v e) v (Vector.places ks guesses key) in
        least_below T room n s ks enough v below
  end.

(** One step ahead (L5). [all]: it is only asked whether the set can be settled. *)
Definition ahead (all : bool) (s : list nat) (d : option nat) : bound :=
  let n := List.length s in
  let ks := keys s in
  let top := largest_byte ks in
  let T := table_for (parts_by top) in
  let floor := costs T d n in
  if finite floor then
    let enough v := reached v floor || (all && finite v) in
    let v := least_below T (room_of T (pre d)) n s ks enough None (S top) in
    if all && finite v then floor else greater floor v
  else None.

Definition small := (list nat * option nat)%type.

(** Whether a small set is in the set that cannot be settled (L7). *)
Definition holds_small (smalls : list small) (s : list nat) (d : option nat) : bool :=
  negb only && existsb (fun hd => deeper (snd hd) d && inside (fst hd) s) smalls.

(** Sets of which counting says enough. *)
Definition tiny (s : list nat) : bool := List.length s <? (if one then 2 else 3).

(** Whether the parts reach the bound, each looked into as long as the sum is too small. *)
Fixpoint improve (d : option nat) (b : bound) (all : bool) (sum : nat) (todo : list (list nat * (bound * bool)))
    (mem : memory) : bool * memory :=
  if reached b (Some sum) then (true, mem)
  else
    match todo with
    | [] => (false, mem)
    | (s, (v, looked)) :: todo =>
        if looked || tiny s then improve d b all sum todo mem
        else
          let c := clip s d in
          let now := ahead all s c in
          let mem := remember s c now (if all && finite now then 1 else 2) mem in
          match now, v with
          | Some now, Some v => improve d b all (sum + (now - v)) todo mem
          | _, _ => (true, mem)
          end
    end.

Definition parts_of (g : nat) (s : list nat) : list (list nat) :=
  filter (fun part => negb (empty part)) (tl (buckets responses (ans g) s)).

Definition known_all (mem : memory) (d : option nat) (all : bool) (counted : list (list nat * bound))
    : list (list nat * (bound * bool)) :=
  map (fun pv =>
    let k := if one && tiny (fst pv) then (Some 0, true) else known mem (fst pv) (clip (fst pv) d) all in
    (fst pv, (greater (snd pv) (fst k), snd k))) counted.

Definition sum_of (n : nat) (l : list bound) : bound := fold_left plus l (Some n).

Definition asking (T : table) (smalls : list small) (s : list nat) (d : option nat) (b : bound) (g : nat) (mem : memory)
    : bool * memory :=
  let n := List.length s in
  let d := pre d in
  let room := room_of T d in
  let all := negb (finite b) in
  let parts := parts_of g s in
  if all && existsb (fun part => holds_small smalls part d) parts then (true, mem)
  else
    let counted := map (fun part => (part, cost_in T room (List.length part))) parts in
    if reached b (sum_of n (map snd counted)) then (true, mem)
    else
      let todo := known_all mem d all counted in
      match sum_of n (map (fun pv => fst (snd pv)) todo) with
      | None => (true, mem)
      | Some sum => improve d b all sum (ordered responses todo) mem
      end.

(** *** Renamings *)

(** [exact]: all answers are kept. *)
Record renaming := { secret_to : words; guess_to : words; exact : bool }.

Definition first_answers (l : list nat) : list nat :=
  let first := inverse responses (words_of l) in map (word_at first) l.

(** Guess [g] splits a list as [h] splits another. *)
Definition alike (g : nat) (s : list nat) (h : nat) (s' : list nat) : bool :=
  let a := map (ans g) s in
  let b := map (ans h) s' in
  equal a b || equal (first_answers a) (first_answers b) && equal (map (fun r => Nat.b2n (r =? 0)) a) (map (fun r => Nat.b2n (r =? 0)) b).

Definition image_true (s : list nat) (to : list nat) (R : renaming) (g : nat) : bool :=
  negb (tells ans s g) ||
  (word_at (guess_to R) g <? guesses) && alike g s (word_at (guess_to R) g) to.

(** The renaming keeps the set, and each guess that tells it apart has an image. *)
Definition keeps (s : list nat) (R : renaming) : bool :=
  let to := map (word_at (secret_to R)) s in
  permuted secrets (word_at (secret_to R)) s &&
  forallb (fun x => x <? secrets) to &&
  (exact R && negb only || forallb (image_true s to R) (asked s)) &&
  (negb only ||
   forallb (fun x => negb (guess_of x <? guesses) || negb (tells ans s (guess_of x)) ||
                     (word_at (guess_to R) (guess_of x) =? guess_of (word_at (secret_to R) x))) s).

(** Guesses that renamings lead from a guess to: the pairs (image, guess). *)
Definition arrows := store (nat * nat).

Definition arrows_of (s : list nat) (renamings : list renaming) : arrows :=
  fold_left (fun t R => fold_left (fun t g =>
      if tells ans s g then insert (word_at (guess_to R) g) (word_at (guess_to R) g, g) t else t) (asked s) t)
    renamings Nil.

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

(** How it is seen whether a guess passes, and how it passes with all guesses that renamings make equal to it. *)
Record passing := { passes_in : nat -> store nat -> bool; passing_with : nat -> store nat -> store nat }.

(** One by one; by labels, where renamings are permutations of all guesses; by arrows. *)
Definition passing_of (s : list nat) (renamings : list renaming) : passing :=
  match renamings with
  | [] => {| passes_in := fun _ _ => false; passing_with := fun _ passed => passed |}
  | _ =>
      if negb only && forallb exact renamings then
        let label := word_at (labels guesses guesses (map guess_to renamings) (make_words guesses (fun g => g))) in
        {| passes_in := fun g => passes (label g); passing_with := fun g => insert (label g) (label g) |}
      else
        let to := arrows_of s renamings in
        {| passes_in := passes; passing_with := pass (List.length renamings) to |}
  end.

Fixpoint some_pass (ask : nat -> memory -> bool * memory) (A : passing) (named : list nat) (passed : store nat)
    (mem : memory) : store nat * memory :=
  match named with
  | [] => (passed, mem)
  | g :: named =>
      if passes_in A g passed then some_pass ask A named passed mem
      else
        let '(yes, mem) := ask g mem in
        some_pass ask A named (if yes then passing_with A g passed else passed) mem
  end.

(** Each guess passes, or one that renamings make equal to it: of a part of one of them more may be known. *)
Fixpoint all_pass (ask : nat -> memory -> bool * memory) (A : passing) (weak : list nat) (passed : store nat)
    (mem : memory) : bool * memory :=
  match weak with
  | [] => (true, mem)
  | g :: weak =>
      if passes_in A g passed then all_pass ask A weak passed mem
      else
        let '(yes, mem) := ask g mem in
        if yes then all_pass ask A weak (passing_with A g passed) mem
        else
          let equal := passing_with A g Nil in
          let '(passed, mem) := some_pass ask A (filter (fun h => passes_in A h equal) weak) passed mem in
          if passes_in A g passed then all_pass ask A weak passed mem else (false, mem)
  end.

(** What lemmas name is asked first, where renamings make other guesses equal to it. *)
Definition asked_first (renamings : list renaming) (weak named : list nat) : list nat :=
  match renamings with [] => [] | _ => filter (fun g => existsb (Nat.eqb g) weak) (rev' named) end.

(** The first guess that splits the set as a guess does. *)
Definition twin (s : list nat) (g : nat) : list nat :=
  match List.find (fun h => alike h s g s) (asked s) with Some h => [h] | None => [] end.

(** Whether the set is shown to cost at least the bound, asking this guess first, if there is one. *)
Definition judge (smalls : list small) (s : list nat) (d : option nat) (b : bound) (first : option nat)
    (renamings : list renaming) (named : list nat) (mem : memory) : bool * memory :=
  let n := List.length s in
  let c := clip s d in
  if reached b (fst (known mem s c false)) || match b with None => holds_small smalls s d | Some _ => false end
  then (true, mem)
  else
    let ks := keys s in
    let top := largest_byte ks in
    let T := table_for (parts_by top) in
    if reached b (costs T c n) then (true, mem)
    else if finished one s then (false, mem)
    else
      match first with
      | Some g => if existsb (Nat.eqb g) (asked s) then asking T smalls s d b g mem else (false, mem)
      | None =>
          let ask := asking T smalls s c b in
          let room := room_of T (pre c) in
          let evens := make_words (S top) (fun key => Nat.b2n (
            (parts_by key <=? 1) && (2 <=? n) || reached b (by_parts T room n (parts_by key)))) in
          let weak := filter (fun g =>
            (word_at evens (byte_at ks g) =? 0) && negb (reached b (by_sizes T room n g s))) (asked s) in
          let A := passing_of s renamings in
          let named := asked_first renamings weak named in
          let '(passed, mem) := some_pass ask A named Nil mem in
          let twins :=
            if forallb exact renamings || forallb (fun g => passes_in A g passed) weak then []
            else flat_map (twin s) named in
          let '(passed, mem) := some_pass ask A twins passed mem in
          all_pass ask A weak passed mem
      end.

(** ** Reading a proof *)

Variable place_of_guess place_of_secret : text -> option nat.

(** Reads what follows [=]: the renaming of a set, and the words behind it. *)
Variable read_renaming : list nat -> list text -> option (renaming * list text).

(** Reads what follows [~]: the image of a set, rising, and the words behind it. *)
Variable read_image : list nat -> list text -> option (list nat * list text).

Definition is (c : ascii) (w : text) : bool := match w with [x] => Ascii.eqb x c | _ => false end.

Definition number_in (w : text) : option nat := number_of_digits 12 w.

Definition bound_in (w : text) : option bound := if spells "inf" w then Some None else option_map Some (number_in w).

Fixpoint some_secrets (n : nat) (words_ : list text) : option (list nat * list text) :=
  match n, words_ with
  | 0, _ => Some ([], words_)
  | S n, w :: words_ =>
      match place_of_secret w, some_secrets n words_ with
      | Some x, Some (l, rest) => Some (x :: l, rest)
      | _, _ => None
      end
  | _, [] => None
  end.

(** A small set: how many, within how many guesses, which. *)
Definition small_set (words_ : list text) : option (small * list text) :=
  match words_ with
  | n :: d :: words_ =>
      match number_in n, number_in d with
      | Some n, Some d =>
          if negb only && (2 <=? n) && (n <=? 64) && (d <=? Nat.pow 10 5) then
            match some_secrets n words_ with
            | Some (h, rest) => if rising h && forallb (fun x => x <? secrets) h then Some ((h, Some d), rest) else None
            | None => None
            end
          else None
      | _, _ => None
      end
  | _ => None
  end.

Record state := { facts : memory; smalls : list small }.

(** What a claim is about: a set, guesses left, a bound, a first guess if it is fixed. *)
Record about := { members : list nat; left : option nat; least_cost : bound; begins : option nat }.

Definition keep (A : about) (mem : memory) : memory :=
  remember (members A) (clip (members A) (left A)) (least_cost A) 0 mem.

Definition shown (A : about) (renamings : list renaming) (named : list nat) (st : state) : bool * state :=
  let '(yes, mem) := judge (smalls st) (members A) (left A) (least_cost A) (begins A) renamings named (facts st) in
  (yes, {| facts := match yes, begins A with
                    | true, None => keep A mem
                    | _, _ => mem end;
           smalls := smalls st |}).

(** A claim behind [~]: what was proved of the image of its set. *)
Definition renamed (A : about) (words_ : list text) (st : state) : option (list text * state) :=
  match read_image (members A) words_ with
  | Some (to, rest) =>
      if proved (facts st) to (clip to (left A)) (least_cost A)
      then Some (rest, {| facts := keep A (facts st); smalls := smalls st |}) else None
  | None => None
  end.

Definition keep_small (s : small) (st : state) : state := {| facts := facts st; smalls := s :: smalls st |}.

(** The body of a claim from its items on; the words behind it, or the words from where it is refused. *)
Fixpoint items (fuel : nat) (top : bool) (here words_ : list text) (A : about) (renamings : list renaming)
    (named : list nat) (st : state) : (list text * state) + list text :=
  match fuel, words_ with
  | S fuel, w :: rest =>
      let lemma A' o rest after st :=
        if is "." o then
          let '(yes, st) := shown A' [] [] st in
          if yes then after rest st else inr (o :: rest)
        else if is "(" o then
          match items fuel false (o :: rest) rest A' [] [] st with
          | inl (rest, st) => after rest st
          | inr more => inr more
          end
        else if is "~" o then
          match renamed A' rest st with Some (rest, st) => after rest st | None => inr (o :: rest) end
        else inr (o :: rest) in
      if is ")" w then
        let '(yes, st) := shown A renamings named st in if yes then inl (rest, st) else inr here
      else if is "=" w then
        match read_renaming (members A) rest with
        | Some (R, rest) =>
            if keeps (members A) R then items fuel top here rest A (R :: renamings) named st else inr words_
        | None => inr words_
        end
      else if is "!" w then
        match (if top then small_set rest else None) with
        | Some (h, o :: rest) =>
            lemma {| members := fst h; left := snd h; least_cost := None; begins := None |} o rest
              (fun rest st => items fuel top here rest A renamings named (keep_small h st)) st
        | _ => inr words_
        end
      else
        match rest with
        | x :: c :: o :: rest =>
            match place_of_guess w, place_of_secret x, bound_in c with
            | Some g, Some x, Some b =>
                let r := ans g x in
                if existsb (Nat.eqb x) (members A) then
                  lemma {| members := filter (fun y => ans g y =? r) (members A); left := pre (left A);
                           least_cost := b; begins := None |} o rest
                    (fun rest st => items fuel top here rest A renamings (g :: named) st) st
                else inr words_
            | _, _, _ => inr words_
            end
        | _ => inr words_
        end
  | _, _ => inr words_
  end.

(** The words of a whole proof: nothing, or the words from where it is refused. *)
Definition refusal (words_ : list text) (d : option nat) (b : bound) (first : option nat) : option (list text) :=
  let A := {| members := whole; left := d; least_cost := b; begins := first |} in
  let st := {| facts := Nil; smalls := [] |} in
  match words_ with
  | o :: rest =>
      if is "." o then
        if fst (shown A [] [] st) then match rest with [] => None | _ => Some rest end else Some words_
      else if is "(" o then
        match items (S (List.length words_)) true words_ rest A [] [] st with
        | inl ([], _) => None
        | inl (rest, _) => Some rest
        | inr more => Some more
        end
      else Some words_
  | [] => Some []
  end.

(** ** Why it is true *)

Hypothesis ans_small : forall g x, ans g x < responses.
Hypothesis ans_goes_on : one = true -> forall g x, ans g x <> 0.
Hypothesis ans_single : forall g, may whole g -> List.length (part ans g 0 whole) <= 1.
Hypothesis ans_own : only = true -> one = false ->
  forall x, x < secrets -> guess_of x < guesses -> ans (guess_of x) x = 0.
Hypothesis reading_exact : forall s words_ R rest, read_renaming s words_ = Some (R, rest) -> exact R = true ->
  Permutation (map (word_at (guess_to R)) (range guesses)) (range guesses) /\
  forall g x, g < guesses -> x < secrets ->
  word_at (guess_to R) g < guesses /\ ans (word_at (guess_to R) g) (word_at (secret_to R) x) = ans g x.
Hypothesis image_exact : forall s words_ s' rest, read_image s words_ = Some (s', rest) ->
  (forall x, In x s -> x < secrets) ->
  exists to, Permutation (map to s) s' /\ (forall x, guess_of x = x) /\
    (forall g, g < guesses -> to g < guesses) /\ forall g x, g < guesses -> x < secrets -> ans (to g) (to x) = ans g x.
Hypothesis profile_true : forall g j m, may whole g ->
  sum (fun a => if j <? List.length (part ans g (S a) whole) then 1 else 0) (seq 0 m) <= P j.
Hypothesis tables_true : forall K T, nth_error tables K = Some T -> value T = table_of K.

Let lb := lb ans may one.
Let ask_lb := ask_lb ans may one.
Let part := part ans.

Lemma may_more s s' g : incl s s' -> may s g -> may s' g.
Proof.
  intros I. unfold may, asked. destruct (yes_or_no only) as [O|O]; rewrite O; [|auto]. rewrite !filter_In, !in_map_iff.
  intros [[x [E Hx]] G]. split; [exists x; auto|exact G].
Qed.

Lemma sizes_at g s r : nth r (sizes g s) 0 = List.length (part g r s).
Proof.
  clear - ans_small part.
  destruct (Nat.lt_ge_cases r responses) as [H|H].
  - unfold sizes, list_of. change (nth r (tally responses (ans g) s) 0) with (word_at (tally responses (ans g) s) r).
    rewrite tally_at by exact H. reflexivity.
  - rewrite nth_overflow.
    + unfold part, Trees.part. replace (filter _ s) with (@nil nat); [reflexivity|].
      induction s as [|x s IH]; [reflexivity|]. cbn [filter]. unfold has at 1. pose proof (ans_small g x).
      destruct (Nat.eqb_spec (ans g x) r); [lia|exact IH].
    + unfold sizes, list_of, tally. rewrite length_make. exact H.
Qed.

Definition proper (s : list nat) : Prop := NoDup s /\ incl s whole.

Lemma proper_part g r s : proper s -> proper (part g r s).
Proof.
  intros [N I]. split; [apply NoDup_filter, N|]. intros x Hx. apply I. exact (part_incl _ _ _ _ x Hx).
Qed.

Lemma part_no_longer g r s s' : NoDup s -> incl s s' -> List.length (part g r s) <= List.length (part g r s').
Proof.
  intros N I. apply NoDup_incl_length; [apply NoDup_filter, N|]. intros x Hx. apply filter_In in Hx as [Hx R].
  apply filter_In. split; [apply I, Hx|exact R].
Qed.

Lemma wins_fit s g : proper s -> may s g -> In (List.length (part g 0 s)) ws.
Proof.
  intros [N I] M. pose proof (part_no_longer g 0 s whole N I). specialize (ans_single g (may_more _ _ _ I M)).
  fold part in ans_single. unfold ws. destruct (yes_or_no one) as [O|O]; rewrite O.
  - left. symmetry. unfold part. rewrite (no_winning ans (ans_goes_on O)). reflexivity.
  - destruct (yes_or_no only) as [On|On]; rewrite On; [|cbn; lia]. left.
    unfold may, asked in M. rewrite On in M. apply filter_In in M as [M G]. apply in_map_iff in M as [x [E Hx]].
    apply Nat.ltb_lt in G. subst g. assert (Z : In x (part (guess_of x) 0 s)).
    { apply filter_In. split; [exact Hx|]. unfold has. rewrite ans_own; auto.
      apply I, in_seq in Hx. lia. }
    destruct (part (guess_of x) 0 s); [destruct Z|cbn in *; lia].
Qed.

Lemma ws_one w : In w ws -> w <= 1.
Proof. unfold ws. destruct (yes_or_no one) as [O|O], (yes_or_no only) as [Q|Q]; rewrite O, ?Q; cbn; lia. Qed.

Let fits K := fits_all ans may K P ws.

Lemma proper_fits K s : proper s -> (forall g, may s g -> few ans K g s) -> fits K s.
Proof.
  intros H Hk. pose proof H as [N I]. split; [split; [|split]|split; [exact N|]].
  - intros g M. apply wins_fit; assumption.
  - exact Hk.
  - intros g j m M. rewrite <- (profile_true g j m) by exact (may_more _ _ _ I M). apply sum_le. intros a _.
    pose proof (part_no_longer g (S a) s whole N I). fold part.
    destruct (Nat.ltb_spec j (List.length (part g (S a) s)));
      destruct (Nat.ltb_spec j (List.length (part g (S a) whole))); lia.
  - intros s' g N' I' M. apply wins_fit; [|exact M]. split; [exact N'|]. intros x Hx. apply I, I', Hx.
Qed.

Lemma length_proper s : proper s -> List.length s <= secrets.
Proof. intros [N I]. pose proof (NoDup_incl_length N I) as L. unfold whole, range in L. rewrite seq_length in L. exact L. Qed.

Lemma fits_part K g r s : fits K s -> fits K (part g r s).
Proof. apply (fits_all_part ans may may_more). Qed.

Lemma fits_more may' K K' s : K <= K' -> fits_all ans may' K P ws s -> fits_all ans may' K' P ws s.
Proof.
  intros L [[H1 [H2 H3]] H4]. split; [split; [exact H1|split; [|exact H3]]|exact H4].
  intros g M m. rewrite (H2 g M m). exact L.
Qed.

(** *** Tables *)

Lemma rows_are_good n w priced tab : forall i,
  rows_good n w priced tab = true -> i < List.length tab ->
  exists p D, In (p, D) priced /\ nth i tab 0 + D <= n + i + p * (n + i - w).
Proof.
  revert n; induction tab as [|a tab IH]; intros n i H Hi; cbn in Hi; [lia|]. cbn [rows_good] in H.
  apply andb_prop in H as [H1 H2].
  destruct i as [|i].
  - apply existsb_exists in H1 as [[p D] [I E]]. apply Nat.leb_le in E. exists p, D. rewrite Nat.add_0_r. auto.
  - destruct (IH (S n) i H2) as [p [D [I E]]]; [lia|]. exists p, D. split; [exact I|]. cbn [nth].
    replace (n + S i) with (S n + i) by lia. exact E.
Qed.

Lemma table_is_good K tab :
  one = false -> table_good K ws profile tab = true ->
  good one K P ws (fun n => nth n tab 0) (pred (List.length tab)).
Proof.
  intros O H. destruct tab as [|[|z] rest]; try discriminate. cbn [table_good] in H.
  split; [reflexivity|split; [congruence|]]. intros n w Hn Hw. rewrite O in Hn.
  pose proof (proj1 (forallb_forall _ _) H w Hw) as E. cbn [List.length pred] in *.
  destruct n as [|n]; [lia|]. destruct (rows_are_good _ _ _ _ n E) as [p [D [I B]]]; [lia|].
  apply in_map_iff in I as [p' [[= -> <-] _]]. exists p. rewrite overpaid_is in B. exact B.
Qed.

Let free := if one then 1 else 0.

Lemma capacities_are K steps : forall d i c,
  nth_error (capacities steps (capacity one K P ws d) free K ws profile) i = Some c -> c = capacity one K P ws (d + i).
Proof.
  induction steps as [|steps IH]; intros d i c H; cbn [capacities] in H.
  - destruct i as [|[|i]]; [injection H as <-; rewrite Nat.add_0_r; reflexivity|discriminate|discriminate].
  - destruct i as [|i]; [injection H as <-; rewrite Nat.add_0_r; reflexivity|]. cbn [nth_error] in H.
    rewrite Nat.add_succ_r. apply (IH (S d)).
    replace (capacity one K P ws (S d))
      with (fold_left max (map (fun w => w + total_room (capacity one K P ws d) (K - w) profile) ws) free); [exact H|].
    cbn [capacity]. f_equal. apply map_ext. intros w. rewrite total_room_is. reflexivity.
Qed.

Lemma filled_length n K : List.length (filled n K ws profile) = S n.
Proof.
  assert (F : forall steps i before l pr, List.length (fill steps i before l K ws pr) = steps).
  { induction steps as [|steps IH]; intros i before l pr; [reflexivity|]. cbn [fill List.length]. f_equal. apply IH. }
  unfold filled. cbn [List.length]. f_equal. apply F.
Qed.

(** Whatever may be asked. *)
Lemma costs_true (may' : list nat -> nat -> Prop) K d s :
  (forall s s' g, incl s s' -> may' s g -> may' s' g) -> fits_all ans may' K P ws s -> proper s ->
  Trees.lb ans may' one d s (costs (table_of K) d (List.length s)).
Proof.
  set (lb' := Trees.lb ans may' one). intros M F H. pose proof (length_proper s H) as L. set (T := table_of K).
  assert (U : lb' d s (Some (word_at (least T) (List.length s)))).
  { unfold T, table_of, words_of, word_at in *. destruct (yes_or_no one) as [O|O]; rewrite O; cbn [least].
    - unfold to_identify. set (f := fun n => if n <=? 1 then 0 else leaves (max K 2) 1 n).
      rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; lia).
      rewrite (map_nth f), seq_nth by lia. cbn [Nat.add]. unfold f.
      destruct (Nat.leb_spec (List.length s) 1) as [_|B]; [apply lb_zero|].
      apply (leaves_bound ans may' one M (max K 2) P ws); try lia.
      + exact (ans_goes_on O).
      + exact (fits_more may' K _ s (Nat.le_max_l _ _) F).
      + intros ->. cbn in B. lia.
    - destruct (table_good K ws profile (filled secrets K ws profile)) eqn:G.
      2: { rewrite nth_repeat. apply lb_zero. }
      intros t Ht. cbn [reaches].
      apply (counting_bounds ans may' one M K P ws ws_one
        (fun n => nth n (filled secrets K ws profile) 0)
        (pred (List.length (filled secrets K ws profile))) d); [apply table_is_good; assumption|exact F| |exact Ht].
      rewrite filled_length. exact L. }
  assert (C : caps T = capacities limits free free K ws profile /\ top T = secrets).
  { unfold T, table_of, free. destruct (yes_or_no one) as [O|O]; rewrite O; split; reflexivity. }
  destruct C as [C Top]. unfold costs, cost_in, room_of. destruct d as [d|].
  - destruct (Nat.lt_ge_cases d (List.length (caps T))) as [D|D].
    + destruct (Nat.leb_spec (List.length s) (nth d (caps T) (top T))) as [_|B]; [exact U|].
      intros t Ht. pose proof (capacity_bounds ans may' one M K P ws ws_one d t s F Ht) as X.
      pose proof (nth_error_nth' (caps T) (top T) D) as E. generalize dependent (nth d (caps T) (top T)). intros c B E.
      rewrite C in E. apply (capacities_are K limits 0) in E. cbn [Nat.add] in E. lia.
    + rewrite nth_overflow by exact D. rewrite Top. apply Nat.leb_le in L as ->. exact U.
  - rewrite Top. apply Nat.leb_le in L as ->. exact U.
Qed.

Lemma trivial_true d s : proper s -> lb d s (costs trivial d (List.length s)).
Proof.
  intros H. pose proof (length_proper s H) as L. apply Nat.leb_le in L.
  unfold costs, cost_in, room_of. destruct d as [[|d]|]; cbn [trivial caps top nth]; rewrite L; cbn [least trivial];
    rewrite make_at; destruct (_ <? _); apply lb_zero.
Qed.

(** *** Guesses by the number of their parts *)

Lemma ask_lb_zero d g s : ask_lb d g s (Some 0).
Proof. intros next _. apply Nat.le_0_l. Qed.

Lemma least_in_le l v : In v l -> least_in l <= v.
Proof.
  destruct l as [|x l]; [intros []|]. cbn [least_in].
  cut (forall m, fold_left min l m <= m /\ (In v l -> fold_left min l m <= v)).
  { intros X [->|H]; [exact (proj1 (X v))|exact (proj2 (X x) H)]. }
  induction l as [|y l IH]; intros m; cbn [fold_left]; [split; [lia|intros []]|].
  destruct (IH (min m y)) as [A B]. split; [lia|]. intros [->|H]; [lia|auto].
Qed.

Lemma in_combine {A C} (l : list A) (f : A -> C) w : In w l -> In (w, f w) (combine l (map f l)).
Proof. induction l as [|x l IH]; intros H; [destruct H|]. destruct H as [->|H]; [left; reflexivity|right; auto]. Qed.

Lemma at_best_is n w ps b : (forall p D, In (p, D) ps -> n + p * (n - w) - D <= b) -> at_best n w ps <= b.
Proof.
  intros H. unfold at_best. cut (forall m, m <= b -> fold_left (fun v pd => max v (n + fst pd * (n - w) - snd pd)) ps m <= b);
    [intros X; apply X, Nat.le_0_l|].
  induction ps as [|[p D] ps IH]; intros m Hm; [exact Hm|]. cbn [fold_left fst snd]. apply IH.
  - intros; apply H; right; assumption.
  - apply Nat.max_lub; [exact Hm|apply H; left; reflexivity].
Qed.

Lemma evenly_true K d g s k : fits K s -> proper s -> s <> [] -> few ans k g s ->
  ask_lb d g s (Some (if one then List.length s + leaves (fan (table_of K)) k (List.length s)
    else least_in (map (fun wp => at_best (List.length s) (fst wp) (snd wp))
      (combine ws (value (nth k (priced (table_of K)) (Delay []))))))).
Proof.
  intros F H N Hk. destruct (yes_or_no one) as [O|O]; rewrite O.
  - unfold table_of. rewrite O. cbn [fan]. apply (ask_leaves ans may one may_more (max K 2) P ws).
    + exact (ans_goes_on O).
    + lia.
    + exact (fits_more may K _ s (Nat.le_max_l _ _) F).
    + exact N.
    + exact Hk.
  - unfold table_of. rewrite O. cbn [priced].
    set (tab := filled secrets K ws profile). destruct (table_good K ws profile tab) eqn:G.
    2: { assert (E : forall l i, nth i (map (fun _ : nat => Delay (@nil (list (nat * nat)))) l) (Delay []) = Delay []).
         { induction l as [|x l IH]; intros [|i]; try reflexivity. apply IH. }
         rewrite E. cbn [value]. assert (Z : combine ws (@nil (list (nat * nat))) = []) by (destruct ws; reflexivity).
         rewrite Z. apply ask_lb_zero. }
    destruct (Nat.lt_ge_cases k (S K)) as [B|B].
    2: { rewrite nth_overflow by (rewrite map_length, seq_length; exact B). cbn [value].
         assert (Z : combine ws (@nil (list (nat * nat))) = []) by (destruct ws; reflexivity).
         rewrite Z. apply ask_lb_zero. }
    set (f := fun k => Delay (map (fun w => map (fun p => (p, overpaid_by p (k - w) profile tab)) prices) ws)).
    rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; exact B).
    rewrite (map_nth f), seq_nth by exact B. cbn [Nat.add value f].
    intros next Ht. destruct (solves_may ans may one d g next s N Ht) as [M _].
    pose proof (wins_fit s g H M) as W. cbn [reaches]. etransitivity.
    + apply least_in_le. apply in_map with (f := fun wp => at_best (List.length s) (fst wp) (snd wp)).
      apply (in_combine ws (fun w => map (fun p => (p, overpaid_by p (k - w) profile tab)) prices)). exact W.
    + cbn [fst snd]. apply at_best_is. intros p D I. apply in_map_iff in I as [p' [[= -> <-] _]]. rewrite overpaid_is.
      apply (ask_by_parts ans may one may_more K P ws ws_one (fun n => nth n tab 0) (pred (List.length tab))
        d g s k p (table_is_good K tab O G) F N Hk); [|exact Ht].
      unfold tab. rewrite filled_length. apply length_proper, H.
Qed.

Definition table_true (T : table) (s : list nat) : Prop :=
  (forall s' d, proper s' -> incl s' s -> lb d s' (costs T d (List.length s'))) /\
  forall d g k, s <> [] -> few ans k g s -> ask_lb d g s (by_parts T (room_of T (pre d)) (List.length s) k).

Lemma fits_within K s s' : fits K s -> NoDup s' -> incl s' s -> fits K s'.
Proof.
  intros [[H1 [H2 H3]] [N W]] N' I. split; [split; [|split]|split; [exact N'|]].
  - intros g M. exact (W s' g N' I M).
  - intros g M m. etransitivity; [|exact (H2 g (may_more _ _ _ I M) m)]. apply sum_le. intros r _.
    pose proof (part_no_longer g r s' s N' I). fold part.
    destruct (Nat.ltb_spec 0 (List.length (part g r s'))); destruct (Nat.ltb_spec 0 (List.length (part g r s))); lia.
  - intros g j m M. etransitivity; [|exact (H3 g j m (may_more _ _ _ I M))]. apply sum_le. intros a _.
    pose proof (part_no_longer g (S a) s' s N' I). fold part.
    destruct (Nat.ltb_spec j (List.length (part g (S a) s')));
      destruct (Nat.ltb_spec j (List.length (part g (S a) s))); lia.
  - intros s'' g N'' I'' M. apply W; [exact N''| |exact M]. intros x Hx. apply I, I'', Hx.
Qed.

(** As many parts as a guess makes, of no more than are settled. *)
Lemma pigeons d g s k room next : proper s -> s <> [] -> few ans k g s ->
  (forall a, List.length (part g (S a) s) <= room) -> solves ans may one d (Node g next) s ->
  List.length s <= max 1 room * k.
Proof.
  intros H N Hk R Ht. destruct (solves_may ans may one d g next s N Ht) as [M _].
  destruct (greatest ans g s) as [m Hm]. pose proof (sizes_add_up ans g s m Hm) as E.
  rewrite <- (sum_first (fun r => List.length (Trees.part ans g r s)) m) in E. rewrite <- E.
  transitivity (max 1 room * sum (fun r => if 0 <? List.length (Trees.part ans g r s) then 1 else 0) (seq 0 (S m))).
  - rewrite <- sum_mul. apply sum_le. intros r _. destruct (Nat.ltb_spec 0 (List.length (Trees.part ans g r s))) as [_|L]; [|lia].
    destruct r as [|a].
    + pose proof (ws_one _ (wins_fit s g H M)) as W. unfold part in W. lia.
    + specialize (R a). unfold part in R. lia.
  - apply Nat.mul_le_mono_l, Hk.
Qed.

Lemma settled_room T s d next a g :
  (forall s' d, proper s' -> incl s' s -> lb d s' (costs T d (List.length s'))) -> proper s ->
  solves ans may one d (Node g next) s -> List.length (part g (S a) s) <= room_of T (pre d).
Proof.
  intros HT H Ht. pose proof (HT (part g (S a) s) (pre d) (proper_part g (S a) s H) (part_incl _ _ _ _)) as X.
  specialize (X _ (solves_part _ _ _ _ _ _ _ a Ht)). unfold costs, cost_in in X. fold part in X.
  destruct (Nat.leb_spec (List.length (part g (S a) s)) (room_of T (pre d))); [assumption|destruct X].
Qed.

Lemma by_parts_true T s : proper s ->
  (forall s' d, proper s' -> incl s' s -> lb d s' (costs T d (List.length s'))) ->
  (forall d g k, s <> [] -> few ans k g s -> ask_lb d g s (Some (if one then List.length s + leaves (fan T) k (List.length s)
    else least_in (map (fun wp => at_best (List.length s) (fst wp) (snd wp))
      (combine ws (value (nth k (priced T) (Delay [])))))))) ->
  table_true T s.
Proof.
  intros H HT E. split; [exact HT|]. intros d g k N Hk. unfold by_parts.
  destruct (Nat.ltb_spec (max 1 (room_of T (pre d)) * k) (List.length s)) as [L|_].
  - intros next Ht. exfalso. pose proof (pigeons d g s k (room_of T (pre d)) next H N Hk (fun a => settled_room T s d next a g HT H Ht) Ht). lia.
  - apply E; assumption.
Qed.

Lemma no_price fuel : forall l power k n, best_price 0 fuel l power k n = 0.
Proof.
  induction fuel as [|fuel IH]; intros l power k n; [reflexivity|]. cbn [best_price]. destruct (_ <? _); [reflexivity|].
  rewrite IH. reflexivity.
Qed.

Lemma table_for_true K s : proper s -> (forall g, may s g -> few ans K g s) -> table_true (table_for K) s.
Proof.
  intros H HK. unfold table_for. pose proof (proper_fits K s H HK) as F.
  destruct (nth_error tables K) as [T|] eqn:E.
  - rewrite (tables_true _ _ E). apply by_parts_true; [exact H| |].
    + intros s' d H' I. apply costs_true; [exact may_more| |exact H']. apply (fits_within _ s); [exact F|apply H'|exact I].
    + intros d g k N Hk. apply evenly_true; assumption.
  - apply by_parts_true; [exact H|intros s' d H' _; apply trivial_true, H'|].
    intros d g k N Hk. destruct (yes_or_no one) as [O|O]; rewrite O; cbn [trivial fan priced].
    + unfold leaves. rewrite no_price. intros next Ht. cbn [reaches].
      etransitivity; [|apply (cost_node ans g next s 0)]. cbn. lia.
    + replace (nth k [] (Delay [])) with (Delay (@nil (list (nat * nat)))) by (destruct k; reflexivity). cbn [value].
      assert (Z : combine ws (@nil (list (nat * nat))) = []) by (destruct ws; reflexivity).
      rewrite Z. apply ask_lb_zero.
Qed.

Hypothesis responses_few : responses <= 255.
Hypothesis rows_are : forall g x, g < guesses -> x < secrets -> byte_at rows (g * secrets + x) + shift = ans g x.
Hypothesis columns_are : forall g x, g < guesses -> x < secrets ->
  byte_at (value columns) (x * guesses + g) = byte_at rows (g * secrets + x).
Hypothesis board_is : forall B, board = Some B -> Board.made B /\ Board.sound B = true /\
  Board.guesses B = guesses /\ Board.secrets B = secrets /\ Board.answers B = rows.

(** *** Bounds *)

Lemma lb_clip s d b : lb (clip s d) s b -> lb d s b.
Proof.
  intros H. set (deep_s := List.length s - if one then 1 else 0). destruct d as [d|].
  - cbn [clip] in H. destruct (Nat.le_gt_cases d deep_s) as [L|L].
    + rewrite Nat.min_l in H by exact L. exact H.
    + rewrite Nat.min_r in H by (unfold deep_s in L; lia). apply (lb_deep ans may one), H.
  - apply (lb_deep ans may one), H.
Qed.

Lemma fewer_clip s d : fewer (clip s d) d.
Proof. destruct d; cbn; [apply Nat.le_min_l|exact I]. Qed.

Lemma plus_le a v b n : plus a v = b -> reaches b n -> exists k, a = Some k /\ k <= n.
Proof. destruct a as [k|], v; cbn; intros <-; cbn; try tauto. intros. exists k. split; [reflexivity|lia]. Qed.

Lemma fold_plus {A} (f : A -> bound) l v : fold_left (fun v c => plus v (f c)) l v = plus v (plus_all (map f l)).
Proof.
  revert v; induction l as [|x l IH]; intros v; cbn [fold_left map plus_all fold_right]; [rewrite plus_zero; reflexivity|].
  rewrite IH, plus_assoc. reflexivity.
Qed.

Lemma may_below s g : may s g -> g < guesses.
Proof.
  unfold may, asked. destruct (yes_or_no only) as [O|O]; rewrite O.
  - intros H. apply filter_In in H as [_ H]. apply Nat.ltb_lt, H.
  - intros H. apply in_seq in H. lia.
Qed.

Lemma shift_one : shift <= 1.
Proof. unfold shift. destruct shifted; cbn; lia. Qed.

Lemma in_proper s x : proper s -> In x s -> x < secrets.
Proof. intros [_ I] H. apply I, in_seq in H. lia. Qed.

Lemma part_rows g s r : proper s -> g < guesses ->
  part g (r + shift) s = filter (fun x => byte_at rows (g * secrets + x) =? r) s.
Proof.
  intros H Hg. apply filter_ext_in. intros x Hx. unfold has. rewrite <- rows_are; [|exact Hg|exact (in_proper s x H Hx)].
  apply eq_true_iff_eq. rewrite !Nat.eqb_eq. lia.
Qed.

Lemma by_sizes_true T s d g : proper s -> table_true T s -> g < guesses ->
  ask_lb d g s (by_sizes T (room_of T (pre d)) (List.length s) g s).
Proof.
  intros H [HT _] Hg. unfold by_sizes, sum_row. rewrite sum_within_is. apply ask_lb_sum. intros a Ha.
  pose proof shift_one.
  rewrite tally_at by lia.
  rewrite (filter_ext _ (fun x => byte_at rows (g * secrets + x) =? 1 - shift + a)), <- part_rows
    by (assumption || intros x; rewrite Nat.mul_1_l; reflexivity).
  replace (1 - shift + a + shift) with (S a) by lia. apply HT; [apply proper_part, H|apply part_incl].
Qed.

(** *** How many parts *)

Lemma few_rows g s k : proper s -> g < guesses ->
  (forall m, sum (fun q => if 0 <? List.length (filter (fun x => byte_at rows (g * secrets + x) =? q) s) then 1 else 0)
    (seq 0 m) <= k) -> few ans k g s.
Proof.
  intros H Hg B m. set (f := fun q => if 0 <? List.length (part g q s) then 1 else 0).
  change (sum f (seq 0 m) <= k).
  assert (E : forall q, f (q + shift) = if 0 <? List.length (filter (fun x => byte_at rows (g * secrets + x) =? q) s) then 1 else 0).
  { intros q. unfold f. rewrite part_rows by assumption. reflexivity. }
  assert (Z : shift = 0 \/ shift = 1) by (pose proof shift_one; lia). destruct Z as [Z|Z].
  - rewrite <- (B m). apply Nat.eq_le_incl, sum_eq. intros q _. rewrite <- E, Z, Nat.add_0_r. reflexivity.
  - destruct m as [|m]; [apply Nat.le_0_l|]. rewrite sum_first.
    replace (f 0) with 0.
    + rewrite <- (B m). apply Nat.eq_le_incl. cbn [Nat.add]. apply sum_eq. intros q _. rewrite <- E, Z, Nat.add_1_r. reflexivity.
    + unfold f. replace (part g 0 s) with (@nil nat); [reflexivity|]. symmetry. unfold part, Trees.part.
      rewrite <- (filter_false s). apply filter_ext_in. intros x Hx. unfold has.
      rewrite <- (rows_are g x Hg (in_proper s x H Hx)), Z, Nat.add_1_r. reflexivity.
Qed.

Lemma sum_beyond (f : nat -> nat) R m : (forall q, R <= q -> f q = 0) -> sum f (seq 0 m) <= sum f (seq 0 R).
Proof.
  intros Z. assert (A : forall k, sum f (seq 0 (R + k)) = sum f (seq 0 R)).
  { induction k as [|k IH]; [rewrite Nat.add_0_r; reflexivity|]. rewrite Nat.add_succ_r, seq_S. unfold sum in *.
    rewrite map_app, list_sum_app, IH. cbn. rewrite Z by lia. lia. }
  destruct (Nat.le_gt_cases R m) as [L|L].
  - replace m with (R + (m - R)) by lia. rewrite A. apply le_n.
  - replace R with (m + (R - m)) by lia. rewrite seq_app. unfold sum. rewrite map_app, list_sum_app. lia.
Qed.

Lemma row_below g x : g < guesses -> x < secrets -> byte_at rows (g * secrets + x) < responses.
Proof. intros Hg Hx. pose proof (rows_are g x Hg Hx). pose proof (ans_small g x). lia. Qed.

Lemma no_such_answer g s q : proper s -> g < guesses -> responses <= q ->
  filter (fun x => byte_at rows (g * secrets + x) =? q) s = [].
Proof.
  intros H Hg Hq. rewrite <- (filter_false s). apply filter_ext_in. intros x Hx.
  pose proof (row_below g x Hg (in_proper s x H Hx)). apply Nat.eqb_neq. lia.
Qed.

Lemma few_some (p : nat -> bool) g s : proper s -> g < guesses ->
  (forall q, p q = (0 <? List.length (filter (fun x => byte_at rows (g * secrets + x) =? q) s))) ->
  few ans (List.length (filter p (range responses))) g s.
Proof.
  intros H Hg E. apply few_rows; [exact H|exact Hg|]. intros m. rewrite <- sum_if.
  rewrite (sum_eq _ _ (fun q => if p q then 1 else 0)) by (intros q _; rewrite E; reflexivity).
  apply sum_beyond. intros q Hq. rewrite E, (no_such_answer g s q H Hg Hq). reflexivity.
Qed.

Lemma filter_shorter (p : nat -> bool) l : List.length (filter p l) <= List.length l.
Proof. induction l as [|x l IH]; [apply le_n|]. cbn [filter]. destruct (p x); cbn [List.length]; lia. Qed.

Lemma few_met (f : nat -> nat) g s : proper s -> g < guesses ->
  (forall x, In x s -> f x = byte_at rows (g * secrets + x)) ->
  few ans (min (List.length (filter (fun q => existsb (fun x => f x =? q) s) (range responses))) 255) g s.
Proof.
  intros H Hg E. rewrite Nat.min_l.
  - apply few_some; [exact H|exact Hg|]. intros q. rewrite Board.some_part. do 2 f_equal. apply filter_ext_in.
    intros x Hx. rewrite E by exact Hx. reflexivity.
  - etransitivity; [apply filter_shorter|]. unfold range. rewrite seq_length. exact responses_few.
Qed.

Lemma keys_few s g : proper s -> may s g -> few ans (parts_by (byte_at (keys s) g)) g s.
Proof.
  intros H M. pose proof (may_below s g M) as Hg. unfold keys, parts_by. destruct board as [B|] eqn:EB.
  - destruct (board_is B eq_refl) as [B1 [B2 [B3 [B4 B5]]]]. apply few_rows; [exact H|exact Hg|]. intros m.
    assert (Lx : forall x, In x s -> x < Board.secrets B) by (intros x Hx; rewrite B4; exact (in_proper s x H Hx)).
    destruct (Board.key_is B g s B1 B2 Lx) as [X _]; [rewrite B3; exact Hg|]. specialize (X m).
    unfold Board.reply in X. rewrite B4, B5 in X. exact X.
  - destruct (yes_or_no only) as [O|O]; rewrite O.
    + rewrite bytes_at by exact Hg. replace (word_at (tally guesses guess_of s) g =? 0) with false.
      * apply few_met; [exact H|exact Hg|]. intros x _. rewrite Nat.mul_1_l. reflexivity.
      * symmetry. apply Nat.eqb_neq. rewrite tally_at by exact Hg.
        unfold may, asked in M. rewrite O in M. apply filter_In in M as [M _]. apply in_map_iff in M as [x [E Hx]].
        assert (I : In x (filter (fun x => guess_of x =? g) s))
          by (apply filter_In; split; [exact Hx|apply Nat.eqb_eq, E]).
        destruct (filter _ s); [destruct I|discriminate].
    + unfold varieties. rewrite bytes_at by exact Hg.
      apply few_met; [exact H|exact Hg|]. intros x Hx. apply columns_are; [exact Hg|exact (in_proper s x H Hx)].
Qed.

Lemma parts_by_most s g : parts_by (byte_at (keys s) g) <= parts_by (largest_byte (keys s)).
Proof.
  pose proof (at_most_largest (keys s) g) as L. unfold parts_by. destruct board; [|exact L].
  rewrite !Nat.div2_div. apply Nat.div_le_mono; [lia|exact L].
Qed.

Lemma table_here s : proper s -> table_true (table_for (parts_by (largest_byte (keys s)))) s.
Proof.
  intros H. apply table_for_true; [exact H|]. intros g M m. rewrite (keys_few s g H M m). apply parts_by_most.
Qed.

Lemma few_alike g s k x y : few ans k g s -> k <= 1 -> In x s -> In y s -> ans g x = ans g y.
Proof.
  intros F K1 Hx Hy. destruct (Nat.eq_dec (ans g x) (ans g y)) as [E|N]; [exact E|exfalso].
  assert (X : forall z r, In z s -> (if r =? ans g z then 1 else 0) <= if 0 <? List.length (Trees.part ans g r s) then 1 else 0).
  { intros z r Hz. destruct (Nat.eqb_spec r (ans g z)) as [->|_]; [|lia].
    assert (I : In z (Trees.part ans g (ans g z) s)) by (apply filter_In; split; [exact Hz|apply Nat.eqb_refl]).
    destruct (Trees.part ans g (ans g z) s); [destruct I|]. cbn. lia. }
  specialize (F (S (ans g x + ans g y))).
  assert (Q : sum (fun r => (if r =? ans g x then 1 else 0) + (if r =? ans g y then 1 else 0)) (seq 0 (S (ans g x + ans g y))) <= k).
  { etransitivity; [|exact F]. apply sum_le. intros r _. pose proof (X x r Hx). pose proof (X y r Hy).
    destruct (Nat.eqb_spec r (ans g x)), (Nat.eqb_spec r (ans g y)); lia. }
  rewrite sum_add, !sum_pick in Q.
  destruct (Nat.ltb_spec (ans g x) (S (ans g x + ans g y))); [|lia].
  destruct (Nat.ltb_spec (ans g y) (S (ans g x + ans g y))); lia.
Qed.

Lemma useless_true s g k : proper s -> may s g -> 2 <= List.length s -> few ans k g s -> k <= 1 ->
  exists a, Trees.part ans g (S a) s = s.
Proof.
  intros H M L F K1. destruct s as [|x s]; [cbn in L; lia|]. set (l := x :: s) in *.
  assert (A : forall y, In y l -> ans g y = ans g x) by (intros y Hy; apply (few_alike g l k); auto; left; reflexivity).
  assert (W : Trees.part ans g (ans g x) l = l).
  { apply part_whole, forallb_forall. intros y Hy. apply Nat.eqb_eq, A, Hy. }
  destruct (ans g x) as [|a]; [|exists a; exact W]. exfalso.
  pose proof (ws_one _ (wins_fit l g H M)) as W1. unfold part in W1. rewrite W in W1. lia.
Qed.

Lemma ask_lb_weaker d g s b v : reached b v = true -> ask_lb d g s v -> ask_lb d g s b.
Proof. intros R H next Ht. exact (reached_reaches _ _ _ R (H next Ht)). Qed.

Lemma lb_weaker d s b v : reached b v = true -> lb d s v -> lb d s b.
Proof. intros R H t Ht. exact (reached_reaches _ _ _ R (H t Ht)). Qed.

Lemma lb_greater d s a b : lb d s a -> lb d s b -> lb d s (greater a b).
Proof. intros A B t Ht. apply greater_reaches; auto. Qed.

Lemma reached_refl v : reached v v = true.
Proof. destruct v; cbn; [apply Nat.leb_refl|reflexivity]. Qed.

Lemma reached_trans u v w : reached u v = true -> reached v w = true -> reached u w = true.
Proof. destruct u, v, w; cbn; rewrite ?Nat.leb_le; try discriminate; try reflexivity; lia. Qed.

Lemma reached_lesser v x : reached (lesser v x) v = true /\ reached (lesser v x) x = true.
Proof. destruct v, x; cbn; rewrite ?Nat.leb_le; split; try reflexivity; lia. Qed.

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
  parts_by (byte_at (keys s) g) <= 1 \/ reached v (by_parts T room n (parts_by (byte_at (keys s) g))) = true \/
  reached v (by_sizes T room n g s) = true.

Lemma weighed_less T room n s v v' g : reached v' v = true -> weighed T room n s v g -> weighed T room n s v' g.
Proof. intros R [H|[H|H]]; [left; exact H|right; left|right; right]; exact (reached_trans _ _ _ R H). Qed.

Lemma parts_by_less k k' : k <= k' -> parts_by k <= parts_by k'.
Proof. unfold parts_by. destruct board; [|auto]. rewrite !Nat.div2_div. intros. apply Nat.div_le_mono; [lia|assumption]. Qed.

Lemma least_below_true T room n s enough : stays enough -> forall key v,
  let v' := least_below T room n s (keys s) enough v key in
  reached v' v = true /\
  (enough v' = true \/ forall g, g < guesses -> byte_at (keys s) g <= key -> weighed T room n s v' g).
Proof.
  intros St. induction key as [|key IH]; intros v; cbn [least_below].
  - split; [apply reached_refl|right]. intros g _ Hk. left. transitivity (parts_by 0); [apply parts_by_less, Hk|].
    unfold parts_by. destruct board; cbn; lia.
  - destruct (Nat.leb_spec (parts_by (S key)) 1) as [K1|K1]; cbn [orb].
    { split; [apply reached_refl|right]. intros g _ Hk. left. transitivity (parts_by (S key)); [apply parts_by_less, Hk|exact K1]. }
    destruct (enough v) eqn:E; [split; [apply reached_refl|left; exact E]|].
    set (e := by_parts T room n (parts_by (S key))). set (w := if reached v e then v else _).
    assert (X : reached w v = true /\ (enough w = true \/ forall g, g < guesses -> byte_at (keys s) g = S key ->
      weighed T room n s w g)).
    { unfold w. destruct (reached v e) eqn:R.
      - split; [apply reached_refl|right]. intros g _ Hk. right; left. rewrite Hk. exact R.
      - set (enough' := fun v0 => enough v0 || reached v0 e).
        assert (St' : stays enough').
        { intros a a' Ha Hb. unfold enough' in *. apply orb_prop in Hb as [Hb|Hb].
          - rewrite (St a a' Ha Hb). reflexivity.
          - rewrite (reached_trans _ _ _ Ha Hb). apply orb_true_r. }
        destruct (least_of_true T room n s enough' St' (Vector.places (keys s) guesses (S key)) v) as [H1 H2].
        split; [exact H1|]. destruct H2 as [H2|H2].
        + apply orb_prop in H2 as [H2|H2]; [left; exact H2|right]. intros g _ Hk. right; left. rewrite Hk. exact H2.
        + right. intros g Hg Hk. right; right. apply H2, places_are. auto. }
    clearbody w. destruct X as [X1 X2]. destruct (IH w) as [H1 H2].
    split; [exact (reached_trans _ _ _ H1 X1)|]. destruct H2 as [H2|H2]; [left; exact H2|].
    destruct X2 as [X2|X2]; [left; exact (St _ _ H1 X2)|right]. intros g Hg Hk.
    destruct (Nat.eq_dec (byte_at (keys s) g) (S key)) as [Q|Q]; [|apply H2; [exact Hg|lia]].
    exact (weighed_less _ _ _ _ _ _ _ H1 (X2 g Hg Q)).
Qed.

Lemma not_settled s : finished one s = false -> ~ settled one s /\ s <> [].
Proof. intros E. split; [intros S'; apply finished_settled in S'; congruence|intros ->; discriminate]. Qed.

Lemma not_tiny s : tiny s = false -> finished one s = false /\ 2 <= List.length s.
Proof. unfold tiny. destruct s as [|x [|y s]], one; cbn; try congruence; intros _; split; try reflexivity; lia. Qed.

Lemma ahead_true all_ s d : proper s -> finished one s = false -> 2 <= List.length s -> lb d s (ahead all_ s d).
Proof.
  intros H E L. destruct (not_settled s E) as [NS N]. unfold ahead. cbv zeta.
  pose proof (table_here s H) as HT. set (T := table_for (parts_by (largest_byte (keys s)))) in *.
  assert (Fl : lb d s (costs T d (List.length s))) by (apply HT; [exact H|apply incl_refl]).
  set (floor := costs T d (List.length s)) in *. destruct (finite floor) eqn:Ff.
  2: { destruct floor; [discriminate|exact Fl]. }
  set (enough := fun v => reached v floor || (all_ && finite v)).
  assert (St : stays enough).
  { intros v v' R X. unfold enough in *. apply orb_prop in X as [X|X].
    - rewrite (reached_trans _ _ _ R X). reflexivity.
    - apply andb_prop in X as [-> X]. destruct v, v'; try discriminate. apply orb_true_r. }
  destruct (least_below_true T (room_of T (pre d)) (List.length s) s enough St (S (largest_byte (keys s))) None)
    as [_ X].
  set (v := least_below _ _ _ _ _ _ _ _) in *. destruct (all_ && finite v) eqn:W; [exact Fl|].
  apply lb_greater; [exact Fl|]. destruct X as [X|X].
  - unfold enough in X. rewrite W, orb_false_r in X. exact (lb_weaker _ _ _ _ X Fl).
  - apply (lb_by_asking ans may one); [exact NS|]. intros g Hg. pose proof (keys_few s g H Hg) as F.
    destruct (X g (may_below s g Hg)) as [U|[U|U]].
    + pose proof (at_most_largest (keys s) g). unfold largest_byte, byte_at, largest, word_at in *. lia.
    + left. exact (useless_true s g _ H Hg L F U).
    + right. apply (ask_lb_weaker _ _ _ _ _ U). apply HT; assumption.
    + right. apply (ask_lb_weaker _ _ _ _ _ U), by_sizes_true; [exact H|exact HT|exact (may_below s g Hg)].
Qed.

(** *** Memory *)

Definition fact_true (f : fact) : Prop := lb (depth_of f) (set_of f) (bound_of f).

Lemma known_true mem s d all_ : all fact_true mem -> lb d s (fst (known mem s d all_)).
Proof.
  intros H. unfold known.
  assert (X : forall f, In f (find (hash s) mem) -> fact_true f) by (intros f; apply all_find, H).
  assert (Z : lb d s (fst (Some 0, false))) by apply lb_zero. revert X Z. generalize (Some 0, false) as v.
  generalize (find (hash s) mem) as l.
  induction l as [|f l IH]; intros v X Z; [exact Z|]. cbn. apply IH; [intros f' Hf; apply X; right; exact Hf|].
  destruct (equal (set_of f) s && deeper (depth_of f) d) eqn:E; [|exact Z].
  apply andb_prop in E as [E1 E2]. apply equal_eq in E1. cbn [fst]. apply lb_greater; [exact Z|].
  rewrite <- E1. apply (lb_fewer ans may one (depth_of f)); [apply deeper_fewer, E2|]. apply X; left; reflexivity.
Qed.

Lemma proved_true mem s d b : all fact_true mem -> proved mem s d b = true -> lb d s b.
Proof.
  intros H E. apply existsb_exists in E as [f [Hf E]]. apply andb_prop in E as [E E4]. apply andb_prop in E as [E E3].
  apply andb_prop in E as [_ E2]. apply equal_eq in E4. subst s. apply (lb_weaker _ _ _ _ E3).
  apply (lb_fewer ans may one (depth_of f)); [apply deeper_fewer, E2|exact (all_find _ _ _ _ _ H Hf)].
Qed.

Lemma remember_true mem s d b looked : all fact_true mem -> lb d s b -> all fact_true (remember s d b looked mem).
Proof. intros H B. apply all_insert; assumption. Qed.

Definition small_true (h : small) : Prop := NoDup (fst h) /\ lb (snd h) (fst h) None.

Lemma holds_small_true smalls_ s d :
  Forall small_true smalls_ -> holds_small smalls_ s d = true -> lb d s None.
Proof.
  intros A H. apply andb_prop in H as [O H]. apply negb_true_iff in O. apply existsb_exists in H as [[h d'] [Hh H]].
  apply andb_prop in H as [D I]. apply (proj1 (Forall_forall _ _) A) in Hh as [N B]. cbn [fst snd] in *.
  apply (lb_small ans may one d d' s h).
  - intros s1 s2 g. unfold may, asked. rewrite O. auto.
  - exact N.
  - apply inside_incl, I.
  - apply deeper_fewer, D.
  - exact B.
Qed.

(** *** Asking *)

Lemma improve_true d b all_ : forall todo sum mem yes mem' base,
  (forall s k, In (s, k) todo -> proper s /\ lb d s (fst k)) -> all fact_true mem ->
  plus (Some base) (plus_all (map (fun p => fst (snd p)) todo)) = Some sum ->
  improve d b all_ sum todo mem = (yes, mem') ->
  all fact_true mem' /\ (yes = true ->
    exists vs, Forall2 (fun p v => lb d (fst p) v) todo vs /\ reached b (plus (Some base) (plus_all vs)) = true).
Proof.
  induction todo as [|[s [v looked]] todo IH]; intros sum mem yes mem' base H M E I; cbn [improve] in I.
  - assert (Q : mem' = mem /\ (yes = true -> reached b (Some sum) = true))
      by (destruct (reached b (Some sum)); injection I as <- <-; split; [reflexivity|auto|reflexivity|discriminate]).
    destruct Q as [-> Q]. split; [exact M|]. intros Y. exists []. split; [constructor|].
    cbn in E. cbn. rewrite E. apply Q, Y.
  - destruct (H s (v, looked) (or_introl eq_refl)) as [Hp Hv]. cbn [fst] in Hv.
    assert (H' : forall s' k, In (s', k) todo -> proper s' /\ lb d s' (fst k)) by (intros; apply H; right; assumption).
    destruct (reached b (Some sum)) eqn:R.
    { injection I as <- <-. split; [exact M|]. intros _. exists (map (fun p => fst (snd p)) ((s, (v, looked)) :: todo)).
      split; [|rewrite E; exact R]. clear - H. induction ((s, (v, looked)) :: todo) as [|[s' k] l IH]; constructor.
      - apply (H s' k). left; reflexivity.
      - apply IH. intros; apply H; right; assumption. }
    cbn [map plus_all fold_right fst snd] in E. fold (plus_all (map (fun p => fst (snd p)) todo)) in E.
    destruct v as [v|]; [|discriminate].
    remember (plus_all (map (fun p => fst (snd p)) todo)) as total eqn:Er. symmetry in Er.
    destruct total as [rest|]; [|discriminate]. cbn in E.
    destruct (looked || tiny s) eqn:Fi.
    { assert (E' : plus (Some (base + v)) (Some rest) = Some sum)
        by (injection E as E; cbn; f_equal; lia).
      destruct (IH sum mem yes mem' (base + v) H' M E' I) as [A1 A2].
      split; [exact A1|]. intros Y. destruct (A2 Y) as [vs [V R']]. exists (Some v :: vs).
      split; [constructor; [exact Hv|exact V]|]. cbn [plus_all fold_right]. fold (plus_all vs). rewrite plus_assoc. exact R'. }
    apply orb_false_iff in Fi as [_ Fi]. apply not_tiny in Fi as [Fi L].
    set (c := clip s d) in *. set (now := ahead all_ s c) in *.
    assert (Hc : lb c s now) by (apply ahead_true; assumption). assert (Hn : lb d s now) by (apply lb_clip, Hc).
    assert (M' : all fact_true (remember s c now (if all_ && finite now then 1 else 2) mem))
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

Lemma ordered_permutes {A} most_ (l : list (list nat * A)) : Permutation l (ordered most_ l).
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
Proof. induction 1; cbn; [reflexivity|unfold plus_all in *; congruence|apply plus_swap|congruence]. Qed.

(** What is known part by part is known in any order. *)
Lemma Forall2_permuted {A} (R : A -> bound -> Prop) l m : Permutation l m -> forall vs, Forall2 R l vs ->
  exists us, Forall2 R m us /\ plus_all us = plus_all vs.
Proof.
  induction 1 as [|x l m _ IH|x y l|l m k _ IH1 _ IH2]; intros vs V.
  - inversion V; subst. exists []. split; [constructor|reflexivity].
  - inversion V as [|? v ? vs' V1 V2]; subst. destruct (IH vs' V2) as [us [U1 U2]]. exists (v :: us).
    split; [constructor; assumption|]. unfold plus_all in *. cbn. congruence.
  - inversion V as [|? v ? vs' V1 V2]; subst. inversion V2 as [|? w ? us V3 V4]; subst. exists (w :: v :: us).
    split; [repeat constructor; assumption|]. unfold plus_all. cbn. apply plus_swap.
  - destruct (IH1 vs V) as [us [U1 U2]]. destruct (IH2 us U1) as [us' [W1 W2]]. exists us'. split; [exact W1|congruence].
Qed.

Lemma Forall2_fst {A C D} (R : A -> D -> Prop) (l : list (A * C)) vs :
  Forall2 (fun p v => R (fst p) v) l vs -> Forall2 R (map fst l) vs.
Proof. induction 1; constructor; assumption. Qed.

Definition some_part (g : nat) (s : list nat) (a : nat) : bool := negb (empty (part g (S a) s)).

Lemma parts_are g s :
  parts_of g s = map (fun a => part g (S a) s) (filter (some_part g s) (seq 0 (pred responses))).
Proof.
  unfold parts_of, buckets, range. generalize responses as n. intros [|r]; [reflexivity|].
  cbn [seq map tl pred]. rewrite <- seq_shift, map_map. generalize (seq 0 r). intros l.
  induction l as [|a l IH]; [reflexivity|]. cbn [map filter].
  change (filter (fun x => ans g x =? S a) s) with (part g (S a) s). unfold some_part at 1.
  destruct (negb (empty (part g (S a) s))); cbn [map]; rewrite IH; reflexivity.
Qed.

Lemma unfilter (p : nat -> bool) (R : nat -> bound -> Prop) : (forall a, R a (Some 0)) ->
  forall l vs, Forall2 R (filter p l) vs -> exists us, Forall2 R l us /\ plus_all us = plus_all vs.
Proof.
  intros Z l. induction l as [|a l IH]; intros vs V; cbn [filter] in V; [exists vs; auto|]. destruct (p a).
  - inversion V as [|? v ? vs' V1 V2]; subst. destruct (IH vs' V2) as [us [U E]]. exists (v :: us).
    split; [constructor; assumption|]. change (plus v (plus_all us) = plus v (plus_all vs')). rewrite E. reflexivity.
  - destruct (IH vs V) as [us [U E]]. exists (Some 0 :: us). split; [constructor; [apply Z|exact U]|].
    change (plus (Some 0) (plus_all us) = plus_all vs). rewrite E. destruct (plus_all vs); reflexivity.
Qed.

Lemma existsb_part (f : list nat -> bool) g s :
  existsb f (parts_of g s) = true -> exists a, f (part g (S a) s) = true.
Proof.
  intros H. apply existsb_exists in H as [p [Hp E]]. rewrite parts_are in Hp. apply in_map_iff in Hp as [a [<- _]].
  exists a. exact E.
Qed.

Lemma split_true d g s vs b : Forall2 (lb (pre d)) (parts_of g s) vs ->
  reached b (plus (Some (List.length s)) (plus_all vs)) = true -> ask_lb d g s b.
Proof.
  intros V R. rewrite parts_are in V.
  assert (V' : Forall2 (fun a v => lb (pre d) (part g (S a) s) v) (filter (some_part g s) (seq 0 (pred responses))) vs).
  { clear - V. revert vs V. induction (filter (some_part g s) (seq 0 (pred responses))) as [|a l IH]; intros vs V;
      inversion V; subst; constructor; [assumption|apply IH; assumption]. }
  apply unfilter in V' as [us [U Eq]]; [|intros a; apply lb_zero].
  apply (by_number (fun a v => lb (pre d) (part g (S a) s) v)) in U as [bs [-> U]].
  apply (ask_lb_weaker _ _ _ _ _ R). rewrite <- Eq. apply ask_lb_sum. exact U.
Qed.

Lemma map_true {A} (R : list nat -> bound -> Prop) (h : list nat * A -> bound) (l : list (list nat * A)) :
  (forall p k, In (p, k) l -> R p (h (p, k))) -> Forall2 R (map fst l) (map h l).
Proof.
  induction l as [|[p k] l IH]; intros H; constructor; [apply H; left; reflexivity|].
  apply IH. intros; apply H; right; assumption.
Qed.

Lemma asking_both T smalls_ s d b g mem yes mem' :
  Forall small_true smalls_ -> proper s -> table_true T s -> all fact_true mem ->
  asking T smalls_ s d b g mem = (yes, mem') -> all fact_true mem' /\ (yes = true -> ask_lb d g s b).
Proof.
  intros A H [HT _] M E. unfold asking in E. set (all_ := negb (finite b)) in *. cbv zeta in E.
  destruct (all_ && existsb _ (parts_of g s)) eqn:S'.
  { injection E as <- <-. split; [exact M|]. intros _. apply andb_prop in S' as [_ S'].
    apply existsb_part in S' as [a S']. apply (holds_small_true _ _ _ A) in S'.
    intros next Ht. pose proof (S' _ (solves_part _ _ _ _ _ _ _ a Ht)) as []. }
  assert (L : forall p, In p (parts_of g s) -> lb (pre d) p (cost_in T (room_of T (pre d)) (List.length p)) /\ proper p).
  { intros p Hp. rewrite parts_are in Hp. apply in_map_iff in Hp as [a [<- _]]. pose proof (proper_part g (S a) s H) as Hp.
    split; [|exact Hp]. apply HT; [exact Hp|apply part_incl]. }
  unfold sum_of in E. unfold known_all in E. rewrite !map_map in E. cbn [snd fst] in E.
  set (cs := map _ (parts_of g s)) in E.
  assert (FP : forall l a, fold_left plus l a = plus a (plus_all l)).
  { intros l a. rewrite <- (map_id l) at 2. apply (fold_plus (fun x => x)). }
  rewrite !FP in E. destruct (reached b _) eqn:R in E.
  { injection E as <- <-. split; [exact M|]. intros _. apply (split_true d g s cs); [|exact R].
    unfold cs. clear - L. induction (parts_of g s) as [|p l IH]; constructor.
    - apply L. left; reflexivity.
    - apply IH. intros; apply L; right; assumption. }
  set (vs := map _ (parts_of g s)) in E. set (todo := map _ (parts_of g s)) in E.
  assert (T1 : forall p k, In (p, k) todo -> proper p /\ lb (pre d) p (fst k)).
  { intros p k I. apply in_map_iff in I as [q [[= -> <-] I]]. cbn [fst]. destruct (L p I) as [L1 L2].
    split; [exact L2|]. apply lb_greater; [exact L1|].
    destruct (one && tiny p); [apply lb_zero|]. apply lb_clip, known_true, M. }
  assert (V : vs = map (fun p => fst (snd p)) todo) by (unfold vs, todo; rewrite map_map; reflexivity).
  assert (T2 : map fst todo = parts_of g s) by (unfold todo; rewrite map_map; apply map_id).
  destruct (plus (Some (List.length s)) (plus_all vs)) as [sum|] eqn:Q.
  - rewrite V in Q. pose proof (ordered_permutes responses todo) as O.
    rewrite (plus_all_permuted _ _ (Permutation_map _ O)) in Q.
    assert (T1' : forall p k, In (p, k) (ordered responses todo) -> proper p /\ lb (pre d) p (fst k))
      by (intros p k I; apply T1, (Permutation_in _ (Permutation_sym O)), I).
    destruct (improve_true (pre d) b all_ (ordered responses todo) sum mem yes mem' (List.length s) T1' M Q E) as [A1 A2].
    split; [exact A1|]. intros Y. destruct (A2 Y) as [us [U R']].
    destruct (Forall2_permuted _ _ _ (Permutation_sym O) us U) as [us' [W1 W2]]. rewrite <- W2 in R'.
    apply (split_true d g s us'); [|exact R']. rewrite <- T2. apply Forall2_fst, W1.
  - injection E as <- <-. split; [exact M|]. intros _.
    apply (split_true d g s vs); [|rewrite Q; destruct b; reflexivity].
    rewrite <- T2, V. apply (map_true _ (fun p => fst (snd p))). intros p k I. apply (T1 p k I).
Qed.

Lemma asking_true T smalls_ s d b g mem mem' :
  Forall small_true smalls_ -> proper s -> table_true T s -> all fact_true mem ->
  asking T smalls_ s d b g mem = (true, mem') -> ask_lb d g s b.
Proof. intros A H HT M E. apply (asking_both T smalls_ s d b g mem true mem'); auto. Qed.

Lemma asking_keeps T smalls_ s d b g mem :
  Forall small_true smalls_ -> proper s -> table_true T s -> all fact_true mem ->
  all fact_true (snd (asking T smalls_ s d b g mem)).
Proof.
  intros A H HT M. destruct (asking T smalls_ s d b g mem) as [yes mem'] eqn:E.
  exact (proj1 (asking_both T smalls_ s d b g mem yes mem' A H HT M E)).
Qed.

(** *** Renamings *)

Lemma first_place_is v k : In k v -> nth (first_place v k) v 0 = k.
Proof.
  assert (X : forall l i, In k l ->
    exists j, (fix first i l := match l with [] => i | x :: l => if x =? k then i else first (S i) l end) i l = i + j
              /\ nth j l 0 = k).
  { induction l as [|x l IH]; intros i Hk; [destruct Hk|]. destruct (Nat.eqb_spec x k) as [->|N].
    - exists 0. split; [lia|reflexivity].
    - destruct Hk as [->|Hk]; [contradiction|]. destruct (IH (S i) Hk) as [j [E1 E2]]. exists (S j).
      split; [rewrite E1; lia|exact E2]. }
  intros Hk. destruct (X v 0 Hk) as [j [E1 E2]]. unfold first_place. rewrite E1. exact E2.
Qed.

Lemma first_answers_same l x y : (forall z, In z l -> z < responses) -> In x l -> In y l ->
  word_at (inverse responses (words_of l)) x = word_at (inverse responses (words_of l)) y <-> x = y.
Proof.
  intros B Hx Hy. split; [|intros ->; reflexivity]. unfold inverse, words_of. rewrite !make_at.
  rewrite (proj2 (Nat.ltb_lt x responses) (B x Hx)), (proj2 (Nat.ltb_lt y responses) (B y Hy)). intros E.
  rewrite <- (first_place_is l x Hx), <- (first_place_is l y Hy), E. reflexivity.
Qed.

Lemma alike_true g s h (to : nat -> nat) :
  alike g s h (map to s) = true ->
  (forall x, In x s -> (ans h (to x) = 0 <-> ans g x = 0)) /\
  (forall x y, In x s -> In y s -> (ans h (to x) = ans h (to y) <-> ans g x = ans g y)).
Proof.
  intros H. apply orb_prop in H as [H|H].
  { apply equal_eq in H. rewrite map_map in H. assert (E : forall x, In x s -> ans g x = ans h (to x)) by exact (ext_in_map H).
    split; intros; rewrite !E by assumption; reflexivity. }
  apply andb_prop in H as [H1 H2]. apply equal_eq in H1, H2. rewrite !map_map in H2.
  unfold first_answers in H1. rewrite !map_map in H1. split.
  - intros x Hx. pose proof (ext_in_map H2 x Hx) as E. cbn beta in E.
    destruct (Nat.eqb_spec (ans g x) 0), (Nat.eqb_spec (ans h (to x)) 0); cbn in E; try discriminate; intuition.
  - intros x y Hx Hy. pose proof (ext_in_map H1 x Hx) as Ex. pose proof (ext_in_map H1 y Hy) as Ey. cbn beta in *.
    rewrite <- (first_answers_same (map (ans g) s) (ans g x) (ans g y)).
    + rewrite <- (first_answers_same (map (fun x => ans h (to x)) s) (ans h (to x)) (ans h (to y))).
      * rewrite Ex, Ey. reflexivity.
      * intros z Hz. apply in_map_iff in Hz as [z' [<- _]]. apply ans_small.
      * apply in_map_iff. exists x. auto.
      * apply in_map_iff. exists y. auto.
    + intros z Hz. apply in_map_iff in Hz as [z' [<- _]]. apply ans_small.
    + apply in_map, Hx.
    + apply in_map, Hy.
Qed.

Definition exact_true (R : renaming) : Prop := exact R = true ->
  Permutation (map (word_at (guess_to R)) (range guesses)) (range guesses) /\ forall g x, g < guesses ->
    x < secrets ->
  word_at (guess_to R) g < guesses /\ ans (word_at (guess_to R) g) (word_at (secret_to R) x) = ans g x.

Definition renaming_true (s : list nat) (R : renaming) : Prop :=
  exact_true R /\ renames ans may s (word_at (secret_to R)) (word_at (guess_to R)).

Lemma keeps_true s R : proper s -> exact_true R -> keeps s R = true -> renaming_true s R.
Proof.
  intros [N I] X H. unfold keeps in H. apply andb_prop in H as [H H4]. apply andb_prop in H as [H H3].
  apply andb_prop in H as [H1 H2]. set (to := word_at (secret_to R)) in *. set (image := word_at (guess_to R)) in *.
  rewrite forallb_forall in H2. split; [exact X|split].
  - apply same_words_eq in H1. apply tally_permutes in H1.
    + rewrite !map_id in H1. exact H1.
    + intros x Hx. apply Nat.ltb_lt, H2, in_map, Hx.
    + intros x Hx. cbv beta. apply I, in_seq in Hx. lia.
  - intros g M T. apply orb_prop in H3 as [H3|H3].
    { apply andb_prop in H3 as [H3 O]. apply negb_true_iff in O. pose proof (may_below s g M) as Hg.
      assert (E : forall x, In x s -> image g < guesses /\ ans (image g) (to x) = ans g x).
      { intros x Hx. apply (proj2 (X H3) g x Hg). apply I, in_seq in Hx. lia. }
      split; [|split].
      - intros s' _ _. unfold may, asked. rewrite O. apply in_seq. destruct s as [|x s]; [discriminate|].
        destruct (E x (or_introl eq_refl)). fold image. lia.
      - intros x Hx. destruct (E x Hx) as [_ Q]. unfold image, to in Q. rewrite Q. reflexivity.
      - intros x y Hx Hy. destruct (E x Hx) as [_ Qx], (E y Hy) as [_ Qy]. unfold image, to in Qx, Qy. rewrite Qx, Qy.
        reflexivity. }
    rewrite forallb_forall in H3. specialize (H3 g M). unfold image_true in H3. rewrite T in H3. cbn [negb orb] in H3.
    apply andb_prop in H3 as [H3 H3']. apply Nat.ltb_lt in H3. fold image in H3, H3'.
    destruct (alike_true g s (image g) to H3') as [A1 A2]. split; [|split; assumption].
    intros s' I' M'. unfold may, asked in *. destruct (yes_or_no only) as [O|O]; rewrite O in M', H4 |- *.
    + apply filter_In in M' as [M' G]. apply in_map_iff in M' as [x [E Hx]]. subst g. cbn [negb orb] in H4.
      rewrite forallb_forall in H4. specialize (H4 x (I' x Hx)). rewrite G, T in H4. cbn [negb orb] in H4.
      apply Nat.eqb_eq in H4. apply filter_In. split; [|apply Nat.ltb_lt, H3]. rewrite map_map. apply in_map_iff.
      exists x. split; [symmetry; exact H4|exact Hx].
    + unfold range. apply in_seq. fold image. lia.
Qed.

Section Passing.

Variable s : list nat.
Variable d : option nat.
Variable b : bound.

Hypothesis s_proper : proper s.

Definition cleared (g : nat) : Prop := ask_lb d g s b.

(** What passing needs: a guess that tells nothing is cleared otherwise. *)
Definition passable (g : nat) : Prop := tells ans s g = true -> cleared g.

Lemma tells_image R g : renaming_true s R -> may s g -> tells ans s g = true ->
  tells ans s (word_at (guess_to R) g) = true.
Proof.
  intros [_ [Q I]] M T. destruct (I g M T) as [_ [R1 R2]]. destruct (tells ans s (word_at (guess_to R) g)) eqn:T';
    [reflexivity|].
  assert (A : forall x, In x s -> ans (word_at (guess_to R) g) (word_at (secret_to R) x)
    = S (pred (ans (word_at (guess_to R) g) (hd 0 s))))
    by (intros x Hx; apply (tells_not ans s _ T'), (Permutation_in _ Q), in_map, Hx).
  assert (S0 : forall x, In x s -> ans g x <> 0) by (intros x Hx Z; apply (R1 x Hx) in Z;
    rewrite A in Z by exact Hx; discriminate).
  exfalso. unfold tells in T. destruct s as [|y l] eqn:Es; [discriminate|]. rewrite <- Es in *.
  assert (Hy : In y s) by (rewrite Es; left; reflexivity). apply negb_true_iff in T.
  rewrite (proj2 (Nat.eqb_neq _ _) (S0 y Hy)) in T. cbn [negb andb] in T.
  rewrite (proj2 (forallb_forall _ s)) in T; [discriminate|]. intros x Hx. apply Nat.eqb_eq, (R2 x y Hx Hy).
  rewrite !A by assumption. reflexivity.
Qed.

Lemma passable_image R g : renaming_true s R -> may s g -> passable (word_at (guess_to R) g) -> passable g.
Proof.
  intros HR M C T. pose proof (C (tells_image R g HR M T)) as C'. destruct HR as [_ [Q I]].
  exact (ask_lb_renamed ans may one may_more s _ _ I s Q d g b M T C').
Qed.

Definition arrow_true (a : nat * nat) : Prop := passable (fst a) -> passable (snd a).

Lemma arrows_true renamings :
  (forall R, In R renamings -> renaming_true s R) -> all arrow_true (arrows_of s renamings).
Proof.
  intros H. unfold arrows_of. apply (fold_keeps (all arrow_true)); [|exact I]. intros t R HR Ht.
  apply (fold_keeps (all arrow_true)); [|exact Ht]. intros t' g Hg Ht'. destruct (tells ans s g) eqn:T; [|exact Ht'].
  apply all_insert; [|exact Ht']. exact (passable_image R g (H R HR) Hg).
Qed.

Lemma passes_true (C : nat -> Prop) g passed : all C passed -> passes g passed = true -> C g.
Proof. intros A H. apply existsb_exists in H as [h [Hh E]]. apply Nat.eqb_eq in E as ->.
exact (all_find _ _ _ _ _ A Hh). Qed.

Lemma spread_true to : all arrow_true to -> forall fuel work passed,
  Forall passable work -> all passable passed -> all passable (spread fuel to work passed).
Proof.
  intros A. induction fuel as [|fuel IH]; intros [|g work] passed W H; try exact H. cbn [spread]. inversion W; subst.
  set (news := filter _ _). assert (N : Forall passable news).
  { apply Forall_forall. intros h Hh. apply filter_In in Hh as [Hh _]. apply in_map_iff in Hh as [[i j] [<- Hh]].
    apply filter_In in Hh as [Hh E]. apply Nat.eqb_eq in E. cbn in *. subst i. exact (all_find _ _ _ _ _ A Hh H2). }
  apply IH; [apply Forall_app; auto|]. clearbody news.
  apply (fold_keeps (all passable)); [|exact H]. intros p h Hh Hp. apply all_insert; [|exact Hp].
  exact (proj1 (Forall_forall passable news) N h Hh).
Qed.

Definition passing_true (A : passing) (good : store nat -> Prop) : Prop :=
  good Nil /\ forall g passed, g < guesses -> good passed ->
    (passable g -> good (passing_with A g passed)) /\ (passes_in A g passed = true -> passable g).

Lemma passing_of_true renamings :
  (forall R, In R renamings -> renaming_true s R) -> exists good, passing_true (passing_of s renamings) good.
Proof.
  intros H. unfold passing_of. destruct renamings as [|R l] eqn:E.
  { exists (fun _ => True). split; [exact I|]. intros g passed _ _. split; [auto|discriminate]. }
  rewrite <- E in *. clear E R l. destruct (negb only && forallb exact renamings) eqn:E.
  - apply andb_prop in E as [O X]. apply negb_true_iff in O. rewrite forallb_forall in X.
    assert (M : forall g, g < guesses -> may s g) by (intros g Hg; unfold may, asked; rewrite O; apply in_seq; lia).
    set (label := word_at _).
    assert (L : forall g, g < guesses -> label g < guesses /\ (passable (label g) <-> passable g)).
    { intros g0 Hg0. refine (labels_true passable _ _ _ _ _ _ g0 Hg0).
      - intros image Hi g Hg. apply in_map_iff in Hi as [R [<- HR]]. destruct (H R HR) as [Ex _].
        destruct (Ex (X R HR)) as [Q _]. split; [|split].
        + assert (J : In (word_at (guess_to R) g) (range guesses))
            by (apply (Permutation_in _ Q), in_map, in_seq; lia). apply in_seq in J. lia.
        + apply passable_image; auto.
        + apply (around passable _ (range guesses)); [apply seq_NoDup|exact Q| |apply in_seq; lia].
          intros y Hy. apply in_seq in Hy. apply passable_image; [auto|apply M; lia].
      - intros g Hg. rewrite make_at. pose proof Hg as Hg'. apply Nat.ltb_lt in Hg' as ->.
        split; [exact Hg|reflexivity]. }
    exists (all (fun l => forall g, g < guesses -> label g = l -> passable g)). split; [exact I|].
    intros g passed Hg G. split.
    + intros C. apply all_insert; [|exact G]. intros h Hh Eh. apply (proj2 (L h Hh)). rewrite Eh.
      apply (proj2 (L g Hg)), C.
    + intros P'. exact (passes_true _ _ _ G P' g Hg eq_refl).
  - exists (all passable). split; [exact I|]. intros g passed _ G. split; [|apply passes_true, G].
    intros C. apply spread_true; [apply arrows_true, H|auto|apply all_insert; assumption].
Qed.

Variable ask : nat -> memory -> bool * memory.
Variable A : passing.
Variable good : store nat -> Prop.

Hypothesis ask_true : forall g mem mem', all fact_true mem -> ask g mem = (true, mem') -> cleared g.
Hypothesis ask_keeps : forall g mem, all fact_true mem -> all fact_true (snd (ask g mem)).
Hypothesis A_true : passing_true A good.

Lemma some_pass_true : forall named passed mem,
  (forall g, In g named -> g < guesses) -> good passed -> all fact_true mem ->
  good (fst (some_pass ask A named passed mem)) /\ all fact_true (snd (some_pass ask A named passed mem)).
Proof.
  induction named as [|h named IH]; intros passed mem L H M; [split; assumption|]. cbn [some_pass].
  assert (L' : forall g, In g named -> g < guesses) by (intros g Hg; apply L; right; exact Hg).
  destruct (proj2 A_true h passed (L h (or_introl eq_refl)) H) as [A1 _].
  destruct (passes_in A h passed); [apply IH; assumption|]. pose proof (ask_keeps h mem M) as M2.
  destruct (ask h mem) as [yes mem2] eqn:Q. cbn [snd] in M2. apply IH; [exact L'| |exact M2].
  destruct yes; [|exact H]. apply A1. intros _. exact (ask_true h mem mem2 M Q).
Qed.

Lemma all_pass_true : forall weak passed mem,
  (forall g, In g weak -> g < guesses) -> good passed -> all fact_true mem ->
  (fst (all_pass ask A weak passed mem) = true -> forall g, In g weak -> passable g) /\
  all fact_true (snd (all_pass ask A weak passed mem)).
Proof.
  induction weak as [|h weak IH]; intros passed mem L H M; [split; [intros _ g []|exact M]|]. cbn [all_pass].
  pose proof (L h (or_introl eq_refl)) as Lh.
  assert (L' : forall g, In g weak -> g < guesses) by (intros g Hg; apply L; right; exact Hg).
  destruct (proj2 A_true h passed Lh H) as [A1 A2]. destruct (passes_in A h passed) eqn:P'.
  { destruct (IH passed mem L' H M) as [I1 I2]. split; [|exact I2].
    intros E g [<-|Hg]; [exact (A2 eq_refl)|exact (I1 E g Hg)]. }
  pose proof (ask_keeps h mem M) as M2. destruct (ask h mem) as [yes mem2] eqn:Q. cbn [snd] in M2. destruct yes.
  { assert (C : passable h) by (intros _; exact (ask_true h mem mem2 M Q)).
    destruct (IH _ _ L' (A1 C) M2) as [I1 I2]. split; [|exact I2].
    intros E g [<-|Hg]; [exact C|exact (I1 E g Hg)]. }
  set (equals := filter _ weak).
  pose proof (some_pass_true equals passed mem2) as S'. destruct (some_pass _ _ equals _ _) as [passed3 mem3].
  destruct S' as [S1 S2]; [intros g Hg; apply filter_In in Hg; apply L', Hg|exact H|exact M2|].
  cbn [fst snd] in S1, S2.
  destruct (passes_in A h passed3) eqn:P3; [|split; [discriminate|exact S2]].
  destruct (IH _ _ L' S1 S2) as [I1 I2]. split; [|exact I2].
  intros E g [<-|Hg]; [exact (proj2 (proj2 A_true h passed3 Lh S1) P3)|exact (I1 E g Hg)].
Qed.

End Passing.

(** *** Claims *)

Definition claim_true (s : list nat) (d : option nat) (b : bound) (first : option nat) : Prop :=
  match first with None => lb d s b | Some g => may s g /\ ask_lb d g s b \/ lb d s b end.

Lemma names_below renamings weak named : (forall g, In g weak -> g < guesses) ->
  forall g, In g (asked_first renamings weak named) -> g < guesses.
Proof.
  intros L g Hg. unfold asked_first in Hg. destruct renamings; [destruct Hg|]. apply filter_In in Hg as [_ Hg].
  apply existsb_exists in Hg as [h [Hh E]]. apply Nat.eqb_eq in E as ->. exact (L h Hh).
Qed.

Lemma twins_below s (none : bool) named g : In g (if none then [] else flat_map (twin s) named) -> g < guesses.
Proof.
  intros Hg. destruct none; [destruct Hg|]. apply in_flat_map in Hg as [h [_ Hg]]. unfold twin in Hg.
  destruct (List.find _ _) as [k|] eqn:E; [|destruct Hg]. destruct Hg as [<-|[]]. apply find_some in E as [E _].
  exact (may_below s k E).
Qed.

Lemma judge_keeps smalls_ s d b first renamings named mem :
  proper s -> Forall small_true smalls_ -> all fact_true mem ->
  (forall R, In R renamings -> renaming_true s R) ->
  all fact_true (snd (judge smalls_ s d b first renamings named mem)).
Proof.
  intros H A M HR. unfold judge. destruct (reached b (fst (known mem s (clip s d) false)) || _); [exact M|]. cbv zeta.
  destruct (reached b (costs _ _ _)); [exact M|]. destruct (finished one s); [exact M|].
  pose proof (table_here s H) as HT.
  destruct first as [g|].
  { destruct (existsb (Nat.eqb g) (asked s)); [apply asking_keeps; assumption|exact M]. }
  set (ask := asking _ _ _ _ _). set (weak := filter _ (asked s)).
  assert (AK : forall g mem, all fact_true mem -> all fact_true (snd (ask g mem)))
    by (intros; apply asking_keeps; assumption).
  assert (AT : forall g mem mem', all fact_true mem -> ask g mem = (true, mem') -> cleared s (clip s d) b g)
    by (intros; eapply asking_true; eassumption).
  assert (Lw : forall g, In g weak -> g < guesses) by (intros g Hg; apply filter_In in Hg as [Hg _];
    exact (may_below s g Hg)).
  destruct (passing_of_true s (clip s d) b H renamings HR) as [good G]. set (A' := passing_of s renamings) in *.
  set (names := asked_first _ _ _).
  pose proof (some_pass_true s (clip s d) b ask A' good AT AK G names Nil mem (names_below _ _ _ Lw)
    (proj1 G) M) as [S1 S2].
  destruct (some_pass _ _ names _ _) as [passed mem2]. cbn [fst snd] in *.
  set (twins := if _ || forallb _ weak then [] else _).
  pose proof (some_pass_true s (clip s d) b ask A' good AT AK G twins passed mem2 (twins_below s _ names) S1 S2) as
    [S3 S4].
  destruct (some_pass _ _ twins _ _) as [passed3 mem3]. cbn [fst snd] in *.
  apply (all_pass_true s (clip s d) b ask A' good AT AK G); assumption.
Qed.

Lemma judge_true smalls_ s d b first renamings named mem mem' :
  proper s -> Forall small_true smalls_ -> all fact_true mem ->
  (forall R, In R renamings -> renaming_true s R) ->
  judge smalls_ s d b first renamings named mem = (true, mem') -> claim_true s d b first.
Proof.
  intros H A M HR E.
  assert (Q : lb d s b -> claim_true s d b first) by (intros X; destruct first; cbn; auto).
  unfold judge in E. destruct (reached b (fst (known mem s (clip s d) false)) || _) eqn:E1.
  { apply Q. apply orb_prop in E1 as [E1|E1].
    - apply lb_clip, (lb_weaker _ _ _ _ E1), known_true, M.
    - destruct b; [discriminate|]. exact (holds_small_true _ _ _ A E1). }
  cbv zeta in E.
  pose proof (table_here s H) as HT. set (T := table_for (parts_by (largest_byte (keys s)))) in *.
  destruct (reached b (costs T (clip s d) (List.length s))) eqn:E2.
  { apply Q, lb_clip, (lb_weaker _ _ _ _ E2). apply HT; [exact H|apply incl_refl]. }
  destruct (finished one s) eqn:Fi; [discriminate|]. destruct (not_settled s Fi) as [NS N].
  destruct first as [g|].
  { destruct (existsb (Nat.eqb g) (asked s)) eqn:X; [|discriminate]. left. split.
    - apply existsb_exists in X as [g' [Hg X]]. apply Nat.eqb_eq in X. subst g'. exact Hg.
    - eapply asking_true; eassumption. }
  cbn [claim_true]. apply lb_clip.
  set (ask := asking T smalls_ s (clip s d) b) in *. set (weak := filter _ (asked s)) in *.
  assert (AT : forall g mem mem', all fact_true mem -> ask g mem = (true, mem') -> cleared s (clip s d) b g)
    by (intros; eapply asking_true; eassumption).
  assert (AK : forall g mem, all fact_true mem -> all fact_true (snd (ask g mem)))
    by (intros; apply asking_keeps; assumption).
  assert (Lw : forall g, In g weak -> g < guesses) by (intros g Hg; apply filter_In in Hg as [Hg _];
    exact (may_below s g Hg)).
  assert (W : forall g, In g weak -> passable s (clip s d) b g).
  { destruct (passing_of_true s (clip s d) b H renamings HR) as [good G]. set (A' := passing_of s renamings) in *.
    set (names := asked_first _ _ _) in E.
    pose proof (some_pass_true s (clip s d) b ask A' good AT AK G names Nil mem (names_below _ _ _ Lw)
      (proj1 G) M) as [S1 S2].
    destruct (some_pass _ _ names _ _) as [passed mem2]. cbn [fst snd] in *.
    set (twins := if _ || forallb _ weak then [] else _) in E.
    pose proof (some_pass_true s (clip s d) b ask A' good AT AK G twins passed mem2 (twins_below s _ names) S1 S2)
      as [S3 S4].
    destruct (some_pass _ _ twins _ _) as [passed3 mem3]. cbn [fst snd] in *. intros g Hg.
    refine (proj1 (all_pass_true s (clip s d) b ask A' good AT AK G weak passed3 mem3 Lw S3 S4) _ g Hg).
    now rewrite E. }
  apply (lb_by_asking ans may one); [exact NS|]. intros g Hg.
  pose proof (keys_few s g H Hg) as F. pose proof (may_below s g Hg) as Lg.
  destruct (reached b (by_sizes T (room_of T (pre (clip s d))) (List.length s) g s)) eqn:B.
  { right. apply (ask_lb_weaker _ _ _ _ _ B), by_sizes_true; assumption. }
  set (key := byte_at (keys s) g) in *.
  destruct ((parts_by key <=? 1) && (2 <=? List.length s) ||
            reached b (by_parts T (room_of T (pre (clip s d))) (List.length s) (parts_by key))) eqn:V.
  - apply orb_prop in V as [V|V].
    + left. apply andb_prop in V as [V1 V2]. apply Nat.leb_le in V1, V2. exact (useless_true s g _ H Hg V2 F V1).
    + right. apply (ask_lb_weaker _ _ _ _ _ V), HT; assumption.
  - assert (C : passable s (clip s d) b g).
    2: { destruct (tells ans s g) eqn:Te; [right; exact (C Te)|left]. exists (pred (ans g (hd 0 s))).
         apply part_whole, forallb_forall. intros x Hx. apply Nat.eqb_eq, (tells_not ans s g Te x Hx). }
    apply W, filter_In. split; [exact Hg|]. fold key. rewrite B, make_at.
    assert (Lk : key <? S (largest_byte (keys s)) = true).
    { apply Nat.ltb_lt, Nat.lt_succ_r. apply (at_most_largest (keys s) g). }
    rewrite Lk, V. reflexivity.
Qed.

Definition state_true (st : state) : Prop := all fact_true (facts st) /\ Forall small_true (smalls st).

Definition about_true (A : about) : Prop := claim_true (members A) (left A) (least_cost A) (begins A).

Lemma keep_true A mem : all fact_true mem -> lb (left A) (members A) (least_cost A) -> all fact_true (keep A mem).
Proof.
  intros M B. apply remember_true; [exact M|]. apply (lb_fewer ans may one (left A)); [apply fewer_clip|exact B].
Qed.

Lemma shown_true A renamings named st yes st' :
  proper (members A) -> state_true st -> (forall R, In R renamings -> renaming_true (members A) R) ->
  shown A renamings named st = (yes, st') -> state_true st' /\ (yes = true -> about_true A).
Proof.
  intros H [M Sm] HR E. unfold shown in E.
  pose proof (judge_keeps (smalls st) (members A) (left A) (least_cost A) (begins A) renamings named (facts st) H Sm M HR)
    as K'.
  destruct (judge _ _ _ _ _ _ _ _) as [yes' mem'] eqn:J. cbn [snd] in K'.
  assert (Z : yes' = true -> about_true A) 
    by (intros Y; rewrite Y in J; exact (judge_true _ _ _ _ _ _ _ _ _ H Sm M HR J)).
  injection E as <- <-. split; [|exact Z]. split; [|exact Sm]. cbn [facts].
  destruct yes'; [|exact K']. specialize (Z eq_refl). unfold about_true, claim_true in Z.
  destruct (begins A); [exact K'|]. apply keep_true; [exact K'|exact Z].
Qed.

Lemma renamed_true A words_ st rest st' :
  proper (members A) -> state_true st -> renamed A words_ st = Some (rest, st') -> state_true st' /\ about_true A.
Proof.
  intros H [M Sm] E. unfold renamed in E.
  destruct (read_image (members A) words_) as [[s' rest']|] eqn:Rd; [|discriminate].
  destruct (proved _ _ _ _) eqn:Pr; [|discriminate]. injection E as _ <-.
  apply proved_true in Pr; [|exact M]. apply lb_clip in Pr.
  assert (B : lb (left A) (members A) (least_cost A)).
  { destruct (image_exact _ _ _ _ Rd (fun x => in_proper _ x H)) as [to [Q [O [L K]]]].
    refine (lb_renamed ans may one may_more (members A) to to _ s' Q _ _ Pr). intros g Hm _.
    pose proof (may_below _ _ Hm) as Hg. specialize (L g Hg). split; [|split].
    - intros s'' _ Hm'. unfold may, asked in *. destruct (yes_or_no only) as [Y|Y]; rewrite Y in Hm' |- *.
      + rewrite (map_ext _ (fun x => x) O), map_id in Hm' |- *. apply filter_In in Hm' as [Hm' _].
        apply filter_In. split; [apply in_map, Hm'|apply Nat.ltb_lt, L].
      + apply in_seq. lia.
    - intros x Hx. rewrite (K g x Hg (in_proper _ x H Hx)). reflexivity.
    - intros x y Hx Hy. rewrite (K g x Hg (in_proper _ x H Hx)), (K g y Hg (in_proper _ y H Hy)). reflexivity. }
  split; [split; [apply keep_true; assumption|exact Sm]|].
  unfold about_true, claim_true. destruct (begins A); [right|]; exact B.
Qed.

Lemma small_set_true words_ h rest : small_set words_ = Some (h, rest) -> proper (fst h).
Proof.
  clear responses_few rows_are board_is.
  unfold small_set. destruct words_ as [|n [|d words_]]; try discriminate.
  destruct (number_in n) as [n'|]; [|discriminate]. destruct (number_in d) as [d'|]; [|discriminate].
  destruct (negb only && _ && _ && _); [|discriminate]. destruct (some_secrets n' words_) as [[l rest']|]; [|discriminate].
  destruct (rising l && _) eqn:E; [|discriminate]. intros [= <- _]. apply andb_prop in E as [E1 E2]. cbn [fst].
  split; [apply rising_nodup, E1|]. intros x Hx. apply (proj1 (forallb_forall _ _) E2) in Hx. apply Nat.ltb_lt in Hx.
  apply in_seq. lia.
Qed.

Lemma items_true fuel : forall top here words_ A renamings named st rest st',
  proper (members A) -> state_true st -> (forall R, In R renamings -> renaming_true (members A) R) ->
  items fuel top here words_ A renamings named st = inl (rest, st') -> state_true st' /\ about_true A.
Proof.
  induction fuel as [|fuel IH]; intros top here words_ A renamings named st rest st' H St HR E; [discriminate|].
  destruct words_ as [|w words_]; [discriminate|]. cbn [items] in E.
  assert (LEMMA : forall A' o rest2 after r,
    proper (members A') ->
    (if is "." o
     then let '(yes, st2) := shown A' [] [] st in if yes then after rest2 st2 else inr (o :: rest2)
     else if is "(" o
          then match items fuel false (o :: rest2) rest2 A' [] [] st with
               | inl (rest3, st2) => after rest3 st2 | inr more => inr more end
          else if is "~" o
               then match renamed A' rest2 st with Some (rest3, st2) => after rest3 st2 | None => inr (o :: rest2) end
               else inr (o :: rest2)) = inl r ->
    exists rest3 st2, after rest3 st2 = @inl (list text * state) (list text) r /\ state_true st2 /\ about_true A').
  { intros A' o rest2 after r H' E'. destruct (is "." o).
    - destruct (shown A' [] [] st) as [yes st2] eqn:Sh.
      apply shown_true in Sh as [S1 S2]; [|exact H'|exact St|intros R []].
      destruct yes; [|discriminate]. exists rest2, st2. auto.
    - destruct (is "(" o).
      + destruct (items fuel false _ rest2 A' [] [] st) as [[rest3 st2]|] eqn:It; [|discriminate].
        apply IH in It as [S1 S2]; [|exact H'|exact St|intros R []]. exists rest3, st2. auto.
      + destruct (is "~" o); [|discriminate]. destruct (renamed A' rest2 st) as [[rest3 st2]|] eqn:Rn; [|discriminate].
        apply renamed_true in Rn; [|exact H'|exact St]. exists rest3, st2. tauto. }
  destruct (is ")" w).
  { destruct (shown A renamings named st) as [yes st2] eqn:Sh. apply shown_true in Sh as [S1 S2]; try assumption.
    destruct yes; [|discriminate]. injection E as <- <-. auto. }
  destruct (is "=" w).
  { destruct (read_renaming (members A) words_) as [[R rest2]|] eqn:Rd; [|discriminate].
    destruct (keeps (members A) R) eqn:Kp; [|discriminate]. apply IH in E; try assumption.
    intros R' [<-|HR']; [apply keeps_true; [exact H|exact (reading_exact _ _ _ _ Rd)|exact Kp]|auto]. }
  destruct (is "!" w).
  { destruct top; [|discriminate]. destruct (small_set words_) as [[h rest2]|] eqn:Sm; [|discriminate].
    destruct rest2 as [|o rest2]; [discriminate|]. apply small_set_true in Sm.
    apply (LEMMA _ _ _ (fun rest st => items fuel true here rest A renamings named (keep_small h st))) in E
      as [rest3 [st2 [E [[S1 S2] S3]]]]; [|exact Sm].
    apply IH in E; try assumption. split; [exact S1|]. constructor; [|exact S2]. split; [apply Sm|exact S3]. }
  destruct words_ as [|x' [|c [|o rest2]]]; try discriminate.
  destruct (place_of_guess w) as [g|]; [|discriminate]. destruct (place_of_secret x') as [x|]; [|discriminate].
  destruct (bound_in c) as [b|]; [|discriminate]. destruct (existsb (Nat.eqb x) (members A)); [|discriminate].
  apply (LEMMA _ _ _ (fun rest st => items fuel top here rest A renamings (g :: named) st)) in E
    as [rest3 [st2 [E [S1 _]]]].
  - apply IH in E; assumption.
  - cbn [members]. apply (proper_part g (ans g x)), H.
Qed.

(** The claim of the whole. *)
Theorem refusal_true words_ d b first : refusal words_ d b first = None -> claim_true whole d b first.
Proof.
  intros E. unfold refusal in E. set (A := {| members := whole; left := d; least_cost := b; begins := first |}) in *.
  set (st := {| facts := Nil; smalls := [] |}) in *.
  assert (H : proper (members A)) by (split; [apply seq_NoDup|apply incl_refl]).
  assert (St : state_true st) by (split; [exact I|constructor]).
  destruct words_ as [|o rest]; [discriminate|]. destruct (is "." o).
  { destruct (shown A [] [] st) as [yes st2] eqn:Sh. apply shown_true in Sh as [_ S2]; [|exact H|exact St|intros R []].
    cbn [fst] in E. destruct yes; [exact (S2 eq_refl)|discriminate]. }
  destruct (is "(" o); [|discriminate].
  destruct (items _ _ _ _ _ _ _ _) as [[[|] st2]|] eqn:It in E; try discriminate.
  apply items_true in It as [_ It]; [exact It|exact H|exact St|intros R []].
Qed.

End Plain.
