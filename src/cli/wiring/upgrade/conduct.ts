// `sup upgrade`, in the supervisor (`docs/reliability.md`, "Upgrade"): refuse, try, keep, become still, leave. Until the
// last step nothing is touched, and whatever goes wrong is told to who asked.
import { setTimeout as pause } from 'node:timers/promises';
import { exhaustMap, filter, from, ignoreElements, lastValueFrom, type Observable } from 'rxjs';
import { dirname, join } from 'node:path';
import { loadManifest } from '../../../sources/manifest/load.ts';
import type { SupError } from '../../../streams/domain/errors/error.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { duplicated } from '../../../os/libc/exec.ts';
import { INSTALL_FFI, type Libc } from '../../../os/libc.ts';
import type { Held, Loop } from '../../../streams/kernel/loop.ts';
import type { Shown } from '../../../streams/upgrade/handover.ts';
import { manifestRefusal, refusalOf } from '../../../streams/upgrade/refusal.ts';
import { startsIn } from '../../../streams/upgrade/starts.ts';
import { errorDocument } from '../../../streams/views/errors/error-text.ts';
import { failureOf, progressOf } from '../../../streams/wire/messages.ts';
import type { Incoming } from '../../../streams/wire/ports.ts';
import type { UpgradeOrder } from '../../../streams/wire/protocol.ts';
import type { Companions } from '../companions.ts';
import { keepNow, projectsIn } from '../followers/records.ts';
import type { Parts } from '../parts.ts';
import { leave, type Leaving } from './leave.ts';
import { argvOf, ownProgram } from './program.ts';
import { tried } from './trial.ts';

/** From the question to the new program at work, ms. */
const LIMIT_MS = 15_000;
/** Of it for the trial: the rest is for the hand-over. */
const TRIAL_MS = 10_000;
/** How long clients that are in the middle of something are waited for; who is not through then dials again. */
const CLIENTS_MS = 2_000;
const LOOK_MS = 2;

/** Thrown, and told to who asked. */
class Refusal extends Error {
  readonly error: SupError;

  constructor(error: SupError) {
    super(error.code);
    this.error = error;
  }
}

const refuse = (error: SupError | undefined): void => {
  if (error !== undefined) throw new Refusal(error);
};

interface Desk {
  readonly parts: Parts;
  readonly loop: Loop;
  readonly companions: Companions;
}

interface Order extends UpgradeOrder {
  readonly client: string;
  readonly id: number;
}

type Asking = Incoming & { readonly request: { readonly method: 'upgrade' } };
const isUpgrade = (incoming: Incoming): incoming is Asking => incoming.request.method === 'upgrade';

/** One at a time: who asks meanwhile is refused. */
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
      return from(carriedOut(desk, { client, id, ...params }).finally(() => (busy = false)));
    }),
    ignoreElements(),
  );
}

const BUSY: SupError = { code: 'ERR0501', detail: 'another upgrade is under way' };

const NO_LIBC =
  `the C library cannot be called, so that no program can take the place of another in one process: ${INSTALL_FFI};` +
  ' or sup shutdown, then sup start, which stops the services';

/** Settles only where it did not come to it: then who asked is told why. */
const carriedOut = async (desk: Desk, order: Order): Promise<void> => {
  const { server, log } = desk.parts;
  try {
    await upgrade(desk, order);
  } catch (thrown) {
    const error: SupError =
      thrown instanceof Refusal ? thrown.error : { code: 'ERR0502', detail: messageOf(thrown) };
    const document = errorDocument(error);
    log.warn(`${error.code} ${document.message}`);
    server.send(order.client, failureOf(order.id, document));
  }
};

const upgrade = async (desk: Desk, order: Order): Promise<void> => {
  const { parts, loop } = desk;
  const tell = (text: string): void => parts.server.send(order.client, progressOf(text));
  const deadline = Date.now() + LIMIT_MS;
  const { libc } = parts;
  if (libc === undefined) throw new Refusal({ code: 'ERR0501', detail: NO_LIBC });
  refuse(refusalOf(loop.read()));
  tell('reading the registered manifests');
  refuse(manifestRefusal(loadAll(parts, loop)));
  tell(`trying ${order.program}`);
  const ready = await prepared(desk, order, deadline);
  const { leaving } = ready;
  tell(`handing over, sup ${leaving.from} to sup ${leaving.to}`);
  await handOver(desk, ready, libc);
};

