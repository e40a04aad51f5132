// `sup logs --supervisor`: prints the supervisor's own log, even if no supervisor runs.
import type { LogsOutput } from './print-logs.ts';
import { documentJson, shownOutput } from '../../../streams/views/words/foreign-text.ts';
import { endOfLog, followSupervisor, takeBackwards } from './supervisor-lines.ts';
import { isAfter, isBefore, type Wanted } from '../../../sources/logs/line-filter.ts';

/** A line such as `2026-11-21T05:30:15.123Z warn [shop/web] text`. */
const NOTE = /^(\S+Z) (info|warn|error) (?:\[([^\]]+)\] )?(.*)$/s;

interface Manner {
  readonly json: boolean;
  readonly raw: boolean;
}

/** Returns the line as a `sup.note/1` document. */
const asDocument = (line: string): string => {
  const [, at = null, level = null, service = null, text = line] = NOTE.exec(line) ?? [];
  return documentJson({ schema: 'sup.note/1', at, level, service, text });
};

const shown = (line: string, { json, raw }: Manner): string => {
  if (json) return asDocument(line);
  return raw ? line : shownOutput(line);
};

/**
 * Converts a line to an entry of a service log, for the time filters. A continuation line has an empty time.
 */
const momentIn = (line: string): { at: string; stream: string; text: string; continues: boolean } => ({
  at: NOTE.test(line) ? line.slice(0, 24).replace('Z', '000Z') : '',
  stream: 'sup',
  text: line,
  continues: false,
});

export interface SupervisorLines extends Wanted, Manner {
  readonly directory: string;
  readonly lines: number;
  readonly follow: boolean;
}

const isWanted = (line: string, wanted: Wanted): boolean =>
  !isBefore(momentIn(line), wanted) &&
  !isAfter(momentIn(line), wanted) &&
  (wanted.grep === undefined || wanted.grep.test(line));

export const printSupervisor = async (
  args: SupervisorLines,
  { write, onNothing }: LogsOutput,
  signal: AbortSignal,
): Promise<void> => {
  const print = async (lines: readonly string[]): Promise<void> => {
    if (lines.length > 0) await write(lines.map((line) => `${shown(line, args)}\n`).join(''));
  };
  const last: string[] = [];
  // The position at which the existing lines end. Lines before this position are printed first. With
  // `--follow`, lines after it are printed when they appear.
  const end = await endOfLog(args.directory);
  if (args.lines > 0)
    await takeBackwards(args.directory, end, (line) => {
      if (isBefore(momentIn(line), args)) return false;
      if (isWanted(line, args)) last.push(line);
      return last.length < args.lines;
    });
  await print(last.reverse());
  if (!args.follow) {
    if (last.length === 0 && args.lines > 0) onNothing?.();
    return;
  }
  for await (const lines of followSupervisor(args.directory, end, signal))
    await print(lines.filter((line) => isWanted(line, args)));
};
