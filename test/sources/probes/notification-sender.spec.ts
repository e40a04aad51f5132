// The senders of notifications, and the watchdog.
import { concat, NEVER, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Datagram } from '../../../src/os/sockets/datagram-socket.ts';
import { startTicksOf } from '../../../src/os/proc/process-stat.ts';
import { notifications } from '../../../src/sources/probes/notification-sender.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import type { NotifyWatch } from '../../../src/streams/domain/watch.ts';
import { all } from '../../fixtures/processes/world.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';
import { idOf } from '../../support/spec.ts';

const OWN: ProcessRef = { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0 };
const OF_RUN = { service: idOf('web'), run: runId(1) };
const WATCH: NotifyWatch = { ...OF_RUN, type: 'notify', key: 'notify', process: OWN };
const UID = 1000;
/** Above the largest pid of Linux. */
const GONE = 2 ** 22 + 1;

const datagram = (text: string, from: Partial<Datagram> = {}): Datagram => ({
  ...{ bytes: Buffer.from(text), pid: process.pid, uid: UID },
  ...from,
});

const sources = (
  sent: readonly (readonly Datagram[])[],
  members: readonly ProcessRef[] = [],
  isReopened = false,
) => {
  const troubles: string[] = [];
  const made = notifications({
    sockets: { sent: () => of(...sent), isReopened: () => isReopened },
    scanner: { membersOf: () => of(members) },
    uid: UID,
    logError: (text) => troubles.push(text),
    warn: (text) => troubles.push(text),
  });
  return { ...made, troubles };
};

const reports = async (
  sent: readonly (readonly Datagram[])[],
  members: readonly ProcessRef[] = [],
): Promise<{ readonly said: readonly unknown[]; readonly troubles: readonly string[] }> => {
  const { notices, troubles } = sources(sent, members);
  const events = await all(notices(WATCH));
  return { said: events.map((event) => (event.type === 'notified' ? event.report : event)), troubles };
};

describe('the sender of a notification', () => {
  it('what is read at once becomes one event', async () => {
    expect(await reports([[datagram('STATUS=a'), datagram('READY=1')], [datagram('STATUS=b')]])).toEqual({
      said: [{ status: 'a', ready: true }, { status: 'b' }],
      troubles: [],
    });
  });

  it('what says nothing is no event', async () => {
    const { said } = await reports([[datagram('MAINPID=1')], [datagram('')], [datagram('\xff\0=')]]);
    expect(said).toEqual([]);
  });

  it.each([
    ['the user of the run', UID, [{ ready: true }]],
    ['root', 0, [{ ready: true }]],
    ['another user', 1001, []],
  ])('a sender that has ended is believed by its user: %s', async (_, uid, said) => {
    const answer = await reports([[datagram('READY=1', { pid: GONE, uid })]]);
    expect(answer.said).toEqual(said);
    expect(answer.troubles).toHaveLength(said.length === 0 ? 1 : 0);
  });

  it('a living process that is not of the run is ignored, with one warning', async () => {
    const stranger = datagram('READY=1', { pid: 1, uid: 0 });
    expect(await reports([[stranger, stranger], [stranger]])).toEqual({
      said: [],
      troubles: ['shop/web: a notification of pid 1 is ignored: it is not of the run'],
    });
    expect((await reports([[stranger]], [{ pid: 1, startTicks: 1 }])).said).toEqual([{ ready: true }]);
  });
});

const DOG = { ...OF_RUN, type: 'watchdog', key: 'watchdog', limit: ms(100) } as const;
const probed = (tag: 'passed' | 'silent'): Event => ({
  ...{ ...OF_RUN, type: 'probed', liveness: true },
  result: { tag },
});

describe('a watchdog', () => {
  it('a watchdog expires if nothing is heard, half a second after its time', () => {
    rxTest((rx) => {
      const { watchdogs } = sources([]);
      rx.expectObservable(watchdogs(DOG), '1s !').toBe('600ms s', { s: probed('silent') });
    });
  });

  it('a watchdog begins with the next WATCHDOG=1 if the socket is another one than at the start of the run', () => {
    rxTest((rx) => {
      const { watchdogs } = sources([], [], true);
      rx.expectObservable(watchdogs(DOG), '1s !').toBe('');
    });
  });

  it('a watchdog passes at WATCHDOG=1 and expires at WATCHDOG=trigger', async () => {
    const { watchdogs, notices } = sources([[datagram('WATCHDOG=1')], [datagram('WATCHDOG=trigger')]]);
    const heard: Event[] = [];
    listen(concat(watchdogs(DOG), NEVER), (event) => heard.push(event));
    await all(notices(WATCH));
    expect(heard).toEqual([probed('passed'), probed('silent')]);
  });
});
