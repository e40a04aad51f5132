// Tells the next program to complete a shutdown in progress: by an argument after a re-exec, by a file if the
// guardian restarts the supervisor. The file is not removed at the end of the shutdown, because the guardian
// also restarts a supervisor that is killed in its last moments.
// Rules: `docs/behaviour.md`, "Saved state".
import { rmSync } from 'node:fs';
import { distinctUntilChanged, EMPTY, filter, ignoreElements, map, take, tap, type Observable } from 'rxjs';
import { overwrite, readAtOnce } from '../os/files/own-file.ts';
import { currentBoot } from '../os/proc/machine-facts.ts';
import { startTicksOf } from '../os/proc/process-stat.ts';
import type { Closing } from '../streams/domain/effect.ts';
import { closingOf } from '../streams/kernel/supervisor-end.ts';
import { servicesOf } from '../streams/kernel/service-table.ts';
import type { SupervisorState } from '../streams/kernel/state.ts';
import { fieldsIn, isFields } from '../streams/wire/params/checked-fields.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { Guarded } from './guardian-report.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { CLOSING } from './upgrade/program.ts';

type Options = Pick<SupervisorOptions, 'dataDir' | 'guarded'>;

const closingIn = (value: unknown): Closing | undefined =>
  isFields(value) && typeof value['resume'] === 'boolean' ? (value as unknown as Closing) : undefined;

/** Returns the argument that makes the next program in this process continue the shutdown. */
export const closingWords = (closing: Closing | undefined): readonly string[] =>
  closing === undefined ? [] : [`${CLOSING}${JSON.stringify(closing)}`];

/** The shutdown that a signal requests: the next supervisor starts the services again. */
const BY_SIGNAL: Closing = { resume: true };

const written = (dataDir: string): string => {
  try {
    return readAtOnce(layoutOf(dataDir).closing).toString();
  } catch {
    return '';
  }
};

/** Returns a text that identifies the guardian among all processes that ever had its pid. */
const proofOf = ({ pid }: Guarded): string => `${pid} ${startTicksOf(pid) ?? 0} ${currentBoot()}`;

/**
 * Returns the recorded shutdown if it was recorded under this guardian. A shutdown that was recorded under an
 * earlier guardian is complete.
 */
const writtenUnder = (dataDir: string, guarded: Guarded): Closing | undefined => {
  const fields = fieldsIn(written(dataDir));
  if (!isFields(fields) || fields['guardian'] !== proofOf(guarded)) return undefined;
  return closingIn(fields['closing']);
};

/** Returns the shutdown that the previous program had begun and not completed, if any. */
export const closingBefore = ({ dataDir, guarded }: Options): Closing | undefined => {
  const told = process.argv.find((word) => word.startsWith(CLOSING))?.slice(CLOSING.length);
  if (told !== undefined) return closingIn(fieldsIn(told));
  if (guarded === undefined || guarded.restarts === 0) return undefined;
  return writtenUnder(dataDir, guarded) ?? (guarded.ending ? BY_SIGNAL : undefined);
};

/**
 * The size of the record in the file, bytes. It is larger than any record, so that each record overwrites the
 * previous one completely.
 */
const RECORD_BYTES = 1024;

const record = (dataDir: string, guarded: Guarded, closing?: Closing): void => {
  const text = JSON.stringify({ guardian: proofOf(guarded), closing });
  try {
    overwrite(layoutOf(dataDir).closing, text.padEnd(RECORD_BYTES));
  } catch {
    // If the record cannot be written, a restarted supervisor starts all services again.
  }
};

/** Records that no shutdown is in progress. This also reserves the disk space for a later record. */
export const noClosing = ({ dataDir, guarded }: Options): void => {
  if (guarded !== undefined) record(dataDir, guarded);
};

/**
 * True if a user stopped all services and nothing was started since. This record can be written even if the
 * disk is full.
 */
export const wasShutDown = ({ dataDir }: Pick<Options, 'dataDir'>): boolean => {
  const fields = fieldsIn(written(dataDir));
  return closingIn(fields?.['closing'])?.resume === false;
};

/** Removes the record of a shutdown. */
const forgetShutdown = (options: Options): void => {
  noClosing(options);
  if (wasShutDown(options)) rmSync(layoutOf(options.dataDir).closing, { force: true });
};

const isAnythingWanted = ({ phase, serviceTable }: SupervisorState): boolean =>
  phase === 'running' && servicesOf(serviceTable).some(({ wanted }) => wanted === 'up');

/** Removes the record of a shutdown as soon as a service must run again, then completes. Never emits. */
export function untilStarted(state$: Observable<SupervisorState>, options: Options): Observable<never> {
  if (!wasShutDown(options)) return EMPTY;
  return state$.pipe(
    filter(isAnythingWanted),
    take(1),
    tap(() => forgetShutdown(options)),
    ignoreElements(),
  );
}

/** Records a shutdown while it is in progress, for a supervisor that the guardian restarts. Never emits. */
export function rememberClosing(
  state$: Observable<SupervisorState>,
  { dataDir, guarded }: Options,
): Observable<never> {
  if (guarded === undefined) return EMPTY;
  return state$.pipe(
    map(closingOf),
    filter((closing) => closing !== undefined),
    distinctUntilChanged((one, other) => JSON.stringify(one) === JSON.stringify(other)),
    tap((closing) => record(dataDir, guarded, closing)),
    ignoreElements(),
  );
}
