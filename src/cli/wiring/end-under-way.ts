// An end that is under way, for whoever goes on with it: the same program anew in this process, which is told, or the
// supervisor that a guardian brings back where this one is killed, which reads it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { distinctUntilChanged, filter, ignoreElements, map, tap, type Observable } from 'rxjs';
import type { Closing } from '../../streams/domain/end.ts';
import { closingOf } from '../../streams/kernel/closing.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import { isFields } from '../../streams/wire/check.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { SupervisorOptions } from './options.ts';
import { CLOSING } from './upgrade/program.ts';

type Options = Pick<SupervisorOptions, 'dataDir' | 'guarded'>;

const read = (text: string): Closing | undefined => {
  try {
    const closing: unknown = JSON.parse(text);
    const whole = isFields(closing) && typeof closing['resume'] === 'boolean';
    return whole ? (closing as unknown as Closing) : undefined;
  } catch {
    return undefined;
  }
};

/** For the next program in this process. */
export const closingWords = (closing: Closing | undefined): readonly string[] =>
  closing === undefined ? [] : [`${CLOSING}${JSON.stringify(closing)}`];

/** Nothing that was wanted is given up. */
const BY_SIGNAL: Closing = { resume: true };

const written = (dataDir: string): string => {
  try {
    return readFileSync(layoutOf(dataDir).closing, 'utf8');
  } catch {
    return '';
  }
};

/** The end that the program before this one had begun, and not come to; `undefined`: none. */
export const closingBefore = ({ dataDir, guarded }: Options): Closing | undefined => {
  const told = process.argv.find((word) => word.startsWith(CLOSING))?.slice(CLOSING.length);
  if (told !== undefined) return read(told);
  if (guarded === undefined || guarded.restarts === 0) return undefined;
  return read(written(dataDir)) ?? (guarded.ending ? BY_SIGNAL : undefined);
};

/** It has come to its end, or somebody begins who was not brought back. */
export const forgetClosing = (dataDir: string): void => rmSync(layoutOf(dataDir).closing, { force: true });

/** Nothing without a guardian: nobody comes back then by himself. */
export function rememberClosing(
  state$: Observable<SupervisorState>,
  { dataDir, guarded }: Options,
): Observable<never> {
  return state$.pipe(
    map(closingOf),
    filter((closing) => closing !== undefined && guarded !== undefined),
    map((closing) => JSON.stringify(closing)),
    distinctUntilChanged(),
    tap((text) => {
      try {
        writeFileSync(layoutOf(dataDir).closing, text, { mode: 0o600 });
      } catch {
        // A full disk: who is brought back begins everything again.
      }
    }),
    ignoreElements(),
  );
}
