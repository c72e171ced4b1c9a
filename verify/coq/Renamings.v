(** Renamings of positions and colours keep all answers (L8). *)

From Coq Require Import List Arith Bool Lia Permutation.
From Proof Require Import CodeGame Theory Vector Board Codes Counting Checker.
Import ListNotations.

(** A renaming: from which place each peg comes, and what each colour of that place becomes. *)
Definition renamed (from : list nat) (to : list (list nat)) (c : code) : code :=
  map (fun y => nth (nth y c 0) (nth y to []) 0) from.

Definition permutes (l : list nat) (n : nat) : bool :=
  (length l =? n) && forallb (fun i => existsb (Nat.eqb i) l) (seq 0 n).

Lemma permutes_true l n : permutes l n = true -> Permutation l (seq 0 n).
Proof.
  intros H. apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. apply Permutation_sym.
  apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; lia|].
  intros i Hi. apply (proj1 (forallb_forall _ _) H2) in Hi. apply existsb_exists in Hi as [j [Hj E]].
  apply Nat.eqb_eq in E as ->. exact Hj.
Qed.

Lemma map_nth_whole (l : list nat) n : length l = n -> map (fun i => nth i l 0) (seq 0 n) = l.
Proof. intros <-. rewrite (map_nth_seq (fun x => x)). apply map_id. Qed.

Section Renaming.

Variable G : game.
Variable from : list nat.
Variable to : list (list nat).

Hypothesis Hfrom : Permutation from (seq 0 (pegs G)).
Hypothesis Hto : forall y, y < pegs G -> Permutation (nth y to []) (seq 0 (colours G)).

Lemma colour_injective y a b :
  y < pegs G -> a < colours G -> b < colours G -> nth a (nth y to []) 0 = nth b (nth y to []) 0 -> a = b.
Proof.
  intros Hy Ha Hb. pose proof (Permutation_length (Hto y Hy)) as L. rewrite seq_length in L.
  apply (proj1 (NoDup_nth (nth y to []) 0)); [|lia|lia].
  apply (Permutation_NoDup (Permutation_sym (Hto y Hy))), seq_NoDup.
Qed.

Lemma nth_colour c y : In c (codes G) -> y < pegs G -> nth y c 0 < colours G.
Proof. intros H Hy. destruct (codes_are_codes G c H) as [L B]. apply B, nth_In. lia. Qed.

Lemma black_is f g l m :
  length (filter (fun both => fst both =? snd both) (combine (map f l) (map g m)))
  = sum (fun both : nat * nat => if f (fst both) =? g (snd both) then 1 else 0) (combine l m).
Proof.
  revert m; induction l as [|y l IH]; intros [|z m]; try reflexivity. cbn [map combine filter fst snd].
  rewrite sum_cons, <- IH.
  cbn [fst snd]. destruct (f y =? g z); reflexivity.
Qed.

Lemma sum_diagonal (f : nat * nat -> nat) l : sum f (combine l l) = sum (fun y => f (y, y)) l.
Proof. induction l as [|y l IH]; [reflexivity|]. cbn [combine]. rewrite !sum_cons, IH. reflexivity. Qed.

Lemma black_renamed g s :
  In g (codes G) -> In s (codes G) -> black (renamed from to g) (renamed from to s) = black g s.
Proof.
  intros Hg Hs. destruct (codes_are_codes G g Hg) as [Lg _]. destruct (codes_are_codes G s Hs) as [Ls _].
  unfold black, renamed. rewrite black_is, sum_diagonal. cbn [fst snd].
  replace (combine g s) with (combine (map (fun i => nth i g 0) (seq 0 (pegs G))) (map (fun i => nth i s 0) (seq 0
    (pegs G))))
    by (rewrite !map_nth_whole by assumption; reflexivity).
  rewrite black_is, sum_diagonal. cbn [fst snd].
  unfold sum at 1. rewrite (Permutation_list_sum (Permutation_map _ Hfrom)). apply sum_eq. intros y Hy.
  apply in_seq in Hy.
  destruct (Nat.eqb_spec (nth y g 0) (nth y s 0)) as [->|N]; [rewrite Nat.eqb_refl; reflexivity|].
  destruct (Nat.eqb_spec (nth (nth y g 0) (nth y to []) 0) (nth (nth y s 0) (nth y to []) 0)) as [E|_];
    [|reflexivity].
  apply colour_injective in E; [contradiction|lia|apply nth_colour; [assumption|lia]..].
