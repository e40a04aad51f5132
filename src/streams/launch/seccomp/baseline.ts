// The profile `baseline`: what a service never needs and an intruder would like. Everything else is allowed, so that
// real programs live under it. Close to what container engines deny.

/** Denied as the manifest's `action` says. */
export const BASELINE: readonly string[] = `
  acct add_key adjtimex bpf clock_adjtime clock_settime create_module delete_module finit_module fsconfig fsmount fsopen
  fspick get_kernel_syms init_module ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie
  modify_ldt mount mount_setattr move_mount move_pages nfsservctl open_by_handle_at open_tree open_tree_attr perf_event_open
  pidfd_getfd pivot_root process_madvise process_vm_readv process_vm_writev ptrace query_module quotactl quotactl_fd
  reboot request_key setdomainname sethostname setns settimeofday swapoff swapon sysfs syslog umount2 unshare uselib
  userfaultfd ustat vhangup`
  .trim()
  .split(/\s+/);

/**
 * Said not to exist, whatever the action: programs try them and know what to do without. `clone3` hides its flags behind
 * a pointer that a filter cannot follow; `clone`, which is used in its place, shows them.
 */
export const BASELINE_ABSENT: readonly string[] = [
  'clone3',
  'name_to_handle_at',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
];

/** Flags of `clone` that make a namespace: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
export const NAMESPACE_FLAGS = 0x7e02_0000;

/** Address families that a socket may have: UNIX, INET, INET6, NETLINK. Every other one is "not supported". */
export const SOCKET_FAMILIES: readonly number[] = [1, 2, 10, 16];

/** TIOCSTI and TIOCLINUX type into a terminal as if its user did. */
export const TERMINAL_INJECTION: readonly number[] = [0x5412, 0x541c];

/**
 * Personalities that a program may take: the ordinary one, that of 32-bit programs, both also with UNAME26, and the
 * question which one it has. The others switch off protections, such as random addresses.
 */
export const PERSONALITIES: readonly number[] = [0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];
