(** The checker of whole certificates of tests that may get several answers, and the theorem: what it accepts is
    true of the table. *)

From Coq Require Import Ascii String List Arith NArith Bool Lia.
From Proof Require Import Text Store NoisyGame NoisyTheory NoisyChecker.
Import ListNotations.
Local Open Scope N_scope.
Local Open Scope list_scope.

(** ** What is looked up *)

Section Lookup.

Variable G : game.

Let tests_ := all_tests G.
Let causes_ := causes G.
Notation cell := (cell G).

Definition least_row : list bound :=
  map (fun i => if decides G then fold_right (fun d v => lesser (loss G d i) v) None (seq 0 (List.length (decisions
    G)))
    else Some 0) causes_.

Definition stops_row : list bound :=
  map (fun i => fold_right (fun t v =>
    if existsb (fun r => is_gone G t (fst r)) (cell t i) then lesser (Some (later_of G t)) v else v) None tests_)
      causes_.

Definition opening_row : list N :=
  map (fun u => match group_of G u with
    | Some _ => match fold_right (fun t v => if same_group G u t then lesser (Some (price_of G t)) v else v) None
      tests_ with
                | Some p => p | None => 0 end
    | None => 0 end) tests_.

Definition overlap_rows : list (list bool) :=
  if cliques G then map (fun i => map (fun j => overlap G i j) causes_) causes_ else [].

Definition apart_rows : list (list bound) :=
  if decides G || path_ends G || negb (List.length causes_ <=? 300)%nat then [] else
  map (fun i => map (fun j => if (i =? j)%nat || cliques G && overlap G i j then Some 0
    else fold_right (fun t v => if existsb (fun r => rate (cell t j) (fst r) =? 0) (cell t i) then lesser (Some
      (later_of G t)) v else v)
      None tests_) causes_) causes_.

Definition lookup_of : lookup :=
  let ls := least_row in let ss := stops_row in let os := opening_row in let vs := overlap_rows in let ps :=
    apart_rows in
  let k := fold_right Nat.max O (map (fun t => List.length (going G t)) tests_) in
  {| least := fun i => nth i ls None; stops := fun i => nth i ss None; opening := fun t => nth t os 0;
     apart := fun i j => nth j (nth i ps []) None; overlaps := fun i j => nth j (nth i vs []) false; branching := k
       |}.

Definition no_more (b : bound) (x : N) : bool := match b with Some v => v <=? x | None => false end.
Definition is_zero (b : bound) : bool := match b with Some 0 => true | _ => false end.

(** That the table is one, and that what is looked up is right. *)
Definition sound (L : lookup) : bool :=
  forallb (fun t =>
    let each := answers G t in let d := multiple (the_test G t) in
    (later_of G t <=? price_of G t) && forallb (fun u => (u <? count G)%nat) (needs_of G t) &&
    (List.length (going G t) <=? branching L)%nat &&
    forallb (fun u => negb (same_group G u t) || (opening L u <=? price_of G t)) tests_ &&
    forallb (fun i =>
      let s := total_rate G t i in
      negb (s =? 0) && (sum_of (map (rate (cell t i)) each) =? s) && (d mod s =? 0) &&
      forallb (fun a => negb (is_gone G t a) || (rate (cell t i) a =? 0) || no_more (stops L i) (later_of G t)) each)
        causes_) tests_ &&
  forallb (fun i =>
    (if decides G then forallb (fun d => match loss G d i with Some x => no_more (least L i) x | None => true end)
       (seq 0 (List.length (decisions G)))
     else is_zero (least L i)) &&
    (negb (cliques G) || forallb (fun j => Bool.eqb (overlaps L i j) (overlap G i j)) causes_) &&
    (decides G || path_ends G || negb (List.length (weights G) <=? 300)%nat ||
     forallb (fun j =>
       if (i =? j)%nat || cliques G && overlap G i j then is_zero (apart L i j)
       else forallb (fun t => forallb (fun a => (rate (cell t i) a =? 0) || negb (rate (cell t j) a =? 0) ||
         no_more (apart L i j) (later_of G t)) (answers G t)) tests_) causes_)) causes_ &&
  negb (empty (weights G)) && forallb (fun w => negb (w =? 0)) (weights G) && negb (mass_unit G false =? 0).

