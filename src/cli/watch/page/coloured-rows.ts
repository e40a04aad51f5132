// Lines of a service's output with their colours, cut or wrapped at the width of the terminal.
import { beginningOf, columnsOf } from '../../render/text-table.ts';

// eslint-disable-next-line no-control-regex -- colours are escape sequences
const COLOUR = /(\u001b\[[0-9;:]*m)/;
const RESET = '\u001b[0m';
// eslint-disable-next-line no-control-regex -- as above
const IS_RESET = /^\u001b\[0*m$/;

/**
 * Returns the part of the text that fits. For an empty row this is at least one character. Otherwise a wide
 * character that never fits would cause an endless loop.
 */
const firstPart = (text: string, room: number, isEmptyRow: boolean): string => {
  const part = beginningOf(text, room);
  return part === '' && isEmptyRow ? String.fromCodePoint(text.codePointAt(0) ?? 0x20) : part;
};

interface Rows {
  readonly done: readonly string[];
  /** The row that is being filled, its width, and the colours that are on. */
  readonly row: string;
  readonly width: number;
  readonly colours: string;
}

const withColour = (rows: Rows, colour: string): Rows => ({
  ...rows,
  row: rows.row + colour,
  colours: IS_RESET.test(colour) ? '' : rows.colours + colour,
});

const withText = (rows: Rows, text: string, columns: number): Rows => {
  let { done, row, width } = rows;
  const { colours } = rows;
  for (let rest = text; rest !== '';) {
    const part = firstPart(rest, columns - width, width === 0);
    rest = rest.slice(part.length);
    row += part;
    width += columnsOf(part);
    if (rest === '') break;
    done = [...done, row + (colours === '' ? '' : RESET)];
    [row, width] = [colours, 0];
  }
  return { done, row, width, colours };
};

/**
 * Returns the line as rows of at most `columns`. Each row begins with the current colours and resets them.
 */
export const colouredRows = (line: string, columns: number): readonly string[] => {
  const first: Rows = { done: [], row: '', width: 0, colours: '' };
  const { done, row, colours } = line
    .split(COLOUR)
    .reduce<Rows>(
      (rows, part, at) => (at % 2 === 1 ? withColour(rows, part) : withText(rows, part, columns)),
      first,
    );
  return [...done, row + (colours === '' ? '' : RESET)];
};

/** Returns the line. A line longer than `columns` is cut and ends with `…`. */
export const cutColoured = (line: string, columns: number): string => {
  const [only = '', ...others] = colouredRows(line, columns);
  if (others.length === 0) return only;
  const [shorter = ''] = colouredRows(line, columns - 1);
  return columns <= 1 ? '…'.slice(0, columns) : `${shorter}…`;
};
