import { describe, expect, it } from 'vitest';
import { eventLines } from '../../../src/cli/render/event-line.ts';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';

const EVENT: EventDocument = {
  schema: 'sup.event/1',
  at: '2026-11-21T05:30:15.123Z',
  kind: 'state',
  project: 'shop',
  service: 'web',
  child: null,
  from: 'running',
  to: 'backoff',
  health: 'unknown',
  run: 3,
  pid: null,
  cause: 'surveyed',
  reason: 'exited\nwith \u001b[31m1',
  code: 'ERR0102',
  because_of: [],
  rollout: null,
};
const ROLLOUT = { strategy: 'blue-green', step: 'watching', slot: 'blue' } as const;
const paint = paintOf(false);

describe('an event as a line', () => {
  it.each([
    [EVENT, 'shop/web running → backoff (ERR0102, exited\\nwith \\x1b[31m1)'],
    [{ ...EVENT, project: '__loose__', code: null, reason: null, pid: 7 }, 'web running → backoff (pid 7)'],
    [{ ...EVENT, to: null, code: null, reason: null }, 'shop/web running → left'],
    [
      { ...EVENT, project: null, service: null, from: null, to: 'running', code: null, reason: 'it began' },
      'supervisor running (it began)',
    ],
    [
      { ...EVENT, kind: 'health', from: 'running', to: 'running', health: 'unhealthy', reason: 'HTTP 500' },
      'shop/web is unhealthy (ERR0102, HTTP 500)',
    ],
    [
      {
        ...EVENT,
        kind: 'act',
        from: 'running',
        to: 'running',
        code: null,
        reason: 'SIGHUP, sent by sup kill',
      },
      'shop/web running (SIGHUP, sent by sup kill)',
    ],
    [
      { ...EVENT, kind: 'run', rollout: ROLLOUT, from: 'starting', to: 'running', code: null, reason: null },
      'shop/web candidate: starting → running',
    ],
    [
      {
        ...EVENT,
        kind: 'rollout',
        rollout: ROLLOUT,
        from: 'running',
        code: null,
        to: 'running',
        reason: 'r',
      },
      'shop/web rollout: watching slot blue (r)',
    ],
    [
      { ...EVENT, kind: 'rollout', rollout: { ...ROLLOUT, slot: null }, code: null, reason: null },
      'shop/web rollout: watching, running → backoff',
    ],
  ] as const)('an event line names the service, both states and the reason', (event, line) => {
    expect(eventLines(event, { paint, columns: undefined })).toEqual([`2026-11-21T05:30:15.123Z ${line}`]);
  });

  it('a long event line continues below on a narrow terminal, indented, with and without colours', () => {
    const event = { ...EVENT, reason: 'failed again after 2 automatic restarts: exited with 1' };
    const plain = [
      '2026-11-21T05:30:15.123Z shop/web running → backoff',
      '                         (ERR0102, failed again after 2',
      '                         automatic restarts: exited with 1)',
    ];
    expect(eventLines(event, { paint, columns: 60 })).toEqual(plain);
    const painted = eventLines(event, { paint: paintOf(true), columns: 60 });
    // eslint-disable-next-line no-control-regex -- colours are escape sequences
    expect(painted.map((line) => line.replace(/\u001b\[\d*m/g, ''))).toEqual(plain);
    expect(painted[0]).toContain('\u001b[31mbackoff\u001b[0m');
  });
});
