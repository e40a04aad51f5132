// Text in lines that fit, broken at blanks.

// eslint-disable-next-line no-control-regex -- colours are escape sequences
const COLOUR = /\u001b\[\d*m/g;

/** Colours take no room. */
const widthOf = (text: string): number => text.replace(COLOUR, '').length;

/** A word that is longer than a line stays whole: it may be there to be copied. */
export const wrapped = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line === '') line = word;
    else if (widthOf(line) + 1 + widthOf(word) <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
};
