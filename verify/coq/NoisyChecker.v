(** The checker of claims about tests that may get several answers: N1 to N6 of NOISY.md as programs, and why what
    they accept is true. What is only quick to look up (tables, useful tests, memory) is checked, or never trusted. *)

From Coq Require Import List Arith NArith Bool Ascii String Lia Permutation.
From Proof Require Import Text Store NoisyGame NoisyTheory NoisyCodes.
Import ListNotations.
Local Open Scope N_scope.
Local Open Scope list_scope.
Local Arguments N.mul : simpl never.
Local Arguments N.add : simpl never.
Local Arguments N.div : simpl never.
Local Arguments N.max : simpl never.
Local Arguments N.min : simpl never.
Local Arguments N.sub : simpl never.
Local Arguments N.eqb : simpl never.
Local Arguments N.leb : simpl never.
Local Arguments N.ltb : simpl never.

(** ** Numbers up to infinity *)

Definition bound := option N.  (* [None]: infinity *)

Definition lesser (a b : bound) : bound :=
  match a, b with Some x, Some y => Some (N.min x y) | None, b => b | a, None => a end.
Definition greater (a b : bound) : bound := match a, b with Some x, Some y => Some (N.max x y) | _, _ => None end.
Definition plus (a b : bound) : bound := match a, b with Some x, Some y => Some (x + y) | _, _ => None end.
Definition minus (a b : bound) : bound :=
  match a, b with Some x, Some y => Some (x - y) | None, _ => None | Some _, None => Some 0 end.
Definition times (k : N) (b : bound) : bound := option_map (N.mul k) b.

(** So much is enough. *)
Definition reached (least v : bound) : bool :=
  match v, least with None, _ => true | Some _, None => false | Some x, Some l => l <=? x end.

Lemma reached_below least v x : reached least v = true -> below v x -> below least x.
Proof. destruct least, v; cbn; try discriminate; try tauto. intros H. apply N.leb_le in H. lia. Qed.

Lemma below_lesser a b x : below a x \/ below b x -> below (lesser a b) x.
Proof. destruct a, b; cbn; intros []; try tauto; lia. Qed.

Lemma below_greater a b x : below a x -> below b x -> below (greater a b) x.
Proof. destruct a, b; cbn; try tauto; lia. Qed.

Section Checker.

Variable G : game.
Variable worst : bool.

Notation T := (T worst).
Notation after := (after G worst).
Notation cell := (cell G).
Notation going := (going G).

Definition count : nat := List.length (tests G).
Definition all_tests : list nat := seq 0 count.
Definition answers (t : nat) : list nat := seq 0 (List.length (names (the_test G t))).
Definition causes : list nat := seq 0 (List.length (weights G)).
Definition price_of (t : nat) : N := price (the_test G t).
Definition later_of (t : nat) : N := later (the_test G t).
Definition group_of (t : nat) : option nat := group (the_test G t).
Definition needs_of (t : nat) : list nat := needs (the_test G t).

Definition join (a b : bound) : bound := match a, b with Some x, Some y => Some (op worst x y) | _, _ => None end.
Definition joined (l : list bound) : bound := fold_right join (Some 0) l.

(** *** What is looked up *)

Record lookup := { least : nat -> bound; stops : nat -> bound; opening : nat -> N; apart : nat -> nat -> bound;
  overlaps : nat -> nat -> bool; branching : nat }.
Variable L : lookup.

Definition is_gone (t a : nat) : bool := mem a (ends (the_test G t)).

Definition decides : bool := negb (empty (decisions G)).
Definition path_ends : bool := existsb (fun t => existsb (is_gone t) (answers t)) all_tests.

(** *** States *)

Definition helps (t : nat) (C : list nat) : bool :=
  let go := going t in
  if worst then negb (existsb (fun a => forallb (fun i => negb (rate (cell t i) a =? 0)) C) go)
  else
    let known := answers t in let first := cell t (hd O C) in let s := total_rate G t (hd O C) in
    negb (forallb (fun i => (total_rate G t i =? s) &&
      (let c := cell t i in
       forallb (fun a => (rate c a =? rate first a) && (mem a go || (rate c a =? 0))) known)) C).

Definition helping (C asked : list nat) : list nat := filter (fun t => negb (mem t asked) && helps t C) all_tests.

Notation opened_by := (is_open group_of).

Definition same_group (t u : nat) : bool :=
  match group_of t, group_of u with Some g, Some h => (g =? h)%nat | _, _ => false end.

Definition wants_group (u : nat) (asked : list nat) : bool := (later_of u <? price_of u) && negb (opened_by u asked).

(** Tests that are needed besides these. *)
Fixpoint closure (fuel : nat) (asked U : list nat) : list nat :=
  match fuel with
  | O => U
  | S fuel =>
      let wanted := filter (fun u => wants_group u asked) U in
      let more := filter (fun t => negb (mem t asked) && negb (mem t U) &&
        (existsb (fun u => mem t (needs_of u)) U || existsb (fun u => same_group u t) wanted)) all_tests in
      match more with [] => U | _ => closure fuel asked (more ++ U) end
  end.

Definition closed_b (hs U asked : list nat) : bool :=
  forallb (fun t => mem t U) hs &&
  forallb (fun u => negb (mem u asked) && (u <? count)%nat && forallb (fun t => mem t asked || mem t U) (needs_of u)
    &&
    (negb (wants_group u asked) || forallb (fun t => negb (same_group u t) || mem t asked || mem t U) all_tests)) U.

Definition useful (hs asked : list nat) : list nat :=
  let U := closure count asked hs in
  if closed_b hs U asked then U else filter (fun t => negb (mem t asked)) all_tests.

Definition may_ask (U asked : list nat) (t : nat) : bool := mem t U && forallb (fun u => mem u asked) (needs_of t).

Definition settled_b (C : list nat) : bool :=
  forallb (fun i => forallb (fun j => (i =? j)%nat || cliques G && overlaps L i j) C) C.

(** What is lost by ending at once. *)
Definition decided (M : masses) : bound :=
  if decides then
    fold_right (fun d v => lesser (if forallb (fun i => match loss G d i with Some _ => true | None => false end)
      (map fst M)
      then Some (T (lost G d) M) else None) v) None (seq 0 (List.length (decisions G)))
  else if settled_b (map fst M) then Some 0 else None.

Definition next_price (hs asked : list nat) : bound :=
  fold_right (fun t v => lesser (Some (if opened_by t asked then later_of t else N.min (price_of t) (later_of t +
    opening L t))) v)
    None hs.

Definition ever (hs : list nat) : N := match fold_right (fun t v => lesser (Some (later_of t)) v) None hs with Some e
  => e | None => 0 end.

Definition each_pays (p : N) (M : masses) : bound :=
  joined (map (fun im => times (snd im) (lesser (plus (Some p) (least L (fst im))) (greater (Some p) (stops L (fst
    im))))) M).

Definition each_apart (M : masses) : bound :=
  joined (map (fun im => times (snd im) (fold_right (fun j v => greater (apart L (fst im) j) v) (Some 0) (map fst
    M))) M).

(** The connected parts of the overlaps: of each cause the number of its part. *)
Fixpoint spread (fuel : nat) (C found : list nat) : list nat :=
  match fuel with
  | O => found
  | S fuel =>
      match filter (fun j => negb (mem j found) && existsb (fun i => overlaps L i j) found) C with
      | [] => found
      | more => spread fuel C (more ++ found)
      end
  end.

Fixpoint parts (fuel : nat) (C : list nat) : list (nat * nat) :=
  match fuel, C with
  | S fuel, i :: _ =>
      let part := spread (List.length C) C [i] in
      map (fun j => (j, i)) part ++ parts fuel (filter (fun j => negb (mem j part)) C)
  | _, _ => []
  end.

Definition class_in (ps : list (nat * nat)) (i : nat) : nat :=
  match List.find (fun p => (fst p =? i)%nat) ps with Some p => snd p | None => O end.

Definition classed (ps : list (nat * nat)) (C : list nat) : bool :=
  forallb (fun i => forallb (fun j => negb (overlaps L i j) || (class_in ps i =? class_in ps j)%nat) C) C.

(** The least number of tests with so many answers that tell so many parts apart. *)
Fixpoint length_of (fuel many K : nat) (got : nat) : nat :=
  match fuel with
  | O => O
  | S fuel => if (many <=? got)%nat then O else S (length_of fuel many K (got * K))
  end.

Definition coded_total (C : list nat) (M : masses) : N :=
  let K := branching L in
  if (K <=? 1)%nat then 0 else
  let ps := if cliques G then parts (List.length C) C else [] in
  let class := if cliques G then class_in ps else fun i => i in
  if negb (cliques G) || classed ps C then
    if worst then
      let n := length_of (List.length C) (List.length (classes class M)) K 1 in
      if (n =? 0)%nat || (K ^ (n - 1) <? List.length (classes class M))%nat then N.of_nat n else 0
    else huffman_N (map (mass_of worst class M) (lightest_first worst class M)) K
  else 0.

