// An exception that nobody caught has left no one knows what behind: the supervisor executes itself anew in its own process
// (`docs/reliability.md`, "Exceptions"). Its children stay its children, and what was on record is gone on from.
import { rmSync } from 'node:fs';
import { config } from 'rxjs';
import { readAtOnce, writeAtOnce } from '../os/files/own-file.ts';
import { closeAllOnExec, execute, keepOnExec } from '../os/libc/exec.ts';
import type { Closing } from '../streams/domain/end.ts';
import type { Event } from '../streams/domain/event.ts';
import { shownId } from '../streams/domain/ids.ts';
import { bugText, messageOf } from '../streams/domain/errors/thrown.ts';
import { closingOf } from '../streams/kernel/closing.ts';
import type { Loop } from '../streams/kernel/loop.ts';
import { shownIn, type Shown } from '../streams/upgrade/handover.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { EXIT } from '../streams/wire/exit-status.ts';
import type { Companions } from './companions.ts';
import { closingWords } from './end-under-way.ts';
import { guardianWords } from './guarded.ts';
import type { Parts } from './parts.ts';
import { argvOf, isReExecuted, ownProgram, reExecutedWord, sinceReExecution } from './upgrade/program.ts';

/** From now on this is done about what nobody caught. */
export const onUncaught = (handle: (error: unknown) => void): void => {
  config.onUnhandledError = handle;
  for (const name of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(name);
    process.on(name, handle);
  }
};

/** One that breaks again so soon is not helped by a new beginning, ms. */
const SOON_MS = 10_000;

const wasJustNow = (): boolean => (sinceReExecution() ?? Infinity) < SOON_MS;

const whereText = (event: Event | undefined): string => {
  if (event === undefined) return 'uncaught';
  return `uncaught, after ${event.type}${'service' in event ? ` of ${shownId(event.service)}` : ''}`;
};

/** What of the program that breaks is on no record. */
interface Left {
  readonly text: string;
  readonly shown: Shown | undefined;
  readonly closing: Closing | undefined;
}

/** Becomes the same program anew, with the same standard streams. Returns only by throwing. */
const executeAnew = ({ libc, options }: Parts, { text, shown, closing }: Left): void => {
  if (libc === undefined) throw new Error('the C library cannot be called');
  const layout = layoutOf(options.dataDir);
  writeAtOnce(layout.broke, text);
  if (shown !== undefined) writeAtOnce(layout.shown, JSON.stringify(shown));
  for (const descriptor of [0, 1, 2]) keepOnExec(libc, descriptor);
  closeAllOnExec(libc, 3);
  const more = [...guardianWords(options.guarded), reExecutedWord(), ...closingWords(closing)];
  const argv = argvOf(ownProgram(), { more });
  execute(libc, { argv, environment: options.environment });
};

/**
 * For a supervisor at work. One that breaks again within ten seconds leaves it to its guardian, which takes longer each
 * time; without one it says so and goes on as it is: whoever it was about is worse off, but nobody else is.
 */
export const reExecuting = (
  parts: Parts,
  { lastEvent, read }: Pick<Loop, 'lastEvent' | 'read'>,
  { screen }: Pick<Companions, 'screen'>,
) => {
  const { log, options } = parts;
  return (error: unknown): void => {
    const text = bugText(whereText(lastEvent()), error);
    if (!wasJustNow())
      try {
        return executeAnew(parts, { text, shown: screen?.shown(), closing: closingOf(read()) });
      } catch (failed) {
        log.trouble(`${text}\nit goes on as it is, as it cannot be executed anew: ${messageOf(failed)}`);
        return;
      }
    if (options.guarded === undefined) return log.trouble(text);
    rememberBreaking(options.dataDir, text);
    process.exit(EXIT.broken);
  };
};

/** For `sup doctor`, and for the next supervisor: why this one could not begin, or could not go on. */
export const rememberBreaking = (dataDir: string, text: string): void => {
  try {
    writeAtOnce(layoutOf(dataDir).broke, text);
  } catch {
    // Standard error has it all the same.
  }
};

/** What the program before this one broke of, told once. */
export const tellOfBreaking = ({ log, options }: Parts, { events }: Companions): void => {
  const { broke } = layoutOf(options.dataDir);
  try {
    const text = readAtOnce(broke).toString();
    rmSync(broke);
    log.trouble(text);
    if (!isReExecuted()) return;
    const reason = `the supervisor was executed anew (pid ${process.pid}): ${text.split('\n', 1)[0] ?? ''}`;
    log.warn(reason);
    events.tell(reason, 'supervisor-re-executed');
  } catch {
    // Nothing broke, or it cannot be read any more.
  }
};

/** What the program that executed itself anew had shown; `undefined`: nothing, or it cannot be read. */
export const shownBefore = (dataDir: string): Shown | undefined => {
  if (!isReExecuted()) return undefined;
  const { shown } = layoutOf(dataDir);
  try {
    const text = readAtOnce(shown).toString();
    rmSync(shown);
    return shownIn(JSON.parse(text));
  } catch {
    return undefined;
  }
};