End Lookup.

(** ** Reading a proof *)

Section Reading.

Variable G : game.
Variable worst : bool.
Variable L : lookup.
Variable most : N.

(** A number of any size; what is more than any strategy costs stands for infinity. *)
Definition large (w : text) : option bound :=
  match digits w with
  | Some (x :: l) =>
      if (List.length l <? 4096)%nat && forallb (fun x => x <? 10)%nat (x :: l) && ((0 <? x)%nat || empty l) then
        let n := fold_left (fun v x => 10 * v + N.of_nat x) (x :: l) 0 in
        Some (if n <=? most then Some n else None)
      else None
  | _ => None
  end.

Definition test_in (w : text) : option nat :=
  match number_of_digits 4 w with Some (S t) => if (t <? count G)%nat then Some t else None | _ => None end.

(** How far a body says to look ahead. *)
Definition ahead_in (w : text) : option nat :=
  if spells "." w then Some 1%nat
  else match number_of_digits 6 w with Some n => if (n <=? Nat.pow 10 5)%nat then Some (Nat.min n (count G)) else
    None | None => None end.

Definition child_in (M : masses) (asked : list nat) (t : nat) (w : text) : option masses :=
  match (if mem t asked then None else index w (names (the_test G t))) with
  | Some a => if is_gone G t a then None else match after G worst t a M with [] => None | M' => Some M' end
  | None => None
  end.

(** Items up to the end of the body of a claim; the rest of the words and what is known then, or how many words are
    left where it is refused. [deep]: how many claims there may be inside; [only]: the one first test. *)
Definition judge (ahead : nat) (only : option nat) (M : masses) (asked : list nat) (b : bound) (mem : memory) : bool
  * memory :=
  match only with
  | Some t => passes G worst L ahead M asked b t mem
  | None => accepts G worst L ahead M asked b mem
  end.

Fixpoint items (fuel : nat) (words : list text) (deep : nat) (only : option nat) (M : masses) (asked : list nat) (b :
  bound)
    (mem : memory) : (list text * memory) + nat :=
  let refused (_ : Datatypes.unit) := inr (List.length words) in
  match fuel, words with
  | S fuel, w :: words =>
      if spells ")" w then
        let jm := judge 1 only M asked b mem in if fst jm then inl (words, snd jm) else refused tt
      else
        match words with
        | a :: c :: body :: words =>
            match test_in w, large c, deep with
            | Some t, Some b', S deep' =>
                match child_in M asked t a with
                | Some M' =>
                    if spells "(" body then
                      match items fuel words deep' None M' (t :: asked) b' mem with
                      | inl (words, mem) => items fuel words deep only M asked b mem
                      | inr more => inr more
                      end
                    else
                      match ahead_in body with
                      | Some n =>
                          let jm := judge n None M' (t :: asked) b' mem in
                          if fst jm then items fuel words deep only M asked b (snd jm) else refused tt
                      | None => refused tt
                      end
                | None => refused tt
                end
            | _, _, _ => refused tt
            end
        | _ => refused tt
        end
  | _, _ => refused tt
  end.

Definition refusal (words : list text) (only : option nat) (b : bound) : option nat :=
  let M := beginning G worst in
  match words with
  | o :: words =>
      if spells "(" o then
        match items (List.length words) words 1000 only M [] b Nil with
        | inl ([], _) => None
        | inl (words, _) => Some (List.length words)
        | inr more => Some more
        end
      else
        match ahead_in o with
        | Some n => if fst (judge n only M [] b Nil) then match words with [] => None | _ => Some (List.length words)
          end
                    else Some (List.length words)
        | None => Some (List.length words)
        end
  | [] => Some O
  end.