Qed.

Lemma same_renamed g s : In g (codes G) -> In s (codes G) -> same (renamed from to g) (renamed from to s) = same g s.
Proof.
  intros Hg Hs. apply eq_true_iff_eq. rewrite !same_is. split; [|intros ->; reflexivity]. intros E.
  destruct (codes_are_codes G g Hg) as [Lg _]. destruct (codes_are_codes G s Hs) as [Ls _].
  apply (nth_ext g s 0 0); [lia|]. intros y Hy.
  apply (colour_injective y); [lia|apply nth_colour; [assumption|lia]..|].
  apply (ext_in_map (f := fun y => nth (nth y g 0) (nth y to []) 0) (g := fun y => nth (nth y s 0) (nth y to []) 0)
    (l := from) E).
  apply (Permutation_in _ (Permutation_sym Hfrom)), in_seq. lia.
Qed.

(** The same colours in all places. *)
Section Alike.

Variable all : list nat.

Hypothesis Hall : forall y, y < pegs G -> nth y to [] = all.
Hypothesis Hperm : Permutation all (seq 0 (colours G)).

Let colour (c : nat) : nat := nth c all 0.

Lemma colour_once a b : a < colours G -> b < colours G -> colour a = colour b -> a = b.
Proof.
  intros Ha Hb. pose proof (Permutation_length Hperm) as L. rewrite seq_length in L.
  apply (proj1 (NoDup_nth all 0)); [|lia|lia]. apply (Permutation_NoDup (Permutation_sym Hperm)), seq_NoDup.
Qed.

Lemma renamed_places c : length c = pegs G -> Permutation (renamed from to c) (map colour c).
Proof.
  intros L. unfold renamed.
  replace (map colour c) with (map colour (map (fun i => nth i c 0) (seq 0 (pegs G)))) by (rewrite map_nth_whole
    by exact L; reflexivity).
  rewrite map_map, (map_ext_in _ (fun y => colour (nth y c 0))).
  - apply (Permutation_map _ Hfrom).
  - intros y Hy. apply (Permutation_in _ Hfrom), in_seq in Hy. rewrite Hall by lia. reflexivity.
Qed.

Lemma count_renamed c a :
  In c (codes G) -> a < colours G -> count_occ Nat.eq_dec (renamed from to c) (colour a) = count_occ Nat.eq_dec c a.
Proof.
  intros H Ha. destruct (codes_are_codes G c H) as [L B].
  rewrite (proj1 (Permutation_count_occ Nat.eq_dec _ _) (renamed_places c L) (colour a)). clear L H.
  induction c as [|b c IH]; [reflexivity|]. cbn [map count_occ].
  rewrite IH by (intros x Hx; apply B; right; exact Hx).
  pose proof (B b (or_introl eq_refl)). destruct (Nat.eq_dec b a) as [->|N].
  - destruct (Nat.eq_dec (colour a) (colour a)); [reflexivity|contradiction].
  - destruct (Nat.eq_dec (colour b) (colour a)) as [E|_]; [|reflexivity].
    apply colour_once in E; [contradiction|lia|lia].
Qed.

Lemma common_renamed g s : In g (codes G) -> In s (codes G) ->
  common (colours G) (renamed from to g) (renamed from to s) = common (colours G) g s.
