// Shows the logs of services: the last lines, then, with `--follow`, new ones as they come. Reads the files themselves,
// so it needs no supervisor; `--json` prints one `sup.log/1` document a line.
import { errnoOf } from '../../os/errno.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { momentArgument } from './arguments.ts';
import { LogReader, type ServiceEntry } from './files/read.ts';
import type { TailWanted } from './files/tail.ts';
import { EXIT } from '../exit-status.ts';
import { usageError } from '../grammar/usage.ts';
import { lineStyle, type ShowLine } from '../render/lines/log-line.ts';

export interface LogsArguments {
  readonly services: readonly ServiceId[];
  readonly follow: boolean;
  /** Of each service. */
  readonly lines: number;
  readonly since?: string;
  readonly until?: string;
  readonly grep?: string;
  readonly stream?: string;
  readonly json: boolean;
  readonly prefix: boolean;
  readonly time?: boolean;
  readonly raw?: boolean;
}

export interface LogsOutput {
  readonly write: (text: string) => Promise<void> | void;
  readonly color: boolean;
  /** There is nothing to show so far. */
  readonly onNothing?: () => void;
}

/** Throws a usage error for what is no regular expression. */
export const patternArgument = (written: string): RegExp => {
  try {
    return new RegExp(written);
  } catch {
    throw usageError(`--grep "${written}" is not a regular expression`, 'for example: error|warn');
  }
};

const wantedOf = ({ lines, since, until, grep, stream }: LogsArguments): TailWanted => ({
  lines,
  ...(since === undefined ? {} : { since: momentArgument('--since', since) }),
  ...(until === undefined ? {} : { until: momentArgument('--until', until) }),
  ...(stream === undefined ? {} : { stream }),
  ...(grep === undefined ? {} : { grep: patternArgument(grep) }),
});

const isReaderGone = (error: unknown): boolean => errnoOf(error) === 'EPIPE';

/** Lines of one write: one string for a long night would be longer than strings may be. */
const AT_ONCE = 10_000;

/** Few writes for all of them; waits until each is through. */
const printer = (out: LogsOutput, show: ShowLine) => async (entries: readonly ServiceEntry[]) => {
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const some = entries.slice(from, from + AT_ONCE);
    await out.write(some.map((entry) => `${show(entry)}\n`).join(''));
  }
};

/** Settles with the exit status: when everything is printed, when `signal` ends the following, or nobody reads on. */
export const logsCommand = async (
  args: LogsArguments,
  out: LogsOutput,
  ports: { readonly dataDir: string; readonly signal: AbortSignal },
): Promise<number> => {
  const print = printer(out, lineStyle({ ...args, color: out.color }));
  const reader = await LogReader.open(ports.dataDir, args.services, wantedOf(args));
  try {
    const last = await reader.tail();
    if (last.length === 0 && args.lines > 0) out.onNothing?.();
    await print(last);
    if (args.follow) for await (const entries of reader.follow(ports.signal)) await print(entries);
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    await reader.close();
  }
  return EXIT.done;
};
