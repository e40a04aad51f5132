// What a terminal shows after what was written to it: the few escape sequences that `sup` uses, and no other.

export interface Screen {
  write(text: string): void;
  /** Right-trimmed lines of what is shown now. */
  lines(): readonly string[];
  readonly alternate: boolean;
  readonly cursor: boolean;
  readonly wraps: boolean;
  /** Lines that were longer than the screen is wide. */
  readonly overflows: number;
}

// eslint-disable-next-line no-control-regex -- an escape sequence whose end has not come yet
const UNFINISHED = /\u001b(?:\[\??[0-9;]*)?$/u;

// eslint-disable-next-line no-control-regex -- escape sequences are exactly what is read
const TOKEN = /\u001b\[(\??)([0-9;]*)([A-Za-z])|\r|\n|[^\u001b]/gu;

/** The row and column of a move, both from 0. */
const placeIn = (numbers: string): [number, number] => {
  const [row = 1, column = 1] = numbers.split(';').map((number) => Number(number) || 1);
  return [row - 1, column - 1];
};

interface Page {
  rows: string[];
  row: number;
  column: number;
}

const page = (): Page => ({ rows: [], row: 0, column: 0 });

/** The size may change later: what is below the last row is lost. */
export const openScreen = (size: { columns: number; rows: number }): Screen => {
  const pages = { main: page(), alternate: page() };
  const modes = { alternate: false, cursor: true, wraps: true };
  let overflows = 0;
  let rest = '';
  const shown = (): Page => (modes.alternate ? pages.alternate : pages.main);
  const put = (text: string): void => {
    const now = shown();
    const row = (now.rows[now.row] ?? '').padEnd(now.column);
    now.rows[now.row] = row.slice(0, now.column) + text + row.slice(now.column + 1);
    now.column += 1;
    if (now.column === size.columns + 1) overflows += 1;
  };
  const mode = (number: string, on: boolean): void => {
    if (number === '25') modes.cursor = on;
    else if (number === '7') modes.wraps = on;
    else if (number === '1049') {
      modes.alternate = on;
      if (on) pages.alternate = page();
    } else throw new Error(`mode ${number} is not known here`);
  };
  const obey = (private_: string, numbers: string, letter: string): void => {
    const now = shown();
    if (private_ === '?') mode(numbers, letter === 'h');
    else if (letter === 'H') [now.row, now.column] = placeIn(numbers);
    else if (letter === 'K')
      now.rows[now.row] = (now.rows[now.row] ?? '').slice(0, Math.min(now.column, size.columns - 1));
    else if (letter === 'J') now.rows.length = Math.min(now.rows.length, now.row + 1);
    else if (letter !== 'm') throw new Error(`ESC [ ${numbers} ${letter} is not known here`);
  };
  const take = (token: RegExpMatchArray): void => {
    const [text, private_ = '', numbers = '', letter] = token;
    if (letter !== undefined) obey(private_, numbers, letter);
    else if (text === '\r') shown().column = 0;
    else if (text === '\n') shown().row += 1;
    else put(text);
  };
  return {
    write: (text) => {
      const all = rest + text;
      rest = UNFINISHED.exec(all)?.[0] ?? '';
      for (const token of all.slice(0, all.length - rest.length).matchAll(TOKEN)) take(token);
    },
    lines: () =>
      Array.from(shown().rows, (row: string | undefined) => (row ?? '').trimEnd()).slice(0, size.rows),
    get alternate() {
      return modes.alternate;
    },
    get cursor() {
      return modes.cursor;
    },
    get wraps() {
      return modes.wraps;
    },
    get overflows() {
      return overflows;
    },
  };
};
