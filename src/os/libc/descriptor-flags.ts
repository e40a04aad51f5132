// Flags of new descriptors that Node's constants lack.

/** Also the bit of SOCK_CLOEXEC, EPOLL_CLOEXEC and EFD_CLOEXEC. */
export const O_CLOEXEC = 0o2_000_000;
/** Also the bit of SOCK_NONBLOCK and EFD_NONBLOCK. */
export const O_NONBLOCK = 0o4_000;
