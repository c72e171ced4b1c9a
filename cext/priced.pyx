# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""States with costs, weights and budgets for the compiled search; `reference_priced` is the plain twin.

It explains the contract and has the proofs. By counting, states are bounded by Huffman codes (1952). Secrets are
known by their places, heaviest first, so that every state has them in that order.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

import numpy as np

from guesstree.cext.core cimport (
    ANY, Dropping, Known, Mark, Node, Ranked, State, Tried, Worker, arena_release, bits, counter_add, counter_get,
    memo_read, memo_write, mixed, remember, take
)
from guesstree.cext.isomorph cimport Alike, guess_at, rank_of, write_key
from guesstree.cext.pricing cimport Part, Parts, Pricing, beam_score, descending
from guesstree.cext.rules cimport is_allowed, mix_needs, needs_after
from guesstree.cext.search cimport Child


INFINITE = 1 << 62
UNLIMITED = 1 << 30

cdef int64_t INF = <int64_t>1 << 62
cdef enum:
    TOO_DEAR = -2
    WORTH_BOUNDS = 16       # where discrepancies are counted, larger children are not bounded one ply ahead
    NAMED = 4096            # so many states are looked up by what those alike share;
    MET = 16                # more while of one in so many something was known


cdef struct Scan:       # all guesses on a set
    Ranked *ranked
    int32_t *guesses    # those that tell something new, ascending: of no others is more to be had below
    int choices
    int few
    int free            # a guess that costs nothing on the set, or -1
    int most
    int guess
    int64_t lower
    int64_t upper


cdef struct PricedNode:
    Node node
    Scan scan
    Alike alike


cdef int by_size(const void *a, const void *b) noexcept nogil:
    cdef const Child *x = <const Child *>a
    cdef const Child *y = <const Child *>b
    if x.state.n != y.state.n:
        return y.state.n - x.state.n
    return -1 if x.response < y.response else 1


