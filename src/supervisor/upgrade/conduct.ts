// `sup upgrade`, in the supervisor (`docs/reliability.md`, "Upgrade"): which client requests it, and what it
// is answered. Nothing is touched until the last step, and every failure is reported to that client.
import { exhaustMap, filter, from, ignoreElements, type Observable } from 'rxjs';
import { INSTALL_FFI } from '../../os/libc/libc.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { refusalOf } from '../../streams/upgrade/upgrade-refusal.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { failureOf, progressOf } from '../../streams/wire/messages.ts';
import type { Incoming } from '../../streams/wire/control-ports.ts';
import { handOver, type Desk } from './hand-over.ts';
import { prepared, readManifests, type Order } from './prepare.ts';
import { Refusal, refuse } from './refusal.ts';

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
const carriedOut = async (desk: Desk, order: Omit<Order, 'broken'>): Promise<void> => {
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

const upgrade = async (desk: Desk, order: Omit<Order, 'broken'>): Promise<void> => {
  const { parts, loop } = desk;
  const tell = (text: string): void => parts.server.send(order.client, progressOf(text));
  const { libc } = parts;
  if (libc === undefined) throw new Refusal({ code: 'ERR0501', detail: NO_LIBC });
  refuse(refusalOf(loop.read()));
  tell('reading the registered manifests');
  const broken = readManifests(parts, loop);
  tell(`trying ${order.program}`);
  const ready = await prepared(parts, { ...order, broken });
  tell(`handing over, sup ${ready.leaving.from} to sup ${ready.leaving.to}`);
  await handOver(desk, ready, libc);
};
