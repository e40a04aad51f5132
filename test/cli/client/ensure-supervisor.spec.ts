import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contextOf, type Context } from '../../../src/cli/context.ts';
import { startSupervisor, type LaunchPorts } from '../../../src/cli/client/ensure-supervisor.ts';
import { connectIfRunning } from '../../../src/client/wait-for-supervisor.ts';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import { supervisorEnvironment } from '../../../src/client/manifests/manifest-paths.ts';
import { launchSupervisor, type Launched } from '../../../src/cli/client/supervisor-process.ts';
import { turns } from '../../support/turns.ts';
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

/** A real process ends when it ends. */
const ended = async (launched: Launched): Promise<void> => {
  while (launched.exited() === undefined) await turns();
};

/** A supervisor that never answers and has this exit status after a while, in a time that passes at once. */
const mute = (status: number | undefined, after = 0): LaunchPorts & { readonly passed: () => number } => {
  let now = 0;
  return {
    launch: () => ({ exited: () => (now >= after ? status : undefined), said: () => ['its last words'] }),
    now: () => now,
    look: () => Promise.resolve(undefined),
    pause: (length) => Promise.resolve((now += length)),
    passed: () => now,
  };
};

describe('waiting for a supervisor that was started', () => {
  const waitedFor = async (ports: ReturnType<typeof mute>): Promise<Failure> =>
    thrownBy(startSupervisor(withProgram(''), ports));

  it('waiting continues for a second after it has ended, since another one may have started', async () => {
    const ports = mute(4, 500);
    const { document } = await waitedFor(ports);
    expect(document).toMatchObject({ code: 'ERR0206', evidence: ['its last words'] });
    expect(document.message).toContain('status 4');
    expect(Math.round(ports.passed() / 100)).toBe(15);
  });

  it('waiting continues for half a minute if another one holds the data directory', async () => {
    const ports = mute(3);
    await waitedFor(ports);
    expect(Math.round(ports.passed() / 100)).toBe(300);
  });

  it('waiting continues for half a minute if it runs and says nothing', async () => {
    const ports = mute(undefined);
    expect((await waitedFor(ports)).document.message).toContain('did not answer within 30 s');
    expect(Math.round(ports.passed() / 100)).toBe(300);
  });
});

describe('starting the resident supervisor', () => {
  it('a failed start shows only the output of that supervisor', async () => {
    const first = launchSupervisor(withProgram('console.error("first"); process.exit(1);'));
    await ended(first);
    const second = launchSupervisor(withProgram('console.error("the roof is on fire"); process.exit(4);'));
    await ended(second);
    expect([second.exited(), second.said()]).toEqual([4, ['the roof is on fire']]);
  });

  it('the supervisor has its own session, directory and environment', async () => {
    const out = join(directory, 'out.json');
    const context = withProgram(`
      import { readFileSync, renameSync, writeFileSync } from 'node:fs';
      const [, parent, , session] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
      writeFileSync('${out}.new', JSON.stringify({ env: process.env, cwd: process.cwd(), itsGuardianLeads: session === parent }));
      renameSync('${out}.new', '${out}');`);
    const launched = launchSupervisor(context);
    await ended(launched);
    expect(existsSync(out)).toBe(true);
    const seen: unknown = JSON.parse(readFileSync(out, 'utf8'));
    expect(seen).toMatchObject({
      cwd: '/',
      itsGuardianLeads: true,
      env: { KEPT: 'yes', SUP_DATA_DIR: context.dataDir },
    });
    expect(seen).not.toHaveProperty('env.SUP_UNIT');
  });

  it('the supervisor does not inherit the marks of the unit in which sup runs', () => {
    const marks = { SUP_UNIT: 'a', SUP_PROJECT: 'b', SUP_SERVICE: 'c', SUP_SUPERVISOR: 'd' };
    expect(supervisorEnvironment({ ...marks, PATH: '/bin' }, '/data')).toEqual({
      PATH: '/bin',
      SUP_DATA_DIR: '/data',
    });
  });

  it('a data directory that is a file is named', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const context = contextOf(new Set(), fakeWorld({ environment: { SUP_DATA_DIR: file } }).world);
    const { document } = await thrownBy(startSupervisor(context));
    expect(document).toMatchObject({ code: 'ERR0701', path: file });
  });

  it('no supervisor is found if none runs', async () => {
    expect(await connectIfRunning(join(directory, 'nowhere'))).toBeUndefined();
  });
});
