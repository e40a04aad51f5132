// One lane of a marble file, cut into its columns. `-` is a quiet frame, a letter a frame with one thing in it, `(ab)`
// a frame with several, `[5m]` a jump; spaces are there for the eye.
import { ms, type Ms } from '../../../src/streams/domain/time.ts';
import { durationOf } from './duration.ts';
import { complain, type Column, type Place, type Tick } from './story.ts';

const CELL = /\s*(?:-|(?<label>[\w!?*+^~.%])|\((?<group>[\w!?*+^~.%\s]+)\)|\[(?<jump>[^[\]]*)\])/y;

/** One column of one lane, and where it stands. */
export interface Cell {
  readonly labels: readonly string[];
  readonly place: Place;
  readonly jump?: { readonly text: string; readonly span: Ms };
}

const cellOf = (groups: Readonly<Record<string, string | undefined>>, place: Place): Cell => {
  const { label, group, jump } = groups;
  if (jump === undefined) return { labels: (group ?? label ?? '').match(/\S/g) ?? [], place };
  const span = durationOf(jump);
  if (span === undefined) throw complain(place, `"[${jump}]" is not a jump: write [250ms], [5m], [2h]`);
  return { labels: [], place, jump: { text: `[${jump}]`, span } };
};

/** The cells of a lane whose first character stands at `start`. */
export const cellsOf = (text: string, start: Place): readonly Cell[] => {
  const cells: Cell[] = [];
  const cell = new RegExp(CELL);
  while (text.slice(cell.lastIndex).trim() !== '') {
    const from = cell.lastIndex;
    const column = start.column + from + /^\s*/.exec(text.slice(from))![0].length;
    const groups = cell.exec(text)?.groups;
    if (!groups) throw complain({ ...start, column }, `unexpected "${text[column - start.column] ?? ''}"`);
    cells.push(cellOf(groups, { ...start, column }));
  }
  return cells;
};

/** The columns that these cells take, in time. */
export const columnsOf = (cells: readonly Cell[], frameMs: Ms): readonly Column[] => {
  let at = 0;
  return cells.map(({ jump }) => {
    const column = { at: ms(at), span: jump?.span ?? frameMs, ...(jump ? { jump: jump.text } : {}) };
    at += column.span;
    return column;
  });
};

/** What the lane says, in the columns of its story; a jump must stand in every lane that reaches it. */
export const ticksOf = (cells: readonly Cell[], columns: readonly Column[]): readonly Tick[] =>
  cells.flatMap(({ labels, jump, place }, index) => {
    const column = columns[index];
    if (column?.jump !== jump?.text) {
      throw complain(
        place,
        `every lane jumps at the same column: ${column?.jump ?? 'a frame'} in another lane`,
      );
    }
    return column && labels.length > 0 ? [{ at: column.at, labels }] : [];
  });
