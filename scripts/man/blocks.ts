// Converts Markdown blocks to lines of mdoc(7): paragraphs, lists, tables, code and subsections.
import type { MarkedToken, Token, Tokens } from 'marked';
import { inline, known } from './inline.ts';
import { asArguments, asLine, textLines, typed } from './roff.ts';

interface Block {
  /**
   * True if a `.Pp` must separate the block from the block above. A block that is a display of its own needs
   * none.
   */
  readonly needsGap: boolean;
  readonly lines: readonly string[];
}

const display = (lines: readonly string[]): Block => ({ needsGap: false, lines });

/** Joins blocks. There is no gap above the first block, which follows a heading or the tag of a list. */
const joined = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(({ needsGap, lines }, index) =>
    needsGap && index > 0 && blocks[index - 1]?.lines[0]?.startsWith('.Ss') !== true
      ? ['.Pp', ...lines]
      : lines,
  );

/** Returns text without formatting, for example a command line or a manifest. */
export const literal = (text: string): readonly string[] => [
  '.Bd -literal -offset indent',
  ...text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => asLine(typed(line.trimEnd()))),
  '.Ed',
];

export interface Item {
  /** Arguments of `.It`. */
  readonly tag: string;
  readonly body: readonly string[];
}

/** Returns a list of terms, each with its meaning below it. */
export const tagged = (items: readonly Item[]): readonly string[] => [
  '.Bl -tag -width Ds',
  ...items.flatMap(({ tag, body }) => [`.It ${tag}`, ...body]),
  '.El',
];

const list = ({ ordered, items }: Tokens.List): Block => ({
  needsGap: true,
  lines: [
    `.Bl ${ordered ? '-enum' : '-bullet'} -compact`,
    ...items.flatMap(({ tokens }) => ['.It', ...blockLines(tokens)]),
    '.El',
  ],
});

/**
 * Returns the cells of a row after the first, each with the title of its column. In a table with two columns
 * no title is needed.
 */
const cellLines = (table: Tokens.Table, row: readonly Tokens.TableCell[]): readonly string[] =>
  row.slice(1).flatMap(({ tokens }, index) => {
    const text = inline(tokens);
    if (text === '') return [];
    return textLines(
      table.header.length === 2 ? text : `${inline(table.header[index + 1]?.tokens)}: ${text}`,
    );
  });

const COLUMNS = ['Key', 'Type', 'Default', 'Meaning'] as const;

/** True for a table of manifest keys. */
const isKeys = ({ header }: Tokens.Table): boolean =>
  COLUMNS.every((column) => header.some(({ text }) => text === column));

/** Returns the cell of a row in the column with this title, as roff text. */
const cellIn = ({ header }: Tokens.Table, row: readonly Tokens.TableCell[], column: string): string =>
  inline(row[header.findIndex(({ text }) => text === column)]?.tokens);

const defaultText = (fallback: string): readonly string[] => {
  if (fallback === '' || fallback === 'none') return [];
  return ['required', 'its own defaults'].includes(fallback) ? [fallback] : [`default: ${fallback}`];
};

/**
 * Returns a list item for a manifest key: the key with type and default in brackets, its meaning, and an
 * example.
 */
const keyItem = (table: Tokens.Table, row: readonly Tokens.TableCell[]): Item => {
  const [key, type, fallback, meaning] = COLUMNS.map((column) => cellIn(table, row, column));
  const versions = cellIn(table, row, 'Versions');
  const facts = [
    type,
    ...defaultText(fallback ?? ''),
    ...(/^(?:2, 3)?$/.test(versions) ? [] : [`version ${versions}`]),
  ];
  const example = cellIn(table, row, 'Example');
  return {
    tag: asArguments(`${key ?? ''} (${facts.join('; ')})`),
    body: [...textLines(meaning ?? ''), ...(example === '' ? [] : textLines(`For example: ${example}`))],
  };
};

const rowItem = (table: Tokens.Table, row: readonly Tokens.TableCell[]): Item => ({
  tag: asArguments(inline(row[0]?.tokens)),
  body: cellLines(table, row),
});

/** Returns a table as a list: the first column contains the terms. */
export const tableLines = (table: Tokens.Table): readonly string[] =>
  tagged(table.rows.map((row) => (isKeys(table) ? keyItem(table, row) : rowItem(table, row))));

/** True for a list of links within the page, which a manual page does not need. */
const isContents = ({ items }: Tokens.List): boolean =>
  items.every(({ text }) => /^\[[^\]]*\]\(#[^)]*\)/.test(text));

/** True for the title of a table of contents. */
const isContentsTitle = ({ raw }: MarkedToken): boolean => raw.trim() === 'Contents:';

const paragraph = (tokens: readonly Token[] | undefined): readonly Block[] => {
  const text = inline(tokens).trim();
  return text === '' ? [] : [{ needsGap: true, lines: textLines(text) }];
};

const blocksOf = (token: MarkedToken): readonly Block[] => {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return paragraph('tokens' in token ? token.tokens : [token]);
    case 'list':
      return isContents(token) ? [] : [list(token)];
    case 'table':
      return [display(tableLines(token))];
    case 'code':
      return [display(literal(token.text))];
    case 'heading':
      return [display([`.Ss ${asArguments(inline(token.tokens))}`])];
    case 'blockquote':
      return [display(['.Bd -filled -offset indent', ...blockLines(token.tokens), '.Ed'])];
    case 'space':
    case 'hr':
    case 'html':
    case 'checkbox':
      return [];
    default:
      throw new Error(`a manual page has no form for "${token.type}": ${token.raw}`);
  }
};

/** Converts Markdown blocks to lines of mdoc, without a gap above the first one. */
export const blockLines = (tokens: readonly Token[]): readonly string[] =>
  joined(
    known(tokens)
      .filter((token) => !isContentsTitle(token))
      .flatMap(blocksOf),
  );