End Reading.

(** ** Whole files *)

Definition printable (c : ascii) : bool := blank c || (let n := nat_of_ascii c in (32 <=? n)%nat && (n <=? 126)%nat).

(** Cells of a test that differ, counted where there may be too many. *)
Definition same_cell (c d : list (nat * N)) : bool :=
  (List.length c =? List.length d)%nat && forallb (fun r => rate d (fst r) =? snd r) c.

Definition few_cells (t : test) : bool :=
  let most := Nat.pow 2 12 in
  (List.length (cells t) <=? most)%nat ||
  (List.length (fold_left (fun met c => if existsb (same_cell c) met then met else c :: met) (cells t) []) <=? most)%nat.

(** The sizes that a table may have. *)
Definition small (G : game) (worst : bool) : bool :=
  (count G <=? 1000)%nat && (count G + List.length (decisions G) <=? Nat.pow 10 5)%nat && (List.length (weights G)
    <=? Nat.pow 10 5)%nat &&
  forallb (fun t => (List.length (names t) <=? Nat.pow 2 12)%nat && few_cells t) (tests G) &&
  (sum_of (map price (tests G)) <=? 10 ^ 17) && (sum_of (weights G) <=? 10 ^ 17) &&
  (worst || forallb (fun t => multiple t <=? 10 ^ 15) (tests G) && (N.size (mass_unit G false) <=? 4000)).

Definition most_of (G : game) (worst : bool) : N :=
  let lost := fold_right N.max 0 (map (fun x => match x with Some l => l | None => 0 end) (List.concat (decisions
    G))) in
  (sum_of (map price (tests G)) + lost) * (if worst then 1 else mass_unit G false * sum_of (weights G)).

(** The claim that a file proves of a table, or how many words are left where it is refused. *)
Definition check (table certificate : text) : claim + nat :=
  match words_of certificate with
  | format :: second :: digest :: name :: goal :: first :: within :: cost :: proof =>
      let refused := inr (List.length proof) in
      if spells "guesstree-proof/1" format && spells "noisy" second && spells "identify" goal && forallb printable
        certificate then
        match game_of table with
        | Some G =>
            match (if spells "-" first then Some None
                   else match test_in G first with
                        | Some t => if empty (needs_of G t) then Some (Some t) else None
                        | None => None
                        end),
                  (if spells "-" within then
                     match large (most_of G false) cost with
                     | Some (Some n) => Some (false, Some n, Expected n)
                     | Some None => Some (false, None, Endless)
                     | None => None
                     end
                   else if spells "inf" cost then
                     match number within with
                     | Some n => Some (true, (if n + 1 <=? most_of G true then Some (n + 1) else None), Over n)
                     | None => None
                     end
                   else None) with
            | Some only, Some (worst, b, said) =>
                let L := lookup_of G in
                if small G worst && sound G L then
                  match refusal G worst L (most_of G worst) proof only b with
                  | None => inl {| NoisyGame.first := only; costs := said |}
                  | Some more => inr more
                  end
                else refused
            | _, _ => refused
            end
        | None => refused
        end
      else refused
  | _ => inr O
  end.

(** ** Why it is right *)

Section Truth.

Variable G : game.
Variable worst : bool.
Variable L : lookup.
Hypothesis Sound : sound G L = true.

Definition sound_test (t : nat) : Prop :=
  later_of G t <= price_of G t /\ (forall u, In u (needs_of G t) -> (u < count G)%nat) /\
  (List.length (going G t) <= branching L)%nat /\
  (forall u, (u < count G)%nat -> same_group G u t = true -> opening L u <= price_of G t) /\
  forall i, In i (causes G) -> good_cell G t i /\
    forall a, In a (answers G t) -> is_gone G t a = true -> rate (cell G t i) a <> 0 -> below (stops L i) (later_of G
      t).

Lemma no_more_below b x : no_more b x = true -> below b x.
Proof. destruct b; cbn; [apply N.leb_le|discriminate]. Qed.

