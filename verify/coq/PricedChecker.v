(** The checker of claims about sets of secrets that pay, and why what it accepts is true. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted Ascii String.
From Proof Require Import Text Store Orbits PricedTheory PricedAsking PricedRenamings.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.
Local Arguments Nat.ltb : simpl never.
Local Arguments Nat.leb : simpl never.

(** What is known: that a set costs at least a bound where each may pay so much. *)
Record fact := { set_of : list nat; left_of : bound; value_of : bound; whole : bool }.

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

Definition same_bound (a b : bound) : bool :=
  match a, b with None, None => true | Some x, Some y => x =? y | _, _ => false end.

Lemma same_bound_eq a b : same_bound a b = true -> a = b.
Proof. destruct a, b; cbn; try discriminate; [|reflexivity]. intros H. apply Nat.eqb_eq in H. congruence. Qed.

Definition reached (need v : bound) : bool :=
  match need, v with _, None => true | None, Some _ => false | Some x, Some y => x <=? y end.

Lemma reached_le need v : reached need v = true -> le need v.
Proof. destruct need, v; cbn; try discriminate; try tauto. apply Nat.leb_le. Qed.

(** Sums stop at a number that no true cost reaches, so that they fit into a machine integer. *)
Definition most_sum : nat := Nat.pow 10 18.

Definition add (a b : bound) : bound :=
  match a, b with Some x, Some y => Some (min (x + y) most_sum) | _, _ => None end.

Lemma add_le a b : le (add a b) (plus a b).
Proof. destruct a, b; cbn -[most_sum Nat.min]; try exact I. apply Nat.le_min_l. Qed.

Definition add_all {A} (f : A -> bound) (l : list A) : bound := fold_right (fun x v => add (f x) v) (Some 0) l.

Lemma add_all_le {A} (f : A -> bound) l : le (add_all f l) (total f l).
Proof.
  induction l as [|x l IH]; [apply le_refl|]. unfold add_all in *. cbn [fold_right].
  apply (le_trans _ _ _ (add_le _ _)). apply plus_le; [apply le_refl|exact IH].
Qed.

Definition wide : nat := Nat.pow 2 20.

Definition hash (S : list nat) : nat := fold_left (fun h x => Nat.modulo (31 * h + x + 1) wide) S 0.

Section Checker.

Variable win : bool.
Variable candidates : bool.               (* only they may be asked *)
Variable weight : nat -> nat.
Variable everything : list nat.
Variable rate : nat.
Variable penalty : bound.
Variable numbered : list (nat * row).  (* the guesses that tell something, or win, with numbers *)
Variable rows : list row.              (* the same without *)
Variable pay ending : nat -> bound.
Variable unit : nat.
Variable frees : list row.             (* guesses that cost nothing with some response *)
Variable huffman : list nat -> nat -> nat.
Variable chain : bound -> list nat -> bound.

Notation won := (won win).
Notation lost := (lost rate penalty).
Notation per := (per rate penalty).
Notation heft := (heft weight).
Notation askable := (askable win candidates rows).
Notation asks := (asks win candidates).

(** ** Parts *)

Definition alike (c d : cell) : bool := (key c =? key d) && (price c =? price d).

Fixpoint grouped (fuel : nat) (ts : list (cell * nat)) : list (cell * list nat) :=
  match fuel, ts with
  | S fuel, t :: _ =>
      let (here, rest) := partition (fun u => alike (fst t) (fst u)) ts in
      (fst t, map snd here) :: grouped fuel rest
  | _, _ => []
  end.

Definition group (r : row) (S : list nat) : list (cell * list nat) :=
  grouped (List.length S) (map (fun s => (look r s, s)) S).

(** A guess that costs the set nothing and tells it apart (P2). *)
Definition free_for (S : list nat) : option row :=
  List.find (fun r => forallb (fun s => price (look r s) =? 0) S && tells r S) frees.

Definition alone (l : bound) (s : nat) : bound := if win then times (weight s) (per (ending s) l) else Some 0.

Definition gather {A} (l : list (bound * list A)) : bound * list A := (add_all fst l, List.concat (map snd l)).

(** What is left when all that is free is asked, and what the others cost. *)
Fixpoint opened (fuel : nat) (l : bound) (S : list nat) : bound * list (list nat) :=
  match S with
  | [] => (Some 0, [])
  | [s] => (alone l s, [])
  | _ =>
      match fuel, free_for S with
      | Datatypes.S fuel, Some r =>
          gather (map (fun g => if won (fst g) then (Some 0, []) else opened fuel l (snd g)) (group r S))
      | _, _ => (Some 0, [S])
      end
  end.

(** What a guess costs, and the sets that it leaves open, with what they may pay. *)
Definition asked (r : row) (l : bound) (S : list nat) : bound * list (list nat * bound) :=
  gather (map (fun g =>
    let c := fst g in
    let U := snd g in
    if won c then (times (heft U) (per (Some (price c)) l), [])
    else if over (Some (price c)) l then (times (heft U) (lost l), [])
    else
      let l' := after l (price c) in
      let vs := opened (List.length U) l' U in
      (add (times (heft U) (Some (rate * price c))) (fst vs), map (fun V => (V, l')) (snd vs)))
    (group r S)).

Definition opened_or_asked (r : option row) (l : bound) (S : list nat) : bound * list (list nat * bound) :=
  match r with
  | Some r => asked r l S
  | None => let vs := opened (List.length S) l S in (fst vs, map (fun V => (V, l)) (snd vs))
  end.

(** ** Bounds of a set *)

Fixpoint seen (r : row) (S : list nat) (keys : list nat) : list nat :=
  match S with
  | [] => keys
  | s :: rest =>
      let c := look r s in
      seen r rest (if won c || existsb (Nat.eqb (key c)) keys then keys else key c :: keys)
  end.

(** The most parts that a guess leaves, but the one that it wins. *)
Definition branches (S : list nat) : nat :=
  if unit =? 0 then 1 else fold_left (fun m r => max m (List.length (seen r S []))) (askable S) 1.

Definition counting (l : bound) (S : list nat) (K : nat) : bound :=
  let base := by_secret win weight rate penalty pay ending l S in
  if unit =? 0 then base
  else if win then greater base (by_levels weight rate penalty unit l S K)
  else if K <=? 1 then None
  else greater base
    (match l with
     | Some m =>
         match by_reach weight rate penalty unit m S K, penalty with
         | Some 0, None => Some (rate * unit * huffman S K)
         | v, _ => v
         end
     | None => match penalty with None => Some (rate * unit * huffman S K) | Some _ => Some 0 end
     end).

(** ** Memory *)

Definition known (proved : memory) (S : list nat) (l : bound) : bound :=
  fold_left (fun v f =>
    if same_set (set_of f) S &&
       (same_bound (left_of f) l ||
        match penalty, left_of f with
        | None, _ => reached l (left_of f)
        | Some _, Some _ => (rate =? 0) && reached l (left_of f)
        | Some _, None => false
        end)
    then greater v (value_of f) else v)
    (Store.find (hash S) proved) (Some 0).

Definition remember (key : nat) (S : list nat) (l v : bound) (w : bool) (mem : memory) : memory :=
  insert key {| set_of := S; left_of := l; value_of := v; whole := w |} mem.

Definition left_key (S : list nat) (l : bound) : nat := match l with Some m => Nat.modulo (hash S + m) wide | None =>
  hash S end.

(** What was found by looking ahead, if that is all there is to find, or enough. *)
Definition recall (looked : memory) (S : list nat) (l need : bound) : option bound :=
  match List.find (fun f => same_set (set_of f) S && same_bound (left_of f) l) (Store.find (left_key S l) looked) with
  | Some f => if whole f || reached need (value_of f) then Some (value_of f) else None
  | None => None
  end.

(** ** One step ahead; small sets to the end (P6) *)

Definition part : Type := list nat * bound.

(** Parts are looked into as long as the sum is too small. *)
Fixpoint improve (deeper : memory -> list nat -> bound -> bound -> bound * memory) (need sum : bound)
    (todo : list (part * bound)) (mem : memory) : bound * memory :=
  let all := add sum (add_all snd todo) in
  if reached need all then (all, mem) else
  match todo with
  | [] => (sum, mem)
  | (p, v) :: todo =>
      let rest := add sum (add_all snd todo) in
      let bm := deeper mem (fst p) (snd p) (minus need rest) in
      improve deeper need (add sum (greater v (fst bm))) todo (snd bm)
  end.

Definition small (p : part) : bool := List.length (fst p) <=? 10.

Definition asking (deeper : memory -> list nat -> bound -> bound -> bound * memory) (proved : option memory) (K : nat)
    (l : bound) (S : list nat) (need : bound) (r : option row) (mem : memory) : bound * memory :=
  let vs := opened_or_asked r l S in
  let bounded := map (fun p : part =>
    let v := counting (snd p) (fst p) K in
    (p, match proved with None => v | Some proved => greater v (known proved (fst p) (snd p)) end)) (snd vs) in
  let few := filter (fun pv => small (fst pv)) bounded in
  let more := filter (fun pv => negb (small (fst pv))) bounded in
  match proved with
  | Some _ => improve deeper need (fst vs) (few ++ more) mem
  | None => improve deeper need (add (fst vs) (add_all snd more)) few mem
  end.

(** The least over guesses, as far as it matters. *)
Fixpoint best (ask : bound -> row -> memory -> bound * memory) (S : list nat) (floor least : bound) (rs : list row)
    (mem : memory) : bound * memory :=
  match rs with
  | [] => (least, mem)
  | r :: rs =>
      if reached least floor then (least, mem)
      else if asks r S then
        let vm := ask least r mem in best ask S floor (lesser least (fst vm)) rs (snd vm)
      else best ask S floor least rs mem
  end.

Fixpoint ahead (fuel : nat) (mem : memory) (S : list nat) (l need : bound) : bound * memory :=
  match fuel, recall mem S l need with
  | 0, _ => (Some 0, mem)
  | _, Some v => (v, mem)
  | Datatypes.S fuel, None =>
      let K := branches S in
      let floor := greater (counting l S K) (chain l S) in
      let vm := best (fun need r => asking (ahead fuel) None K l S need (Some r)) S floor need rows mem in
      let v := greater (fst vm) floor in
      (v, remember (left_key S l) S l v (negb (reached need (fst vm))) (snd vm))
  end.

Definition deeper (mem : memory) (S : list nat) (l need : bound) : bound * memory :=
  ahead (List.length S) mem S l need.

(** ** Claims *)

Definition pass (proved : memory) (K : nat) (l : bound) (S : list nat) (b : bound) (r : option row) (mem : memory) :
  bool * memory :=
  let vm := asking deeper (Some proved) K l S b r mem in (reached b (fst vm), snd vm).

(** The guesses that renamings make equal, how many pairs, and those that lemmas name. *)
Record orbits := { to : arrows; many : nat; named : store nat }.

Definition no_orbits : orbits := {| to := Nil; many := 0; named := Nil |}.

(** Those that pass, by themselves or by their orbits; without renamings no further than to one that does not. *)
Fixpoint some_pass (proved : memory) (K : nat) (l : bound) (S : list nat) (b : bound) (o : orbits)
    (grs : list (nat * row)) (passed : store nat) (mem : memory) : store nat * memory :=
  match grs with
  | [] => (passed, mem)
  | (g, r) :: grs =>
      if passed_in g passed || negb (asks r S) then some_pass proved K l S b o grs passed mem
      else
        let pm := pass proved K l S b (Some r) mem in
        if fst pm then some_pass proved K l S b o grs (pass_with (many o) (to o) g passed) (snd pm)
        else if many o =? 0 then (passed, snd pm)
        else some_pass proved K l S b o grs passed (snd pm)
  end.

(** Whether one guess of each orbit passes (P9); those that lemmas name go first. *)
Definition orbits_pass (proved : memory) (K : nat) (l : bound) (S : list nat) (b : bound) (o : orbits)
    (mem : memory) : bool * memory :=
  let is_named gr := passed_in (fst gr) (named o) in
  let (first, others) := partition is_named numbered in
  let pm := some_pass proved K l S b o (first ++ others) Nil mem in
  (forallb (fun gr => passed_in (fst gr) (fst pm) || negb (asks (snd gr) S)) numbered, snd pm).

(** Whether the claim is shown; [only]: the guess that is prescribed. *)
Definition judge (only : option row) (o : orbits) (proved mem : memory) (S : list nat) (l b : bound) : bool * memory
  :=
  if reached b (known proved S l) then (true, mem)
  else
    let K := branches S in
    match only, S with
    | _, [] => (false, mem)
    | Some r, [_] => pass proved K l S b (if win then Some r else None) mem
    | Some r, _ => pass proved K l S b (Some r) mem
    | None, [_] => pass proved K l S b None mem
    | None, _ =>
        match free_for S with
        | Some _ => pass proved K l S b None mem
        | None =>
            if reached b (counting l S K) || reached b (chain l S) then (true, mem)
            else orbits_pass proved K l S b o mem
        end
    end.

(** ** Why it is true *)

Hypothesis rows_are : rows = map snd numbered.
Hypothesis numbers_once : forall g r r', In (g, r) numbered -> In (g, r') numbered -> r = r'.
Hypothesis everything_once : NoDup everything.
Hypothesis heavy_first : StronglySorted (fun x y => weight y <= weight x) everything.
Hypothesis one_win : wins_once win everything rows.
Hypothesis pay_least : forall r s, In r rows -> In s everything -> won (look r s) = false -> le (pay s) (Some (price
  (look r s))).
Hypothesis ending_least : forall r s, In r rows -> In s everything -> won (look r s) = true -> le (ending s) (Some
  (price (look r s))).
Hypothesis ending_zero : win = false -> forall s, In s everything -> ending s = Some 0.
Hypothesis unit_least : forall r s, In r rows -> In s everything -> unit <= price (look r s).

Notation ok := (ok everything).
Notation permitted := (permitted win candidates rows).
Notation solves := (solves win).
Notation cost := (cost win weight rate penalty).
Notation each := (each win weight rate penalty).
Notation lb := (lb win candidates rows weight rate penalty).
Notation ask_lb := (ask_lb win candidates rows weight rate penalty).
Notation fits K S := (fits win (askable S) K S).

Hypothesis chain_true : forall l S, ok S -> 2 <= List.length S -> lb l S (chain l S).
Hypothesis huffman_true : forall l S K, penalty = None -> win = false -> 1 <= unit -> 2 <= K -> ok S -> 2 <=
  List.length S -> fits K S ->
  lb l S (Some (rate * unit * huffman S K)).

Lemma partition_is {A} (f : A -> bool) l : partition f l = (filter f l, filter (fun x => negb (f x)) l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [partition filter]. rewrite IH. destruct (f x); reflexivity. Qed.

Lemma grouped_true (f : nat -> bound) r : forall fuel S, ok S ->
  let gs := grouped fuel (map (fun s => (look r s, s)) S) in
  le (total (fun g => total f (snd g)) gs) (total f S) /\
  forall g, In g gs -> ok (snd g) /\ incl (snd g) S /\
    (forall s, In s (snd g) -> key (look r s) = key (fst g) /\ price (look r s) = price (fst g)) /\
    (exists x, In x S /\ fst g = look r x) /\
    forall s, In s S -> alike (fst g) (look r s) = true -> In s (snd g).
Proof.
  induction fuel as [|fuel IH]; intros S O; [split; [apply le_0|intros g []]|]. destruct S as [|x S]; [split; [apply
    le_0|intros g []]|].
  set (T := x :: S) in *. cbv zeta.
  assert (E : grouped (Datatypes.S fuel) (map (fun s => (look r s, s)) T) =
    (look r x, filter (fun s => alike (look r x) (look r s)) T) ::
    grouped fuel (map (fun s => (look r s, s)) (filter (fun s => negb (alike (look r x) (look r s))) T))).
  { assert (Q : forall q : cell -> bool, forall l, filter (fun u => q (fst u)) (map (fun s => (look r s, s)) l)
      = map (fun s => (look r s, s)) (filter (fun s => q (look r s)) l)).
    { intros q l. induction l as [|y l IHl]; [reflexivity|]. cbn [map filter fst]. destruct (q (look r y)); cbn
      [map]; rewrite IHl; reflexivity. }
    cbn [grouped]. change (map (fun s => (look r s, s)) T) with ((look r x, x) :: map (fun s => (look r s, s)) S) at
      1.
    cbn [grouped fst]. rewrite (partition_is (fun u => alike (look r x) (fst u))).
    rewrite (Q (alike (look r x))), (Q (fun c => negb (alike (look r x) c))). rewrite map_map. cbn [snd]. rewrite
      map_id. reflexivity. }
  rewrite E. clear E. set (q := fun s => alike (look r x) (look r s)). destruct (IH (filter (fun s => negb (q s)) T))
    as [A B]; [apply ok_filter, O|].
  split.
  - rewrite total_cons. rewrite (total_split f q T). apply plus_le; [apply le_refl|exact A].
  - intros g [<-|Hg].
    + cbn [fst snd]. split; [apply ok_filter, O|]. split; [intros s Hs; apply filter_In in Hs; apply Hs|]. split.
      { intros s Hs. apply filter_In in Hs as [_ Hs]. unfold q, alike in Hs. apply andb_prop in Hs as [H1 H2].
        apply Nat.eqb_eq in H1, H2. auto. }
      split; [exists x; split; [left; reflexivity|reflexivity]|]. intros s Hs A'. apply filter_In. auto.
    + destruct (B g Hg) as [B1 [B2 [B3 [[y [Hy B4]] B5]]]]. apply filter_In in Hy as [Hy Q]. split; [exact B1|].
      split; [intros s Hs; apply B2 in Hs; apply filter_In in Hs; apply Hs|]. split; [exact B3|].
      split; [exists y; auto|]. intros s Hs A'. apply B5; [|exact A']. apply filter_In. split; [exact Hs|].
      destruct (q s) eqn:Qs; [|reflexivity]. exfalso. unfold q, alike in Q, Qs, A'. rewrite B4 in A'.
      apply andb_prop in A' as [A1 A2], Qs as [Q1 Q2]. apply Nat.eqb_eq in A1, A2, Q1, Q2.
      rewrite A1, A2, Q1, Q2, !Nat.eqb_refl in Q. discriminate.
Qed.

Lemma gather_le {A} (gs : list (bound * list A)) (f : A -> bound) (h : bound * list A -> bound) :
  (forall g, In g gs -> le (plus (fst g) (total f (snd g))) (h g)) ->
  le (plus (fst (gather gs)) (total f (snd (gather gs)))) (total h gs).
Proof.
  intros H. unfold gather. cbn [fst snd]. apply (le_trans _ (plus (total fst gs) (total f (List.concat (map snd
    gs))))).
  - apply plus_le; [apply add_all_le|apply le_refl].
  - rewrite total_concat, total_map, <- total_plus. apply total_le. exact H.
Qed.

Lemma group_open r S g : ok S -> In g (group r S) -> ok (snd g) /\ incl (snd g) S.
Proof.
  intros O Hg. destruct (grouped_true (fun _ => Some 0) r (List.length S) S O) as [_ B]. destruct (B g Hg) as [B1 [B2
    _]]. auto.
Qed.

Lemma opened_open l : forall fuel S V, ok S -> In V (snd (opened fuel l S)) -> ok V /\ incl V S /\ 2 <= List.length V.
Proof.
  assert (Stay : forall S V, ok S -> 2 <= List.length S -> In V [S] -> ok V /\ incl V S /\ 2 <= List.length V).
  { intros S V O N [<-|[]]. split; [exact O|split; [apply incl_refl|exact N]]. }
  induction fuel as [|fuel IH]; intros S V O; destruct S as [|x [|y S]].
  1, 2, 4, 5: intros [].
  1: apply Stay; [exact O|cbn; lia].
  cbn [opened]. set (T := x :: y :: S) in *. destruct (free_for T) as [r|]; [|apply Stay; [exact O|cbn; lia]].
  intros HV. unfold gather in HV. cbn [snd] in HV. apply in_concat in HV as [Vs [H1 H2]].
  apply in_map_iff in H1 as [vs [<- H1]]. apply in_map_iff in H1 as [g [<- H1]]. destruct (group_open r T g O H1) as
    [G1 G2].
  destruct (won (fst g)); [destruct H2|]. destruct (IH (snd g) V G1 H2) as [V1 [V2 V3]].
  split; [exact V1|]. split; [intros s Hs; apply G2, V2, Hs|exact V3].
Qed.

(** Candidates only, nothing is asked because it is free. *)
Hypothesis frees_none : candidates = true -> frees = [].

(** What may be asked of a set may be asked of what is left of it. *)
Lemma opened_permitted t l fuel S V : permitted t S -> In V (snd (opened fuel l S)) -> permitted t V.
Proof.
  intros Lt HV. destruct (bool_dec candidates true) as [C|C].
  - assert (F : forall T, free_for T = None) by (intros T; unfold free_for; rewrite (frees_none C); reflexivity).
    destruct fuel as [|fuel]; destruct S as [|x [|y S]]; cbn [opened] in HV; rewrite ?F in HV;
      try destruct HV as [<-|[]]; try exact Lt; destruct HV.
  - apply not_true_is_false in C. exact (permitted_any win candidates rows t C S V Lt).
Qed.

Lemma opened_true t l : legal rows t -> forall fuel S, ok S -> solves t S ->
  let vs := opened fuel l S in le (plus (fst vs) (total (cost t l) (snd vs))) (cost t l S).
Proof.
  intros Lt.
  assert (One : forall x, ok [x] -> solves t [x] -> le (plus (alone l x) (Some 0)) (cost t l [x])).
  { intros x O Ht. unfold PricedTheory.cost, alone. rewrite total_cons, plus_0. cbn [total fold_right]. rewrite
    plus_0.
    destruct (Bool.bool_dec win true) as [W|W]; [rewrite W|apply not_true_is_false in W; rewrite W; apply le_0].
    rewrite <- W. apply times_le, per_mono.
    apply (pays_ending win everything rows ending ending_least ending_zero); [exact Lt|..].
    - apply (ok_in everything _ _ O). left; reflexivity.
    - apply Ht. left; reflexivity. }
  assert (Stay : forall S, le (plus (Some 0) (total (cost t l) [S])) (cost t l S)).
  { intros S. rewrite total_cons, plus_0'. cbn [total fold_right]. rewrite plus_0. apply le_refl. }
  induction fuel as [|fuel IH]; intros S O Ht; cbv zeta; destruct S as [|x [|y S]].
  1, 4: apply le_0.
  1, 3: apply One; assumption.
  1: apply Stay.
  cbn [opened]. set (T := x :: y :: S) in *. destruct (free_for T) as [r|]; [|apply Stay].
  destruct (grouped_true (each t l) r (List.length T) T O) as [A _]. fold (group r T) in A.
  eapply le_trans; [|exact A]. eapply le_trans.
  - apply (gather_le _ _ (fun vs => plus (fst vs) (total (cost t l) (snd vs)))). intros; apply le_refl.
  - rewrite total_map. apply total_le. intros g Hg. destruct (group_open r T g O Hg) as [G1 G2].
    destruct (won (fst g)); [apply le_0|]. apply IH; [exact G1|exact (solves_incl win t _ _ G2 Ht)].
Qed.

Definition open_part (S : list nat) (p : part) : Prop := ok (fst p) /\ incl (fst p) S /\ 2 <= List.length (fst p).

Lemma asked_open r l S p : ok S -> In p (snd (asked r l S)) -> open_part S p.
Proof.
  intros O Hp. unfold asked, gather in Hp. cbn [snd] in Hp. apply in_concat in Hp as [ps [H1 H2]].
  apply in_map_iff in H1 as [vs [<- H1]]. apply in_map_iff in H1 as [g [<- H1]]. destruct (group_open r S g O H1) as
    [G1 G2].
  cbv zeta in H2. destruct (won (fst g)); [destruct H2|]. destruct (over _ l); [destruct H2|]. cbn [snd] in H2.
  apply in_map_iff in H2 as [V [<- HV]]. destruct (opened_open _ _ _ _ G1 HV) as [V1 [V2 V3]].
  split; [exact V1|]. split; [intros s Hs; apply G2, V2, Hs|exact V3].
Qed.

(** What a part costs when the guess is asked, whatever it is. *)
Definition below (next : nat -> tree) (r : row) (p : part) : bound := cost (next (key (look r (hd 0 (fst p))))) (snd
  p) (fst p).

(** What a guess costs depends on the response. *)
Definition priced_once (r : row) : Prop := forall x y, In x everything -> In y everything ->
  key (look r x) = key (look r y) -> price (look r x) = price (look r y).

Lemma asked_true r next l S : ok S -> (candidates = true -> priced_once r) -> (forall k, permitted (next k) (leaves
  win r k S)) ->
  solves (Node r next) S ->
  let vs := asked r l S in
  (forall p, In p (snd vs) -> forall b, lb (snd p) (fst p) b -> le b (below next r p)) /\
  le (plus (fst vs) (total (below next r) (snd vs))) (cost (Node r next) l S).
Proof.
  intros O Once Ln Ht. cbv zeta.
  destruct (grouped_true (each (Node r next) l) r (List.length S) S O) as [A B]. fold (group r S) in A, B.
  unfold asked. set (F := fun g : cell * list nat => _). set (gs := map F (group r S)).
  assert (G : forall g, In g (group r S) ->
    (forall p, In p (snd (F g)) -> forall b, lb (snd p) (fst p) b -> le b (below next r p)) /\
    le (plus (fst (F g)) (total (below next r) (snd (F g)))) (total (each (Node r next) l) (snd g))).
  { intros [c U] Hg. destruct (B _ Hg) as [B1 [B2 [B3 [[x0 [Hx0 Ec]] B4]]]]. cbn [fst snd] in *. unfold F. cbn [fst
    snd].
    cbv zeta.
    assert (W : forall s, In s U -> won (look r s) = won c) by (intros s Hs; unfold PricedTheory.won; rewrite (proj1
      (B3 s Hs)); reflexivity).
    assert (E : forall s, In s U -> each (Node r next) l s =
      if won c then times (weight s) (per (Some (price c)) l)
      else if over (Some (price c)) l then times (weight s) (lost l)
      else plus (times (weight s) (Some (rate * price c))) (each (next (key c)) (after l (price c)) s)).
    { intros s Hs. rewrite each_node. cbv zeta. rewrite (W s Hs). destruct (B3 s Hs) as [-> ->]. reflexivity. }
    rewrite (total_eq _ _ U E). destruct (won c) eqn:Wc.
    { split; [intros p []|]. cbn [fst snd total fold_right]. rewrite plus_0, total_times. apply le_refl. }
    destruct (over (Some (price c)) l).
    { split; [intros p []|]. cbn [fst snd total fold_right]. rewrite plus_0, total_times. apply le_refl. }
    rewrite total_plus, total_times. cbn [fst snd].
    assert (Hn : solves (next (key c)) U).
    { apply (solves_next win r next S U (key c) Ht B2). intros s Hs. split; [apply (B3 s Hs)|rewrite (W s Hs);
      reflexivity]. }
    assert (Lu : permitted (next (key c)) U).
    { destruct (bool_dec candidates true) as [C|C];
        [|apply not_true_is_false in C; exact (permitted_any win candidates rows _ C _ U (Ln _))].
      apply (permitted_same win candidates rows _ (leaves win r (key c) S)); [|apply Ln]. intros s. rewrite
        in_leaves. split.
      - intros [Hs [Ks _]]. apply B4; [exact Hs|]. unfold alike. rewrite Ks, Nat.eqb_refl. apply Nat.eqb_eq.
        rewrite Ec in Ks |- *. apply (Once C); [exact (ok_in everything _ _ O Hx0)|exact (ok_in everything _ _ O
          Hs)|].
        symmetry. exact Ks.
      - intros Hs. split; [exact (B2 s Hs)|]. split; [apply (B3 s Hs)|rewrite (W s Hs); reflexivity]. }
    pose proof (opened_true (next (key c)) (after l (price c)) (permitted_rows win candidates rows _ _ Lu)
      (List.length U) U B1
      Hn) as P2.
    pose proof (fun V => opened_open (after l (price c)) (List.length U) U V B1) as P1. cbv zeta in P2.
    set (vs := opened _ _ U) in *.
    assert (K : forall V, In V (snd vs) -> below next r (V, after l (price c)) = cost (next (key c)) (after l (price
      c)) V).
    { intros V HV. unfold below. cbn [fst snd]. destruct (P1 V HV) as [_ [V2 V3]]. destruct V as [|x V]; [cbn in V3;
      lia|].
      cbn [hd]. destruct (B3 x (V2 x (or_introl eq_refl))) as [-> _]. reflexivity. }
    split.
    - intros p Hp b Hb. apply in_map_iff in Hp as [V [<- HV]]. destruct (P1 V HV) as [V1 [V2 V3]].
      rewrite (K V HV). apply Hb; [exact (opened_permitted _ _ _ _ _ Lu HV)|]. exact (solves_incl win _ _ _ V2 Hn).
    - rewrite total_map. rewrite (total_eq _ _ _ K). eapply le_trans; [apply plus_le; [apply add_le|apply le_refl]|].
      rewrite <- plus_assoc. apply plus_le; [apply le_refl|]. exact P2. }
  split.
  - intros p Hp. unfold gather in Hp. cbn [snd] in Hp. apply in_concat in Hp as [ps [H1 H2]].
    apply in_map_iff in H1 as [vs [<- H1]]. apply in_map_iff in H1 as [g [<- H1]]. exact (proj1 (G g H1) p H2).
  - eapply le_trans; [|exact A]. eapply le_trans.
    + apply (gather_le gs (below next r) (fun vs => plus (fst vs) (total (below next r) (snd vs)))). intros; apply
      le_refl.
    + unfold gs. rewrite total_map. apply total_le. intros g Hg. apply (G g Hg).
Qed.

(** The claim that a guess, or nothing, is asked first. *)
Definition first_lb (r : option row) (l : bound) (S : list nat) (b : bound) : Prop :=
  match r with Some r => ask_lb l r S b | None => lb l S b end.

Lemma opened_or_asked_true r l S b : ok S -> (candidates = true -> forall r', r = Some r' -> priced_once r') -> let
  vs := opened_or_asked r l S in
  (forall h : part -> bound, (forall p, In p (snd vs) -> forall v, lb (snd p) (fst p) v -> le v (h p)) ->
    le b (plus (fst vs) (total h (snd vs)))) ->
  first_lb r l S b.
Proof.
  intros O Once vs H. destruct r as [r|].
  - intros next Ln Ht. destruct (asked_true r next l S O (fun C => Once C r eq_refl) Ln Ht) as [A B]. eapply
    le_trans; [|exact B]. apply H.
    intros p Hp. apply (A p Hp).
  - intros t Lt Ht. pose proof (opened_true t l (permitted_rows win candidates rows t S Lt) (List.length S) S O Ht)
    as B. eapply le_trans; [|exact B].
    unfold vs in H. cbn [opened_or_asked fst snd] in H. specialize (H (fun p => cost t (snd p) (fst p))). rewrite
      total_map in H.
    apply H. intros p Hp v Hv. apply in_map_iff in Hp as [V [<- HV]]. apply Hv; [exact (opened_permitted _ _ _ _ _ Lt
      HV)|].
    apply (solves_incl win t _ _ (proj1 (proj2 (opened_open _ _ _ _ O HV))) Ht).
Qed.

Lemma opened_or_asked_open r l S p : ok S -> In p (snd (opened_or_asked r l S)) -> open_part S p.
Proof.
  intros O Hp. destruct r as [r|]; [exact (asked_open r l S p O Hp)|].
  cbn [opened_or_asked snd] in Hp. apply in_map_iff in Hp as [V [<- HV]]. exact (opened_open _ _ _ _ O HV).
Qed.

Lemma seen_true r : forall S keys, incl (kinds win r S) (seen r S keys) /\ incl keys (seen r S keys).
Proof.
  assert (X : forall S keys, (forall s, In s S -> won (look r s) = false -> In (key (look r s)) (seen r S keys)) /\
    incl keys (seen r S keys)).
  { induction S as [|x S IH]; intros keys; [split; [intros s []|apply incl_refl]|]. cbn [seen]. cbv zeta.
    set (keys' := if _ || _ then _ else _). destruct (IH keys') as [A B].
    assert (C : incl keys keys' /\ (won (look r x) = false -> In (key (look r x)) keys')).
    { unfold keys'. destruct (won (look r x)); cbn [orb]; [split; [apply incl_refl|discriminate]|].
      destruct (existsb _ keys) eqn:E.
      - split; [apply incl_refl|]. intros _. apply existsb_exists in E as [k [Hk E]]. apply Nat.eqb_eq in E. rewrite
        E. exact Hk.
      - split; [apply incl_tl, incl_refl|]. intros _. left; reflexivity. }
    destruct C as [C1 C2]. split; [|intros k Hk; apply B, C1, Hk].
    intros s [<-|Hs] W; [apply B, C2, W|apply A; assumption]. }
  intros S keys. destruct (X S keys) as [A B]. split; [|exact B]. intros k Hk. apply nodup_In, in_map_iff in Hk as [s
    [<- Hs]].
  apply filter_In in Hs as [Hs W]. apply A; [exact Hs|]. destruct (won (look r s)); [discriminate|reflexivity].
Qed.

Lemma fold_max (f : row -> nat) rs : forall m, m <= fold_left (fun m r => max m (f r)) rs m /\
  forall r, In r rs -> f r <= fold_left (fun m r => max m (f r)) rs m.
Proof.
  induction rs as [|x rs IH]; intros m; cbn [fold_left]; [split; [lia|intros r []]|]. destruct (IH (max m (f x))) as
    [A B].
  split; [lia|]. intros r [<-|Hr]; [lia|exact (B r Hr)].
Qed.

Lemma branches_true S : unit <> 0 -> fits (branches S) S /\ 1 <= branches S.
Proof.
  intros U. unfold branches. destruct (Nat.eqb_spec unit 0) as [|_]; [contradiction|].
  destruct (fold_max (fun r => List.length (seen r S [])) (askable S) 1) as [A B]. split; [|exact A].
  intros r Hr. eapply Nat.le_trans; [|exact (B r Hr)]. apply NoDup_incl_length; [apply NoDup_nodup|apply seen_true].
Qed.

Lemma if_true {A} (b : bool) (x y : A) : b = true -> (if b then x else y) = x. Proof. intros ->. reflexivity. Qed.
Lemma if_false {A} (b : bool) (x y : A) : b = false -> (if b then x else y) = y. Proof. intros ->. reflexivity. Qed.

Lemma counting_true l S K : ok S -> 2 <= List.length S -> (unit <> 0 -> fits K S /\ 1 <= K) -> lb l S (counting l S
  K).
Proof.
  intros O N F. unfold counting. cbv zeta. set (base := by_secret _ _ _ _ _ _ _ _).
  assert (I : forall r, In r (askable S) -> In r rows) by (intros r Hr; apply in_askable in Hr; apply Hr).
  pose proof (askable_wins_once win candidates rows everything one_win S) as Once.
  assert (B : lb l S base).
  { apply lb_of_all, (by_secret_true win weight everything) with (ending := ending); auto. }
  destruct (Nat.eqb_spec unit 0) as [|U]; [exact B|]. destruct (F U) as [F1 K1].
  destruct (Bool.bool_dec win true) as [W|W]; [rewrite (if_true _ _ _ W)|apply not_true_is_false in W; rewrite
    (if_false _ _ _ W)].
  - apply lb_greater; [exact B|]. apply lb_of_all, (by_levels_true win weight everything) with (ending := ending);
    auto; lia.
  - destruct (Nat.leb_spec K 1) as [L|L]; [apply lb_of_all, (no_branches win weight everything) with (K := K);
    assumption|].
    apply lb_greater; [exact B|]. destruct l as [m|].
    + assert (R : lb (Some m) S (by_reach weight rate penalty unit m S K)).
      { apply lb_of_all, (by_reach_true win weight everything) with (ending := ending); auto; lia. }
      destruct (by_reach _ _ _ _ _ _ _) as [[|v]|]; try exact R. destruct penalty eqn:P; [apply lb_0|].
      apply huffman_true; try assumption; try reflexivity; lia.
    + destruct penalty eqn:P; [apply lb_0|]. apply huffman_true; try assumption; try reflexivity; lia.
Qed.

(** *** What is known and found *)

Definition fact_true (f : fact) : Prop := lb (left_of f) (set_of f) (value_of f).

Lemma remembered k S l v w mem : all fact_true mem -> lb l S v -> all fact_true (remember k S l v w mem).
Proof. intros M H. apply all_insert; assumption. Qed.

Lemma recall_true mem S l need v : all fact_true mem -> recall mem S l need = Some v -> lb l S v.
Proof.
  intros M H. unfold recall in H. destruct (List.find _ _) as [f|] eqn:E; [|discriminate]. destruct (_ || _);
    [|discriminate].
  injection H as <-. apply find_some in E as [E1 E2]. apply andb_prop in E2 as [E2 E3].
  apply same_set_eq in E2. apply same_bound_eq in E3. pose proof (all_find _ _ _ _ _ M E1) as Q. unfold fact_true in
    Q.
  rewrite E2, E3 in Q. exact Q.
Qed.

Lemma known_true proved S l : all fact_true proved -> lb l S (known proved S l).
Proof.
  intros M. unfold known.
  assert (X : forall f, In f (Store.find (hash S) proved) -> fact_true f) by (intros f; apply all_find, M).
  assert (Z : lb l S (Some 0)) by apply lb_0. revert X Z. generalize (Some 0) as v. generalize (Store.find (hash S)
    proved) as fs.
  induction fs as [|f fs IH]; intros v X Z; [exact Z|]. cbn [fold_left]. apply IH; [intros g Hg; apply X; right;
    exact Hg|].
  destruct (_ && _) eqn:E; [|exact Z]. apply andb_prop in E as [E1 E2]. apply same_set_eq in E1. apply lb_greater;
    [exact Z|].
  pose proof (X f (or_introl eq_refl)) as Q. unfold fact_true in Q. rewrite E1 in Q.
  apply orb_prop in E2 as [E2|E2]; [apply same_bound_eq in E2; rewrite E2 in Q; exact Q|].
  apply lb_limit with (l' := left_of f); [| |exact Q].
  - destruct penalty as [q|]; [|left; reflexivity]. right. destruct (left_of f); [|discriminate].
    apply andb_prop in E2 as [E2 _]. apply Nat.eqb_eq in E2. repeat split; [exact E2|discriminate|discriminate].
  - destruct penalty as [q|]; [destruct (left_of f); [apply andb_prop in E2 as [_ E2]|discriminate]|]; apply
    reached_le, E2.
Qed.

Definition deeper_true (deeper : memory -> list nat -> bound -> bound -> bound * memory) : Prop :=
  forall mem S l need, ok S -> 2 <= List.length S -> all fact_true mem ->
  lb l S (fst (deeper mem S l need)) /\ all fact_true (snd (deeper mem S l need)).

Lemma improve_true look_in need (h : part -> bound) : deeper_true look_in -> forall todo sum mem,
  (forall pv, In pv todo -> ok (fst (fst pv)) /\ 2 <= List.length (fst (fst pv)) /\ le (snd pv) (h (fst pv)) /\
    forall v, lb (snd (fst pv)) (fst (fst pv)) v -> le v (h (fst pv))) ->
  all fact_true mem ->
  le (fst (improve look_in need sum todo mem)) (plus sum (total (fun pv => h (fst pv)) todo)) /\
  all fact_true (snd (improve look_in need sum todo mem)).
Proof.
  intros D. induction todo as [|[p v] todo IH]; intros sum mem H M; cbn [improve]; cbv zeta.
  - destruct (reached _ _); cbn [fst snd]; (split; [|exact M]).
    + apply (le_trans _ _ _ (add_le _ _)). apply plus_le; [apply le_refl|apply le_0].
    + apply plus_left.
  - destruct (reached _ _); cbn [fst snd].
    + split; [|exact M]. apply (le_trans _ _ _ (add_le _ _)). apply plus_le; [apply le_refl|].
      apply (le_trans _ _ _ (add_all_le _ _)). apply total_le. intros pv Hpv. exact (proj1 (proj2 (proj2 (H pv
        Hpv)))).
    + destruct (H (p, v) (or_introl eq_refl)) as [P1 [P2 [P3 P4]]]. cbn [fst snd] in *.
      set (need' := minus need _). destruct (D mem (fst p) (snd p) need' P1 P2 M) as [D1 D2].
      set (bm := look_in mem (fst p) (snd p) need') in *.
      destruct (IH (add sum (greater v (fst bm))) (snd bm) (fun pv Hpv => H pv (or_intror Hpv)) D2) as [I1 I2].
      split; [|exact I2]. apply (le_trans _ _ _ I1). rewrite total_cons, plus_assoc. apply plus_le; [|apply le_refl].
      apply (le_trans _ _ _ (add_le _ _)). apply plus_le; [apply le_refl|]. cbn [fst]. apply le_greater. split;
        [exact P3|].
      apply P4, D1.
Qed.

Lemma asking_true look_in proved K l S need r mem :
  deeper_true look_in -> (forall mem, proved = Some mem -> all fact_true mem) -> (unit <> 0 -> fits K S /\ 1 <= K) ->
  ok S -> (candidates = true -> forall r', r = Some r' -> priced_once r') -> all fact_true mem ->
  first_lb r l S (fst (asking look_in proved K l S need r mem)) /\ all fact_true (snd (asking look_in proved K l S
    need r mem)).
Proof.
  intros D M F O Once ML. unfold asking. cbv zeta. set (vs := opened_or_asked r l S).
  set (bound_it := fun p : part => _). set (bounded := map bound_it (snd vs)).
  assert (P : forall pv, In pv bounded -> In (fst pv) (snd vs) /\ ok (fst (fst pv)) /\ 2 <= List.length (fst (fst
    pv)) /\
    lb (snd (fst pv)) (fst (fst pv)) (snd pv)).
  { intros pv Hpv. apply in_map_iff in Hpv as [p [<- Hp]]. unfold bound_it. cbn [fst snd].
    destruct (opened_or_asked_open r l S p O Hp) as [P1 [P2 P3]]. split; [exact Hp|]. split; [exact P1|]. split;
      [exact P3|].
    assert (C : lb (snd p) (fst p) (counting (snd p) (fst p) K)).
    { apply counting_true; [exact P1|exact P3|]. intros U. destruct (F U) as [F1 F2]. split; [exact (fits_part win
      candidates rows K _ _ P2 F1)|exact F2]. }
    destruct proved as [pm|]; [|exact C]. apply lb_greater; [exact C|]. apply known_true, M. reflexivity. }
  assert (T : forall h : part -> bound, total (fun pv => h (fst pv)) bounded = total h (snd vs)).
  { intros h. unfold bounded. rewrite total_map. reflexivity. }
  set (few := filter _ bounded). set (more := filter _ bounded).
  assert (In_few : forall pv, In pv few -> In pv bounded) by (intros pv Hpv; apply filter_In in Hpv; apply Hpv).
  assert (In_more : forall pv, In pv more -> In pv bounded) by (intros pv Hpv; apply filter_In in Hpv; apply Hpv).
  assert (Split : forall h : part -> bound, plus (total (fun pv => h (fst pv)) few) (total (fun pv => h (fst pv))
    more) = total h (snd vs)).
  { intros h. rewrite <- T. symmetry. apply total_split. }
  assert (Ready : forall h : part -> bound, (forall p, In p (snd vs) -> forall v, lb (snd p) (fst p) v -> le v (h p))
    ->
    forall pv, In pv bounded -> ok (fst (fst pv)) /\ 2 <= List.length (fst (fst pv)) /\ le (snd pv) (h (fst pv)) /\
      forall v, lb (snd (fst pv)) (fst (fst pv)) v -> le v (h (fst pv))).
  { intros h H pv Hpv. destruct (P pv Hpv) as [P0 [P1 [P2 P3]]]. split; [exact P1|]. split; [exact P2|].
    split; [apply (H _ P0), P3|intros v Hv; apply (H _ P0), Hv]. }
  assert (Zero : forall pv : part * bound, In pv bounded -> ok (fst (fst pv)) /\ 2 <= List.length (fst (fst pv)) /\
    le (snd pv) None /\
      forall v, lb (snd (fst pv)) (fst (fst pv)) v -> le v None).
  { intros pv Hpv. apply (Ready (fun _ => None)); [intros; apply le_None|exact Hpv]. }
  destruct proved as [pm|].
  - split; [|apply (improve_true _ need (fun _ => None) D); [|exact ML]; intros pv Hpv; apply Zero; apply in_app_or
    in Hpv as [Hpv|Hpv]; auto].
    apply (opened_or_asked_true r l S _ O Once). fold vs. intros h H.
    destruct (improve_true _ need h D (few ++ more) (fst vs) mem) as [I _]; [|exact ML|].
    + intros pv Hpv. apply (Ready h H). apply in_app_or in Hpv as [Hpv|Hpv]; auto.
    + eapply le_trans; [exact I|]. rewrite total_app, Split. apply le_refl.
  - split; [|apply (improve_true _ need (fun _ => None) D); [|exact ML]; intros pv Hpv; apply Zero; auto].
    apply (opened_or_asked_true r l S _ O Once). fold vs. intros h H.
    destruct (improve_true _ need h D few (add (fst vs) (add_all snd more)) mem) as [I _]; [|exact ML|].
    + intros pv Hpv. apply (Ready h H). auto.
    + eapply le_trans; [exact I|]. rewrite <- Split, (plus_comm (total _ few)), plus_assoc. apply plus_le; [|apply
      le_refl].
      apply (le_trans _ _ _ (add_le _ _)). apply plus_le; [apply le_refl|]. apply (le_trans _ _ _ (add_all_le _ _)).
      apply total_le. intros pv Hpv. exact (proj1 (proj2 (proj2 (Ready h H pv (In_more pv Hpv))))).
Qed.

Hypothesis one_price : candidates = true -> forall r, In r rows -> priced_once r.

Lemma best_true ask S l floor : (forall need r mem, In r rows -> asks r S = true -> all fact_true mem ->
    ask_lb l r S (fst (ask need r mem)) /\ all fact_true (snd (ask need r mem))) ->
  forall rs least mem, incl rs rows -> all fact_true mem ->
  let vm := best ask S floor least rs mem in
  all fact_true (snd vm) /\ le (fst vm) least /\
  (le (fst vm) floor \/ forall r, In r rs -> asks r S = true -> ask_lb l r S (fst vm)).
Proof.
  intros A. induction rs as [|r rs IH]; intros least mem I M; cbv zeta; cbn [best].
  - split; [exact M|]. split; [apply le_refl|]. right. intros r [].
  - destruct (reached least floor) eqn:R; [split; [exact M|split; [apply le_refl|left; apply reached_le, R]]|].
    assert (I' : incl rs rows) by (intros x Hx; apply I; right; exact Hx).
    destruct (asks r S) eqn:E.
    + destruct (A least r mem (I r (or_introl eq_refl)) E M) as [A1 A2]. cbv zeta. set (vm := ask least r mem) in *.
      destruct (IH (lesser least (fst vm)) (snd vm) I' A2) as [B1 [B2 B3]]. split; [exact B1|].
      split; [exact (le_trans _ _ _ B2 (lesser_left _ _))|]. destruct B3 as [B3|B3]; [left; exact B3|right].
      intros x [<-|Hx] Ex; [|apply B3; assumption]. intros next Ln Ht. eapply le_trans; [|exact (A1 next Ln Ht)].
      exact (le_trans _ _ _ B2 (lesser_right _ _)).
    + destruct (IH least mem I' M) as [B1 [B2 B3]]. split; [exact B1|]. split; [exact B2|].
      destruct B3 as [B3|B3]; [left; exact B3|right]. intros x [<-|Hx] Ex; [congruence|apply B3; assumption].
Qed.

Lemma ahead_true fuel : deeper_true (ahead fuel).
Proof.
  induction fuel as [|fuel IH]; intros mem S l need O N M; cbn [ahead]; [split; [apply lb_0|exact M]|].
  destruct (recall mem S l need) as [v|] eqn:R; [cbn [fst snd]; split; [exact (recall_true _ _ _ _ _ M R)|exact M]|].
  cbv zeta. set (K := branches S). set (floor := greater (counting l S K) (chain l S)).
  set (ask := fun need r => asking (ahead fuel) None K l S need (Some r)).
  assert (FK : unit <> 0 -> fits K S /\ 1 <= K) by (intros U; apply branches_true, U).
  assert (A : forall need r mem, In r rows -> asks r S = true -> all fact_true mem ->
    ask_lb l r S (fst (ask need r mem)) /\ all fact_true (snd (ask need r mem))).
  { intros need' r mem' Hr _ M'. refine (asking_true (ahead fuel) None K l S need' (Some r) mem' IH _ FK O _ M');
    [discriminate|].
    intros C r' [= <-]. exact (one_price C r Hr). }
  destruct (best_true ask S l floor A rows need mem (incl_refl _) M) as [B1 [B2 B3]]. set (vm := best ask S floor
    need rows mem) in *.
  assert (Fl : lb l S floor) by (apply lb_greater; [apply counting_true; assumption|apply chain_true; assumption]).
  assert (V : lb l S (greater (fst vm) floor)).
  { apply lb_greater; [|exact Fl]. destruct B3 as [B3|B3]; [exact (lb_le win candidates rows weight rate penalty l S
    _ _ B3
    Fl)|].
    apply (lb_by_asking win candidates rows weight everything); assumption. }
  cbn [fst snd]. split; [exact V|]. apply remembered; assumption.
Qed.

Lemma deeper_is_true : deeper_true deeper.
Proof. intros mem S l need. apply ahead_true. Qed.

(** *** Claims *)

Lemma pass_true proved K l S b r mem : all fact_true proved -> (unit <> 0 -> fits K S /\ 1 <= K) -> ok S ->
  (candidates = true -> forall r', r = Some r' -> priced_once r') -> all fact_true mem ->
  (fst (pass proved K l S b r mem) = true -> first_lb r l S b) /\ all fact_true (snd (pass proved K l S b r mem)).
Proof.
  intros M F O Once ML. unfold pass. cbv zeta. cbn [fst snd].
  destruct (asking_true deeper (Some proved) K l S b r mem deeper_is_true) as [A B]; try assumption; [intros m [=
    <-]; exact M|].
  split; [|exact B]. intros R. apply reached_le in R. destruct r as [r|].
  - intros next Ln Ht. exact (le_trans _ _ _ R (A next Ln Ht)).
  - exact (lb_le win candidates rows weight rate penalty l S _ _ R A).
Qed.

Notation cleared := (cleared win weight rate penalty candidates numbered rows).

Lemma some_pass_true proved K l S b o : all fact_true proved -> (unit <> 0 -> fits K S /\ 1 <= K) -> ok S ->
  all (arrow_true (cleared l S b)) (to o) ->
  forall grs passed mem, incl grs numbered -> all (cleared l S b) passed -> all fact_true mem ->
  let pm := some_pass proved K l S b o grs passed mem in all (cleared l S b) (fst pm) /\ all fact_true (snd pm).
Proof.
  intros M F O A. induction grs as [|[g r] grs IH]; intros passed mem I P ML; cbv zeta; cbn [some_pass]; [auto|].
  assert (I' : incl grs numbered) by (intros x Hx; apply I; right; exact Hx).
  destruct (_ || _); [apply IH; assumption|]. destruct (pass_true proved K l S b (Some r) mem M F O) as [C D];
    [|exact ML|].
  { intros Cd r' [= <-]. apply (one_price Cd). rewrite rows_are. exact (in_map snd _ _ (I _ (or_introl eq_refl))). }
  cbv zeta. set (pm := pass _ _ _ _ _ _ _) in *. destruct (fst pm).
  - apply IH; [exact I'| |exact D]. apply pass_with_true; [exact A| |exact P]. intros r' Hr'.
    rewrite (numbers_once g r' r Hr' (I _ (or_introl eq_refl))). apply C. reflexivity.
  - destruct (many o =? 0); [split; assumption|apply IH; assumption].
Qed.

Lemma orbits_pass_true proved K l S b o mem : all fact_true proved -> (unit <> 0 -> fits K S /\ 1 <= K) -> ok S ->
  all (arrow_true (cleared l S b)) (to o) -> all fact_true mem ->
  (fst (orbits_pass proved K l S b o mem) = true -> forall r, In r rows -> asks r S = true -> ask_lb l r S b) /\
  all fact_true (snd (orbits_pass proved K l S b o mem)).
Proof.
  intros M F O A ML. unfold orbits_pass. rewrite partition_is. set (grs := _ ++ _).
  assert (I : incl grs numbered) by (intros x Hx; apply in_app_or in Hx as [Hx|Hx]; apply filter_In in Hx; apply Hx).
  destruct (some_pass_true proved K l S b o M F O A grs Nil mem I Logic.I ML) as [P D]. cbv zeta in P, D.
  set (pm := some_pass _ _ _ _ _ _ _ _ _) in *. cbn [fst snd]. split; [|exact D]. intros Q r Hr T.
  rewrite rows_are in Hr. apply in_map_iff in Hr as [[g r'] [E Hr]]. cbn [snd] in E. subst r'.
  pose proof (proj1 (forallb_forall _ _) Q _ Hr) as X. cbn [fst snd] in X. rewrite T, orb_false_r in X.
  exact (passed_true _ g (fst pm) P X r Hr).
Qed.

(** A first guess is one that may be asked or, if all may, one that wins nothing and tells nothing. *)
Definition may_be_first (S : list nat) (r : row) : Prop :=
  In r rows /\ may win candidates r S = true \/
  candidates = false /\ exists k, forall s, In s everything -> key (look r s) = k /\ won (look r s) = false.

Lemma first_once S r : may_be_first S r -> candidates = true -> priced_once r.
Proof. intros [[Hr _]|[C _]] Cd; [exact (one_price Cd r Hr)|congruence]. Qed.

Lemma lb_first l r S b : may_be_first S r -> ok S -> lb l S b -> ask_lb l r S b.
Proof.
  intros [[Hr M]|[C [k Hk]]] O H next Ln Ht; [apply H; [split; [exact Hr|split; assumption]|exact Ht]|].
  assert (Q : forall s, In s S -> key (look r s) = k /\ won (look r s) = false) by (intros s Hs; apply Hk, (ok_in
    everything S s O Hs)).
  apply (le_trans _ _ _ (H (next k) (permitted_any win candidates rows _ C _ S (Ln k))
    (solves_next win r next S S k Ht (incl_refl _) Q))).
  apply total_le. intros s Hs. apply times_le, per_mono. apply paid_next; apply (Q s Hs).
Qed.

Lemma judge_true only o proved mem S l b : all fact_true proved -> all fact_true mem -> ok S ->
  all (arrow_true (cleared l S b)) (to o) -> (forall r, only = Some r -> may_be_first S r) ->
  (fst (judge only o proved mem S l b) = true -> first_lb only l S b) /\
  all fact_true (snd (judge only o proved mem S l b)).
Proof.
  intros M ML O Ar Fi. unfold judge. destruct (reached b (known proved S l)) eqn:R.
  { cbn [fst snd]. split; [|exact ML]. intros _. apply reached_le in R.
    assert (Q : lb l S b) by exact (lb_le win candidates rows weight rate penalty l S _ _ R (known_true _ S l M)).
    destruct only as [r|]; [exact (lb_first l r S b (Fi r eq_refl) O Q)|exact Q]. }
  cbv zeta. set (K := branches S). assert (FK : unit <> 0 -> fits K S /\ 1 <= K) by (intros U; apply branches_true,
    U).
  assert (PT := fun r Once => pass_true proved K l S b r mem M FK O Once ML).
  assert (None_once : candidates = true -> forall r', None = Some r' -> priced_once r') by discriminate.
  destruct only as [r|]; destruct S as [|x [|y S]]; try (cbn [fst snd]; split; [discriminate|exact ML]).
  - pose proof (Fi r eq_refl) as Fr. destruct (Bool.bool_dec win true) as [W|W].
    { rewrite (if_true _ _ _ W). apply PT. intros C r' [= <-]. exact (first_once _ r Fr C). }
    apply not_true_is_false in W. rewrite (if_false _ _ _ W). destruct (PT None None_once) as [A B]. split; [|exact
      B].
    intros Q. apply lb_first; [exact Fr|exact O|apply A, Q].
  - apply PT. intros C r' [= <-]. exact (first_once _ r (Fi r eq_refl) C).
  - apply PT, None_once.
  - set (T := x :: y :: S) in *. destruct (free_for T); [apply PT, None_once|].
    assert (N : 2 <= List.length T) by (cbn; lia).
    destruct (reached b (counting l T K) || reached b (chain l T)) eqn:E.
    + cbn [fst snd]. split; [|exact ML]. intros _. apply orb_prop in E as [E|E]; apply reached_le in E.
      * exact (lb_le win candidates rows weight rate penalty l T _ _ E (counting_true l T K O N FK)).
      * exact (lb_le win candidates rows weight rate penalty l T _ _ E (chain_true l T O N)).
    + destruct (orbits_pass_true proved K l T b o mem M FK O Ar ML) as [A B]. split; [|exact B]. intros Q.
      apply (lb_by_asking win candidates rows weight everything); try assumption. apply A, Q.
Qed.

(** ** Reading a proof *)

Variable guess_named : text -> option (nat * row).
Variable secret_named : text -> option nat.
Variable number_in : text -> option nat.

Definition bound_in (w : text) : option bound := if spells "inf" w then Some None else option_map Some (number_in w).

(** What an item says that is no lemma: guesses that a renaming makes equal. *)
Definition renamed (l : list (nat * nat)) (o : orbits) : orbits :=
  {| to := add_arrows l (to o); many := List.length l + many o; named := named o |}.

Definition naming (gr : option (nat * row)) (o : orbits) : orbits :=
  match gr with
  | Some (g, _) => {| to := to o; many := many o; named := insert g g (named o) |}
  | None => o
  end.

(** Items up to the end of the body of a claim; the rest of the words and what is known then, or how many words are
  left
    where it is refused. [deep]: how many claims there may be inside. *)
Fixpoint items (fuel : nat) (words : list text) (deep : nat) (only : option row) (o : orbits) (S : list nat)
    (l b : bound) (proved looked : memory) : (list text * (memory * memory)) + nat :=
  let refused (_ : Datatypes.unit) := inr (List.length words) in
  match fuel, words with
  | Datatypes.S fuel, w :: words =>
      if spells ")" w then
        let jm := judge only o proved looked S l b in
        if fst jm then
          inl (words, (match only with None => remember (hash S) S l b true proved | Some _ => proved end, snd jm))
        else refused tt
      else if spells "=" w then
        match renaming win weight candidates numbered secret_named S words with
        | Some (pairs, words) => items fuel words deep only (renamed pairs o) S l b proved looked
        | None => refused tt
        end
      else
        match words with
        | x :: c :: body :: words =>
            match (if spells "-" w then Some None else option_map Some (guess_named w)), secret_named x, bound_in c
              with
            | Some gr, Some s, Some b' =>
                match List.find (fun p : part => existsb (Nat.eqb s) (fst p))
                        (snd (opened_or_asked (option_map snd gr) l S)), deep with
                | Some p, Datatypes.S deep =>
                    if spells "." body then
                      let jm := judge None no_orbits proved looked (fst p) (snd p) b' in
                      if fst jm then
                        items fuel words (Datatypes.S deep) only (naming gr o) S l b
                          (remember (hash (fst p)) (fst p) (snd p) b' true proved) (snd jm)
                      else refused tt
                    else if spells "(" body then
                      match items fuel words deep None no_orbits (fst p) (snd p) b' proved looked with
                      | inl (words, pl) =>
                          items fuel words (Datatypes.S deep) only (naming gr o) S l b (fst pl) (snd pl)
                      | inr more => inr more
                      end
                    else refused tt
                | _, _ => refused tt
                end
            | _, _, _ => refused tt
            end
        | _ => refused tt
        end
  | _, _ => refused tt
  end.

(** The words of a whole proof: nothing, or how many words are left where it is refused. *)
Definition refusal (words : list text) (only : option row) (l b : bound) : option nat :=
  match words with
  | o :: words =>
      let refused := Some (List.length words) in
      if spells "." o then
        if fst (judge only no_orbits Nil Nil everything l b)
        then match words with [] => None | _ => refused end else refused
      else if spells "(" o then
        match items (List.length words) words 1000 only no_orbits everything l b Nil Nil with
        | inl ([], _) => None
        | inl (words, _) => Some (List.length words)
        | inr more => Some more
        end
      else refused
  | [] => Some 0
  end.

Lemma naming_keeps gr o : to (naming gr o) = to o.
Proof. destruct gr as [[g r]|]; reflexivity. Qed.

Lemma items_true fuel : forall words deep only o S l b proved looked rest proved' looked',
  ok S -> all fact_true proved -> all fact_true looked -> all (arrow_true (cleared l S b)) (to o) ->
  (forall r, only = Some r -> may_be_first S r) ->
  items fuel words deep only o S l b proved looked = inl (rest, (proved', looked')) ->
  first_lb only l S b /\ all fact_true proved' /\ all fact_true looked'.
Proof.
  induction fuel as [|fuel IH]; intros words deep only o S l b proved looked rest proved' looked' O M ML A Fi E;
    [discriminate|].
  destruct words as [|w words]; [discriminate|]. cbn [items] in E. cbv zeta in E. destruct (spells ")" w).
  { destruct (judge_true only o proved looked S l b M ML O A Fi) as [J1 J2]. destruct (fst (judge _ _ _ _ _ _ _));
    [|discriminate].
    injection E as <- <- <-. split; [apply J1; reflexivity|]. split; [|exact J2]. destruct only as [r|]; [exact M|].
    apply remembered; [exact M|]. apply J1. reflexivity. }
  destruct (spells "=" w).
  { destruct (renaming _ _ _ _ _ S words) as [[pairs words']|] eqn:R; [|discriminate].
    apply IH in E; [exact E|assumption..| |exact Fi]. apply add_arrows_true; [|exact A].
    apply (renaming_true win weight everything rate penalty candidates numbered rows rows_are everything_once one_win
      secret_named
      numbers_once S l b words pairs words' O R). }
  destruct words as [|x [|c [|body words]]]; try discriminate.
  destruct (if spells "-" w then _ else _) as [gr|]; [|discriminate].
  destruct (secret_named x) as [s|]; [|discriminate].
  destruct (bound_in c) as [b'|]; [|discriminate]. destruct (List.find _ _) as [p|] eqn:P; [|discriminate].
  destruct deep as [|deep]; [discriminate|]. apply find_some in P as [P _].
  destruct (opened_or_asked_open (option_map snd gr) l S p O P) as [O' _].
  assert (No : forall T (r : row), None = Some r -> may_be_first T r) by discriminate.
  assert (A' : all (arrow_true (cleared l S b)) (to (naming gr o))) by (rewrite naming_keeps; exact A).
  destruct (spells "." body).
  { destruct (judge_true None no_orbits proved looked (fst p) (snd p) b' M ML O' Logic.I (No _)) as [J1 J2].
    destruct (fst (judge _ _ _ _ _ _ _)); [|discriminate].
    apply IH in E; [exact E|exact O| |exact J2|exact A'|exact Fi].
    apply remembered; [exact M|]. apply J1. reflexivity. }
  destruct (spells "(" body); [|discriminate].
  destruct (items fuel words deep None no_orbits (fst p) (snd p) b' proved looked) as [[words' [pl ll]]|] eqn:Q;
    [|discriminate].
  apply IH in Q as [_ [Q1 Q2]]; [|assumption..|exact Logic.I|exact (No _)]. apply IH in E; assumption.
Qed.

Lemma refusal_true words only l b : (forall r, only = Some r -> may_be_first everything r) -> refusal words only l b
  = None ->
  first_lb only l everything b.
Proof.
  intros Fi E. destruct words as [|o words]; [discriminate|]. cbn [refusal] in E. destruct (spells "." o).
  { destruct (judge_true only no_orbits Nil Nil everything l b I I (ok_everything everything) I Fi) as [J _].
    destruct (fst (judge _ _ _ _ _ _ _)); [|discriminate]. apply J. reflexivity. }
  destruct (spells "(" o); [|discriminate].
  destruct (items _ _ _ _ _ _ _ _ _) as [[[|w ws] [pl ll]]|] eqn:Q in E; try discriminate.
  apply items_true in Q as [Q _]; [exact Q|apply ok_everything|exact I|exact I|exact I|exact Fi].
Qed.

End Checker.
