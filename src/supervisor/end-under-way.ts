// An end that is under way, for whoever goes on with it: the same program anew in this process, which is told, or the
// supervisor that the same guardian brings back where this one is killed, which reads it. It stays when the end is reached:
// who is killed in the last moments of it is brought back, too.
import { rmSync } from 'node:fs';
import { distinctUntilChanged, EMPTY, filter, ignoreElements, map, take, tap, type Observable } from 'rxjs';
import { readAtOnce } from '../os/files/own-file.ts';
import { overwrite } from '../os/files/overwrite.ts';
import { currentBoot } from '../os/proc/boot-id.ts';
import { startTicksOf } from '../os/proc/proc-stat.ts';
import type { Closing } from '../streams/domain/end.ts';
import { closingOf } from '../streams/kernel/closing.ts';
import { servicesOf } from '../streams/kernel/roster.ts';
import type { SupervisorState } from '../streams/kernel/state.ts';
import { isFields } from '../streams/wire/check.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { Guarded } from './guarded.ts';
import type { SupervisorOptions } from './options.ts';
import { CLOSING } from './upgrade/program.ts';

type Options = Pick<SupervisorOptions, 'dataDir' | 'guarded'>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const closingIn = (value: unknown): Closing | undefined =>
  isFields(value) && typeof value['resume'] === 'boolean' ? (value as unknown as Closing) : undefined;

/** For the next program in this process. */
export const closingWords = (closing: Closing | undefined): readonly string[] =>
  closing === undefined ? [] : [`${CLOSING}${JSON.stringify(closing)}`];

/** Nothing that was wanted is given up. */
const BY_SIGNAL: Closing = { resume: true };

const written = (dataDir: string): string => {
  try {
    return readAtOnce(layoutOf(dataDir).closing).toString();
  } catch {
    return '';
  }
};

/** Which guardian it is, across all of them that have ever had its pid. */
const proofOf = ({ pid }: Guarded): string => `${pid} ${startTicksOf(pid) ?? 0} ${currentBoot()}`;

/** The end of another guardian's supervisor is over, whatever became of it. */
const writtenUnder = (dataDir: string, guarded: Guarded): Closing | undefined => {
  const fields = parsed(written(dataDir));
  if (!isFields(fields) || fields['guardian'] !== proofOf(guarded)) return undefined;
  return closingIn(fields['closing']);
};

/** The end that the program before this one had begun, and not come to; `undefined`: none. */
export const closingBefore = ({ dataDir, guarded }: Options): Closing | undefined => {
  const told = process.argv.find((word) => word.startsWith(CLOSING))?.slice(CLOSING.length);
  if (told !== undefined) return closingIn(parsed(told));
  if (guarded === undefined || guarded.restarts === 0) return undefined;
  return writtenUnder(dataDir, guarded) ?? (guarded.ending ? BY_SIGNAL : undefined);
};

/** More than any record takes: each covers all of the one before it. */
const RECORD_BYTES = 1024;

const record = (dataDir: string, guarded: Guarded, closing?: Closing): void => {
  const text = JSON.stringify({ guardian: proofOf(guarded), closing });
  try {
    overwrite(layoutOf(dataDir).closing, text.padEnd(RECORD_BYTES));
  } catch {
    // Who is brought back begins everything again.
  }
};

/** Nobody is ending: the record has its place on the disk before that is full. Nothing where nobody is brought back. */
export const noClosing = ({ dataDir, guarded }: Options): void => {
  if (guarded !== undefined) record(dataDir, guarded);
};

/** A user shut everything down, and nothing was started since. On a full disk this record alone may know of it. */
export const wasShutDown = ({ dataDir }: Pick<Options, 'dataDir'>): boolean => {
  const fields = parsed(written(dataDir));
  return isFields(fields) && closingIn(fields['closing'])?.resume === false;
};

/** A shutdown is over as soon as something is wanted again. */
const forgetShutdown = (options: Options): void => {
  noClosing(options);
  if (wasShutDown(options)) rmSync(layoutOf(options.dataDir).closing, { force: true });
};

const isAnythingWanted = ({ phase, roster }: SupervisorState): boolean =>
  phase === 'running' && servicesOf(roster).some(({ wanted }) => wanted === 'up');

/** Completes once it is over. */
export function untilStarted(state$: Observable<SupervisorState>, options: Options): Observable<never> {
  if (!wasShutDown(options)) return EMPTY;
  return state$.pipe(
    filter(isAnythingWanted),
    take(1),
    tap(() => forgetShutdown(options)),
    ignoreElements(),
  );
}

/** Nothing without a guardian: nobody comes back then by himself. */
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
