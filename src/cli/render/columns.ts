// How many columns of a terminal a text takes: East Asian letters and pictures take two, combining marks take
// none. Terminals agree on these, but not on the rest of Unicode.

// eslint-disable-next-line no-control-regex -- plain text is what has no such characters
const PLAIN = /^[\u0000-\u02ff…→─-▟]*$/;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
const OVER_ANOTHER = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200d]|\ufe0f)$/u;

const widthOf = (character: string): number => {
  if (PLAIN.test(character)) return 1;
  if (OVER_ANOTHER.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
};

export const columnsOf = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
};

/** Returns the beginning that fits, never half a character. */
export const beginningOf = (text: string, columns: number): string => {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, columns));
  let [taken, room] = ['', columns];
  for (const character of text) {
    room -= widthOf(character);
    if (room < 0) break;
    taken += character;
  }
  return taken;
};
