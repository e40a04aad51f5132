import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  closingBefore,
  noClosing,
  rememberClosing,
  untilStarted,
  wasShutDown,
} from '../../src/supervisor/closing-record.ts';
import { rosterOf } from '../../src/streams/kernel/roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../../src/streams/kernel/state.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { listen } from '../support/listen.ts';
import { serviceIn } from '../support/states.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sup-closing-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const guarded = (restarts: number, ending = false) => ({ pid: process.pid, restarts, ended: 137, ending });
const closing = { ...INITIAL_STATE, phase: 'closing', roster: rosterOf([serviceIn('up')]) } as const;

const remember = (
  by: { readonly guarded?: ReturnType<typeof guarded> },
  state: SupervisorState = closing,
): void => void listen(rememberClosing(of(state), { dataDir, guarded: by.guarded }), () => undefined);

const rewrite = (before: string | RegExp, after: string): void => {
  const { closing: file } = layoutOf(dataDir);
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
};

describe('an end under way', () => {
  it('is known to who is brought back, until it is over', () => {
    remember({ guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toEqual({ resume: true });
    noClosing({ dataDir, guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
  });

  it('is nothing to who was begun by a person', () => {
    remember({ guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: guarded(0) })).toBeUndefined();
    expect(closingBefore({ dataDir, guarded: undefined })).toBeUndefined();
  });

  it('is what a guardian says that was told to end, but for what was written', () => {
    expect(closingBefore({ dataDir, guarded: guarded(1, true) })).toEqual({ resume: true });
    remember({ guarded: guarded(0) });
    rewrite('"resume":true', '"resume":false');
    expect(closingBefore({ dataDir, guarded: guarded(1, true) })).toEqual({ resume: false });
  });

  it('is nothing to who was brought back by another guardian', () => {
    remember({ guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: { ...guarded(1), pid: process.ppid } })).toBeUndefined();
    rewrite(/"guardian":"(\d+) \d+/, '"guardian":"$1 7');
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
  });

  it('takes the space that it had before there was one', () => {
    noClosing({ dataDir, guarded: guarded(0) });
    const { size, ino } = statSync(layoutOf(dataDir).closing);
    remember({ guarded: guarded(0) });
    expect(statSync(layoutOf(dataDir).closing)).toMatchObject({ size, ino });
  });

  it('is not kept where nobody brings anybody back, and not read where it is torn', () => {
    remember({});
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
    writeFileSync(layoutOf(dataDir).closing, '{"resume":tr');
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
  });
});

describe('a shutdown', () => {
  const shutDown = { ...INITIAL_STATE, phase: 'closed' } as const;
  const started = { ...INITIAL_STATE, roster: rosterOf([serviceIn('up')]) };

  it('is known to every later supervisor, and an end by a signal is not one', () => {
    expect(wasShutDown({ dataDir })).toBe(false);
    remember({ guarded: guarded(0) });
    expect(wasShutDown({ dataDir })).toBe(false);
    remember({ guarded: guarded(0) }, shutDown);
    expect(wasShutDown({ dataDir })).toBe(true);
  });

  it.each([guarded(0), undefined])('is over as soon as something is wanted again', (by) => {
    remember({ guarded: guarded(0) }, shutDown);
    const options = { dataDir, guarded: by };
    listen(untilStarted(of(INITIAL_STATE, shutDown), options), () => undefined);
    expect(wasShutDown(options)).toBe(true);
    listen(untilStarted(of(INITIAL_STATE, started), options), () => undefined);
    expect(wasShutDown(options)).toBe(false);
  });
});
