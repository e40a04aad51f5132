// Carries out `sup upgrade` (`docs/reliability.md`, "Upgrade"). Nothing changes until the handover. During
// the handover new events wait, work in progress completes, and then the new program replaces this program in
// the same process. If a step fails, the upgrade is undone and the client gets the reason.
import { setTimeout as pause } from 'node:timers/promises';
import { exhaustMap, filter, from, ignoreElements, lastValueFrom, type Observable } from 'rxjs';
import { duplicated } from '../../os/libc/execute.ts';
import { INSTALL_FFI, type Libc } from '../../os/libc/libc.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { ms } from '../../streams/domain/time.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { startsIn } from '../../streams/upgrade/divide-starts.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import type { Incoming } from '../../streams/wire/control-ports.ts';
import { failureOf, progressOf } from '../../streams/wire/messages.ts';
import { keepNow, projectsIn } from '../followers/state-records.ts';
import { leave } from './exec-handover.ts';
import { prepared, readManifests, type Ready, type UpgradeRequest } from './prepare-upgrade.ts';
import { busy, refuse, UpgradeRefused } from './upgrade-refused.ts';
import type { Deps } from '../deps.ts';
import { refusalOf } from '../../streams/upgrade/upgrade-refusal.ts';

/**
 * Maximum time that the handover waits for clients in the middle of a message, ms. After it, these clients
 * lose their connection and must reconnect.
 */
const CLIENTS_MS = 2_000;
const LOOK_MS = 2;

/**
 * Makes the loop check whether the wall clock was set. The new program cannot detect a change from before its
 * start.
 */
const lookAtClock = ({ post }: Loop): void => post({ type: 'clock-set', by: ms(0) });

/**
 * Hands over to the new program and never returns. If that fails, resumes this program and throws the error.
 */
const handOver = async (deps: Deps, ready: Ready, libc: Libc): Promise<void> => {
  const { leaving, begins } = ready;
  const { loop, records, screen, server, gate } = deps;
  lookAtClock(loop);
  const recorded = lastValueFrom(keepNow(records, projectsIn(loop.read())), { defaultValue: [] });
  await before(leaving.deadline, 'the record of the state', recorded);
  refuse(refusalOf(loop.read()));
  const { listening, resume } = server.pause((descriptor) => duplicated(libc, descriptor));
  const held = loop.hold();
  if (begins) gate.hold();
  try {
    await still(deps, held, leaving.deadline);
    const now = { leaving: { ...leaving, listening }, held: held.events(), shown: screen?.shown() };
    leave(deps, { ...now, libc });
  } catch (error) {
    screen?.resume();
    gate.release();
    held.release();
    await resume();
    throw error;
  }
};

/** Resolves to the result of `work`. Rejects if the deadline passes first. */
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

/**
 * Resolves in a turn of the event loop in which no work is in progress. Rejects if the deadline passes first.
 */
const still = async (deps: Deps, held: Held, deadline: number): Promise<void> => {
  const patience = Date.now() + CLIENTS_MS;
  const { events, screen, capture, log, server } = deps;
  const flushed = Promise.all([events.flush(), capture.flush(), log.close(), screen?.pause()]);
  await before(deadline, 'what is being written', flushed);
  for (;;) {
    const halfway = halfwayOf(deps, held);
    const clients = server.handed().whole || Date.now() > patience;
    if (halfway === undefined && clients) return;
    if (Date.now() > deadline) throw busy(`${halfway ?? 'a client'} is in the middle of something`);
    await pause(LOOK_MS);
  }
};

const halfwayOf = ({ book, gate, tally, slots, loop }: Deps, held: Held): string | undefined => {
  const [start] = startsIn(loop.read(), held.events(), gate.heldUp()).underWay;
  if (start !== undefined) return start.service;
  if (book.isStarting()) return 'a command of a service';
  if (slots.count > 0) return 'the file of a slot';
  return tally.count > 0 ? 'an answer' : undefined;
};

/**
 * Maximum time from the request until the new program runs, ms. If it takes longer, the upgrade is undone.
 */
const LIMIT_MS = 15_000;

type IncomingUpgrade = Incoming & { readonly request: { readonly method: 'upgrade' } };
const isUpgrade = (incoming: Incoming): incoming is IncomingUpgrade => incoming.request.method === 'upgrade';

/** Carries out upgrades, one at a time: a request that arrives meanwhile is refused. Never emits. */
export function upgrades(deps: Deps): Observable<never> {
  const { server } = deps;
  let isBusy = false;
  const request$ = server.incoming$.pipe(
    filter(isUpgrade),
    filter(({ client, request: { id } }) => {
      if (isBusy) server.send(client, failureOf(id, errorDocument(BUSY)));
      return !isBusy;
    }),
  );
  return request$.pipe(
    exhaustMap(({ client, request: { id, params } }) => {
      isBusy = true;
      const began = Date.now();
      const order = { client, id, ...params, began, deadline: began + LIMIT_MS };
      return from(carriedOut(deps, order).finally(() => (isBusy = false)));
    }),
    ignoreElements(),
  );
}

const BUSY: SupError = { code: 'ERR0501', detail: 'another upgrade is under way' };

const NO_LIBC =
  `the C library cannot be called, so that no program can take the place of another in one process: ${INSTALL_FFI};` +
  ' or sup shutdown, then sup start, which stops the services';

/** Carries out an upgrade. Resolves only if the upgrade failed, after the reason was sent to the client. */
const carriedOut = async (deps: Deps, order: Omit<UpgradeRequest, 'broken'>): Promise<void> => {
  const { server, log } = deps;
  try {
    await upgrade(deps, order);
  } catch (thrown) {
    const error: SupError =
      thrown instanceof UpgradeRefused ? thrown.error : { code: 'ERR0502', detail: messageOf(thrown) };
    const document = errorDocument(error);
    log.warn(`${error.code} ${document.message}`);
    server.send(order.client, failureOf(order.id, document));
  }
};

const upgrade = async (deps: Deps, order: Omit<UpgradeRequest, 'broken'>): Promise<void> => {
  const tell = (text: string): void => deps.server.send(order.client, progressOf(text));
  const { libc } = deps;
  if (libc === undefined) throw new UpgradeRefused({ code: 'ERR0501', detail: NO_LIBC });
  refuse(refusalOf(deps.loop.read()));
  tell('reading the registered manifests');
  const broken = readManifests(deps);
  tell(`trying ${order.program}`);
  const ready = await prepared(deps, { ...order, broken });
  tell(`handing over, sup ${ready.leaving.from} to sup ${ready.leaving.to}`);
  await handOver(deps, ready, libc);
};
