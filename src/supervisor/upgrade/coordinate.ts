// `sup upgrade`, in the supervisor (`docs/reliability.md`, "Upgrade"): which client requests it, and what
// it is answered. Nothing is touched until the handover: new events wait, work in progress ends, then this
// program is replaced. A failure on the way is undone and reported to that client.
import { setTimeout as pause } from 'node:timers/promises';
import { exhaustMap, filter, from, ignoreElements, lastValueFrom, type Observable } from 'rxjs';
import { duplicated } from '../../os/libc/execute.ts';
import { INSTALL_FFI, type Libc } from '../../os/libc/libc.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { ms } from '../../streams/domain/time.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { startsIn } from '../../streams/upgrade/starts.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import type { Incoming } from '../../streams/wire/control-ports.ts';
import { failureOf, progressOf } from '../../streams/wire/messages.ts';
import type { Companions } from '../companions.ts';
import { keepNow, projectsIn } from '../followers/state-records.ts';
import type { Parts } from '../parts.ts';
import { leave } from './exec-handover.ts';
import { prepared, readManifests, type Ready, type UpgradeRequest } from './prepare-upgrade.ts';
import { busy, refuse, UpgradeRefused } from './upgrade-refused.ts';

/** How long clients in the middle of a message are waited for, ms; the others then reconnect. */
const CLIENTS_MS = 2_000;
const LOOK_MS = 2;

/** The parts of a running supervisor. */
interface Desk {
  readonly parts: Parts;
  readonly loop: Loop;
  readonly companions: Companions;
}

/** Checks the clock: the next program cannot know that it was set before it began. */
const lookAtClock = ({ post }: Loop): void => post({ type: 'clock-set', by: ms(0) });

/** Returns only by throwing why the handover failed; then everything goes on. */
const handOver = async ({ parts, loop, companions }: Desk, ready: Ready, libc: Libc): Promise<void> => {
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

/** From the request to the running new program, ms. */
const LIMIT_MS = 15_000;

type Asking = Incoming & { readonly request: { readonly method: 'upgrade' } };
const isUpgrade = (incoming: Incoming): incoming is Asking => incoming.request.method === 'upgrade';

/** Carries out one upgrade at a time: a request that arrives meanwhile is refused. */
export function upgrades(desk: Desk): Observable<never> {
  const { server } = desk.parts;
  let busy = false;
  const asked$ = server.incoming$.pipe(
    filter(isUpgrade),
    filter(({ client, request: { id } }) => {
      if (busy) server.send(client, failureOf(id, errorDocument(BUSY)));
      return !busy;
    }),
  );
  return asked$.pipe(
    exhaustMap(({ client, request: { id, params } }) => {
      busy = true;
      const began = Date.now();
      const order = { client, id, ...params, began, deadline: began + LIMIT_MS };
      return from(carriedOut(desk, order).finally(() => (busy = false)));
    }),
    ignoreElements(),
  );
}

const BUSY: SupError = { code: 'ERR0501', detail: 'another upgrade is under way' };

const NO_LIBC =
  `the C library cannot be called, so that no program can take the place of another in one process: ${INSTALL_FFI};` +
  ' or sup shutdown, then sup start, which stops the services';

/** Settles only if the upgrade failed: then the client is answered why. */
const carriedOut = async (desk: Desk, order: Omit<UpgradeRequest, 'broken'>): Promise<void> => {
  const { server, log } = desk.parts;
  try {
    await upgrade(desk, order);
  } catch (thrown) {
    const error: SupError =
      thrown instanceof UpgradeRefused ? thrown.error : { code: 'ERR0502', detail: messageOf(thrown) };
    const document = errorDocument(error);
    log.warn(`${error.code} ${document.message}`);
    server.send(order.client, failureOf(order.id, document));
  }
};

const upgrade = async (desk: Desk, order: Omit<UpgradeRequest, 'broken'>): Promise<void> => {
  const { parts, loop } = desk;
  const tell = (text: string): void => parts.server.send(order.client, progressOf(text));
  const { libc } = parts;
  if (libc === undefined) throw new UpgradeRefused({ code: 'ERR0501', detail: NO_LIBC });
  refuse(refusalOf(loop.read()));
  tell('reading the registered manifests');
  const broken = readManifests(parts, loop);
  tell(`trying ${order.program}`);
  const ready = await prepared(parts, { ...order, broken });
  tell(`handing over, sup ${ready.leaving.from} to sup ${ready.leaving.to}`);
  await handOver(desk, ready, libc);
};
