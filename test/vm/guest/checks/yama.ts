// Yama: what may be traced decides nothing about adoption and membership.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { eventually, expectSame, type Check } from '../check.ts';
import { processes } from '../kernel.ts';
import { declare, pidOf, start, sup, supervise, tellNobody } from '../sup.ts';
import { killSupervisor } from './adopted.ts';

const SCOPE = '/proc/sys/kernel/yama/ptrace_scope';

/** One child has lost its parents, its session and its environment: only its inherited limit says where it belongs. */
const escaping = (seconds: number): string =>
  `(env -i setsid sleep ${seconds} &) & exec sleep ${seconds + 1}`;

const isAlive = (seconds: number): boolean =>
  processes().some(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });

const comes = (seconds: number): Promise<true> =>
  eventually(`sleep ${seconds}`, () => (isAlive(seconds) ? true : undefined));

/** Pids of the supervisor of the user `nobody` and of its only service; 0 if there is none. */
const nobodys = (): { readonly supervisor: number; readonly service: number } => {
  const { supervisor, projects } = JSON.parse(tellNobody('status', '--json')) as {
    readonly supervisor: { readonly pid: number | null };
    readonly projects: readonly { readonly services: readonly { readonly pid: number | null }[] }[];
  };
  return { supervisor: supervisor.pid ?? 0, service: projects[0]?.services[0]?.pid ?? 0 };
};

const ofRoot = (scope: number, user: string, seconds: number): Check => ({
  title: `ptrace_scope ${scope}: a service of ${user} is adopted, and what escaped it is ended with it`,
  run: async () => {
    writeFileSync(SCOPE, String(scope));
    const name = `traced-${user}`;
    start(name, { [name]: { command: escaping(seconds), user, stop_timeout: '2s' } });
    await comes(seconds);
    const pid = pidOf(name);
    await killSupervisor();
    await supervise();
    expectSame('its process', pidOf(name), pid);
    sup('stop', '--sys', '--service', name);
    expectSame('alive', [isAlive(seconds), isAlive(seconds + 1)], [false, false]);
  },
});

export const yama: readonly Check[] = [
  {
    title: 'the kernel has Yama',
    run: async () => {
      expectSame(SCOPE, existsSync(SCOPE), true);
      return Promise.resolve();
    },
  },
  ofRoot(1, 'root', 981),
  ofRoot(2, 'nobody', 983),
  {
    title: 'ptrace_scope 2: a supervisor without root adopts its service, and ends what escaped it',
    run: async () => {
      const path = declare('own', { own: { command: escaping(985), stop_timeout: '2s' } });
      // On a slow machine a supervisor may begin too late for the first start.
      await eventually('sleep 985', () => {
        const said = tellNobody('start', '--daemonize', '-c', path);
        if (!isAlive(985)) console.log(said);
        return isAlive(985) ? true : undefined;
      });
      const before = nobodys();
      process.kill(before.supervisor, 'SIGKILL');
      await eventually('another supervisor', () =>
        nobodys().supervisor === before.supervisor ? undefined : true,
      );
      expectSame('its process', nobodys().service, before.service);
      tellNobody('stop');
      expectSame('alive', [isAlive(985), isAlive(986)], [false, false]);
      tellNobody('shutdown');
    },
  },
];
