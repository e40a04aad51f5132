// Wraps paragraphs at spaces, with a hanging indent after their head.
// eslint-disable-next-line no-control-regex -- colours are escape sequences
const COLOUR = /\u001b\[\d*m/g;

/** Returns the width of a text in columns; colours count as 0. */
const widthOf = (text: string): number => text.replace(COLOUR, '').length;

/** Returns the wrapped lines. A word longer than a line is not broken, because the user may copy it. */
export const wrapped = (text: string, width: number): readonly string[] => {
  if (width === Infinity) return [text];
  const lines: string[] = [];
  let line = '';
  let taken = 0;
  for (const word of text.split(' ')) {
    const room = widthOf(word);
    if (line === '') [line, taken] = [word, room];
    else if (taken + 1 + room <= width) [line, taken] = [`${line} ${word}`, taken + 1 + room];
    else {
      lines.push(line);
      [line, taken] = [word, room];
    }
  }
  return [...lines, line];
};

/** Minimum width of a paragraph. In a narrower paragraph nearly every word would be a line. */
const MIN_COLUMNS = 20;

/**
 * Returns `head` and the wrapped text. Lines after the first are indented by the width of `head`, which must
 * have no colours.
 */
export const hanging = (head: string, text: string, columns = Infinity): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(line, Math.max(MIN_COLUMNS, columns - head.length)))
    .map((line, index) => (index === 0 ? head : ' '.repeat(head.length)) + line);