Lemma is_zero_eq b : is_zero b = true -> b = Some 0.
Proof. destruct b as [[|]|]; cbn; congruence. Qed.

Lemma tests_are t : (t < count G)%nat -> sound_test t.
Proof.
  intros Ht. pose proof Sound as S. unfold sound in S. do 4 (apply andb_prop in S as [S _]).
  pose proof (proj1 (forallb_forall _ _) S t ltac:(apply in_seq; unfold count in *; lia)) as Q. cbv beta zeta in Q.
    clear S.
  apply andb_prop in Q as [Q Q5]. apply andb_prop in Q as [Q Q4]. apply andb_prop in Q as [Q Q3]. apply andb_prop in
    Q as [Q1 Q2].
  split; [apply N.leb_le, Q1|]. split.
  { intros u Hu. apply Nat.ltb_lt. exact (proj1 (forallb_forall _ _) Q2 u Hu). }
  split; [apply Nat.leb_le, Q3|]. split.
  { intros u Hu Gu. pose proof (proj1 (forallb_forall _ _) Q4 u ltac:(apply in_seq; unfold count in *; lia)) as X.
    cbv beta in X.
    rewrite Gu in X. apply N.leb_le, X. }
  intros i Hi. pose proof (proj1 (forallb_forall _ _) Q5 i Hi) as X. cbv beta zeta in X. clear - X.
  apply andb_prop in X as [X X4]. apply andb_prop in X as [X X3]. apply andb_prop in X as [X1 X2].
  apply negb_true_iff, N.eqb_neq in X1. apply N.eqb_eq in X2. apply N.eqb_eq in X3. split.
  - split; [exact X1|]. split; [exact X2|]. apply N.mod_divide; assumption.
  - intros a Ha Hg R. pose proof (proj1 (forallb_forall _ _) X4 a Ha) as Y. cbv beta in Y. rewrite Hg in Y.
    destruct (N.eqb_spec (rate (cell G t i) a) 0); [contradiction|]. apply no_more_below, Y.
Qed.

Definition sound_cause (i : nat) : Prop :=
  (decides G = true -> forall d x, (d < List.length (decisions G))%nat -> loss G d i = Some x -> below (least L i) x)
    /\
  (decides G = false -> least L i = Some 0) /\
  (cliques G = true -> forall j, In j (causes G) -> overlaps L i j = overlap G i j) /\
  (decides G = false -> path_ends G = false -> (List.length (weights G) <= 300)%nat -> forall j, In j (causes G) ->
     (i = j \/ cliques G = true /\ overlap G i j = true -> apart L i j = Some 0) /\
     forall t a, (t < count G)%nat -> In a (answers G t) -> rate (cell G t i) a <> 0 -> rate (cell G t j) a = 0 ->
       below (apart L i j) (later_of G t)).

Lemma causes_are i : In i (causes G) -> sound_cause i.
Proof.
  intros Hi. pose proof Sound as S. unfold sound in S. do 3 (apply andb_prop in S as [S _]). apply andb_prop in S as
    [_ S].
  pose proof (proj1 (forallb_forall _ _) S i Hi) as Q. cbv beta in Q. clear S.
  apply andb_prop in Q as [Q Q3]. apply andb_prop in Q as [Q1 Q2]. split; [|split; [|split]].
  - intros D d x Hd E. rewrite D in Q1. pose proof (proj1 (forallb_forall _ _) Q1 d ltac:(apply in_seq; lia)) as X.
    cbv beta in X.
    rewrite E in X. apply no_more_below, X.
  - intros D. rewrite D in Q1. apply is_zero_eq, Q1.
  - intros C j Hj. rewrite C in Q2. cbn [negb orb] in Q2. apply Bool.eqb_prop. exact (proj1 (forallb_forall _ _) Q2 j
    Hj).
  - intros D P B j Hj. rewrite D, P in Q3. apply Nat.leb_le in B. rewrite B in Q3. cbn [negb orb] in Q3.
    pose proof (proj1 (forallb_forall _ _) Q3 j Hj) as X. cbv beta in X. split.
    + intros Y. apply is_zero_eq. destruct ((i =? j)%nat || cliques G && overlap G i j) eqn:E; [exact X|exfalso].
      apply orb_false_elim in E as [E1 E2]. apply Nat.eqb_neq in E1. destruct Y as [Y|[Y1 Y2]]; [contradiction|].
      rewrite Y1, Y2 in E2. discriminate.
    + intros t a Ht Ha Ri Rj. destruct ((i =? j)%nat || cliques G && overlap G i j).
      * apply is_zero_eq in X. rewrite X. apply N.le_0_l.
      * pose proof (proj1 (forallb_forall _ _) X t ltac:(apply in_seq; unfold count in *; lia)) as Y. cbv beta in Y.
        pose proof (proj1 (forallb_forall _ _) Y a Ha) as Z. cbv beta in Z. rewrite Rj in Z.
        destruct (N.eqb_spec (rate (cell G t i) a) 0); [contradiction|]. apply no_more_below, Z.
