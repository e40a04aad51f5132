// The steps that confine the evaluation of a JavaScript file, which may be hostile (`docs/security.md`,
// "JavaScript that is evaluated"): the file has only the rights that Node needs, and none of root. If the
// kernel refuses a step, the file is not evaluated.
import type { FileAccess, LandlockRule, PlannedStep } from '../../../streams/launch/launch-step.ts';
import {
  CALL_AT,
  FIRST_ARGUMENT_AT,
  give,
  ifAnyOf,
  ifEqual,
  load,
  RETURN,
} from '../../../streams/launch/seccomp/bpf.ts';
import type { Instruction } from '../../../streams/launch/seccomp/bpf.ts';
import { filterProgram } from '../../../streams/launch/seccomp/filter.ts';
import { type Architecture, callNumber } from '../../../streams/launch/seccomp/system-calls.ts';

/**
 * The system calls that are denied: for sockets, other processes, shared memory, and file changes that
 * Landlock does not restrict.
 */
const DENIED: readonly string[] = `
  socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg
  fork vfork kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal process_mrelease
  setpriority ioprio_set sched_setaffinity sched_setattr sched_setparam sched_setscheduler migrate_pages
  chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat
  setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr
  truncate ftruncate fallocate mknod mknodat flock chroot
  shmget shmat shmctl semget semop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink memfd_create
  inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark`
  .trim()
  .split(/\s+/);

const CLONE_THREAD = 0x1_0000;
const EPERM = 1;

/**
 * Returns instructions that deny a call of the system call `name`, unless the first argument of the call
 * passes `test`. At the end they load the number of the call again, because the next instructions expect it.
 */
const judged = (
  name: string,
  architecture: Architecture,
  test: readonly Instruction[],
): readonly Instruction[] => {
  const call = callNumber(name, architecture);
  const body = [load(FIRST_ARGUMENT_AT), ...test, give(RETURN.errno(EPERM)), load(CALL_AT)];
  return call === undefined ? [] : [ifEqual(call, [0, body.length]), ...body];
};

/** Returns the filter that the launcher installs. It denies sockets and new processes, but allows threads. */
const launcherFilter = (architecture: Architecture): readonly Instruction[] => [
  load(CALL_AT),
  ...judged('clone', architecture, [ifAnyOf(CLONE_THREAD, [1, 0])]),
  // Only the limits of the calling process may be read or changed.
  ...judged('prlimit64', architecture, [ifEqual(0, [1, 0])]),
  ...filterProgram(
    { seccomp: { profile: 'baseline', allow: [], deny: DENIED, action: 'errno' } },
    architecture,
  ),
];

/**
 * Returns the filter that the evaluator adds itself. It denies exec. The filter of the launcher cannot deny
 * exec, because the launcher still needs it.
 */
export const evaluatorFilter = (architecture: Architecture): readonly Instruction[] => [
  load(CALL_AT),
  ...['execve', 'execveat'].flatMap((name) => {
    const call = callNumber(name, architecture);
    return call === undefined ? [] : [ifEqual(call, [0, 1]), give(RETURN.errno(EPERM))];
  }),
  give(RETURN.allow),
];

/** Fields of the steps below. If the kernel refuses a step with these fields, the file is not evaluated. */
const FIRM = { key: 'evaluate', mayRefuse: [] } as const;
const MIB = 1024 * 1024;

/** The limit on private memory (`RLIMIT_DATA`), bytes. It includes memory outside of the V8 heap. */
const MOST_DATA = 1024 * MIB;
/**
 * The limit on processor time, s. The kernel enforces it even if the `sup` command is stopped and cannot end
 * the evaluation.
 */
const MOST_CPU_SECONDS = 20;

export interface EvaluationFacts {
  readonly uid: number;
  readonly architecture: Architecture;
  /** True if Landlock restricts ports. */
  readonly restrictsPorts: boolean;
  readonly directory: string;
  readonly grants: readonly { readonly path: string; readonly grant: FileAccess }[];
}

/**
 * The errors for which the step with the network namespace is skipped, because root of a container may not
 * create one. Even without the namespace, the filter denies sockets.
 */
const NO_NAMESPACE: readonly string[] = ['EPERM', 'EINVAL', 'ENOSYS', 'ENOSPC', 'EUSERS'];

/** Additional steps for root: the evaluator gives up all capabilities and the network. */
const stepsOfRoot: readonly PlannedStep[] = [
  { tag: 'namespace', kind: 'network', key: FIRM.key, mayRefuse: NO_NAMESPACE },
  { tag: 'capabilities', keep: [], ...FIRM },
];

const limitSteps: readonly PlannedStep[] = [
  { tag: 'limit', resource: 'data', value: MOST_DATA, atLeast: false, ...FIRM },
  { tag: 'limit', resource: 'cpu', value: MOST_CPU_SECONDS, atLeast: false, ...FIRM },
  { tag: 'limit', resource: 'core', value: 0, atLeast: false, ...FIRM },
  { tag: 'limit', resource: 'fsize', value: 0, atLeast: false, ...FIRM },
];

/** Returns the steps that the launcher performs before it executes the evaluator. */
export const evaluationSteps = (facts: EvaluationFacts): readonly PlannedStep[] => {
  const { uid, architecture, restrictsPorts, directory, grants } = facts;
  const rules = grants.map((grant): LandlockRule => ({ ...grant, key: FIRM.key }));
  const ports = { bind: [], connect: [] };
  return [
    ...limitSteps,
    ...(uid === 0 ? stepsOfRoot : []),
    { tag: 'directory', path: directory, ...FIRM },
    { tag: 'no-new-privileges', ...FIRM },
    {
      tag: 'landlock',
      files: { rules, guardsExecution: true },
      ...(restrictsPorts && { ports }),
      ...FIRM,
    },
    { tag: 'seccomp', filter: launcherFilter(architecture), ...FIRM },
  ];
};
