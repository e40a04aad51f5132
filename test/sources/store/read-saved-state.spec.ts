import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentBoot } from '../../../src/os/proc/machine-facts.ts';
import { registryWriter } from '../../../src/sinks/store/registry-writer.ts';
import { stateWriter } from '../../../src/sinks/store/save-changes.ts';
import { peekStore, readStore } from '../../../src/sources/store/read-saved-state.ts';
import { projectId } from '../../../src/streams/domain/ids.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { REGISTRY_SCHEMA, STATE_SCHEMA } from '../../../src/streams/wire/state-files.ts';
import { idOf, SHOP, specOf } from '../../support/spec.ts';
import { NOW, serviceIn, STATES, TAGS } from '../../support/states.ts';

const STREAK = {
  health: 'unhealthy',
  failures: 1,
  failingSince: instant(1),
  error: { code: 'ERR0023', service: idOf('web'), limit: ms(1) },
} as const;
const HUP = { tag: 'signal', by: 'reload', signal: 'SIGHUP' } as const;
const SIGNALLED = { tag: 'signal', signal: 'SIGKILL' } as const;

/** One past the largest pid the kernel ever gives. */
const NO_PROCESS = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

let dataDir: string;
const stateFile = (): string => layoutOf(dataDir).projectState(SHOP);
const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const serviceNamed = (name: string, changes: Partial<Service> = {}): Service => ({
  ...freshService(specOf(name)),
  ...changes,
});
const store = (services: readonly Service[]): Promise<unknown> =>
  lastValueFrom(stateWriter({ dataDir, logError: () => undefined }).conclude({ project: SHOP, services }), {
    defaultValue: undefined,
  });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sup-store-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('the stored state', () => {
  it('the stored state is empty at first', () => {
    expect(readStore(dataDir)).toEqual({
      manifests: [],
      services: [],
      sameBoot: true,
      unrecorded: [],
      warnings: [],
    });
  });

  it.each([0, 1, 1000, 1001])('a stored scale of %s instances is read if it can be set', (replicas) => {
    const scales = { [idOf('web')]: { manifest: '/a/sup.yaml', declared: 2, replicas } };
    const registry = { schema: REGISTRY_SCHEMA, manifests: ['/a/sup.yaml'], projects: [], scales };
    write(layoutOf(dataDir).registry, JSON.stringify(registry));
    expect(readStore(dataDir).scales).toEqual([1, 1000].includes(replicas) ? scales : undefined);
  });

  it.each(TAGS)('a stored service that is %s is read unchanged', async (tag) => {
    const service = serviceNamed('web', {
      actual: STATES[tag],
      lastExit: { status: { tag: 'signal', signal: 'SIGKILL' }, at: instant(5) },
      history: [
        { at: instant(1), from: 'down', to: tag, cause: 'exited', facts: { status: { tag: 'unknown' } } },
      ],
      schedule: { due: instant(9), runs: [{ due: instant(8), result: 'overlap' }] },
      incidents: [
        { at: instant(1), during: tag, cause: 'probed', facts: { health: 'unhealthy', streak: STREAK } },
        { at: instant(2), during: tag, cause: 'acted', facts: { act: HUP } },
        {
          at: instant(3),
          during: tag,
          cause: 'acted',
          facts: { act: { tag: 'command', status: SIGNALLED } },
        },
      ],
    });
    await store([service]);
    expect(readStore(dataDir)).toEqual({
      manifests: [service.spec.manifest],
      services: [service],
      sameBoot: true,
      unrecorded: [],
      warnings: [],
    });
  });

  it('a stored service with an invalid time is refused', async () => {
    await store([serviceNamed('web', { lastExit: { status: { tag: 'unknown' }, at: instant(1.7e60) } })]);
    const { services, warnings } = readStore(dataDir);
    expect(services).toEqual([]);
    expect(warnings.join()).toContain('web');
  });

  it('files of the previous form are read: names of the gate, and sentences in the history', async () => {
    const entry = { at: instant(1), from: 'down', to: 'waiting', cause: 'start', reason: 'start requested' };
    await store([{ ...serviceNamed('web'), gate: 'in-flight', history: [entry] } as unknown as Service]);
    const { services, warnings } = readStore(dataDir);
    expect(warnings).toEqual([]);
    expect(services).toMatchObject([{ spec: { name: 'web' }, history: [{ cause: 'start' }] }]);
  });

  it('rollouts of programs before D-122, with a whole service as the other run, are read', () => {
    const services: unknown = JSON.parse(readFileSync('test/fixtures/store/rollouts.json', 'utf8'));
    write(stateFile(), JSON.stringify({ schema: STATE_SCHEMA, boot_id: currentBoot(), services }));
    const read = readStore(dataDir);
    expect(read.warnings).toEqual([]);
    expect(read.services.map(({ rollout }) => rollout?.stages.map((stage) => stage.step))).toEqual([
      ['starting', 'watching'],
      ['starting', 'watching', 'retiring'],
    ]);
    expect(read.services).toMatchObject([
      { awaitedBy: ['r1'], rollout: { other: { runs: 4, lane: 1, actual: { tag: 'up' } } } },
      { awaitedBy: ['r1'], rollout: { other: { runs: 3, lane: 0, actual: { tag: 'stopping' } } } },
    ]);
    for (const { rollout } of read.services) {
      expect(Object.keys(rollout?.other ?? {})).not.toContain('awaitedBy');
      expect(Object.keys(rollout?.other ?? {})).not.toContain('slotKept');
    }
  });

  it('a rollout is written so that such programs can read it, and is read unchanged', async () => {
    const service = withRollout(serviceIn('up'), NOW, false);
    await store([service]);
    const { services } = JSON.parse(readFileSync(stateFile(), 'utf8')) as { services: unknown };
    expect(services).toMatchObject([
      { rollout: { other: { resume: false, leaving: false, gate: 'none', awaitedBy: [] } } },
    ]);
    expect(readStore(dataDir).services).toEqual([service]);
  });

  it('everything that a declaration can contain is read unchanged', async () => {
    const check = {
      probe: { tag: 'http', url: 'http://localhost/' },
      interval: ms(1),
      startInterval: ms(1),
      attemptTimeout: ms(1),
      totalTimeout: ms(1),
      retries: 1,
    } as const;
    const service: Service = {
      ...freshService(
        specOf('web', {
          launch: { tag: 'shell', command: 'x' },
          dependsOn: [{ service: idOf('db'), condition: 'completed' }],
          hooks: { onstart: { command: 'x', timeout: ms(1) } },
          cron: { expression: '* * * * *', timezone: 'utc', timeout: ms(5) },
          deployment: {
            strategy: 'rolling',
            gracePeriod: ms(1),
            preStart: 'x',
            healthCheck: check,
            blueGreen: { envVar: 'PORT', slots: ['1', '2'], switchCommand: 'x', switchVerify: check },
          },
          skip: 'test -f x',
          privilege: {
            supplementaryGroups: ['a'],
            capabilities: ['b'],
            limits: { nofile: 'unlimited', cpuAffinity: [0], cgroup: { root: '/x', memoryMax: 'max' } },
          },
        }),
      ),
      actual: {
        tag: 'broken',
        error: {
          code: 'ERR0110',
          service: idOf('web'),
          attempts: 8,
          last: { code: 'ERR0102', service: idOf('web'), status: { tag: 'unknown' }, evidence: ['x'] },
        },
      },
    };
    await store([service]);
    expect(readStore(dataDir)).toMatchObject({ services: [service], warnings: [] });
  });

  it('the registered manifests are completed from the services, except those that are leaving', async () => {
    await store([serviceNamed('web')]);
    expect(readStore(dataDir).manifests).toEqual([specOf('web').manifest]);
    await store([serviceNamed('web', { leaving: true })]);
    expect(readStore(dataDir).manifests).toEqual([]);
  });

  it('the registered manifests are remembered', async () => {
    const registry = registryWriter({ dataDir, logError: () => undefined });
    const now = { manifests: ['/a/sup.yaml', '/b.yaml'], projects: [] };
    await lastValueFrom(registry.flush(now), { defaultValue: undefined });
    expect(readStore(dataDir).manifests).toEqual(['/a/sup.yaml', '/b.yaml']);
  });

  it('a missing or unreadable record of a registered project is reported', async () => {
    const registry = registryWriter({ dataDir, logError: () => undefined });
    const projects = ['shop', 'gone'].map(projectId);
    await lastValueFrom(registry.flush({ manifests: [], projects }), { defaultValue: undefined });
    await store([serviceNamed('web')]);
    expect(readStore(dataDir).unrecorded).toEqual(['gone']);
    write(stateFile(), 'no json');
    expect(readStore(dataDir).unrecorded).toEqual(projects);
  });

  it('after another boot no recorded process is alive', async () => {
    await store([
      serviceNamed('web', { actual: STATES.up }),
      serviceNamed('db', { actual: STATES.stopping }),
    ]);
    const { boot_id: bootId } = JSON.parse(readFileSync(stateFile(), 'utf8')) as { boot_id: string };
    write(stateFile(), readFileSync(stateFile(), 'utf8').replace(bootId, 'another'));
    const { services, sameBoot } = readStore(dataDir);
    expect(sameBoot).toBe(false);
    expect(services.map(({ actual }) => actual)).toMatchObject([
      { tag: 'up', process: NO_PROCESS },
      { tag: 'stopping', process: NO_PROCESS, survivors: [], asked: [] },
    ]);
    expect(existsSync(`/proc/${NO_PROCESS.pid}`)).toBe(false);
  });

  it.each([
    ['is garbage', '\u0000garbage'],
    ['is cut off', '{"schema":"sup.state/1","boot_id":"x","services":[{"spec":'],
    ['is empty', ''],
    ['is of another version', '{"schema":"sup.state/2","boot_id":"x","services":[]}'],
    ['is of another form', '{"schema":"sup.state/1","services":{}}'],
    ['is no object', '[]'],
  ])('a state file that %s is set aside with a warning, and the rest is used', (_, text) => {
    write(stateFile(), text);
    write(layoutOf(dataDir).registry, text);
    const { services, manifests, warnings } = readStore(dataDir);
    expect([services, manifests]).toEqual([[], []]);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain(`kept as ${stateFile()}.corrupt-1`);
    expect(readFileSync(`${stateFile()}.corrupt-1`, 'utf8')).toBe(text);
    expect(existsSync(stateFile())).toBe(false);

    write(stateFile(), text);
    readStore(dataDir);
    expect(readdirSync(dirname(stateFile())).sort()).toEqual([
      'state.json.corrupt-1',
      'state.json.corrupt-2',
    ]);
  });

  it('a program that is not the supervisor changes nothing', () => {
    write(stateFile(), 'garbage');
    write(`${stateFile()}.1-ab.tmp`, 'half');
    expect(peekStore(dataDir).warnings).toHaveLength(1);
    expect(readdirSync(dirname(stateFile())).sort()).toEqual(['state.json', 'state.json.1-ab.tmp']);
    readStore(dataDir);
    expect(readdirSync(dirname(stateFile()))).toEqual(['state.json.corrupt-1']);
  });

  it.each([
    ['a state it does not know', { actual: { tag: 'dreaming' } }],
    ['half a state', { actual: { tag: 'up', run: 1 } }],
    [
      'an error without its facts',
      { actual: { tag: 'broken', error: { code: 'ERR0102', service: 'shop/db' } } },
    ],
    ['the pid of everybody', { actual: { ...STATES.up, process: { pid: -1, startTicks: 1 } } }],
    ['the pid of the first process', { actual: { ...STATES.up, process: { pid: 1, startTicks: 1 } } }],
    [
      'a name that leads out of its directory',
      { spec: { ...specOf('db'), name: '../../x', id: 'shop/../../x' } },
    ],
    ['another project', { spec: { ...specOf('db'), project: 'blog', id: 'blog/db' } }],
    ['no history', { history: undefined }],
    ['null', { schedule: null }],
  ])('a service with %s is left out; the others and a copy of the file are kept', async (_, damage) => {
    const good = serviceNamed('web');
    await store([good]);
    const state = JSON.parse(readFileSync(stateFile(), 'utf8')) as { services: unknown[] };
    state.services.push({ ...serviceNamed('db'), ...damage });
    write(stateFile(), JSON.stringify(state));
    const { services, warnings } = readStore(dataDir);
    expect(services).toEqual([good]);
    expect(warnings).toHaveLength(1);
    expect(readdirSync(dirname(stateFile())).sort()).toEqual(['state.json', 'state.json.corrupt-1']);
  });
});
