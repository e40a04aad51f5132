// What services print may hold sequences that a terminal obeys: a title, a clipboard, a cursor that goes up and covers
// what stands there. Colours are harmless, and kept where they are shown; everything else goes.
import { harmless } from './paint.ts';

/** CSI, then OSC and other strings, then the short ones. */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- escape sequences are exactly what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;
// eslint-disable-next-line no-control-regex -- as above
const COLOUR = /^\u001b\[[0-9;:]*m$/;
const RESET = '\u001b[0m';

/** For a pipe: nothing that anybody obeys. */
export const withoutEscapes = (text: string): string =>
  harmless(text.replace(SEQUENCE, '').replace(/\r+$/, ''));

/** For a terminal: colours, which end with the line. */
export const withColours = (text: string): string => {
  const parts: string[] = [];
  let at = 0;
  let isColoured = false;
  for (const { 0: sequence, index } of text.matchAll(SEQUENCE)) {
    parts.push(withoutEscapes(text.slice(at, index)));
    at = index + sequence.length;
    if (!COLOUR.test(sequence)) continue;
    isColoured = true;
    parts.push(sequence);
  }
  parts.push(withoutEscapes(text.slice(at)));
  return parts.join('') + (isColoured ? RESET : '');
};
