import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, Subject, type Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecordChange } from '../../../src/sinks/store/project-records.ts';
import { stateWriter, type StateWriter } from '../../../src/sinks/store/save-changes.ts';
import { peekStore, readStore } from '../../../src/sources/store/read-saved-state.ts';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import { listen } from '../../support/listen.ts';
import { idOf, SHOP, specOf } from '../../support/spec.ts';
import { STATES } from '../../support/states.ts';
import { PATIENT } from '../../support/patience.ts';

const serviceNamed = (name: string, changes: Partial<Service> = {}): Service => ({
  ...freshService(specOf(name)),
  ...changes,
});

let dataDir: string;
let said: string[];
let services: Map<string, Service>;
let change$: Subject<RecordChange>;
let writer: StateWriter;
let end: () => void;
const directory = (): string => join(dataDir, 'projects/shop');
const recorded = (): readonly Service[] => peekStore(dataDir).services;
const journals = (): readonly string[] =>
  readdirSync(directory()).filter((name) => name.startsWith('changes-'));
const become = (name: string, changes: Partial<Service>): void => {
  const service = { ...(services.get(name) ?? serviceNamed(name)), ...changes };
  services.set(name, service);
  change$.next({ id: idOf(name), service });
};

const linkOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
};

const done = (work$: Observable<unknown>): Promise<unknown> =>
  lastValueFrom(work$, { defaultValue: undefined });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sup-writer-'));
  said = [];
  services = new Map();
  change$ = new Subject();
  writer = stateWriter({ dataDir, logError: (text) => said.push(text) });
  const subscription = listen(writer.follow(change$, () => [...services.values()]));
  end = () => subscription.unsubscribe();
});
afterEach(() => {
  end();
  rmSync(dataDir, { recursive: true });
});

describe('writing changes of the state', () => {
  it('changes are written within moments, the newest of each service', async () => {
    for (let attempts = 1; attempts <= 1000; attempts += 1) become('web', { attempts });
    become('db', { attempts: 3 });
    await vi.waitFor(() => expect(recorded()).toMatchObject([{ attempts: 1000 }, { attempts: 3 }]), PATIENT);
    become('db', { attempts: 4 });
    services.delete('web');
    change$.next({ id: idOf('web'), service: undefined });
    await vi.waitFor(() => expect(recorded()).toMatchObject([{ attempts: 4 }]), PATIENT);
    expect(said).toEqual([]);
  });

  it('the start of a process is written at once', () => {
    become('web', { actual: STATES.starting });
    expect(recorded()).toMatchObject([{ actual: { tag: 'starting' } }]);
    become('db', { attempts: 1 });
    become('web', { actual: STATES.up });
    become('api', { actual: STATES.starting });
    expect(recorded()).toMatchObject([
      { actual: { tag: 'up' } },
      { attempts: 1 },
      { actual: { tag: 'starting' } },
    ]);
  });

  it('the number of a run is written at once, before its process can start', () => {
    become('web', { runs: 1, actual: STATES.spawning });
    expect(recorded()).toMatchObject([{ runs: 1, actual: { tag: 'spawning' } }]);
    become('db', { attempts: 1 });
    become('web', { runs: 2 });
    expect(recorded()).toMatchObject([{ runs: 2 }, { attempts: 1 }]);
  });

  it('a stop signal is written at once', () => {
    become('web', { actual: STATES.up });
    become('web', { actual: { ...STATES.stopping, asked: [] } });
    become('web', { actual: STATES.stopping });
    expect(recorded()).toMatchObject([{ actual: STATES.stopping }]);
  });

  it('a write costs only what changed, and the journal stays short', async () => {
    const many = Array.from({ length: 50 }, (_, at) => `s${at}`);
    for (let turn = 0; turn < 200; turn += 1) {
      for (const name of many) become(name, { attempts: turn });
      become('web', { actual: turn % 2 === 0 ? STATES.starting : STATES.waiting });
    }
    await vi.waitFor(
      () => expect(recorded().filter(({ attempts }) => attempts === 199)).toHaveLength(50),
      PATIENT,
    );
    await vi.waitFor(() => expect(journals()).toHaveLength(1), PATIENT);
  });

  it('one project does not wait for another that cannot be written', async () => {
    const [other, away] = [serviceId(projectId('other'), 'x'), join(dataDir, 'projects/other')];
    mkdirSync(join(dataDir, 'projects'), { recursive: true });
    writeFileSync(away, 'in the way');
    const spec = { ...specOf('x'), id: other, project: projectId('other') };
    change$.next({ id: other, service: { ...freshService(spec), runs: runId(1), numbered: 1 } });
    await vi.waitFor(() => expect(writer.troubles()).toHaveLength(1), PATIENT);
    become('web', { runs: runId(3), numbered: 3 });
    // The number of a run is on record in the turn in which it is given.
    expect(recorded()).toMatchObject([{ numbered: 3 }]);
  });

  it('the file of a project without services is closed until there is one again', async () => {
    const held = (): readonly string[] =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(directory()));
    for (const attempts of [1, 2]) {
      become('web', { attempts });
      await vi.waitFor(() => expect(recorded()).toMatchObject([{ attempts }]), PATIENT);
      expect(held()).toHaveLength(1);
      services.delete('web');
      change$.next({ id: idOf('web'), service: undefined });
      await vi.waitFor(() => expect(held()).toEqual([]), PATIENT);
      expect(journals()).toEqual([]);
      expect(recorded()).toEqual([]);
    }
    expect(said).toEqual([]);
  });

  it('a disk that refuses writes is reported once, retried, and named meanwhile', async () => {
    become('web', { attempts: 1 });
    await vi.waitFor(() => expect(recorded()).toMatchObject([{ attempts: 1 }]), PATIENT);
    renameSync(directory(), `${directory()}.away`);
    writeFileSync(directory(), 'in the way');
    become('web', { attempts: 2 });
    await vi.waitFor(() => expect(writer.troubles()).toHaveLength(1), PATIENT);
    await expect(done(writer.flush({ project: SHOP, services: [...services.values()] }))).rejects.toThrow();
    rmSync(directory());
    mkdirSync(directory());
    await vi.waitFor(() => expect(recorded()).toMatchObject([{ attempts: 2 }]), PATIENT);
    await vi.waitFor(() => expect(writer.troubles()).toEqual([]), PATIENT);
    expect(said).toHaveLength(2);
  });
});

