// Which columns of a table a narrow terminal has room for. The least important go first, one after the other, until the
// last column has the room it asks for (`docs/commands.md`, "status").

interface Fitting {
  /** Of each column, the widest text. */
  readonly widths: readonly number[];
  /** Of each column, how long it stays: the lowest goes first; `Infinity` never goes. */
  readonly ranks: readonly number[];
  /** What the last column should have at the least. */
  readonly lastRoom: number;
  /** Of the terminal; absent: every column stays. */
  readonly columns: number | undefined;
}

const GAP = 2;

const needed = (shown: readonly number[], { widths, lastRoom }: Fitting): number => {
  const room = shown.reduce((all, column) => all + (widths[column] ?? 0) + GAP, 0);
  return room - (widths[shown.at(-1) ?? 0] ?? 0) - GAP + lastRoom;
};

const withoutLowest = (shown: readonly number[], { ranks }: Fitting): readonly number[] => {
  const lowest = Math.min(...shown.map((column) => ranks[column] ?? Infinity));
  return shown.filter((column) => (ranks[column] ?? Infinity) > lowest);
};

/** The numbers of the columns that stay, in their order. */
export const fitColumns = (fitting: Fitting): readonly number[] => {
  const { columns = Infinity, ranks } = fitting;
  let shown: readonly number[] = ranks.map((_, column) => column);
  while (needed(shown, fitting) > columns) {
    if (shown.every((column) => ranks[column] === Infinity)) break;
    shown = withoutLowest(shown, fitting);
  }
  return shown;
};
