// A user namespace is entered by `unshare` of util-linux, which has one thread: a program of Node has several, and the
// kernel refuses those for good. The pid stays. Inside, another launcher does the rest, once the ids are mapped: by
// `unshare` itself, or by a privileged supervisor.
import { errnoOf } from '../../../os/errno.ts';
import type { Libc } from '../../../os/libc.ts';
import { execute } from '../../../os/libc/exec.ts';
import type { Step } from '../../../streams/launch/step.ts';
import { handedOn } from './channel.ts';
import { readyForExec } from './ready-for-exec.ts';
import { StepRefused } from './step-refused.ts';

const KEY = 'isolation.user';
/** The ids are mapped from outside, and nothing may be lost until then. */
const UNMAPPED = ['--keep-caps'];
const INSIDE = '--inside';

/** Whether this launcher is in a user namespace that another one has made. */
export const isInside = (argv: readonly string[]): boolean => argv.includes(INSIDE);

const MAPPINGS = { root: ['--map-root-user'], itself: ['--map-current-user', '--keep-caps'] } as const;

/** Its own, and no word in another language. */
const PATHS = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** `unshare` says in words what the kernel said. */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ['Operation not permitted', 'EPERM'],
  ['Invalid argument', 'EINVAL'],
  ['No space left', 'ENOSPC'],
  ['Too many users', 'EUSERS'],
  ['Permission denied', 'EPERM'],
];

/** Tries it out in a child: once the exec is done there is nobody left to be told. */
const tryOut = (command: readonly [string, ...string[]]): void => {
  // Loaded by whoever needs it: it brings the network along, a tenth of the life of a launcher.
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

/** Does not come back unless it throws. */
export const enterUserNamespace = (
  libc: Libc,
  { become, maps }: Extract<Step, { tag: 'user-namespace' }>,
): never => {
  const made = (mapping: readonly string[]): readonly [string, ...string[]] => [
    'unshare',
    '--user',
    ...mapping,
  ];
  const mapsRoot = maps?.users.some(({ outside }) => outside === 0) === true;
  const command = made(maps === undefined ? MAPPINGS[become] : UNMAPPED);
  tryOut(mapsRoot ? made(MAPPINGS.root) : command);
  // The channel follows what is handed on, and goes along.
  readyForExec(libc, handedOn(process.argv) + 1);
  const launcher = [process.execPath, ...process.execArgv, ...process.argv.slice(1), INSIDE];
  return execute(libc, {
    argv: [...command, '--', ...launcher],
    environment: ownEnvironment(),
    path: PATHS.PATH,
  });
};

/** The mark of the run, by which the process is found while it is being launched. */
const ownEnvironment = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ),
  ...PATHS,
});
