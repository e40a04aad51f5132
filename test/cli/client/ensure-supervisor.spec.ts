import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contextOf, type Context } from '../../../src/cli/context.ts';
import { connectIfRunning, startSupervisor } from '../../../src/cli/client/ensure-supervisor.ts';
import { Failure } from '../../../src/cli/failure.ts';
import { launchSupervisor, supervisorEnvironment } from '../../../src/cli/client/supervisor-process.ts';
import { fakeWorld } from '../support/fake-world.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-ensure-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A context whose supervisor is this program. */
const withProgram = (program: string): Context => {
  const supervisor = join(directory, 'supervisor.mjs');
  writeFileSync(supervisor, program);
  const environment = { SUP_DATA_DIR: join(directory, 'data'), SUP_UNIT: 'a/b#1', KEPT: 'yes' };
  const { world } = fakeWorld({ environment });
  return contextOf(new Set(), { ...world, supervisor });
};

const thrownBy = async (attempt: Promise<unknown>): Promise<Failure> =>
  attempt.then(
    () => Promise.reject(new Error('it succeeded')),
    (thrown: unknown) => (thrown instanceof Failure ? thrown : Promise.reject(new Error(String(thrown)))),
  );

describe('starting the resident supervisor', () => {
  it('tells what a supervisor said that ended at once', async () => {
    const context = withProgram('console.error("the roof is on fire"); process.exit(4);');
    const { document } = await thrownBy(startSupervisor(context));
    expect(document).toMatchObject({ code: 'ERR0206', evidence: ['the roof is on fire'] });
    expect(document.message).toContain('status 4');
  });

  it('tells only what this one said', async () => {
    const first = withProgram('console.error("first"); process.exit(1);');
    await thrownBy(startSupervisor(first));
    const second = withProgram('console.error("second"); process.exit(1);');
    expect((await thrownBy(startSupervisor(second))).document.evidence).toEqual(['second']);
  });

  it('gives it a session, a directory and an environment of its own', async () => {
    const out = join(directory, 'out.json');
    const context = withProgram(`
      import { readFileSync, renameSync, writeFileSync } from 'node:fs';
      const session = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[3];
      writeFileSync('${out}.new', JSON.stringify({ env: process.env, cwd: process.cwd(), leads: session === String(process.pid) }));
      renameSync('${out}.new', '${out}');`);
    const launched = launchSupervisor(context);
    while (launched.exited() === undefined) await pause(5);
    expect(existsSync(out)).toBe(true);
    const seen: unknown = JSON.parse(readFileSync(out, 'utf8'));
    expect(seen).toMatchObject({
      cwd: '/',
      leads: true,
      env: { KEPT: 'yes', SUP_DATA_DIR: context.dataDir },
    });
    expect(seen).not.toHaveProperty('env.SUP_UNIT');
  });

  it('leaves the marks of the unit that sup runs in behind', () => {
    const marks = { SUP_UNIT: 'a', SUP_PROJECT: 'b', SUP_SERVICE: 'c', SUP_SUPERVISOR: 'd' };
    expect(supervisorEnvironment({ ...marks, PATH: '/bin' }, '/data')).toEqual({
      PATH: '/bin',
      SUP_DATA_DIR: '/data',
    });
  });

  it('names a data directory that is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const context = contextOf(new Set(), fakeWorld({ environment: { SUP_DATA_DIR: file } }).world);
    const { document } = await thrownBy(startSupervisor(context));
    expect(document).toMatchObject({ code: 'ERR0701', path: file });
  });

  it('finds nobody where nobody is', async () => {
    expect(await connectIfRunning(join(directory, 'nowhere'))).toBeUndefined();
  });
});
