// The first step of a supervisor, and what comes in the same turn: in a process of its own, or in that of another program
// (`docs/reliability.md`, "Upgrade").
import { asapScheduler, mergeMap, observeOn, take, type Observable } from 'rxjs';
import { closeAllOnExec } from '../../os/libc/exec.ts';
import type { HandedWatch } from '../../sinks/control/questions.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Held, Loop } from '../../streams/kernel/loop.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { Companions } from '../companions.ts';
import type { SupervisorOptions } from '../options.ts';
import type { Parts } from '../parts.ts';
import { adoptOutputs } from '../world/outputs.ts';
import { adoptSockets } from '../world/adopt-sockets.ts';
import { clientsOf, committed, endUnclaimed, inherit, settle } from './arrive.ts';
import { ownProgram } from './program.ts';

type Booted = Extract<Event, { type: 'booted' }>;

interface Desk {
  readonly parts: Parts;
  readonly loop: Loop;
  readonly companions: Companions;
  /** What happens before the first step waits for it: it would find nobody. */
  readonly early: Held;
}

/** With the first step: who watched the program before this one in the same process watches on. */
export function watchedBefore(
  { arrival }: SupervisorOptions,
  { step$ }: Loop['derived'],
): Observable<HandedWatch> {
  return step$.pipe(
    take(1),
    mergeMap(() => arrival?.handover.clients ?? []),
    mergeMap(({ id, watching }) => (watching === undefined ? [] : [{ client: id, selection: watching }])),
    // When they can be sent to.
    observeOn(asapScheduler),
  );
}

/** Callers are judged by the services, which are known with the first step. */
const admitFrom = ({ admission }: Parts, { read }: Loop): void =>
  admission.begin(() => servicesOf(read().roster));

const beginHere = async ({ parts, loop, early }: Desk, first: Booted): Promise<void> => {
  // What whoever began this one has open is nothing to whom it begins, who may outlive both.
  if (parts.libc !== undefined) closeAllOnExec(parts.libc, 3);
  // Before descriptors are taken for all output: a supervisor that cannot be asked cannot be helped. Nobody is answered
  // before the first step.
  await parts.server.listen();
  await adoptSockets({ dataDir: parts.options.dataDir, sockets: parts.sockets }, first);
  early.release(first);
  admitFrom(parts, loop);
  // In the same turn: who begins finds what the run before it has left being read, and its unfinished line comes first.
  adoptOutputs(parts.capture, loop.read(), { onTrouble: parts.log.trouble });
};

/** In the place of another program: what it was told and has not decided upon comes right after the first step. */
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

/** For an upgrade that fails: what lies under the name of this program may be another one by then. */
export const keepSoon = ({ kept, libc }: Parts): void => {
  if (libc === undefined || !ownProgram().script.endsWith('/supervisor.js')) return;
  setTimeout(() => {
    try {
      kept();
    } catch {
      // An upgrade tries again, and says why it cannot.
    }
  }, KEEP_AFTER_MS).unref();
};
