// Reads the text of a unit file or a drop-in (systemd.syntax(7)): sections with lines `Key=value`.
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { SourceText } from '../source-texts.ts';
import type { SourceLine, Loss } from '../key-table.ts';

export interface UnitLine {
  readonly section: string;
  readonly key: string;
  readonly value: string;
  readonly place: SourceLine;
}

interface UnitText {
  readonly lines: readonly UnitLine[];
  /** The lines that systemd itself ignores. */
  readonly losses: readonly Loss[];
}

interface LogicalLine {
  readonly text: string;
  readonly line: number;
}

/** True if an odd number of backslashes ends the line. */
const isContinued = (line: string): boolean => {
  let backslashes = 0;
  while (line.endsWith('\\', line.length - backslashes)) backslashes += 1;
  return backslashes % 2 === 1;
};

/** Returns lines in which continued lines are joined. Comments between them are left out. */
const logicalLines = (text: string): readonly LogicalLine[] => {
  const lines: LogicalLine[] = [];
  let open: LogicalLine | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*[#;]/.test(raw)) continue;
    const { text: before, line } = open ?? { text: '', line: index + 1 };
    if (isContinued(raw)) open = { text: `${before}${raw.slice(0, -1)} `, line };
    else {
      lines.push({ text: `${before}${raw}`.trim(), line });
      open = undefined;
    }
  }
  return open === undefined ? lines : [...lines, { ...open, text: open.text.trim() }];
};

const refusedUnit = (file: string, line: number, detail: string): Error =>
  failure({ code: 'ERR0802', file, format: 'a systemd unit', line, detail });

type LineReading =
  | { readonly heading: string }
  | { readonly key: string; readonly value: string }
  | { readonly ignored: string };

const NO_KEY = 'there is no key before a `=`; systemd ignores the line, too';

/**
 * Reads one line: a heading, a key with its value, or a line that is ignored. Throws ERR0802 for a heading
 * without its `]`.
 */
const readLine = (text: string, { file, line }: SourceLine): LineReading => {
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) throw refusedUnit(file, line, 'the heading of a section lacks its ]');
    return { heading: text.slice(1, -1) };
  }
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(at, 0)).trim();
  return key === '' ? { ignored: NO_KEY } : { key, value: text.slice(at + 1).trim() };
};

/** Returns the lines of all sections. Throws ERR0802 if systemd would not load the file. */
export const readUnitText = ({ path: file, text }: SourceText): UnitText => {
  const lines: UnitLine[] = [];
  const losses: Loss[] = [];
  let section: string | undefined;
  for (const { text: whole, line } of logicalLines(text).filter((each) => each.text !== '')) {
    const place = { file, line };
    const reading = readLine(whole, place);
    const ignore = (message: string): void =>
      void losses.push({ effect: 'lost', key: whole.slice(0, 40), message, place });
    if ('heading' in reading) section = reading.heading;
    else if ('ignored' in reading) ignore(reading.ignored);
    else if (section === undefined) ignore('it is outside of a section; systemd ignores it, too');
    else if (!reading.key.startsWith('X-')) lines.push({ section, ...reading, place });
  }
  if (section === undefined) throw refusedUnit(file, 1, 'it has no section such as [Service]');
  return { lines, losses };
};
