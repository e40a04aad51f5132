// Runs the first step of a supervisor, and what must happen in the same turn. The supervisor runs in a new
// process, or continues in the process of another program (`docs/reliability.md`, "Upgrade").
import { asapScheduler, mergeMap, observeOn, take, type Observable } from 'rxjs';
import { closeAllOnExec } from '../../os/libc/execute.ts';
import type { HandedWatch } from '../../sinks/control/client-answers.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { servicesOf } from '../../streams/kernel/service-table.ts';
import type { SupervisorOptions } from '../supervisor-options.ts';
import { adoptOutputs, adoptSockets } from '../machine/adopt-runs.ts';
import { clientsOf, committed, endUnclaimed, inherit, settle } from './resume.ts';
import { ownProgram } from './program.ts';
import type { Deps } from '../deps.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/**
 * After the first step, emits each client that watched the previous program in this process, so that it
 * continues to watch.
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

/**
 * From now on decides by the declared services what each caller may do: since the first step they are known.
 */
const admitFrom = ({ admission, loop }: Deps): void => admission.begin(() => servicesOf(loop.read().roster));

const beginHere = async (deps: Deps, early: Held, first: Booted): Promise<void> => {
  const { libc, server, options, sockets, capture, loop, log } = deps;
  // Started processes must not inherit descriptors that came from this supervisor's parent: the processes may
  // outlive both.
  if (libc !== undefined) closeAllOnExec(libc, 3);
  // Listens before log files and FIFOs use up descriptors: a supervisor that cannot be reached cannot be
  // repaired. Replies wait for the first step.
  await server.listen();
  await adoptSockets({ dataDir: options.dataDir, sockets }, first);
  early.release(first);
  admitFrom(deps);
  // In the same turn as the first step, so that a new run finds that the output of the previous run is being
  // read. The unfinished line of that run then comes first.
  adoptOutputs(capture, loop.read(), { onTrouble: log.trouble });
};

/**
 * Runs the first step. `early` holds events back until then, because no service is known before. After an
 * upgrade, replays the events that the old program had received but not processed.
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
    onTrouble: log.trouble,
  });
  admit(clientsOf(arrival));
  arrival.handover.events.forEach(loop.post);
  settle(deps, arrival);
  await endUnclaimed(deps);
};

const KEEP_AFTER_MS = 2_000;

/**
 * Copies this program a little later. If an upgrade fails the copy runs again, because the installed files
 * may have changed.
 */
export const keepProgramSoon = ({ kept, libc }: Deps): void => {
  if (libc === undefined || !ownProgram().script.endsWith('/supervisor.js')) return;
  setTimeout(() => {
    try {
      kept();
    } catch {
      // No copy can be made now: an upgrade tries it again and reports the reason.
    }
  }, KEEP_AFTER_MS).unref();
};
