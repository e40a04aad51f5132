import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  consoleOutput,
  type Console,
  type ConsoleWriter,
} from '../../../src/supervisor/followers/console.ts';
import type { ServiceId } from '../../../src/streams/domain/ids.ts';
import type { ServiceChange } from '../../../src/streams/kernel/after-step/step-streams.ts';
import type { ShownOutput } from '../../../src/streams/upgrade/handover.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { stampOf } from '../../../src/streams/wire/log-line.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import { kernel } from '../../support/kernel.ts';
import { listen } from '../../support/listen.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { PATIENT } from '../../support/patience.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sup-console-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const print = (id: ServiceId, text: string): void => {
  const path = layoutOf(dataDir).log(id);
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${stampOf(new Date())} stdout ${text}\n`);
};

const declared = (name: string): ServiceChange => {
  const sup = kernel({}, INITIAL_STATE);
  sup.start(specOf(name));
  return { id: idOf(name), service: sup.service(name) };
};

/** What was written, and a screen that takes all of it, or but so many bytes of each text and then waits. */
const paper = (takes = Infinity): { readonly text: () => string; readonly screen: ConsoleWriter } => {
  let text = '';
  let rest = Buffer.alloc(0);
  const write = (bytes: Buffer): Promise<void> => {
    text += bytes.subarray(0, takes).toString();
    rest = Buffer.from(bytes.subarray(takes));
    return rest.length === 0 ? Promise.resolve() : new Promise(() => undefined);
  };
  return { text: () => text, screen: { write, unwritten: () => rest } };
};

const opened = async (screen: ConsoleWriter, before?: ShownOutput): Promise<Console> => {
  const shows = await consoleOutput({ dataDir, style: 'plain', screen, before });
  const service$ = new Subject<ServiceChange>();
  listen(shows.follow(service$));
  service$.next(declared('web'));
  return shows;
};

describe('the console output of services', () => {
  it('console output is shown from the beginning to its last line, whenever a service was declared', async () => {
    const { text, screen } = paper();
    const shows = await consoleOutput({ dataDir, style: 'plain', screen });
    const service$ = new Subject<ServiceChange>();
    listen(shows.follow(service$));
    print(idOf('web'), 'before it was known');
    service$.next(declared('web'));
    service$.next(declared('web'));
    await vi.waitFor(() => expect(text()).toBe('web | before it was known\n'), PATIENT);
    print(idOf('web'), 'then');
    service$.next(declared('worker'));
    print(idOf('worker'), 'beside');
    await vi.waitFor(() => expect(text()).toContain('worker | beside'), PATIENT);
    print(idOf('web'), 'the last word');
    await shows.close();
    expect(
      text()
        .split('\n')
        .filter((line) => line.includes('the last word')),
    ).toEqual(['web    | the last word']);
    expect(text().match(/then/g)).toHaveLength(1);
  });

  it('console output is shown to the last line of a removed service, and once when it returns', async () => {
    const { text, screen } = paper();
    const shows = await consoleOutput({ dataDir, style: 'plain', screen });
    const service$ = new Subject<ServiceChange>();
    listen(shows.follow(service$));
    service$.next(declared('web'));
    print(idOf('web'), 'one');
    service$.next({ id: idOf('web'), service: undefined });
    print(idOf('web'), 'two');
    await vi.waitFor(() => expect(text()).toBe('web | one\nweb | two\n'), PATIENT);
    service$.next(declared('web'));
    print(idOf('web'), 'three');
    await vi.waitFor(() => expect(text()).toBe('web | one\nweb | two\nweb | three\n'), PATIENT);
    await shows.close();
  });

  it('console output resumes after a pause, in the same and the next program, each line once', async () => {
    const { text, screen } = paper();
    const said = (): readonly string[] =>
      text()
        .split('\n')
        .flatMap((line) => line.split(' | ')[1] ?? []);
    const first = await opened(screen);
    print(idOf('web'), 'one');
    await vi.waitFor(() => expect(said()).toEqual(['one']), PATIENT);
    await first.pause();
    print(idOf('web'), 'two');
    first.resume();
    await vi.waitFor(() => expect(said()).toEqual(['one', 'two']), PATIENT);
    await first.pause();
    const before = first.shown();
    expect(before).not.toHaveProperty('unwritten');
    print(idOf('web'), 'three');
    const second = await opened(screen, before);
    await vi.waitFor(() => expect(said()).toContain('three'), PATIENT);
    await second.close();
    await first.close();
    expect(said()).toEqual(['one', 'two', 'three']);
  });

  it('console output resumes within an unfinished line, in the next program and the one after it', async () => {
    const stalled = paper('web | o'.length);
    const first = await opened(stalled.screen);
    print(idOf('web'), 'one');
    await vi.waitFor(() => expect(stalled.text()).toBe('web | o'), PATIENT);
    const before = first.shown();
    print(idOf('web'), 'two');
    // It has nothing to follow yet: that would be the program before it again.
    const idle = await consoleOutput({ dataDir, style: 'plain', screen: paper().screen, before });
    expect(idle.shown().unwritten).toBe(before.unwritten);
    const { text, screen } = paper();
    const second = await opened(screen, idle.shown());
    await vi.waitFor(() => expect(text()).toContain('two'), PATIENT);
    expect(stalled.text() + text()).toBe('web | one\nweb | two\n');
    await Promise.all([second.close(), idle.close(), first.close()]);
  });

  it('console output waits for a reader, and for one that has gone only as long as necessary', async () => {
    const write = vi.fn(() => new Promise<void>(() => undefined));
    const screen: ConsoleWriter = { write, unwritten: () => Buffer.alloc(0) };
    const shows = await consoleOutput({ dataDir, style: 'json', screen });
    const service$ = new Subject<ServiceChange>();
    listen(shows.follow(service$));
    print(idOf('web'), 'one');
    service$.next(declared('web'));
    await vi.waitFor(() => expect(write).toHaveBeenCalledOnce(), PATIENT);
    print(idOf('web'), 'two');
    await shows.close();
    expect(write).toHaveBeenCalledOnce();
  });
});
