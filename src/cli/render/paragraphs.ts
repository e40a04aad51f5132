// Paragraphs in lines that fit, broken at blanks, with a hanging indent after their head.
// eslint-disable-next-line no-control-regex -- colours are escape sequences
const COLOUR = /\u001b\[\d*m/g;

/** Returns the width; colours take no room. */
const widthOf = (text: string): number => text.replace(COLOUR, '').length;

/** Returns the lines. A word that is longer than a line stays whole: it may be there to be copied. */
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

/** A narrower paragraph would be a column of words. */
const FEWEST_COLUMNS = 20;

/** Puts the text after a head of `head.length` columns (unpainted); further lines are indented as much. */
export const hanging = (head: string, text: string, columns = Infinity): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(line, Math.max(FEWEST_COLUMNS, columns - head.length)))
    .map((line, index) => (index === 0 ? head : ' '.repeat(head.length)) + line);
