"""How earlier responses limit what may be asked, as bits; see `engine.rules` and `reference_counted`."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from guesstree.cext.core cimport Rules, mixed


cdef inline int is_allowed(const Rules *rules, int guess, const uint64_t *needs) noexcept nogil:
    cdef const uint64_t *features = rules.features + <size_t>guess * rules.words
    cdef uint64_t missing = 0
    cdef int i
    for i in range(rules.words):
        missing |= needs[i] & ~features[i]
    return missing == 0


cdef inline void needs_after(const Rules *rules, const uint64_t *needs, int guess, int response,
                             uint64_t *out) noexcept nogil:
    """Write what is demanded after one more guess and response."""
    cdef const uint64_t *more = rules.needs + (<size_t>guess * rules.responses + response) * rules.words
    cdef int i
    for i in range(rules.words):
        out[i] = needs[i] | more[i]


cdef inline void mix_needs(const Rules *rules, const uint64_t *needs, uint64_t *key1, uint64_t *key2) noexcept nogil:
    """Mix what is demanded into the key of a set."""
    cdef int i
    for i in range(rules.words):
        key1[0] = mixed(key1[0] + needs[i] + <uint64_t>0x9E3779B97F4A7C15)
        key2[0] = mixed(key2[0] ^ needs[i] ^ <uint64_t>0x94D049BB133111EB)


cdef inline void hash_needs(const Rules *rules, const uint64_t *needs, int guess, const uint8_t *col,
                            const int32_t *rows, int n, uint64_t *hash1, uint64_t *hash2) noexcept nogil:
    """Add to two hashes what the parts of a guess need, where it matters; the same for equal forms."""
    cdef int32_t count[256]
    cdef const uint64_t *more = rules.needs + <size_t>guess * rules.responses * rules.words
    cdef uint64_t x, y
    cdef int i, k, r
    memset(count, 0, rules.responses * sizeof(int32_t))
    for i in range(n):
        count[col[rows[i]]] += 1
    for i in range(n):
        r = col[rows[i]]
        if count[r] > rules.solved:     # the first of its part
            count[r] = 0
            x, y = <uint64_t>i, ~<uint64_t>i
            for k in range(rules.words):
                x = mixed(x + (needs[k] | more[r * rules.words + k]) + <uint64_t>0x9E3779B97F4A7C15)
                y = mixed(y ^ (needs[k] | more[r * rules.words + k]) ^ <uint64_t>0xD6E8FEB86659FD93)
            hash1[0] += x
            hash2[0] += y


cdef inline int same_needs(const Rules *rules, const uint64_t *needs, int a, int b, const uint8_t *x,
                           const uint8_t *y, const int32_t *rows, int n) noexcept nogil:
    """Return whether two guesses with equal partitions leave the same needs where they matter."""
    cdef int32_t count[256]
    cdef const uint64_t *more
    cdef const uint64_t *other
    cdef int i, k
    memset(count, 0, rules.responses * sizeof(int32_t))
    for i in range(n):
        count[x[rows[i]]] += 1
    for i in range(n):
        if count[x[rows[i]]] > rules.solved:
            more = rules.needs + (<size_t>a * rules.responses + x[rows[i]]) * rules.words
            other = rules.needs + (<size_t>b * rules.responses + y[rows[i]]) * rules.words
            for k in range(rules.words):
                if (more[k] | needs[k]) != (other[k] | needs[k]):
                    return 0
    return 1


cdef inline int same_features(const Rules *rules, const uint64_t *demandable, int a, int b) noexcept nogil:
    """Return whether two guesses have the same of the bits that can be demanded."""
    cdef int k
    for k in range(rules.words):
        if (rules.features[<size_t>a * rules.words + k] ^ rules.features[<size_t>b * rules.words + k]) & demandable[k]:
            return 0
    return 1
