const CODES = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, bold: 1, dim: 2, reverse: 7 } as const;
export type Ink = keyof typeof CODES;
export type Paint = (ink: Ink, text: string) => string;

/** Returns a function that colours a text for a terminal. If `on` is false, it returns the text unchanged. */
export const paintOf =
  (on: boolean): Paint =>
  (ink, text) =>
    on && text !== '' ? `\u001b[${CODES[ink]}m${text}\u001b[0m` : text;