Definition low (M : masses) (asked hs : list nat) : bound :=
  let d := decided M in
  match next_price hs asked with
  | None => d
  | Some p =>
      lesser d (let b := each_pays p M in
        if decides || path_ends then b
        else greater (greater b (Some (ever hs * coded_total (map fst M) M)))
          (if (List.length (weights G) <=? 300)%nat && (List.length M <=? 64)%nat then each_apart M else Some 0))
  end.

(** ** What is known *)

Record fact := { at_masses : masses; at_useful : list nat; at_asked : list nat; at_open : list nat;
  shown : bound; ahead : nat; whole : bool }.
Definition memory := store fact.

Fixpoint same_numbers (a b : list nat) : bool :=
  match a, b with [], [] => true | x :: a, y :: b => (x =? y)%nat && same_numbers a b | _, _ => false end.

Fixpoint same_masses (a b : masses) : bool :=
  match a, b with [], [] => true | x :: a, y :: b => (fst x =? fst y)%nat && (snd x =? snd y) && same_masses a b | _,
    _ => false end.

Definition needed (U asked : list nat) : list nat :=
  filter (fun t => mem t asked && existsb (fun u => mem t (needs_of u)) U) all_tests.

Definition cheaper_now (U asked : list nat) : list nat := filter (fun u => (later_of u <? price_of u) && opened_by u
  asked) U.

Fixpoint low_bits (fuel : nat) (p : positive) : nat :=
  match fuel, p with
  | S fuel, xO p => 2 * low_bits fuel p
  | S fuel, xI p => 1 + 2 * low_bits fuel p
  | _, _ => 1
  end%nat.

Definition mixed (m : N) : nat := match m with N0 => O | Npos p => low_bits 24 p end.

(** A number for a state; nothing has to be proved of it. *)
Definition hash (M : masses) (U : list nat) : nat :=
  let step h x := Nat.land ((h + x) * 403 + Nat.shiftr h 13) (Nat.ones 30) in
  fold_left (fun h im => step (step h (fst im)) (mixed (snd im))) M (fold_left step U 7)%nat.

Definition is_state (M : masses) (U k1 k2 : list nat) (f : fact) : bool :=
  same_masses (at_masses f) M && same_numbers (at_useful f) U && same_numbers (at_asked f) k1 && same_numbers
    (at_open f) k2.

(** Lemmas are kept with 0; what is found so many tests ahead, with a number that says how many: neither serves for
    the other (N5). *)
Definition recall (mem : memory) (M : masses) (U k1 k2 : list nat) (deep : nat) : bound * bool :=
  fold_left (fun vw f =>
    if is_state M U k1 k2 f && (ahead f =? deep)%nat then (greater (fst vw) (shown f), snd vw || whole f) else vw)
    (Store.find (hash M U) mem) (Some 0, false).

(** To look further than there are tests left is to look to the end. *)
Definition depth_of (deep : nat) (asked : list nat) : nat := S (Nat.min deep (count - List.length asked)).

Definition remember (mem : memory) (M : masses) (U asked : list nat) (v : bound) (deep : nat) (w : bool) : memory :=
  Store.insert (hash M U) {| at_masses := M; at_useful := U; at_asked := needed U asked; at_open := cheaper_now U
    asked;
    shown := v; ahead := deep; whole := w |} mem.

(** ** Looking ahead, N5 *)

Definition kid := (nat * masses)%type.

Definition kids (t : nat) (M : masses) : list kid :=
  filter (fun k => negb (empty (snd k))) (map (fun a => (a, after t a M)) (going t)).

Definition base_price (t : nat) (M : masses) (asked : list nat) : N := pays price_of later_of group_of t asked * T
  snd M.

(** What a test costs, with bounds of what follows that are raised one after the other until it is enough. *)
Fixpoint improve (look : memory -> masses -> list nat -> bound -> bound * memory) (asked : list nat) (base : N)
    (limit done : bound) (todo : list (kid * bound)) (mem : memory) : bound * memory :=
  match todo with
  | [] => (plus (Some base) done, mem)
  | (k, v) :: rest =>
      let others := join done (joined (map snd rest)) in
      let total := plus (Some base) (join v others) in
      if reached limit total then (total, mem)
      else
        let need := if worst then minus limit (Some base) else minus limit (plus (Some base) others) in
        let vm := look mem (snd k) asked need in
        improve look asked base limit (join done (greater v (fst vm))) rest (snd vm)
  end.

Definition with_low (asked : list nat) (k : kid) : kid * bound :=
  (k, low (snd k) asked (helping (map fst (snd k)) asked)).

Record way := { by_test : nat; way_base : N; way_kids : list (kid * bound); way_total : bound }.

Definition way_of (M : masses) (asked : list nat) (t : nat) : way :=
  let b := base_price t M asked in
  let ks := map (with_low (t :: asked)) (kids t M) in
  {| by_test := t; way_base := b; way_kids := ks; way_total := plus (Some b) (joined (map snd ks)) |}.

Fixpoint insert_way (w : way) (l : list way) : list way :=
  match l with
  | [] => [w]
  | x :: rest => if reached (way_total w) (way_total x) then w :: l else x :: insert_way w rest
  end.

