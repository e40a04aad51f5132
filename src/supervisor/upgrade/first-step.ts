// The first step of a supervisor and what happens in the same turn, in a new process or in that of another
// program (`docs/reliability.md`, "Upgrade").
import { asapScheduler, mergeMap, observeOn, take, type Observable } from 'rxjs';
import { closeAllOnExec } from '../../os/libc/execute.ts';
import type { HandedWatch } from '../../sinks/control/client-answers.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { Companions } from '../companions.ts';
import type { SupervisorOptions } from '../supervisor-options.ts';
import type { Parts } from '../parts.ts';
import { adoptOutputs, adoptSockets } from '../machine/adopt-runs.ts';
import { clientsOf, committed, endUnclaimed, inherit, settle } from './resume.ts';
import { ownProgram } from './program.ts';

type Booted = Extract<Event, { type: 'booted' }>;

interface Desk {
  readonly parts: Parts;
  readonly loop: Loop;
  readonly companions: Companions;
  /** Holds events back until the first step: before that no service is known. */
  readonly early: Held;
}

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
const admitFrom = ({ admission }: Parts, { read }: Loop): void =>
  admission.begin(() => servicesOf(read().roster));

const beginHere = async ({ parts, loop, early }: Desk, first: Booted): Promise<void> => {
  // Started processes must not inherit descriptors of this supervisor's parent: they may outlive both.
  if (parts.libc !== undefined) closeAllOnExec(parts.libc, 3);
  // Listens before output takes descriptors: a supervisor that cannot be reached cannot be helped. Answers
  // wait for the first step.
  await parts.server.listen();
  await adoptSockets({ dataDir: parts.options.dataDir, sockets: parts.sockets }, first);
  early.release(first);
  admitFrom(parts, loop);
  // In the same turn: a new run then finds the last one's output being read, and its unfinished line comes
  // first.
  adoptOutputs(parts.capture, loop.read(), { onTrouble: parts.log.trouble });
};

/**
 * Runs the first step. After an upgrade, replays events that the old program received but did not process.
 */
export const goOn = async (desk: Desk, first: Booted): Promise<void> => {
  const { parts, loop, companions, early } = desk;
  const { arrival } = parts.options;
  if (arrival === undefined) return beginHere(desk, first);
  const admit = await parts.server.takeOver(arrival.handover.listening);
  committed(parts);
  inherit(parts, arrival);
  early.release(first);
  admitFrom(parts, loop);
  adoptOutputs(parts.capture, loop.read(), {
    read: arrival.handover.outputs,
    onTrouble: parts.log.trouble,
  });
  admit(clientsOf(arrival));
  arrival.handover.events.forEach(loop.post);
  settle(parts, companions, arrival);
  await endUnclaimed(parts);
};

const KEEP_AFTER_MS = 2_000;

/** Copies the program in case an upgrade fails: the installed files may have changed by then. */
export const keepProgramSoon = ({ kept, libc }: Parts): void => {
  if (libc === undefined || !ownProgram().script.endsWith('/supervisor.js')) return;
  setTimeout(() => {
    try {
      kept();
    } catch {
      // An upgrade tries again, and reports why it cannot.
    }
  }, KEEP_AFTER_MS).unref();
};
