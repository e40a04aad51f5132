// Words for a POSIX shell.

/** Returns a word of a line for `sh`: as it is, or in single quotes. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
