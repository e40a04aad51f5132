// Groups of system calls for `isolation.seccomp`. The groups have the same names as in systemd
// (systemd.exec(5)). No group contains `execve`, because the launcher needs it to start the service.

const GROUPS: Readonly<Record<string, string>> = {
  '@aio':
    'io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit io_uring_enter io_uring_register io_uring_setup',
  '@chown': 'chown fchown fchownat lchown',
  '@clock': 'adjtimex clock_adjtime clock_settime settimeofday',
  '@cpu-emulation': 'modify_ldt',
  '@debug': 'lookup_dcookie perf_event_open pidfd_getfd process_vm_readv process_vm_writev ptrace kcmp',
  '@ipc': `memfd_create mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv
    msgsnd pipe pipe2 process_madvise process_vm_readv process_vm_writev semctl semget semop semtimedop shmat shmctl
    shmdt shmget`,
  '@keyring': 'add_key keyctl request_key',
  '@memlock': 'mlock mlock2 mlockall munlock munlockall',
  '@module': 'create_module delete_module finit_module init_module',
  '@mount': `chroot fsconfig fsmount fsopen fspick mount mount_setattr move_mount open_tree open_tree_attr pivot_root
    umount2`,
  '@network-io': `accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg
    sendmsg sendto setsockopt shutdown socket socketpair`,
  '@obsolete': `_sysctl afs_syscall create_module epoll_ctl_old epoll_wait_old get_kernel_syms getpmsg putpmsg query_module
    security sysfs tuxcall uselib ustat vserver`,
  '@pkey': 'pkey_alloc pkey_free pkey_mprotect',
  '@privileged': `acct bpf chroot delete_module fanotify_init fanotify_mark finit_module init_module iopl ioperm
    kexec_file_load kexec_load nfsservctl open_by_handle_at pivot_root quotactl quotactl_fd reboot setdomainname
    sethostname setns settimeofday swapoff swapon syslog umount2 vhangup`,
  '@process': `capget clone clone3 execveat fork kill pidfd_open pidfd_send_signal prctl rt_sigqueueinfo
    rt_tgsigqueueinfo setns tgkill tkill unshare vfork wait4 waitid`,
  '@raw-io': 'ioperm iopl',
  '@reboot': 'kexec_file_load kexec_load reboot',
  '@resources': `ioprio_set mbind migrate_pages move_pages sched_setaffinity sched_setattr sched_setparam
    sched_setscheduler set_mempolicy set_mempolicy_home_node setpriority setrlimit`,
  '@sandbox': 'landlock_add_rule landlock_create_ruleset landlock_restrict_self seccomp',
  '@setuid': 'setfsgid setfsuid setgid setgroups setregid setresgid setresuid setreuid setuid',
  '@swap': 'swapoff swapon',
  '@timer':
    'alarm getitimer setitimer timer_create timer_delete timer_getoverrun timer_gettime timer_settime',
};

/** The names of all groups. Each begins with `@`. */
export const GROUP_NAMES: readonly string[] = Object.keys(GROUPS);

const callsOf = (name: string): readonly string[] => GROUPS[name]?.split(/\s+/) ?? [name];

/** Returns the names of system calls, in which each name of a group is replaced by the names of its calls. */
export const expandGroups = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap(callsOf)),
];
