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
import { serviceTableOf } from '../../src/streams/kernel/service-table.ts';
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
const closing = {
  ...INITIAL_STATE,
  phase: 'closing',
  serviceTable: serviceTableOf([serviceIn('up')]),
} as const;

const remember = (
  by: { readonly guarded?: ReturnType<typeof guarded> },
  state: SupervisorState = closing,
): void => void listen(rememberClosing(of(state), { dataDir, guarded: by.guarded }), () => undefined);

const rewrite = (before: string | RegExp, after: string): void => {
  const { closing: file } = layoutOf(dataDir);
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
};

describe('the record of an end', () => {
  it('the record of an end is read by a restarted supervisor until the end is over', () => {
    remember({ guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toEqual({ resume: true });
    noClosing({ dataDir, guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
  });

  it('the record of an end is ignored by a supervisor that a user started', () => {
    remember({ guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: guarded(0) })).toBeUndefined();
    expect(closingBefore({ dataDir, guarded: undefined })).toBeUndefined();
  });

  it('the request of a guardian for an end applies unless a record exists', () => {
    expect(closingBefore({ dataDir, guarded: guarded(1, true) })).toEqual({ resume: true });
    remember({ guarded: guarded(0) });
    rewrite('"resume":true', '"resume":false');
    expect(closingBefore({ dataDir, guarded: guarded(1, true) })).toEqual({ resume: false });
  });

  it('the record of an end is ignored by a supervisor of another guardian', () => {
    remember({ guarded: guarded(0) });
    expect(closingBefore({ dataDir, guarded: { ...guarded(1), pid: process.ppid } })).toBeUndefined();
    rewrite(/"guardian":"(\d+) \d+/, '"guardian":"$1 7');
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
  });

  it('the record of an end takes space that was reserved before', () => {
    noClosing({ dataDir, guarded: guarded(0) });
    const { size, ino } = statSync(layoutOf(dataDir).closing);
    remember({ guarded: guarded(0) });
    expect(statSync(layoutOf(dataDir).closing)).toMatchObject({ size, ino });
  });

  it('the record of an end is not kept without a guardian, and not read if it is torn', () => {
    remember({});
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
    writeFileSync(layoutOf(dataDir).closing, '{"resume":tr');
    expect(closingBefore({ dataDir, guarded: guarded(1) })).toBeUndefined();
  });
});

describe('the record of a shutdown', () => {
  const shutDown = { ...INITIAL_STATE, phase: 'closed' } as const;
  const started = { ...INITIAL_STATE, serviceTable: serviceTableOf([serviceIn('up')]) };

  it('the record of a shutdown applies to each later supervisor, unlike an end by a signal', () => {
    expect(wasShutDown({ dataDir })).toBe(false);
    remember({ guarded: guarded(0) });
    expect(wasShutDown({ dataDir })).toBe(false);
    remember({ guarded: guarded(0) }, shutDown);
    expect(wasShutDown({ dataDir })).toBe(true);
  });

  it.each([guarded(0), undefined])(
    'the record of a shutdown is removed once a service is wanted again',
    (by) => {
      remember({ guarded: guarded(0) }, shutDown);
      const options = { dataDir, guarded: by };
      listen(untilStarted(of(INITIAL_STATE, shutDown), options), () => undefined);
      expect(wasShutDown(options)).toBe(true);
      listen(untilStarted(of(INITIAL_STATE, started), options), () => undefined);
      expect(wasShutDown(options)).toBe(false);
    },
  );
});
