// Lines of a text by offset: where they start, their indentation, and their ending.

export const newlineOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;

/** The indentation of the line; empty if anything but blanks precedes the offset. */
export const marginAt = (text: string, offset: number): string =>
  /^ *$/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