const loadAll = ({ options }: Parts, { read }: Loop): ReturnType<typeof loadManifest>[] => {
  const { environment, sys } = options;
  const ports = { environment, sys, uid: process.getuid?.() ?? 0 };
  return Object.keys(read().manifests).map((path) => loadManifest(path, ports));
};

/** The new program was tried, and the old one is kept. */
interface Ready {
  readonly leaving: Omit<Leaving, 'listening'>;
  /** What has not begun when this one leaves is the new one's to start. */
  readonly begins: boolean;
}

const prepared = async ({ parts }: Desk, order: Order, deadline: number): Promise<Ready> => {
  const next = { node: order.node, script: order.program };
  const answer = await tried(argvOf(next, { more: ['--trial'] }), TRIAL_MS);
  if ('refusal' in answer) throw new Refusal({ code: 'ERR0502', detail: answer.refusal });
  const script = parts.kept();
  const resume = `--require=${join(dirname(script), 'resume.cjs')}`;
  const { version: to, begins } = answer.trial;
  const leaving = {
    from: parts.options.version,
    to,
    began: deadline - LIMIT_MS,
    deadline,
    asked: { client: order.client, id: order.id },
    argv: argvOf(next, { node: [resume], more: [] }),
    old: argvOf({ ...ownProgram(), script }, { more: [] }),
  };
  return { leaving, begins };
};

const handOver = async ({ parts, loop, companions }: Desk, ready: Ready, libc: Libc): Promise<void> => {
  const { leaving, begins } = ready;
  const { records, screen } = companions;
  const recorded = lastValueFrom(keepNow(records, projectsIn(loop.read())), { defaultValue: [] });
  await before(leaving.deadline, 'the record of the state', recorded);
  refuse(refusalOf(loop.read()));
  const { listening, resume } = parts.server.pause((descriptor) => duplicated(libc, descriptor));
  const held = loop.hold();
  if (begins) parts.gate.hold();
  try {
    const shown = await still({ parts, loop, companions }, held, leaving.deadline);
    const now = { leaving: { ...leaving, listening }, held: held.events(), shown };
    leave(parts, loop, { records, ...now, libc });
  } catch (error) {
    screen?.resume();
    parts.gate.release();
    held.release();
    await resume();
    throw error;
  }
};

const busy = (detail: string): SupError => ({ code: 'ERR0502', detail, busy: true });

/** Whatever is waited for on the way: nothing has been touched that cannot be taken up again. */
const before = async <T>(deadline: number, what: string, work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const late = pause(deadline - Date.now(), undefined, { signal: over.signal }).then(() => {
    throw new Refusal(busy(`${what} took too long`));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
};

/** Settles in the turn in which nothing is halfway. What waits on a disk has been written by then. */
const still = async (
  { parts, loop, companions }: Desk,
  held: Held,
  deadline: number,
): Promise<Shown | undefined> => {
  const patience = Date.now() + CLIENTS_MS;
  const { events, screen } = companions;
  const flushed = Promise.all([events.flush(), parts.capture.flush(), parts.log.close(), screen?.pause()]);
  const [, , , shown] = await before(deadline, 'what is being written', flushed);
  for (;;) {
    const halfway = halfwayOf(parts, loop, held);
    const clients = parts.server.handed().whole || Date.now() > patience;
    if (halfway === undefined && clients) return shown;
    if (Date.now() > deadline)
      throw new Refusal(busy(`${halfway ?? 'a client'} is in the middle of something`));
    await pause(LOOK_MS);
  }
};

const halfwayOf = ({ book, gate, tally }: Parts, { read }: Loop, held: Held): string | undefined => {
  const [start] = startsIn(read(), held.events(), gate.heldUp()).underWay;
  if (start !== undefined) return start.service;
  if (book.isStarting()) return 'a command of a service';
  return tally.count > 0 ? 'an answer' : undefined;
};
