// Terminal colours. If paint is off, the text is returned as it is, so plain output has no escape codes.

const CODES = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, bold: 1, dim: 2 } as const;
export type Ink = keyof typeof CODES;
export type Paint = (ink: Ink, text: string) => string;

/** A function that colours a text for a terminal; with `on` false it returns the text as it is. */
export const paintOf =
  (on: boolean): Paint =>
  (ink, text) =>
    on && text !== '' ? `\u001b[${CODES[ink]}m${text}\u001b[0m` : text;
