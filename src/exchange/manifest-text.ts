// Text of other programs as values of a manifest, where `$` has a meaning.

/** Returns a value of a manifest that is this text after its expansion. */
export const literalText = (text: string): string => text.replaceAll(/\$(?=[${])/g, '$$$$');

/** Returns one word of a line for `sh`: as it is, or in single quotes. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