describe('writing the result of commands', () => {
  it('an acknowledged command is on disk, and in one file at the end', async () => {
    const web = serviceNamed('web', { attempts: 7 });
    await done(writer.flush({ project: SHOP, services: [web] }));
    expect(recorded()).toEqual([web]);
    const later = { ...web, attempts: 8 };
    await Promise.all([1, 2, 3].map(() => done(writer.flush({ project: SHOP, services: [later] }))));
    expect(recorded()).toEqual([later]);
    await done(writer.conclude({ project: SHOP, services: [later, serviceNamed('db')] }));
    expect(journals()).toEqual([]);
    expect(recorded()).toEqual([later, serviceNamed('db')]);
  });

  it('an acknowledged command is the last word, also while an older state is being written', async () => {
    const many = Array.from({ length: 50 }, (_, at) => `s${at}`);
    await done(writer.flush({ project: SHOP, services: [] }));
    for (let turn = 0; journals().length < 2; turn += 1) {
      for (const name of many) become(name, { attempts: turn });
      become('web', { actual: turn % 2 === 0 ? STATES.starting : STATES.waiting });
      await new Promise(setImmediate);
    }
    const last = many.map((name) => serviceNamed(name, { attempts: 100_000 }));
    await done(writer.conclude({ project: SHOP, services: last }));
    const before = readFileSync(join(directory(), 'state.json'), 'utf8');
    await new Promise((settle) => setTimeout(settle, 300));
    expect(readFileSync(join(directory(), 'state.json'), 'utf8') === before).toBe(true);
    expect(recorded().filter(({ attempts }) => attempts === 100_000)).toHaveLength(50);
  });

  it('a removed journal is noticed', async () => {
    const web = serviceNamed('web', { attempts: 7 });
    await done(writer.flush({ project: SHOP, services: [web] }));
    await done(writer.flush({ project: SHOP, services: [{ ...web, attempts: 8 }] }));
    const [journal] = journals();
    const file = join(directory(), journal ?? '');
    rmSync(file);
    const warnings = [expect.stringContaining(`${file} is missing: what changed since`) as unknown];
    expect(peekStore(dataDir)).toMatchObject({ services: [web], warnings });
    expect(readStore(dataDir)).toMatchObject({ services: [web], warnings });
  });

  it('a removed state file is written again', async () => {
    const web = serviceNamed('web', { attempts: 7 });
    await done(writer.flush({ project: SHOP, services: [web] }));
    expect(writer.isLost(SHOP)).toBe(false);
    rmSync(join(directory(), 'state.json'));
    expect(writer.isLost(SHOP)).toBe(true);
    await done(writer.flush({ project: SHOP, services: [web] }));
    expect(writer.isLost(SHOP)).toBe(false);
    expect(peekStore(dataDir)).toMatchObject({ services: [web], warnings: [] });
    rmSync(join(directory(), 'state.json'));
    become('web', { attempts: 8 });
    await vi.waitFor(() => expect(recorded()).toMatchObject([{ attempts: 8 }]), PATIENT);
  });
});
