// Enters the namespaces that Node cannot enter by a system call alone.
// - User namespace: only a process with one thread can enter one. So the launcher executes `unshare`
//   (util-linux) with the same pid, which executes a second launcher inside. The second launcher continues
//   when the ids are mapped.
// - Pid namespace: it applies only to later children, and afterwards this process can start no thread. So the
//   launcher forks itself. The child is the first process of the namespace, is also a child of the
//   supervisor, and continues the launch.
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
import { ownEnvironment } from '../../../os/choose-data-directory.ts';
import { StepRefused } from './confine.ts';
import { handedOn } from './launcher-protocol.ts';
import type { LaunchStep } from '../../../streams/launch/launch-step.ts';

const STANDARD = 3;
/**
 * The signals that Node ignores. They must be reset, because an ignored signal stays ignored across an exec.
 */
const IGNORED = [constants.signals.SIGPIPE, constants.signals.SIGXFSZ];

/** Prepares the exec. The first `handed` descriptors after standard error stay open for the program. */
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
 * Forks into the pid namespace. Returns only in the child, with its pid outside of the namespace. Throws
 * `StepRefused` if the fork fails.
 */
export const goInside = (libc: Libc): number => {
  const became = siblings(libc)?.() ?? 'refused';
  if (became === 'original') return leave(libc, 0);
  if (became === 'refused')
    throw new StepRefused('isolation.pid', 'no process can be made in the new namespace');
  leadSession(libc);
  // `/proc` still shows the outer pid namespace, so this is the outer pid.
  return Number(readlinkSync('/proc/self'));
};

const KEY = 'isolation.user';
/**
 * The options of `unshare` for the case that the supervisor maps the ids from outside. The launcher keeps its
 * capabilities until the ids are mapped.
 */
const UNMAPPED = ['--keep-caps'];
const INSIDE = '--inside';

/** True if this launcher runs in a user namespace that another launcher created. */
export const isInside = (argv: readonly string[]): boolean => argv.includes(INSIDE);

const MAPPINGS = { root: ['--map-root-user'], itself: ['--map-current-user', '--keep-caps'] } as const;

/**
 * The environment for `unshare`: a fixed PATH, and the language English, because the messages of `unshare`
 * are parsed.
 */
const PATHS = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** The texts with which `unshare` reports an error of the kernel, each with the errno name of the error. */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ['Operation not permitted', 'EPERM'],
  ['Invalid argument', 'EINVAL'],
  ['No space left', 'ENOSPC'],
  ['Too many users', 'EUSERS'],
  ['Permission denied', 'EPERM'],
];

/** Runs the command once in a child, since after the exec no refusal can be reported. */
const tryOut = (command: readonly [string, ...string[]]): void => {
  // This module is loaded only when it is needed, because it also loads network modules, which takes a tenth
  // of the lifetime of a launcher.
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

/** Executes `unshare`, which executes this program again in a new user namespace. Throws on failure. */
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
  // The channel must stay open too. Its descriptor follows the descriptors for the program.
  readyForExec(libc, handedOn(process.argv) + 1);
  const launcher = [process.execPath, ...process.execArgv, ...process.argv.slice(1), INSIDE];
  return execute(libc, {
    argv: [...command, '--', ...launcher],
    // Includes the run tag, by which a process scan recognises the process during the launch.
    environment: { ...ownEnvironment(), ...PATHS },
    path: PATHS.PATH,
  });
};
