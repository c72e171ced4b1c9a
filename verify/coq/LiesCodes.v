(** Games of codes with lies: the checker of their proofs, and why what it accepts is true. *)

From Coq Require Import List Arith Bool Lia Permutation Ascii Cantor.
From Proof Require Import Game Theory Store Text LiesGame Orbits LiesTheory LiesChecker LiesNumbers Codes Renamings.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope list_scope.

(** The places of codes, found by what they are worth as numbers. *)
Definition worth (base : nat) (c : code) : nat := fold_left (fun v x => base * v + x) c 0.

Definition places_of (base : nat) (all : list code) : store (nat * code) :=
  fold_left (fun t ic => insert (worth base (snd ic)) ic t) (combine (seq 0 (List.length all)) all) Nil.

Definition place_in (base : nat) (t : store (nat * code)) (c : code) : option nat :=
  option_map fst (List.find (fun e => same (snd e) c) (Store.find (worth base c) t)).

Definition place_of_word (G : game) (places : store (nat * code)) (w : text) : option nat :=
  match digits w with
  | Some c => if List.length c =? pegs G then place_in (colours G) places c else None
  | None => None
  end.

Fixpoint position (i x : nat) (l : list nat) : nat :=
  match l with [] => 0 | y :: l => if x =? y then i else position (S i) x l end.

(** Colours for all places alike or, where only black pegs are told, place by place with [/] between. *)
Definition colours_in (G : game) (w : text) : option (list (list nat)) :=
  match all_some (map digits (split_at (Ascii.eqb "/") w [] [])) with
  | Some [alike] => if permutes alike (colours G) then Some (repeat alike (pegs G)) else None
  | Some several =>
      match rules G with BlackPeg => if List.length several =? pegs G then Some several else None | _ => None end
  | None => None
  end.

(** The images of all codes under a renaming of positions and colours. *)
Definition images (G : game) (all : list code) (t : store (nat * code)) (p c : text) : option (list nat) :=
  match digits p, colours_in G c with
  | Some p, Some to =>
      let from := map (fun y => position 0 y p) (seq 0 (pegs G)) in
      if permutes p (pegs G) && permutes from (pegs G) && forallb (fun l => permutes l (colours G)) to
      then all_some (map (fun code => place_in (colours G) t (renamed from to code)) all)
      else None
  | _, _ => None
  end.

Definition code_renaming (G : game) (all : list code) (t : store (nat * code)) (X : state) (words : list text)
    : option (list (nat * nat) * list text) :=
  match words with
  | p :: c :: words =>
      match images G all t p c with
      | Some l =>
          let n := List.length all in
          if keeps l (whole n 0) && keeps l X then Some (combine l (seq 0 n), words) else None
      | None => None
      end
  | _ => None
  end.

(** Games with more codes would not fit. *)
Definition small_enough (G : game) : bool :=
  let most := Nat.pow 2 12 in
  (1 <=? pegs G) && (pegs G <=? 14) && (1 <=? colours G) && (colours G <=? 36) &&
  match rules G with Bulls => pegs G <=? colours G | _ => true end &&  (* or there is no code *)
  (fold_left (fun v _ => if v <=? most then v * colours G else v) (seq 0 (pegs G)) 1 <=? most * 8) &&
  (List.length (codes G) <=? most).

Definition code_ends (aim : goal) (guess secret : code) : bool :=
  match aim with Win => same guess secret | Identify => false end.

(** Nothing if the proof about a game of codes is accepted; otherwise how many words are left. *)
Definition refused_codes (G : game) (aim : goal) (first : option code) (d lies : nat) (proof : list text) : option nat :=
  let all := codes G in
  let n := List.length all in
  let places := places_of (colours G) all in
  match first, option_map (place_in (colours G) places) first with
  | Some _, Some None => Some (List.length proof)
  | _, number =>
      refused aim n n lies (columns all all (answer G) (code_ends aim) (fun _ => to_nat)) (place_of_word G places)
        (place_of_word G places) (fun _ => code_renaming G all places) d
        (match number with Some i => i | None => None end) proof
  end.

Section Codes.

Variable G : game.
Variable aim : goal.

Let all := codes G.
Let n := List.length all.
Let places := places_of (colours G) all.
Let col := column_in (columns all all (answer G) (code_ends aim) (fun _ => to_nat)).

