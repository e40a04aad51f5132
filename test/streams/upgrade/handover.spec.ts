import { describe, expect, it } from 'vitest';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import {
  commandsLeft,
  copyText,
  handedState,
  HANDOVER_FORMAT,
  handoverIn,
  pausesLeft,
  shownIn,
  upgradeText,
} from '../../../src/streams/upgrade/handover.ts';

const LISTS = { services: [], events: [], clients: [], sockets: [], commands: [], exits: [], surplus: [] };
const DOCUMENT = { format: HANDOVER_FORMAT, taken: {}, old: {}, ...LISTS };

describe('the state handed over by an upgrade', () => {
  it('a handover is read in its own format, with unknown fields', () => {
    expect(handoverIn({ ...DOCUMENT, more: 1 })).toMatchObject(DOCUMENT);
  });

  it.each([
    ['another form', { ...DOCUMENT, format: HANDOVER_FORMAT + 1 }],
    ['no lists', { ...DOCUMENT, events: undefined }],
    ['no state', { ...DOCUMENT, taken: undefined }],
    ['nothing', undefined],
  ])('a document is not read as a handover: %s', (_what, value) => {
    expect(handoverIn(value)).toBeUndefined();
  });

  it('a handover names the undeclared runs as older programs do', () => {
    const found = {
      service: serviceId(projectId('shop'), 'web'),
      run: runId(2),
      process: { pid: 7, startTicks: 7 },
    };
    const { projects, manifests, tables, requests, gate, warnings } = INITIAL_STATE;
    const taken = { projects, manifests, tables, requests, gate, warnings, strays: [found] };
    expect({ ...INITIAL_STATE, ...handedState(taken) }).toEqual({
      ...INITIAL_STATE,
      undeclaredRuns: [found],
    });
  });
});

describe('the shown part of the output', () => {
  it('the shown part of the output is read as it was written, and other documents are refused', () => {
    const shown = { since: '2026-11-21T05:30:15.123456Z', places: [] };
    expect(shownIn(shown)).toEqual(shown);
    expect([{ since: 1, places: [] }, { since: 'x' }, null].map(shownIn)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

const NOW = instant(1_000);
const COMMAND = {
  key: 'k',
  mark: { service: serviceId(projectId('!command'), 'x'), run: runId(1) },
  process: { pid: 7, startTicks: 7 },
};

describe('the remaining durations of a handover', () => {
  it('the remaining durations are the durations that were handed over', () => {
    expect(pausesLeft({ pauses: { a: 300 } }, NOW)).toEqual({ a: 300 });
    const commands = [COMMAND, { ...COMMAND, left: 300 }];
    expect(commandsLeft({ commands }, NOW)).toEqual(commands);
  });

  it('the remaining durations are computed from the times that an older version hands over', () => {
    expect(pausesLeft({ paces: { soon: 1_200, late: 900 } }, NOW)).toEqual({ soon: 200, late: 0 });
    const commands = [
      { ...COMMAND, until: 1_200 },
      { ...COMMAND, until: 900 },
    ];
    expect(commandsLeft({ commands }, NOW)).toEqual([
      { ...COMMAND, left: 200 },
      { ...COMMAND, left: 0 },
    ]);
  });

  it('the remaining durations are missing if none were handed over', () => {
    expect(pausesLeft({}, NOW)).toEqual({});
    expect(commandsLeft({ commands: [] }, NOW)).toEqual([]);
  });
});

it('an upgrade is reported with both versions, a failed one with the reason', () => {
  const versions = { from: '1.0.0', to: '2.0.0' };
  expect(upgradeText(versions)).toBe('supervisor upgraded from sup 1.0.0 to sup 2.0.0');
  expect(upgradeText(versions, 'it was not at work in time')).toBe(
    'ERR0503 sup 2.0.0 failed while it took over (it was not at work in time): sup 1.0.0 goes on',
  );
});

it('a supervisor that runs from a copy has a warning with the path and the command that replaces it', () => {
  expect(copyText('/d/program/1/supervisor.js')).toBe(
    'an upgrade failed, and the supervisor runs from a copy of its program (/d/program/1/supervisor.js): sup upgrade, once one that works is installed',
  );
});
