(** The plain checker where what may be asked depends on the history (L10), and why what it accepts is true. A claim is about
    a set and what is demanded; there are no renamings. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii.
From Proof Require Import Text Store Vector Theory Counting Trees HardTrees Plain.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

Section Hard.

Variable ans : nat -> nat -> nat.
Variables guesses secrets responses : nat.
Variable guess_of : nat -> nat.
Variables one only : bool.
Variable profile : list nat.
Variable tables : list (delayed table).
Variable columns : bytes.                      (* the answers, secret by secret, less one if [shifted] *)
Variable shifted : bool.
Variable follows : nat -> nat -> nat -> bool.  (* behind a guess, for a secret, another guess may be asked *)
Variable needs : nat -> nat -> list nat.       (* what a guess demands, for a secret: features, rising *)

Let parts_of := parts_of ans responses.
Let shift : nat := Nat.b2n shifted.

(** ** What was demanded: the guesses that are left, and the features that they have *)

Record under := { open : delayed (list nat); demanded : delayed (list nat) }.

Definition everything : under := {| open := Delay (range guesses); demanded := Delay [] |}.

(** Two lists that rise, as one. *)
Fixpoint merged (a b : list nat) : list nat :=
  let fix into b :=
    match a, b with
    | [], _ => b
    | _, [] => a
    | x :: rest, y :: more => if x <? y then x :: merged rest b else if x =? y then x :: merged rest more else y :: into more
    end in
  into b.

Definition after (u : under) (g x : nat) : under :=
  {| open := Delay (filter (follows g x) (value (open u))); demanded := Delay (merged (needs g x) (value (demanded u))) |}.

(** What has fewer features leaves all guesses that more features leave, which is looked up. *)
Definition implied (fewer more : under) : bool :=
  inside (value (demanded fewer)) (value (demanded more)) && inside (value (open more)) (value (open fewer)).

Definition hard_asked (u : under) (s : list nat) : list nat :=
  if only then filter (fun g => existsb (Nat.eqb g) (value (open u))) (asked guesses guess_of only s) else value (open u).

(** How many parts a guess makes. *)
Definition hard_parts (g : nat) (s : list nat) : nat := variety responses columns guesses g s.

Definition hard_most (u : under) (s : list nat) : nat :=
  fold_left (fun m g => max m (hard_parts g s)) (hard_asked u s) 0.

(** ** What is known *)

Record hard_fact := { fact_set : list nat; fact_under : under; fact_depth : option nat; fact_bound : bound; fact_ahead : bool }.

Definition hard_memory := store hard_fact.

Definition hard_known (mem : hard_memory) (u : under) (s : list nat) (d : option nat) : bound * bool :=
  fold_left (fun v f =>
      if equal (fact_set f) s && deeper (fact_depth f) d && implied (fact_under f) u
      then (greater (fst v) (fact_bound f),
            snd v || (fact_ahead f && deeper d (fact_depth f) && equal (value (demanded (fact_under f))) (value (demanded u)))) else v)
    (find (hash s) mem) (Some 0, false).

Definition hard_remember (u : under) (s : list nat) (d : option nat) (b : bound) (looked : bool) (mem : hard_memory)
    : hard_memory :=
  insert (hash s) {| fact_set := s; fact_under := u; fact_depth := d; fact_bound := b; fact_ahead := looked |} mem.

(** ** Bounds *)

(** At least what a guess costs by the sizes of its parts. *)
Definition hard_by_sizes (T : table) (d : option nat) (n g : nat) (s : list nat) : bound :=
  sum_row responses (1 - shift) (room_of T d) (least T) columns guesses g s n.

(** All secrets give one answer. *)
Definition hard_useless (g : nat) (s : list nat) : bool := negb (tells ans s g).

(** The least over guesses; it need not go on at the floor. *)
Fixpoint hard_least_of (T : table) (d : option nat) (s : list nat) (n : nat) (floor v : bound) (gs : list nat) : bound :=
  match gs with
  | [] => v
  | g :: gs =>
      if reached v floor then v
      else
        let now := hard_by_sizes T d n g s in
        hard_least_of T d s n floor (if reached v now || hard_useless g s then v else lesser v now) gs
  end.

(** Whether a secret tells all others apart: then counting shows what the set costs, as secrets may always be asked. *)
Definition hard_told (s : list nat) : bool :=
  (length s <=? responses) &&
  existsb (fun x => (guess_of x <? guesses) && (hard_parts (guess_of x) s =? length s)) s.

(** One step ahead (L5). *)
Definition hard_ahead (u : under) (s : list nat) (d : option nat) : bound :=
  if hard_told s then Some 0 else
  let n := length s in
  let T := table_for secrets tables (hard_most u s) in
  let floor := costs T d n in
  greater floor (hard_least_of T (pre d) s n floor None (hard_asked u s)).

(** A part, what is demanded there, at least what it costs. *)
Definition piece := (under * list nat * bound)%type.

Fixpoint hard_improve (d : option nat) (b sum : bound) (todo : list piece) (mem : hard_memory) : bool * hard_memory :=
  if reached b (plus sum (plus_all (map snd todo))) then (true, mem)
  else
    match todo with
    | [] => (false, mem)
    | (u, s, v) :: todo =>
        let c := clip one s d in
        if tiny one s || snd (hard_known mem u s c) then hard_improve d b (plus sum v) todo mem
        else
          let now := hard_ahead u s c in
          hard_improve d b (plus sum (greater v now)) todo (hard_remember u s c now true mem)
    end.

Definition piece_of (T : table) (u : under) (d : option nat) (g : nat) (mem : hard_memory) (part : list nat) : piece :=
  let u := after u g (hd 0 part) in
  let c := clip one part d in
  (u, part, greater (costs T c (length part)) (fst (hard_known mem u part c))).

Definition hard_asking (T : table) (smalls : list small) (u : under) (s : list nat) (d : option nat) (b : bound) (g : nat)
    (mem : hard_memory) : bool * hard_memory :=
  let parts := parts_of g s in
  let d := pre d in
  if match b with None => existsb (fun part => holds_small only smalls part d) parts | Some _ => false end then (true, mem)
  else hard_improve d b (Some (length s)) (map (piece_of T u d g mem) parts) mem.

Fixpoint each_passes (ask : nat -> hard_memory -> bool * hard_memory) (weak : list nat) (mem : hard_memory)
    : bool * hard_memory :=
  match weak with
  | [] => (true, mem)
  | g :: weak => let '(yes, mem) := ask g mem in if yes then each_passes ask weak mem else (false, mem)
  end.

(** Whether the set is shown to cost at least the bound, asking this guess first, if there is one. *)
Definition hard_judge (smalls : list small) (u : under) (s : list nat) (d : option nat) (b : bound) (first : option nat)
    (mem : hard_memory) : bool * hard_memory :=
  let n := length s in
  let c := clip one s d in
  if reached b (fst (hard_known mem u s c)) || match b with None => holds_small only smalls s d | Some _ => false end
  then (true, mem)
  else
    let T := table_for secrets tables (hard_most u s) in
    if reached b (costs T c n) then (true, mem)
    else if finished one s then (false, mem)
    else
      match first with
      | Some g => if existsb (Nat.eqb g) (hard_asked u s) then hard_asking T smalls u s d b g mem else (false, mem)
      | None =>
          each_passes (hard_asking T smalls u s c b)
            (filter (fun g => negb (reached b (hard_by_sizes T (pre c) n g s) || hard_useless g s)) (hard_asked u
              s)) mem
      end.

(** ** Reading a proof *)

Variable place_of_guess place_of_secret : text -> option nat.

Record hard_state := { hard_facts : hard_memory; hard_smalls : list small }.

Record hard_about := {
  hard_under : under; hard_members : list nat; hard_left : option nat; hard_least : bound; hard_begins : option nat }.

Definition hard_shown (A : hard_about) (st : hard_state) : bool * hard_state :=
  let '(yes, mem) :=
    hard_judge (hard_smalls st) (hard_under A) (hard_members A) (hard_left A) (hard_least A) (hard_begins A) (hard_facts st) in
  (yes, {| hard_facts :=
             match yes, hard_begins A with
             | true, None =>
                 hard_remember (hard_under A) (hard_members A) (clip one (hard_members A) (hard_left A)) (hard_least A) false mem
             | _, _ => mem end;
           hard_smalls := hard_smalls st |}).

(** The body of a claim from its items on; the words behind it, or the words from where it is refused. *)
Fixpoint hard_items (fuel : nat) (top : bool) (here words_ : list text) (A : hard_about) (st : hard_state)
    : (list text * hard_state) + list text :=
  match fuel, words_ with
  | S fuel, w :: rest =>
      let lemma A' o rest after st :=
        if is "." o then
          let '(yes, st) := hard_shown A' st in
          if yes then after rest st else inr (o :: rest)
        else if is "(" o then
          match hard_items fuel false (o :: rest) rest A' st with
          | inl (rest, st) => after rest st
          | inr more => inr more
          end
        else inr (o :: rest) in
      if is ")" w then
        let '(yes, st) := hard_shown A st in if yes then inl (rest, st) else inr here
      else if is "!" w then
        match (if top then small_set secrets only place_of_secret rest else None) with
        | Some (h, o :: rest) =>
            lemma {| hard_under := everything; hard_members := fst h; hard_left := snd h; hard_least := None;
                     hard_begins := None |} o rest
              (fun rest st => hard_items fuel top here rest A
                 {| hard_facts := hard_facts st; hard_smalls := h :: hard_smalls st |}) st
        | _ => inr words_
        end
      else
        match rest with
        | x :: c :: o :: rest =>
            match place_of_guess w, place_of_secret x, bound_in c with
            | Some g, Some x, Some b =>
                if existsb (Nat.eqb x) (hard_members A) then
                  lemma {| hard_under := after (hard_under A) g x;
                           hard_members := let r := ans g x in filter (fun y => ans g y =? r) (hard_members A);
                           hard_left := pre (hard_left A); hard_least := b; hard_begins := None |} o rest
                    (fun rest st => hard_items fuel top here rest A st) st
                else inr words_
            | _, _, _ => inr words_
            end
        | _ => inr words_
        end
  | _, _ => inr words_
  end.

(** The words of a whole proof: nothing, or the words from where it is refused. *)
Definition hard_refusal (words_ : list text) (d : option nat) (b : bound) (first : option nat) : option (list text) :=
  let A := {| hard_under := everything; hard_members := whole secrets; hard_left := d; hard_least := b;
              hard_begins := first |} in
  let st := {| hard_facts := Nil; hard_smalls := [] |} in
  match words_ with
  | o :: rest =>
      if is "." o then
        if fst (hard_shown A st) then match rest with [] => None | _ => Some rest end else Some words_
      else if is "(" o then
        match hard_items (S (length words_)) true words_ rest A st with
        | inl ([], _) => None
        | inl (rest, _) => Some rest
        | inr more => Some more
        end
      else Some words_
  | [] => Some []
  end.

(** ** Why it is true *)

Let may := may guesses guess_of only.
Let whole := whole secrets.
Let proper := proper secrets.
Let part := Trees.part ans.

Hypothesis ans_small : forall g x, ans g x < responses.
Hypothesis ans_goes_on : one = true -> forall g x, ans g x <> 0.
Hypothesis ans_single : forall g, may whole g -> length (part g 0 whole) <= 1.
Hypothesis ans_own : only = true -> one = false ->
  forall x, x < secrets -> guess_of x < guesses -> ans (guess_of x) x = 0.
Hypothesis profile_true : forall g j m, may whole g ->
  sum (fun a => if j <? length (part g (S a) whole) then 1 else 0) (seq 0 m) <= nth j profile 0.
Hypothesis tables_true : forall K T, nth_error tables K = Some T -> value T = table_of secrets one only profile K.

Hypothesis columns_are : forall g x, g < guesses -> x < secrets ->
  byte_at columns (g + guesses * x) + shift = ans g x.

Variable behind : nat -> nat -> nat -> bool.  (* behind an answer, another guess may be asked *)

Hypothesis behind_true : forall g x a h, g < guesses -> x < secrets -> ans g x = S a -> behind g a h = follows g x h.

Let lb := hard_lb ans may one behind.
Let ask_lb := hard_ask_lb ans may one behind.
Let among := among may.

Lemma may_more_ s s' g : incl s s' -> may s g -> may s' g.
Proof. apply may_more. Qed.

Lemma may_below s g : may s g -> g < guesses.
Proof.
  unfold may, Plain.may, asked. destruct only; intros M.
  - apply filter_In in M as [_ M]. apply Nat.ltb_lt, M.
  - apply in_seq in M. lia.
Qed.

Lemma among_asked u s g : among (value (open u)) s g -> In g (hard_asked u s).
Proof.
  intros [M H]. unfold hard_asked. destruct only eqn:O; [|exact H]. apply filter_In. split.
  - unfold may, Plain.may in M. exact M.
  - apply existsb_exists. exists g. split; [exact H|apply Nat.eqb_refl].
Qed.

Lemma after_left u g x a : g < guesses -> x < secrets -> ans g x = S a ->
  value (open (after u g x)) = left_of behind (value (open u)) g a.
Proof. intros Hg Hx E. cbn [after open value]. apply filter_ext. intros h. symmetry. apply behind_true; assumption. Qed.

(** *** Bounds *)

Definition hard_table_true (T : table) (A s : list nat) : Prop :=
  forall A' s' d, incl A' A -> proper s' -> incl s' s -> lb A' d s' (costs T d (length s')).