Lemma place_is c i : place_in (colours G) places c = Some i -> nth_error all i = Some c.
Proof.
  intros H. assert (A : Store.all (fun e => nth_error all (fst e) = Some (snd e)) places).
  { unfold places, places_of. apply (fold_keeps (Store.all _)); [|exact I]. intros t [j c'] Hj Ht.
    apply all_insert; [|exact Ht]. apply in_numbers, Hj. }
  unfold place_in in H. destruct (List.find _ _) as [e|] eqn:E; [|discriminate]. injection H as <-.
  apply find_some in E as [E1 E2]. apply same_is in E2. subst c. exact (all_find _ _ _ _ _ A E1).
Qed.

Fixpoint number_of (c : code) (l : list code) : nat :=
  match l with [] => 0 | x :: l => if same c x then 0 else S (number_of c l) end.

Lemma number_of_in c l : In c l -> nth_error l (number_of c l) = Some c.
Proof.
  induction l as [|x l IH]; [intros []|]. intros H. cbn [number_of]. destruct (same c x) eqn:E.
  - apply same_is in E. subst. reflexivity.
  - cbn. apply IH. destruct H as [->|H]; [|exact H]. rewrite (proj2 (same_is c c) eq_refl) in E. discriminate.
Qed.

Lemma once_app A (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  induction l as [|x l IH]; intros L M D; [exact M|]. inversion L; subst. cbn. constructor.
  - rewrite in_app_iff. intros [H|H]; [contradiction|]. exact (D x (or_introl eq_refl) H).
  - apply IH; [assumption..|]. intros y Hy. apply D. right; exact Hy.
Qed.

Lemma codes_once : NoDup all.
Proof.
  assert (X : forall p k, NoDup (all_codes p k)).
  { induction p as [|p IH]; intros k; cbn; [repeat constructor; intros []|]. specialize (IH k).
    set (f := fun c : nat => map (cons c) (all_codes p k)).
    assert (Y : forall m z, NoDup (flat_map f (seq z m)) /\ forall x, In x (flat_map f (seq z m)) -> z <= hd 0 x).
    { induction m as [|m IHm]; intros z; cbn [seq flat_map]; [split; [constructor|intros x []]|].
      destruct (IHm (S z)) as [A B]. split.
      - apply once_app; [|exact A|].
        + apply FinFun.Injective_map_NoDup; [|exact IH]. intros a b H. congruence.
        + intros x Hx Hy. apply B in Hy. apply in_map_iff in Hx as [y [<- _]]. cbn in Hy. lia.
      - intros x Hx. apply in_app_or in Hx as [Hx|Hx]; [apply in_map_iff in Hx as [y [<- _]]; cbn; lia|].
        apply B in Hx. lia. }
    apply Y. }
  unfold all, codes. destruct (rules G); try apply X. apply NoDup_filter, X.
Qed.

Lemma number_is i c : nth_error all i = Some c -> number_of c all = i.
Proof.
  intros H. apply (proj1 (NoDup_nth_error all) codes_once).
  - apply nth_error_Some. rewrite number_of_in by exact (nth_error_In _ _ H). discriminate.
  - rewrite number_of_in by exact (nth_error_In _ _ H). congruence.
Qed.

Lemma all_some_nth A (l : list (option A)) m : all_some l = Some m -> l = map Some m.
Proof.
  revert m; induction l as [|[a|] l IH]; intros m H; cbn in H; try discriminate; [injection H as <-; reflexivity|].
  destruct (all_some l) as [m'|]; [|discriminate]. injection H as <-. cbn. f_equal. apply IH. reflexivity.
Qed.

Lemma colours_are w to :
  colours_in G w = Some to -> forallb (fun l => permutes l (colours G)) to = true ->
  (forall y, y < pegs G -> Permutation (nth y to []) (seq 0 (colours G))) /\
  (rules G = BlackPeg \/ exists all, Permutation all (seq 0 (colours G)) /\ forall y, y < pegs G ->
    nth y to [] = all).
Proof.
  intros H A. assert (Q : List.length to = pegs G /\ (rules G = BlackPeg \/
    exists all, Permutation all (seq 0 (colours G)) /\ to = repeat all (pegs G))).
  { unfold colours_in in H. destruct (all_some _) as [[|alike [|second several]]|]; try discriminate.
    - destruct (rules G); try discriminate.
      destruct (Nat.eqb_spec (List.length (@nil (list nat))) (pegs G)); [|discriminate].
      injection H as <-. auto.
    - destruct (permutes alike (colours G)) eqn:E; [|discriminate]. injection H as <-. apply permutes_true in E.
      split; [apply repeat_length|right; exists alike; auto].
    - destruct (rules G); try discriminate.
      destruct (Nat.eqb_spec (List.length (alike :: second :: several)) (pegs G)); [|discriminate].
      injection H as <-. auto. }
  destruct Q as [L Q].
  assert (X : forall y, y < pegs G -> Permutation (nth y to []) (seq 0 (colours G))).
  { intros y Hy. apply permutes_true. apply (proj1 (forallb_forall _ _) A). apply nth_In. lia. }
  split; [exact X|]. destruct Q as [Q|[alike [Q ->]]]; [left; exact Q|right]. exists alike. split; [exact Q|].
  intros y Hy. rewrite nth_indep with (d' := alike) by (rewrite repeat_length; exact Hy). apply nth_repeat.
Qed.

Lemma images_are p c l : images G all places p c = Some l ->
  List.length l = n /\ exists f : code -> code,
    (forall i s, nth_error all i = Some s -> nth_error all (nth i l i) = Some (f s)) /\
    (forall g s, In g all -> In s all -> same (f g) (f s) = same g s /\ answer G (f g) (f s) = answer G g s).
Proof.
  unfold images. destruct (digits p) as [p'|]; [|discriminate].
  destruct (colours_in G c) as [to|] eqn:C; [|discriminate].
  destruct (permutes p' (pegs G)); [|discriminate].
  set (from := map _ _). destruct (permutes from (pegs G)) eqn:Hf; [|discriminate].
  destruct (forallb _ to) eqn:Ht; [|discriminate]. cbn [andb]. intros H. apply all_some_nth in H.
  apply permutes_true in Hf. destruct (colours_are c to C Ht) as [Hto A].
  assert (L : List.length l = n) by (rewrite <- (map_length Some l), <- H, map_length; reflexivity).
  split; [exact L|]. exists (renamed from to). split.
  - intros i s Hi. assert (i < n) by (apply nth_error_Some; rewrite Hi; discriminate). apply place_is.
    apply (map_nth_error (fun code => place_in (colours G) places (renamed from to code))) in Hi. rewrite H in Hi.
    rewrite (map_nth_error Some i l (nth_error_nth' l i (ltac:(lia) : i < List.length l))) in Hi. congruence.
  - intros g s Hg Hs. split; [apply (same_renamed G); assumption|apply (answer_renamed G); assumption].
Qed.

Hypothesis col_length : forall i, i < n -> List.length (col i) = n.

Lemma code_resp i j g s : nth_error all i = Some g -> nth_error all j = Some s ->
  resp col i j = reply (answer G) (code_ends aim) (fun _ => to_nat) s g.
Proof.
  intros Hg Hs. exact (resp_is all all (answer G) (code_ends aim) (fun _ => to_nat) col_length i j g s Hg Hs).
Qed.

Lemma code_renaming_true lies X words l rest : good n lies X -> code_renaming G all places X words = Some (l, rest) ->
  forall d a, In a l -> arrow_true (cleared (wins aim) n n col X d) a.
Proof.
  intros [P _] E d [i g] Ha. unfold code_renaming in E. destruct words as [|p [|c words]]; try discriminate.
  destruct (images G all places p c) as [m|] eqn:Em; [|discriminate].
  destruct (_ && _) eqn:Q; [|discriminate]. apply andb_prop in Q as [Q1 Q2]. apply kept in Q1, Q2.
  injection E as <- _. destruct (images_are p c m Em) as [L [f [F1 F2]]].
  set (to := fun x => nth x m x).
  assert (Hg : g < n /\ i = to g).
  { apply (In_nth _ _ (0, 0)) in Ha as [k [Hk E]]. rewrite combine_length, seq_length, L, Nat.min_id in Hk.
    rewrite combine_nth in E by (rewrite seq_length; exact L). rewrite seq_nth in E by exact Hk.
    injection E as <- <-. split; [exact Hk|]. apply nth_indep. rewrite L. exact Hk. }
  destruct Hg as [Hg ->]. clear Ha.
  assert (V : forall x, x < n -> exists s, nth_error all x = Some s).
  { intros x Hx. destruct (nth_error all x) as [s|] eqn:Es; [exists s; reflexivity|apply nth_error_None in Es; unfold n in Hx; lia]. }
  assert (TG : forall x, x < n -> to x < n).
  { intros x Hx. destruct (V x Hx) as [s Es]. apply nth_error_Some. unfold to. rewrite (F1 x s Es). discriminate. }
  assert (TR : forall x y, x < n -> y < n -> resp col (to x) (to y) = resp col x y).
  { intros x y Hx Hy. destruct (V x Hx) as [a Ex]. destruct (V y Hy) as [b Ey].
    unfold to. rewrite (code_resp _ _ _ _ (F1 x a Ex) (F1 y b Ey)), (code_resp _ _ _ _ Ex Ey). unfold reply, code_ends.
    destruct (F2 a b (nth_error_In _ _ Ex) (nth_error_In _ _ Ey)) as [-> ->]. reflexivity. }
  assert (TL : forall x r, x < n -> legal n (resp col) (to x) r -> legal n (resp col) x r).
  { intros x r Hx [Z [y [Hy R]]]. split; [exact Z|].
    assert (I : In (y, 0) (whole n 0)) by (apply in_map_iff; exists y; split; [reflexivity|apply in_seq; lia]).
    apply (Permutation_in _ (Permutation_sym Q1)) in I. apply in_map_iff in I as [[y' k] [[= E _] I]].
    apply in_map_iff in I as [y'' [[= <- _] I]]. apply in_seq in I. exists y''. split; [lia|].
    rewrite <- R, <- E. symmetry. apply TR; lia. }
  intros [[r [R A]]|B]; cbn [fst snd] in *; [left|right].
  - exists r. split; [exact (TL g r Hg R)|]. intros s k Hs. rewrite <- (TR g s Hg (proj1 P s k Hs)). apply (A _ k).
    apply (Permutation_in _ Q2). apply in_map_iff. exists (s, k). auto.
  - apply (refuted_asking_renamed (wins aim) n n (resp col) to TG TR TL d X g P); [|exact B].
    intros s k Hs. apply (Permutation_in _ (Permutation_sym Q2)) in Hs. apply in_map_iff in Hs as [[s' k'] [[= E <-] Hs]].
    exists s'. auto.
Qed.

End Codes.

Theorem codes_sound G aim first d lies proof :
  refused_codes G aim first d lies proof = None ->
  holds {| of := Codes G first; aim := aim; within := d; lies := lies |}.
Proof.
  intros E. unfold refused_codes in E. cbv zeta in E. unfold holds. cbn [of LiesGame.aim within LiesGame.lies].
  set (all := codes G) in *.
  assert (Q : exists number, number = option_map (fun c => number_of c all) first /\
    refused aim (List.length all) (List.length all) lies
      (columns all all (answer G) (code_ends aim) (fun _ => to_nat))
      (place_of_word G (places_of (colours G) all)) (place_of_word G (places_of (colours G) all))
      (fun _ => code_renaming G all (places_of (colours G) all)) d number proof = None).
  { destruct first as [c|]; cbn [option_map] in E; [|exists None; auto].
    destruct (place_in _ _ c) as [i|] eqn:Ep; [|discriminate]. exists (Some i). split; [|exact E].
    apply place_is in Ep. cbn. f_equal. symmetry. exact (number_is G i c Ep). }
  destruct Q as [number [-> Q]].
  apply refused_true in Q.
  - destruct Q as [L C].
    apply (claimed_unsettled all all (answer G) (code_ends aim) aim (fun _ => to_nat) (fun _ => of_nat)
      (fun c => number_of c all) (fun c => number_of c all)).
    + intros g s _ _. apply cancel_of_to.
    + intros g Hg. exact (number_of_in g all Hg).
    + exact (number_is G).
    + exact L.
    + exact C.
  - (* never *)
    intros L -> g s Hg Hs. destruct (nth_error all g) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
    destruct (nth_error all s) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
    intros Z. discriminate (eq_trans (eq_sym Z) (code_resp G Identify L g s a b Ea Eb)).
  - intros L _ X words l rest Gd Er. exact (code_renaming_true G aim L lies X words l rest Gd Er).
Qed.
