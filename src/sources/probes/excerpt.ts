// What is quoted of an answer that is bad: of a page or of a line that may be long.
import { StringDecoder } from 'node:string_decoder';

export const EXCERPT_BYTES = 200;

/** Its beginning, in one line; a character that is cut is left out. */
export const excerptIn = (answer: Buffer): string =>
  new StringDecoder('utf8').write(answer.subarray(0, EXCERPT_BYTES)).replaceAll(/\s+/g, ' ').trim();
