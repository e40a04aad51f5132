// Positions for people: line and column from 1, the source line for the caret, and the chain of `!include`s
// that led there (`docs/manifest.md`, "!include").
import type { Place, SourceFile } from './node.ts';

interface Position {
  readonly line: number;
  readonly column: number;
  /** Absent if the line is too long to show. */
  readonly source?: string;
}

const LONGEST_SHOWN = 400;

/** The index of the last line that begins at or before the offset. */
const lineIndex = (starts: readonly number[], offset: number): number => {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};

export const positionOf = ({ file, offset }: Place): Position => {
  const starts = file.lineStarts();
  const index = lineIndex(starts, offset);
  const start = starts[index] ?? 0;
  const source = file.text.slice(start, starts[index + 1]).replace(/\r?\n$/, '');
  const where = { line: index + 1, column: offset - start + 1 };
  return source.length > LONGEST_SHOWN ? where : { ...where, source };
};

const links = (file: SourceFile): readonly string[] => {
  if (file.from === undefined) return [];
  const { line, column } = positionOf(file.from);
  return [...links(file.from.file), `${file.from.file.path}:${line}:${column}`];
};

/** `a.yaml:3:9 → b.yaml:1:4 → c.yaml`; `undefined` in the root manifest. */
export const chainOf = (file: SourceFile): string | undefined =>
  file.from === undefined ? undefined : [...links(file), file.path].join(' → ');
