// Restarts or signals a service after its watched files changed: once, when no file has changed for
// `debounce`. If the service is busy at that time, the restart or signal follows as soon as the service is no
// longer busy.
// Rules: `docs/behaviour.md`, "Watched files"; `docs/behaviour.md`, "Watched files", "One restart for many
// changes", "One more afterwards", "What a change starts", "One instance at a time".
import type { ServiceError } from '../../domain/errors/error.ts';
import type { ServiceNews } from '../../domain/event.ts';
import { groupOf, instanceId, instanceNumber } from '../../domain/ids.ts';
import type { IncidentFacts } from '../../domain/service/history-facts.ts';
import type { Service } from '../../domain/service/service.ts';
import { earlier, plus } from '../../domain/time.ts';
import { KEPT_INCIDENTS } from '../../service/state-history.ts';
import { presentRun } from '../../service/service-input.ts';
import { isWatched } from '../../service/file-watches.ts';
import { find, put, revisit, type Draft, type Visit } from '../draft.ts';
import { bring } from '../rollouts/begin-rollout.ts';
import { inVain } from '../rollouts/restart-in-vain.ts';

/** Records the changed file. The restart or signal follows when no file has changed for `debounce`. */
export const fileChanged = (draft: Draft, service: Service, file: string): void => {
  const { watch } = service.spec;
  if (watch === undefined || !isWatched(service)) return;
  put(draft, { ...service, changedFile: { file, due: plus(draft.at, watch.debounce) } });
};

/**
 * Handles the end of the timer: no file has changed for `debounce`. The time `due` is not compared
 * with the clock, because the clock may have been set back by less than a second, which the kernel does not
 * notice, and a timer may end a millisecond early.
 */
export const filesAtRest = (draft: Draft, service: Service): void => {
  const { changedFile } = service;
  if (changedFile === undefined) return;
  put(draft, { ...service, changedFile: { ...changedFile, due: earlier(changedFile.due, draft.at) } });
  revisit(draft, service.spec.id);
};

/** Stores the service with one more incident. Reports the incident as a move, so that it becomes an event. */
const withIncident = (
  draft: Draft,
  [before, next]: readonly [Service, Service],
  facts: IncidentFacts,
): void => {
  const { id } = next.spec;
  const incident = { at: draft.at, during: next.actual.tag, cause: 'watch', facts };
  const after = { ...next, incidents: [...(next.incidents ?? []), incident].slice(-KEPT_INCIDENTS) };
  put(draft, after);
  const input = { type: 'elapsed', service: id, run: presentRun(next), timer: 'changed' } as const;
  draft.moves.push({ before, after, input });
};

const warn = (draft: Draft, change: readonly [Service, Service], error: ServiceError): void => {
  const { service } = error;
  withIncident(draft, change, { error });
  draft.effects.push({ type: 'note', level: 'warn', service, facts: { tag: 'command-failed', error } });
};

/** Reports that files cannot be watched (ERR0123). */
export const unwatched = (
  draft: Draft,
  service: Service,
  { file, detail }: Extract<ServiceNews, { type: 'unwatched' }>,
): void => warn(draft, [service, service], { code: 'ERR0123', service: service.spec.id, file, detail });

/** Returns the other instances of a service with `replicas`. */
const otherInstances = (draft: Draft, { spec: { id, name } }: Service): readonly Service[] => {
  if (instanceNumber(name) === undefined) return [];
  const others: Service[] = [];
  for (let number = 1; ; number += 1) {
    const instance = find(draft, instanceId(groupOf(id), number));
    if (instance === undefined) return others;
    if (instance.spec.id !== id) others.push(instance);
  }
};

const isReady = ({ actual, rollout }: Service): boolean => actual.tag === 'up' && rollout === undefined;

/**
 * True if a ready instance must wait, because another instance of its service should be up and is not ready.
 */
const awaitsTurn = (draft: Draft, service: Service): boolean =>
  isReady(service) &&
  otherInstances(draft, service).some((other) => other.wanted === 'up' && !isReady(other));

const isSignal = ({ spec: { watch } }: Service): boolean => watch?.action !== 'restart';

/**
 * True while a change cannot be handled: a start or rollout is in progress, or it is another instance's turn.
 */
const isBusy = (draft: Draft, service: Service): boolean => {
  const { actual, rollout } = service;
  if (actual.tag === 'spawning' || rollout !== undefined) return true;
  return isSignal(service) ? actual.tag === 'starting' : awaitsTurn(draft, service);
};

/**
 * True if a change of files needs no action: a run that begins later will see the change, or no run can be
 * signalled.
 */
const isPast = (service: Service): boolean => {
  const { tag } = service.actual;
  return isSignal(service) ? tag !== 'up' : tag === 'waiting' || tag === 'casualty';
};

const withoutChange = ({ changedFile: _, ...service }: Service): Service => service;

/**
 * Signals the service, or starts a new run by its strategy. A service that is down starts as after a
 * `sup start` that names it.
 */
const carryOut = (draft: Draft, { spec, actual, insisted }: Service, action: string): void => {
  if (action === 'restart') return bring(draft, spec.id, { insisted: insisted || actual.tag === 'down' });
  if (actual.tag !== 'up') return;
  const { process, run } = actual;
  draft.effects.push({
    ...{ type: 'signal', service: spec.id, run, leader: process, targets: [process], signal: action },
  });
};

/**
 * Reports the change and acts on it. Reports only the dependency if the run would be stopped for a new run
 * that waits for this dependency in vain.
 */
const follow = (draft: Draft, service: Service, changed: string): void => {
  const { id, watch } = service.spec;
  const { action = 'restart' } = watch ?? {};
  const next = withoutChange(service);
  const vain = isSignal(service) ? undefined : inVain(draft, service, { insisted: service.insisted });
  if (vain?.isKept === true)
    return warn(draft, [service, next], { code: 'ERR0109', service: id, dependency: vain.need });
  withIncident(draft, [service, next], { changed, action });
  draft.effects.push({
    ...{ type: 'note', level: 'info', service: id, facts: { tag: 'file-changed', changed, action } },
  });
  carryOut(draft, next, action);
};

const actOn = (draft: Draft, service: Service): void => {
  const { changedFile } = service;
  if (changedFile === undefined) return;
  // A change of files from before a stop must not restart the service after its next start.
  if (!isWatched(service)) return put(draft, withoutChange(service));
  if (changedFile.due > draft.at || isBusy(draft, service)) return;
  if (isPast(service)) put(draft, withoutChange(service));
  else follow(draft, service, changedFile.file);
};

/** Acts on a changed file of this service, or of another instance of it, if the action is due. */
export const actOnFileChange = (draft: Draft, { after: { spec } }: Visit): void => {
  const service = spec.watch === undefined ? undefined : find(draft, spec.id);
  if (service === undefined) return;
  actOn(draft, service);
  otherInstances(draft, service).forEach(({ spec: { id } }) => {
    const other = find(draft, id);
    if (other !== undefined) actOn(draft, other);
  });
};
