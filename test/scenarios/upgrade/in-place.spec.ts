// Needs the native addon.
// Upgrades to what was installed in the place of the program at work: of that there is nothing but its copy.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { elsewhere, removeCopy, supOf } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { supervisorPid } from '../support/own-death.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { agree, expectDone, expectFailed } from '../support/witnesses.ts';

/** An installation of its own, at work. */
const installed = async (stage: Stage): Promise<string> => {
  const program = elsewhere(stage, 'own');
  stage.declare(loose({ web: steady() }));
  expectDone(await supOf(stage, program, 'start', '--daemonize', '-c', join(stage.work, 'sup.yaml')));
  return program;
};

/** Passes its trial, and begins nowhere else. Returns how to mend it. */
const breakIn = (program: string): (() => void) => {
  const script = join(dirname(program), 'supervisor.js');
  const before = readFileSync(script, 'utf8');
  const first = `if (!process.argv.includes('--trial')) throw new Error('broken on purpose');`;
  writeFileSync(script, `${first}\n${before}`);
  return () => writeFileSync(script, before);
};

/** What links it to what is compiled for the machine is the last part of a copy. */
const isKept = ({ data }: Stage): Promise<void> => {
  const copies = join(data, 'program');
  const isWhole = (name: string): boolean => existsSync(join(copies, name, 'node_modules/ffi-napi'));
  return holds('a copy', () => existsSync(copies) && readdirSync(copies).some(isWhole));
};

const told = async (stage: Stage) => (await stage.status()).document.supervisor;

/** After a kill of the supervisor alone. */
const broughtBack = async (stage: Stage, before: number | null) => {
  killOnlySupervisor(stage);
  await holds('a supervisor again', async () => {
    const { running, pid } = await told(stage);
    return running && pid !== before;
  });
  return told(stage);
};

describe('a broken program installed in place of the running one', () => {
  scenario('a broken program is refused if no copy of the old one is left', async (stage) => {
    const program = await installed(stage);
    const { web } = await agree(stage, { web: 'running' });
    const pid = await supervisorPid(stage);
    await removeCopy(stage);
    breakIn(program);
    const refused = await supOf(stage, program, 'upgrade');
    expectFailed(refused, 'ERR0502');
    expect(refused.stderr).toContain('sup shutdown, then sup start');
    expect((await agree(stage, { web: 'running' })).web.pid).toBe(web.pid);
    expect(await supervisorPid(stage)).toBe(pid);
  });

  scenario(
    'a broken program leaves the copy running, which returns after a kill until an upgrade succeeds',
    async (stage) => {
      const program = await installed(stage);
      const { web } = await agree(stage, { web: 'running' });
      const pid = await supervisorPid(stage);
      await isKept(stage);
      const watcher = stage.begin(['status', '--watch', '--json']);
      await holds('the first view', () => watcher.stdout().includes('sup.view/1'));
      const mend = breakIn(program);
      expectFailed(await supOf(stage, program, 'upgrade'), 'ERR0503');
      await holds('the failure told', () => watcher.stderr().includes('ERR0503'));
      expect(watcher.stderr()).not.toContain('was upgraded');
      watcher.child.kill('SIGTERM');
      expect(await told(stage)).toMatchObject({
        pid,
        warnings: [expect.stringContaining('a copy of its program')],
      });
      expect(await broughtBack(stage, pid)).toMatchObject({
        restarts: 1,
        warnings: [expect.stringContaining('a copy of its program')],
      });
      expect((await agree(stage, { web: 'running' })).web.pid).toBe(web.pid);
      mend();
      expectDone(await supOf(stage, program, 'upgrade'));
      const { pid: upgraded, warnings } = await told(stage);
      expect(warnings).toEqual([]);
      rmSync(join(stage.data, 'program'), { recursive: true, force: true, maxRetries: 10 });
      expect(await broughtBack(stage, upgraded)).toMatchObject({ restarts: 2, warnings: [] });
      expect((await agree(stage, { web: 'running' })).web.pid).toBe(web.pid);
    },
  );
});
