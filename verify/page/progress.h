/* Tells the page how many bytes of a certificate are not read yet, at some words: a call out of the program takes as long as
 * many of its own. The compiler includes this before a checker. */
__attribute__((import_module("page"), import_name("reading"))) void page_reading(int left);
static unsigned page_words;
#define AT_TOKEN(c) (page_words++ % 16 ? (void)0 : page_reading((int)((c)->text_end - (c)->text)))
