// The profile `baseline`: what a service never needs and an intruder would like. Everything else is allowed, so that
// real programs live under it. Close to what container engines deny.

/** Denied as the manifest's `action` says. */
export const BASELINE: readonly string[] = `
  acct add_key adjtimex bpf clock_adjtime clock_settime create_module delete_module finit_module fsconfig fsmount fsopen
  fspick get_kernel_syms init_module ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie mount
  mount_setattr move_mount move_pages nfsservctl open_by_handle_at open_tree open_tree_attr perf_event_open
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
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
];

/** Flags of `clone` that make a namespace: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
export const NAMESPACE_FLAGS = 0x7e02_0000;
