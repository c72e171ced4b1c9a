(** A plain checker of claims about sets of secrets, for all goals, and why what it accepts is true. It adds up what
    counting says of the parts of each guess, looks one step ahead, and remembers. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii String.
From Proof Require Import Text Store Vector Theory Counting Trees.
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

Record fact := { set_of : list nat; depth_of : option nat; bound_of : bound; ahead_of : bool }.

Definition memory := store fact.

Definition wide : nat := Nat.pow 2 20.

Definition hash (s : list nat) : nat := fold_left (fun h x => (31 * h + x + 1) mod wide) s 0.

(** The best bound of a set, and whether it was looked ahead. *)
Definition known (mem : memory) (s : list nat) (d : option nat) : bound * bool :=
  fold_left (fun v f =>
      if equal (set_of f) s && deeper (depth_of f) d
      then (greater (fst v) (bound_of f), snd v || (ahead_of f && deeper d (depth_of f))) else v)
    (find (hash s) mem) (Some 0, false).

Definition remember (s : list nat) (d : option nat) (b : bound) (looked : bool) (mem : memory) : memory :=
  insert (hash s) {| set_of := s; depth_of := d; bound_of := b; ahead_of := looked |} mem.

(** ** Tables of counting: bounds by number of secrets, and the most that 0, 1, ... guesses settle *)

Record table := { least : words; entries : nat; caps : list nat }.

Definition costs (T : table) (d : option nat) (n : nat) : bound :=
  let free := Some (if n <? entries T then word_at (least T) n else 0) in
  match d with
  | None => free
  | Some d => match nth_error (caps T) d with
              | Some most => if n <=? most then free else None
              | None => free
              end
  end.

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
      let now := match map best (combine (seq 0 (List.length ws)) ws) with [] => 0 | v :: vs => fold_left min vs v end in
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

Let P (j : nat) : nat := nth j profile 0.

(** *** Tables *)

Definition to_win (K : nat) : list nat :=
  let tab := filled secrets K ws profile in if table_good K ws profile tab then tab else [].

Definition to_identify (K : nat) : list nat :=
  map (fun n => if n <=? 1 then 0 else leaves (max K 2) 1 n) (seq 0 (S secrets)).

Definition table_of (K : nat) : table :=
  let tab := if one then to_identify K else to_win K in
  let free := if one then 1 else 0 in
  {| least := words_of tab; entries := List.length tab;
     caps := capacities limits free free K ws profile |}.

Variable tables : list (delayed table).  (* by the most parts that a guess makes *)

Definition trivial : table := {| least := words_of []; entries := 0; caps := [] |}.

Definition table_for (K : nat) : table := match nth_error tables K with Some T => value T | None => trivial end.

(** *** Bounds *)

Definition clip (s : list nat) (d : option nat) : option nat :=
  let most := List.length s - if one then 1 else 0 in
  match d with None => Some most | Some d => Some (min d most) end.

Definition by_sizes (T : table) (d : option nat) (n : nat) (z : list nat) : bound :=
  fold_left (fun v c => if c =? 0 then v else plus v (costs T d c)) (tl z) (Some n).

Definition useless (n : nat) (z : list nat) : bool := existsb (Nat.eqb n) (tl z).

(** The least over guesses; it need not go on at the floor. *)
Fixpoint least_of (T : table) (d : option nat) (s : list nat) (n : nat) (floor v : bound) (gs : list nat) : bound :=
  match gs with
  | [] => v
  | g :: gs =>
      if reached v floor then v
      else
        let z := sizes g s in
        least_of T d s n floor (if useless n z then v else lesser v (by_sizes T d n z)) gs
  end.

(** One step ahead (L5). *)
Definition ahead (s : list nat) (d : option nat) : bound :=
  let n := List.length s in
  let T := table_for (most s) in
  let floor := costs T d n in
  greater floor (least_of T (pre d) s n floor None (asked s)).

Definition small := (list nat * option nat)%type.

(** Whether a small set is in the set that cannot be settled (L7). *)
Definition holds_small (smalls : list small) (s : list nat) (d : option nat) : bool :=
  negb only && existsb (fun hd => deeper (snd hd) d && inside (fst hd) s) smalls.

(** Sets of which counting says enough. *)
Definition tiny (s : list nat) : bool := List.length s <? (if one then 2 else 3).

(** Whether the parts reach the bound, each looked into as long as the sum is too small. *)
Fixpoint improve (d : option nat) (b sum : bound) (todo : list (list nat * bound)) (mem : memory) : bool * memory :=
  if reached b (plus sum (plus_all (map snd todo))) then (true, mem)
  else
    match todo with
    | [] => (false, mem)
    | (s, v) :: todo =>
        let c := clip s d in
        if tiny s || snd (known mem s c) then improve d b (plus sum v) todo mem
        else
          let now := ahead s c in
          improve d b (plus sum (greater v now)) todo (remember s c now true mem)
    end.

Definition parts_of (g : nat) (s : list nat) : list (list nat) :=
  filter (fun part => negb (empty part)) (tl (buckets responses (ans g) s)).

Definition asking (T : table) (smalls : list small) (s : list nat) (d : option nat) (b : bound) (g : nat) (mem : memory)
    : bool * memory :=
  let parts := parts_of g s in
  let d := pre d in
  if match b with None => existsb (fun part => holds_small smalls part d) parts | Some _ => false end then (true, mem)
  else
    improve d b (Some (List.length s))
      (map (fun part => (part, greater (costs T (clip part d) (List.length part)) (fst (known mem part (clip part d)))))
         parts) mem.

(** *** Renamings *)

Record renaming := { secret_to : words; guess_to : words }.

Definition first_answers (l : list nat) : list nat :=
  let first := inverse responses (words_of l) in map (word_at first) l.

(** Guess [g] splits a list as [h] splits another. *)
Definition alike (g : nat) (s : list nat) (h : nat) (s' : list nat) : bool :=
  let a := map (ans g) s in
  let b := map (ans h) s' in
  equal (first_answers a) (first_answers b) && equal (map (fun r => Nat.b2n (r =? 0)) a) (map (fun r => Nat.b2n (r =? 0)) b).

Definition image_true (s : list nat) (to : list nat) (R : renaming) (g : nat) : bool :=
  negb (tells ans s g) ||
  (word_at (guess_to R) g <? guesses) && alike g s (word_at (guess_to R) g) to.

(** The renaming keeps the set, and each guess that tells it apart has an image. *)
Definition keeps (s : list nat) (R : renaming) : bool :=
  let to := map (word_at (secret_to R)) s in
  same_words (tally secrets (fun x => x) to) (tally secrets (fun x => x) s) &&
  forallb (fun x => x <? secrets) to &&
  forallb (image_true s to R) (asked s) &&
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

(** Each guess passes, or one that renamings make equal to it. *)
Fixpoint all_pass (ask : nat -> memory -> bool * memory) (renamings : nat) (to : arrows) (weak : list nat)
    (passed : store nat) (mem : memory) : bool * memory :=
  match weak with
  | [] => (true, mem)
  | g :: weak =>
      if passes g passed then all_pass ask renamings to weak passed mem
      else
        let '(yes, mem) := ask g mem in
        if yes then all_pass ask renamings to weak (pass renamings to g passed) mem else (false, mem)
  end.

Fixpoint some_pass (ask : nat -> memory -> bool * memory) (renamings : nat) (to : arrows) (named : list nat)
    (passed : store nat) (mem : memory) : store nat * memory :=
  match named with
  | [] => (passed, mem)
  | g :: named =>
      if passes g passed then some_pass ask renamings to named passed mem
      else
        let '(yes, mem) := ask g mem in
        some_pass ask renamings to named (if yes then pass renamings to g passed else passed) mem
  end.

(** The first guess that splits the set as a guess does. *)
Definition twin (s : list nat) (g : nat) : list nat :=
  match List.find (fun h => alike h s g s) (asked s) with Some h => [h] | None => [] end.

(** Whether the set is shown to cost at least the bound, asking this guess first, if there is one. *)
Definition judge (smalls : list small) (s : list nat) (d : option nat) (b : bound) (first : option nat)
    (renamings : list renaming) (named : list nat) (mem : memory) : bool * memory :=
  let n := List.length s in
  let c := clip s d in
  if reached b (fst (known mem s c)) || match b with None => holds_small smalls s d | Some _ => false end
  then (true, mem)
  else
    let T := table_for (most s) in
    if reached b (costs T c n) then (true, mem)
    else if finished one s then (false, mem)
    else
      match first with
      | Some g => if existsb (Nat.eqb g) (asked s) then asking T smalls s d b g mem else (false, mem)
      | None =>
          let ask := asking T smalls s c b in
          let weak := filter (fun g => let z := sizes g s in
            negb (useless n z || reached b (by_sizes T (pre c) n z))) (asked s) in
          match renamings with
          | [] => all_pass ask 0 Nil weak Nil mem
          | _ =>
              let many := List.length renamings in
              let to := arrows_of s renamings in
              let named := filter (fun g => existsb (Nat.eqb g) weak) (rev' named) in
              let '(passed, mem) := some_pass ask many to (named ++ flat_map (twin s) named) Nil mem in
              all_pass ask many to weak passed mem
          end
      end.

(** ** Reading a proof *)

Variable place_of_guess place_of_secret : text -> option nat.

(** Reads what follows [=]: the renaming of a set, and the words behind it. *)
Variable read_renaming : list nat -> list text -> option (renaming * list text).

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

Definition shown (A : about) (renamings : list renaming) (named : list nat) (st : state) : bool * state :=
  let '(yes, mem) := judge (smalls st) (members A) (left A) (least_cost A) (begins A) renamings named (facts st) in
  (yes, {| facts := match yes, begins A with
                    | true, None => remember (members A) (clip (members A) (left A)) (least_cost A) false mem
                    | _, _ => mem end;
           smalls := smalls st |}).

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
  destruct (Nat.lt_ge_cases r responses) as [H|H].
  - unfold sizes, list_of. change (nth r (tally responses (ans g) s) 0) with (word_at (tally responses (ans g) s) r).
    rewrite tally_at by exact H. reflexivity.
  - rewrite nth_overflow.
    + unfold part, Trees.part. replace (filter _ s) with (@nil nat); [reflexivity|].
      induction s as [|x s IH]; [reflexivity|]. cbn [filter]. unfold has at 1. pose proof (ans_small g x).
      destruct (Nat.eqb_spec (ans g x) r); [lia|exact IH].
    + unfold sizes, list_of, tally. rewrite length_make. exact H.
Qed.

Lemma few_count g s : few ans (count_parts (sizes g s)) g s.
Proof.
  intros m. rewrite (sum_eq _ _ (fun r => if 0 <? nth r (sizes g s) 0 then 1 else 0))
    by (intros r _; rewrite sizes_at; reflexivity).
  rewrite (sum_nth (fun c => if 0 <? c then 1 else 0)) by reflexivity. rewrite sum_if. apply le_n.
Qed.

Lemma most_bounds s g : may s g -> count_parts (sizes g s) <= most s.
Proof.
  unfold may, most. cut (forall l m, m <= fold_left (fun m g => max m (count_parts (sizes g s))) l m /\
    (In g l -> count_parts (sizes g s) <= fold_left (fun m g => max m (count_parts (sizes g s))) l m));
    [intros X; apply X|].
  induction l as [|h l IH]; intros m; cbn [fold_left]; [split; [lia|intros []]|].
  destruct (IH (max m (count_parts (sizes h s)))) as [A B]. split; [lia|]. intros [->|H]; [lia|auto].
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

Lemma proper_fits s : proper s -> fits (most s) s.
Proof.
  intros H. pose proof H as [N I]. split; [split; [|split]|split; [exact N|]].
  - intros g M. apply wins_fit; assumption.
  - intros g M m. rewrite (few_count g s m). apply most_bounds, M.
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

(** Whatever may be asked. *)
Lemma costs_true (may' : list nat -> nat -> Prop) K d s :
  (forall s s' g, incl s s' -> may' s g -> may' s' g) -> fits_all ans may' K P ws s -> proper s ->
  Trees.lb ans may' one d s (costs (table_of K) d (List.length s)).
Proof.
  set (lb' := Trees.lb ans may' one). intros M F H. pose proof (length_proper s H) as L. set (T := table_of K).
  assert (U : lb' d s (Some (if List.length s <? entries T then word_at (least T) (List.length s) else 0))).
  { destruct (Nat.ltb_spec (List.length s) (entries T)) as [E|_]; [|apply lb_zero].
    unfold T, table_of in *. cbn [least entries] in *. destruct (yes_or_no one) as [O|O]; rewrite O in E |- *.
    - unfold to_identify, words_of, word_at in *. rewrite map_length, seq_length in E.
      set (f := fun n => if n <=? 1 then 0 else leaves (max K 2) 1 n).
      rewrite nth_indep with (d' := f 0) by (rewrite map_length, seq_length; exact E).
      rewrite (map_nth f), seq_nth by exact E. cbn [Nat.add]. unfold f.
      destruct (Nat.leb_spec (List.length s) 1) as [_|B]; [apply lb_zero|].
      apply (leaves_bound ans may' one M (max K 2) P ws); try lia.
      + exact (ans_goes_on O).
      + exact (fits_more may' K _ s (Nat.le_max_l _ _) F).
      + intros ->. cbn in B. lia.
    - unfold to_win, words_of in *. destruct (table_good K ws profile (filled secrets K ws profile)) eqn:G;
        [|cbn in E; lia].
      intros t Ht. cbn [reaches]. unfold word_at.
      apply (counting_bounds ans may' one M K P ws ws_one
        (fun n => nth n (filled secrets K ws profile) 0)
        (pred (List.length (filled secrets K ws profile))) d); [apply table_is_good; assumption|exact F|lia|exact Ht]. }
  unfold costs. destruct d as [d|]; [|exact U].
  destruct (nth_error (caps T) d) as [c|] eqn:C; [|exact U].
  destruct (Nat.leb_spec (List.length s) c) as [_|B]; [exact U|].
  intros t Ht. pose proof (capacity_bounds ans may' one M K P ws ws_one d t s F Ht) as X.
  unfold T, table_of in C. cbn [caps] in C. apply (capacities_are K limits 0) in C. cbn [Nat.add] in C. lia.
Qed.

Lemma trivial_true d s : lb d s (costs trivial d (List.length s)).
Proof. unfold costs. cbn. destruct d as [[|d]|]; apply lb_zero. Qed.

Definition table_true (T : table) (s : list nat) : Prop :=
  lb (Some 0) s (Some 0) /\ forall s' d, proper s' -> incl s' s -> lb d s' (costs T d (List.length s')).

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

Lemma table_for_true s : proper s -> table_true (table_for (most s)) s.
Proof.
  intros H. split; [apply lb_zero|]. intros s' d H' I. unfold table_for.
  destruct (nth_error tables (most s)) as [T|] eqn:E; [|apply trivial_true].
  rewrite (tables_true _ _ E). apply costs_true; [exact may_more| |exact H'].
  apply (fits_within _ s); [apply proper_fits, H|apply H'|exact I].
Qed.

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

Lemma by_sizes_is T d n z :
  by_sizes T d n z = plus (Some n) (plus_all (map (fun c => if c =? 0 then Some 0 else costs T d c) (tl z))).
Proof.
  unfold by_sizes. rewrite <- fold_plus. generalize (Some n) as v. induction (tl z) as [|c l IH]; intros v; [reflexivity|].
  cbn [fold_left]. destruct (c =? 0); [rewrite plus_zero|]; apply IH.
Qed.

Lemma nth_tl (l : list nat) a : nth a (tl l) 0 = nth (S a) l 0.
Proof. destruct l; [destruct a|]; reflexivity. Qed.

Lemma by_sizes_true T s d g : proper s -> table_true T s ->
  ask_lb d g s (by_sizes T (pre d) (List.length s) (sizes g s)).
Proof.
  intros H [_ HT]. rewrite by_sizes_is. unfold plus_all. rewrite <- map_nth_seq. apply ask_lb_sum. intros a _.
  rewrite nth_tl, sizes_at. destruct (Nat.eqb_spec (List.length (part g (S a) s)) 0) as [E|_]; [apply lb_zero|].
  apply HT; [apply proper_part, H|apply part_incl].
Qed.

Lemma useless_true s g : s <> [] -> useless (List.length s) (sizes g s) = true -> exists a, Trees.part ans g (S a) s = s.
Proof.
  intros N U. apply existsb_exists in U as [c [Hc E]]. apply Nat.eqb_eq in E. subst c.
  apply (In_nth _ _ 0) in Hc as [a [_ E]]. rewrite nth_tl, sizes_at in E. exists a. apply part_whole.
  destruct (forallb _ s) eqn:F; [reflexivity|]. pose proof (part_smaller ans g (S a) s F) as X. unfold part in E. lia.
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

Lemma least_of_true T d s n floor gs : forall v,
  let v' := least_of T d s n floor v gs in
  reached v' v = true /\
  (reached v' floor = true \/
   forall g, In g gs -> useless n (sizes g s) = true \/ reached v' (by_sizes T d n (sizes g s)) = true).
Proof.
  induction gs as [|g gs IH]; intros v; cbn [least_of].
  - split; [apply reached_refl|right; intros g []].
  - destruct (reached v floor) eqn:F; [split; [apply reached_refl|left; exact F]|].
    set (z := sizes g s). destruct (useless n z) eqn:U.
    + destruct (IH v) as [A B]. split; [exact A|]. destruct B as [B|B]; [left; exact B|right].
      intros h [<-|Hh]; [left; exact U|auto].
    + destruct (IH (lesser v (by_sizes T d n z))) as [A B]. destruct (reached_lesser v (by_sizes T d n z)) as [A1 A2].
      split; [exact (reached_trans _ _ _ A A1)|]. destruct B as [B|B]; [left; exact B|right].
      intros h [<-|Hh]; [right; exact (reached_trans _ _ _ A A2)|auto].
Qed.

Lemma not_settled s : finished one s = false -> ~ settled one s /\ s <> [].
Proof. intros E. split; [intros S'; apply finished_settled in S'; congruence|intros ->; discriminate]. Qed.

Lemma not_tiny s : tiny s = false -> finished one s = false.
Proof. unfold tiny. destruct s as [|x [|y s]], one; cbn; congruence. Qed.

Lemma ahead_true s d : proper s -> finished one s = false -> lb d s (ahead s d).
Proof.
  intros H E. destruct (not_settled s E) as [NS N]. unfold ahead. cbv zeta.
  pose proof (table_for_true s H) as HT. set (T := table_for (most s)) in *.
  assert (B : lb d s (costs T d (List.length s))) by (apply HT; [exact H|apply incl_refl]).
  set (floor := costs T d (List.length s)) in *.
  destruct (least_of_true T (pre d) s (List.length s) floor (asked s) None) as [_ X].
  set (v := least_of _ _ _ _ _ _ _) in *. apply lb_greater; [exact B|]. destruct X as [X|X].
  - exact (lb_weaker _ _ _ _ X B).
  - apply (lb_by_asking ans may one); [exact NS|]. intros g Hg. destruct (X g Hg) as [U|U].
    + left. apply useless_true; assumption.
    + right. apply (ask_lb_weaker _ _ _ _ _ U), by_sizes_true; assumption.
Qed.

(** *** Memory *)

Definition fact_true (f : fact) : Prop := lb (depth_of f) (set_of f) (bound_of f).

Lemma known_true mem s d : all fact_true mem -> lb d s (fst (known mem s d)).
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

Lemma improve_true d b : forall todo sum mem mem',
  (forall s v, In (s, v) todo -> proper s /\ lb d s v) -> all fact_true mem ->
  improve d b sum todo mem = (true, mem') ->
  exists vs, Forall2 (fun sv v => lb d (fst sv) v) todo vs /\ reached b (plus sum (plus_all vs)) = true.
Proof.
  induction todo as [|[s v] todo IH]; intros sum mem mem' H M E; cbn [improve] in E.
  - destruct (reached _ _) eqn:R; [|discriminate]. exists []. split; [constructor|exact R].
  - destruct (reached b (plus sum _)) eqn:R.
    { exists (map snd ((s, v) :: todo)). split; [|exact R]. clear E IH R.
      induction ((s, v) :: todo) as [|[s' v'] l IH]; constructor.
      - apply (H s' v'). left; reflexivity.
      - apply IH. intros; apply H; right; assumption. }
    destruct (H s v (or_introl eq_refl)) as [Hp Hv].
    destruct (tiny s || snd (known mem s (clip s d))) eqn:Fi.
    + apply IH in E as [vs [V X]]; [|intros; apply H; right; assumption|exact M].
      exists (v :: vs). split; [constructor; [exact Hv|exact V]|]. cbn [plus_all fold_right]. rewrite plus_assoc. exact X.
    + apply orb_false_iff in Fi as [Fi _]. apply not_tiny in Fi. pose proof (ahead_true s (clip s d) Hp Fi) as A.
      apply IH in E as [vs [V X]]; [|intros; apply H; right; assumption|apply remember_true; assumption].
      eexists (_ :: vs). split; [constructor; [|exact V]|cbn [plus_all fold_right]; rewrite plus_assoc; exact X].
      cbn [fst]. apply lb_greater; [exact Hv|]. apply lb_clip, A.
Qed.

Lemma improve_keeps d b : forall todo sum mem,
  (forall s v, In (s, v) todo -> proper s) -> all fact_true mem -> all fact_true (snd (improve d b sum todo mem)).
Proof.
  induction todo as [|[s v] todo IH]; intros sum mem H M; cbn [improve]; destruct (reached _ _); try exact M.
  destruct (tiny s || snd (known mem s (clip s d))) eqn:Fi.
  - apply IH; [intros s' v' I; apply (H s' v'); right; exact I|exact M].
  - apply orb_false_iff in Fi as [Fi _]. apply not_tiny in Fi. apply IH; [intros s' v' I; apply (H s' v'); right; exact I|].
    apply remember_true; [exact M|]. apply ahead_true; [apply (H s v); left; reflexivity|exact Fi].
Qed.

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

Definition clip_known T d mem p : list nat * bound :=
  (p, greater (costs T (clip p d) (List.length p)) (fst (known mem p (clip p d)))).

Lemma todo_true T s d g mem : proper s -> table_true T s -> all fact_true mem ->
  forall p v, In (p, v) (map (clip_known T d mem) (parts_of g s)) -> proper p /\ lb d p v.
Proof.
  intros H [_ HT] M p v I. apply in_map_iff in I as [p' [[= <- <-] Hp]]. rewrite parts_are in Hp.
  apply in_map_iff in Hp as [a [<- _]]. pose proof (proper_part g (S a) s H) as Hp. split; [exact Hp|].
  apply lb_clip, lb_greater; [apply HT; [exact Hp|apply part_incl]|apply known_true, M].
Qed.

Lemma asking_true T smalls_ s d b g mem mem' :
  Forall small_true smalls_ -> proper s -> table_true T s -> all fact_true mem ->
  asking T smalls_ s d b g mem = (true, mem') -> ask_lb d g s b.
Proof.
  intros A H HT M E. unfold asking in E.
  destruct (match b with None => _ | Some _ => false end) eqn:S'.
  { destruct b; [discriminate|]. apply existsb_part in S' as [a S']. apply (holds_small_true _ _ _ A) in S'.
    intros next Ht. exact (S' _ (solves_part _ _ _ _ _ _ _ a Ht)). }
  change (map _ (parts_of g s)) with (map (clip_known T (pre d) mem) (parts_of g s)) in E.
  apply improve_true in E; [|apply todo_true; assumption|exact M]. destruct E as [vs [V R]].
  rewrite parts_are, map_map in V.
  assert (V' : Forall2 (fun a v => lb (pre d) (part g (S a) s) v) (filter (some_part g s) (seq 0 (pred responses))) vs).
  { clear - V. revert vs V. induction (filter (some_part g s) (seq 0 (pred responses))) as [|a l IH]; intros vs V;
      inversion V; subst; constructor; [assumption|apply IH; assumption]. }
  apply unfilter in V' as [us [U Eq]]; [|intros a; apply lb_zero].
  apply (by_number (fun a v => lb (pre d) (part g (S a) s) v)) in U as [bs [-> U]].
  apply (ask_lb_weaker _ _ _ _ _ R). rewrite <- Eq. apply ask_lb_sum. exact U.
Qed.

Lemma asking_keeps T smalls_ s d b g mem :
  proper s -> table_true T s -> all fact_true mem -> all fact_true (snd (asking T smalls_ s d b g mem)).
Proof.
  intros H HT M. unfold asking. destruct (match b with None => _ | Some _ => false end); [exact M|].
  apply improve_keeps; [|exact M]. intros p v I.
  apply (todo_true T s (pre d) g mem H HT M p v I).
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
  intros H. apply andb_prop in H as [H1 H2]. apply equal_eq in H1, H2. rewrite !map_map in H2.
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

Definition renaming_true (s : list nat) (R : renaming) : Prop :=
  renames ans may s (word_at (secret_to R)) (word_at (guess_to R)).

Lemma keeps_true s R : proper s -> keeps s R = true -> renaming_true s R.
Proof.
  intros [N I] H. unfold keeps in H. apply andb_prop in H as [H H4]. apply andb_prop in H as [H H3].
  apply andb_prop in H as [H1 H2]. set (to := word_at (secret_to R)) in *. set (image := word_at (guess_to R)) in *.
  rewrite forallb_forall in H2, H3. split.
  - apply same_words_eq in H1. apply tally_permutes in H1.
    + rewrite !map_id in H1. exact H1.
    + intros x Hx. apply Nat.ltb_lt, H2, Hx.
    + intros x Hx. cbv beta. apply I, in_seq in Hx. lia.
  - intros g M T. specialize (H3 g M). unfold image_true in H3. rewrite T in H3. cbn [negb orb] in H3.
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

Definition arrow_true (a : nat * nat) : Prop := cleared (fst a) -> cleared (snd a).

Lemma arrows_true renamings :
  (forall R, In R renamings -> renaming_true s R) -> all arrow_true (arrows_of s renamings).
Proof.
  intros H. unfold arrows_of. apply (fold_keeps (all arrow_true)); [|exact I]. intros t R HR Ht.
  apply (fold_keeps (all arrow_true)); [|exact Ht]. intros t' g Hg Ht'. destruct (tells ans s g) eqn:T; [|exact Ht'].
  apply all_insert; [|exact Ht']. intros C. cbn [fst snd] in *.
  exact (ask_lb_renamed ans may one may_more s _ _ (H R HR) d g b Hg T C).
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

Variable ask : nat -> memory -> bool * memory.

Hypothesis ask_true : forall g mem mem', all fact_true mem -> ask g mem = (true, mem') -> cleared g.
Hypothesis ask_keeps : forall g mem, all fact_true mem -> all fact_true (snd (ask g mem)).

Lemma all_pass_true many to : all arrow_true to -> forall weak passed mem mem',
  all cleared passed -> all fact_true mem -> all_pass ask many to weak passed mem = (true, mem') ->
  forall g, In g weak -> cleared g.
Proof.
  intros A. induction weak as [|h weak IH]; intros passed mem mem' H M E g Hg; [destruct Hg|]. cbn [all_pass] in E.
  destruct (passes h passed) eqn:P'.
  - destruct Hg as [<-|Hg]; [exact (passes_true _ _ H P')|exact (IH _ _ _ H M E g Hg)].
  - pose proof (ask_keeps h mem M) as M2. destruct (ask h mem) as [yes mem2] eqn:Q. cbn [snd] in M2.
    destruct yes; [|discriminate]. pose proof (ask_true h mem mem2 M Q) as C.
    destruct Hg as [<-|Hg]; [exact C|]. exact (IH _ _ _ (pass_true to many h passed A C H) M2 E g Hg).
Qed.

Lemma all_pass_keeps many to : forall weak passed mem,
  all fact_true mem -> all fact_true (snd (all_pass ask many to weak passed mem)).
Proof.
  induction weak as [|h weak IH]; intros passed mem M; [exact M|]. cbn [all_pass].
  destruct (passes h passed); [apply IH, M|]. pose proof (ask_keeps h mem M) as M2.
  destruct (ask h mem) as [yes mem2]. destruct yes; [apply IH, M2|exact M2].
Qed.

Lemma some_pass_true many to : all arrow_true to -> forall named passed mem,
  all cleared passed -> all fact_true mem ->
  all cleared (fst (some_pass ask many to named passed mem)) /\
  all fact_true (snd (some_pass ask many to named passed mem)).
Proof.
  intros A. induction named as [|h named IH]; intros passed mem H M; [split; assumption|]. cbn [some_pass].
  destruct (passes h passed); [apply IH; assumption|]. pose proof (ask_keeps h mem M) as M2.
  destruct (ask h mem) as [yes mem2] eqn:Q. cbn [snd] in M2. apply IH; [|exact M2].
  destruct yes; [|exact H]. apply pass_true; [exact A|exact (ask_true h mem mem2 M Q)|exact H].
Qed.

End Passing.

(** *** Claims *)

Definition claim_true (s : list nat) (d : option nat) (b : bound) (first : option nat) : Prop :=
  match first with None => lb d s b | Some g => may s g /\ ask_lb d g s b \/ lb d s b end.

Lemma judge_keeps smalls_ s d b first renamings named mem :
  proper s -> Forall small_true smalls_ -> all fact_true mem ->
  (forall R, In R renamings -> renaming_true s R) ->
  all fact_true (snd (judge smalls_ s d b first renamings named mem)).
Proof.
  intros H A M HR. unfold judge. destruct (reached b (fst (known mem s (clip s d))) || _); [exact M|].
  destruct (reached b (costs _ _ _)); [exact M|]. destruct (finished one s); [exact M|].
  pose proof (table_for_true s H) as HT.
  destruct first as [g|].
  { destruct (existsb (Nat.eqb g) (asked s)); [apply asking_keeps; assumption|exact M]. }
  set (ask := asking _ _ _ _ _). set (weak := filter _ _).
  assert (AK : forall g mem, all fact_true mem -> all fact_true (snd (ask g mem)))
    by (intros; apply asking_keeps; assumption).
  destruct renamings as [|R l] eqn:ER; [apply all_pass_keeps; assumption|]. rewrite <- ER in *. clear ER R l.
  assert (AT : forall g mem mem', all fact_true mem -> ask g mem = (true, mem') -> cleared s (clip s d) b g)
    by (intros; eapply asking_true; eassumption).
  pose proof (arrows_true s (clip s d) b renamings HR) as AR.
  set (names := _ ++ _).
  pose proof (some_pass_true s (clip s d) b ask AT AK (List.length renamings) _ AR names Nil mem I M) as [S1 S2].
  destruct (some_pass _ _ _ _ _ _) as [passed mem2]. cbn [fst snd] in *.
  apply all_pass_keeps; assumption.
Qed.

Lemma judge_true smalls_ s d b first renamings named mem mem' :
  proper s -> Forall small_true smalls_ -> all fact_true mem ->
  (forall R, In R renamings -> renaming_true s R) ->
  judge smalls_ s d b first renamings named mem = (true, mem') -> claim_true s d b first.
Proof.
  intros H A M HR E.
  assert (Q : lb d s b -> claim_true s d b first) by (intros X; destruct first; cbn; auto).
  unfold judge in E. destruct (reached b (fst (known mem s (clip s d))) || _) eqn:E1.
  { apply Q. apply orb_prop in E1 as [E1|E1].
    - apply lb_clip, (lb_weaker _ _ _ _ E1), known_true, M.
    - destruct b; [discriminate|]. exact (holds_small_true _ _ _ A E1). }
  pose proof (table_for_true s H) as HT. set (T := table_for (most s)) in *.
  destruct (reached b (costs T (clip s d) (List.length s))) eqn:E2.
  { apply Q, lb_clip, (lb_weaker _ _ _ _ E2). apply HT; [exact H|apply incl_refl]. }
  destruct (finished one s) eqn:Fi; [discriminate|]. destruct (not_settled s Fi) as [NS N].
  destruct first as [g|].
  { destruct (existsb (Nat.eqb g) (asked s)) eqn:X; [|discriminate]. left. split.
    - apply existsb_exists in X as [g' [Hg X]]. apply Nat.eqb_eq in X. subst g'. exact Hg.
    - eapply asking_true; eassumption. }
  cbn [claim_true]. apply lb_clip.
  set (ask := asking T smalls_ s (clip s d) b) in *. set (weak := filter _ _) in *.
  assert (AT : forall g mem mem', all fact_true mem -> ask g mem = (true, mem') -> cleared s (clip s d) b g)
    by (intros; eapply asking_true; eassumption).
  assert (AK : forall g mem, all fact_true mem -> all fact_true (snd (ask g mem)))
    by (intros; apply asking_keeps; assumption).
  assert (W : forall g, In g weak -> cleared s (clip s d) b g).
  { destruct renamings as [|R l] eqn:ER.
    - intros g Hg.
      apply (all_pass_true s (clip s d) b ask AT AK 0 Nil I weak Nil mem mem' I M E g Hg).
    - rewrite <- ER in *. pose proof (arrows_true s (clip s d) b renamings HR) as AR.
      set (names := _ ++ _) in *.
      pose proof (some_pass_true s (clip s d) b ask AT AK (List.length renamings) _ AR names Nil mem I M) as [S1 S2].
      destruct (some_pass _ _ _ _ _ _) as [passed mem2]. cbn [fst snd] in *. intros g Hg.
      exact (all_pass_true s (clip s d) b ask AT AK _ _ AR weak passed mem2 mem' S1 S2 E g Hg). }
  apply (lb_by_asking ans may one); [exact NS|]. intros g Hg.
  destruct (useless (List.length s) (sizes g s)) eqn:U; [left; apply useless_true; assumption|right].
  destruct (reached b (by_sizes T (pre (clip s d)) (List.length s) (sizes g s))) eqn:B.
  - apply (ask_lb_weaker _ _ _ _ _ B), by_sizes_true; assumption.
  - apply W. apply filter_In. split; [exact Hg|]. cbv zeta. rewrite U, B. reflexivity.
Qed.

Definition state_true (st : state) : Prop := all fact_true (facts st) /\ Forall small_true (smalls st).

Definition about_true (A : about) : Prop := claim_true (members A) (left A) (least_cost A) (begins A).

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
  destruct (begins A); [exact K'|]. apply remember_true; [exact K'|].
  apply (lb_fewer ans may one (left A)); [apply fewer_clip|exact Z].
Qed.

Lemma small_set_true words_ h rest : small_set words_ = Some (h, rest) -> proper (fst h).
Proof.
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
          else inr (o :: rest2)) = inl r ->
    exists rest3 st2, after rest3 st2 = @inl (list text * state) (list text) r /\ state_true st2 /\ about_true A').
  { intros A' o rest2 after r H' E'. destruct (is "." o).
    - destruct (shown A' [] [] st) as [yes st2] eqn:Sh.
      apply shown_true in Sh as [S1 S2]; [|exact H'|exact St|intros R []].
      destruct yes; [|discriminate]. exists rest2, st2. auto.
    - destruct (is "(" o); [|discriminate].
      destruct (items fuel false _ rest2 A' [] [] st) as [[rest3 st2]|] eqn:It; [|discriminate].
      apply IH in It as [S1 S2]; [|exact H'|exact St|intros R []]. exists rest3, st2. auto. }
  destruct (is ")" w).
  { destruct (shown A renamings named st) as [yes st2] eqn:Sh. apply shown_true in Sh as [S1 S2]; try assumption.
    destruct yes; [|discriminate]. injection E as <- <-. auto. }
  destruct (is "=" w).
  { destruct (read_renaming (members A) words_) as [[R rest2]|]; [|discriminate].
    destruct (keeps (members A) R) eqn:Kp; [|discriminate]. apply IH in E; try assumption.
    intros R' [<-|HR']; [apply keeps_true; assumption|auto]. }
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
