// The profile `baseline` denies what services never need and attackers use. Everything else is allowed, so
// that real programs work. It is close to what container engines deny.

/** What the profile `baseline` denies with the manifest's `action`. */
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
 * Fail with ENOSYS, whatever the action: programs try them and have a fallback. `clone3` passes its flags by
 * pointer, which a filter cannot follow; its fallback `clone` passes them directly.
 */
export const BASELINE_ABSENT: readonly string[] = [
  'clone3',
  'name_to_handle_at',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
];

/** `clone` flags that create a namespace: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
export const NAMESPACE_FLAGS = 0x7e02_0000;

/** Address families that a socket may have: UNIX, INET, INET6, NETLINK. Others fail with EAFNOSUPPORT. */
export const SOCKET_FAMILIES: readonly number[] = [1, 2, 10, 16];

/** TIOCSTI and TIOCLINUX inject input into a terminal as if its user typed it. */
export const TERMINAL_INJECTION: readonly number[] = [0x5412, 0x541c];

/**
 * Permitted personalities: the ordinary one, that of 32-bit programs, both also with UNAME26, and the query
 * of the present one. Others disable protections such as random addresses.
 */
export const PERSONALITIES: readonly number[] = [0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];
