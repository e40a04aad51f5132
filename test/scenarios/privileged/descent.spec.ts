// Needs the native addon.
// Processes of a service that have another user than the service: by a set-user-ID program, or because a master of root
// gave its rights up.
import { chmodSync, chownSync, cpSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { linesCome } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import {
  asNobody,
  asRoot,
  idOf,
  manifest,
  pidsOf,
  runningSys,
  startSys,
  statusLine,
} from '../support/privileged.ts';
import { isAlive, processOf } from '../support/process-table.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { kill } from '../support/supervisors.ts';
import { come, expectDone, expectFailed, pass } from '../support/witnesses.ts';

/** A copy of a program that every caller runs as root. */
const setUid = (stage: Stage, name: string): string => {
  const path = join(stage.work, name);
  cpSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), path, { dereference: true });
  chownSync(path, 0, 0);
  chmodSync(path, 0o4755);
  return path;
};

/** The process of this command once it has lost its parents and the session of its service. */
const strayOf = async (stage: Stage, file: string, leader: number): Promise<number> => {
  const [line = ''] = await linesCome(stage, file, 1);
  const stray = Number(line);
  await holds(
    'its parents gone',
    () => processOf(stray) !== undefined && processOf(stray)?.parent !== leader,
  );
  return stray;
};

const escaping = (program: string): string =>
  `(setsid sh -c 'echo $$$$ > stray; exec ${program}' &) & exec sleep 1000`;

describe('a set-user-ID program that left the session of its service', () => {
  asNobody('is ended by a stop while its real user is that of the service', async (stage) => {
    const program = setUid(stage, 'sleep');
    stage.declare(manifest({ web: shell(escaping(`${program} 1000`)) }));
    expectDone(await stage.sup('start', '--daemonize'));
    const { web } = await pidsOf(stage, { web: {} });
    const stray = await strayOf(stage, 'stray', web);
    await holds('root by its program', () => statusLine(stray, 'Uid').join() === '65534,0,0,0');
    expectDone(await stage.sup('stop', 'web'));
    expect(isAlive(stray)).toBe(false);
  });

  asNobody('and became root keeps the stop undecided, which names it', async (stage) => {
    const program = setUid(stage, 'setpriv');
    const line = `${program} --reuid=0 --regid=0 --clear-groups sleep 1000`;
    stage.declare(manifest({ web: shell(escaping(line)) }));
    expectDone(await stage.sup('start', '--daemonize'));
    const { web } = await pidsOf(stage, { web: {} });
    const stray = await strayOf(stage, 'stray', web);
    await holds('root', () => idOf(stray, 'Uid') === 0);
    try {
      const refused = await stage.sup('stop', 'web');
      expectFailed(refused, 'ERR0112');
      expect(refused.stderr).toContain(String(stray));
      expect(isAlive(stray)).toBe(true);
    } finally {
      kill({ pid: stray });
    }
    await come(stage, { web: 'stopped' });
  });
});

/** As nginx and postgres do it: the master stays root, and a worker gives root up. */
const MASTER = [
  'import os, time',
  'def worker(apart):',
  '  if os.fork(): return',
  '  if apart: os.setsid()',
  '  os.setgroups([]); os.setgid(65534); os.setuid(65534)',
  '  open("workers", "a").write("%d\\n" % os.getpid())',
  '  time.sleep(1000)',
  'open("workers", "a").close(); os.chmod("workers", 0o666)',
  'worker(False); worker(True)',
  'time.sleep(1000)',
].join('\n');

const workersOf = async (stage: Stage): Promise<readonly number[]> =>
  (await linesCome(stage, 'workers', 2)).map(Number);

describe('workers that gave root up', () => {
  const service = steady({ exec: ['python3', '-c', MASTER], restart_policy: 'never' });

  asRoot('are adopted with their master, and ended with it', async (stage) => {
    const { web } = await runningSys(stage, { web: service });
    const workers = await workersOf(stage);
    expect(workers.map((pid) => idOf(pid, 'Uid'))).toEqual([65534, 65534]);
    await killSupervisor(stage);
    expectDone(await startSys(stage, { web: service }));
    expect(await pidsOf(stage, { web: service })).toEqual({ web });
    expect(workers.map(isAlive)).toEqual([true, true]);
    expectDone(await stage.sup('stop', '--sys', '--service', 'web'));
    expect(workers.map(isAlive)).toEqual([false, false]);
  });

  asRoot('of its session are ended after the adopted master was killed', async (stage) => {
    const { web } = await runningSys(stage, { web: service });
    const workers = (await workersOf(stage)).filter((pid) => processOf(pid)?.session === web);
    const apart = (await workersOf(stage)).filter((pid) => !workers.includes(pid));
    await killSupervisor(stage);
    expectDone(await startSys(stage, { web: service }));
    kill({ pid: web });
    try {
      await holds('the end of the worker', () => workers.length === 1 && !workers.some(isAlive));
      await pass(stage, { web: 'failed' });
    } finally {
      // No look of this supervisor has seen it with its master (docs/security.md).
      apart.forEach((pid) => kill({ pid }));
    }
  });
});

describe('a foreground supervisor', () => {
  const EVIL = '__loose__/\u001b]0;gotcha\u0007\u001b[31mweb#1';

  asNobody('prints nothing of a forged mark, and leaves its process alone', async (stage) => {
    const line = `SUP_SUPERVISOR=${stage.data} SUP_UNIT='${EVIL}' setsid sh -c 'echo $$ > forger; exec sleep 1000' &`;
    execFileSync('sh', ['-c', line], { cwd: stage.work, stdio: 'ignore' });
    const [forger = 0] = (await linesCome(stage, 'forger', 1)).map(Number);
    try {
      stage.declare(manifest({ web: shell('echo begun; exec sleep 1000') }));
      const foreground = stage.begin(['supervise', '-c', 'sup.yaml']);
      await come(stage, { web: 'running' });
      await holds('the output', () => foreground.stdout().includes('begun'));
      expectDone(await stage.sup('shutdown'));
      const { stdout, stderr } = await foreground.ended;
      expect(stdout + stderr).toContain('begun');
      expect(stdout + stderr).not.toContain('gotcha');
      expect(stdout + stderr).not.toContain('\u001b]');
      expect(isAlive(forger)).toBe(true);
    } finally {
      kill({ pid: forger });
    }
  });
});
