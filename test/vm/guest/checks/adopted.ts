// A supervisor that is killed loses nothing: the next one knows the cgroup of what it adopts.
import { existsSync, writeFileSync } from 'node:fs';
import { eventually, expectSame, type Check } from '../check.ts';
import { cgroupFile, processes, ROOT } from '../kernel.ts';
import { pidOf, start, supervise, told } from '../sup.ts';
import { CAUSE, endOf, expectIn } from './out-of-memory.ts';

/** Waits for a word before it takes all there is. */
const WAITS = 'until [ -e /tmp/go ]; do sleep 0.2; done; exec tail /dev/zero';

const supervisorPid = (): number => {
  const { supervisor } = JSON.parse(told('status', '--sys', '--json')) as {
    readonly supervisor: { readonly pid: number };
  };
  return supervisor.pid;
};

export const killSupervisor = async (): Promise<void> => {
  const pid = supervisorPid();
  process.kill(pid, 'SIGKILL');
  await eventually('its end', () =>
    processes().some((one) => one.pid === pid && one.state !== 'Z') ? undefined : true,
  );
};

export const adopted: readonly Check[] = [
  {
    title: 'the supervisor is killed: the service stays in its cgroup, and is adopted',
    run: async () => {
      const limits = { cgroup: { root: ROOT, memory_max: '24M' } };
      start('later', { later: { command: WAITS, limits, restart_policy: 'never' } });
      const pid = pidOf('later');
      await killSupervisor();
      await supervise();
      expectSame('its process', pidOf('later'), pid);
      expectSame('its ceiling', cgroupFile('later', 'memory.max'), String(24 * 1024 * 1024));
    },
  },
  {
    title: 'an adopted service that is killed for want of memory is told so',
    run: async () => {
      writeFileSync('/tmp/go', '');
      expectIn(await endOf('later'), [CAUSE]);
    },
  },
  {
    title: 'the cgroup of an adopted service is removed when it is gone',
    run: async () => {
      await eventually('no cgroup', () => (existsSync(`${ROOT}/__loose__:later`) ? undefined : true));
    },
  },
];
