// The exit statuses of a command: from the tables in docs/commands.md, without sentences about other
// commands.
import { lexer, type Tokens } from 'marked';
import { blockLines, tagged, type Item } from './blocks.ts';
import { typed } from './roff.ts';

const SENTENCE_END = /(?<=[.!?]) (?=[A-Z`])/;
/**
 * Matches the beginning of a sentence that is about some commands only: "For `status`: …", "`status`, `why`:
 * …".
 */
const ABOUT = /^(?:For )?(`[a-z]+`(?:(?:, | and |, and )`[a-z]+`)*)/;

/** Returns the commands that a sentence is about; an empty list if it is about all. */
const commandsOf = (sentence: string): readonly string[] =>
  [...(ABOUT.exec(sentence)?.[1] ?? '').matchAll(/`([a-z]+)`/g)].map(([, name = '']) => name);

const isAbout = (command: string, sentence: string): boolean => {
  const commands = commandsOf(sentence);
  return commands.length === 0 || commands.includes(command);
};

interface Status {
  readonly status: string;
  readonly meaning: string;
}

const statusesIn = (table: Tokens.Table | undefined): readonly Status[] =>
  (table?.rows ?? []).map(([status, meaning]) => ({
    status: status?.text ?? '',
    meaning: meaning?.text ?? '',
  }));

/** Returns a number to sort statuses by. A status that is a word comes last. */
const orderOf = ({ status }: Status): number => (/^\d+$/.test(status) ? Number(status) : Infinity);

const inOrder = (one: Status, other: Status): number =>
  orderOf(one) === orderOf(other) ? 0 : orderOf(one) - orderOf(other);

/** Returns the status without sentences about other commands; an empty list if nothing is left. */
const about = (command: string, { status, meaning }: Status): readonly Status[] => {
  const sentences = meaning.split(SENTENCE_END).filter((text) => isAbout(command, text));
  return sentences.length === 0 ? [] : [{ status, meaning: sentences.join(' ') }];
};

const item = ({ status, meaning }: Status): Item => ({
  tag: `\\fB${typed(status)}\\fR`,
  body: blockLines(lexer(meaning)),
});

/** Returns the exit statuses of a command: its own, and the general ones that it does not describe itself. */
export const exitStatusLines = (
  command: string,
  general: Tokens.Table | undefined,
  own: Tokens.Table | undefined,
): readonly string[] => {
  const first = statusesIn(own);
  const known = new Set(first.map(({ status }) => status));
  const others = statusesIn(general)
    .flatMap((status) => about(command, status))
    .filter(({ status }) => !known.has(status));
  return tagged([...first, ...others].sort(inOrder).map(item));
};
