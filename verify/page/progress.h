/* Tells the page how many bytes of a certificate are not read yet. The compiler includes this before a checker. */
__attribute__((import_module("page"), import_name("reading"))) void page_reading(int left);
#define AT_TOKEN(c) page_reading((int)((c)->text_end - (c)->text))
