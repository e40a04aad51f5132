// Which exit statuses a command has: the table of docs/commands.md, without what it says of other commands.
import { lexer, type Tokens } from 'marked';
import { blockLines, tagged, type Item } from './blocks.ts';
import { typed } from './roff.ts';

const SENTENCE_END = /(?<=[.!?]) (?=[A-Z`])/;
/** How a sentence begins that is about some commands only: "For `status`: …", "`status`, `why`: …". */
const ABOUT = /^(?:For )?(`[a-z]+`(?:(?:, | and |, and )`[a-z]+`)*)/;

/** Returns the commands that a sentence is about; none if it is about all of them. */
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

/** A status that is a word stands at the end. */
const orderOf = ({ status }: Status): number => (/^\d+$/.test(status) ? Number(status) : Infinity);

const inOrder = (one: Status, other: Status): number =>
  orderOf(one) === orderOf(other) ? 0 : orderOf(one) - orderOf(other);

/** Leaves out what is said of other commands. */
const about = (command: string, { status, meaning }: Status): readonly Status[] => {
  const sentences = meaning.split(SENTENCE_END).filter((text) => isAbout(command, text));
  return sentences.length === 0 ? [] : [{ status, meaning: sentences.join(' ') }];
};

const item = ({ status, meaning }: Status): Item => ({
  tag: `\\fB${typed(status)}\\fR`,
  body: blockLines(lexer(meaning)),
});

/** Returns the exit statuses of a command: its own, and those of all commands that are not among them. */
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
