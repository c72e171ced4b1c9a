(** The checker of claims about kits, reading of bodies, and why what it accepts is true. *)

From Coq Require Import Ascii String List Arith NArith Bool Lia Permutation Mergesort Orders Sorted.
From Proof Require Import Lists Text Vector KitTheory KitSets.
From Proof Require PricedGame.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** ** Order *)

Module Rising <: TotalLeBool.
  Definition t := nat.
  Definition leb := Nat.leb.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End Rising.
Module Up := Sort Rising.

Lemma up_rising l : rising (Up.sort l).
Proof.
  assert (T : RelationClasses.Transitive (fun x y : nat => is_true (Nat.leb x y))).
  { intros x y z. unfold is_true. rewrite !Nat.leb_le. lia. }
  induction (Up.StronglySorted_sort l T) as [|x m _ IH F]; [exact I|]. split; [|exact IH].
  intros y Hy. apply Nat.leb_le. exact (proj1 (Forall_forall _ _) F y Hy).
Qed.

Lemma rev_falling l : rising l -> falling (rev l).
Proof.
  assert (X : forall m x, falling m -> (forall y, In y m -> x <= y) -> falling (m ++ [x])).
  { induction m as [|y m IH]; intros x F B; cbn; [repeat split; intros y []|]. destruct F as [F1 F2]. split.
    - intros z Hz. apply in_app_or in Hz as [Hz|[<-|[]]]; [exact (F1 z Hz)|apply B; left; reflexivity].
    - apply IH; [exact F2|]. intros z Hz. apply B. right; exact Hz. }
  induction l as [|x l IH]; intros R; [exact I|]. destruct R as [R1 R2]. cbn [rev]. apply X; [exact (IH R2)|].
  intros y Hy. apply R1, in_rev, Hy.
Qed.

(** Pairs with fewer questions first. *)
Module Fewer <: TotalLeBool.
  Definition t := (nat * (words * nat))%type.
  Definition leb (a b : t) := fst a <=? fst b.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End Fewer.
Module ByNumber := Sort Fewer.

(** What is collected, and its cost: what collects more for its cost first. *)
Module Dearer <: TotalLeBool.
  Definition t := (nat * nat)%type.
  Definition leb (a b : t) := fst b * snd a <=? fst a * snd b.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End Dearer.
Module ByRate := Sort Dearer.

Fixpoint without (x : nat) (l : list nat) : option (list nat) :=
  match l with [] => None | y :: l => if x =? y then Some l else option_map (cons y) (without x l) end.

Fixpoint permuted (l m : list nat) : bool :=
  match l with
  | [] => match m with [] => true | _ => false end
  | x :: l => match without x m with Some m => permuted l m | None => false end
  end.

Lemma permuted_true l : forall m, permuted l m = true -> Permutation l m.
Proof.
  assert (W : forall x m n, without x m = Some n -> Permutation (x :: n) m).
  { intros x. induction m as [|y m IH]; intros n E; cbn in E; [discriminate|].
    destruct (Nat.eqb_spec x y) as [->|Q]; [injection E as <-; reflexivity|].
    destruct (without x m) as [k|]; [|discriminate]. injection E as <-. rewrite perm_swap. apply perm_skip, IH.
    reflexivity. }
  induction l as [|x l IH]; intros m E; cbn in E; [destruct m; [reflexivity|discriminate]|].
  destruct (without x m) as [n|] eqn:Q; [|discriminate]. rewrite <- (W x m n Q). apply perm_skip, IH, E.
Qed.

(** Numbers above are not compared exactly. *)
Definition most : nat := Nat.pow 10 18.
Opaque most.

Definition capped (l : list nat) : nat := fold_left (fun v x => if most <? v then v else v + x) l 0.

Lemma capped_is l : capped l <= most -> capped l = list_sum l.
Proof.
  unfold capped. assert (X : forall l v, fold_left (fun v x => if most <? v then v else v + x) l v <= most ->
    fold_left (fun v x => if most <? v then v else v + x) l v = v + list_sum l).
  { clear. induction l as [|x l IH]; intros v H; cbn [fold_left list_sum fold_right] in *; [lia|]. fold (list_sum l).
    destruct (Nat.ltb_spec most v) as [Q|Q].
    - exfalso. assert (Y : forall l, fold_left (fun v x => if most <? v then v else v + x) l v = v).
      { clear - Q. induction l as [|x l IH]; [reflexivity|]. cbn [fold_left]. apply Nat.ltb_lt in Q. rewrite Q.
        exact IH. }
      rewrite Y in H. lia.
    - rewrite IH by exact H. lia. }
  intros H. exact (X l 0 H).
Qed.

Lemma greatest_of l : forall m, m <= fold_left Nat.max l m /\ forall x, In x l -> x <= fold_left Nat.max l m.
Proof.
  induction l as [|y l IH]; intros m; cbn [fold_left]; [split; [lia|intros x []]|].
  destruct (IH (Nat.max m y)) as [A B]. split; [lia|]. intros x [->|H]; [lia|exact (B x H)].
Qed.

(** ** Counting (K4) *)

(** Whether [v] times the numbers is below [m]. *)
Fixpoint product_below (m v : nat) (l : list nat) : bool :=
  match l with [] => v <? m | x :: l => if v <? m then product_below m (v * x) l else false end.

Lemma product_below_true m l : forall v, product_below m v l = true -> v * product (fun x => x) l < m.
Proof.
  induction l as [|x l IH]; intros v E; cbn [product_below product] in *; [apply Nat.ltb_lt in E; lia|].
  destruct (v <? m); [|discriminate]. apply IH in E. lia.
Qed.

Fixpoint power_below (m r v e : nat) : bool :=
  match e with 0 => v <? m | S e => if v <? m then power_below m r (v * r) e else false end.

Lemma power_below_true m r e : forall v, power_below m r v e = true -> v * r ^ e < m.
Proof.
  induction e as [|e IH]; intros v E; cbn [power_below Nat.pow] in *; [apply Nat.ltb_lt in E; lia|].
  destruct (v <? m); [|discriminate]. apply IH in E. lia.
Qed.

(** Of a row of balls the next. *)
Fixpoint next_balls (more before : N) (row : list N) : list N :=
  match row with [] => [] | v :: row => (v + more * before)%N :: next_balls more v row end.

Fixpoint balls (r k e : nat) : list N :=
  match k with
  | 0 => repeat 1%N (S e)
  | S k => match balls r k e with v :: row => v :: next_balls (N.of_nat (r - 1)) v row | [] => [] end
  end.

Lemma balls_are r k e : balls r k e = map (fun i => N.of_nat (ball r k i)) (seq 0 (S e)).
Proof.
  induction k as [|k IH].
  - cbn [balls]. assert (X : forall n z, repeat 1%N n = map (fun i => N.of_nat (ball r 0 i)) (seq z n)).
    { induction n as [|n IHn]; intros z; [reflexivity|]. cbn [repeat seq map]. rewrite (IHn (S z)). reflexivity. }
    apply X.
  - cbn [balls]. rewrite IH. cbn [seq map]. f_equal; [destruct k; reflexivity|].
    assert (X : forall n z, next_balls (N.of_nat (r - 1)) (N.of_nat (ball r k z))
        (map (fun i => N.of_nat (ball r k i)) (seq (S z) n)) =
      map (fun i => N.of_nat (ball r (S k) i)) (seq (S z) n)).
    { clear. induction n as [|n IH]; intros z; [reflexivity|]. cbn [seq map next_balls]. rewrite IH. f_equal.
      cbn [ball]. lia. }
    apply X.
Qed.

(** Whether [m] balls do not fit (Hamming); with many questions they do. *)
Definition crowded (m r k e : nat) : bool :=
  (k <=? Nat.pow 2 8) && (N.of_nat r ^ N.of_nat k <? N.of_nat m * last (balls r k e) 0)%N.

