# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The depth-first search of every kernel: ten steps, numbered as they run; `reference_search` has the proofs.

Branch and bound on a tree of guesses (of which the least value counts) and responses (whose values add up, or of
which the largest counts), as Knuth (1976) searched for strategies of Mastermind by hand. States are known by sums
of random words (Zobrist 1970). Beams may limit how often a path leaves the guess that looks best (limited
discrepancies, Harvey and Ginsberg 1995). `core` says how threads share the guesses of a state.

Proof numbers (Allis 1994; depth first, df-pn, Nagai 2002) answer yes or no, and grow the tree where the answer
takes the fewest leaves. Here a total is asked for, a question for each threshold; bounds one ply ahead settle most
states before a leaf is counted; and a state is met by many ways, whose leaves proof numbers would count again.

A kernel is a class that inherits from `Search` and defines the functions named in `search.pxd`. They are called
for a state or a child of one, never for a candidate or a guess that is looked up.
"""

from libc.stdint cimport int64_t

from guesstree.cext.core cimport (
    ANY, Core, Due, Gain, Known, Mark, Node, Ranked, SharedNode, State, Worker, alone, arena_release, bits,
    counter_add, counter_get, flag_set, lock, memo_read, memo_write, size_class, sort_more, sort_ranked, sum_add,
    sum_get, take, unlock
)


cdef enum:
    SLICE_GROWS = 4     # each time slice has so many times the evaluations of the last

cdef int slices_from = 17       # children of the first guess that are worth time slices
cdef int64_t first_slice = 64   # evaluations of the first


def set_slices(int children, int64_t evaluations):
    """Let so many children get time slices, the first of so many evaluations; return both as they were.

    For tests: small games have few children, which are solved soon.
    """
    global slices_from, first_slice
    before = slices_from, first_slice
    slices_from, first_slice = children, evaluations
    return before


cdef class Search(Core):
    """See `reference_search.Search`."""

    def __cinit__(self, *args, **kwargs):
        self.whole = NULL
        self.small = self.least_shared = 4
        self.discrepancies = ANY

    # ---- asked from outside -------------------------------------------------------------------------------------

    def search(self, candidates, int depth, beta=None, history=(), int64_t evaluations=0, left=None):
        """See `reference_search.Search.search`."""
        cdef Worker *w
        cdef int64_t value
        self.busy = alone(self.busy)
        try:
            w = self.worker(history)
            self.ask(w, candidates, depth, left, history)
            self.beta = self.infinite if beta is None else beta
            value = self.run(w, evaluations)
            found = value < self.beta and not self.tally.stop
            return self.outcome(value, self.beta, self.first_guess() if found else -1)
        finally:
            self.busy = 0

    def choice(self, candidates, int depth, history=(), left=None):
        """See `reference_search.Search.choice`."""
        cdef Known known
        cdef int64_t least = self.infinite
        cdef int guess = -1, found = 0
        self.busy = alone(self.busy)
        try:
            self.ask(self.worker(history), candidates, depth, left, history)
            if self.solved(&self.asked) >= 0:
                guess = self.last_guess(&self.asked)
                found = guess >= 0
            while not found or least < self.infinite:   # with as many discrepancies left as were, or fewer
                self.recall(&self.main, &self.asked, &known)
                if known.upper < least and known.upper <= known.lower:
                    least, guess, found = known.upper, known.guess, 1
                if self.asked.discrepancies <= 0:
                    break
                self.asked.discrepancies -= 1
                self.hash_state(self.whole, &self.asked)
        finally:
            self.busy = 0
        if found:
            return guess
        outcome = self.search(candidates, depth, None, history, 0, left)
        if outcome.ended or outcome.upper >= self.infinite or (outcome.guess < 0 and self.asked.remaining < 0):
            raise ValueError(f"no strategy is known for {len(candidates)} candidates")
        return outcome.guess

    def bound(self, candidates, int depth, history=(), left=None):
        """See `reference_search.Search.bound`."""
        cdef Worker *w
        cdef Known known
        cdef int64_t lower
        self.busy = alone(self.busy)
        try:
            w = self.worker(history)
            self.ask(w, candidates, depth, left, history)
            known.lower = known.upper = self.solved(&self.asked)
            if known.lower >= 0:
                return known.lower, True
            with nogil:
                self.known(w, self.whole, &self.asked, &known)
                if self.looks and not known.bounded and known.lower < known.upper:
                    lower = known.lower
                    self.look_ahead(w, self.whole, &self.asked, &known)
                    known.lower = max(known.lower, lower)
            return known.lower, known.lower >= known.upper
        finally:
            self.busy = 0

    cdef int first_guess(self) noexcept:
        """Return the first guess of the strategy that was found for what was asked last."""
        cdef Known known
        if self.solved(&self.asked) >= 0:
            return self.last_guess(&self.asked)
        self.recall(&self.main, &self.asked, &known)
        return known.guess if known.lower >= known.upper else self.tally.guess  # the table may be too small

    # ---- what a kernel defines ----------------------------------------------------------------------------------

    cdef int ask(self, Worker *w, candidates, int depth, left, history) except -1:
        """Write what is asked."""
        return 0

    cdef void hash_state(self, const Node *above, State *state) noexcept nogil:
        """Write the key of a state: a sum of two random words for each candidate (Zobrist 1970).

        Two different sets have the same with probability 2^-128 for a pair. What else tells states apart is mixed in.
        """

    cdef int64_t solved(self, const State *state) noexcept nogil:
        """Return exactly the value of a state that needs no search, or -1."""
        return -1

    cdef int last_guess(self, const State *state) noexcept nogil:
        """Return the guess that such a state is asked; -1: none is needed, or there is no strategy."""
        return -1

    cdef int recall(self, Worker *w, const State *state, Known *out) noexcept nogil:
        """Write what is remembered of a state."""
        if not memo_read(self.memo, w.thread, state.key1, state.key2, out):
            out.lower, out.upper, out.guess, out.bounded = 0, self.infinite, -1, 0
        return 0

    cdef int64_t static_bound(self, Worker *w, const Node *above, const State *state) except -1 nogil:
        """Return at least the value of a state, by counting."""
        return 0

    cdef int open(self, Worker *w, const Node *above, Node *node) except -1 nogil:
        """Prepare a node to look at all of its guesses."""
        return 0

    cdef int hash_move(self, Worker *w, Node *node, int guess, Ranked *out) except -1 nogil:
        """Write the remembered guess, and return 1 if it is to be tried before the others are ranked."""
        return 0

    cdef int rank(self, Worker *w, const Node *above, Node *node, Ranked **out) except -1 nogil:
        """Write the guesses that may be better than the best known, `node.sorted` of them sorted; return how many."""
        return 0

    cdef int admit(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -2 nogil:
        """Return the number of a ranked guess, or -1 if it cannot be better than those tried before."""
        return ranked.column

    cdef int split(self, Worker *w, Node *node, int column, int guess, Child **out, int64_t *paid) except -1 nogil:
        """Write the children of a guess, those first that are likely to be dear, with what is known of each.

        Write what is paid beside them, and return how many they are.
        """
        return 0

    cdef int enter(self, Worker *w, const Node *node, Child *child) except -1 nogil:
        """Write the candidates of a child, where `split` has not."""
        return 0

    cdef int look_ahead(self, Worker *w, const Node *above, const State *state, Known *found) except -1 nogil:
        """Write bounds of a state from bounds of its guesses, and remember them."""
        return 0

    cdef void store(self, Worker *w, const State *state, int64_t lower, int settled, int guess,
                    int effort) noexcept nogil:
        """Remember at least the value of a state, or exactly if it is settled."""
        memo_write(self.memo, w.thread, state.key1, state.key2, lower, lower if settled else self.infinite, guess, 0,
                   effort)

    cdef void store_alike(self, Worker *w, const Node *node, int64_t lower) noexcept nogil:
        """Remember the same of all states that are alike, where a kernel knows them."""

    # ---- one state ----------------------------------------------------------------------------------------------

    cdef int64_t root_value(self, Worker *w) except -1 nogil:
        return self.value(w, self.whole, &self.asked, self.beta, 0)

    cdef int known(self, Worker *w, const Node *above, const State *state, Known *out) except -1 nogil:
        """Write what is known of a state, by counting if by nothing else."""
        self.recall(w, state, out)
        if out.lower < out.upper:
            out.lower = max(out.lower, self.static_bound(w, above, state))
        return 0

    cdef int64_t value(self, Worker *w, const Node *above, const State *state, int64_t beta, int ply) except -1 nogil:
        """Return exactly the value of a state if it is below beta, otherwise at least beta and at most the value."""
        cdef Mark mark
        cdef Known known
        cdef Node *node
        cdef int64_t evaluations, lower = self.solved(state)    # 1
        if lower >= 0:
            return lower
        self.known(w, above, state, &known)                     # 2
        lower = known.lower
        if lower >= beta or lower == known.upper or self.halted(w) or self.spent() or self.slice_over(w):   # 3
            return lower
        mark, evaluations = w.arena.top, counter_get(&self.tally.evaluations)
        node = <Node *>take(&w.arena, self.node_size)
        node.state, node.ply, node.best, node.low, node.lower = state[0], ply, beta, self.infinite, lower
        node.settled, node.guess, node.count, node.sorted = 0, -1, 0, 0
        node.beam = self.width and state.n > self.small
        node.width = self.width if node.beam or self.narrow else 0
        if node.width and state.discrepancies == 0:
            node.width = 1
        node.dropping.fixing, node.dropping.marks = NULL, NULL
        self.open(w, above, node)
        lower = node.lower
        if lower >= beta or node.settled:                       # 3 once more, by states that are alike
            self.store(w, state, lower, 0, -1, 0)
            arena_release(&w.arena, mark)
            return lower
        counter_add(&self.tally.states, 1)
        if not self.halted(w):
            self.try_guesses(w, above, node, known.guess)
        lower = node.lower
        if not self.halted(w):                                  # 10
            lower = max(lower, node.best if node.settled else node.low)
            self.store(w, state, lower, node.settled, node.guess,
                       bits(counter_get(&self.tally.evaluations) - evaluations))
            self.store_alike(w, node, lower)
        arena_release(&w.arena, mark)
        return lower

    cdef int try_guesses(self, Worker *w, const Node *above, Node *node, int hint) except -1 nogil:
        """Try the guesses of a node, the best bound first; best, low and guess of the node hold the result."""
        cdef Ranked first
        cdef Ranked *ranked = NULL
        cdef int many
        if node.state.n > self.small:                           # 4
            self.dropping(w, node.ply, &node.dropping)
        if self.hash_move(w, node, hint, &first):               # 5
            self.attempt(w, node, &first, NULL)
            if self.halted(w) or (node.settled and node.best <= node.lower):
                return 0
        many = self.rank(w, above, node, &ranked)               # 6
        if self.halted(w) or (node.settled and node.best <= node.lower):
            return 0
        return self.try_ranked(w, node, ranked, many)

    cdef int try_ranked(self, Worker *w, Node *node, Ranked *ranked, int many) except -1 nogil:
        """Try ranked guesses until the next is bounded at the best known; the first alone, the rest with others."""
        cdef int i
        for i in range(many):
            if i == node.sorted:
                node.sorted = sort_more(ranked, i, many, node.beam)
            if ranked[i].bound >= node.best:                    # 7
                node.low = min(node.low, ranked[i].bound)
                if node.beam:
                    continue
                break
            if node.width and node.count >= node.width:
                break
            if self.jobs > 1 and node.count and many - i > 1 and node.state.n > self.least_shared:
                sort_ranked(ranked + node.sorted, many - node.sorted, node.beam)
                self.share(w, node, ranked + i, many - i)
                break
            self.attempt(w, node, &ranked[i], NULL)
            if self.halted(w) or (node.settled and node.best <= node.lower):
                break
        return 0

    cdef int attempt(self, Worker *w, Node *node, const Ranked *ranked, SharedNode *shared) except -1 nogil:
        """Try a guess that may be better than those tried before, and keep it if it is."""
        cdef int64_t total
        cdef int guess
        guess = self.admit(w, node, ranked, shared)
        if guess < 0 or self.slice_over(w):
            return 0
        if node.ply == 0 and shared == NULL:
            self.tally.lower = max(self.tally.lower, ranked.bound)
        w.history[w.past + node.ply] = guess
        total = self.guess_value(w, node, ranked.column, guess)
        if not self.halted(w):
            self.keep(node, shared, total, guess)
        return 0

    # ---- one guess ----------------------------------------------------------------------------------------------

    cdef int64_t guess_value(self, Worker *w, Node *node, int column, int guess) except -1 nogil:
        """Return exactly the value of a node with this guess if it is below the best, else at least the best."""
        cdef Mark mark = w.arena.top
        cdef Known known
        cdef Child *children = NULL
        cdef Child *child
        cdef int64_t paid = 0, total, work, need
        cdef int i, due = 0, many = self.split(w, node, column, guess, &children, &paid)
        cdef Due *order = <Due *>take(&w.arena, (many + 1) * sizeof(Due))
        total = self.total(children, many, paid)
        if total < node.best and self.may_share(node):
            total = self.value_together(w, node, children, many, order, total, 0)
        if total < node.best:
            due = self.in_order(children, many, 0, order)
        for i in range(due):                                    # 8
            if total >= node.best:
                break
            child = children + order[i].child
            work, need = w.work, node.best - total
            self.look_ahead(w, node, &child.state, &known)
            self.learn(w, child, 0, min(known.lower - child.bound, need), work)
            total = self.raised(total, child, max(child.bound, known.lower))
            child.exact = known.lower >= known.upper
        total = self.descend(w, node, children, many, order, total)
        arena_release(&w.arena, mark)
        return min(total, self.infinite)

    cdef int64_t value_together(self, Worker *w, Node *node, Child *children, int many, Due *order, int64_t total,
                                int values) except -1 nogil:
        """Do step 8 or 9 with the threads that have nothing else to do; return what the guess takes, at least."""
        cdef SharedNode shared
        shared.ranked, shared.children, shared.order, shared.values = NULL, children, order, values
        shared.many = self.in_order(children, many, values, order)
        shared.low, shared.best = total, node.best
        if shared.many > 1:
            self.work_together(w, node, &shared)
        return shared.low

    cdef int do_child(self, Worker *w, Node *node, SharedNode *shared, int number) except -1 nogil:
        """Search a child of a guess, or bound it one ply ahead; who finds enough sets `done`.

        Bounds only rise meanwhile, so a child whose value reaches its limit is enough later, too.
        """
        cdef Mark mark = w.arena.top
        cdef Known known
        cdef Child *children = <Child *>shared.children
        cdef Child *child = children + shared.order[number].child
        cdef int64_t limit, work = w.work
        lock(&shared.guard)
        limit = shared.best - child.paid if self.maximum else shared.best - (shared.low - child.bound)
        unlock(&shared.guard)
        if shared.values:
            self.enter(w, node, child)
            known.lower, known.upper = self.value(w, node, &child.state, limit, node.ply + 1), 0
            arena_release(&w.arena, mark)
        else:
            self.look_ahead(w, node, &child.state, &known)
        self.learn(w, child, shared.values, known.lower - child.bound, work)
        lock(&shared.guard)
        shared.low = self.raised(shared.low, child, max(child.bound, known.lower))
        child.exact, child.looked = known.lower >= known.upper, 1
        if shared.low >= shared.best:
            flag_set(&shared.done, 1)
        unlock(&shared.guard)
        return 0

    cdef int in_order(self, const Child *children, int many, int searching, Due *order) noexcept nogil:
        """Write the children to be looked at, or searched, in the order in which that is done; return how many.

        First comes what has raised bounds of sets of that size most so far, for each candidate read; what was never
        done is expected to gain one for each candidate, if it looks ahead, and nothing, if it searches. Where one
        child can be enough, they stay as they are, those first that may take most.
        """
        cdef Gain *gain
        cdef double promise = 0
        cdef int i, k, n, few = 0
        for i in range(many):
            if children[i].exact or (children[i].looked and not searching):
                continue
            k, few = few, few + 1
            if self.learns:
                n, gain = children[i].state.n, &self.gains[searching][size_class(children[i].state.n)]
                promise = (sum_get(&gain.raised) + (0 if searching else n)) / (sum_get(&gain.work) + n)
            while k > 0 and order[k - 1].promise < promise:
                order[k] = order[k - 1]
                k -= 1
            order[k].promise, order[k].child = promise, i
        return few

    cdef void learn(self, Worker *w, const Child *child, int searching, int64_t gained, int64_t before) noexcept nogil:
        """Note by how much looking ahead from a child, or searching it, has raised its bound, and the work since."""
        cdef Gain *gain
        if self.learns:
            gain = &self.gains[searching][size_class(child.state.n)]
            sum_add(&gain.raised, max(gained, 0))
            sum_add(&gain.work, w.work - before + 1)

    cdef int64_t descend(self, Worker *w, Node *node, Child *children, int many, Due *order,
                         int64_t total) except -1 nogil:
        """Replace bounds of children by values, until the guess is bounded at the best (step 9); return its bound."""
        cdef Mark mark = w.arena.top
        cdef Child *child
        cdef int64_t slice = 0, limit, value, work
        cdef int i, open = self.in_order(children, many, 1, order) if total < node.best else 0
        if self.sliced and not self.width and node.ply == 0 and open >= slices_from:
            slice = first_slice
        while open and not self.halted(w):
            if open == 1:
                slice = 0
            elif self.sliced and not (slice or self.maximum) and self.may_share(node):
                total = self.value_together(w, node, children, many, order, total, 1)
                break
            for i in range(open):
                child = children + order[i].child
                if total >= node.best or self.halted(w):
                    break
                work, limit = w.work, node.best - child.paid if self.maximum else node.best - (total - child.bound)
                if slice:
                    w.slice = counter_get(&self.tally.evaluations) + slice
                self.enter(w, node, child)
                value = self.value(w, node, &child.state, limit, node.ply + 1)
                arena_release(&w.arena, mark)
                self.learn(w, child, 1, value - child.bound, work)
                total = self.raised(total, child, value)
                child.exact = 1
                if slice:
                    child.exact, w.slice, w.over = 1 - w.over, 0, 0
            open = self.in_order(children, many, 1, order) if total < node.best else 0
            slice *= SLICE_GROWS
        return total

    cdef int64_t raised(self, int64_t total, Child *child, int64_t bound) noexcept nogil:
        """Write a new bound of a child, which is no lower; return what `total` is then."""
        cdef int64_t before = child.bound
        child.bound = bound
        return max(total, self.plus(child.paid, bound)) if self.maximum else self.plus(total - before, bound)

    cdef int64_t total(self, const Child *children, int many, int64_t paid) noexcept nogil:
        """Return at least what a guess takes, by what is known of its children."""
        cdef int64_t total = paid, each
        cdef int i
        for i in range(many):
            each = self.plus(children[i].paid, children[i].bound)
            total = max(total, each) if self.maximum else self.plus(total, each)
        return total

    cdef void pass_on(self, const Node *node, State *child) noexcept nogil:
        """Write what a child has of the node's discrepancies: every guess but the first that is tried takes one."""
        child.discrepancies = ANY
        if child.n > self.small and node.state.discrepancies != ANY:
            child.discrepancies = node.state.discrepancies - (node.count > 0)
