# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Beliefs of models with noisy tests, see `belief.pxd`; lower bounds of what strategies cost from one on.

Let p be the least that a useful test may cost, now or later, where not all is decided at once. On every path something
is asked, so every cause pays p or more, by its mass; in the worst case none pays more than the worst case. Then it
ends in one of two ways.

*By an answer that ends the path.* Then it has paid for a test that may get such an answer from it.

*By a decision.* Then it loses what the best decision for it loses, at least. And no cause is possible there with which
it may not end: for each such cause that is possible now, a test was asked and gave an answer which the other cannot
give (`apart`: what the cheapest of these costs).

So without answers that end a path, a cause pays at least p and its least loss; with them, the larger of p and the
lesser of that loss and the cheapest of its tests that may end its path.

*Codes.* If no path ends by an answer and causes are to be named, the ends of paths, joined where they name causes of
the same connected part of the overlaps, are a code for the parts, with as many symbols as a test has answers, at most:
Huffman's (1952) is the shortest, and joining two ends of a code makes it only shorter. Each symbol costs p or more. In
the worst case the longest word of a code counts; a longer one than a path may have shows that there is no strategy.
"""

from libc.math cimport INFINITY, frexp, ldexp, log2, rint
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from guesstree.cext.core cimport (
    Mark, arena_free, arena_new, arena_release, countdown_place, mixed, out_of_memory, splitmix, take,
)


cdef extern from "noisy.h" nogil:
    void sort_doubles(double *values, int n)
    double huffman(double *values, int n, int symbols)


cdef extern from "points.h" nogil:
    void points_take(Points *points, const int32_t *given, int causes, int tests, int decisions)
    uint32_t points_places(const Points *points, const int32_t *members, const uint64_t *prints, int n,
                           const uint64_t *asked, int tests)
    int points_moved(const Points *points, int what, int number, uint32_t places, int back)


cdef extern from "questions.h" nogil:
    void questions_take(Questions *q, const int32_t *ints, const uint64_t *words, const int32_t *kinds, int causes,
                        int tests)
    uint64_t questions_about(const Questions *q, const int32_t *members, int n, const uint64_t *states, uint64_t key)
    void questions_useful(const Questions *q, const int32_t *members, int n, const uint64_t *states, uint64_t *found)


cdef double TINY = 1e-100   # `FloatModel.SMALL`: a mass below it counts as 0


cdef class BeliefModel:
    """A model in arrays, see `reference_noisy.Searcher`."""

    def __cinit__(self, *args, **kwargs):
        self.made = 0

    def __dealloc__(self):
        if self.made:
            arena_free(&self.arena)

    cdef int prepare(self) except -1:
        """Take the arrays, and note what each test and each cause is."""
        cdef int i
        cdef uint64_t seed = 1
        if not arena_new(&self.arena, countdown_place()):
            out_of_memory()
        self.made = 1
        self.T, self.C = self.kinds_.shape[0], self.kinds_.shape[1]
        self.A, self.row, self.D = self.ends_.shape[1], self.rows_.shape[1], self.rows_.shape[1] - 2
        self.W, self.words = (self.T + 63) // 64, (self.C + 63) // 64
        self.starts, self.kinds = &self.starts_[0], &self.kinds_[0, 0]
        self.answers, self.shares, self.prints = &self.answers_[0], &self.shares_[0], &self.prints_[0, 0]
        self.prices, self.later, self.groups = &self.prices_[0], &self.later_[0], &self.groups_[0]
        self.ends, self.begin, self.rows = &self.ends_[0, 0], &self.begin_[0], &self.rows_[0, 0]
        self.after = &self.after_[0, 0] if self.after_ is not None else NULL
        self.overlap = &self.overlap_[0, 0] if self.overlap_ is not None else NULL
        self.apart = &self.apart_[0, 0] if self.apart_ is not None else NULL
        self.lost = &self.lost_[0, 0] if self.lost_ is not None and self.D and self.limit < INFINITY else NULL
        self.most_tests = min(self.most_tests, self.T)
        self.certain = self.answers_.shape[0] == <int64_t>self.T * self.C
        self.G = 0
        for i in range(self.T):
            self.G = max(self.G, self.groups[i] + 1)
        self.asked_words = self.W + (self.G + 63) // 64
        self.z = <uint64_t *>take(&self.arena, 2 * (self.C + self.T + self.G) * sizeof(uint64_t))
        for i in range(2 * (self.C + self.T + self.G)):
            self.z[i] = splitmix(&seed)
        self.points.many = 0
        if self.points_ is not None:
            points_take(&self.points, &self.points_[0], self.C, self.T, self.D)
        self.told = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        self.know_tests()
        self.know_causes()
        return 0

    cdef int know_tests(self) except -1:
        """Note which tests may end the path, and which have several answers in a cell."""
        cdef int t, i, e, a
        cdef int64_t cell
        self.ending = <uint8_t *>take(&self.arena, self.T)
        self.given = <uint8_t *>take(&self.arena, self.T * self.A)
        self.noisy_tests = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        self.wanted = <uint64_t *>take(&self.arena, self.W * sizeof(uint64_t))
        memset(self.ending, 0, self.T)
        memset(self.given, 0, self.T * self.A)
        memset(self.noisy_tests, 0, self.W * sizeof(uint64_t))
        self.may_stop = 0
        for t in range(self.T):
            for a in range(self.A):
                self.ending[t] |= self.ends[t * self.A + a]
            self.may_stop |= self.ending[t]
            for i in range(self.C):
                cell = <int64_t>t * self.C + i
                if self.starts[cell + 1] > self.starts[cell] + 1:
                    set_bit(self.noisy_tests, t)
                for e in range(self.starts[cell], self.starts[cell + 1]):
                    a = self.answers[e]
                    self.given[t * self.A + a] = not self.ends[t * self.A + a]
        return 0

    cdef int know_questions(self, questions) except -1:
        """Take the arrays of questions about characters, if there are some."""
        self.questions.many = 0
        if questions is not None:
            self.ints_, self.words_ = questions["ints"], questions["words"]
            questions_take(
                &self.questions, &self.ints_[0], &self.words_[0], &self.kinds_[0, 0], self.kinds_.shape[1],
                self.kinds_.shape[0]
            )
        return 0

    cdef int know_causes(self) except -1:
        """Note the best decision for each cause, and how many of these there are."""
        cdef const double *losses
        cdef int i, d
        self.best = <int32_t *>take(&self.arena, self.C * sizeof(int32_t))
        self.sums = <double *>take(&self.arena, (self.D + 1) * sizeof(double))
        memset(self.sums, 0, (self.D + 1) * sizeof(double))
        self.classes = 0
        for i in range(self.C):
            self.best[i], losses = 0, self.rows + <int64_t>i * self.row + 2
            for d in range(1, self.D):
                if losses[d] < losses[self.best[i]]:
                    self.best[i] = d
            self.sums[self.best[i]] = 1
        for d in range(self.D):
            self.classes += self.sums[d] == 1
        memset(self.sums, 0, (self.D + 1) * sizeof(double))
        return 0

    cdef int replay(self, history, Belief *s) except -1:
        """Go to the state after some tests and answers; the root after none."""
        cdef int i
        cdef AndNode node
        cdef Belief *here
        s.n, s.answer, s.depth = self.C, -1, 0
        s.tests, s.failures, s.budget = self.most_tests, self.failures, self.limit
        self.exponent = 0
        s.members = <int32_t *>take(&self.arena, self.C * sizeof(int32_t))
        s.x, s.prints = NULL, NULL
        if not self.certain:
            s.x = <double *>take(&self.arena, self.C * sizeof(double))
            if not self.even:
                s.prints = <uint64_t *>take(&self.arena, 2 * self.C * sizeof(uint64_t))
                memset(s.prints, 0, 2 * self.C * sizeof(uint64_t))
        s.asked = <uint64_t *>take(&self.arena, (self.asked_words) * sizeof(uint64_t))
        memset(s.asked, 0, (self.asked_words) * sizeof(uint64_t))
        s.states = NULL
        if self.questions.many:
            s.states = <uint64_t *>take(&self.arena, self.questions.many * sizeof(uint64_t))
            memcpy(s.states, self.questions.possible, self.questions.many * sizeof(uint64_t))
        for i in range(self.C):
            s.members[i] = i
            if s.x != NULL:
                s.x[i] = self.begin[i]
        self.weigh(s)
        s.about = questions_about(&self.questions, s.members, s.n, s.states, 1)
        self.static_bound(s, self.cheapest(s), self.A)
        self.set_key(s)
        for test, answer in history:
            self.split(s, test, &node)
            here = NULL
            for i in range(node.count):
                if node.after[i].answer == answer:
                    here = node.after + i
            if here == NULL:
                raise ValueError(f"test {test} cannot get answer {answer} there, or ends with it")
            s[0] = here[0]
            self.normalise(s)
            self.static_bound(s, self.cheapest(s), self.A)
            self.set_key(s)
        return 0

    cdef void normalise(self, Belief *s) noexcept nogil:
        """Divide the masses by a power of two, so that they add up to about 1; whole numbers stay as they are."""
        cdef int k, exponent = 0
        if s.x == NULL or self.whole or self.worst:
            return
        frexp(s.mass, &exponent)
        for k in range(s.n):
            s.x[k] = ldexp(s.x[k], -exponent)
        self.exponent += exponent
        self.weigh(s)

    cdef double cheapest(self, const Belief *s) noexcept nogil:
        """Return what the cheapest test costs that may still be asked."""
        cdef double best = INFINITY
        cdef int t
        for t in range(self.T):
            if not bit(s.asked, t):
                best = min(best, self.later[t] if self.groups[t] >= 0 else self.prices[t])
        return best

    # ---- states --------------------------------------------------------------------------------------------------

    cdef int splits(self, const Belief *s, int t) noexcept nogil:
        """Return whether no answer that goes on is possible for all."""
        cdef int64_t base = <int64_t>t * self.C
        cdef int e, k, a, i = s.members[0]
        for e in range(self.starts[base + i], self.starts[base + i + 1]):
            a = self.answers[e]
            if not self.ends[t * self.A + a]:
                k = 1
                while k < s.n and self.may(base + s.members[k], a):
                    k += 1
                if k == s.n:
                    return 0
        return 1

    cdef void useful(self, const Belief *s, uint64_t *found) noexcept nogil:
        """Write the tests not asked that may help: by answers, or as others need them, or are cheaper after them.

        See `engine.noisy.integer_model`, with the proof that the others may be left out.
        """
        cdef int t, u, w, more
        cdef uint64_t word
        memset(found, 0, self.W * sizeof(uint64_t))
        if self.questions.many:
            questions_useful(&self.questions, s.members, s.n, s.states, found)
            return
        for t in range(self.T):
            if not bit(s.asked, t) and self.helps(s, t):
                set_bit(found, t)
        more = self.G > 0 or self.after != NULL
        while more:
            more = 0
            for t in range(self.T):
                if not bit(found, t):
                    continue
                for w in range(self.W if self.after != NULL else 0):
                    word = self.after[t * self.W + w] & ~s.asked[w] & ~found[w]
                    more |= word != 0
                    found[w] |= word
                if self.groups[t] >= 0 and self.later[t] < self.prices[t] and not self.is_open(s, self.groups[t]):
                    for u in range(self.T):
                        if self.groups[u] == self.groups[t] and not bit(s.asked, u) and not bit(found, u):
                            set_bit(found, u)
                            more = 1

    cdef void weigh(self, Belief *s) noexcept nogil:
        """Set what the state loses whatever is decided, what the best decision loses, and the mass."""
        cdef const double *row
        cdef double x, loss
        cdef int k, d
        s.mass = s.least = 0
        s.decide, s.decision = INFINITY, -1
        for k in range(s.n):
            row = self.rows + <int64_t>s.members[k] * self.row
            x = s.x[k] if s.x != NULL else 1
            s.mass += x * row[0]
            s.least = max(s.least, x * row[1]) if self.worst else s.least + x * row[1]
        for d in range(self.D):
            loss = 0
            for k in range(s.n):
                x = s.x[k] if s.x != NULL else 1
                row = self.rows + <int64_t>s.members[k] * self.row
                if row[2 + d] == INFINITY or (
                    self.lost != NULL and self.lost[<int64_t>s.members[k] * self.D + d] > s.budget
                ):
                    loss = INFINITY     # a mass may be 0, as it is below `TINY`
                    break
                loss = max(loss, x * row[2 + d]) if self.worst else loss + x * row[2 + d]
            if loss < s.decide:
                s.decide, s.decision = loss, d
        if self.worst:
            s.mass = 1
        if not self.D and self.settled(s):
            s.decide = 0

    cdef int settled(self, const Belief *s) noexcept nogil:
        """Return whether the causes may be named together."""
        cdef int k, j
        if s.n <= 1:
            return 1
        if self.overlap == NULL:
            return 0
        for k in range(s.n):
            for j in range(k + 1, s.n):
                if not bit(self.overlap + <int64_t>s.members[k] * self.words, s.members[j]):
                    return 0
        return 1

    cdef void set_key(self, Belief *s) noexcept nogil:
        """Set the key of a state: all that its value depends on, but a factor of the masses and places of points."""
        cdef uint64_t key1 = 0, key2 = 0, one1 = 0, one2 = 0
        cdef const uint64_t *z
        cdef int k, t, at, first = self.C
        memset(self.told, 0, self.W * sizeof(uint64_t))
        for t in range(0 if self.questions.many or (self.certain and not self.failures) else self.T):
            # A test that has failed to answer would help, too.
            if bit(s.asked, t) and (self.failures or bit(self.noisy_tests, t)) and self.helps(s, t):
                set_bit(self.told, t)
        s.places = 0
        if self.points.many:
            s.places = points_places(&self.points, s.members, s.prints, s.n, self.told, self.T)
        for k in range(s.n if s.prints != NULL else 0):
            at = points_moved(&self.points, 0, s.members[k], s.places, 0) if self.points.many else s.members[k]
            if at < first:      # without points this is the first of the members
                first, one1, one2 = at, s.prints[2 * k], s.prints[2 * k + 1]
        s.anchor = one1 + mixed(one2)
        for k in range(s.n):
            at = points_moved(&self.points, 0, s.members[k], s.places, 0) if self.points.many else s.members[k]
            z = self.z + 2 * at
            if s.prints != NULL:
                key1 += mixed(z[0] + s.prints[2 * k] - one1)
                key2 += mixed(z[1] + s.prints[2 * k + 1] - one2)
            else:
                key1 += z[0]
                key2 += z[1]
        key1 += s.about
        key2 += questions_about(&self.questions, s.members, s.n, s.states, 2)
        z = self.z + 2 * self.C
        for t in range(self.T):
            if bit(self.told, t):
                at = self.renamed(s, t, 0)
                key1 += z[2 * at]
                key2 += z[2 * at + 1]
        if self.failures or self.most_tests < self.T or self.limit < INFINITY:
            one1 = mixed(<uint64_t>min(s.budget, 1e18)) + (<uint64_t>s.tests << 8) + <uint64_t>s.failures
            key1 += mixed(one1)
            key2 += mixed(~one1)
        if self.G or self.after != NULL:
            self.useful(s, self.wanted)
            self.add_to_key(s, &key1, &key2)
        s.key1, s.key2 = key1 + (key1 == 0), key2

    cdef int renamed(self, const Belief *s, int test, int back) noexcept nogil:
        """Return a test, or T and a decision, with its points in their places in the key; `back`: the other way.

        What is remembered of a key names tests so: it is true of all states of the key, which differ in places.
        """
        if not self.points.many or test < 0:
            return test
        if test < self.T:
            return points_moved(&self.points, 1, test, s.places, back)
        return self.T + points_moved(&self.points, 2, test - self.T, s.places, back)

    cdef void add_to_key(self, const Belief *s, uint64_t *key1, uint64_t *key2) noexcept nogil:
        """Add to a key what useful tests had to wait for, and the groups open in which they are cheaper."""
        cdef const uint64_t *z = self.z + 2 * (self.C + self.T)     # after causes and tests, of groups
        cdef uint64_t word
        cdef int t, u, w, g
        for w in range(self.W if self.after != NULL else 0):
            word = 0
            for t in range(self.T):
                if bit(self.wanted, t):
                    word |= self.after[t * self.W + w]
            for u in range(64 * w, min(64 * w + 64, self.T)):
                if word >> (u & 63) & 1 and bit(s.asked, u):
                    key1[0] += mixed(z[2 * u - 2 * self.T])
                    key2[0] += mixed(z[2 * u - 2 * self.T + 1])
        for g in range(self.G):
            if self.is_open(s, g):
                for t in range(self.T):
                    if self.groups[t] == g and bit(self.wanted, t) and self.later[t] < self.prices[t]:
                        key1[0] += z[2 * g]
                        key2[0] += z[2 * g + 1]
                        break

    # ---- bounds --------------------------------------------------------------------------------------------------

    cdef int static_bound(self, Belief *s, double price, int branches) except -1 nogil:
        """Bound a state whose next test costs at least this and none has more answers.

        Where that is more than may be paid, or no test may be asked, it is to be decided now.
        """
        cdef double bound = INFINITY
        s.upper, s.test = s.decide, self.T + s.decision if s.decision >= 0 else -1
        if price < INFINITY and price <= s.budget and s.tests > 0 and s.decide > 0:
            bound = max(price * s.mass, s.least) if self.may_stop else price * s.mass + s.least
            if not self.D and not self.may_stop:
                bound = self.code_bound(s, price, branches)
        s.lower = min(s.decide, bound)
        return 0

    cdef double code_bound(self, const Belief *s, double price, int branches) except -1 nogil:
        """Return at least what it costs to name who it is, where every test costs this or more."""
        cdef Mark mark = self.arena.top
        cdef double *parts = <double *>take(&self.arena, s.n * sizeof(double))
        cdef double bound = 0, paid = 1, most
        cdef int many, k, j, length = 0
        many = self.components(s, parts)
        while branches > 1 and paid < many:     # the longest word of a code for the parts
            paid *= branches
            length += 1
        if length > s.tests or price * length > s.budget:
            bound = INFINITY
        elif self.worst:
            bound = price * length
        elif many > 1 and branches > 1:
            sort_doubles(parts, many)
            bound = price * huffman(parts, many, branches)
        if self.apart != NULL and s.n <= 64:
            paid = 0
            for k in range(s.n):
                most = 0
                for j in range(s.n):
                    most = max(most, self.apart[<int64_t>s.members[k] * self.C + s.members[j]])
                if self.worst:
                    paid = max(paid, most)
                else:
                    paid += most * (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
            bound = max(bound, paid)
        arena_release(&self.arena, mark)
        return bound

    cdef int components(self, const Belief *s, double *parts) except -1 nogil:
        """Write the masses of the connected parts of the overlaps; return how many there are."""
        cdef int32_t *root
        cdef double mass
        cdef int k, j, a, b, many = 0
        cdef const uint64_t *row
        for k in range(s.n):
            parts[k] = (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
        if self.overlap == NULL:
            return s.n
        root = <int32_t *>take(&self.arena, s.n * sizeof(int32_t))
        for k in range(s.n):
            root[k] = k
        for k in range(s.n):
            row = self.overlap + <int64_t>s.members[k] * self.words
            for j in range(k + 1, s.n):
                if bit(row, s.members[j]):
                    a, b = k, j
                    while root[a] != a:
                        a = root[a]
                    while root[b] != b:
                        b = root[b]
                    root[max(a, b)] = min(a, b)
        for k in range(s.n):        # the root of a part is its first member
            mass = parts[k]
            if root[k] == k:
                root[k] = -1 - many
                parts[many] = mass
                many += 1
            else:
                a = root[k]
                while a >= 0:
                    a = root[a]
                parts[-1 - a] += mass
                root[k] = a
        return many

    # ---- splitting -----------------------------------------------------------------------------------------------

    cdef int split(self, Belief *s, int t, AndNode *node) except -1 nogil:
        """Make the states after each answer to a test that does not end the path, not bounded yet."""
        cdef int64_t base = <int64_t>t * self.C
        cdef int32_t *where = <int32_t *>take(&self.arena, self.A * sizeof(int32_t))
        cdef int k, e, a, i, count = s.failures > 0
        cdef uint64_t *asked = <uint64_t *>take(&self.arena, self.asked_words * sizeof(uint64_t))
        cdef Belief *c
        memset(where, 0, self.A * sizeof(int32_t))
        for k in range(s.n):
            i = s.members[k]
            for e in range(self.starts[base + i], self.starts[base + i + 1]):
                where[self.answers[e]] += 1
        for a in range(self.A):
            if where[a] and not self.ends[t * self.A + a]:
                count += 1
        node.test, node.count = t, 0
        node.paid = self.price(s, t) * s.mass
        node.after = <Belief *>take(&self.arena, count * sizeof(Belief))
        memcpy(asked, s.asked, self.asked_words * sizeof(uint64_t))
        set_bit(asked, t)
        if self.groups[t] >= 0:
            set_bit(asked + self.W, self.groups[t])
        for a in range(self.A):
            if not where[a] or self.ends[t * self.A + a]:
                where[a] = -1
                continue
            self.child(s, node, asked, a, where[a])
            where[a] = node.count
            node.count += 1
        self.fill(s, t, node, where)
        if s.failures:
            c = self.child(s, node, asked, self.silent, s.n)
            c.failures, c.n = s.failures - 1, s.n
            memcpy(c.members, s.members, s.n * sizeof(int32_t))
            if c.x != NULL:
                memcpy(c.x, s.x, s.n * sizeof(double))
            if c.prints != NULL:
                memcpy(c.prints, s.prints, 2 * s.n * sizeof(uint64_t))
            self.weigh(c)
            node.count += 1
        return 0

    cdef Belief *child(self, const Belief *s, AndNode *node, uint64_t *asked, int answer, int n) except NULL nogil:
        """Make the state after an answer that so many causes may give; who they are is not written yet."""
        cdef Belief *c = node.after + node.count
        c.members = <int32_t *>take(&self.arena, n * sizeof(int32_t))
        c.x, c.prints = NULL, NULL
        if not self.certain:
            c.x = <double *>take(&self.arena, n * sizeof(double))
            if not self.even:
                c.prints = <uint64_t *>take(&self.arena, 2 * n * sizeof(uint64_t))
        c.asked, c.answer, c.depth, c.n = asked, answer, 0, 0
        c.states, c.about = NULL, 0
        if self.questions.many:
            c.states = <uint64_t *>take(&self.arena, self.questions.many * sizeof(uint64_t))
            memcpy(c.states, s.states, self.questions.many * sizeof(uint64_t))
            c.states[self.questions.character[node.test]] = self.questions.parts[2 * node.test + answer]
        c.tests, c.failures, c.budget = s.tests - 1, s.failures, s.budget - self.price(s, node.test)
        return c

    cdef void fill(self, const Belief *s, int t, AndNode *node, const int32_t *where) noexcept nogil:
        """Write who is in each state after a test, and their masses."""
        cdef int64_t base = <int64_t>t * self.C
        cdef int k, e, i
        cdef Belief *c
        for k in range(s.n):
            i = s.members[k]
            for e in range(self.starts[base + i], self.starts[base + i + 1]):
                if where[self.answers[e]] < 0:
                    continue
                c = node.after + where[self.answers[e]]
                c.members[c.n] = i
                if c.x != NULL:
                    c.x[c.n] = s.x[k] * self.shares[e] if not self.worst else s.x[k]
                    if self.whole:      # a share such as 1/49 is not exact, see `float_model.EXACT`
                        c.x[c.n] = rint(c.x[c.n])
                    elif c.x[c.n] < TINY:
                        c.x[c.n] = 0
                if c.prints != NULL:
                    c.prints[2 * c.n] = s.prints[2 * k] + self.prints[2 * e]
                    c.prints[2 * c.n + 1] = s.prints[2 * k + 1] + self.prints[2 * e + 1]
                c.n += 1
        for k in range(node.count):
            self.weigh(node.after + k)
            c = node.after + k
            c.about = questions_about(&self.questions, c.members, c.n, c.states, 1)

    cdef int most_answers(self, const Belief *s, int t) noexcept nogil:
        """Return how many answers a test has at most that go on."""
        cdef int a, many = 0
        for a in range(self.A):
            many += self.given[t * self.A + a]
        return many

    cdef uint64_t hashed(self, const Belief *s) noexcept nogil:
        """Return a hash of who is possible and with which masses."""
        cdef uint64_t signature = 0
        cdef int k
        for k in range(s.n):
            signature += mixed(self.z[2 * s.members[k]] + (s.prints[2 * k] if s.prints != NULL else 0))
        return signature

    cdef double gain(self, const Belief *s, const AndNode *node) noexcept nogil:
        """Return how good a test looks for its price: what it tells of the best decision, or how many it rules out."""
        cdef double gain = 0, left = s.mass
        cdef int k
        if self.classes > 1:
            gain = self.entropy(s)
            for k in range(node.count):
                gain -= self.entropy(node.after + k)
        else:
            for k in range(node.count):
                gain += node.after[k].mass * (s.n - node.after[k].n)
                left -= node.after[k].mass
            gain += max(left, 0) * s.n
        return gain / node.paid if node.paid > 0 else INFINITY

    cdef double entropy(self, const Belief *s) noexcept nogil:
        """Return how many bits are missing to know which decision is best, times the mass."""
        cdef double total = 0, mass, entropy = 0
        cdef int k
        for k in range(s.n):
            mass = (s.x[k] if s.x != NULL else 1) * self.rows[<int64_t>s.members[k] * self.row]
            self.sums[self.best[s.members[k]]] += mass
            total += mass
        for k in range(s.n):
            mass = self.sums[self.best[s.members[k]]]
            if mass > 0:
                entropy += mass * log2(total / mass)
                self.sums[self.best[s.members[k]]] = 0
        return entropy