cdef class Searcher(Pricing):
    """See `reference_priced.Searcher`."""

    cdef int R, winning, only_candidates, shift, pairs, isomorphic
    cdef int64_t single_price
    cdef int64_t named, met     # states looked up by what those alike share, and those of which something was known
    cdef uint16_t *cols         # responses by guess and place; bytes would be no faster (measured)
    cdef int32_t *secret_of_guess
    cdef int32_t *usual         # the commonest response to each guess
    cdef int plain              # whether parts add up what secrets pay for any guess: 1: that is nothing; 2: no budget
    cdef int64_t *asks          # what secrets pay at least for a guess, times their weights
    cdef int64_t *kinds         # what a secret has in common with those like it, beside its weight
    cdef int64_t *costs
    cdef int64_t *prices
    cdef object place
    cdef PricedNode all         # all guesses

    def __init__(self, table, secret_of_guess, int responses, int winning, bint only_candidates, weights, costs,
                 prices, min_ask, min_finish,
                 int64_t unit, int64_t single_price, bint worst, int64_t penalty, int rate, classes=None, digits=None,
                 int renaming=0, features=None, needs=None, uint64_t memory=1 << 28, int width=0, int jobs=1,
                 int discrepancies=ANY, bint pairs=False, bint isomorphic=False):
        cdef const uint16_t[:, ::1] parts
        self.prepare(table.shape[0], table.shape[1], table.shape[1], 20200229, INF, memory, width, jobs,
                     table.shape[1] + 1, classes, digits, renaming)
        order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(order).astype(np.int32)
        self.R = responses
        self.winning, self.win, self.only_candidates = winning, winning >= 0, only_candidates
        self.unit, self.single_price, self.maximum, self.penalty = unit, single_price, worst, penalty
        self.rate, self.discrepancies = rate, discrepancies
        self.pairs = pairs
        # What may be asked of a set must be known by what guesses make of it.
        self.isomorphic = isomorphic and not only_candidates and features is None
        self.shift = max(0, int(weights.sum()).bit_length() - 30)
        self.cols = <uint16_t *>take(&self.arena, <size_t>self.G * self.S * sizeof(uint16_t))
        if self.G and self.S:
            parts = np.ascontiguousarray(table[:, order], dtype=np.uint16)
            memcpy(self.cols, &parts[0, 0], <size_t>self.G * self.S * sizeof(uint16_t))
        self.usual = self.ints([int(np.bincount(row).argmax()) if self.S else 0 for row in table])
        self.plain = 0 if winning >= 0 else 1 if not min_ask.any() else 0 if worst else 2
        self.asks = self.longs((weights * min_ask * rate)[order])
        self.secret_of_guess = self.ints([self.place[s] if s >= 0 else -1 for s in secret_of_guess])
        self.weights, self.min_ask = self.longs(weights[order]), self.longs(min_ask[order])
        self.min_finish = self.longs(min_finish[order])
        _, kinds = np.unique(np.stack([min_ask, min_finish]), axis=1, return_inverse=True)
        self.kinds = self.longs(kinds.ravel()[order])
        self.costs, self.prices = self.longs(costs), self.longs(prices)
        self.node_size, self.looks, self.sliced, self.learns = sizeof(PricedNode), 1, 1, not worst
        self.all.scan.guesses, self.all.scan.choices = self.ints(np.arange(self.G)), self.G
        self.whole = &self.all.node
        self.set_rules(features, needs, responses, 1)

    cdef int equip(self, Worker *w) except -1 nogil:
        cdef Parts *parts = <Parts *>take(&w.arena, sizeof(Parts))
        parts.touched = <int32_t *>take(&w.arena, self.R * sizeof(int32_t))
        parts.of = <Part *>take(&w.arena, self.R * sizeof(Part))
        memset(parts.of, 0, self.R * sizeof(Part))
        w.more = parts
        return 0

    cdef int ask(self, Worker *w, candidates, int depth, left, history) except -1:
        """Write what is asked; `left`: what remains of the budget."""
        cdef const int32_t[::1] places = np.sort(self.place[candidates])
        cdef int32_t *members = <int32_t *>take(&w.arena, (places.shape[0] + 1) * sizeof(int32_t))
        cdef uint64_t *needs = <uint64_t *>take(&w.arena, (self.rules.words + 1) * sizeof(uint64_t))
        cdef int i, guess
        for i in range(<int>places.shape[0]):
            members[i] = places[i]
        memset(needs, 0, (self.rules.words + 1) * sizeof(uint64_t))
        if self.rules.words:
            for guess in history or ():
                needs_after(&self.rules, needs, guess, self.cols[<size_t>guess * self.S + members[0]], needs)
        self.asked.members, self.asked.n, self.asked.depth = members, places.shape[0], depth
        self.asked.remaining = -1 if left is None else left
        self.asked.most_parts, self.asked.needs = max(self.R, 2), needs if self.rules.words else NULL
        self.asked.discrepancies = self.discrepancies if self.asked.n > self.small else ANY
        self.hash_state(NULL, &self.asked)
        return 0

    # ---- states -------------------------------------------------------------------------------------------------

    cdef void hash_state(self, const Node *above, State *state) noexcept nogil:
        """Write a sum of random words of the candidates, the budget, and guesses that may be too few."""
        cdef int i
        state.key1 = mixed(<uint64_t>(state.remaining + 1) * <uint64_t>0xD6E8FEB86659FD93 + 1)
        state.key2 = mixed(<uint64_t>(state.remaining + 1) * <uint64_t>0xD6E8FEB86659FD93 + 2)
        if self.bound_to(state.n, state.depth):
            state.key1 += mixed(<uint64_t>(state.depth + 1) * <uint64_t>0xA5A3564E27F88691 + 3)
            state.key2 += mixed(<uint64_t>(state.depth + 1) * <uint64_t>0xA5A3564E27F88691 + 4)
        self.mix_discrepancies(state)
        for i in range(state.n):
            state.key1 += self.z1[state.members[i]]
            state.key2 += self.z2[state.members[i]]
        mix_needs(&self.rules, state.needs, &state.key1, &state.key2)

    cdef int64_t solved(self, const State *state) noexcept nogil:
        if state.n == 1:
            return self.single(state.members[0], state.remaining, state.depth)
        if self.dead(state.n, state.depth, state.most_parts):
            return self.lost_all(self.weight(state.members, state.n), state.remaining)
        return -1

    cdef int rank(self, Worker *w, const Node *above, Node *node, Ranked **out) except -1 nogil:
        """Bound all guesses; giving up comes first, since it is a strategy, and then a guess that costs nothing."""
        cdef const Scan *before = &(<const PricedNode *>above).scan
        cdef Scan *scan = &(<PricedNode *>node).scan
        cdef Known known
        cdef int64_t given
        self.scan(w, &node.state, before.guesses, before.choices, &node.dropping, scan)
        node.lower = max(node.lower, scan.lower)
        (<PricedNode *>node).alike.hashes = NULL
        if node.state.remaining >= 0:
            given = self.given_up(node.state.members, node.state.n, node.state.remaining)
            node.low = given
            if given < node.best:
                node.best, node.settled = given, 1
        out[0] = scan.ranked
        if self.shares(&node.state, scan) and node.lower < node.best:
            self.recall_alike(w, &node.state, scan, &(<PricedNode *>node).alike, &known)
            node.lower = max(node.lower, known.lower)
            if known.lower >= known.upper and known.upper < node.best:
                node.best, node.settled, node.guess = known.upper, 1, known.guess
            if node.lower >= node.best:
                node.low = min(node.low, node.lower)
                return 0
        if scan.free >= 0:
            scan.ranked[0].bound, scan.ranked[0].column = scan.lower, scan.free
            return 1
        return scan.few

    cdef int shares(self, const State *state, const Scan *scan) noexcept nogil:
        """Return whether a state may share what is known with all alike, and that seems worth its while."""
        if not self.isomorphic or state.n <= self.small or scan.free >= 0:
            return 0
        return counter_get(&self.named) < NAMED or MET * counter_get(&self.met) >= counter_get(&self.named)

    cdef int recall_alike(self, Worker *w, const State *state, const Scan *scan, Alike *alike,
                          Known *known) except -1 nogil:
        """Write what is known of all states that differ from one in names and scale alone; see `reference_priced`."""
        alike.key1 = mixed(<uint64_t>(state.remaining + 1) * <uint64_t>0xD6E8FEB86659FD93 + 7)
        alike.key2 = mixed(<uint64_t>(state.remaining + 1) * <uint64_t>0xD6E8FEB86659FD93 + 8)
        if self.bound_to(state.n, state.depth):
            alike.key1 += mixed(<uint64_t>(state.depth + 1) * <uint64_t>0xA5A3564E27F88691 + 9)
            alike.key2 += mixed(<uint64_t>(state.depth + 1) * <uint64_t>0xA5A3564E27F88691 + 10)
        if state.discrepancies != ANY:
            alike.key1 += mixed(<uint64_t>state.discrepancies + 11)
            alike.key2 += mixed(<uint64_t>state.discrepancies + 12)
        alike.guesses, alike.count = scan.guesses, scan.choices
        write_key(&w.arena, self.cols, self.S, state.members, state.n, self.weights, self.kinds, self.costs,
                  self.R, self.winning, self.z1, self.z2, alike)
        counter_add(&self.named, 1)
        if not memo_read(self.memo, w.thread, alike.key1, alike.key2, known):
            known.lower, known.upper, known.guess = 0, INF, -1
            return 0
        counter_add(&self.met, 1)
        known.lower = INF if known.lower == INF else known.lower * alike.scale
        known.upper = INF if known.upper == INF else known.upper * alike.scale
        if known.guess >= 0:
            known.guess = guess_at(&w.arena, alike, known.guess)
            if known.guess < 0:
                known.upper = INF
        return 0

    cdef void store_alike(self, Worker *w, const Node *node, int64_t lower) noexcept nogil:
        cdef const Alike *alike = &(<const PricedNode *>node).alike
        if self.isomorphic and alike.hashes != NULL:
            if lower < INF:
                lower = (lower + alike.scale - 1) // alike.scale
            memo_write(self.memo, w.thread, alike.key1, alike.key2, lower, lower if node.settled else INF,
                       rank_of(alike, node.guess), 0, 0)

    cdef int split(self, Worker *w, Node *node, int column, int guess, Child **out, int64_t *paid) except -1 nogil:
        """Write the children of a guess, largest first; return how many there are."""
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef Parts *parts = <Parts *>w.more
        cdef const State *above = &node.state
        cdef int32_t *rows = <int32_t *>take(&w.arena, above.n * sizeof(int32_t))
        cdef Part *part
        cdef Child *child
        cdef int i, few = 0
        for i in range(above.n):
            part = &parts.of[col[above.members[i]]]
            if part.count == 0:
                parts.touched[few] = col[above.members[i]]
                few += 1
            part.count += 1
        # The counts are back at 0 before memory is asked for, which may fail.
        for i in range(few):
            part = &parts.of[parts.touched[i]]
            part.start = rows
            rows += part.count
            part.last, part.count = part.count, 0
        for i in range(above.n):
            part = &parts.of[col[above.members[i]]]
            part.start[0] = above.members[i]
            part.start += 1
        out[0] = child = <Child *>take(&w.arena, few * sizeof(Child))
        for i in range(few):
            part = &parts.of[parts.touched[i]]
            child.state.members, child.state.n = part.start - part.last, part.last
            child.response = parts.touched[i]
            child += 1
        qsort(out[0], few, sizeof(Child), by_size)
        for i in range(few):
            self.bound_child(w, node, guess, (<PricedNode *>node).scan.most, out[0] + i)
        return few

    cdef inline int64_t remaining_after(self, const State *state, int64_t cost) noexcept nogil:
        """Return what remains of the budget after a cost; -1: any amount, TOO_DEAR: there was too little."""
        if state.remaining < 0:
            return -1
        return state.remaining - cost if cost <= state.remaining else TOO_DEAR

    cdef int bound_child(self, Worker *w, const Node *node, int guess, int most, Child *child) except -1 nogil:
        """Write what is paid for a child, what may still be asked of it, and what is known of its value."""
        cdef const State *above = &node.state
        cdef State *state = &child.state
        cdef Known known
        cdef uint64_t *needs
        cdef int r = child.response
        cdef int64_t cost = self.costs[<size_t>guess * self.R + r]
        child.exact, child.looked, child.paid, child.bound = 1, 1, 0, 0
        state.remaining, state.depth = self.remaining_after(above, cost), above.depth - 1
        state.most_parts, state.needs = most, NULL
        self.pass_on(node, state)
        if state.remaining == TOO_DEAR:
            child.bound = self.given_up(state.members, state.n, above.remaining)
            return 0
        child.paid = cost if self.maximum else self.rate * cost * self.weight(state.members, state.n)
        if r == self.winning:
            return 0
        child.bound = self.solved(state)
        if child.bound >= 0:
            return 0
        if self.rules.words:
            needs = <uint64_t *>take(&w.arena, self.rules.words * sizeof(uint64_t))
            needs_after(&self.rules, above.needs, guess, r, needs)
            state.needs = needs
        self.hash_state(node, state)
        self.known(w, node, state, &known)
        child.bound, child.exact = known.lower, known.lower >= known.upper
        child.looked = known.bounded or (state.discrepancies != ANY and state.n > WORTH_BOUNDS)
        return 0

    # ---- bounds -------------------------------------------------------------------------------------------------

    cdef int look_ahead(self, Worker *w, const Node *above, const State *state, Known *found) except -1 nogil:
        """Write bounds of a set one step ahead (step 7), and remember them."""
        cdef Mark mark = w.arena.top
        cdef const Scan *before = &(<const PricedNode *>above).scan
        cdef Scan scan
        cdef Alike alike
        cdef Known same
        cdef int64_t given
        self.known(w, above, state, found)
        self.scan(w, state, before.guesses, before.choices, NULL, &scan)
        found.lower, found.upper, found.guess = max(found.lower, scan.lower), scan.upper, scan.guess
        if state.remaining >= 0:
            given = self.given_up(state.members, state.n, state.remaining)
            if given <= found.lower and given <= found.upper:
                found.upper, found.guess = given, -1
        if self.shares(state, &scan) and found.lower < found.upper:
            self.recall_alike(w, state, &scan, &alike, &same)
            found.lower = max(found.lower, same.lower)
            if same.lower >= same.upper:
                found.upper, found.guess = same.upper, same.guess
        if found.upper > found.lower:
            found.upper, found.guess = INF, -1
        found.bounded = 1
        memo_write(self.memo, w.thread, state.key1, state.key2, found.lower, found.upper, found.guess, 1, 0)
        arena_release(&w.arena, mark)
        return 0

    cdef int scan(self, Worker *w, const State *state, const int32_t *guesses, int choices, const Dropping *dropping,
                  Scan *out) except -1 nogil:
        """Bound every guess on a set; see `reference_priced.Searcher.scan`. The caller gives the memory back."""
        cdef Parts *parts = <Parts *>w.more
        cdef const int32_t *members = state.members
        cdef int64_t *spared = NULL
        cdef Tried seen
        cdef uint64_t slots = 64, key1 = 0, key2 = 0, hash1, hash2
        cdef int64_t weight = 0, asks = 0
        cdef int g, i, j, few, n = state.n, count = 0, plain = self.plain == 1 or (self.plain and state.remaining < 0)
        self.evaluated(w, n)
        while slots < 2 * <uint64_t>choices:
            slots *= 2
        out.ranked = <Ranked *>take(&w.arena, (choices + 1) * sizeof(Ranked))
        out.guesses = <int32_t *>take(&w.arena, choices * sizeof(int32_t))
        seen.words, seen.mask = <uint64_t *>take(&w.arena, 2 * slots * sizeof(uint64_t)), slots - 1
        memset(seen.words, 0, 2 * slots * sizeof(uint64_t))
        if self.single_price:
            spared = <int64_t *>take(&w.arena, choices * sizeof(int64_t))
        out.few, out.choices, out.free, out.most, out.guess, out.lower, out.upper = 0, 0, -1, 0, -1, INF, INF
        if self.only_candidates:
            for i in range(n):
                w.inside[members[i]] = 1
        if plain:
            for i in range(n):
                weight += self.weights[members[i]]
                asks += self.asks[members[i]]
                key1 += self.z1[members[i]]
                key2 += self.z2[members[i]]
        for j in range(choices):
            g = guesses[j]
            if self.only_candidates and not (self.secret_of_guess[g] >= 0 and w.inside[self.secret_of_guess[g]]):
                continue
            if self.rules.words and not is_allowed(&self.rules, g, state.needs):
                continue
            if plain:
                few = self.fill_plainly(state, g, weight, asks, key1, key2, parts)
            else:
                few = self.fill(state, g, parts)
            if few > 1:
                self.hash_parts(state, parts, few, g, &hash1, &hash2)
                if not remember(&seen, hash1, hash2, 0):
                    self.note(state, parts, few, g, dropping != NULL and self.is_dropped(dropping, g), out)
                    if spared != NULL:
                        spared[count] = self.spared(parts, few, g)
                        count += 1
                    if not self.only_candidates and not self.rules.words:
                        out.guesses[out.choices] = g
                        out.choices += 1
            for i in range(few):
                parts.of[parts.touched[i]].count = 0
        if self.only_candidates:
            for i in range(n):
                w.inside[members[i]] = 0
        if self.only_candidates or self.rules.words:
            # Of two guesses with the same parts either may be the one that may be asked below.
            memcpy(out.guesses, guesses, choices * sizeof(int32_t))
            out.choices = choices
        if count:
            qsort(spared, count, sizeof(int64_t), descending)
            out.lower = max(out.lower, self.chain(members, n, state.remaining, spared, count))
        if state.remaining >= 0:
            out.lower = min(out.lower, self.given_up(members, n, state.remaining))
        return 0

    cdef int fill(self, const State *state, int guess, Parts *parts) noexcept nogil:
        """Add up the parts of a guess; return how many there are."""
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef const int64_t *costs = self.costs + <size_t>guess * self.R
        cdef Part *part
        cdef int i, s, n = state.n, most = state.most_parts, few = 0
        cdef int counting = self.win and self.unit > 0
        cdef int64_t weight
        for i in range(n):
            s = state.members[i]
            part = &parts.of[col[s]]
            weight = self.weights[s]
            if part.count == 0:
                parts.touched[few] = col[s]
                few += 1
                part.remaining = self.remaining_after(state, costs[col[s]])
                part.weight, part.sum, part.key1, part.key2 = 0, 0, 0, 0
                part.depth, part.room, part.width = 0, 0, 1
            part.count += 1
            part.weight += weight
            part.key1 += self.z1[s]
            part.key2 += self.z2[s]
            part.last = s
            if part.remaining == TOO_DEAR:
                continue
            if counting:
                if part.room == 0:
                    part.depth += 1
                    part.room = part.width
                    part.width = min(part.width * max(most - 1, 1), <int64_t>n)
                part.room -= 1
                if not self.maximum:
                    part.sum += weight * self.per(part.depth * self.unit, part.remaining)
            elif not self.win:
                if self.maximum:
                    part.sum = max(part.sum, self.min_ask[s])
                else:
                    part.sum += weight * self.per(self.min_ask[s], part.remaining)
        return few

    cdef int fill_plainly(self, const State *state, int guess, int64_t weight, int64_t asks, uint64_t key1,
                          uint64_t key2, Parts *parts) noexcept nogil:
        """Do what `fill` does where all is added up: the commonest part is what the others leave.

        Most letters are in few words, so that most secrets are passed over (three times faster in Hangman).
        """
        cdef const uint16_t *col = self.cols + <size_t>guess * self.S
        cdef Part *part
        cdef int i, r, s, few = 0, usual = self.usual[guess], rest = state.n
        for i in range(state.n):
            s = state.members[i]
            r = col[s]
            if r == usual:
                continue
            part = &parts.of[r]
            if part.count == 0:
                parts.touched[few] = r
                few += 1
                part.weight, part.sum, part.key1, part.key2 = 0, 0, 0, 0
            part.count += 1
            part.weight += self.weights[s]
            part.sum += self.asks[s]
            part.key1 += self.z1[s]
            part.key2 += self.z2[s]
        for i in range(few):
            part = &parts.of[parts.touched[i]]
            rest -= part.count
            weight -= part.weight
            asks -= part.sum
            key1 -= part.key1
            key2 -= part.key2
        if rest:
            parts.touched[few] = usual
            few += 1
            part = &parts.of[usual]
            part.count, part.weight, part.sum, part.key1, part.key2 = rest, weight, asks, key1, key2
        for i in range(few):
            r = parts.touched[i]
            part = &parts.of[r]
            part.last = state.members[0]    # to identify, a single secret pays nothing whichever it is
            part.remaining = self.remaining_after(state, self.costs[<size_t>guess * self.R + r])
        return few

    cdef void hash_parts(self, const State *state, const Parts *parts, int few, int guess, uint64_t *hash1,
                         uint64_t *hash2) noexcept nogil:
        """Write a hash of the parts of a guess, what they cost and need, and which of them is won."""
        cdef const uint64_t *needs = NULL
        cdef uint64_t more
        cdef int i, k, r
        hash1[0] = hash2[0] = 0
        for i in range(few):
            r = parts.touched[i]
            more = <uint64_t>self.costs[<size_t>guess * self.R + r] * 2 + (r == self.winning)
            more *= <uint64_t>0x9E3779B97F4A7C15
            if self.rules.words and parts.of[r].count > self.rules.solved:
                needs = self.rules.needs + (<size_t>guess * self.R + r) * self.rules.words
                for k in range(self.rules.words):
                    more = mixed(more ^ (state.needs[k] | needs[k]))
            hash1[0] += mixed(parts.of[r].key1 + more)
            hash2[0] += mixed(parts.of[r].key2 + more)

    cdef void note(self, const State *state, const Parts *parts, int few, int guess, int dropped,
                   Scan *out) noexcept nogil:
        """Bound and score one guess, and note what it says of the set.

        `dropped`: a smaller guess is its equal, with the same bound; it need not be tried.
        """
        cdef Ranked *ranked = out.ranked + out.few
        cdef const Part *part
        cdef int64_t bound, cost
        cdef int i, r, solved, log, exact = 1, free = 1, wins = 0
        ranked.bound, ranked.score, ranked.column, ranked.outside = 0, 0, guess, 0
        for i in range(few):
            r = parts.touched[i]
            part = &parts.of[r]
            cost, solved = self.costs[<size_t>guess * self.R + r], 1
            free, wins = free and cost == 0, wins or r == self.winning
            if part.remaining == TOO_DEAR:
                bound = part.weight * self.loss(state.remaining)
            else:
                bound = cost if self.maximum else self.rate * cost * part.weight
                if r == self.winning:
                    pass
                elif part.count == 1:
                    bound = self.plus(bound, self.single(part.last, part.remaining, state.depth - 1))
                elif self.dead(part.count, state.depth - 1, state.most_parts):
                    bound = self.plus(bound, self.lost_all(part.weight, part.remaining))
                else:
                    solved = 0
                    bound += part.depth * self.unit if self.win and self.maximum else part.sum
            exact = exact and solved
            ranked.bound = max(ranked.bound, bound) if self.maximum else self.plus(ranked.bound, bound)
            if not self.width:
                log = bits(part.count) - 1
                log = 16 * log + ((16 * part.count) >> log) - 16
                ranked.score += (part.weight >> self.shift) * (self.prices[<size_t>guess * self.R + r] + log)
        if self.width:
            ranked.score = beam_score(parts, few, self.costs + <size_t>guess * self.R, self.shift, self.pairs, INF)
        out.lower = min(out.lower, ranked.bound)
        if exact and ranked.bound < out.upper:
            out.upper, out.guess = ranked.bound, guess
        out.most = max(out.most, few + (1 if self.win and not wins else 0))
        # Where what may be asked next depends on what was asked, or on how often, no question is free.
        if free and out.free < 0 and not self.only_candidates and not self.rules.words and (
            not self.bound_to(state.n, state.depth)
        ):
            out.free = guess
        out.few += not dropped

    cdef int64_t spared(self, const Parts *parts, int few, int guess) noexcept nogil:
        """Return the weight that a guess costs nothing."""
        cdef int64_t weight = 0
        cdef int i
        for i in range(few):
            if self.costs[<size_t>guess * self.R + parts.touched[i]] == 0:
                weight += parts.of[parts.touched[i]].weight
        return weight

    cdef int64_t chain(self, const int32_t *members, int n, int64_t left, const int64_t *spared,
                       int count) noexcept nogil:
        """Return at least the value where few guesses cost something; see `reference_priced.Searcher.chain`."""
        cdef int64_t total = self.weight(members, n), heaviest = self.weights[members[0]], paid = 0, steps = 0, term
        cdef int64_t reach, some = 0
        cdef int k
        if left >= 0:
            reach = left // self.single_price
            k = 0
            while k < count and k < reach:
                some += spared[k]
                k += 1
            total -= max(some + heaviest, some + (spared[k] if k < count else 0))
            return max(<int64_t>0, total) * self.loss(left)
        for k in range(count):
            total -= spared[k]
            term = total - (heaviest if k else 0)
            if term <= 0:
                break
            paid, steps = paid + term, steps + 1
        return self.single_price * (steps if self.maximum else self.rate * paid)
