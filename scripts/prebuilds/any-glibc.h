// Included into each source of the prebuilt addons, so that they need no newer C library than Node does.
// The compiler of Debian would ask for glibc 2.34, in which these functions moved from libdl to libc, and for
// the C++ library of GCC 11.
#ifndef __ASSEMBLER__
#ifdef __x86_64__
#define FIRST_GLIBC "GLIBC_2.2.5"
#else
#define FIRST_GLIBC "GLIBC_2.17"
#endif
__asm__(".symver dlopen,dlopen@" FIRST_GLIBC);
__asm__(".symver dlsym,dlsym@" FIRST_GLIBC);
__asm__(".symver dlclose,dlclose@" FIRST_GLIBC);
__asm__(".symver dlerror,dlerror@" FIRST_GLIBC);
#ifdef __cplusplus
namespace std {
// Called if `new` is to allocate an array with a negative length.
[[noreturn]] __attribute__((weak)) void __throw_bad_array_new_length() { __builtin_trap(); }
}
#endif
#endif