Qed.

Lemma overflow t : (count G <= t)%nat -> the_test G t = no_test.
Proof. intros H. apply nth_overflow, H. Qed.

Lemma cheaper t : later_of G t <= price_of G t.
Proof.
  destruct (Nat.lt_ge_cases t (count G)) as [H|H]; [apply (tests_are t H)|]. unfold later_of, price_of. rewrite
    overflow by exact H. apply N.le_refl.
Qed.

Notation fine := (fine G worst).
Notation at_least := (at_least G worst (price_of G) (later_of G) (group_of G) (needs_of G)).
Notation ask_at_least := (ask_at_least G worst (price_of G) (later_of G) (group_of G) (needs_of G)).
Notation fact_true := (fact_true G worst).

Lemma good t i : (t < count G)%nat -> In i (causes G) -> good_cell G t i.
Proof. intros H C. apply (tests_are t H), C. Qed.

Ltac given := first
  [ exact good | exact cheaper
  | intros u t Hu; apply (tests_are u Hu)
  | intros d i x Hd Hi E; destruct (decides G) eqn:D;
      [ exact (proj1 (causes_are i Hi) D d x Hd E) | unfold decides in D; destruct (decisions G); [inversion
        Hd|discriminate] ]
  | intros E i Hi; apply (causes_are i Hi); unfold decides; rewrite E; reflexivity
  | intros t i a Ht Hi Ha Hg R; exact (proj2 (proj2 (proj2 (proj2 (proj2 (tests_are t Ht)))) i Hi) a Ha Hg R)
  | intros u t g Ht Gu Gt; apply (tests_are t Ht);
      [ destruct (Nat.lt_ge_cases u (count G)) as [Hu|Hu]; [exact Hu|unfold group_of in Gu; rewrite overflow in Gu by
        exact Hu; discriminate]
      | unfold same_group; rewrite Gu, Gt; apply Nat.eqb_refl ]
  | intros D P B i j Hi Hj X; exact (proj1 (proj2 (proj2 (proj2 (causes_are i Hi))) D P B j Hj) X)
  | intros D P B t i j a Ht Hi Hj Ha Ri Rj; exact (proj2 (proj2 (proj2 (proj2 (causes_are i Hi))) D P B j Hj) t a Ht
    Ha Ri Rj)
  | intros C i j Hi Hj; exact (proj1 (proj2 (proj2 (causes_are i Hi))) C j Hj)
  | intros t Ht; apply (tests_are t Ht) ].

Lemma accepted ahead M asked b mem : fine M asked -> all fact_true mem ->
  (fst (accepts G worst L ahead M asked b mem) = true -> at_least M asked b) /\ all fact_true (snd (accepts G worst L
    ahead M asked b mem)).
Proof. intros F Q. apply accepts_true; try assumption; given. Qed.