Lemma crowded_true m r k e : crowded m r k e = true -> r ^ k < m * ball r k e.
Proof.
  unfold crowded. intros H. apply andb_prop in H as [_ H]. apply N.ltb_lt in H. rewrite balls_are in H.
  rewrite seq_S, map_app in H. cbn [map Nat.add] in H. rewrite last_last in H.
  rewrite <- Nat2N.inj_mul, <- Nat2N.inj_pow in H. lia.
Qed.

(** ** Claims

    What is left of KITS.md is called money here, and the purse is one more; [left] is a word of Coq. *)

Section Checker.

Variables questions secrets lies : nat.
Variable col : nat -> list words.     (* the digits of the answers that a secret gets *)
Variables cost kind : nat -> nat.     (* of a question; of a secret *)
Variable least : nat.                 (* what a question costs at least, if it costs something *)
Variables question_in secret_in : text -> option nat.
Variable renaming_in : list text -> option (words * list text).

Definition ans (g s : nat) : nat := answer_of (col s) g.

Let apart := 2 * lies + 1.
Let all := range questions.
Let places := places_of_words questions.

Definition telling_two (s t : nat) : words := telling questions (col s) (col t).

(** In how many more questions two secrets have to differ, whose questions are known. *)
Definition needs (K : list nat) (T : words) : nat := apart - List.length (filter (fun g => mem g T) K).

(** A set without a question that was asked: with lies it may be asked again. *)
Definition again (A : words) (g : nat) : words := if lies =? 0 then minus questions A (only questions g) else A.

(** *** Open pairs *)

(** Secrets by a number; a set of one is left out. *)
Fixpoint parted (fuel : nat) (l : list (nat * nat)) : list (list nat) :=
  match fuel, l with
  | S fuel, (r, s) :: l =>
      let same := filter (fun x => fst x =? r) l in
      let others := parted fuel (filter (fun x => negb (fst x =? r)) l) in
      if empty same then others else (s :: map snd same) :: others
  | _, _ => []
  end.

Definition parts_by (g : nat) (cell : list nat) : list (list nat) :=
  parted (List.length cell) (map (fun s => (ans g s, s)) cell).

Definition cells (K : list nat) : list (list nat) :=
  fold_left (fun cells g => flat_map (parts_by g) cells) K [range secrets].

Fixpoint pairs_of (cell : list nat) : list (nat * nat) :=
  match cell with [] => [] | s :: cell => map (pair s) cell ++ pairs_of cell end.

(** The questions that tell a pair apart, and how many more it needs. *)
Definition open_pairs (K : list nat) : list (words * nat) :=
  if lies =? 0
  then flat_map (fun cell => flat_map (fun p => if kind (fst p) =? kind (snd p) then []
      else [(telling_two (fst p) (snd p), 1)]) (pairs_of cell)) (cells K)
  else flat_map (fun p => if kind (fst p) =? kind (snd p) then [] else
      let T := telling_two (fst p) (snd p) in let d := needs K T in if 0 <? d then [(T, d)] else [])
    (pairs_of (range secrets)).

(** *** The last two questions (K2) *)

(** Whether some pair stays open after a question that was asked and one more, of those in [common]. *)
Fixpoint stuck (money : nat) (asked : option nat) (pairs : list (words * nat)) (common : words) (still : bool)
    : bool :=
  match pairs with
  | [] => still && forallb (fun g => money <? cost g) (members questions common)
  | (T, d) :: pairs =>
      let rest := d - match asked with Some g => Nat.b2n (mem g T) | None => 0 end in
      if rest =? 0 then stuck money asked pairs common still
      else if 1 <? rest then true
      else let common := inter questions common T in
           if is_empty places common then true else stuck money asked pairs common true
  end.

Definition fail (money : nat) (asked : option nat) (pairs : list (words * nat)) (A : words) : bool :=
  stuck money asked pairs (if least <=? money then A else nothing questions) false.

(** All questions that tell the first pair apart. *)
Fixpoint try_all (money : nat) (pairs : list (words * nat)) (gs : list nat) (A : words) : bool :=
  match gs with
  | [] => true
  | g :: gs =>
      ((money <? cost g) || fail (money - cost g) (Some g) pairs (again A g)) &&
      try_all money pairs gs (minus questions A (only questions g))
  end.

Definition tried (K : list nat) (A : words) (purse : nat) : bool :=
  match purse with
  | 0 => true
  | S money =>
      if 3 * least <=? money then false else
      let pairs := open_pairs K in
      if money <? least then negb (empty pairs)
      else
        let ordered := map snd (ByNumber.sort (map (fun p => (size places (inter questions A (fst p)), p)) pairs)) in
        if money <? 2 * least then fail money None ordered A
        else match ordered with
             | [] => false
             | (T, _) :: _ => try_all money ordered (members questions (inter questions A T)) A
             end
  end.

(** *** Counting (K4) *)

(** The first secret of each kind. *)
Fixpoint firsts (cell met : list nat) : list nat :=
  match cell with
  | [] => []
  | s :: cell => if existsb (Nat.eqb (kind s)) met then firsts cell met else s :: firsts cell (kind s :: met)
  end.

(** The longest list; of several, that which begins with the least. *)
Definition longest (lists : list (list nat)) : list nat :=
  fold_left (fun best l => let n := List.length best in let m := List.length l in
    if (n <? m) || (n =? m) && (hd 0 l <? hd 0 best) then l else best) lists [].

Definition useful (A : words) (money : nat) : list nat := filter (fun g => cost g <=? money) (members questions A).

Definition counted (K : list nat) (A : words) (purse : nat) : bool :=
  let some := longest (map (fun cell => firsts cell []) (cells K)) in
  let m := List.length some in
  match purse with
  | 0 => 1 <? m
  | S money =>
      let U := useful A money in
      let ps := map (parts ans some) U in
      if lies =? 0 then product_below m 1 (firstn (paid (Up.sort (map cost U)) money) (rev (Up.sort ps)))
      else
        let r := fold_left Nat.max ps 1 in
        let k := money / least in
        (1 <? m) &&
        ((k <? apart) || (if r =? 1 then true else power_below m r 1 (k - apart + 1)) || crowded m r k lies)
  end.

(** *** Prices (K5) *)

Fixpoint prices_in (fuel : nat) (words_ : list text) (done : list (nat * nat * nat)) :
    option (list (nat * nat * nat) * list text) :=
  match fuel, words_ with
  | S fuel, w :: more =>
      if spells ";" w then Some (done, more) else
      match more with
      | v :: x :: more =>
          match secret_in w, secret_in v, PricedGame.number x with
          | Some s, Some t, Some p => prices_in fuel more ((s, t, p) :: done)
          | _, _, _ => None
          end
      | _ => None
      end
  | _, _ => None
  end.

Definition is_open_pair (K : list nat) (s t : nat) : bool :=
  (s <? secrets) && (t <? secrets) && negb (kind s =? kind t) && (0 <? needs K (telling_two s t)).

(** The question at which the money ends, those that collect most for their cost first. *)
Fixpoint break (rates : list (nat * nat)) (money : nat) : nat * nat :=
  match rates with [] => (0, 1) | (v, c) :: rates => if money <=? c then (v, c) else break rates (money - c) end.

(** Whether the questions that collect most for their cost collect less than is due. *)
Definition dearest (K : list nat) (A : words) (purse : nat) (prices : list (nat * nat * nat)) : bool :=
  let told_by := map (fun p => (telling_two (fst (fst p)) (snd (fst p)), snd p)) prices in
  let due := capped (map (fun p => snd p * needs K (fst p)) told_by) in
  forallb (fun p => is_open_pair K (fst (fst p)) (snd (fst p))) prices &&
  match purse with
  | 0 => 0 <? due
  | S money =>
      (due <=? most / purse) &&
      let rates := map (fun g => (list_sum (map (fun p => if mem g (fst p) then snd p else 0) told_by), cost g))
        (useful A money) in
      let sorted := ByRate.sort rates in
      let at_ := if lies =? 0 then break sorted money else hd (0, 1) sorted in
      let over := capped (map (fun r => fst r * snd at_ - fst at_ * snd r) rates) in
      ((lies =? 0) || (over =? 0)) && (over <=? most) && (fst at_ * money + over <? due * snd at_)
  end.

