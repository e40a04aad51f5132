// From the last decision of this program to the first of the next: new events wait, work in progress ends,
// then this program leaves. A failure on the way is undone.
import { setTimeout as pause } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { duplicated } from '../../os/libc/execute.ts';
import type { Libc } from '../../os/libc/libc.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { ms } from '../../streams/domain/time.ts';
import { refusalOf } from '../../streams/upgrade/upgrade-refusal.ts';
import { startsIn } from '../../streams/upgrade/starts.ts';
import type { Companions } from '../companions.ts';
import { keepNow, projectsIn } from '../followers/records.ts';
import type { Parts } from '../parts.ts';
import { leave } from './leave.ts';
import type { Ready } from './prepare.ts';
import { busy, refuse } from './refusal.ts';

/** How long clients in the middle of a message are waited for, ms; the others then reconnect. */
const CLIENTS_MS = 2_000;
const LOOK_MS = 2;

/** The parts of a running supervisor. */
export interface Desk {
  readonly parts: Parts;
  readonly loop: Loop;
  readonly companions: Companions;
}

/** Checks the clock: the next program cannot know that it was set before it began. */
const lookAtClock = ({ post }: Loop): void => post({ type: 'clock-set', by: ms(0) });

/** Returns only by throwing why the handover failed; then everything goes on. */
export const handOver = async (
  { parts, loop, companions }: Desk,
  ready: Ready,
  libc: Libc,
): Promise<void> => {
  const { leaving, begins } = ready;
  const { records, screen } = companions;
  lookAtClock(loop);
  const recorded = lastValueFrom(keepNow(records, projectsIn(loop.read())), { defaultValue: [] });
  await before(leaving.deadline, 'the record of the state', recorded);
  refuse(refusalOf(loop.read()));
  const { listening, resume } = parts.server.pause((descriptor) => duplicated(libc, descriptor));
  const held = loop.hold();
  if (begins) parts.gate.hold();
  try {
    await still({ parts, loop, companions }, held, leaving.deadline);
    const now = { leaving: { ...leaving, listening }, held: held.events(), shown: screen?.shown() };
    leave(parts, loop, { records, ...now, libc });
  } catch (error) {
    screen?.resume();
    parts.gate.release();
    held.release();
    await resume();
    throw error;
  }
};

/** Throws if `work` takes longer than the deadline: until then everything touched can be resumed. */
const before = async <T>(deadline: number, what: string, work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const late = pause(deadline - Date.now(), undefined, { signal: over.signal }).then(() => {
    throw busy(`${what} took too long`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
};

/** Settles in the turn in which nothing is in progress. Pending writes are done by then. */
const still = async ({ parts, loop, companions }: Desk, held: Held, deadline: number): Promise<void> => {
  const patience = Date.now() + CLIENTS_MS;
  const { events, screen } = companions;
  const flushed = Promise.all([events.flush(), parts.capture.flush(), parts.log.close(), screen?.pause()]);
  await before(deadline, 'what is being written', flushed);
  for (;;) {
    const halfway = halfwayOf(parts, loop, held);
    const clients = parts.server.handed().whole || Date.now() > patience;
    if (halfway === undefined && clients) return;
    if (Date.now() > deadline) throw busy(`${halfway ?? 'a client'} is in the middle of something`);
    await pause(LOOK_MS);
  }
};

const halfwayOf = ({ book, gate, tally, slots }: Parts, { read }: Loop, held: Held): string | undefined => {
  const [start] = startsIn(read(), held.events(), gate.heldUp()).underWay;
  if (start !== undefined) return start.service;
  if (book.isStarting()) return 'a command of a service';
  if (slots.count > 0) return 'the file of a slot';
  return tally.count > 0 ? 'an answer' : undefined;
};
