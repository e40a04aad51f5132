// Needs the native addon.
// Privileged: limits, as the kernel tells them.
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { asRoot, capabilitiesOf, limitOf, runningSys, startSys, statusLine } from '../support/privileged.ts';
import { shell, steady } from '../support/recipes.ts';
import { expectFailed } from '../support/witnesses.ts';

const niceOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);

const SYS_RESOURCE = 1n << 24n;
const mayRaise = ((capabilitiesOf(process.pid)[2] ?? 0n) & SYS_RESOURCE) !== 0n;

describe('limits', () => {
  asRoot('are set, soft and hard, and inherited by what the service starts', async (stage) => {
    const { low } = await runningSys(stage, {
      low: shell('sleep 1000 & ulimit -n; exec sleep 1000', {
        user: 'nobody',
        limits: {
          nofile: 64,
          nproc: 200,
          memlock: '64K',
          core: 0,
          stack: '4M',
          fsize: '1M',
          nice: 7,
          oom_score_adj: 300,
          cpu_affinity: [1],
        },
      }),
    });
    for (const { pid } of stage.members('low')) {
      expect(limitOf(pid, 'Max open files')).toEqual(['64', '64']);
      expect(limitOf(pid, 'Max processes')).toEqual(['200', '200']);
      expect(limitOf(pid, 'Max locked memory')).toEqual(['65536', '65536']);
      expect(limitOf(pid, 'Max core file size')).toEqual(['0', '0']);
      expect(limitOf(pid, 'Max stack size')).toEqual(['4194304', '4194304']);
      expect(limitOf(pid, 'Max file size')).toEqual(['1048576', '1048576']);
      expect(niceOf(pid)).toBe(7);
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1').trim()).toBe('300');
      expect(statusLine(pid, 'Cpus_allowed_list')).toEqual(['1']);
    }
    expect(stage.members('low').map(({ pid }) => pid)).toContain(low);
  });

  asRoot('may be so low that the launcher itself could not live under them', async (stage) => {
    const { tiny } = await runningSys(stage, {
      tiny: steady({
        user: 'nobody',
        limits: { nofile: 4, nproc: 1 },
        isolation: { landlock: { ro_paths: ['/'] }, network: true },
      }),
    });
    expect(limitOf(tiny, 'Max open files')).toEqual(['4', '4']);
    expect(limitOf(tiny, 'Max processes')).toEqual(['1', '1']);
  });

  asRoot(
    'go up, also to unlimited, where the supervisor may raise them; else the service is refused',
    async (stage) => {
      const wish = { high: steady({ limits: { memlock: 'unlimited', nice: -3 }, restart_policy: 'never' }) };
      if (mayRaise) {
        const { high } = await runningSys(stage, wish);
        expect(limitOf(high, 'Max locked memory')).toEqual(['unlimited', 'unlimited']);
        expect(niceOf(high)).toBe(-3);
      } else {
        const outcome = await startSys(stage, wish);
        expect(outcome.stderr).toContain('ERR0744');
        expect(outcome.stderr).toContain('not started: limits.memlock: setrlimit: EPERM');
        expect(stage.members('high')).toEqual([]);
      }
    },
  );

  asRoot('name a CPU that is not there', async (stage) => {
    const outcome = await startSys(stage, {
      web: shell('touch ran', { limits: { cpu_affinity: [0, 4000] }, restart_policy: 'never' }),
    });
    expectFailed(outcome, 'ERR0744');
    expect(outcome.stderr).toContain('limits.cpu_affinity: this machine has no CPU 4000; it has 0');
  });
});

describe('umask', () => {
  const made = 'umask; exec sleep 1000';

  asRoot('is that of the manifest, through a launcher and without one', async (stage) => {
    const pids = await runningSys(stage, {
      plain: shell(made, { umask: '0027' }),
      launched: shell(made, { umask: '0027', user: 'nobody' }),
      many: shell(made, { umask: '0077', user: 'nobody' }),
      more: shell(made, { umask: '0077', user: 'nobody' }),
      unset: shell(made),
    });
    expect(statusLine(pids.plain, 'Umask')).toEqual(['0027']);
    expect(statusLine(pids.launched, 'Umask')).toEqual(['0027']);
    expect(statusLine(pids.many, 'Umask')).toEqual(['0077']);
    expect(statusLine(pids.more, 'Umask')).toEqual(['0077']);
    expect(statusLine(pids.unset, 'Umask')).toEqual(statusLine(process.pid, 'Umask'));
  });
});