Fixpoint look_ahead (deep : nat) (mem : memory) (M : masses) (asked : list nat) (want : bound) : bound * memory :=
  let hs := helping (map fst M) asked in
  let lo := low M asked hs in
  match deep with
  | O => (lo, mem)
  | S deep' =>
      let d := decided M in
      if reached want lo || reached d lo then (lo, mem)
      else
        let U := useful hs asked in
        let at_ := depth_of deep asked in
        let vw := recall mem M U (needed U asked) (cheaper_now U asked) at_ in
        let got := greater lo (fst vw) in
        if snd vw || reached want got then (got, mem)
        else
          let ways := fold_right (fun t l => insert_way (way_of M asked t) l) []
            (filter (may_ask U asked) all_tests) in
          let vm := fold_left (fun vm w =>
            if reached (fst vm) (way_total w) then vm
            else
              let xm := improve (look_ahead deep') (by_test w :: asked) (way_base w) (fst vm) (Some 0) (way_kids w)
                (snd vm) in
              (lesser (fst vm) (fst xm), snd xm)) ways (lesser want d, mem) in
          let found := greater got (fst vm) in
          (found, remember (snd vm) M U asked found at_ (negb (reached want (fst vm))))
  end.

(** ** Claims, N6 *)

Definition with_known (mem : memory) (asked : list nat) (k : kid) : kid * bound :=
  let hs := helping (map fst (snd k)) asked in
  let U := useful hs asked in
  (k, greater (low (snd k) asked hs) (fst (recall mem (snd k) U (needed U asked) (cheaper_now U asked) 0))).

Definition passes (deep : nat) (M : masses) (asked : list nat) (b : bound) (t : nat) (mem : memory) : bool * memory :=
  let ks := map (with_known mem (t :: asked)) (kids t M) in
  let vm := improve (look_ahead deep) (t :: asked) (base_price t M asked) b (Some 0) ks mem in
  (reached b (fst vm), snd vm).

Fixpoint all_pass (deep : nat) (M : masses) (asked : list nat) (b : bound) (ts : list nat) (mem : memory) : bool *
  memory :=
  match ts with
  | [] => (true, mem)
  | t :: ts => let pm := passes deep M asked b t mem in if fst pm then all_pass deep M asked b ts (snd pm) else pm
  end.

Definition accepts (deep : nat) (M : masses) (asked : list nat) (b : bound) (mem : memory) : bool * memory :=
  let hs := helping (map fst M) asked in
  let U := useful hs asked in
  let got := greater (low M asked hs) (fst (recall mem M U (needed U asked) (cheaper_now U asked) 0)) in
  let pm := if reached b got then (true, mem)
    else if reached b (decided M) then all_pass deep M asked b (filter (may_ask U asked) all_tests) mem
    else (false, mem) in
  (fst pm, if fst pm then remember (snd pm) M U asked b 0 false else snd pm).

(** ** Why it is right *)

Hypothesis good : forall t i, (t < count)%nat -> In i causes -> good_cell G t i.
Hypothesis cheaper : forall t, later_of t <= price_of t.
Hypothesis needs_count : forall u t, (u < count)%nat -> In t (needs_of u) -> (t < count)%nat.
Hypothesis least_holds : forall d i x, (d < List.length (decisions G))%nat -> In i causes -> loss G d i = Some x ->
  below (least L i) x.
Hypothesis least_free : decisions G = [] -> forall i, In i causes -> least L i = Some 0.
Hypothesis stops_hold : forall t i a, (t < count)%nat -> In i causes -> In a (answers t) -> is_gone t a = true ->
  rate (cell t i) a <> 0 -> below (stops L i) (later_of t).
Hypothesis opening_least : forall u t g, (t < count)%nat -> group_of u = Some g -> group_of t = Some g -> opening L u
  <= price_of t.
Hypothesis apart_same : decides = false -> path_ends = false -> (List.length (weights G) <= 300)%nat ->
  forall i j, In i causes -> In j causes -> i = j \/ cliques G = true /\ overlap G i j = true -> apart L i j = Some 0.
Hypothesis apart_least : decides = false -> path_ends = false -> (List.length (weights G) <= 300)%nat ->
  forall t i j a, (t < count)%nat -> In i causes -> In j causes -> In a (answers t) ->
  rate (cell t i) a <> 0 -> rate (cell t j) a = 0 -> below (apart L i j) (later_of t).
Hypothesis overlaps_are : cliques G = true -> forall i j, In i causes -> In j causes -> overlaps L i j = overlap G i
  j.
Hypothesis branches : forall t, (t < count)%nat -> (List.length (going t) <= branching L)%nat.

Notation fair := (fair G worst needs_of).
Notation spent := (spent G worst price_of later_of group_of).
Notation at_least := (at_least G worst price_of later_of group_of needs_of).
Notation ask_at_least := (ask_at_least G worst price_of later_of group_of needs_of).
Notation fits := (fits G worst).

Definition fine (M : masses) (asked : list nat) : Prop :=
  M <> [] /\ known G M /\ fits (free asked) M /\ forall im, In im M -> snd im <> 0.

Lemma going_or_gone t a : In a (answers t) -> In a (going t) \/ is_gone t a = true.
Proof.
  intros H. unfold is_gone, mem. destruct (existsb (Nat.eqb a) (ends (the_test G t))) eqn:E; [right;
    reflexivity|left].
  apply filter_In. rewrite E. auto.
Qed.

Lemma helps_not t C : helps t C = false -> tells_nothing G worst t C.
Proof.
  unfold helps, tells_nothing. destruct worst; rewrite negb_false_iff.
  - intros H. apply existsb_exists in H as [a [Ha H]]. exists a. split; [exact Ha|]. intros i Hi E.
    pose proof (proj1 (forallb_forall _ _) H i Hi) as Q. cbv beta in Q. rewrite E in Q. discriminate.
  - intros H i Hi. pose proof (proj1 (forallb_forall _ _) H i Hi) as Q. apply andb_prop in Q as [Q1 Q2].
    apply N.eqb_eq in Q1. split; [exact Q1|]. intros a Ha. pose proof (proj1 (forallb_forall _ _) Q2 a Ha) as Q.
    apply andb_prop in Q as [Q3 Q4]. apply N.eqb_eq in Q3. split; [exact Q3|]. intros N. apply orb_prop in Q4 as
      [Q4|Q4].
    + apply mem_in in Q4. contradiction.
    + apply N.eqb_eq in Q4. exact Q4.
Qed.

Lemma helping_in C asked t : In t (helping C asked) <-> (t < count)%nat /\ ~ In t asked /\ helps t C = true.
Proof.
  unfold helping, all_tests. rewrite filter_In, in_seq, andb_true_iff, negb_true_iff, mem_false. split; intros H;
    intuition lia.
Qed.

Lemma not_helping C asked t : (t < count)%nat -> ~ In t asked -> mem t (helping C asked) = false -> tells_nothing G
  worst t C.
Proof.
  intros H N E. apply helps_not. apply mem_false in E. destruct (helps t C) eqn:Q; [|reflexivity]. destruct E. apply
    helping_in. auto.
Qed.

(** *** Useful tests *)

Lemma useful_closed C asked : closed G worst price_of later_of group_of needs_of (fun t => mem t (useful (helping C
  asked) asked)) C asked /\
  (forall t, mem t (useful (helping C asked) asked) = true -> ~ In t asked /\ (t < count)%nat).
Proof.
  unfold useful. set (U := closure _ _ _). destruct (closed_b (helping C asked) U asked) eqn:E.
  - unfold closed_b in E. apply andb_prop in E as [E1 E2].
    assert (Q : forall u, mem u U = true -> mem u asked = false /\ (u < count)%nat /\
      (forall t, In t (needs_of u) -> mem t asked = true \/ mem t U = true) /\
      (wants_group u asked = false \/ forall t, In t all_tests -> same_group u t = false \/ mem t asked = true \/ mem
        t U = true)).
    { intros u Hu. apply mem_in in Hu. pose proof (proj1 (forallb_forall _ _) E2 u Hu) as Q.
      apply andb_prop in Q as [Q Q4]. apply andb_prop in Q as [Q Q3]. apply andb_prop in Q as [Q1 Q2].
      apply negb_true_iff in Q1. apply Nat.ltb_lt in Q2. split; [exact Q1|]. split; [exact Q2|]. split.
      - intros t Ht. pose proof (proj1 (forallb_forall _ _) Q3 t Ht) as X. apply orb_prop in X. exact X.
      - apply orb_prop in Q4 as [X|X]; [left; apply negb_true_iff in X; exact X|right]. intros t Ht.
        pose proof (proj1 (forallb_forall _ _) X t Ht) as Y. apply orb_prop in Y as [Y|Y]; [|auto].
        apply orb_prop in Y as [Y|Y]; [apply negb_true_iff in Y|]; auto. }
    split; [split; [|split]|].
    + intros t H N F. apply (not_helping C asked t H N). apply mem_false. intros I.
      pose proof (proj1 (forallb_forall _ _) E1 t I) as X. cbv beta in X. congruence.
    + intros u t Hu Ht N. destruct (Q u Hu) as [_ [_ [X _]]]. destruct (X t Ht) as [Y|Y]; [apply mem_in in Y;
      contradiction|exact Y].
    + intros u g t Hu Lt Gu O H Gt N. destruct (Q u Hu) as [_ [_ [_ [X|X]]]].
      * unfold wants_group in X. rewrite O in X. apply andb_false_iff in X as [X|X]; [apply N.ltb_ge in X;
        lia|discriminate].
      * destruct (X t) as [Y|[Y|Y]]; [apply in_seq; unfold count in *; lia| | |exact Y].
        { unfold same_group in Y. rewrite Gu, Gt, Nat.eqb_refl in Y. discriminate. }
        apply mem_in in Y. contradiction.
    + intros t Ht. destruct (Q t Ht) as [X [Y _]]. apply mem_false in X. auto.
  - assert (Q : forall t, mem t (filter (fun t => negb (mem t asked)) all_tests) = true <-> (t < count)%nat /\ ~ In t
    asked).
    { intros t. rewrite mem_in, filter_In, negb_true_iff, mem_false. unfold all_tests. rewrite in_seq. intuition lia.
      }
    split; [split; [|split]|].
    + intros t H N F. enough (X : mem t (filter (fun t => negb (mem t asked)) all_tests) = true) by (rewrite X in F;
      discriminate). apply Q. auto.
    + intros u t Hu Ht N. apply Q in Hu. apply Q. split; [|exact N]. apply (needs_count u t); [apply Hu|exact Ht].
    + intros u g t Hu Lt Gu O H Gt N. apply Q. auto.
    + intros t Ht. apply Q in Ht. tauto.
Qed.
(** *** N4 *)

Lemma joined_below {A} (f : A -> bound) (g : A -> N) l : (forall a, In a l -> below (f a) (g a)) -> below (joined
  (map f l)) (T g l).
Proof.
  induction l as [|a l IH]; intros H; [cbn; lia|]. cbn [map joined fold_right]. fold (joined (map f l)). rewrite
    T_cons.
  specialize (IH (fun b Hb => H b (or_intror Hb))). specialize (H a (or_introl eq_refl)).
  destruct (f a), (joined (map f l)); cbn in *; try tauto. apply op_le; assumption.
Qed.

Lemma joined_none {A} (f : A -> bound) l : joined (map f l) = None -> exists a, In a l /\ f a = None.
Proof.
  induction l as [|a l IH]; cbn [map joined fold_right]; [discriminate|]. fold (joined (map f l)). intros H.
  destruct (f a) eqn:E; [|exists a; split; [left; reflexivity|exact E]]. destruct (joined (map f l)); [discriminate|].
  destruct (IH eq_refl) as [b [Hb Eb]]. exists b. split; [right; exact Hb|exact Eb].
Qed.

Lemma joined_some {A} (f : A -> bound) l v a : joined (map f l) = Some v -> In a l -> exists y, f a = Some y /\ y <=
  v.
Proof.
  revert v. induction l as [|b l IH]; intros v H []; cbn [map joined fold_right] in H; fold (joined (map f l)) in H.
  - subst. destruct (f a) as [y|]; [|discriminate]. exists y. split; [reflexivity|]. destruct (joined (map f l));
    [|discriminate].
    injection H as <-. apply op_left.
  - destruct (f b) as [z|]; [|discriminate]. destruct (joined (map f l)) as [w|]; [|discriminate]. injection H as <-.
    destruct (IH w eq_refl H0) as [y [E Ly]]. exists y. split; [exact E|]. eapply N.le_trans; [exact Ly|apply
      op_right].
Qed.

Definition finite (Z : N) (b : bound) : N := match b with Some v => v | None => Z end.

Definition ends_by (Z : N) (i : nat) : N := if decides && mem i causes then finite Z (least L i) else 0.
Definition stops_by (Z : N) (i : nat) : N := if mem i causes then finite Z (stops L i) else 0.

Lemma no_decisions : decides = false -> decisions G = [].
Proof. unfold decides. destruct (decisions G); [reflexivity|discriminate]. Qed.

Lemma pays_below p M x Z : known G M -> (forall im, In im M -> snd im <> 0) -> x < Z -> finite 0 (each_pays p M) <= Z
  ->
  T (fun im => snd im * N.min (p + ends_by Z (fst im)) (N.max p (stops_by Z (fst im)))) M <= x -> below (each_pays p
    M) x.
Proof.
  intros K P HZ Hb H. unfold each_pays in *. set (f := fun im : nat * N => times _ _) in *.
  assert (Q : forall i m, In (i, m) M -> f (i, m) = None \/ (exists c, f (i, m) = Some (m * c) /\
    (c <= Z -> c <= N.min (p + ends_by Z i) (N.max p (stops_by Z i)))) ).
  { intros i m Hi. assert (Ci : In i causes) by (apply K; exact (in_map fst _ _ Hi)). unfold f, ends_by, stops_by.
    cbn [fst snd].
    rewrite (proj2 (mem_in i causes) Ci). rewrite andb_true_r. destruct decides eqn:D.
    - destruct (least L i) as [l|], (stops L i) as [q|]; cbn; try (left; reflexivity); right; eexists; (split;
      [reflexivity|]); intros; lia.
    - rewrite (least_free (no_decisions D) i Ci). destruct (stops L i) as [q|]; cbn; right; eexists; (split;
      [reflexivity|]); intros; lia. }
  destruct (joined (map f M)) as [b|] eqn:E; cbn [finite below] in *.
  - pose proof (joined_below f (fun im => snd im * N.min (p + ends_by Z (fst im)) (N.max p (stops_by Z (fst im)))) M)
    as J.
    rewrite E in J. cbn [below] in J. eapply N.le_trans; [apply J|exact H]. intros [i m] Hi. cbn [fst snd].
    destruct (joined_some f M b (i, m) E Hi) as [y [Ey Ly]]. destruct (Q i m Hi) as [X|[c [X1 X2]]]; [congruence|].
    rewrite X1. cbn [below]. rewrite X1 in Ey. injection Ey as <-. specialize (P _ Hi). cbn [snd] in P.
    apply N.mul_le_mono_l. apply X2. nia.
  - destruct (joined_none f M E) as [[i m] [Hi Ei]]. exfalso.
    pose proof (T_in worst _ (fun im => snd im * N.min (p + ends_by Z (fst im)) (N.max p (stops_by Z (fst im)))) (i,
      m) M Hi) as J.
    apply N.le_trans with (p := x) in J; [|exact H]. clear H.
    cbn [fst snd] in J. specialize (P _ Hi). cbn [snd] in P. unfold f in Ei. cbn [fst snd] in Ei.
    assert (Ci : In i causes) by (apply K; exact (in_map fst _ _ Hi)). unfold ends_by, stops_by in J.
    rewrite (proj2 (mem_in i causes) Ci), andb_true_r in J. destruct decides eqn:D.
    + destruct (least L i) as [l|], (stops L i) as [q|]; cbn in Ei; try discriminate. cbn [finite] in J.
      assert (Q' : Z <= N.min (p + Z) (N.max p Z)) by lia. nia.
    + rewrite (least_free (no_decisions D) i Ci) in Ei. destruct (stops L i); discriminate.
Qed.

(** What is lost by ending at once, of any masses of the same causes. *)
Definition allowed (C : list nat) (d : nat) : bool := forallb (fun i => match loss G d i with Some _ => true | None
  => false end) C.

Definition dec (Z : N) (C : list nat) (M : masses) : N :=
  if decides then fold_right (fun d v => N.min (if allowed C d then T (lost G d) M else Z * T snd M) v) (Z * T snd M)
    (seq 0 (List.length (decisions G)))
  else if settled_b C then 0 else Z * T snd M.

Lemma lost_scale d k M : T (lost G d) (scale k M) = k * T (lost G d) M.
Proof.
  unfold scale. rewrite T_map, <- T_mul. apply T_eq. intros [i m] _. unfold lost. cbn [fst snd].
  destruct (loss G d i); [symmetry; apply N.mul_assoc|symmetry; apply N.mul_0_r].
Qed.

Lemma dec_scale Z C k M : dec Z C (scale k M) = k * dec Z C M.
Proof.
  unfold dec. rewrite T_scale. destruct decides.
  - generalize (seq 0 (List.length (decisions G))) as ds. induction ds as [|d ds IH]; cbn [fold_right]; [ring|].
    rewrite IH, lost_scale.
    rewrite <- N.mul_min_distr_l. f_equal. destruct (allowed C d); ring.
  - destruct (settled_b C); ring.
Qed.

Lemma settled_is C M : map fst M = C -> known G M -> settled G M -> settled_b C = true.
Proof.
  intros E K S. apply forallb_forall. intros i Hi. apply forallb_forall. intros j Hj. rewrite <- E in Hi, Hj.
  destruct (S i j Hi Hj) as [->|[Cl O]]; [rewrite Nat.eqb_refl; reflexivity|].
  rewrite (overlaps_are Cl i j (K i Hi) (K j Hj)), Cl, O. apply orb_true_r.
Qed.

Lemma dec_ends Z C M : known G M -> map fst M = C -> ends_at_least G worst M [] (Some (dec Z C M)).
Proof.
  intros K E. split.
  - intros N S. cbn [below]. unfold dec, decides. rewrite N. cbn [empty negb]. rewrite (settled_is C M E K S). apply
    N.le_refl.
  - intros d Hd A. cbn [below]. assert (De : decides = true) by (unfold decides; destruct (decisions G); [cbn in Hd;
    lia|reflexivity]).
    unfold dec. rewrite De. assert (I : In d (seq 0 (List.length (decisions G)))) by (apply in_seq; lia).
    revert I. generalize (seq 0 (List.length (decisions G))) as ds. induction ds as [|e ds IH]; intros I; [destruct
      I|]. cbn [fold_right]. destruct I as [->|I].
    + eapply N.le_trans; [apply N.le_min_l|]. replace (allowed C d) with true; [apply N.le_refl|]. symmetry.
      apply forallb_forall. intros i Hi. rewrite <- E in Hi. specialize (A i Hi). destruct (loss G d i);
        [reflexivity|contradiction].
    + eapply N.le_trans; [apply N.le_min_r|exact (IH I)].
Qed.

Lemma decided_below Z (M : masses) x : x < Z * T snd M -> dec Z (map fst M) M <= x -> below (decided M) x.
Proof.
  intros H. unfold dec, decided. destruct decides.
  - generalize (seq 0 (List.length (decisions G))) as ds. induction ds as [|d ds IH]; cbn [fold_right]; intros Q;
    [lia|].
    apply below_lesser. fold (allowed (map fst M) d). destruct (allowed (map fst M) d).
    + destruct (N.le_gt_cases (T (lost G d) M) x) as [X|X]; [left; exact X|right; apply IH; lia].
    + right. apply IH. lia.
  - destruct (settled_b (map fst M)); cbn [below]; intros; lia.
Qed.

Lemma mass_1 (M : masses) : M <> [] -> (forall im, In im M -> snd im <> 0) -> 1 <= T snd M.
Proof.
  destruct M as [|im M]; [contradiction|]. intros _ P. specialize (P im (or_introl eq_refl)).
  pose proof (T_in worst _ snd im (im :: M) (or_introl eq_refl)). lia.
Qed.

Lemma all_go : path_ends = false -> forall t a, In a (answers t) -> In a (going t).
Proof.
  intros P t a Ha. destruct (going_or_gone t a Ha) as [Q|Q]; [exact Q|exfalso].
  destruct (Nat.lt_ge_cases t count) as [Ht|Ht].
  - enough (path_ends = true) by congruence. apply existsb_exists. exists t. split; [apply in_seq; lia|].
    apply existsb_exists. exists a. auto.
  - unfold is_gone, the_test in Q. rewrite nth_overflow in Q by exact Ht. discriminate.
Qed.

Lemma apart_below M asked s : decides = false -> path_ends = false -> (List.length (weights G) <= 300)%nat -> fine M
  asked ->
  fair s M asked -> below (each_apart M) (spent s M asked).
Proof.
  intros D P B [Ne [K [F Pos]]] V. set (x := spent s M asked). set (Z := x + 1).
  set (far := fun i j => if mem i causes && mem j causes then finite Z (apart L i j) else 0).
  assert (X : T (fun im => snd im * farthest far (map fst M) (fst im)) M <= x).
  { apply (told_apart G worst good price_of later_of group_of needs_of cheaper (all_go P) far); try assumption; [| |exact
    (no_decisions D)].
    - intros i j Q. unfold far. destruct (mem i causes) eqn:Mi, (mem j causes) eqn:Mj; cbn [andb]; try reflexivity.
      apply mem_in in Mi. apply mem_in in Mj. rewrite (apart_same D P B i j Mi Mj Q). reflexivity.
    - intros t i j a Ht Ci Cj Ha Ri Rj. change (In i causes) in Ci. change (In j causes) in Cj. unfold far. rewrite
      (proj2 (mem_in _ _) Ci), (proj2 (mem_in _ _) Cj). cbn [andb].
      pose proof (apart_least D P B t i j a Ht Ci Cj Ha Ri Rj) as Q. destruct (apart L i j); cbn in *; [exact
        Q|destruct Q]. }
  unfold each_apart. set (f := fun im : nat * N => times _ _).
  assert (Q : forall i, In i causes -> forall C, incl C causes ->
    match fold_right (fun j v => greater (apart L i j) v) (Some 0) C with Some v => v = farthest far C i | None => Z
      <= farthest far C i end).
  { intros i Ci C. induction C as [|j C IH]; intros IC; [reflexivity|]. cbn [fold_right farthest].
    specialize (IH (fun y Hy => IC y (or_intror Hy))). fold (farthest far C i).
    assert (Fj : far i j = finite Z (apart L i j)).
    { unfold far. rewrite (proj2 (mem_in _ _) Ci), (proj2 (mem_in _ _) (IC j (or_introl eq_refl))). reflexivity. }
    rewrite Fj. destruct (apart L i j) as [y|]; cbn [finite greater]; [|destruct (fold_right _ _ C); lia].
    destruct (fold_right _ _ C); cbn [greater]; [subst; reflexivity|lia]. }
  destruct (joined (map f M)) as [b|] eqn:E.
  - pose proof (joined_below f (fun im => snd im * farthest far (map fst M) (fst im)) M) as J. rewrite E in J. cbn
    [below] in *.
    eapply N.le_trans; [apply J|exact X]. intros [i m] Hi. destruct (joined_some f M b (i, m) E Hi) as [y [Ey _]].
      rewrite Ey.
    unfold f in Ey. cbn [fst snd] in *. specialize (Q i (K i (in_map fst _ _ Hi)) (map fst M) K).
    destruct (fold_right _ _ (map fst M)); [|discriminate]. subst. injection Ey as <-. apply N.le_refl.
  - exfalso. destruct (joined_none f M E) as [[i m] [Hi Ei]]. unfold f in Ei. cbn [fst snd] in Ei.
    specialize (Q i (K i (in_map fst _ _ Hi)) (map fst M) K). destruct (fold_right _ _ (map fst M)); [discriminate|].
    pose proof (T_in worst _ (fun im => snd im * farthest far (map fst M) (fst im)) (i, m) M Hi) as J. cbn [fst snd]
      in J.
    specialize (Pos _ Hi). cbn [snd] in Pos. unfold Z in Q. nia.
Qed.
Ltac dfold := match goal with |- context [fold_right ?f ?z ?l] => destruct (fold_right f z l) end.

Lemma if_true {A} (a b : A) : worst = true -> (if worst then a else b) = a. Proof. intros ->. reflexivity. Qed.
Lemma if_false {A} (a b : A) : worst = false -> (if worst then a else b) = b. Proof. intros ->. reflexivity. Qed.

Lemma ever_least hs t : In t hs -> ever hs <= later_of t.
Proof.
  unfold ever. intros H. assert (X : match fold_right (fun t v => lesser (Some (later_of t)) v) None hs with Some e
    => e <= later_of t | None => False end).
  { induction hs as [|u hs IH]; [destruct H|]. cbn [fold_right]. destruct H as [->|H].
    - dfold; cbn [lesser]; lia.
    - specialize (IH H). revert IH. dfold; cbn [lesser]; intros IH; [lia|destruct IH]. }
  revert X. dfold; intros X; [exact X|destruct X].
Qed.

Lemma coded_below M asked s : decides = false -> path_ends = false -> fine M asked -> fair s M asked ->
  ever (helping (map fst M) asked) * coded_total (map fst M) M <= spent s M asked.
Proof.
  intros D P [Ne [K [F Pos]]] V. set (hs := helping (map fst M) asked). unfold coded_total.
  destruct (Nat.leb_spec (branching L) 1) as [B|B]; [rewrite N.mul_0_r; apply N.le_0_l|].
  destruct (branching L) as [|k] eqn:EB; [lia|]. assert (K1 : (1 <= k)%nat) by lia.
  assert (Br : forall t, (t < List.length (tests G))%nat -> (List.length (going t) <= S k)%nat).
  { intros t Ht. exact (branches t Ht). }
  set (ps := if cliques G then _ else _). set (class := if cliques G then class_in ps else _).
  destruct (negb (cliques G) || classed ps (map fst M)) eqn:E; [|rewrite N.mul_0_r; apply N.le_0_l].
  assert (CS : forall i j, In i (map fst M) -> In j (map fst M) -> cliques G = true -> overlap G i j = true -> class
    i = class j).
  { intros i j Hi Hj Cl O. unfold class. rewrite Cl in E. rewrite Cl. cbn [negb orb] in E.
    pose proof (proj1 (forallb_forall _ _) (proj1 (forallb_forall _ _) E i Hi) j Hj) as Q. cbv beta in Q.
    rewrite (overlaps_are Cl i j (K i Hi) (K j Hj)), O in Q. cbn [negb orb] in Q. apply Nat.eqb_eq in Q. exact Q. }
  assert (HN : forall t, (t < List.length (tests G))%nat -> ~ In t asked -> mem t hs = false -> tells_nothing G worst
    t (map fst M)).
  { intros t Ht Hn. apply not_helping; assumption. }
  assert (RL : forall t, (t < List.length (tests G))%nat -> ~ In t asked -> mem t hs = true -> ever hs <= later_of t).
  { intros t _ _ Hm. apply ever_least, mem_in, Hm. }
  destruct (Bool.bool_dec worst true) as [W|W].
  - rewrite (if_true _ _ W). cbv zeta. set (n := length_of _ _ _ _).
    destruct ((n =? 0)%nat || (S k ^ (n - 1) <? List.length (classes class M))%nat) eqn:En; [|rewrite N.mul_0_r;
      apply N.le_0_l].
    apply (classes_most G worst good (all_go P) (no_decisions D) price_of later_of group_of needs_of cheaper (map fst
      M) asked
      (fun t => mem t hs) HN (ever hs) RL class CS k K1 Br K M s n W); try assumption; try reflexivity.
    apply orb_prop in En as [En|En]; [left; apply Nat.eqb_eq, En|right; apply Nat.ltb_lt, En].
  - apply not_true_is_false in W. rewrite (if_false _ _ W).
    apply (huffman_least G worst good (all_go P) (no_decisions D) price_of later_of group_of needs_of cheaper (map
      fst M) asked
      (fun t => mem t hs) HN (ever hs) RL class CS k K1 Br K M s W); try assumption; reflexivity.
Qed.

Lemma next_price_is hs asked t : In t hs -> match next_price hs asked with
  | Some p => p <= if is_open group_of t asked then later_of t else N.min (price_of t) (later_of t + opening L t)
  | None => False end.
Proof.
  unfold next_price. induction hs as [|u hs IH]; intros []; cbn [fold_right].
  - subst. dfold; cbn [lesser]; lia.
  - specialize (IH H). revert IH. dfold; cbn [lesser]; intros IH; [lia|destruct IH].
Qed.

Lemma low_true M asked : fine M asked -> at_least M asked (low M asked (helping (map fst M) asked)).
Proof.
  intros Fi s V. pose proof Fi as [Ne [K [F Pos]]]. set (hs := helping (map fst M) asked). set (x := spent s M asked).
  set (np := next_price hs asked).
  set (Z := 1 + x + finite 0 (match np with Some p => each_pays p M | None => Some 0 end)).
  pose proof (mass_1 M Ne Pos) as M1.
  assert (FH : N.min (dec Z (map fst M) M)
    (T (fun im => snd im * N.min (finite Z np + ends_by Z (fst im)) (N.max (finite Z np) (stops_by Z (fst im)))) M)
      <= x + 0 * T snd M).
  { apply (first_help G worst good price_of later_of group_of needs_of cheaper (ends_by Z) (stops_by Z)) with
      (C := map fst M) (asked0 := asked) (helpful := fun t => mem t hs) (opening := opening L) (dec := dec Z (map fst
        M)); try assumption.
    - intros d i y Hd E. unfold ends_by. destruct (decides && mem i causes) eqn:Q; [|lia]. apply andb_prop in Q as [_
      Q].
      apply mem_in in Q. pose proof (least_holds d i y Hd Q E) as B. destruct (least L i); cbn in *; [exact
        B|destruct B].
    - intros E i. unfold ends_by, decides. rewrite E. reflexivity.
    - intros t i a Ht Ci Ha Na R. unfold stops_by. destruct (mem i causes); [|lia].
      destruct (going_or_gone t a Ha) as [Q|Q]; [contradiction|]. pose proof (stops_hold t i a Ht Ci Ha Q R) as B.
      destruct (stops L i); cbn in *; [exact B|destruct B].
    - intros t Ht Hn Hm. exact (not_helping (map fst M) asked t Ht Hn Hm).
    - intros t Ht Hn Hm. apply mem_in in Hm. pose proof (next_price_is hs asked t Hm) as Q. fold np in Q.
      destruct np; [exact Q|destruct Q].
    - intros k M'. apply dec_scale.
    - intros M' E. apply dec_ends; [|exact E]. unfold known. rewrite E. exact K.
    - apply incl_refl.
    - reflexivity.
    - intros Q. apply Ne, causes_nil, Q.
    - intros u O1 O2. congruence. }
  rewrite N.mul_0_l, N.add_0_r in FH. unfold low. fold np.
  assert (Big : x < Z * T snd M) by (unfold Z; nia).
  destruct (N.le_gt_cases (dec Z (map fst M) M) x) as [Q|Q].
  { pose proof (decided_below Z M x Big Q) as R. destruct np; [apply below_lesser; left; exact R|exact R]. }
  assert (H : T (fun im => snd im * N.min (finite Z np + ends_by Z (fst im)) (N.max (finite Z np) (stops_by Z (fst
    im)))) M <= x) by lia.
  clear FH. destruct np as [p|] eqn:Enp; cbn [finite] in H.
  - apply below_lesser. right. cbv zeta.
    assert (E : below (each_pays p M) x) by (apply (pays_below p M x Z K Pos); [unfold Z; lia|unfold Z; lia|exact H]).
    destruct (decides || path_ends) eqn:O; [exact E|]. apply orb_false_elim in O as [O1 O2].
    apply below_greater; [apply below_greater; [exact E|]|].
    + cbn [below]. apply coded_below; assumption.
    + destruct ((List.length (weights G) <=? 300)%nat && (List.length M <=? 64)%nat) eqn:B; [|apply N.le_0_l].
      apply andb_prop in B as [B _]. apply Nat.leb_le in B. apply apart_below; assumption.
  - exfalso. destruct M as [|[i m] M']; [contradiction|].
    pose proof (T_in worst _ (fun im => snd im * N.min (Z + ends_by Z (fst im)) (N.max Z (stops_by Z (fst im)))) (i,
      m) ((i, m) :: M') (or_introl eq_refl)) as J.
    apply N.le_trans with (p := x) in J; [|exact H]. cbn [fst snd] in J. specialize (Pos _ (or_introl eq_refl)). cbn
      [snd] in Pos.
    assert (Q' : Z <= N.min (Z + ends_by Z i) (N.max Z (stops_by Z i))) by lia.
    assert (x < Z) by (unfold Z; lia). nia.
Qed.
(** *** What is known *)

Definition key_useful (M : masses) (asked : list nat) : list nat := useful (helping (map fst M) asked) asked.

Definition fact_true (f : fact) : Prop := forall M asked, fine M asked ->
  let U := key_useful M asked in
  is_state M U (needed U asked) (cheaper_now U asked) f = true -> at_least M asked (shown f).

Lemma same_numbers_eq a : forall b, same_numbers a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; try discriminate; [reflexivity|]. apply andb_prop in H as [H1 H2].
  apply Nat.eqb_eq in H1. f_equal; auto.
Qed.

Lemma same_masses_eq a : forall b, same_masses a b = true -> a = b.
Proof.
  induction a as [|[i m] a IH]; intros [|[j n] b] H; try discriminate; [reflexivity|]. apply andb_prop in H as [H H3].
  apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. apply N.eqb_eq in H2. cbn in *. f_equal; [congruence|auto].
Qed.

Lemma remembered M asked v deep w mem : fine M asked -> at_least M asked v -> all fact_true mem ->
  all fact_true (remember mem M (key_useful M asked) asked v deep w).
Proof.
  intros F A Q. apply all_insert; [|exact Q]. intros M' asked' F'. cbv zeta. unfold is_state.
  cbn [at_masses at_useful at_asked at_open shown]. intros H. apply andb_prop in H as [H H4]. apply andb_prop in H as
    [H H3].
  apply andb_prop in H as [H1 H2]. apply same_masses_eq in H1. apply same_numbers_eq in H2. apply same_numbers_eq in
    H3.
  apply same_numbers_eq in H4. subst M'. destruct (useful_closed (map fst M) asked) as [_ C2].
  destruct (useful_closed (map fst M) asked') as [C1' C2']. fold (key_useful M asked) in *. fold (key_useful M
    asked') in *.
  rewrite <- H2 in *. destruct F' as [Ne [K [Fi _]]].
  apply (by_history G worst good price_of later_of group_of needs_of cheaper (fun t => NoisyTheory.mem t (key_useful
    M asked)) M asked' asked v); try assumption.
  split; [|split].
  - intros u Hu I. destruct (C2 u Hu) as [X _]. contradiction.
  - intros u t Hu Ht I. destruct (C2 u Hu) as [_ Cu].
    assert (X : In t (needed (key_useful M asked) asked')).
    { apply filter_In. split; [apply in_seq; pose proof (needs_count u t Cu Ht); lia|]. rewrite (proj2 (mem_in t
      asked') I). cbn [andb].
      apply existsb_exists. exists u. split; [apply mem_in, Hu|apply mem_in, Ht]. }
    rewrite <- H3 in X. apply filter_In in X as [_ X]. apply andb_prop in X as [X _]. apply mem_in, X.
  - intros u Hu Lt O. assert (X : In u (cheaper_now (key_useful M asked) asked')).
    { apply filter_In. split; [apply mem_in, Hu|]. rewrite O, andb_true_r. apply N.ltb_lt, Lt. }
    rewrite <- H4 in X. apply filter_In in X as [_ X]. apply andb_prop in X as [_ X]. exact X.
Qed.

Lemma at_least_greater M asked a b : at_least M asked a -> at_least M asked b -> at_least M asked (greater a b).
Proof. intros A B s V. apply below_greater; [apply A, V|apply B, V]. Qed.

Lemma recall_true M asked mem deep : fine M asked -> all fact_true mem -> let U := key_useful M asked in
  at_least M asked (fst (recall mem M U (needed U asked) (cheaper_now U asked) deep)).
Proof.
  intros F Q U. unfold recall.
  assert (X : forall f, In f (Store.find (hash M U) mem) -> fact_true f) by (intros f; apply all_find, Q).
  assert (Z : at_least M asked (fst (Some 0, false) : bound)) by (intros s _; apply N.le_0_l).
  revert X Z. generalize (Some 0, false) as vw. generalize (Store.find (hash M U) mem) as fs.
  induction fs as [|f fs IH]; intros vw X Z; [exact Z|]. cbn [fold_left]. apply IH; [intros g Hg; apply X; right;
    exact Hg|].
  destruct (is_state _ _ _ _ f && _) eqn:E; [|exact Z]. apply andb_prop in E as [E _]. cbn [fst]. apply at_least_greater; [exact Z|].
  exact (X f (or_introl eq_refl) M asked F E).
Qed.

(** *** Asking *)

Lemma kid_fine t M asked k : fine M asked -> (t < count)%nat -> ~ In t asked -> In k (kids t M) -> fine (snd k) (t ::
  asked).
Proof.
  intros [Ne [K [F P]]] Ht Nt Hk. apply filter_In in Hk as [Hk E]. apply in_map_iff in Hk as [a [<- Ha]]. cbn [snd]
    in *.
  split; [|split; [|split]].
  - destruct (after t a M); [discriminate|discriminate].
  - apply known_after, K.
  - apply fits_child; assumption.
  - intros [i m'] Hi. unfold NoisyGame.after in Hi. apply in_flat_map in Hi as [[i0 m] [Hm Hi]]. cbn [fst snd] in Hi.
    destruct (N.eqb_spec (rate (cell t i0) a) 0) as [|R]; [destruct Hi|]. destruct Hi as [X|[]]. injection X as ->
      <-. cbn [snd].
    apply (left_pos G worst good (free asked) t i a m Ht); [apply K; exact (in_map fst _ _ Hm)|apply free_in; exact
      Nt| |exact (P _ Hm)|exact R].
    exact (fits_one G worst _ _ _ F Hm).
Qed.

Definition kids_true (asked : list nat) (kvs : list (kid * bound)) : Prop :=
  forall kv, In kv kvs -> at_least (snd (fst kv)) asked (snd kv).

Lemma ask_true t M asked kvs : map fst kvs = kids t M -> kids_true (t :: asked) kvs ->
  ask_at_least t M asked (plus (Some (base_price t M asked)) (joined (map snd kvs))).
Proof.
  intros E Q next F. cbn [NoisyTheory.spent]. fold (base_price t M asked).
  set (g := fun kv : kid * bound => spent (next (fst (fst kv))) (snd (fst kv)) (t :: asked)).
  assert (J : below (joined (map snd kvs)) (T g kvs)).
  { apply joined_below. intros kv Hkv. apply (Q kv Hkv). assert (Hk : In (fst kv) (kids t M)) by (rewrite <- E; apply
    in_map, Hkv).
    apply filter_In in Hk as [Hk _]. apply in_map_iff in Hk as [a [X Ha]]. rewrite <- X. exact (F a Ha). }
  assert (B : T g kvs <= T (fun a => spent (next a) (after t a M) (t :: asked)) (going t)).
  { apply (N.le_trans _ (T (fun k : kid => spent (next (fst k)) (snd k) (t :: asked)) (map fst kvs))).
    - rewrite T_map. apply N.le_refl.
    - rewrite E. unfold kids. eapply N.le_trans; [apply T_filter_le|]. rewrite T_map. apply N.le_refl. }
  destruct (joined (map snd kvs)); cbn in *; [lia|destruct J].
Qed.

Lemma join_comm a b : join a b = join b a.
Proof. destruct a, b; try reflexivity. cbn. f_equal. apply op_comm. Qed.
Lemma join_assoc a b c : join a (join b c) = join (join a b) c.
Proof. destruct a, b, c; try reflexivity. cbn. f_equal. apply op_assoc. Qed.
Lemma join_0 a : join a (Some 0) = a.
Proof. destruct a; [|reflexivity]. cbn. f_equal. apply op_0_r. Qed.

Definition look_true (look : memory -> masses -> list nat -> bound -> bound * memory) : Prop :=
  forall mem M asked want, fine M asked -> all fact_true mem ->
  at_least M asked (fst (look mem M asked want)) /\ all fact_true (snd (look mem M asked want)).

Lemma improve_true look asked base limit : look_true look -> forall todo done mem,
  (forall kv, In kv todo -> fine (snd (fst kv)) asked) -> kids_true asked todo -> all fact_true mem ->
  (exists kvs, map fst kvs = map fst todo /\ kids_true asked kvs /\
    fst (improve look asked base limit done todo mem) = plus (Some base) (join done (joined (map snd kvs)))) /\
  all fact_true (snd (improve look asked base limit done todo mem)).
Proof.
  intros LT. induction todo as [|[k v] rest IH]; intros done mem Fi Q M; cbn [improve].
  - split; [|exact M]. exists []. split; [reflexivity|]. split; [exact Q|]. cbn [fst map joined fold_right]. rewrite
    join_0. reflexivity.
  - cbv zeta. destruct (reached limit _) eqn:R.
    + split; [|exact M]. exists ((k, v) :: rest). split; [reflexivity|]. split; [exact Q|]. cbn [fst map snd joined
      fold_right].
      fold (joined (map snd rest)). f_equal. rewrite !join_assoc. f_equal. apply join_comm.
    + set (need := if worst then _ else _). destruct (LT mem (snd k) asked need (Fi (k, v) (or_introl eq_refl)) M) as
      [A B].
      set (vm := look mem (snd k) asked need) in *.
      destruct (IH (join done (greater v (fst vm))) (snd vm)) as [[kvs [E [T' X]]] Y]; [intros; apply Fi; right;
        assumption|intros kv Hkv; apply Q; right; exact Hkv|exact B|].
      split; [|exact Y]. exists ((k, greater v (fst vm)) :: kvs). split; [cbn [map fst]; rewrite E; reflexivity|].
        split.
      * intros kv [<-|Hkv]; [cbn [fst snd]; apply at_least_greater; [exact (Q (k, v) (or_introl eq_refl))|exact
        A]|exact (T' kv Hkv)].
      * rewrite X. cbn [map snd joined fold_right]. fold (joined (map snd kvs)). rewrite join_assoc. reflexivity.
Qed.

Definition weaker (a b : bound) : Prop := forall x, below b x -> below a x.

Lemma ask_weaker t M asked a b : weaker a b -> ask_at_least t M asked b -> ask_at_least t M asked a.
Proof. intros W A next F. apply W, A, F. Qed.

Lemma low_kids t M asked ks : fine M asked -> (t < count)%nat -> ~ In t asked -> incl ks (kids t M) ->
  kids_true (t :: asked) (map (with_low (t :: asked)) ks).
Proof.
  intros F Ht Nt I kv Hkv. apply in_map_iff in Hkv as [k [<- Hk]]. apply low_true. exact (kid_fine t M asked k F Ht
    Nt (I k Hk)).
Qed.

Lemma decided_ends M asked : fine M asked -> ends_at_least G worst M asked (decided M).
Proof.
  intros [Ne [K _]]. split.
  - intros N S. unfold decided, decides. rewrite N. cbn [empty negb]. rewrite (settled_is (map fst M) M eq_refl K S).
    apply N.le_refl.
  - intros d Hd A. assert (De : decides = true) by (unfold decides; destruct (decisions G); [cbn in Hd;
    lia|reflexivity]).
    unfold decided. rewrite De. assert (I : In d (seq 0 (List.length (decisions G)))) by (apply in_seq; lia).
    revert I. generalize (seq 0 (List.length (decisions G))) as ds. induction ds as [|e ds IH]; intros I; [destruct
      I|].
    cbn [fold_right]. apply below_lesser. destruct I as [->|I]; [left|right; exact (IH I)].
    fold (allowed (map fst M) d). replace (allowed (map fst M) d) with true; [apply N.le_refl|]. symmetry.
    apply forallb_forall. intros i Hi. specialize (A i Hi). destruct (loss G d i); [reflexivity|contradiction].
Qed.

Lemma may_ask_in U asked t : mem t U = true -> incl (needs_of t) asked -> may_ask U asked t = true.
Proof.
  intros H I. unfold may_ask. rewrite H. apply forallb_forall. intros u Hu. apply mem_in, I, Hu.
Qed.

Lemma insert_way_in w l x : In x (insert_way w l) <-> x = w \/ In x l.
Proof.
  induction l as [|y l IH]; cbn [insert_way]; [cbn; intuition congruence|]. destruct (reached _ _); cbn [In];
    [intuition congruence|].
  rewrite IH. tauto.
Qed.

(** What ending and all useful tests that may be asked show. *)
Lemma by_all M asked v : fine M asked -> weaker v (decided M) ->
  (forall t, In t (filter (may_ask (key_useful M asked) asked) all_tests) -> (t < count)%nat -> ~ In t asked ->
    ask_at_least t M asked v) ->
  at_least M asked v.
Proof.
  intros F W A. destruct (useful_closed (map fst M) asked) as [C1 C2]. pose proof F as [Ne [K [Fi _]]].
  apply (by_asking G worst good price_of later_of group_of needs_of cheaper (fun t => mem t (key_useful M asked)) M
    asked v C1 K Ne Fi).
  - destruct (decided_ends M asked F) as [E1 E2]. split; [intros N S; apply W, E1; assumption|intros d Hd Al; apply
    W, E2; assumption].
  - intros t Ht Hu Nt I. apply A; [|exact Ht|exact Nt]. apply filter_In. split; [apply in_seq; unfold count; lia|].
    apply may_ask_in; assumption.
Qed.

Lemma look_ahead_true deep : look_true (look_ahead deep).
Proof.
  induction deep as [|deep IH]; intros mem M asked want F Q; cbn [look_ahead]; cbv zeta.
  { split; [apply low_true, F|exact Q]. }
  destruct (_ || _); [split; [apply low_true, F|exact Q]|]. fold (key_useful M asked).
  set (U := key_useful M asked). set (vw := recall _ _ _ _ _ _).
  assert (Got : at_least M asked (greater (low M asked (helping (map fst M) asked)) (fst vw))).
  { apply at_least_greater; [apply low_true, F|apply recall_true; assumption]. }
  destruct (_ || _); [split; [exact Got|exact Q]|].
  set (ts := filter (may_ask U asked) all_tests). set (ways := fold_right _ [] ts).
  assert (Ways : forall w, In w ways -> exists t, In t ts /\ w = way_of M asked t).
  { unfold ways. generalize ts as l. induction l as [|t l IHl]; intros w Hw; [destruct Hw|]. cbn [fold_right] in Hw.
    apply insert_way_in in Hw as [->|Hw].
    - exists t. split; [left|]; reflexivity.
    - destruct (IHl w Hw) as [u [Hu E]]. exists u. split; [right; exact Hu|exact E]. }
  assert (Each : forall t, In t ts -> In (way_of M asked t) ways).
  { unfold ways. generalize ts as l. induction l as [|t l IHl]; intros u Hu; [destruct Hu|]. cbn [fold_right]. apply
    insert_way_in.
    destruct Hu as [->|Hu]; [left; reflexivity|right; exact (IHl u Hu)]. }
  assert (Ts : forall t, In t ts -> (t < count)%nat /\ ~ In t asked).
  { intros t Ht. apply filter_In in Ht as [_ Ht]. apply andb_prop in Ht as [Ht _].
    destruct (useful_closed (map fst M) asked) as [_ C2]. destruct (C2 t Ht). auto. }
  set (step := fun vm w => if reached (fst vm) (way_total w) then vm else _).
  assert (Fold : forall ws vm, (forall w, In w ws -> exists t, In t ts /\ w = way_of M asked t) -> all fact_true (snd
    vm) ->
    let r := fold_left step ws vm in all fact_true (snd r) /\ weaker (fst r) (fst vm) /\
      forall w, In w ws -> ask_at_least (by_test w) M asked (fst r)).
  { induction ws as [|w ws IHw]; intros vm Hw Mv; cbv zeta; cbn [fold_left].
    - split; [exact Mv|]. split; [intros x H; exact H|intros w []].
    - destruct (Hw w (or_introl eq_refl)) as [t [Ht Ew]]. destruct (Ts t Ht) as [T1 T2].
      assert (LK := low_kids t M asked (kids t M) F T1 T2 (incl_refl _)).
      assert (St : all fact_true (snd (step vm w)) /\ weaker (fst (step vm w)) (fst vm) /\ ask_at_least (by_test w) M
        asked (fst (step vm w))).
      { unfold step. rewrite Ew. cbn [by_test way_base way_kids way_total way_of]. destruct (reached _ _) eqn:R.
        - split; [exact Mv|]. split; [intros x H; exact H|].
          apply (ask_weaker t M asked _ (plus (Some (base_price t M asked)) (joined (map snd (map (with_low (t ::
            asked)) (kids t M)))))).
          + intros x. apply reached_below, R.
          + apply ask_true; [rewrite map_map; unfold with_low; cbn [fst]; apply map_id|exact LK].
        - destruct (improve_true (look_ahead deep) (t :: asked) (base_price t M asked) (fst vm) IH (map (with_low (t
          :: asked)) (kids t M)) (Some 0) (snd vm)) as [[kvs [E [KT X]]] Y]; try assumption.
          { intros kv Hkv. apply in_map_iff in Hkv as [k [<- Hk]]. exact (kid_fine t M asked k F T1 T2 Hk). }
          cbn [fst snd]. split; [exact Y|]. split; [intros x H; apply below_lesser; left; exact H|].
          apply (ask_weaker t M asked _ (fst (improve (look_ahead deep) (t :: asked) (base_price t M asked) (fst vm)
            (Some 0) (map (with_low (t :: asked)) (kids t M)) (snd vm)))).
          { intros x H. apply below_lesser. right. exact H. }
          rewrite X. rewrite join_comm, join_0. apply (ask_true t M asked kvs); [|exact KT].
          etransitivity; [exact E|]. rewrite map_map. unfold with_low. cbn [fst]. apply map_id. }
      destruct St as [S1 [S2 S3]]. destruct (IHw (step vm w) (fun w' Hw' => Hw w' (or_intror Hw')) S1) as [R1 [R2
        R3]].
      split; [exact R1|]. split; [intros x H; apply R2, S2, H|]. intros w' [<-|Hw'].
      + exact (ask_weaker _ M asked _ _ R2 S3).
      + exact (R3 w' Hw'). }
  destruct (Fold ways (lesser want (decided M), mem) Ways Q) as [R1 [R2 R3]]. set (vm := fold_left step ways _) in *.
    cbn [fst snd] in *.
  assert (V : at_least M asked (fst vm)).
  { apply by_all; [exact F| |].
    - intros x H. apply R2. apply below_lesser. right. exact H.
    - intros t Ht _ _. exact (R3 (way_of M asked t) (Each t Ht)). }
  assert (Fo : at_least M asked (greater (greater (low M asked (helping (map fst M) asked)) (fst vw)) (fst vm))) by
    (apply at_least_greater; assumption).
  split; [exact Fo|]. apply remembered; assumption.
Qed.

(** *** N6 *)

Lemma passes_true deep M asked b t mem : fine M asked -> (t < count)%nat -> ~ In t asked -> all fact_true mem ->
  (fst (passes deep M asked b t mem) = true -> ask_at_least t M asked b) /\ all fact_true (snd (passes deep M asked b
    t mem)).
Proof.
  intros F Ht Nt Q. unfold passes. cbv zeta. cbn [fst snd].
  destruct (improve_true (look_ahead deep) (t :: asked) (base_price t M asked) b (look_ahead_true deep)
    (map (with_known mem (t :: asked)) (kids t M)) (Some 0) mem) as [[kvs [E [KT X]]] Y]; [| |exact Q|].
  - intros kv Hkv. apply in_map_iff in Hkv as [k [<- Hk]]. exact (kid_fine t M asked k F Ht Nt Hk).
  - intros kv Hkv. apply in_map_iff in Hkv as [k [<- Hk]]. cbn [fst snd with_known]. pose proof (kid_fine t M asked k
    F Ht Nt Hk) as Fk.
    apply at_least_greater; [apply low_true, Fk|]. fold (key_useful (snd k) (t :: asked)). apply recall_true;
      assumption.
  - split; [|exact Y]. intros R. eapply ask_weaker; [intros x; apply reached_below, R|]. rewrite X, join_comm, join_0.
    apply (ask_true t M asked kvs); [|exact KT]. etransitivity; [exact E|]. rewrite map_map. unfold with_known. cbn
      [fst]. apply map_id.
Qed.

Lemma all_pass_true deep M asked b ts : fine M asked -> (forall t, In t ts -> (t < count)%nat /\ ~ In t asked) ->
  forall mem, all fact_true mem ->
  (fst (all_pass deep M asked b ts mem) = true -> forall t, In t ts -> ask_at_least t M asked b) /\
  all fact_true (snd (all_pass deep M asked b ts mem)).
Proof.
  intros F. induction ts as [|t ts IH]; intros H mem Q; cbn [all_pass]; [split; [intros _ t []|exact Q]|].
  destruct (H t (or_introl eq_refl)) as [Ht Nt]. destruct (passes_true deep M asked b t mem F Ht Nt Q) as [A B]. cbv
    zeta.
  destruct (fst (passes _ _ _ _ _ _)) eqn:E; [|split; [intros X; rewrite E in X; discriminate|exact B]].
  destruct (IH (fun u Hu => H u (or_intror Hu)) _ B) as [C D]. split; [|exact D]. intros X u [<-|Hu]; [exact (A
    eq_refl)|exact (C X u Hu)].
Qed.

Lemma accepts_true deep M asked b mem : fine M asked -> all fact_true mem ->
  (fst (accepts deep M asked b mem) = true -> at_least M asked b) /\ all fact_true (snd (accepts deep M asked b mem)).
Proof.
  intros F Q. unfold accepts. cbv zeta. fold (key_useful M asked). set (U := key_useful M asked). cbn [fst snd].
  set (got := greater _ _). set (ts := filter (may_ask U asked) all_tests).
  assert (Got : at_least M asked got).
  { apply at_least_greater; [apply low_true, F|apply recall_true; assumption]. }
  assert (Ts : forall t, In t ts -> (t < count)%nat /\ ~ In t asked).
  { intros t Ht. apply filter_In in Ht as [_ Ht]. apply andb_prop in Ht as [Ht _].
    destruct (useful_closed (map fst M) asked) as [_ C2]. destruct (C2 t Ht). auto. }
  assert (X : forall pm : bool * memory, (fst pm = true -> at_least M asked b) -> all fact_true (snd pm) ->
    (fst pm = true -> at_least M asked b) /\ all fact_true (if fst pm then remember (snd pm) M U asked b 0 false else
      snd pm)).
  { intros pm A B. split; [exact A|]. destruct (fst pm) eqn:E; [|exact B]. apply remembered; [exact F|exact (A
    eq_refl)|exact B]. }
  apply X.
  - destruct (reached b got) eqn:R; [intros _; apply (at_least_le G worst price_of later_of group_of needs_of M asked
    got b); [intros x; apply reached_below, R|exact Got]|].
    destruct (reached b (decided M)) eqn:D; [|discriminate]. intros E. apply by_all; [exact F|intros x; apply
      reached_below, D|].
    intros t Ht _ _. exact (proj1 (all_pass_true deep M asked b ts F Ts mem Q) E t Ht).
  - destruct (reached b got); [exact Q|]. destruct (reached b (decided M)); [|exact Q]. apply (all_pass_true deep M
    asked b ts F Ts mem Q).
Qed.

End Checker.
