// The first step of a supervisor and what happens in the same turn, in a new process or in that of another
// program (`docs/reliability.md`, "Upgrade").
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

/** Emits with the first step: clients that watched the previous program in this process go on watching. */
export function watchedBefore(
  { arrival }: SupervisorOptions,
  { step$ }: Loop['derived'],
): Observable<HandedWatch> {
  return step$.pipe(
    take(1),
    mergeMap(() => arrival?.handover.clients ?? []),
    mergeMap(({ id, watching }) => (watching === undefined ? [] : [{ client: id, selection: watching }])),
    // Only then can they be sent to.
    observeOn(asapScheduler),
  );
}

/** Judges callers by the services, which are known with the first step. */
const admitFrom = ({ admission, loop }: Deps): void => admission.begin(() => servicesOf(loop.read().roster));

const beginHere = async (deps: Deps, early: Held, first: Booted): Promise<void> => {
  const { libc, server, options, sockets, capture, loop, log } = deps;
  // Started processes must not inherit descriptors of this supervisor's parent: they may outlive both.
  if (libc !== undefined) closeAllOnExec(libc, 3);
  // Listens before output takes descriptors: a supervisor that cannot be reached cannot be helped. Answers
  // wait for the first step.
  await server.listen();
  await adoptSockets({ dataDir: options.dataDir, sockets }, first);
  early.release(first);
  admitFrom(deps);
  // In the same turn: a new run then finds the last one's output being read, and its unfinished line comes
  // first.
  adoptOutputs(capture, loop.read(), { onTrouble: log.trouble });
};

/**
 * Runs the first step. `early` holds events back until then: before that no service is known. After an
 * upgrade, replays events that the old program received but did not process.
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

/** Copies the program in case an upgrade fails: the installed files may have changed by then. */
export const keepProgramSoon = ({ kept, libc }: Deps): void => {
  if (libc === undefined || !ownProgram().script.endsWith('/supervisor.js')) return;
  setTimeout(() => {
    try {
      kept();
    } catch {
      // An upgrade tries again, and reports why it cannot.
    }
  }, KEEP_AFTER_MS).unref();
};