Lemma few_within k g s s' : NoDup s' -> incl s' s -> few ans k g s -> few ans k g s'.
Proof.
  intros N I H m. etransitivity; [|exact (H m)]. apply sum_le. intros r _. pose proof (part_no_longer ans g r s' s N I).
  destruct (Nat.ltb_spec 0 (length (Trees.part ans g r s'))); destruct (Nat.ltb_spec 0 (length (Trees.part ans g r s))); lia.
Qed.

Lemma proper_below s x : proper s -> In x s -> x < secrets.
Proof. intros [_ I] Hx. apply I, in_seq in Hx. lia. Qed.

Lemma no_such_answer g r s : responses <= r -> part g r s = [].
Proof.
  intros H. unfold part, Trees.part. induction s as [|x s IH]; [reflexivity|]. cbn [filter]. unfold has at 1.
  pose proof (ans_small g x). destruct (Nat.eqb_spec (ans g x) r); [lia|exact IH].
Qed.

Lemma hard_sizes_at g s r : g < guesses -> proper s -> r < responses ->
  word_at (tally responses (fun x => byte_at columns (g + guesses * x)) s) r = length (part g (r + shift) s).
Proof.
  intros Hg H Hr. rewrite tally_at by exact Hr. f_equal. apply filter_ext_in. intros x Hx.
  unfold has. rewrite <- (columns_are g x Hg (proper_below s x H Hx)).
  destruct (Nat.eqb_spec (byte_at columns (g + guesses * x)) r); symmetry; [apply Nat.eqb_eq|apply Nat.eqb_neq]; lia.
Qed.

Lemma shift_one : shift = 0 \/ shift = 1.
Proof. unfold shift. destruct shifted; auto. Qed.

(** No answer is less than the shift. *)
Lemma no_low_answer g r s : g < guesses -> proper s -> r < shift -> part g r s = [].
Proof.
  intros Hg [_ I] Hr. unfold part, Trees.part. induction s as [|x s IH]; [reflexivity|]. cbn [filter]. unfold has at 1.
  pose proof (I x (or_introl eq_refl)) as Hx. apply in_seq in Hx. pose proof (columns_are g x Hg ltac:(lia)).
  destruct (Nat.eqb_spec (ans g x) r); [lia|]. apply IH. intros y Hy. apply I. right; exact Hy.
Qed.

Lemma sum_split (f : nat -> nat) n m : (forall r, n <= r -> f r = 0) -> sum f (seq 0 m) <= sum f (seq 0 n).
Proof.
  intros Z. destruct (Nat.le_gt_cases m n) as [L|L].
  - replace n with (m + (n - m)) by lia. rewrite seq_app. unfold sum. rewrite map_app, list_sum_app. lia.
  - replace m with (n + (m - n)) by lia. rewrite seq_app. unfold sum. rewrite map_app, list_sum_app.
    fold (sum f (seq 0 n)). fold (sum f (seq (0 + n) (m - n))).
    rewrite (sum_eq _ f (fun _ => 0) (seq (0 + n) (m - n))); [rewrite sum_zero; lia|]. intros r Hr. apply in_seq in Hr. apply Z. lia.
Qed.

Lemma seq_shift_by k n m : map (fun r => r + k) (seq m n) = seq (k + m) n.
Proof.
  revert m; induction n as [|n IH]; intros m; [reflexivity|]. cbn [seq map]. rewrite IH, Nat.add_succ_r, (Nat.add_comm m).
  reflexivity.
Qed.

Lemma hard_few g s : g < guesses -> proper s -> few ans (hard_parts g s) g s.
Proof.
  intros Hg H m. unfold hard_parts, variety. rewrite <- sum_if.
  assert (B : forall r, In r (range responses) ->
    (if existsb (fun x => byte_at columns (g + guesses * x) =? r) s then 1 else 0)
    = if 0 <? length (part g (r + shift) s) then 1 else 0).
  { intros r Hr. apply in_seq in Hr. rewrite (Board.some_part (fun x => byte_at columns (g + guesses * x))).
    rewrite <- hard_sizes_at by (assumption || lia). rewrite tally_at by lia. reflexivity. }
  rewrite (sum_eq _ _ _ _ B). clear B. unfold range.
  etransitivity; [apply (sum_split _ (shift + responses)); intros r Hr; fold part; rewrite no_such_answer by lia; reflexivity|].
  rewrite seq_app. unfold sum. rewrite map_app, list_sum_app. fold part.
  replace (list_sum (map _ (seq 0 shift))) with 0.
  - cbn [Nat.add]. rewrite <- (Nat.add_0_r shift) at 1. rewrite <- seq_shift_by, map_map. apply le_n.
  - destruct shift_one as [E|E]; rewrite E; [reflexivity|]. cbn [seq map list_sum fold_right].
    rewrite no_low_answer by (assumption || lia). reflexivity.
Qed.

Lemma hard_most_bounds u s g : In g (hard_asked u s) -> hard_parts g s <= hard_most u s.
Proof.
  unfold hard_most. set (f := fun g => hard_parts g s).
  change (In g (hard_asked u s) -> f g <= fold_left (fun m g => max m (f g)) (hard_asked u s) 0).
  cut (forall l m, m <= fold_left (fun m g => max m (f g)) l m /\
    (In g l -> f g <= fold_left (fun m g => max m (f g)) l m)); [intros X; apply X|].
  induction l as [|h l IH]; intros m; cbn [fold_left]; [split; [lia|intros []]|].
  destruct (IH (max m (f h))) as [A B]. split; [lia|]. intros [->|H]; [lia|auto].
Qed.

Lemma hard_table_for_true u s : proper s -> hard_table_true (table_for secrets tables (hard_most u s)) (value (open u)) s.
Proof.
  intros H A' s' d J H' I. unfold table_for. destruct (nth_error tables (hard_most u s)) as [T|] eqn:E.
  2: { pose proof (length_proper secrets s' H') as L. apply Nat.leb_le in L. unfold costs, cost_in, room_of.
       destruct d as [[|d]|]; cbn [trivial caps top nth]; rewrite L; cbn [least trivial];
         rewrite make_at; destruct (_ <? _); apply hard_lb_zero. }
  rewrite (tables_true _ _ E). apply (hard_lb_of_lb _ _ _ _ (value (open u))); [exact J|].
  apply costs_true; [exact shifted|exact ans_goes_on|intros x y g; apply (among_more may may_more_)| |exact H'].
  assert (W : forall s g, proper s -> may s g -> In (length (Trees.part ans g 0 s)) (ws one only))
    by exact (wins_fit ans guesses secrets guess_of one only shifted ans_goes_on ans_single ans_own).
  pose proof H' as [N I'].
  split; [split; [|split]|split; [exact N|]].
  - intros g [M _]. exact (W s' g H' M).
  - intros g [M G]. apply (few_within _ _ s); [exact N|exact I|]. intros m.
    rewrite (hard_few g s (may_below _ _ M) H m). apply hard_most_bounds, among_asked.
    split; [exact (may_more_ _ _ _ I M)|exact G].
  - intros g j m [M _]. rewrite <- (profile_true g j m) by exact (may_more_ _ _ _ I' M). apply sum_le. intros a _.
    pose proof (part_no_longer ans g (S a) s' whole N I') as Le. fold part in Le |- *.
    destruct (Nat.ltb_spec j (length (part g (S a) s'))); destruct (Nat.ltb_spec j (length (part g (S a) whole))); lia.
  - intros s'' g N'' I'' [M _]. apply W; [|exact M]. split; [exact N''|]. intros x Hx. apply I', I'', Hx.
Qed.

Lemma hard_lb_clip A s d b : lb A (clip one s d) s b -> lb A d s b.
Proof.
  intros H. destruct d as [d|]; [|apply (hard_lb_deep ans may one behind), H]. cbn [clip] in H.
  destruct (Nat.le_gt_cases d (length s - if one then 1 else 0)) as [L|L].
  - rewrite Nat.min_l in H by exact L. exact H.
  - rewrite Nat.min_r in H by lia. apply (hard_lb_deep ans may one behind), H.
Qed.

Lemma hard_lb_weaker A d s b v : reached b v = true -> lb A d s v -> lb A d s b.
Proof. intros R H t Ht. exact (reached_reaches _ _ _ R (H t Ht)). Qed.

Lemma hard_ask_weaker A d g s b v : reached b v = true -> ask_lb A d g s v -> ask_lb A d g s b.
Proof. intros R H next Ht. exact (reached_reaches _ _ _ R (H next Ht)). Qed.

Lemma hard_lb_greater A d s a b : lb A d s a -> lb A d s b -> lb A d s (greater a b).
Proof. intros Ha Hb t Ht. apply greater_reaches; auto. Qed.

Lemma hard_sizes_true T A s d g : g < guesses -> proper s -> hard_table_true T A s ->
  ask_lb A d g s (hard_by_sizes T (pre d) (length s) g s).
Proof.
  intros Hg H HT. unfold hard_by_sizes, sum_row. rewrite sum_within_is. apply hard_ask_sum. intros a Ha.
  pose proof shift_one as Sh. rewrite hard_sizes_at by (assumption || lia).
  replace (1 - shift + a + shift) with (S a) by lia. apply HT; [apply left_incl|apply proper_part, H|apply part_incl].
Qed.

Lemma hard_useless_true s g : s <> [] -> hard_useless g s = true -> exists a, part g (S a) s = s.
Proof.
  intros N U. apply negb_true_iff in U. exists (pred (ans g (hd 0 s))). apply part_whole, forallb_forall. intros x Hx.
  apply Nat.eqb_eq. exact (tells_not ans s g U x Hx).
Qed.

Lemma reached_self v : reached v v = true.
Proof. destruct v; cbn; [apply Nat.leb_refl|reflexivity]. Qed.

Lemma reached_by u v w : reached u v = true -> reached v w = true -> reached u w = true.
Proof. destruct u, v, w; cbn; rewrite ?Nat.leb_le; try discriminate; try reflexivity; lia. Qed.

Lemma lesser_reached v x : reached (lesser v x) v = true /\ reached (lesser v x) x = true.
Proof. destruct v, x; cbn; rewrite ?Nat.leb_le; split; try reflexivity; lia. Qed.

Lemma hard_least_true T d s n floor gs : forall v,
  let v' := hard_least_of T d s n floor v gs in
  reached v' v = true /\
  (reached v' floor = true \/
   forall g, In g gs -> hard_useless g s = true \/
                        reached v' (hard_by_sizes T d n g s) = true).
Proof.
  induction gs as [|g gs IH]; intros v; cbn [hard_least_of].
  - split; [apply reached_self|right; intros g []].
  - destruct (reached v floor) eqn:F; [split; [apply reached_self|left; exact F]|].
    cbv zeta. set (now := hard_by_sizes T d n g s). destruct (reached v now || hard_useless g s) eqn:U.
    + destruct (IH v) as [A B]. split; [exact A|]. destruct B as [B|B]; [left; exact B|right].
      intros k [<-|Hk]; [|auto].
      apply orb_prop in U as [U|U]; [right; exact (reached_by _ _ _ A U)|left; exact U].
    + destruct (IH (lesser v now)) as [A B]. destruct (lesser_reached v now) as [A1 A2].
      split; [exact (reached_by _ _ _ A A1)|]. destruct B as [B|B]; [left; exact B|right].
      intros k [<-|Hk]; [right; exact (reached_by _ _ _ A A2)|auto].
Qed.

Lemma hard_not_settled s : finished one s = false -> ~ settled one s /\ s <> [].
Proof. intros E. split; [intros S'; apply finished_settled in S'; congruence|intros ->; discriminate]. Qed.

Lemma hard_not_tiny s : tiny one s = false -> finished one s = false.
Proof. unfold tiny. destruct s as [|x [|y s]], one; cbn; congruence. Qed.

Lemma hard_ahead_true u s d : proper s -> finished one s = false -> lb (value (open u)) d s (hard_ahead u s d).
Proof.
  intros H E. destruct (hard_not_settled s E) as [NS N]. unfold hard_ahead. cbv zeta.
  destruct (hard_told s); [apply hard_lb_zero|].
  pose proof (hard_table_for_true u s H) as HT. set (T := table_for secrets tables (hard_most u s)) in *.
  assert (B : lb (value (open u)) d s (costs T d (length s))) by (apply HT; [apply incl_refl|exact H|apply incl_refl]).
  set (floor := costs T d (length s)) in *.
  destruct (hard_least_true T (pre d) s (length s) floor (hard_asked u s) None) as [_ X].
  set (v := hard_least_of _ _ _ _ _ _ _) in *. apply hard_lb_greater; [exact B|]. destruct X as [X|X].
  - exact (hard_lb_weaker _ _ _ _ _ X B).
  - apply hard_lb_by_asking; [exact NS|]. intros g Hg. pose proof (may_below _ _ (proj1 Hg)) as Lg. apply among_asked in Hg. destruct (X g Hg) as [U|U].
    + left. exact (hard_useless_true s g N U).
    + right. apply (hard_ask_weaker _ _ _ _ _ _ U), hard_sizes_true; assumption.
Qed.

(** *** Memory *)

Definition hard_fact_true (f : hard_fact) : Prop :=
  lb (value (open (fact_under f))) (fact_depth f) (fact_set f) (fact_bound f).

Let facts_true := all hard_fact_true.

Lemma hard_known_true mem u s d : facts_true mem -> lb (value (open u)) d s (fst (hard_known mem u s d)).
Proof.
  intros H. unfold hard_known.
  assert (X : forall f, In f (find (hash s) mem) -> hard_fact_true f) by (intros f; apply all_find, H).
  assert (Z : lb (value (open u)) d s (fst (Some 0, false))) by apply hard_lb_zero. revert X Z.
  generalize (Some 0, false) as v. generalize (find (hash s) mem) as l.
  induction l as [|f l IH]; intros v X Z; [exact Z|]. cbn [fold_left].
  apply IH; [intros f' Hf; apply X; right; exact Hf|].
  destruct (equal (fact_set f) s && deeper (fact_depth f) d && implied (fact_under f) u) eqn:E; [|exact Z].
  apply andb_prop in E as [E E3]. apply andb_prop in E as [E1 E2]. apply equal_eq in E1. apply andb_prop in E3 as [_ E3].
  cbn [fst]. apply hard_lb_greater; [exact Z|]. rewrite <- E1.
  apply (hard_lb_fewer ans may one behind (value (open (fact_under f))) _ (fact_depth f));
    [apply inside_incl, E3|apply deeper_fewer, E2|]. apply X; left; reflexivity.
Qed.

Lemma hard_remember_true mem u s d b looked :
  facts_true mem -> lb (value (open u)) d s b -> facts_true (hard_remember u s d b looked mem).
Proof. intros H B. apply all_insert; assumption. Qed.

Definition hard_small_true (h : small) : Prop := NoDup (fst h) /\ lb (range guesses) (snd h) (fst h) None.

Lemma hard_holds_small smalls_ A s d :
  Forall hard_small_true smalls_ -> incl A (range guesses) -> holds_small only smalls_ s d = true -> lb A d s None.
Proof.
  intros HA I H. apply andb_prop in H as [O H]. apply negb_true_iff in O. apply existsb_exists in H as [[h d'] [Hh H]].
  apply andb_prop in H as [D J]. apply (proj1 (Forall_forall _ _) HA) in Hh as [N B]. cbn [fst snd] in *.
  apply (hard_lb_small ans may one behind (range guesses) A d d' s h).
  - intros s1 s2 g. unfold may, Plain.may, asked. rewrite O. auto.
  - exact N.
  - apply inside_incl, J.
  - exact I.
  - apply deeper_fewer, D.
  - exact B.
Qed.

Definition within_all (u : under) : Prop := incl (value (open u)) (range guesses).

Lemma within_after u g x : within_all u -> within_all (after u g x).
Proof. intros I h H. apply I. apply filter_In in H. apply H. Qed.

Lemma within_everything : within_all everything.
Proof. apply incl_refl. Qed.

(** *** Asking *)

Definition piece_true (d : option nat) (p : piece) : Prop :=
  let '(u, s, v) := p in proper s /\ lb (value (open u)) d s v.

Lemma pieces_bounds d (l : list piece) : Forall (piece_true d) l ->
  Forall2 (fun p v => lb (value (open (fst (fst p)))) d (snd (fst p)) v) l (map snd l).
Proof. induction 1 as [|[[u s] v] l [_ Hv] Hl IHl]; [constructor|constructor; [exact Hv|exact IHl]]. Qed.

Lemma hard_improve_true d b : forall todo sum mem mem',
  Forall (piece_true d) todo -> facts_true mem -> hard_improve d b sum todo mem = (true, mem') ->
  exists vs, Forall2 (fun p v => lb (value (open (fst (fst p)))) d (snd (fst p)) v) todo vs /\
             reached b (plus sum (plus_all vs)) = true.
Proof.
  induction todo as [|[[u s] v] todo IH]; intros sum mem mem' H M E; cbn [hard_improve] in E.
  - destruct (reached _ _) eqn:R; [|discriminate]. exists []. split; [constructor|exact R].
  - destruct (reached b (plus sum _)) eqn:R.
    { exists (map snd ((u, s, v) :: todo)). split; [exact (pieces_bounds d _ H)|exact R]. }
    pose proof (Forall_inv H) as [Hp Hv]. pose proof (Forall_inv_tail H) as Ht.
    destruct (tiny one s || snd (hard_known mem u s (clip one s d))) eqn:Fi.
    + apply IH in E as [vs [V X]]; [|exact Ht|exact M].
      exists (v :: vs). split; [constructor; [exact Hv|exact V]|]. cbn [plus_all fold_right]. rewrite plus_assoc. exact X.
    + apply orb_false_iff in Fi as [Fi _]. apply hard_not_tiny in Fi.
      pose proof (hard_ahead_true u s (clip one s d) Hp Fi) as A.
      apply IH in E as [vs [V X]]; [|exact Ht|apply hard_remember_true; assumption].
      eexists (_ :: vs). split; [constructor; [|exact V]|cbn [plus_all fold_right]; rewrite plus_assoc; exact X].
      cbn [fst snd]. apply hard_lb_greater; [exact Hv|]. apply hard_lb_clip, A.
Qed.

Lemma hard_improve_keeps d b : forall todo sum mem,
  Forall (piece_true d) todo -> facts_true mem -> facts_true (snd (hard_improve d b sum todo mem)).
Proof.
  induction todo as [|[[u s] v] todo IH]; intros sum mem H M; cbn [hard_improve]; destruct (reached _ _); try exact M.
  pose proof (Forall_inv H) as [Hp Hv]. pose proof (Forall_inv_tail H) as Ht.
  destruct (tiny one s || snd (hard_known mem u s (clip one s d))) eqn:Fi; [apply IH; assumption|].
  apply orb_false_iff in Fi as [Fi _]. apply hard_not_tiny in Fi. apply IH; [exact Ht|].
  apply hard_remember_true; [exact M|]. apply hard_ahead_true; assumption.
Qed.

Lemma piece_is T u s d g mem a : g < guesses -> proper s -> hard_table_true T (value (open u)) s -> facts_true mem ->
  some_part ans g s a = true ->
  let p := piece_of T u d g mem (part g (S a) s) in
  piece_true d p /\ value (open (fst (fst p))) = left_of behind (value (open u)) g a /\ snd (fst p) = part g (S a) s.
Proof.
  intros Hg H HT M P. cbv zeta. unfold piece_of. cbn [fst snd].
  pose proof (proper_part ans secrets g (S a) s H) as Hp. fold part in Hp.
  assert (E : value (open (after u g (hd 0 (part g (S a) s)))) = left_of behind (value (open u)) g a).
  { unfold some_part in P. fold part in P. destruct (part g (S a) s) as [|x l] eqn:Q; [discriminate|]. cbn [hd].
    assert (Hx : In x (part g (S a) s)) by (rewrite Q; left; reflexivity).
    apply filter_In in Hx as [Hx R]. apply Nat.eqb_eq in R. apply after_left; [exact Hg| |exact R].
    destruct H as [_ I]. apply I, in_seq in Hx. lia. }
  split; [split; [exact Hp|]|split; [exact E|reflexivity]].
  apply hard_lb_clip, hard_lb_greater; [|apply hard_known_true, M].
  apply HT; [rewrite E; apply left_incl|exact Hp|apply part_incl].
Qed.

Lemma pieces_true T u s d g mem : g < guesses -> proper s -> hard_table_true T (value (open u)) s -> facts_true mem ->
  Forall (piece_true d) (map (piece_of T u d g mem) (parts_of g s)).
Proof.
  intros Hg H HT M. apply Forall_forall. intros p Hp. apply in_map_iff in Hp as [q [<- Hq]]. unfold parts_of in Hq.
  rewrite parts_are in Hq. apply in_map_iff in Hq as [a [<- Ha]]. apply filter_In in Ha as [_ Ha].
  exact (proj1 (piece_is T u s d g mem a Hg H HT M Ha)).
Qed.

Lemma hard_asking_true T smalls_ u s d b g mem mem' : g < guesses -> within_all u ->
  Forall hard_small_true smalls_ -> proper s -> hard_table_true T (value (open u)) s -> facts_true mem ->
  hard_asking T smalls_ u s d b g mem = (true, mem') -> ask_lb (value (open u)) d g s b.
Proof.
  intros Hg W A H HT M E. unfold hard_asking in E.
  destruct (match b with None => _ | Some _ => false end) eqn:S'.
  { destruct b; [discriminate|]. unfold parts_of in S'. apply existsb_part in S' as [a S'].
    intros next Ht. apply (hard_holds_small _ (left_of behind (value (open u)) g a) _ _ A) in S'.
    - exact (S' _ (plays_part _ _ _ _ _ _ _ _ _ a Ht)).
    - intros h Hh. apply W. exact (left_incl _ _ _ _ h Hh). }
  apply hard_improve_true in E; [|apply pieces_true; assumption|exact M]. destruct E as [vs [V R]].
  unfold parts_of in V. rewrite parts_are, map_map in V.
  assert (V' : Forall2 (fun a v => lb (left_of behind (value (open u)) g a) (pre d) (part g (S a) s) v)
                 (filter (some_part ans g s) (seq 0 (pred responses))) vs).
  { assert (Q : forall a, In a (filter (some_part ans g s) (seq 0 (pred responses))) -> some_part ans g s a = true)
      by (intros a Ha; apply filter_In in Ha; apply Ha).
    clear R. revert vs V Q. induction (filter (some_part ans g s) (seq 0 (pred responses))) as [|a l IH]; intros vs V Q;
      inversion V as [|? v ? vs' V1 V2]; subst; constructor.
    - destruct (piece_is T u s (pre d) g mem a Hg H HT M (Q a (or_introl eq_refl))) as [_ [E1 E2]]. cbv zeta in E1, E2.
      unfold part in E1, E2. rewrite E1, E2 in V1. exact V1.
    - apply IH; [exact V2|]. intros a' Ha. apply Q. right; exact Ha. }
  apply unfilter in V' as [us [U Eq]]; [|intros a; apply hard_lb_zero].
  apply (by_number (fun a v => lb (left_of behind (value (open u)) g a) (pre d) (part g (S a) s) v)) in U as [bs [-> U]].
  apply (hard_ask_weaker _ _ _ _ _ _ R). rewrite <- Eq. apply hard_ask_sum. exact U.
Qed.

Lemma hard_asking_keeps T smalls_ u s d b g mem : g < guesses ->
  proper s -> hard_table_true T (value (open u)) s -> facts_true mem ->
  facts_true (snd (hard_asking T smalls_ u s d b g mem)).
Proof.
  intros Hg H HT M. unfold hard_asking. destruct (match b with None => _ | Some _ => false end); [exact M|].
  apply hard_improve_keeps; [|exact M]. apply pieces_true; assumption.
Qed.

Lemma each_passes_true (Q : nat -> Prop) ask : forall weak mem yes mem',
  (forall g mem, In g weak -> facts_true mem -> facts_true (snd (ask g mem)) /\ (fst (ask g mem) = true -> Q g)) ->
  facts_true mem -> each_passes ask weak mem = (yes, mem') ->
  facts_true mem' /\ (yes = true -> forall g, In g weak -> Q g).
Proof.
  induction weak as [|h weak IH]; intros mem yes mem' H M E; cbn [each_passes] in E.
  - injection E as <- <-. split; [exact M|intros _ g []].
  - destruct (H h mem (or_introl eq_refl) M) as [M2 C]. destruct (ask h mem) as [yes2 mem2]. cbn [fst snd] in *.
    destruct yes2.
    + apply IH in E as [E1 E2]; [|intros g m Hg; apply H; right; exact Hg|exact M2]. split; [exact E1|].
      intros Y g [<-|Hg]; [exact (C eq_refl)|exact (E2 Y g Hg)].
    + injection E as <- <-. split; [exact M2|discriminate].
Qed.

Lemma asked_below u s g : within_all u -> In g (hard_asked u s) -> g < guesses.
Proof.
  intros W H. unfold hard_asked in H. destruct (yes_or_no only) as [O|O]; rewrite O in H.
  - apply filter_In in H as [H _]. apply (may_below s). unfold may, Plain.may. rewrite O. exact H.
  - apply W, in_seq in H. lia.
Qed.

(** *** Claims *)

Definition hard_claim_true (A : list nat) (s : list nat) (d : option nat) (b : bound) (first : option nat) : Prop :=
  match first with None => lb A d s b | Some g => ask_lb A d g s b end.

Lemma hard_judge_true smalls_ u s d b first mem yes mem' : within_all u ->
  proper s -> Forall hard_small_true smalls_ -> facts_true mem ->
  hard_judge smalls_ u s d b first mem = (yes, mem') ->
  facts_true mem' /\ (yes = true -> hard_claim_true (value (open u)) s d b first).
Proof.
  intros W H A M E.
  assert (Q : lb (value (open u)) d s b -> hard_claim_true (value (open u)) s d b first).
  { intros X. destruct first; cbn; [intros next; apply X|exact X]. }
  unfold hard_judge in E. destruct (reached b (fst (hard_known mem u s (clip one s d))) || _) eqn:E1.
  { injection E as <- <-. split; [exact M|intros _]. apply Q. apply orb_prop in E1 as [E1|E1].
    - apply hard_lb_clip, (hard_lb_weaker _ _ _ _ _ E1), hard_known_true, M.
    - destruct b; [discriminate|]. exact (hard_holds_small _ _ _ _ A W E1). }
  pose proof (hard_table_for_true u s H) as HT. set (T := table_for secrets tables (hard_most u s)) in *.
  destruct (reached b (costs T (clip one s d) (length s))) eqn:E2.
  { injection E as <- <-. split; [exact M|intros _].
    apply Q, hard_lb_clip, (hard_lb_weaker _ _ _ _ _ E2). apply HT; [apply incl_refl|exact H|apply incl_refl]. }
  destruct (finished one s) eqn:Fi; [injection E as <- <-; split; [exact M|discriminate]|].
  destruct (hard_not_settled s Fi) as [NS N]. destruct first as [g|].
  - cbn [hard_claim_true]. destruct (existsb (Nat.eqb g) (hard_asked u s)) eqn:X;
      [|injection E as <- <-; split; [exact M|discriminate]].
    assert (Hg : g < guesses).
    { apply existsb_exists in X as [g' [Hg X]]. apply Nat.eqb_eq in X. subst g'. exact (asked_below u s g W Hg). }
    split; [|intros ->; eapply hard_asking_true; eassumption].
    pose proof (hard_asking_keeps T smalls_ u s d b g mem Hg H HT M) as K. rewrite E in K. exact K.
  - cbn [hard_claim_true]. set (ask := hard_asking _ _ _ _ _ _) in *. set (weak := filter _ _) in *.
    set (cleared g := may s g -> ask_lb (value (open u)) (clip one s d) g s b).
    apply (each_passes_true cleared) in E as [E1' E3]; [|clear E|exact M].
    + split; [exact E1'|]. intros Y. specialize (E3 Y). apply hard_lb_clip.
      apply hard_lb_by_asking; [exact NS|]. intros g Hg. pose proof (among_asked u s g Hg) as Ha. pose proof (may_below _ _ (proj1 Hg)) as Lg.
      destruct (hard_useless g s) eqn:U; [left; exact (hard_useless_true s g N U)|right].
      destruct (reached b (hard_by_sizes T (pre (clip one s d)) (length s) g s)) eqn:B.
      * apply (hard_ask_weaker _ _ _ _ _ _ B), hard_sizes_true; assumption.
      * apply E3; [|apply Hg]. apply filter_In. split; [exact Ha|]. cbv zeta. rewrite U, B. reflexivity.
    + intros g m Hg Hm. assert (Lg : g < guesses) by (apply filter_In in Hg as [Hg _]; exact (asked_below u s g W Hg)).
      split; [apply hard_asking_keeps; assumption|]. intros Y _.
      destruct (ask g m) as [y m'] eqn:Z. cbn [fst] in Y. subst y. eapply hard_asking_true; eassumption.
Qed.

Definition hard_state_true (st : hard_state) : Prop :=
  facts_true (hard_facts st) /\ Forall hard_small_true (hard_smalls st).

Definition hard_about_true (A : hard_about) : Prop :=
  hard_claim_true (value (open (hard_under A))) (hard_members A) (hard_left A) (hard_least A) (hard_begins A).

Definition hard_about_proper (A : hard_about) : Prop := proper (hard_members A) /\ within_all (hard_under A).

Lemma hard_shown_true A st yes st' : hard_about_proper A -> hard_state_true st -> hard_shown A st = (yes, st') ->
  hard_state_true st' /\ (yes = true -> hard_about_true A).
Proof.
  intros [H W] [M Sm] E. unfold hard_shown in E.
  destruct (hard_judge _ _ _ _ _ _ _) as [yes' mem'] eqn:J. apply hard_judge_true in J as [K Z]; try assumption.
  injection E as <- <-. split; [|exact Z]. split; [|exact Sm]. cbn [hard_facts].
  destruct yes'; [|exact K]. specialize (Z eq_refl). unfold hard_about_true, hard_claim_true in Z.
  destruct (hard_begins A); [exact K|]. apply hard_remember_true; [exact K|].
  apply (hard_lb_fewer ans may one behind (value (open (hard_under A))) _ (hard_left A)); [apply incl_refl|apply fewer_clip|exact Z].
Qed.

Lemma hard_items_true fuel : forall top here words_ A st rest st',
  hard_about_proper A -> hard_state_true st -> hard_items fuel top here words_ A st = inl (rest, st') ->
  hard_state_true st' /\ hard_about_true A.
Proof.
  induction fuel as [|fuel IH]; intros top here words_ A st rest st' H St E; [discriminate|].
  destruct words_ as [|w words_]; [discriminate|]. cbn [hard_items] in E.
  assert (LEMMA : forall A' o rest2 after r,
    hard_about_proper A' ->
    (if is "." o
     then let '(yes, st2) := hard_shown A' st in if yes then after rest2 st2 else inr (o :: rest2)
     else if is "(" o
          then match hard_items fuel false (o :: rest2) rest2 A' st with
               | inl (rest3, st2) => after rest3 st2 | inr more => inr more end
          else inr (o :: rest2)) = inl r ->
    exists rest3 st2, after rest3 st2 = @inl (list text * hard_state) (list text) r /\ hard_state_true st2 /\ hard_about_true A').
  { intros A' o rest2 after r H' E'. destruct (is "." o).
    - destruct (hard_shown A' st) as [yes st2] eqn:Sh.
      apply hard_shown_true in Sh as [S1 S2]; [|exact H'|exact St].
      destruct yes; [|discriminate]. exists rest2, st2. auto.
    - destruct (is "(" o); [|discriminate].
      destruct (hard_items fuel false _ rest2 A' st) as [[rest3 st2]|] eqn:It; [|discriminate].
      apply IH in It as [S1 S2]; [|exact H'|exact St]. exists rest3, st2. auto. }
  destruct (is ")" w).
  { destruct (hard_shown A st) as [yes st2] eqn:Sh. apply hard_shown_true in Sh as [S1 S2]; try assumption.
    destruct yes; [|discriminate]. injection E as <- <-. auto. }
  destruct (is "!" w).
  { destruct top; [|discriminate]. destruct (small_set _ _ _ words_) as [[h rest2]|] eqn:Sm; [|discriminate].
    destruct rest2 as [|o rest2]; [discriminate|]. apply (small_set_true secrets one only shifted) in Sm.
    apply (LEMMA _ _ _ (fun rest st => hard_items fuel true here rest A
             {| hard_facts := hard_facts st; hard_smalls := h :: hard_smalls st |})) in E
      as [rest3 [st2 [E [[S1 S2] S3]]]]; [|split; [exact Sm|apply within_everything]].
    apply IH in E; try assumption. split; [exact S1|]. constructor; [|exact S2]. split; [apply Sm|exact S3]. }
  destruct words_ as [|x' [|c [|o rest2]]]; try discriminate.
  destruct (place_of_guess w) as [g|]; [|discriminate]. destruct (place_of_secret x') as [x|]; [|discriminate].
  destruct (bound_in c) as [b|]; [|discriminate]. destruct (existsb (Nat.eqb x) (hard_members A)); [|discriminate].
  apply (LEMMA _ _ _ (fun rest st => hard_items fuel top here rest A st)) in E as [rest3 [st2 [E [S1 _]]]].
  - apply IH in E; assumption.
  - split; [apply (proper_part ans secrets g (ans g x)), H|apply within_after, H].
Qed.

(** The claim of the whole. *)
Theorem hard_refusal_true words_ d b first :
  hard_refusal words_ d b first = None -> hard_claim_true (range guesses) whole d b first.
Proof.
  intros E. unfold hard_refusal in E. set (A := Build_hard_about _ _ _ _ _) in *. set (st := Build_hard_state _ _) in *.
  assert (H : hard_about_proper A) by (split; [split; [apply seq_NoDup|apply incl_refl]|apply within_everything]).
  assert (St : hard_state_true st) by (split; [exact I|constructor]).
  destruct words_ as [|o rest]; [discriminate|]. destruct (is "." o).
  { destruct (hard_shown A st) as [yes st2] eqn:Sh. apply hard_shown_true in Sh as [_ S2]; [|exact H|exact St].
    cbn [fst] in E. destruct yes; [exact (S2 eq_refl)|discriminate]. }
  destruct (is "(" o); [|discriminate].
  destruct (hard_items _ _ _ _ _ _) as [[[|] st2]|] eqn:It in E; try discriminate.
  apply hard_items_true in It as [_ It]; [exact It|exact H|exact St].
Qed.

End Hard.
