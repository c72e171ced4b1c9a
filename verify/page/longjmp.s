# The tag of the exceptions by which longjmp gets back in WebAssembly, for a C library that has none.
	.globl __c_longjmp
	.tagtype __c_longjmp i32
__c_longjmp:
