// Which columns of a table fit on a narrow terminal. The least important are dropped one by one, until the
// last column has the room it needs (`docs/commands.md`, "status").

interface Fitting {
  /** The widest text of each column. */
  readonly widths: readonly number[];
  /** Rank of each column: the lowest is dropped first; `Infinity` never. */
  readonly ranks: readonly number[];
  /** Room that the last column needs at least. */
  readonly lastRoom: number;
  /** Width of the terminal; if absent, every column stays. */
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

/** Returns the numbers of the columns that stay, in order. */
export const fitColumns = (fitting: Fitting): readonly number[] => {
  const { columns = Infinity, ranks } = fitting;
  let shown: readonly number[] = ranks.map((_, column) => column);
  while (needed(shown, fitting) > columns) {
    if (shown.every((column) => ranks[column] === Infinity)) break;
    shown = withoutLowest(shown, fitting);
  }
  return shown;
};
