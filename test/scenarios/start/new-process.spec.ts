// Needs the native addon.
// What a service finds when it begins, and what becomes of those that lose their parent.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { ExitDocument } from '../../../src/streams/wire/documents/documents.ts';
import { eventually, holds } from '../support/eventually.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, serviceIn, started } from '../support/witnesses.ts';

const stateOf = (pid: number): string | undefined => {
  try {
    return /^State:\t(.)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
};

const numberIn = async (stage: Stage, name: string): Promise<number> =>
  eventually({ what: `a number in ${name}`, look: () => Number(linesOf(stage, name)[0]) || undefined });

const means = async (stage: Stage): Promise<string | null> =>
  (await stage.status()).document.supervisor.process_start;

/** How it ended last, as soon as it has. */
const exitOf = (stage: Stage, name: string): Promise<ExitDocument> =>
  eventually({
    what: `the end of ${name}`,
    look: async () => serviceIn((await stage.status()).document, name).last_exit ?? undefined,
  });

/** What ends stays ended. */
const ONCE = { restart_policy: 'never' };

const LOOK = 'ls -v /proc/self/fd > fds; grep -E "^Sig(Blk|Ign)" /proc/self/status > signals; : > looked';

describe('a new process', () => {
  scenario('a new process has no descriptor above 2 and no ignored or blocked signal', async (stage) => {
    await started(stage, loose({ web: shell(`${LOOK}; exec sleep 1000`) }));
    await fileComes(stage, 'looked');
    // The last one is what the listing itself reads from.
    expect(linesOf(stage, 'fds')).toEqual(['0', '1', '2', '3']);
    expect(linesOf(stage, 'signals')).toEqual(['SigBlk:\t0000000000000000', 'SigIgn:\t0000000000000000']);
    await agree(stage, { web: 'running' });
    expect(await means(stage)).toBe('posix_spawn');
  });

  scenario('a new process has the soft limit on open files of the caller', async (stage) => {
    stage.declare(loose({ web: shell('ulimit -Sn > soft; exec sleep 1000') }));
    execFileSync('/bin/sh', ['-c', `ulimit -Sn 300; ${stage.line('start', '--daemonize')}`], {
      cwd: stage.work,
      env: { PATH: process.env['PATH'], HOME: stage.root, SUP_DATA_DIR: stage.data },
      stdio: 'pipe',
    });
    expect(await linesCome(stage, 'soft', 1)).toEqual(['300']);
    await agree(stage, { web: 'running' });
  });

  scenario('a process that loses its parent leaves no zombie', async (stage) => {
    await started(stage, loose({ web: shell('(sleep 0.5 & echo $! > orphan); exec sleep 1000') }));
    const orphan = await numberIn(stage, 'orphan');
    await holds('the orphan gone for good', () => stateOf(orphan) === undefined);
    await agree(stage, { web: 'running' });
  });

  scenario('a process is started and watched by Node if the C library is not used', async (stage) => {
    stage.declare(loose({ web: shell('while [ ! -e go ]; do sleep 0.05; done; exit 7', ONCE) }));
    const environment = { SUP_FFI: 'off' };
    expectDone(await stage.begin(['start', '--daemonize'], { environment }).ended);
    expect(await means(stage)).toBe('node');
    stage.write('go', '');
    expect(await exitOf(stage, 'web')).toMatchObject({ code: 7, signal: null });
  });
});

describe('the exit of a process that a killed supervisor started', () => {
  scenario('the exit status of an adopted process is known', async (stage) => {
    const waiting = (end: string): string => `while [ ! -e go ]; do sleep 0.05; done; ${end}`;
    const services = {
      code: shell(waiting('exit 7'), ONCE),
      signal: shell(waiting('kill -USR1 $$$$'), ONCE),
    };
    await started(stage, loose({ ...services, web: steady() }));
    await agree(stage, { code: 'running', signal: 'running', web: 'running' });
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    await agree(stage, { code: 'running', signal: 'running', web: 'running' });
    stage.write('go', '');
    expect(await exitOf(stage, 'code')).toMatchObject({ code: 7, signal: null });
    expect(await exitOf(stage, 'signal')).toMatchObject({ code: null, signal: 'SIGUSR1' });
    expect(await exitOf(stage, 'signal')).not.toMatchObject({ at: null });
  });

  scenario('the exit of a process is unknown, with its time, if no supervisor was running', async (stage) => {
    await started(stage, loose({ web: shell('exec sleep 1000', ONCE), other: steady() }));
    const { web } = await agree(stage, { web: 'running', other: 'running' });
    await killSupervisor(stage);
    process.kill(web.pid ?? 0, 'SIGKILL');
    // Collected, so that the kernel has no record of it any more.
    await holds('the service gone', () => stateOf(web.pid ?? 0) === undefined);
    expectDone(await stage.sup('start', '--daemonize', '--service', 'other'));
    expect(await exitOf(stage, 'web')).toEqual({ code: null, signal: null, success: false, at: null });
  });
});