Lemma passed ahead M asked b guess mem : fine M asked -> (guess < count G)%nat -> ~ In guess asked -> all fact_true
  mem ->
  (fst (passes G worst L ahead M asked b guess mem) = true -> ask_at_least guess M asked b) /\
  all fact_true (snd (passes G worst L ahead M asked b guess mem)).
Proof. intros F Hguess Nguess Q. apply passes_true; try assumption; given. Qed.

Lemma child_fine M asked t a M' : fine M asked -> (t < count G)%nat -> child_in G worst M asked t a = Some M' -> fine
  M' (t :: asked).
Proof.
  intros F Ht E. unfold child_in in E. destruct (mem t asked) eqn:N; [discriminate|]. apply mem_false in N.
  destruct (index a (names (the_test G t))) as [k|] eqn:I; [|discriminate]. destruct (is_gone G t k) eqn:Gk;
    [discriminate|].
  destruct (after G worst t k M) as [|im M0] eqn:A; [discriminate|]. injection E as <-. rewrite <- A.
  assert (X : In (k, after G worst t k M) (kids G worst t M)).
  { apply filter_In. split; [|cbn [snd]; rewrite A; reflexivity]. apply in_map_iff. exists k. split; [reflexivity|].
    apply filter_In. split.
    - apply in_seq. split; [lia|]. clear - I. revert k I. induction (names (the_test G t)) as [|x l IH]; intros k I;
      [discriminate|].
      cbn [index] in I. cbn [List.length]. destruct (same_text x a); [injection I as <-; lia|].
      destruct (index a l) as [n|]; [|discriminate]. injection I as <-. specialize (IH n eq_refl). lia.
    - unfold is_gone, mem in Gk. rewrite Gk. reflexivity. }
  refine (kid_fine G worst _ t M asked (k, after G worst t k M) F Ht N X). exact good.
Qed.

Variable most : N.

Definition only_at_least (only : option nat) (M : masses) (asked : list nat) (b : bound) : Prop :=
  match only with Some t => ask_at_least t M asked b | None => at_least M asked b end.

Lemma judged ahead only M asked b mem : fine M asked -> (forall t, only = Some t -> (t < count G)%nat /\ ~ In t
  asked) -> all fact_true mem ->
  (fst (judge G worst L ahead only M asked b mem) = true -> only_at_least only M asked b) /\
  all fact_true (snd (judge G worst L ahead only M asked b mem)).
Proof.
  intros F O Q. unfold judge. destruct only as [t|]; [destruct (O t eq_refl); apply passed; assumption|apply
    accepted; assumption].
Qed.

Lemma test_in_count w t : test_in G w = Some t -> (t < count G)%nat.
Proof.
  unfold test_in. destruct (number_of_digits 4 w) as [[|n]|]; try discriminate. destruct (Nat.ltb_spec n (count G));
    [|discriminate].
  intros [= <-]. assumption.
Qed.

