// Reports a failure once, on standard error: as text, or with `--json` as `{ "error": … }`. If the data
// directory cannot be accessed, the code is ERR0701. Any other unexpected error is a bug: its code is
// ERR0001, and `--verbose` prints its stack trace.
import { statSync } from 'node:fs';
import { ClientFailure, unloadedPart } from '../client/client-failure.ts';
import { errorLines, warningLines } from './render/page/error-page.ts';
import type { Screen } from './process-ports.ts';
import { errnoOf } from '../os/errno.ts';
import { readAtOnce } from '../os/files/own-file.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { failure, Failure } from '../streams/views/errors/command-failure.ts';
import { shownText } from '../streams/views/words/foreign-text.ts';
import { EXIT, type CommandStatus } from '../streams/wire/command-exit-status.ts';
import { errorJson } from '../streams/views/errors/error-text.ts';

const placeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined;

/** Converts a system error about a file of the data directory to ERR0701. */
export const dataDirectoryFailure = (thrown: unknown, dataDir: string): unknown => {
  const file = placeOf(thrown);
  const isBelow = file === dataDir || file?.startsWith(`${dataDir}/`) === true;
  if (!isBelow || errnoOf(thrown) === undefined) return thrown;
  return failure({ code: 'ERR0701', file, detail: messageOf(thrown) });
};

/** Maximum size of a manifest from which a line is printed, bytes. A manifest written by hand is smaller. */
const LARGEST = 1024 * 1024;

/**
 * Returns a line of a manifest, counted from 1, to print above the caret of a problem; `undefined` if the
 * file cannot be read or is too large.
 */
const sourceLine = (file: string, line: number): string | undefined => {
  try {
    if (statSync(file).size > LARGEST) return undefined;
    return readAtOnce(file).toString().split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
};

interface Manner {
  readonly json: boolean;
  readonly sys: boolean;
  readonly color: boolean;
  readonly verbose: boolean;
  /** True if warnings are not printed (`--quiet`). */
  readonly quiet: boolean;
}

/** Converts anything that was thrown to the failure of a command. */
export const failureOf = (thrown: unknown): Failure => {
  if (thrown instanceof Failure) return thrown;
  const file = unloadedPart(thrown);
  if (file !== undefined) return failure({ code: 'ERR0504', file });
  if (thrown instanceof ClientFailure) return new Failure(thrown.document, 'failed', thrown.warnings);
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return failure({ code: 'ERR0001', detail });
};

export const reportError = (thrown: unknown, stderr: Screen, manner: Manner): CommandStatus => {
  const { document, exit, stack, warnings } = failureOf(thrown);
  if (manner.json) stderr.write(`${errorJson(document, warnings)}\n`);
  else {
    const told = manner.quiet ? [] : warningLines(warnings, manner.color);
    const page = errorLines(document, { ...manner, sourceOf: sourceLine });
    stderr.write(`${[...told, ...page].join('\n')}\n`);
  }
  if (manner.verbose && document.code === 'ERR0001')
    stderr.write(`${shownText((thrown instanceof Error ? thrown.stack : stack) ?? '')}\n`);
  return EXIT[exit];
};
