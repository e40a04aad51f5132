// Whatever is kept on disk, with the k-th call to the file system failing, or being the last one, for every k: what was
// acknowledged is on record, and what is on record can be read.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, Subject, type Observable } from 'rxjs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { commandLedger, commandsLeft } from '../../../src/sinks/process/commands/commands-on-disk.ts';
import type { RecordChange } from '../../../src/sinks/store/project-records.ts';
import { registryWriter } from '../../../src/sinks/store/registry-writer.ts';
import { stateWriter } from '../../../src/sinks/store/save-changes.ts';
import { peekStore, readStore } from '../../../src/sources/store/read-saved-state.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import { CALM, type Fate, type Fault } from '../../support/faulty-fs.ts';
import { listen } from '../../support/listen.ts';
import { idOf, SHOP, specOf } from '../../support/spec.ts';
import { STATES } from '../../support/states.ts';

const fate = vi.hoisted((): Fate => ({ calls: 0, at: Infinity, fault: 'EIO', dead: false }));
vi.mock('node:fs', async (original) =>
  (await import('../../support/faulty-fs.ts')).faultyFs(await original(), fate),
);
vi.mock('node:fs/promises', async (original) =>
  (await import('../../support/faulty-fs.ts')).faultyPromises(await original(), fate),
);

const FAULTS: readonly Fault[] = [
  ...(['ENOSPC', 'EIO', 'EMFILE'] as const),
  ...(['killed', 'half done and killed', 'done and killed'] as const),
];

/** One life, in which one call goes wrong. It says what it has acknowledged, and checks what is there in the end. */
type Life = (dataDir: string, fault?: Fault) => Promise<void>;

const places: string[] = [];
// Once more: what a dead one was about to do may have made its directory again.
afterAll(() => places.forEach((place) => rmSync(place, { recursive: true, force: true })));

const lived = async (life: Life, at: number, fault?: Fault): Promise<number> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sup-every-'));
  places.push(dataDir);
  Object.assign(fate, CALM, { at, fault: fault ?? 'EIO', underWay: undefined });
  try {
    await life(dataDir, fault);
    return fate.calls;
  } catch (error) {
    throw new Error(`call ${at}, ${String(fault)}`, { cause: error });
  } finally {
    Object.assign(fate, CALM);
    // What was under way when it died may still come to its end, and make a file meanwhile.
    await vi.waitFor(() => rmSync(dataDir, { recursive: true, force: true }), { timeout: 20_000 });
  }
};

const everyCall = async (life: Life): Promise<void> => {
  const calls = await lived(life, Infinity);
  expect(calls).toBeGreaterThan(1);
  for (let at = 1; at <= calls; at += 1) for (const fault of FAULTS) await lived(life, at, fault);
};

/** From here on everything goes well again; answers whether the one before is dead. */
const calm = (): boolean => {
  const { dead } = fate;
  Object.assign(fate, { at: Infinity, dead: false });
  return dead;
};

/** Turns of the loop in which a dead process would have been told of its last work. */
const AFTERLIFE = 50;

/** Whether it is said to be on disk; a dead process is told nothing. */
const done = async (work$: Observable<unknown>): Promise<boolean> => {
  const told = { outcome: undefined as boolean | undefined };
  void lastValueFrom(work$, { defaultValue: undefined }).then(
    () => (told.outcome = true),
    () => (told.outcome = false),
  );
  for (let turns = 0; told.outcome === undefined && (turns < AFTERLIFE || !fate.dead); turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  await fate.underWay;
  return told.outcome ?? false;
};

const web = (attempts: number, actual: Service['actual'], words = ''): Service => ({
  ...freshService(specOf('web')),
  attempts,
  actual,
  lastFailure: { at: 0 as never, error: { code: 'ERR0113', service: idOf('web'), detail: words } },
});

/** A process that begins, one that is asked to end, what people asked for, and so much that the journal is renewed. */
const STORY: readonly (readonly [state: Service['actual'], how: 'told' | 'asked for', words?: string])[] = [
  [STATES.starting, 'told'],
  [STATES.up, 'asked for'],
  [{ ...STATES.stopping, asked: [] }, 'asked for', 'x'.repeat(300_000)],
  [STATES.stopping, 'told'],
  [STATES.down, 'asked for'],
];

const stateLife: Life = async (dataDir) => {
  const change$ = new Subject<RecordChange>();
  const writer = stateWriter({ dataDir, logError: () => undefined });
  let now: readonly Service[] = [];
  let acknowledged = 0;
  const following = listen(writer.follow(change$, () => now));
  for (const [at, [actual, how, words]] of STORY.entries()) {
    const service = web(at + 1, actual, words);
    now = [service];
    change$.next({ id: service.spec.id, service });
    const kept =
      how === 'told'
        ? writer.troubles().length === 0
        : await done(writer.flush({ project: SHOP, services: now }));
    if (kept && !fate.dead) acknowledged = at + 1;
  }
  following.unsubscribe();
  const dead = calm();
  const { services, warnings } = peekStore(dataDir);
  expect(warnings).toEqual([]);
  expect(services[0]?.attempts ?? 0).toBeGreaterThanOrEqual(acknowledged);
  if (dead) return;
  expect(await done(writer.flush({ project: SHOP, services: now }))).toBe(true);
  expect(writer.troubles()).toEqual([]);
  expect(peekStore(dataDir).services).toEqual(now);
};

const registryLife: Life = async (dataDir) => {
  const registry = registryWriter({ dataDir, logError: () => undefined });
  const lists = [['/a.yaml'], ['/a.yaml', '/b.yaml'], ['/b.yaml']];
  const known = new Set(['[]', ...lists.map((list) => JSON.stringify(list))]);
  let acknowledged = '[]';
  for (const list of lists) {
    // One that failed may be there all the same.
    if ((await done(registry.flush({ manifests: list, projects: [] }))) && !fate.dead)
      acknowledged = JSON.stringify(list);
    else if (acknowledged !== '[]') known.add(acknowledged);
  }
  const dead = calm();
  const { manifests, warnings } = readStore(dataDir);
  expect(warnings).toEqual([]);
  expect(known).toContain(JSON.stringify(manifests));
  if (acknowledged !== '[]') expect(manifests).not.toEqual([]);
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  if (dead) return;
  expect(await done(registry.flush({ manifests: ['/c.yaml'], projects: [] }))).toBe(true);
  expect(peekStore(dataDir).manifests).toEqual(['/c.yaml']);
};

const ledgerLife: Life = (dataDir) => {
  const ledger = commandLedger(dataDir);
  const begun = (mark: string): (() => void) =>
    fate.dead ? () => undefined : ledger.begin(mark, 'pre_start of web');
  const first = begun('!command/x#1');
  begun('!command/x#2');
  if (!fate.dead) first();
  calm();
  const left = commandsLeft(dataDir).map(({ run }) => Number(run));
  expect([1, 2]).toEqual(expect.arrayContaining(left));
  commandsLeft(dataDir).forEach(({ over }) => over());
  expect(commandsLeft(dataDir)).toEqual([]);
  return Promise.resolve();
};

describe('with each file system call failing, or being the last', () => {
  it('the state of a project is the acknowledged one or newer, and continues from there', () =>
    everyCall(stateLife));

  it('the registry is one of those that were written', () => everyCall(registryLife));

  it('the files of commands under way end no command', () => everyCall(ledgerLife));
});
