// Keeps `registry.json` up to date: writes the first value at once, and after each write the newest value
// that arrived meanwhile. Pauses between writes limit how often the file is written. A failed write is
// retried.
import { existsSync } from 'node:fs';
import {
  concatWith,
  defer,
  from,
  ignoreElements,
  map,
  NEVER,
  type Observable,
  of,
  retry,
  switchMap,
  tap,
  throttle,
  timer,
} from 'rxjs';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import { type Extra, keptKeys } from './project-record.ts';
import type { RecordPorts } from './project-records.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { oneAtATime, type Work } from '../../streams/operators/one-at-a-time.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { type Registered, REGISTRY_SCHEMA, type StoredRegistry } from '../../streams/wire/state-files.ts';

export interface KeepWrittenPorts<T> {
  /** Writes the value. Emits and completes when it is on disk. */
  readonly write: Work<T, unknown>;
  /** The name of the value in messages. */
  readonly what: string;
  readonly logError: (text: string) => void;
  /** Returns ms of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Limits of the writes: the shortest pause between two writes, ms; the largest share of the time that writes
 * may take; the pause after a failed write, ms.
 */
const PAUSE_MS = 100;
const SHARE = 0.2;
const RETRY_MS = 500;

/** Writes the newest value whenever it changes. Never fails: a failure is reported once and retried. */
export const keepWritten =
  <T>(ports: KeepWrittenPorts<T>) =>
  (value$: Observable<T>): Observable<never> =>
    defer(() => {
      let newest: T;
      return value$.pipe(
        tap((value) => (newest = value)),
        // The stream must not complete: a value that `throttle` holds back would then not be written.
        concatWith(NEVER),
        // Of the values that arrive during a write, only the newest is written afterwards.
        throttle(() => writing(ports, () => newest), { leading: true, trailing: true }),
        ignoreElements(),
      );
    });

/** Emits once, when the newest value is on disk and the pause after the write is over. */
function writing<T>(ports: KeepWrittenPorts<T>, newest: () => T): Observable<unknown> {
  return defer(() => {
    let isReported = false;
    const reportOnce = (error: unknown): void => {
      if (!isReported)
        ports.logError(`${ports.what} cannot be saved: ${messageOf(error)}; it is tried again`);
      isReported = true;
    };
    return timed(ports, newest).pipe(
      tap({ error: reportOnce }),
      retry({ delay: RETRY_MS }),
      tap(() => isReported && ports.logError(`${ports.what} is saved again`)),
      switchMap((spent) => timer(Math.max(PAUSE_MS, spent / SHARE))),
    );
  });
}

/** Writes the newest value and emits the duration, ms. */
function timed<T>(
  { write, now = () => performance.now() }: KeepWrittenPorts<T>,
  newest: () => T,
): Observable<number> {
  return defer(() => {
    const began = now();
    return write(newest()).pipe(map(() => now() - began));
  });
}

export interface RegistryWriter {
  follow(registered$: Observable<Registered>): Observable<never>;
  /** Writes the list on subscription. Emits once, when the list is on disk, or fails. */
  readonly flush: Work<Registered, void>;
  /** True if the file was written and later deleted. */
  readonly isLost: () => boolean;
}

export const registryWriter = ({ dataDir, logError }: RecordPorts): RegistryWriter => {
  const file = layoutOf(dataDir).registry;
  const extra = keptKeys(file, ['schema', 'manifests', 'readings', 'scales', 'projects']);
  let written = '';
  const write = oneAtATime((registered: Registered): Observable<void> => {
    const text = registryText(registered, extra);
    if (text === written && existsSync(file)) return of(undefined);
    return from(replaceFileAsync(file, text)).pipe(tap(() => (written = text)));
  });
  const writer: RegistryWriter = {
    follow(registered$) {
      return registered$.pipe(keepWritten({ write, what: 'the list of registered manifests', logError }));
    },
    flush: write,
    isLost: () => written !== '' && !existsSync(file),
  };
  return writer;
};

const registryText = ({ manifests, readings, scales, projects }: Registered, extra: Extra): string => {
  const registry: StoredRegistry = {
    schema: REGISTRY_SCHEMA,
    manifests,
    ...(readings && { readings }),
    ...(scales && { scales }),
    projects,
  };
  return `${JSON.stringify({ ...extra, ...registry }, undefined, 2)}\n`;
};
