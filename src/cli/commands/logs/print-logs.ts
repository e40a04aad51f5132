// Prints logs of services from their files, without a supervisor: the last lines, and with `--follow` new
// lines. `--json` prints a `sup.log/1` document per line.
import { LifeReader, NO_LIFE } from './life-lines.ts';
import { stretchOf } from './log-arguments.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { isReaderGone } from '../../../os/errno.ts';
import type { TailWanted } from '../../../sources/logs/read-backwards.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { lineStyle, type ShowLine } from '../../../streams/views/words/log-entry-text.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import type { OnDamage } from '../../../sources/logs/log-files.ts';
import { followed, pastLines } from '../../../client/line-feeds.ts';
import { LogReader } from '../../../sources/logs/log-reader.ts';
import { byTime, type ServiceEntry } from '../../../sources/logs/merge.ts';

export interface LogsArguments {
  readonly services: readonly ServiceId[];
  readonly follow: boolean;
  /** Number of last lines to print per service. */
  readonly lines: number;
  readonly since?: string;
  readonly until?: string;
  readonly grep?: string;
  readonly ignoreCase?: boolean;
  readonly stream?: string;
  readonly json: boolean;
  readonly prefix: boolean;
  readonly time?: boolean;
  readonly local?: boolean;
  readonly raw?: boolean;
  /** True for a terminal: state changes are shown, and lines that are not from standard output are marked. */
  readonly marks?: boolean;
  /** Called if a part of a compressed file cannot be read. */
  readonly onDamage?: OnDamage;
}

export interface LogsOutput {
  readonly write: (text: string) => Promise<void> | void;
  readonly color: boolean;
  /** Called if there are no lines yet. */
  readonly onNothing?: () => void;
}

/** Returns the regular expression. Throws a usage error if it is invalid. */
export const patternArgument = (written: string, ignoreCase: boolean): RegExp => {
  try {
    return new RegExp(written, ignoreCase ? 'i' : '');
  } catch {
    throw usageError(`--grep "${written}" is not a regular expression`, 'for example: error|warn');
  }
};

const wantedOf = (args: LogsArguments): TailWanted => {
  const { lines, since, until, grep, ignoreCase = false, stream, onDamage } = args;
  return {
    lines,
    ...stretchOf({ since, until }),
    ...(stream === undefined ? {} : { stream }),
    ...(grep === undefined ? {} : { grep: patternArgument(grep, ignoreCase) }),
    ...(onDamage && { onDamage }),
  };
};

/** Maximum number of lines in one write. The text of a whole log could exceed the longest string. */
const AT_ONCE = 10_000;

/** Returns a function that prints entries in large chunks and waits for each write. */
const printer = (out: LogsOutput, show: ShowLine) => async (entries: readonly ServiceEntry[]) => {
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const some = entries.slice(from, from + AT_ONCE);
    await out.write(some.map((entry) => `${show(entry)}\n`).join(''));
  }
};

interface LogsPorts {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /**
   * Returns the services that are selected at the time of the call; absent if the selection cannot change.
   */
  readonly wantedNow?: () => readonly ServiceId[];
}

/** Prints the existing lines, and the state changes between these lines. */
const printPast = async (
  pages: AsyncIterable<readonly ServiceEntry[]>,
  life: typeof NO_LIFE,
  print: (entries: readonly ServiceEntry[]) => Promise<void>,
): Promise<number> => {
  let count = 0;
  for await (const lines of pages) {
    await print(await life.among(lines));
    count += lines.length;
  }
  await print(await life.rest());
  return count;
};

const lifeOf = async (args: LogsArguments, dataDir: string): Promise<typeof NO_LIFE> =>
  args.marks === true ? LifeReader.open(dataDir, wantedOf(args)) : NO_LIFE;

/**
 * Prints the logs. Resolves to the exit status at the end of the logs, when `signal` aborts, or when the
 * reader of the output is gone.
 */
export const logsCommand = async (
  args: LogsArguments,
  out: LogsOutput,
  ports: LogsPorts,
): Promise<number> => {
  const wanted = wantedOf(args);
  const reader = await LogReader.open(ports.dataDir, args.services, wanted);
  const print = (entries: readonly ServiceEntry[]): Promise<void> => {
    const services = reader.services();
    const style = { ...args, services, prefix: args.prefix || services.length > 1, color: out.color };
    return entries.length === 0 ? Promise.resolve() : printer(out, lineStyle(style))(entries);
  };
  const life = await lifeOf(args, ports.dataDir);
  try {
    const count = await printPast(pastLines(reader, args.lines), life, print);
    if (count === 0 && args.lines > 0) out.onNothing?.();
    if (args.follow)
      for await (const entries of followed(reader, wanted, ports))
        await print(byTime([entries, await life.news(reader.services())]));
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    await reader.close();
    await life.close();
  }
  return EXIT.done;
};
