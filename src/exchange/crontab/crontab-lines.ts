// Reads the lines of a crontab: variables, and jobs with the variables that are set above them.
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { SourceText } from '../source-texts.ts';
import type { SourceLine } from '../key-table.ts';

interface CrontabVariable {
  readonly name: string;
  readonly value: string;
  readonly place: SourceLine;
}

export interface CrontabJob {
  /** The five time fields, or one word such as `@daily`. */
  readonly times: readonly string[];
  /** The command. In a system crontab, the user and then the command. */
  readonly rest: string;
  readonly place: SourceLine;
  /** The variables that are set above the line. */
  readonly variables: Readonly<Record<string, string>>;
}

interface CrontabLines {
  readonly jobs: readonly CrontabJob[];
  readonly settings: readonly CrontabVariable[];
}

const VARIABLE = /^(?:"([^"]*)"|'([^']*)'|([^\s="'][^\s=]*))\s*=(.*)$/;

const unquoted = (text: string): string => {
  const trimmed = text.trim();
  const isQuoted = trimmed.length > 1 && /^["']/.test(trimmed) && trimmed.endsWith(trimmed.charAt(0));
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
};

const variableOf = (line: string, place: SourceLine): CrontabVariable | undefined => {
  const [, double, single, bare, value] = VARIABLE.exec(line) ?? [];
  const name = double ?? single ?? bare;
  return name === undefined || value === undefined ? undefined : { name, value: unquoted(value), place };
};

/**
 * Returns the first `count` words of a line and the text after them; `undefined` if there is no such text.
 */
const wordsThenRest = (line: string, count: number): readonly [readonly string[], string] | undefined => {
  const words: string[] = [];
  let rest = line;
  while (words.length < count) {
    const end = rest.search(/[ \t]/);
    if (end === -1) return undefined;
    words.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? undefined : [words, rest];
};

/** Reads a crontab. Throws ERR0802 for a line that is neither a variable nor a job. */
export const crontabLines = ({ path, text }: Pick<SourceText, 'path' | 'text'>): CrontabLines => {
  const jobs: CrontabJob[] = [];
  const settings: CrontabVariable[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim();
    const place = { file: path, line: index + 1 };
    if (line === '' || line.startsWith('#')) continue;
    const variable = variableOf(line, place);
    if (variable !== undefined) settings.push(variable);
    else {
      // A minus sign before a line only tells Debian's cron not to log the job.
      const bare = line.replace(/^-/, '');
      const parts = wordsThenRest(bare, bare.startsWith('@') ? 1 : 5);
      if (parts === undefined)
        throw failure({
          ...{ code: 'ERR0802', format: 'a crontab', ...place },
          detail: 'a line must be a variable, or five fields and a command',
        });
      const variables = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
      jobs.push({ times: parts[0], rest: parts[1], place, variables });
    }
  }
  return { jobs, settings };
};