Lemma items_true fuel : forall words deep only M asked b mem rest mem', fine M asked ->
  (forall t, only = Some t -> (t < count G)%nat /\ ~ In t asked) -> all fact_true mem ->
  items G worst L most fuel words deep only M asked b mem = inl (rest, mem') -> only_at_least only M asked b /\ all
    fact_true mem'.
Proof.
  induction fuel as [|fuel IH]; intros words deep only M asked b mem rest mem' F O Q E; [discriminate|].
  destruct words as [|w words]; [discriminate|]. cbn [items] in E. cbv zeta in E. destruct (spells ")" w).
  { destruct (judged 1 only M asked b mem F O Q) as [J1 J2]. destruct (fst (judge _ _ _ _ _ _ _ _ _));
    [|discriminate].
    injection E as <- <-. split; [exact (J1 eq_refl)|exact J2]. }
  destruct words as [|a [|c [|body words]]]; try discriminate.
  destruct (test_in G w) as [t|] eqn:T1; [|discriminate]. destruct (large most c) as [b'|]; [|discriminate].
  destruct deep as [|deep']; [discriminate|]. destruct (child_in G worst M asked t a) as [M'|] eqn:C; [|discriminate].
  assert (F' := child_fine M asked t a M' F (test_in_count w t T1) C).
  assert (O' : forall u : nat, None = Some u -> (u < count G)%nat /\ ~ In u (t :: asked)) by discriminate.
  destruct (spells "(" body).
  - destruct (items G worst L most fuel words deep' None M' (t :: asked) b' mem) as [[words' mem1]|] eqn:I;
    [|discriminate].
    apply IH in I as [_ I]; try assumption. apply IH in E; assumption.
  - destruct (ahead_in G body) as [n|]; [|discriminate].
    destruct (judged n None M' (t :: asked) b' mem F' O' Q) as [_ J2]. destruct (fst (judge _ _ _ _ _ _ _ _ _));
      [|discriminate].
    apply IH in E; assumption.
Qed.

Lemma fold_nth {A} (g : A -> N) (x0 : A) l :
  fold_right (fun t v => g (nth t l x0) * v) 1 (seq 0 (List.length l)) = fold_right (fun x v => g x * v) 1 l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [List.length seq fold_right nth]. f_equal. rewrite <- IH, <-
    seq_shift.
  clear IH. generalize (seq 0 (List.length l)) as ts. induction ts as [|t ts IH]; [reflexivity|]. cbn [map fold_right
    nth]. rewrite IH. reflexivity.
Qed.

Lemma beginning_fine : fine (beginning G worst) [].
Proof.
  pose proof Sound as S. unfold sound in S. apply andb_prop in S as [S U]. apply andb_prop in S as [S W]. apply
    andb_prop in S as [_ E].
  apply negb_true_iff, N.eqb_neq in U.
  assert (FM : map fst (beginning G worst) = causes G).
  { unfold beginning, causes. generalize 0%nat as n. generalize (weights G) as ws. induction ws as [|w ws IH]; intros
    n; [reflexivity|].
    cbn [List.length seq map combine fst]. f_equal. apply IH. }
  split; [|split; [|split]].
  - intros Q. rewrite Q in FM. unfold causes in FM. destruct (weights G); [discriminate|discriminate].
  - unfold known. rewrite FM. apply incl_refl.
  - destruct (Bool.bool_dec worst true) as [Wo|Wo]; [left; exact Wo|right]. apply not_true_is_false in Wo. intros [i
    m] Hi. cbn [snd].
    apply in_combine_r in Hi. apply in_map_iff in Hi as [w [<- _]]. rewrite Wo.
    replace (product G (free [])) with (mass_unit G false); [apply N.divide_factor_l|].
    unfold mass_unit, product. cbn [free mem existsb negb]. symmetry. apply (fold_nth multiple no_test).
  - intros [i m] Hi. cbn [snd]. apply in_combine_r in Hi. apply in_map_iff in Hi as [w [<- Hw]].
    pose proof (proj1 (forallb_forall _ _) W w Hw) as X. cbv beta in X. apply negb_true_iff, N.eqb_neq in X.
    destruct worst; [discriminate|]. intros Q. apply N.mul_eq_0 in Q as [Q|Q]; contradiction.
Qed.

Lemma refusal_true words only b : (forall t, only = Some t -> (t < count G)%nat) -> refusal G worst L most words only
  b = None ->
  only_at_least only (beginning G worst) [] b.
Proof.
  intros O E. assert (O' : forall t, only = Some t -> (t < count G)%nat /\ ~ In t []) by (intros t H; split; [exact
    (O t H)|intros []]).
  destruct words as [|o words]; [discriminate|]. unfold refusal in E. destruct (spells "(" o).
  - destruct (items _ _ _ _ _ _ _ _ _ _ _ _) as [[[|w ws] mem]|] eqn:I in E; try discriminate.
    apply items_true in I as [I _]; [exact I|exact beginning_fine|exact O'|exact Logic.I].
  - destruct (ahead_in G o) as [n|]; [|discriminate].
    destruct (judged n only (beginning G worst) [] b Nil beginning_fine O' Logic.I) as [J _].
    destruct (fst (judge _ _ _ _ _ _ _ _ _)); [exact (J eq_refl)|discriminate].
Qed.

(** The strategies of [NoisyGame] are those of the theory. *)
Lemma valid_fair s : forall M asked, valid G worst s M asked -> fair G worst (needs_of G) s M asked.
Proof. intros M asked H. exact H. Qed.

Lemma cost_spent s : forall M asked, cost G worst s M asked = spent G worst (price_of G) (later_of G) (group_of G) s
  M asked.
Proof. reflexivity. Qed.

Lemma only_means only b s : only_at_least only (beginning G worst) [] b -> begins only s ->
  valid G worst s (beginning G worst) [] -> below b (cost G worst s (beginning G worst) []).
Proof.
  intros A B V. rewrite cost_spent. apply valid_fair in V. destruct only as [t|]; [|exact (A s V)]. destruct B as
    [next ->].
  apply A. destruct V as [V|V]; [destruct beginning_fine as [N _]; contradiction|]. apply V.
Qed.

End Truth.

(** What the checker accepts is true of the table. *)
Theorem noisy_sound table certificate c : check table certificate = inl c -> holds table c.
Proof.
  unfold check. destruct (words_of certificate) as [|w1 [|w2 [|w3 [|w4 [|w5 [|w6 [|w7 [|w8 proof]]]]]]]]; try
    discriminate.
  cbv zeta. destruct (_ && _); [|discriminate]. destruct (game_of table) as [G|] eqn:GO; [|discriminate].
  set (first := if spells "-" w6 then _ else _). set (said := if spells "-" w7 then _ else _).
  assert (FO : forall only t, first = Some only -> only = Some t -> (t < count G)%nat).
  { intros only t E ->. unfold first in E. destruct (spells "-" w6); [discriminate|]. destruct (test_in G w6) as [u|]
    eqn:T1; [|discriminate].
    destruct (empty (needs_of G u)); [|discriminate]. injection E as <-. exact (test_in_count G w6 u T1). }
  assert (SA : forall worst b bd, said = Some (worst, b, bd) -> match bd with
    | Expected n => worst = false /\ b = Some n | Endless => worst = false /\ b = None
    | Over n => worst = true /\ (b = Some (n + 1) \/ b = None) end).
  { intros worst b bd. unfold said. destruct (spells "-" w7).
    - destruct (large _ w8) as [[n|]|]; try discriminate; intros [= <- <- <-]; auto.
    - destruct (spells "inf" w8); [|discriminate]. destruct (number w7) as [n|]; [|discriminate]. intros [= <- <- <-].
      destruct (_ <=? _); auto. }
  destruct first as [only|]; [|discriminate]. destruct said as [[[worst b] bd]|]; [|discriminate].
  destruct (small G worst && sound G (lookup_of G)) eqn:SO; [|discriminate]. apply andb_prop in SO as [_ SO].
  destruct (refusal _ _ _ _ _ _ _) eqn:R; [discriminate|]. intros [= <-]. exists G. split; [exact GO|]. intros s B.
    cbn [NoisyGame.first costs] in *.
  apply (refusal_true G worst (lookup_of G) SO) in R; [|intros t; apply (FO only t eq_refl)].
  specialize (SA worst b bd eq_refl). destruct bd as [n| |n].
  - destruct SA as [-> ->]. intros V. exact (only_means G false (lookup_of G) SO only (Some n) s R B V).
  - destruct SA as [-> ->]. intros V. exact (only_means G false (lookup_of G) SO only None s R B V).
  - destruct SA as [-> SA]. intros V. destruct SA as [SA|SA]; subst b.
    + pose proof (only_means G true (lookup_of G) SO only (Some (n + 1)) s R B V) as Q. cbn [below] in Q. lia.
    + destruct (only_means G true (lookup_of G) SO only None s R B V).
Qed.

Print Assumptions noisy_sound.
