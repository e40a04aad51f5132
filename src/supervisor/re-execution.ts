// Re-executes the supervisor after an uncaught exception, because the contents of its memory cannot be
// trusted any more (`docs/reliability.md`, "Exceptions"). The processes of its services stay its children,
// and the new program continues from the records.
import { rmSync } from 'node:fs';
import { config } from 'rxjs';
import { readAtOnce, writeAtOnce } from '../os/files/own-file.ts';
import { closeAllOnExec, execute, keepOnExec } from '../os/libc/execute.ts';
import type { Closing } from '../streams/domain/effect.ts';
import type { Event } from '../streams/domain/event.ts';
import { shownId } from '../streams/domain/ids.ts';
import { bugText, messageOf } from '../streams/domain/errors/thrown.ts';
import { closingOf } from '../streams/kernel/supervisor-end.ts';
import type { ShownOutput } from '../streams/upgrade/handover.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { EXIT } from '../streams/wire/command-exit-status.ts';
import { closingWords } from './closing-record.ts';
import { guardianWords } from './guardian-report.ts';
import { argvOf, isReExecuted, ownProgram, reExecutedWord, sinceReExecution } from './upgrade/program.ts';
import type { Deps } from './deps.ts';

/** From now on calls `handle` with every uncaught error. */
export const onUncaught = (handle: (error: unknown) => void): void => {
  config.onUnhandledError = handle;
  for (const name of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(name);
    process.on(name, handle);
  }
};

/** The time after a re-execution within which a second failure causes no further re-execution, ms. */
const REPEATED_WITHIN_MS = 10_000;

const wasJustNow = (): boolean => (sinceReExecution() ?? Infinity) < REPEATED_WITHIN_MS;

const whereText = (event: Event | undefined): string => {
  if (event === undefined) return 'uncaught';
  return `uncaught, after ${event.type}${'service' in event ? ` of ${shownId(event.service)}` : ''}`;
};

/** State of the failing program that the next program needs and that is not in the records. */
interface CrashState {
  readonly text: string;
  readonly shown: ShownOutput | undefined;
  readonly closing: Closing | undefined;
}

/** Re-executes the same program with the same standard streams, and never returns. Throws if that fails. */
const reExecute = ({ libc, options }: Deps, { text, shown, closing }: CrashState): void => {
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
 * Returns the handler of uncaught errors. It re-executes the program. If that is impossible, it logs the
 * error and the program continues.
 *
 * If the last re-execution was less than ten seconds ago, the program is not re-executed again. With a
 * guardian it exits, and the guardian restarts it with growing pauses. Without a guardian, the error is
 * logged and the program continues.
 */
export const reExecuting = (deps: Deps) => {
  const { log, options, loop, screen } = deps;
  return (error: unknown): void => {
    const text = bugText(whereText(loop.lastEvent()), error);
    if (!wasJustNow())
      try {
        return reExecute(deps, { text, shown: screen?.shown(), closing: closingOf(loop.read()) });
      } catch (failed) {
        log.error(`${text}\nit continues as it is, since it cannot re-execute itself: ${messageOf(failed)}`);
        return;
      }
    if (options.guarded === undefined) return log.error(text);
    recordCrash(options.dataDir, text);
    process.exit(EXIT.broken);
  };
};

/** Records why this supervisor failed, for `sup doctor` and the next supervisor. */
export const recordCrash = (dataDir: string, text: string): void => {
  try {
    writeAtOnce(layoutOf(dataDir).broke, text);
  } catch {
    // If the record cannot be written, only the reason is lost.
  }
};

/** Logs why the previous program failed, and removes the record of this failure. */
export const reportCrash = ({ log, options, events }: Deps): void => {
  const { broke } = layoutOf(options.dataDir);
  try {
    const text = readAtOnce(broke).toString();
    rmSync(broke);
    log.error(text);
    if (!isReExecuted()) return;
    const reason = `the supervisor re-executed itself (pid ${process.pid}): ${text.split('\n', 1)[0] ?? ''}`;
    log.warn(reason);
    events.tell(reason, 'supervisor-re-executed');
  } catch {
    // If the previous program did not fail, there is no record. A record that cannot be read is ignored.
  }
};
