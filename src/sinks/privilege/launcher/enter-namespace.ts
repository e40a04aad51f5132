// Enters namespaces that a launcher cannot simply enter by a system call.
// A user namespace is entered by the program `unshare` (util-linux), which has one thread: the kernel refuses
// a process with several threads, as Node is. The pid stays. When the ids are mapped (by `unshare` itself or
// by a privileged supervisor), another launcher continues inside.
// A pid namespace applies only to later children, and afterwards the kernel lets the caller start no threads.
// So the launcher forks itself: the child is the first process in the namespace, continues the launch, and is
// a child of the supervisor too.
import { readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { errnoOf } from '../../../os/errno.ts';
import {
  clearSignalMask,
  closeAllOnExec,
  execute,
  keepOnExec,
  resetSignals,
} from '../../../os/libc/execute.ts';
import { leadSession, leave, siblings } from '../../../os/libc/fork.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import { ownEnvironment } from '../../../os/process-environment.ts';
import { StepRefused } from './confine.ts';
import { handedOn } from './launcher-protocol.ts';
import type { LaunchStep } from '../../../streams/launch/launch-step.ts';

const STANDARD = 3;
/** Signals that Node ignores; an ignored signal stays ignored across an exec. */
const IGNORED = [constants.signals.SIGPIPE, constants.signals.SIGXFSZ];

/**
 * Prepares the exec. `handed`: number of descriptors after standard error that the program gets. Like 0 to 2
 * they must be kept open, since Node marks them close-on-exec.
 */
export const readyForExec = (libc: Libc, handed: number): void => {
  const kept = STANDARD + handed;
  closeAllOnExec(libc, kept);
  for (let descriptor = 0; descriptor < kept; descriptor += 1) keepOnExec(libc, descriptor);
  resetSignals(libc, IGNORED);
  clearSignalMask(libc);
};

/** Node options for a launcher that forks: the child has only one thread (`os/libc/fork.ts`). */
export const FOR_COPIES: readonly string[] = ['--single-threaded'];

/**
 * Continues in a forked child inside the pid namespace; the calling process exits. Returns the pid of the
 * child as seen from outside. Throws `StepRefused`.
 */
export const goInside = (libc: Libc): number => {
  const became = siblings(libc)?.() ?? 'refused';
  if (became === 'original') return leave(libc, 0);
  if (became === 'refused')
    throw new StepRefused('isolation.pid', 'no process can be made in the new namespace');
  leadSession(libc);
  // `/proc` still shows the outer pid namespace.
  return Number(readlinkSync('/proc/self'));
};

const KEY = 'isolation.user';
/** Options of `unshare` if the supervisor maps the ids from outside: capabilities must be kept until then. */
const UNMAPPED = ['--keep-caps'];
const INSIDE = '--inside';

/** True if this launcher runs in a user namespace that another launcher has created. */
export const isInside = (argv: readonly string[]): boolean => argv.includes(INSIDE);

const MAPPINGS = { root: ['--map-root-user'], itself: ['--map-current-user', '--keep-caps'] } as const;

/** Environment for `unshare`: its own PATH, and messages in English, because they are parsed. */
const PATHS = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** `unshare` reports an errno as text. Maps the text to the name of the errno. */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ['Operation not permitted', 'EPERM'],
  ['Invalid argument', 'EINVAL'],
  ['No space left', 'ENOSPC'],
  ['Too many users', 'EUSERS'],
  ['Permission denied', 'EPERM'],
];

/**
 * Runs the command once in a child. After the exec no process is left that could report a refusal. Throws
 * `StepRefused` if it fails.
 */
const tryOut = (command: readonly [string, ...string[]]): void => {
  // Loaded only here: it loads the network modules, which takes a tenth of a launcher's lifetime.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, error, stderr } = spawnSync(command[0], [...command.slice(1), 'true'], {
    encoding: 'utf8',
    env: PATHS,
  });
  if (error !== undefined)
    throw new StepRefused(KEY, `unshare of util-linux cannot be run (${errnoOf(error) ?? error.message})`);
  if (status === 0) return;
  const said = stderr.trim();
  throw new StepRefused(KEY, said, REFUSALS.find(([words]) => said.includes(words))?.[1]);
};

/**
 * Executes `unshare`, which executes this launcher again inside a new user namespace. Never returns; throws
 * on failure.
 */
export const enterUserNamespace = (
  libc: Libc,
  { become, maps }: Extract<LaunchStep, { tag: 'user-namespace' }>,
): never => {
  const made = (mapping: readonly string[]): readonly [string, ...string[]] => [
    'unshare',
    '--user',
    ...mapping,
  ];
  const mapsRoot = maps?.users.some(({ outside }) => outside === 0) === true;
  const command = made(maps === undefined ? MAPPINGS[become] : UNMAPPED);
  tryOut(mapsRoot ? made(MAPPINGS.root) : command);
  // The channel, which is the descriptor after those for the program, must be kept open too.
  readyForExec(libc, handedOn(process.argv) + 1);
  const launcher = [process.execPath, ...process.execArgv, ...process.argv.slice(1), INSIDE];
  return execute(libc, {
    argv: [...command, '--', ...launcher],
    // The environment holds the run tag, by which a process scan recognises the process during the launch.
    environment: { ...ownEnvironment(), ...PATHS },
    path: PATHS.PATH,
  });
};