(** *** Renamings (K3) *)

(** Whether a renaming takes a set of questions into itself. *)
Definition keeps (to : words) (A : words) : bool := forallb (fun g => negb (mem g A) || mem (word_at to g) A) all.

(** A renaming, and from where it takes each question. *)
Definition renaming_at (K : list nat) (A : words) (words_ : list text) : option ((words * words) * list text) :=
  match renaming_in words_ with
  | Some (to, more) =>
      if permuted (map (word_at to) K) K && keeps to A then Some ((to, inverse questions to), more) else None
  | None => None
  end.

Fixpoint renamings_in (fuel : nat) (K : list nat) (A : words) (words_ : list text) (done : list (words * words)) :
    option (list (words * words) * list text) :=
  match fuel, words_ with
  | S fuel, w :: more =>
      if spells "=" w then
        match renaming_at K A more with Some (r, more) => renamings_in fuel K A more (r :: done) | None => None end
      else Some (done, words_)
  | _, _ => None
  end.

(** The questions that renamings take to this one. *)
Definition befores (renamings : list (words * words)) (g : nat) : list nat :=
  flat_map (fun r => let h := word_at (snd r) g in if (h <? questions) && (word_at (fst r) h =? g) then [h] else [])
    renamings.

(** With some questions all that renamings take there, and so on. *)
Fixpoint spread (fuel : nat) (renamings : list (words * words)) (work : list nat) (gone : words) : words :=
  match fuel, work with
  | S fuel, g :: work =>
      let near := filter (fun h => negb (mem h gone)) (befores renamings g) in
      spread fuel renamings (near ++ work) (fold_left (fun gone h => add questions h gone) near gone)
  | _, _ => gone
  end.

(** All that renamings take to each other with a question; nothing, if one of them does not keep what is allowed. *)
Definition orbit (renamings : list (words * words)) (A : words) (g : nat) : option words :=
  match renamings with
  | [] => Some (only questions g)
  | _ =>
      if forallb (fun r => keeps (fst r) A) renamings
      then Some (spread (S (questions * List.length renamings)) renamings [g] (only questions g)) else None
  end.

(** Questions that no claim names. *)
Fixpoint others_tried (gs : list nat) (K : list nat) (A waiting : words) (purse : nat)
    (renamings : list (words * words)) : bool :=
  match gs with
  | [] => true
  | g :: gs =>
      if mem g waiting then
        tried (g :: K) (again A g) (purse - cost g) &&
        match orbit renamings A g with
        | Some gone => others_tried gs K (minus questions A gone) (minus questions waiting gone) purse renamings
        | None => false
        end
      else others_tried gs K A waiting purse renamings
  end.

(** *** Bodies *)

(** The rest of the words behind the body of a claim, or how many words are left where it is refused. [deep]: how many
    claims there may be inside. *)
Fixpoint body (fuel deep : nat) (K : list nat) (A : words) (purse : nat) (words_ : list text) {struct fuel} :
    list text + nat :=
  match fuel, words_ with
  | S fuel, w :: more =>
      let told (shown : bool) rest := if shown then inl rest else inr (List.length more) in
      if spells "." w then told (tried K A purse) more
      else if spells "#" w then told (counted K A purse) more
      else if spells "$" w then
        match prices_in fuel more [] with
        | Some (prices, rest) => told (dearest K A purse prices) rest
        | None => inr (List.length more)
        end
      else if spells "(" w then
        match renamings_in fuel K A more [] with
        | Some (renamings, v :: x :: rest) =>
            match secret_in v, secret_in x with
            | Some s, Some t =>
                if is_open_pair K s t
                then children fuel deep K A (inter questions A (telling_two s t)) purse renamings rest
                else inr (List.length rest)
            | _, _ => inr (List.length rest)
            end
        | _ => inr (List.length more)
        end
      else inr (List.length more)
  | _, _ => inr 0
  end
with children (fuel deep : nat) (K : list nat) (A waiting : words) (purse : nat) (renamings : list (words * words))
    (words_ : list text) {struct fuel} : list text + nat :=
  match fuel, words_ with
  | S fuel, w :: more =>
      if spells ")" w then
        if others_tried (members questions waiting) K A waiting purse renamings then inl more
        else inr (List.length more)
      else
        match question_in w, deep with
        | Some g, S deeper =>
            if (g <? questions) && mem g waiting then
              match body fuel deeper (g :: K) (again A g) (purse - cost g) more with
              | inl rest =>
                  match orbit renamings A g with
                  | Some gone =>
                      children fuel deep K (minus questions A gone) (minus questions waiting gone) purse renamings
                        rest
                  | None => inr (List.length more)
                  end
              | inr where_ => inr where_
              end
            else inr (List.length more)
        | _, _ => inr (List.length more)
        end
  | _, _ => inr 0
  end.

(** ** Why it is true *)

Hypothesis same_length : forall s t, s < secrets -> t < secrets -> List.length (col s) = List.length (col t).
Hypothesis renaming_true : forall words_ to rest, renaming_in words_ = Some (to, rest) ->
  renames questions secrets ans cost kind (word_at to).
Hypothesis least_positive : 1 <= least.

Notation fails := (fails questions secrets lies ans cost kind).
Notation refuted := (refuted questions secrets lies ans cost kind).
Notation is_open := (is_open secrets lies ans kind).
Notation kit := (kit secrets lies ans kind).
Notation told := (told ans).

Lemma told_is s t K : s < secrets -> t < secrets -> (forall g, In g K -> g < questions) ->
  List.length (filter (fun g => mem g (telling_two s t)) K) = told K s t.
Proof.
  intros Hs Ht B. unfold KitTheory.told, telling_two. f_equal. apply filter_ext_in. intros g Hg. unfold tells, ans.
  apply mem_telling; [apply same_length; assumption|exact (B g Hg)].
Qed.

Section Node.

Variable K : list nat.

Hypothesis K_small : forall g, In g K -> g < questions.

(** A pair of [open_pairs]. *)
Definition true_pair (p : words * nat) : Prop :=
  exists s t, is_open K s t /\ fst p = telling_two s t /\ snd p = apart - told K s t.

Lemma is_open_pair_true s t : is_open_pair K s t = true -> is_open K s t.
Proof.
  unfold is_open_pair. intros E. apply andb_prop in E as [E E4]. apply andb_prop in E as [E E3].
  apply andb_prop in E as [E1 E2]. apply Nat.ltb_lt in E1, E2, E4. apply negb_true_iff, Nat.eqb_neq in E3.
  unfold needs in E4. rewrite told_is in E4 by assumption. repeat split; [assumption..|]. fold apart. lia.
Qed.

Lemma parted_true (f : nat -> nat) fuel : forall l, (forall r s, In (r, s) l -> r = f s) ->
  forall c, In c (parted fuel l) -> exists r, forall s, In s c -> In (r, s) l.
