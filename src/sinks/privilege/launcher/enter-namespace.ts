// Namespaces that a launcher cannot enter itself. A user namespace is entered by `unshare` of util-linux,
// which has one thread: the kernel refuses a process with several, such as Node. The pid stays. Another
// launcher continues inside once the ids are mapped: by `unshare` itself, or by a privileged supervisor. A
// new pid namespace applies to later children, and the kernel then allows the caller no new threads. So the
// launcher continues as a copy of itself, the first process inside, which is a child of the supervisor as
// well.
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
/** Node ignores these signals, and an ignored signal stays ignored across an exec. */
const IGNORED = [constants.signals.SIGPIPE, constants.signals.SIGXFSZ];

/**
 * Prepares the exec. `handed`: how many descriptors after standard error the program gets as well. Node
 * closes them on exec, as 0–2.
 */
export const readyForExec = (libc: Libc, handed: number): void => {
  const kept = STANDARD + handed;
  closeAllOnExec(libc, kept);
  for (let descriptor = 0; descriptor < kept; descriptor += 1) keepOnExec(libc, descriptor);
  resetSignals(libc, IGNORED);
  clearSignalMask(libc);
};

/** Options for Node: a copy has one thread (`os/libc/fork.ts`). */
export const FOR_COPIES: readonly string[] = ['--single-threaded'];

/** Continues inside; the calling process ends. Returns the pid outside. Throws `StepRefused`. */
export const goInside = (libc: Libc): number => {
  const became = siblings(libc)?.() ?? 'refused';
  if (became === 'original') return leave(libc, 0);
  if (became === 'refused')
    throw new StepRefused('isolation.pid', 'no process can be made in the new namespace');
  leadSession(libc);
  // `/proc` still shows the outer namespace.
  return Number(readlinkSync('/proc/self'));
};

const KEY = 'isolation.user';
/** The ids are mapped from outside; capabilities must be kept until then. */
const UNMAPPED = ['--keep-caps'];
const INSIDE = '--inside';

/** True if this launcher runs in a user namespace that another one has made. */
export const isInside = (argv: readonly string[]): boolean => argv.includes(INSIDE);

const MAPPINGS = { root: ['--map-root-user'], itself: ['--map-current-user', '--keep-caps'] } as const;

/** Own PATH, and messages in English. */
const PATHS = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** `unshare` reports an errno as text: the text, and its errno. */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ['Operation not permitted', 'EPERM'],
  ['Invalid argument', 'EINVAL'],
  ['No space left', 'ENOSPC'],
  ['Too many users', 'EUSERS'],
  ['Permission denied', 'EPERM'],
];

/** Tries the command in a child: after the exec no process is left that could report a refusal. */
const tryOut = (command: readonly [string, ...string[]]): void => {
  // Loaded only where needed: it loads the network modules, a tenth of a launcher's lifetime.
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

/** Continues in the user namespace. Returns only by throwing. */
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
  // The channel is the descriptor after those for the program, and is kept as well.
  readyForExec(libc, handedOn(process.argv) + 1);
  const launcher = [process.execPath, ...process.execArgv, ...process.argv.slice(1), INSIDE];
  return execute(libc, {
    argv: [...command, '--', ...launcher],
    // It holds the run's mark, by which the process is found while it is launched.
    environment: { ...ownEnvironment(), ...PATHS },
    path: PATHS.PATH,
  });
};
