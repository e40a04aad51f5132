// Finds the place of a part of a scalar in its file, as far as the text shows it.
import type { Node, Place } from './node.ts';

/** The offset of the newline number `lines` after `offset`; the end of the text if there are fewer. */
const linesOn = (text: string, offset: number, lines: number): number => {
  let at = offset;
  for (let left = lines; left > 0 && at !== -1; left -= 1) at = text.indexOf('\n', at + 1);
  return at === -1 ? text.length : at;
};

/** The place in a block scalar, by search: its lines follow the indicator, each indented. */
const inLines = ({ file, offset }: Node, value: string, at: number): Place | undefined => {
  const [part = ''] = /^\$\{\w*[^]/.exec(value.slice(at)) ?? [];
  const end = linesOn(file.text, offset, value.split('\n').length);
  const found = part === '' ? -1 : file.text.slice(offset, end).indexOf(part);
  return found === -1 ? undefined : { file, offset: offset + found };
};

/** The place of the part at `at` of the scalar's value; that of the scalar if escapes or folds hide it. */
export const placeWithin = (node: Node, value: string, at: number): Place => {
  const { file, offset } = node;
  const quotes = [0, 1].find((width) => file.text.startsWith(value, offset + width));
  if (quotes !== undefined) return { file, offset: offset + quotes + at };
  return inLines(node, value, at) ?? node;
};
