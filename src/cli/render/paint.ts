// Colours of the terminal. A paint that is off returns the text as it is, so that plain output carries no escape codes.

const CODES = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, bold: 1, dim: 2 } as const;
export type Ink = keyof typeof CODES;
export type Paint = (ink: Ink, text: string) => string;

export const paintOf =
  (on: boolean): Paint =>
  (ink, text) =>
    on && text !== '' ? `\u001b[${CODES[ink]}m${text}\u001b[0m` : text;

// eslint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of foreign origin, fit for a terminal: control characters are shown, not obeyed. */
export const harmless = (text: string): string =>
  text.replace(CONTROL, (found) => `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The same on one line, for the row of a table. */
export const oneLine = (text: string): string => harmless(text.trim().replace(/\s*[\n\r]\s*|\t/g, ' '));
