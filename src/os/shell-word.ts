// Quotes words for a POSIX shell.

/** Returns the word as it must be written in a command line for `sh`: in single quotes if necessary. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
