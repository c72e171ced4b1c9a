"""Sets of codes that renamings take to each other: see `code_form.h`."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef extern from "code_form.h" nogil:
    ctypedef struct CodeForm:
        int n
        int pegs
        int colours
        int rows
        uint8_t *codes
        uint64_t *labels
        int32_t *there
        int64_t *position
        int64_t *named
    void code_form_order(const CodeForm *form)
    int64_t code_form_image(const CodeForm *form, int s)
