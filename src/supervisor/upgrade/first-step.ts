// Runs the first step of a supervisor, in a new process or after an upgrade, and everything that must happen
// before any other event is read. See `docs/reliability.md`, "Upgrade".
import { asapScheduler, mergeMap, observeOn, take, type Observable } from 'rxjs';
import { closeAllOnExec } from '../../os/libc/execute.ts';
import type { HandedWatch } from '../../sinks/control/client-answers.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { servicesOf } from '../../streams/kernel/service-table.ts';
import type { SupervisorOptions } from '../supervisor-options.ts';
import { adoptOutputs, adoptSockets } from '../machine/adopt-descriptors.ts';
import { clientsOf, committed, endUnclaimed, inherit, completeUpgrade } from './resume.ts';
import { ownProgram } from './program.ts';
import type { Deps } from '../deps.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/**
 * After the first step, emits the clients that watched services under the previous program in this process,
 * with their selections.
 */
export function watchedBefore(
  { arrival }: SupervisorOptions,
  { step$ }: Loop['derived'],
): Observable<HandedWatch> {
  return step$.pipe(
    take(1),
    mergeMap(() => arrival?.handover.clients ?? []),
    mergeMap(({ id, watching }) => (watching === undefined ? [] : [{ client: id, selection: watching }])),
    // The server can send to clients only after the turn of the first step.
    observeOn(asapScheduler),
  );
}

/** From now on, the declared services decide what each caller may do. */
const admitFrom = ({ admission, loop }: Deps): void =>
  admission.begin(() => servicesOf(loop.read().serviceTable));

const beginHere = async (deps: Deps, early: Held, first: Booted): Promise<void> => {
  const { libc, server, options, sockets, capture, loop, log } = deps;
  // No process that is started may inherit the descriptors that the parent of this supervisor left open: the
  // process may outlive both.
  if (libc !== undefined) closeAllOnExec(libc, 3);
  // The server listens before log files and FIFOs use up descriptors, because an unreachable supervisor
  // cannot be repaired. Replies wait for the first step.
  await server.listen();
  await adoptSockets({ dataDir: options.dataDir, sockets }, first);
  early.release(first);
  admitFrom(deps);
  // This happens in the turn of the first step: a new run then knows that the output of the previous run is
  // still being read.
  adoptOutputs(capture, loop.read(), { logError: log.error });
};

/**
 * Runs the first step. `early` holds other events until then. After an upgrade, the events that the old
 * program had not processed follow.
 */
export const bootstrap = async (deps: Deps, early: Held, first: Booted): Promise<void> => {
  const { options, server, capture, loop, log } = deps;
  const { arrival } = options;
  if (arrival === undefined) return beginHere(deps, early, first);
  const admit = await server.takeOver(arrival.handover.listening);
  committed(deps);
  inherit(deps, arrival);
  early.release(first);
  admitFrom(deps);
  adoptOutputs(capture, loop.read(), {
    read: arrival.handover.outputs,
    ends: arrival.handover.surplus,
    logError: log.error,
  });
  admit(clientsOf(arrival));
  arrival.handover.events.forEach(loop.post);
  completeUpgrade(deps, arrival);
  await endUnclaimed(deps);
};

const KEEP_AFTER_MS = 2_000;

/** Copies this program 2 s later. The copy is executed if an upgrade fails. */
export const keepProgramSoon = ({ kept, libc }: Deps): void => {
  if (libc === undefined || !ownProgram().script.endsWith('/supervisor.js')) return;
  setTimeout(() => {
    try {
      kept();
    } catch {
      // If the copy cannot be made now, an upgrade tries again, and reports the reason if it fails, too.
    }
  }, KEEP_AFTER_MS).unref();
};