Proof.
  induction fuel as [|fuel IH]; intros [|[r s] l] H c Hc; cbn [parted] in Hc; try contradiction.
  assert (H' : forall q x, In (q, x) (filter (fun x => negb (fst x =? r)) l) -> q = f x).
  { intros q x Hx. apply filter_In in Hx as [Hx _]. apply H. right; exact Hx. }
  destruct (empty _); [|destruct Hc as [<-|Hc]].
  - destruct (IH _ H' c Hc) as [q Q]. exists q. intros x Hx. specialize (Q x Hx). apply filter_In in Q as [Q _].
    right; exact Q.
  - exists r. intros x [<-|Hx]; [left; reflexivity|]. apply in_map_iff in Hx as [[q y] [<- Hx]].
    apply filter_In in Hx as [Hx E]. apply Nat.eqb_eq in E. cbn in E. subst q. right; exact Hx.
  - destruct (IH _ H' c Hc) as [q Q]. exists q. intros x Hx. specialize (Q x Hx). apply filter_In in Q as [Q _].
    right; exact Q.
Qed.

Lemma cells_true c : In c (cells K) -> forall s t, In s c -> In t c -> s < secrets /\ told K s t = 0.
Proof.
  unfold cells.
  assert (X : forall L cs, (forall c, In c cs -> forall s, In s c -> s < secrets) -> forall c,
    In c (fold_left (fun cells g => flat_map (parts_by g) cells) L cs) ->
    exists c0, In c0 cs /\ forall s t, In s c -> In t c -> In s c0 /\ s < secrets /\ told L s t = 0).
  { clear. induction L as [|g L IH]; intros cs B c Hc; cbn [fold_left] in Hc.
    - exists c. split; [exact Hc|]. intros s t Hs _. split; [exact Hs|]. split; [exact (B c Hc s Hs)|reflexivity].
    - assert (P : forall c, In c (flat_map (parts_by g) cs) ->
        exists c0, In c0 cs /\ exists r, forall s, In s c -> In s c0 /\ ans g s = r).
      { intros d Hd. apply in_flat_map in Hd as [c0 [H0 Hd]]. exists c0. split; [exact H0|].
        apply (parted_true (ans g)) in Hd as [r R]; [exists r|].
        - intros s Hs. specialize (R s Hs). apply in_map_iff in R as [s' [[= <- ->] R]]. auto.
        - intros r s Hr. apply in_map_iff in Hr as [s' [[= <- ->] _]]. reflexivity. }
      apply IH in Hc.
      + destruct Hc as [d [Hd H]]. destruct (P d Hd) as [c0 [H0 [r R]]]. exists c0. split; [exact H0|].
        intros s t Hs Ht. destruct (H s t Hs Ht) as [S1 [S2 S3]]. destruct (H t s Ht Hs) as [T1 _].
        destruct (R s S1) as [R1 R2], (R t T1) as [_ R3]. split; [exact R1|]. split; [exact S2|].
        unfold KitTheory.told in *. cbn [filter]. unfold tells at 1. rewrite R2, R3, Nat.eqb_refl. exact S3.
      + intros d Hd s Hs. destruct (P d Hd) as [c0 [H0 [r R]]]. exact (B c0 H0 s (proj1 (R s Hs))). }
  intros Hc s t Hs Ht. destruct (X K [range secrets]) with (c := c) as [c0 [_ H]]; [|exact Hc|apply (H s t Hs Ht)].
  intros d [<-|[]] x Hx. apply in_seq in Hx. lia.
Qed.

Lemma pairs_of_in cell s t : In (s, t) (pairs_of cell) -> In s cell /\ In t cell.
Proof.
  induction cell as [|x cell IH]; [intros []|]. cbn [pairs_of]. intros H. apply in_app_or in H as [H|H].
  - apply in_map_iff in H as [y [[= <- <-] H]]. split; [left; reflexivity|right; exact H].
  - destruct (IH H). split; right; assumption.
Qed.

Lemma open_pairs_true p : In p (open_pairs K) -> true_pair p.
Proof.
  unfold open_pairs. destruct (Nat.eqb_spec lies 0) as [Z|Z]; intros H.
  - apply in_flat_map in H as [c [Hc H]]. apply in_flat_map in H as [[s t] [Hp H]]. cbn [fst snd] in H.
    destruct (Nat.eqb_spec (kind s) (kind t)) as [E|E]; [destruct H|]. destruct H as [<-|[]].
    apply pairs_of_in in Hp as [Hs Ht]. destruct (cells_true c Hc s t Hs Ht) as [Bs T0].
    destruct (cells_true c Hc t s Ht Hs) as [Bt _]. exists s, t. unfold KitTheory.is_open, apart. rewrite T0.
    cbn [fst snd].
    repeat split; first [assumption|lia].
  - apply in_flat_map in H as [[s t] [Hp H]]. cbn [fst snd] in H.
    destruct (Nat.eqb_spec (kind s) (kind t)) as [E|E]; [destruct H|]. cbv zeta in H.
    apply pairs_of_in in Hp as [Hs Ht]. apply in_seq in Hs, Ht. unfold needs in H.
    rewrite told_is in H by (assumption || lia). destruct (Nat.ltb_spec 0 (apart - told K s t)) as [L|L];
      [|destruct H].
    destruct H as [<-|[]]. exists s, t. unfold KitTheory.is_open. fold apart.
    cbn [fst snd]. repeat split; first [assumption|lia].
Qed.

(** *** The last two questions *)

(** What a kit has to do for a pair. *)
Lemma pair_needs p X : true_pair p -> kit (K ++ X) -> (forall g, In g X -> g < questions) ->
  snd p <= List.length (filter (fun g => mem g (fst p)) X).
Proof.
  intros [s [t [[Hs [Ht [D _]]] [-> ->]]]] Kt B. rewrite told_is by assumption. specialize (Kt s t Hs Ht D).
  rewrite told_app in Kt. fold apart in Kt. lia.
Qed.

Definition rest (asked : option nat) (p : words * nat) : nat :=
  snd p - match asked with Some g => Nat.b2n (mem g (fst p)) | None => 0 end.

Lemma stuck_none left asked pairs : forall common, (forall p, In p pairs -> rest asked p = 0) ->
  stuck left asked pairs common false = false.
Proof.
  induction pairs as [|[T d] pairs IH]; intros common H; cbn [stuck]; [reflexivity|]. cbv zeta.
  pose proof (H (T, d) (or_introl eq_refl)) as Z. unfold rest in Z. cbn [fst snd] in Z. rewrite Z. cbn [Nat.eqb].
  apply IH. intros p Hp. apply H. right; exact Hp.
Qed.

Lemma stuck_one left asked y pairs : y < questions -> cost y <= left ->
  (forall p, In p pairs -> rest asked p <= Nat.b2n (mem y (fst p))) ->
  forall common still, mem y common = true -> stuck left asked pairs common still = false.
Proof.
  intros Hy C. induction pairs as [|[T d] pairs IH]; intros H common still M; cbn [stuck].
  - destruct still; [|reflexivity]. apply not_true_iff_false. intros E.
    assert (Q : left <? cost y = true); [|apply Nat.ltb_lt in Q; lia].
    apply (proj1 (forallb_forall _ _) E), in_members. auto.
  - cbv zeta. specialize (IH (fun p Hp => H p (or_intror Hp))). pose proof (H (T, d) (or_introl eq_refl)) as Z.
    unfold rest in Z. cbn [fst snd] in Z.
    destruct (Nat.eqb_spec (d - match asked with Some g => Nat.b2n (mem g T) | None => 0 end) 0) as [E|E];
      [apply IH, M|].
    destruct (mem y T) eqn:MT; cbn [Nat.b2n] in Z; [|lia]. destruct (Nat.ltb_spec 1 (d - match asked with Some g =>
      Nat.b2n (mem g T) | None => 0 end)); [lia|].
    assert (M' : mem y (inter questions common T) = true) by (rewrite mem_inter, M, MT by exact Hy; reflexivity).
    destruct (is_empty _ _) eqn:Em; [|apply IH, M'].
    rewrite (is_empty_true questions _ y Em Hy) in M'. discriminate.
Qed.

Lemma many_cost (F : nat -> bool) X : (forall g, g < questions -> F g = true -> least <= cost g) ->
  (forall g, In g X -> g < questions /\ F g = true) -> List.length X * least <= spent cost X.
Proof.
  intros L H. unfold spent. rewrite <- sum_alike. apply sum_le. intros g Hg. apply L; apply H, Hg.
Qed.

(** With one more question at most, or none. *)
Lemma fail_true left asked pairs A : left < 2 * least ->
  (forall g, g < questions -> mem g A = true -> least <= cost g) ->
  (forall p, In p pairs -> true_pair p) -> (forall g, asked = Some g -> g < questions) ->
  fail left asked pairs A = true ->
  fails (match asked with Some g => [g] | None => [] end ++ K) (fun g => mem g A) (S left).
Proof.
  intros Two Low P As H X [E N] Kt. apply Nat.nlt_ge. intros Q. assert (Q' : spent cost X <= left) by lia. clear Q.
  pose proof (many_cost (fun g => mem g A) X Low E) as C.
  assert (R : forall p, In p pairs -> rest asked p <= List.length (filter (fun g => mem g (fst p)) X)).
  { intros p Hp. set (a := match asked with Some g => [g] | None => [] end) in *.
    assert (B : snd p <= List.length (filter (fun g => mem g (fst p)) (a ++ X))).
    { apply pair_needs; [exact (P p Hp)| |].
      - apply (kit_perm _ _ _ _ ((a ++ K) ++ X)); [|exact Kt]. rewrite (Permutation_app_comm a K), <- app_assoc.
        reflexivity.
      - intros g Hg. apply in_app_or in Hg as [Hg|Hg]; [|exact (proj1 (E g Hg))]. unfold a in Hg.
        destruct asked as [h|]; [destruct Hg as [<-|[]]; apply As; reflexivity|destruct Hg]. }
    rewrite filter_app_length in B. unfold rest, a in *. destruct asked as [h|]; cbn [filter List.length] in B;
      [|lia].
    destruct (mem h (fst p)); cbn [Nat.b2n List.length] in *; lia. }
  unfold fail in H. destruct X as [|y [|z X]].
  - rewrite stuck_none in H; [discriminate|]. intros p Hp. specialize (R p Hp). cbn in R. lia.
  - destruct (E y (or_introl eq_refl)) as [Hy My]. cbn [List.length] in C. unfold spent in Q', C.
    rewrite sum_cons in Q', C.
    change (sum cost []) with 0 in *. destruct (Nat.leb_spec least left); [|lia].
    rewrite (stuck_one left asked y) in H; [discriminate|exact Hy|lia| |exact My].
    intros p Hp. specialize (R p Hp). cbn in R. destruct (mem y (fst p)); cbn in *; lia.
  - cbn [List.length] in C. lia.
Qed.

End Node.

Definition costly (A : words) : Prop := forall g, g < questions -> mem g A = true -> least <= cost g.

Lemma costly_minus A B : costly A -> costly (minus questions A B).
Proof. intros H g Hg M. apply H; [exact Hg|]. rewrite mem_minus in M by exact Hg. apply andb_prop in M. apply M. Qed.

Lemma costly_again A g : costly A -> costly (again A g).
Proof. intros H. unfold again. destruct (lies =? 0); [apply costly_minus|]; exact H. Qed.

(** A claim with one question more is one of the node. *)
Lemma refuted_by K A purse g : fails (g :: K) (fun h => mem h (again A g)) (purse - cost g) ->
  refuted K (fun h => mem h A) purse g.
Proof.
  intros H. apply (refuted_child _ _ _ _ _ _ _ _ (fun h => mem h (again A g))); [exact H|].
  intros h Hh M D. unfold again. destruct (Nat.eqb_spec lies 0) as [Z|Z]; [|exact M].
  rewrite mem_minus, mem_only, M by exact Hh. destruct D as [D|D]; [|contradiction].
  apply Nat.eqb_neq in D as ->. reflexivity.
Qed.

Lemma try_all_true K s t left pairs : (forall g, In g K -> g < questions) -> left < 3 * least ->
  (forall p, In p pairs -> true_pair K p) -> is_open K s t ->
  forall gs A, costly A -> (forall g, In g gs -> g < questions) ->
  (forall g, g < questions -> mem g A = true -> tells ans g s t = true -> In g gs) ->
  try_all left pairs gs A = true -> fails K (fun g => mem g A) (S left).
Proof.
  intros KB Three P O. induction gs as [|g gs IH]; intros A Cy GB W E; cbn [try_all] in E.
  - apply (pair_stuck _ _ _ _ _ _ _ _ _ s t O). intros g Hg M. apply not_true_iff_false. intros T.
    destruct (W g Hg M T).
  - apply andb_prop in E as [E1 E2].
    apply (fails_without _ _ _ _ _ _ _ _ (fun g' => mem g' (minus questions A (only questions g)))).
    + apply IH; [apply costly_minus, Cy|intros h Hh; apply GB; right; exact Hh| |exact E2].
      intros h Hh M T. rewrite mem_minus, mem_only in M by exact Hh. apply andb_prop in M as [M1 M2].
      destruct (W h Hh M1 T) as [->|I]; [|exact I]. rewrite Nat.eqb_refl in M2. discriminate.
    + intros h Hh M1 M2. rewrite mem_minus, mem_only, M1 in M2 by exact Hh. cbn in M2.
      apply negb_false_iff, Nat.eqb_eq in M2. subst h. apply refuted_by.
      apply orb_prop in E1 as [E1|E1].
      * apply Nat.ltb_lt in E1. replace (S left - cost g) with 0 by lia. apply nothing_left.
      * pose proof (Cy g Hh M1) as Cg. destruct (Nat.leb_spec (cost g) left) as [L|L].
        -- replace (S left - cost g) with (S (left - cost g)) by lia.
           apply (fail_true K (left - cost g) (Some g) pairs); [lia|apply costly_again, Cy|exact P| |exact E1].
           intros x [= <-]. exact Hh.
        -- replace (S left - cost g) with 0 by lia. apply nothing_left.
Qed.

Lemma tried_true K A purse : (forall g, In g K -> g < questions) -> costly A -> tried K A purse = true ->
  fails K (fun g => mem g A) purse.
Proof.
  intros KB Cy E. unfold tried in E. destruct purse as [|left]; [apply nothing_left|].
  destruct (Nat.leb_spec (3 * least) left) as [T|T]; [discriminate|]. cbv zeta in E.
  pose proof (open_pairs_true K KB) as P. destruct (Nat.ltb_spec left least) as [L|L].
  - intros X [B N] Kt. apply Nat.nlt_ge. intros Q. pose proof (many_cost (fun g => mem g A) X Cy B) as C.
    destruct (open_pairs K) as [|p pairs] eqn:O; [discriminate|].
    destruct X as [|x X]; [|cbn [List.length] in C; lia].
    destruct (P p (or_introl eq_refl)) as [s [t [[Hs [Ht [D Op]]] _]]]. specialize (Kt s t Hs Ht D).
    rewrite app_nil_r in Kt. lia.
  - set (ordered := map snd _) in E.
    assert (P' : forall p, In p ordered -> true_pair K p).
    { intros p Hp. apply in_map_iff in Hp as [[n q] [<- Hp]].
      apply (Permutation_in _ (Permutation_sym (ByNumber.Permuted_sort _))) in Hp.
      apply in_map_iff in Hp as [r [[= _ <-] Hr]]. exact (P r Hr). }
    destruct (Nat.ltb_spec left (2 * least)) as [L2|L2].
    + exact (fail_true K left None ordered A L2 Cy P' (fun g H => ltac:(discriminate)) E).
    + destruct ordered as [|[W d] pairs]; [discriminate|].
      destruct (P' (W, d) (or_introl eq_refl)) as [s [t [O [EW _]]]]. cbn [fst] in EW. subst W.
      eapply (try_all_true K s t left _ KB T P' O); [exact Cy| | |exact E].
      * intros g Hg. apply in_members in Hg. apply Hg.
      * intros g Hg M Tl. apply in_members. split; [exact Hg|]. rewrite mem_inter, M by exact Hg.
        unfold telling_two. rewrite mem_telling by (try assumption; apply same_length; apply O). exact Tl.
Qed.

(** *** Counting and prices *)

Lemma firsts_in cell : forall met s, In s (firsts cell met) -> In s cell /\ ~ In (kind s) met.
Proof.
  induction cell as [|x cell IH]; intros met s H; cbn [firsts] in H; [destruct H|].
  destruct (existsb (Nat.eqb (kind x)) met) eqn:E.
  - destruct (IH met s H) as [A B]. split; [right; exact A|exact B].
  - destruct H as [<-|H].
    + split; [left; reflexivity|]. intros I. rewrite <- not_true_iff_false in E. apply E, existsb_exists.
      exists (kind x). split; [exact I|apply Nat.eqb_refl].
    + destruct (IH _ s H) as [A B]. split; [right; exact A|]. intros I. apply B. right; exact I.
Qed.

Lemma firsts_once cell : forall met, NoDup (map kind (firsts cell met)).
Proof.
  induction cell as [|x cell IH]; intros met; cbn [firsts]; [constructor|]. destruct (existsb _ met); [apply IH|].
  cbn [map]. constructor; [|apply IH]. intros I. apply in_map_iff in I as [s [E I]].
  apply firsts_in in I as [_ I]. apply I. left. symmetry. exact E.
Qed.

Lemma longest_in lists : longest lists = [] \/ In (longest lists) lists.
Proof.
  unfold longest. assert (X : forall lists best, let l := fold_left (fun best l => let n := List.length best in
    let m := List.length l in if (n <? m) || (n =? m) && (hd 0 l <? hd 0 best) then l else best) lists best in
    l = best \/ In l lists).
  { clear. induction lists as [|x lists IH]; intros best; cbn [fold_left]; [left; reflexivity|].
    cbv zeta in *. destruct (_ || _); [destruct (IH x) as [->|I]|destruct (IH best) as [->|I]]; cbn [In]; auto. }
  apply X.
Qed.

Lemma cells_together K c : In c (cells K) -> together secrets ans kind K (firsts c []).
Proof.
  intros H. split; [apply firsts_once|]. split.
  - intros s Hs. apply firsts_in in Hs as [Hs _]. exact (proj1 (cells_true K c H s s Hs Hs)).
  - intros s t Hs Ht. apply firsts_in in Hs as [Hs _], Ht as [Ht _]. exact (proj2 (cells_true K c H s t Hs Ht)).
Qed.

Lemma useful_all A left g : g < questions -> mem g A = true -> cost g <= left -> In g (useful A left).
Proof. intros Hg M C. apply filter_In. split; [apply in_members; auto|apply Nat.leb_le, C]. Qed.

Lemma counted_true K A purse : costly A -> counted K A purse = true -> fails K (fun g => mem g A) purse.
Proof.
  intros Cy. unfold counted. cbv zeta. set (some := longest _).
  destruct purse as [|left]; [intros _; apply nothing_left|].
  assert (Tg : together secrets ans kind K some).
  { unfold some. destruct (longest_in (map (fun cell => firsts cell []) (cells K))) as [E|I].
    - rewrite E. split; [constructor|]. split; [intros s []|intros s t []].
    - apply in_map_iff in I as [c [<- Hc]]. apply cells_together, Hc. }
  clearbody some. destruct (Nat.eqb_spec lies 0) as [Z|Z]; intros E.
  - apply product_below_true in E. rewrite Nat.mul_1_l in E.
    eapply (counted_once _ _ _ _ _ _ _ _ left some (useful A left) _ _ Z Tg); [| | | | |exact E].
    + intros g. apply useful_all.
    + rewrite <- Permutation_rev. symmetry. apply Up.Permuted_sort.
    + apply rev_falling, up_rising.
    + symmetry. apply Up.Permuted_sort.
    + apply up_rising.
  - apply andb_prop in E as [E1 E4]. apply Nat.ltb_lt in E1.
    set (r := fold_left Nat.max (map (parts ans some) (useful A left)) 1) in *.
    destruct (greatest_of (map (parts ans some) (useful A left)) 1) as [R1 R2]. fold r in R1, R2. clearbody r.
    apply (counted_with_lies _ _ _ _ _ _ _ _ left some least r Tg E1 least_positive).
    + exact Cy.
    + intros g Hg M C. apply R2, in_map, useful_all; assumption.
    + exact R1.
    + cbv zeta. fold apart. apply orb_prop in E4 as [E4|E4]; [apply orb_prop in E4 as [E4|E4]|].
      * left. apply Nat.ltb_lt, E4.
      * right. left. destruct (Nat.eqb_spec r 1) as [Q|Q]; [rewrite Q, Nat.pow_1_l; exact E1|].
        apply power_below_true in E4. lia.
      * right. right. apply crowded_true, E4.
Qed.

Lemma dearest_true K A purse prices : (forall g, In g K -> g < questions) -> dearest K A purse prices = true ->
  fails K (fun g => mem g A) purse.
Proof.
  intros KB E. unfold dearest in E. cbv zeta in E. set (told_by := map _ prices) in E.
  apply andb_prop in E as [E1 E]. destruct purse as [|left]; [apply nothing_left|].
  assert (O : forall p, In p prices -> is_open K (fst (fst p)) (snd (fst p))).
  { intros p Hp. apply is_open_pair_true; [exact KB|]. exact (proj1 (forallb_forall _ _) E1 p Hp). }
  set (at_ := if lies =? 0 then _ else _) in E. set (rates := map _ (useful A left)) in E.
  apply andb_prop in E as [E2 E]. apply andb_prop in E as [E E5]. apply andb_prop in E as [E3 E4].
  apply Nat.leb_le in E2, E4. apply Nat.ltb_lt in E5.
  assert (D : capped (map (fun p => snd p * needs K (fst p)) told_by) = due lies ans K prices).
  { rewrite capped_is.
    - unfold due, sum, told_by. f_equal. rewrite map_map. apply map_ext_in. intros [[s t] p] Hp. cbn [fst snd].
      destruct (O _ Hp) as [Hs [Ht _]]. unfold needs. rewrite told_is by assumption. reflexivity.
    - etransitivity; [exact E2|]. apply Nat.div_le_upper_bound; [lia|]. nia. }
  set (over := fun g => gain ans prices g * snd at_ - fst at_ * cost g).
  assert (V : capped (map (fun r => fst r * snd at_ - fst at_ * snd r) rates) = sum over (useful A left)).
  { rewrite capped_is by exact E4. unfold sum, rates. f_equal. rewrite map_map. apply map_ext_in. intros g Hg.
    cbn [fst snd]. unfold over. f_equal. f_equal. unfold gain, sum, told_by. f_equal. rewrite map_map.
    apply map_ext_in.
    intros [[s t] p] Hp. cbn [fst snd]. destruct (O _ Hp) as [Hs [Ht _]]. cbn [fst snd] in *.
    apply filter_In in Hg as [Hg _]. apply in_members in Hg as [Hg _]. unfold telling_two.
    rewrite mem_telling by (try assumption; apply same_length; assumption). reflexivity. }
  rewrite D, V in *. apply (priced _ _ _ _ _ _ K _ left prices (useful A left) (fst at_) (snd at_) O).
  - intros g. apply useful_all.
  - cbv zeta. fold over. apply orb_prop in E3 as [E3|E3]; [left; apply Nat.eqb_eq, E3|right].
    apply Nat.eqb_eq in E3. intros g Hg. destruct (in_split g _ Hg) as [l1 [l2 E]].
    rewrite E, sum_app, sum_cons in E3.
    fold (over g). lia.
  - exact E5.
Qed.

(** *** Renamings *)

Definition good_renaming (K : list nat) (r : words * words) : Prop :=
  renames questions secrets ans cost kind (word_at (fst r)) /\ Permutation (map (word_at (fst r)) K) K.

Lemma renamings_in_true fuel K A : forall words_ done rs rest, (forall r, In r done -> good_renaming K r) ->
  renamings_in fuel K A words_ done = Some (rs, rest) -> forall r, In r rs -> good_renaming K r.
Proof.
  induction fuel as [|fuel IH]; intros [|w more] done rs rest D E; cbn [renamings_in] in E; try discriminate.
  destruct (spells "=" w); [|injection E as <- _; exact D].
  destruct (renaming_at K A more) as [[r more']|] eqn:R; [|discriminate].
  apply (IH more' (r :: done) rs rest); [|exact E]. intros q [<-|Hq]; [|exact (D q Hq)].
  unfold renaming_at in R. destruct (renaming_in more) as [[to more'']|] eqn:Q; [|discriminate].
  destruct (permuted _ K) eqn:P; [|discriminate]. destruct (keeps to A); [|discriminate]. injection R as <- _.
  split; [exact (renaming_true _ _ _ Q)|exact (permuted_true _ _ P)].
Qed.

Lemma keeps_true to A : keeps to A = true -> forall g, g < questions -> mem g A = true -> mem (word_at to g) A = true.
Proof.
  intros E g Hg M. assert (I : In g all) by (apply in_seq; lia).
  pose proof (proj1 (forallb_forall _ _) E g I) as Q. cbn beta in Q. rewrite M in Q. exact Q.
Qed.

Lemma orbit_true K A purse renamings g gone : (forall h, In h K -> h < questions) ->
  (forall r, In r renamings -> good_renaming K r) -> g < questions ->
  refuted K (fun h => mem h A) purse g -> orbit renamings A g = Some gone ->
  forall h, h < questions -> mem h gone = true -> refuted K (fun h => mem h A) purse h.
Proof.
  intros KB G Hg R E. set (P := fun h => refuted K (fun h => mem h A) purse h).
  assert (One : forall h, h < questions -> mem h (only questions g) = true -> P h).
  { intros h Hh M. rewrite mem_only in M by exact Hh. apply Nat.eqb_eq in M. subst h. exact R. }
  unfold orbit in E. destruct renamings as [|r0 rs] eqn:Q; [injection E as <-; exact One|]. rewrite <- Q in *.
  clear Q r0 rs.
  destruct (forallb _ renamings) eqn:Kp; [|discriminate].
  remember (S (questions * List.length renamings)) as many eqn:F in E. clear F. injection E as <-.
  assert (Step : forall x h, x < questions -> P x -> In h (befores renamings x) -> h < questions /\ P h).
  { intros x h Hx Px H. apply in_flat_map in H as [r [Hr H]].
    cbv zeta in H. destruct (_ && _) eqn:B in H; [|destruct H]. destruct H as [<-|[]].
    apply andb_prop in B as [B1 B2].
    apply Nat.ltb_lt in B1. apply Nat.eqb_eq in B2. split; [exact B1|]. destruct (G r Hr) as [G1 G2].
    apply (refuted_back _ _ _ _ _ _ K _ purse (word_at (fst r)) _ G1 KB G2); [|rewrite B2; exact Px].
    intros y Hy My. exact (keeps_true _ _ (proj1 (forallb_forall _ _) Kp r Hr) y Hy My). }
  assert (X : forall fuel work O, (forall x, In x work -> x < questions /\ P x) ->
    (forall h, h < questions -> mem h O = true -> P h) ->
    forall h, h < questions -> mem h (spread fuel renamings work O) = true -> P h).
  { induction fuel as [|fuel IH]; intros [|x work] O W HO; cbn [spread]; try exact HO.
    destruct (W x (or_introl eq_refl)) as [Hx Px]. set (near := filter _ _).
    assert (Near : forall h, In h near -> h < questions /\ P h)
      by (intros h Hh; apply filter_In in Hh as [Hh _]; exact (Step x h Hx Px Hh)).
    apply IH.
    - intros h Hh. apply in_app_or in Hh as [Hh|Hh]; [exact (Near h Hh)|apply W; right; exact Hh].
    - clearbody near. revert O HO. induction near as [|y near IHn]; intros O HO; [exact HO|]. cbn [fold_left].
      apply IHn; [intros h Hh; apply Near; right; exact Hh|]. intros h Hh M. rewrite mem_add in M by exact Hh.
      apply orb_prop in M as [M|M]; [|exact (HO h Hh M)]. apply Nat.eqb_eq in M. subst h.
      exact (proj2 (Near y (or_introl eq_refl))). }
  refine (X _ [g] (only questions g) _ One). intros x [<-|[]]. split; [exact Hg|exact R].
Qed.

(** A question was shown to be in no kit: all of its orbit may be left out. *)
Lemma leave_out K A purse renamings g gone : (forall h, In h K -> h < questions) ->
  (forall r, In r renamings -> good_renaming K r) -> g < questions ->
  fails (g :: K) (fun h => mem h (again A g)) (purse - cost g) -> orbit renamings A g = Some gone ->
  fails K (fun h => mem h (minus questions A gone)) purse -> fails K (fun h => mem h A) purse.
Proof.
  intros KB G Hg C O F. apply (fails_without _ _ _ _ _ _ _ _ _ _ F). intros h Hh M N.
  rewrite mem_minus, M in N by exact Hh. cbn in N. apply negb_false_iff in N.
  exact (orbit_true K A purse renamings g gone KB G Hg (refuted_by K A purse g C) O h Hh N).
Qed.

(** Of a pair all questions that tell it apart wait. *)
Definition all_wait (s t : nat) (A waiting : words) : Prop :=
  forall g, g < questions -> mem g A = true -> tells ans g s t = true -> mem g waiting = true.

Lemma all_wait_minus s t A waiting gone : all_wait s t A waiting ->
  all_wait s t (minus questions A gone) (minus questions waiting gone).
Proof.
  intros W g Hg M T. rewrite mem_minus in * by exact Hg. apply andb_prop in M as [M1 M2]. rewrite (W g Hg M1 T).
  exact M2.
Qed.

Lemma others_tried_true s t K purse renamings : (forall h, In h K -> h < questions) ->
  (forall r, In r renamings -> good_renaming K r) -> is_open K s t ->
  forall gs A waiting, costly A -> (forall g, In g gs -> g < questions) ->
  (forall g, g < questions -> mem g waiting = true -> In g gs) -> all_wait s t A waiting ->
  others_tried gs K A waiting purse renamings = true -> fails K (fun g => mem g A) purse.
Proof.
  intros KB G O. induction gs as [|g gs IH]; intros A waiting Cy GB I W E; cbn [others_tried] in E.
  - apply (pair_stuck _ _ _ _ _ _ _ _ _ s t O). intros g Hg M. apply not_true_iff_false. intros T.
    exact (I g Hg (W g Hg M T)).
  - assert (Hg : g < questions) by (apply GB; left; reflexivity).
    assert (GB' : forall h, In h gs -> h < questions) by (intros h Hh; apply GB; right; exact Hh).
    destruct (mem g waiting) eqn:Mg.
    + apply andb_prop in E as [E1 E2]. destruct (orbit renamings A g) as [gone|] eqn:Ob; [|discriminate].
      assert (C : fails (g :: K) (fun h => mem h (again A g)) (purse - cost g)).
      { apply tried_true; [|apply costly_again, Cy|exact E1]. intros h [<-|Hh]; auto. }
      apply (leave_out K A purse renamings g gone KB G Hg C Ob).
      apply (IH _ (minus questions waiting gone)); [apply costly_minus, Cy|exact GB'| |apply all_wait_minus,
        W|exact E2].
      intros h Hh M. rewrite mem_minus in M by exact Hh. apply andb_prop in M as [M1 M2].
      destruct (I h Hh M1) as [<-|J]; [|exact J]. exfalso. unfold orbit in Ob.
      assert (Self : mem g gone = true); [|rewrite Self in M2; discriminate].
      assert (Mono : forall fuel work O, mem g O = true -> mem g (spread fuel renamings work O) = true).
      { induction fuel as [|fuel IHf]; intros [|x work] O' M; cbn [spread]; try exact M. apply IHf.
        generalize (filter (fun h => negb (mem h O')) (befores renamings x)) as near. clear IHf. intros near.
        revert O' M.
        induction near as [|y near IHn]; intros O' M; [exact M|]. cbn [fold_left]. apply IHn.
        rewrite mem_add, M by exact Hg. apply orb_true_r. }
      assert (Own : mem g (only questions g) = true) by (rewrite mem_only, Nat.eqb_refl by exact Hg; reflexivity).
      destruct renamings; [injection Ob as <-; exact Own|]. destruct (forallb _ _) in Ob; [|discriminate].
      remember (S (questions * List.length _)) as many eqn:F in Ob. clear F. injection Ob as <-. apply Mono, Own.
    + apply (IH A waiting Cy GB'); [|exact W|exact E]. intros h Hh M. destruct (I h Hh M) as [<-|J];
        [congruence|exact J].
Qed.

(** *** Bodies *)

Theorem body_true fuel :
  (forall deep K A purse words_ rest, (forall g, In g K -> g < questions) -> costly A ->
    body fuel deep K A purse words_ = inl rest -> fails K (fun g => mem g A) purse) /\
  (forall deep K A waiting purse renamings words_ rest s t, (forall g, In g K -> g < questions) -> costly A ->
    (forall r, In r renamings -> good_renaming K r) -> is_open K s t -> all_wait s t A waiting ->
    children fuel deep K A waiting purse renamings words_ = inl rest -> fails K (fun g => mem g A) purse).
Proof.
  induction fuel as [|fuel [IHb IHc]]; [split; intros; discriminate|]. split.
  - intros deep K A purse [|w more] rest KB Cy E; cbn [body] in E; [discriminate|]. cbv zeta in E.
    destruct (spells "." w).
    { destruct (tried K A purse) eqn:T; [|discriminate]. exact (tried_true K A purse KB Cy T). }
    destruct (spells "#" w).
    { destruct (counted K A purse) eqn:T; [|discriminate]. exact (counted_true K A purse Cy T). }
    destruct (spells "$" w).
    { destruct (prices_in fuel more []) as [[prices rest']|]; [|discriminate].
      destruct (dearest K A purse prices) eqn:T; [|discriminate]. exact (dearest_true K A purse prices KB T). }
    destruct (spells "(" w); [|discriminate].
    destruct (renamings_in fuel K A more []) as [[renamings [|v [|x rest']]]|] eqn:R; try discriminate.
    destruct (secret_in v) as [s|]; [|discriminate]. destruct (secret_in x) as [t|]; [|discriminate].
    destruct (is_open_pair K s t) eqn:Op; [|discriminate]. apply is_open_pair_true in Op; [|exact KB].
    eapply (IHc _ K A _ purse renamings rest' rest s t KB Cy); [| | |exact E].
    + apply (renamings_in_true fuel K A more [] renamings _ (fun r H => match H with end) R).
    + exact Op.
    + intros g Hg M T. rewrite mem_inter, M by exact Hg. unfold telling_two.
      rewrite mem_telling by (try assumption; apply same_length; apply Op). exact T.
  - intros deep K A waiting purse renamings [|w more] rest s t KB Cy G O W E; cbn [children] in E; [discriminate|].
    destruct (spells ")" w).
    { destruct (others_tried _ K A waiting purse renamings) eqn:T; [|discriminate].
      apply (others_tried_true s t K purse renamings KB G O (members questions waiting) A waiting Cy);
        [| |exact W|exact T].
      - intros g Hg. apply in_members in Hg. apply Hg.
      - intros g Hg M. apply in_members. auto. }
    destruct (question_in w) as [g|]; [|discriminate]. destruct deep as [|deeper]; [discriminate|].
    destruct (_ && _) eqn:Q in E; [|discriminate]. apply andb_prop in Q as [Q _]. apply Nat.ltb_lt in Q.
    destruct (body fuel deeper (g :: K) (again A g) (purse - cost g) more) as [rest'|] eqn:B; [|discriminate].
    destruct (orbit renamings A g) as [gone|] eqn:Ob; [|discriminate].
    assert (C : fails (g :: K) (fun h => mem h (again A g)) (purse - cost g)).
    { apply (IHb deeper (g :: K) _ _ more rest'); [|apply costly_again, Cy|exact B]. intros h [<-|Hh]; auto. }
    apply (leave_out K A purse renamings g gone KB G Q C Ob).
    exact (IHc (S deeper) K _ _ purse renamings rest' rest s t KB (costly_minus _ _ Cy) G O (all_wait_minus _ _ _ _
      _ W) E).
Qed.

(** ** The whole *)

Variables must_have never : nat -> bool.

(** K1: what was asked, what is allowed, what is left. Nothing if the claim is accepted; otherwise how many words are
    left where it is refused. *)
Definition refused (bound : nat) (proof : list text) : option nat :=
  let must := filter must_have all in
  let free := filter (fun g => negb (never g) && (cost g =? 0)) all in
  let allowed := set questions (fun g => negb (never g) && negb (cost g =? 0) && negb ((lies =? 0) && must_have g)) in
  if forallb (fun g => (cost g =? 0) || (least <=? cost g)) all then
    match body (2 * List.length proof + 2) (Nat.pow 10 3) (must ++ List.concat (repeat free apart)) allowed
      (fold_left (fun p g => p - cost g) must bound) proof with
    | inl [] => None
    | inl rest => Some (List.length rest)
    | inr more => Some more
    end
  else Some (List.length proof).

Theorem refused_true bound proof : refused bound proof = None -> forall Z,
  (forall g, In g Z -> g < questions /\ never g = false) ->
  (forall g, g < questions -> must_have g = true -> In g Z) ->
  kit Z -> bound <= spent cost Z.
Proof.
  unfold refused. cbv zeta. set (must := filter must_have all). set (free := filter _ all).
  set (allowed := set questions _). destruct (forallb _ all) eqn:Low; [|discriminate].
  destruct (body _ _ _ _ _ proof) as [[|w rest]|] eqn:B; try discriminate. intros _ Z A I Kt.
  assert (In_all : forall g, In g all <-> g < questions) by (intros g; unfold all, range; rewrite in_seq; lia).
  assert (P : fold_left (fun p g => p - cost g) must bound = bound - spent cost must).
  { clear. revert bound. induction must as [|g l IH]; intros bound; cbn [fold_left]; [cbn; lia|].
    rewrite IH. unfold spent. rewrite sum_cons. lia. }
  rewrite P in B. apply (proj1 (body_true _)) in B.
  - apply (root questions secrets lies ans cost kind must free (fun g => (g <? questions) && mem g allowed) bound Z).
    + apply NoDup_filter, seq_NoDup.
    + intros g Hg. apply filter_In in Hg as [_ Hg]. apply andb_prop in Hg as [_ Hg]. apply Nat.eqb_eq, Hg.
    + intros g Hg. destruct (A g Hg) as [Hq Nv]. split; [exact Hq|]. unfold allowed. rewrite mem_set by exact Hq.
      apply Nat.ltb_lt in Hq as Hq'. rewrite Hq', Nv. destruct (Nat.eqb_spec (cost g) 0) as [C|C].
      * right. left. apply filter_In. split; [apply In_all, Hq|]. rewrite Nv, C. reflexivity.
      * destruct ((lies =? 0) && must_have g) eqn:M; [right; right|left; reflexivity].
        apply andb_prop in M as [M1 M2].
        split; [apply Nat.eqb_eq, M1|]. apply filter_In. split; [apply In_all, Hq|exact M2].
    + intros g Hg Z0 M. apply andb_prop in Hg as [Hq Hg]. apply Nat.ltb_lt in Hq. unfold allowed in Hg.
      rewrite mem_set in Hg by exact Hq. apply filter_In in M as [_ M]. rewrite M, Z0 in Hg. cbn in Hg.
      rewrite andb_false_r in Hg. discriminate.
    + intros g Hg. apply filter_In in Hg as [Hq M]. apply I; [apply In_all, Hq|exact M].
    + exact Kt.
    + intros X [E N] KX. apply B; [|exact KX]. split; [|exact N]. intros g Hg. destruct (E g Hg) as [Hq Q].
      apply andb_prop in Q as [_ Q]. auto.
  - intros g Hg. apply in_app_or in Hg as [Hg|Hg].
    + apply filter_In in Hg as [Hg _]. apply In_all, Hg.
    + apply in_concat in Hg as [l [Hl Hg]]. apply repeat_spec in Hl. subst l. apply filter_In in Hg as [Hg _].
      apply In_all, Hg.
  - intros g Hg M. unfold allowed in M. rewrite mem_set in M by exact Hg. apply andb_prop in M as [M _].
    apply andb_prop in M as [_ M]. apply negb_true_iff in M.
    pose proof (proj1 (forallb_forall _ _) Low g (proj2 (In_all g) Hg)) as Q. cbn beta in Q. rewrite M in Q.
    apply Nat.leb_le, Q.
Qed.

End Checker.