Proof.
  intros Hg Hs. unfold common. pose proof (Permutation_length Hperm) as L. rewrite seq_length in L.
  assert (Q : Permutation (map colour (seq 0 (colours G))) (seq 0 (colours G)))
    by (unfold colour; rewrite (map_nth_whole all _ L); exact Hperm).
  rewrite <- (Permutation_list_sum (Permutation_map _ Q)), map_map. f_equal. apply map_ext_in.
  intros c Hc. apply in_seq in Hc. rewrite !count_renamed by (assumption || lia). reflexivity.
Qed.

End Alike.

Lemma in_all_codes k c : (forall x, In x c -> x < k) -> In c (all_codes (length c) k).
Proof.
  induction c as [|x c IH]; intros B; [left; reflexivity|]. cbn [length all_codes]. apply in_flat_map. exists x.
  split; [apply in_seq; specialize (B x (or_introl eq_refl)); lia|]. apply in_map, IH.
  intros y Hy. apply B. right; exact Hy.
Qed.

Lemma distinct_is c : distinct c = true <-> NoDup c.
Proof.
  induction c as [|x c IH]; [split; [constructor|reflexivity]|]. cbn [distinct].
  rewrite andb_true_iff, IH, negb_true_iff, NoDup_cons_iff, <- not_true_iff_false, existsb_exists.
  split; intros [H1 H2]; (split; [intros H; apply H1|exact H2]).
  - exists x. split; [exact H|apply Nat.eqb_refl].
  - destruct H as [y [Hy E]]. apply Nat.eqb_eq in E as ->. exact Hy.
Qed.

(** Codes become codes. *)
Lemma renamed_in_codes c :
  rules G = BlackPeg \/ (exists all, Permutation all (seq 0 (colours G)) /\ forall y, y < pegs G ->
    nth y to [] = all) ->
  In c (codes G) -> In (renamed from to c) (codes G).
Proof.
  intros A H. destruct (codes_are_codes G c H) as [L B].
  assert (I : In (renamed from to c) (all_codes (pegs G) (colours G))).
  { replace (pegs G) with (length (renamed from to c))
      by (unfold renamed; rewrite map_length, (Permutation_length Hfrom); apply seq_length).
    apply in_all_codes. intros x Hx. apply in_map_iff in Hx as [y [<- Hy]].
    apply (Permutation_in _ Hfrom), in_seq in Hy. pose proof (nth_colour c y H ltac:(lia)) as Hc.
    assert (J : In (nth (nth y c 0) (nth y to []) 0) (nth y to [])).
    { apply nth_In. rewrite (Permutation_length (Hto y ltac:(lia))), seq_length. exact Hc. }
    apply (Permutation_in _ (Hto y ltac:(lia))), in_seq in J. lia. }
  unfold codes in *. destruct (rules G) eqn:E; try exact I. destruct A as [A|[all [P Q]]]; [discriminate|].
  apply filter_In in H as [_ D]. apply filter_In. split; [exact I|]. apply distinct_is in D. apply distinct_is.
  apply (Permutation_NoDup (Permutation_sym (renamed_places all Q c L))). clear I L.
  induction D as [|x c N _ IH]; [constructor|]. cbn [map].
  constructor; [|apply IH; intros y Hy; apply B; right; exact Hy].
  intros I. apply in_map_iff in I as [y [Y Hy]]. apply (colour_once all P) in Y as ->; [exact (N Hy)| |];
    apply B; [right; exact Hy|left; reflexivity].
Qed.

(** Where white pegs are told, the colours have to be renamed alike. *)
Lemma answer_renamed g s :
  rules G = BlackPeg \/ (exists all, Permutation all (seq 0 (colours G)) /\ forall y, y < pegs G ->
    nth y to [] = all) ->
  In g (codes G) -> In s (codes G) -> answer G (renamed from to g) (renamed from to s) = answer G g s.
Proof.
  intros A Hg Hs. unfold answer. rewrite black_renamed by assumption. destruct A as [->|[all [P H]]]; [reflexivity|].
  rewrite (common_renamed all) by assumption. reflexivity.
Qed.

End Renaming.
