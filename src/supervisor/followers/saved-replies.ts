// Delays each reply until the change that it acknowledges is on disk, so that the next supervisor knows of
// the change (`docs/behaviour.md`, "Saved state"). If the disk fails or hangs, the reply is sent with a
// warning.
import { map, mergeMap, of, race, timer, type Observable } from 'rxjs';
import type { Reply } from '../../streams/domain/command.ts';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { SlotFiles } from '../../sinks/store/active-slot-file.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { projectOf, type ServiceId } from '../../streams/domain/ids.ts';
import type { Sink } from '../../streams/domain/ports.ts';
import { counted, type Tally } from '../../streams/operators/counted.ts';
import { keepNow, type RecordWriters } from './state-records.ts';

interface ReplyPorts extends RecordWriters {
  /**
   * The files with active slots. If the active slot of a service could not be written to its file, the reply
   * contains a warning.
   */
  readonly slots?: SlotFiles;
  /** Frees the reserved disk space, so that a shutdown can be recorded on a full disk. */
  readonly makeRoom?: () => void;
}

const unkeptSlots = ({ slots }: ReplyPorts, services: readonly ServiceId[]): readonly string[] =>
  services.flatMap((service) => slots?.troubles.get(service) ?? []);

/** Maximum time that a reply waits for the disk, ms. After it, the reply is sent with a warning. */
const PATIENCE_MS = 2_000;

const SLOW_DISK = 'the disk takes longer than 2 s';

const warned = (reply: Reply, more: readonly string[]): Reply =>
  reply.ok
    ? { ...reply, done: { ...reply.done, warnings: [...reply.done.warnings, ...more] } }
    : { ...reply, warnings: [...(reply.warnings ?? []), ...more] };

/** Returns the warning that a change is in effect, but perhaps unknown to the next supervisor. */
const forgottenText = (problem: string): string =>
  `what was done cannot be kept for the next supervisor: ${problem}`;

const withWarnings = (effect: EffectOf<'reply'>, warnings: readonly string[]): EffectOf<'reply'> =>
  warnings.length === 0 ? effect : { ...effect, reply: warned(effect.reply, warnings) };

const servicesIn = (error: SupError): readonly ServiceId[] => {
  if ('failures' in error) return error.failures.flatMap(servicesIn);
  return 'service' in error ? [error.service] : [];
};

const concerned = (reply: Reply): readonly ServiceId[] =>
  reply.ok ? reply.done.outcomes.map(({ service }) => service) : servicesIn(reply.error);

function kept(ports: ReplyPorts, effect: EffectOf<'reply'>): Observable<EffectOf<'reply'>> {
  const services = concerned(effect.reply);
  // A successful command that concerns no service may have registered a manifest, so its reply must wait,
  // too.
  if (services.length === 0 && !effect.reply.ok) return of(effect);
  if (ports.read().phase !== 'running') ports.makeRoom?.();
  const saved$ = keepNow(ports, new Set(services.map(projectOf)));
  const late$ = timer(PATIENCE_MS).pipe(map(() => [SLOW_DISK]));
  return race(saved$, late$).pipe(
    map((problems) => [...problems.map(forgottenText), ...unkeptSlots(ports, services)]),
    map((warnings) => withWarnings(effect, warnings)),
  );
}

/**
 * Returns a sink that sends replies after their changes are on disk. `tally` counts the replies that wait.
 */
export const savedReplies =
  (ports: ReplyPorts, sink: Sink<'reply'>, tally: Tally = { count: 0 }): Sink<'reply'> =>
  (reply$) =>
    sink(reply$.pipe(mergeMap((effect) => counted(tally, kept(ports, effect)))));
