// Decides whether the files of a service are watched (`watch`), by the state of the service.
// Rules: `docs/behaviour.md`, "Watched files", "What a change starts".
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { Watch } from '../domain/watch.ts';
import { presentRun } from './service-input.ts';

/**
 * The reasons for the state `down` in which a change of files does not start the service: the service was
 * never started, was stopped, or was skipped.
 */
const LEFT_DOWN: ReadonlySet<string> = new Set(['new', 'asked', 'skipped']);

/** True if changes of the service's files have an effect. */
export const isWatched = ({ spec, wanted, actual, leaving }: Service): boolean =>
  spec.watch !== undefined &&
  spec.kind !== 'cron' &&
  wanted === 'up' &&
  !leaving &&
  !(actual.tag === 'down' && LEFT_DOWN.has(actual.why.tag));

const rest = ({ spec: { id }, runs }: Service, due: Instant): Watch => ({
  ...{ type: 'timer', key: `timer:${id}:changed@${due}`, service: id, run: presentRun({ runs }) },
  timer: 'changed',
  due,
});

/**
 * Returns the watch of the service's files, and after a change the timer that waits until no file has changed
 * for `debounce`.
 */
export const fileWatches = (service: Service): readonly Watch[] => {
  const { spec, changedFile } = service;
  const { id, watch, directory } = spec;
  if (watch === undefined || !isWatched(service)) return [];
  const { action: _, ...files } = watch;
  const key = `files:${id}:${JSON.stringify(files)}`;
  return [
    { type: 'files', key, service: id, directory, ...files },
    ...(changedFile === undefined ? [] : [rest(service, changedFile.due)]),
  ];
};
