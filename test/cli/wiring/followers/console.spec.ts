import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { consoleOutput, type Console } from '../../../../src/cli/wiring/followers/console.ts';
import type { ServiceId } from '../../../../src/streams/domain/ids.ts';
import type { ServiceChange } from '../../../../src/streams/kernel/derived/derived.ts';
import type { Shown } from '../../../../src/streams/upgrade/handover.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { stampOf } from '../../../../src/streams/wire/log-line.ts';
import { INITIAL_STATE } from '../../../../src/streams/kernel/state.ts';
import { kernel } from '../../../support/kernel.ts';
import { listen } from '../../../support/listen.ts';
import { idOf, specOf } from '../../../support/spec.ts';

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

describe('what services print', () => {
  it('is shown from the beginning, whenever a service was declared, and to its last line', async () => {
    let shown = '';
    const write = (text: string): Promise<void> => {
      shown += text;
      return Promise.resolve();
    };
    const screen = await consoleOutput({ dataDir, style: 'plain', write });
    const service$ = new Subject<ServiceChange>();
    listen(screen.follow(service$));
    print(idOf('web'), 'before it was known');
    service$.next(declared('web'));
    service$.next(declared('web'));
    await vi.waitFor(() => expect(shown).toBe('web | before it was known\n'), 10_000);
    print(idOf('web'), 'then');
    service$.next(declared('worker'));
    print(idOf('worker'), 'beside');
    await vi.waitFor(() => expect(shown).toContain('worker | beside'), 10_000);
    print(idOf('web'), 'the last word');
    await screen.close();
    expect(shown.split('\n').filter((line) => line.includes('the last word'))).toEqual([
      'web    | the last word',
    ]);
    expect(shown.match(/then/g)).toHaveLength(1);
  });

  it('is shown on from where it was paused, by the same one and by the next, each line once', async () => {
    let shown = '';
    const write = (text: string): Promise<void> => {
      shown += text;
      return Promise.resolve();
    };
    const opened = async (before?: Shown): Promise<Console> => {
      const screen = await consoleOutput({ dataDir, style: 'plain', write, before });
      const service$ = new Subject<ServiceChange>();
      listen(screen.follow(service$));
      service$.next(declared('web'));
      return screen;
    };
    const said = (): readonly string[] => shown.split('\n').flatMap((line) => line.split(' | ')[1] ?? []);
    const first = await opened();
    print(idOf('web'), 'one');
    await vi.waitFor(() => expect(said()).toEqual(['one']), 10_000);
    await first.pause();
    print(idOf('web'), 'two');
    first.resume();
    await vi.waitFor(() => expect(said()).toEqual(['one', 'two']), 10_000);
    const before = await first.pause();
    expect(first.shown()).toEqual(before);
    print(idOf('web'), 'three');
    const second = await opened(before);
    await vi.waitFor(() => expect(said()).toContain('three'), 10_000);
    await second.close();
    await first.close();
    expect(said()).toEqual(['one', 'two', 'three']);
  });

  it('waits for a reader, and for one that has gone no longer than it must', async () => {
    const write = vi.fn(() => new Promise<void>(() => undefined));
    const screen = await consoleOutput({ dataDir, style: 'json', write });
    const service$ = new Subject<ServiceChange>();
    listen(screen.follow(service$));
    print(idOf('web'), 'one');
    service$.next(declared('web'));
    await vi.waitFor(() => expect(write).toHaveBeenCalledOnce(), 10_000);
    print(idOf('web'), 'two');
    await screen.close();
    expect(write).toHaveBeenCalledOnce();
  });
});
