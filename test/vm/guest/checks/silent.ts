// A FUSE server that never answers: processes whose memory cannot be read because of it hold up nothing of a supervisor.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { eventually, expectSame, type Check } from '../check.ts';
import { processes, read, statusLine } from '../kernel.ts';
import { failure, pidOf, serviceNamed, start, sup, supervise, told } from '../sup.ts';
import { killSupervisor } from './adopted.ts';

const PROGRAM = '/vm/silent-fuse';
const PLACE = '/mnt/silent';
const PAGE = `${PLACE}/page`;
const HIDE = [PROGRAM, 'hide', PAGE, PLACE];
/** On x64. */
const READ = '0';
const NOBODY = '65534\t65534\t65534\t65534';

const begin = (...argv: readonly string[]): number => {
  const [program = '', ...rest] = argv;
  return spawn(program, rest, { stdio: 'inherit', detached: true }).pid ?? 0;
};

const ofProgram = (): readonly number[] =>
  processes().flatMap(({ pid, command }) => (command === 'silent-fuse' ? [pid] : []));

/** Processes of the user `nobody` that wait for the server. */
const hidden = (): readonly number[] =>
  processes().flatMap(({ pid, state, command }) =>
    command === 'silent-fuse' && state === 'D' && statusLine(pid, 'Uid') === NOBODY ? [pid] : [],
  );

/** The number of the system call that it is in. */
const callOf = (pid: number): string => read(`/proc/${pid}/syscall`).split(' ')[0] ?? '';

/** Whether a read of the process's environment is still waiting after two seconds. */
const isSilent = (pid: number): boolean => {
  const options = { timeout: 2_000, killSignal: 'SIGKILL', stdio: 'ignore' } as const;
  return spawnSync('cat', [`/proc/${pid}/environ`], options).signal === 'SIGKILL';
};

let server = 0;

export const silent: readonly Check[] = [
  {
    title: 'the environment of a process can be withheld by a FUSE server',
    run: async () => {
      expectSame('the module', spawnSync(PROGRAM, ['load', '/vm/fuse.ko']).status, 0);
      mkdirSync(PLACE, { recursive: true });
      server = begin(PROGRAM, 'serve', PLACE);
      await eventually('the mount', () => (read('/proc/mounts').includes(PLACE) ? true : undefined));
      const reader = begin(PROGRAM, 'read', PAGE);
      await eventually('the first read', () => (callOf(reader) === READ ? true : undefined));
      begin('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...HIDE);
      await eventually('two processes', () => (hidden().length === 2 ? true : undefined));
      expectSame('silent', hidden().map(isSilent), [true, true]);
    },
  },
  {
    title: "another user's process with such an environment holds up neither start, inspect nor stop",
    run: async () => {
      start('beside', { beside: { command: 'sleep 994 & exec sleep 995', user: 'nobody' } });
      expectSame('inspect', told('inspect', '--sys', 'beside', '--json').includes('sleep 995'), true);
      sup('stop', '--sys', '--service', 'beside');
      expectSame('stopped', serviceNamed('beside').state, 'stopped');
      return Promise.resolve();
    },
  },
  {
    title: 'a service with such an environment is adopted after the supervisor was killed',
    run: async () => {
      start('withheld', {
        withheld: { exec: HIDE, user: 'nobody', stop_timeout: '1s', restart_policy: 'never' },
      });
      await eventually('four processes', () => (hidden().length === 4 ? true : undefined));
      const pid = pidOf('withheld');
      await killSupervisor();
      await supervise();
      expectSame('its process', pidOf('withheld'), pid);
    },
  },
  {
    title: 'its stop says which process is left, and ends when the server does',
    run: async () => {
      const pid = pidOf('withheld');
      const refused = failure('stop', '--sys', '--service', 'withheld');
      expectSame('the error', [refused.includes('ERR0112'), refused.includes(String(pid))], [true, true]);
      process.kill(server, 'SIGKILL');
      await eventually('its end', () => (serviceNamed('withheld').state === 'stopped' ? true : undefined));
      for (const left of ofProgram()) process.kill(left, 'SIGKILL');
    },
  },
];
