// Shortens a bad answer for quoting, since a page or line may be long.
import { StringDecoder } from 'node:string_decoder';

export const EXCERPT_BYTES = 200;

/** Returns the beginning in one line, without a character that is cut off. */
export const excerptIn = (answer: Buffer): string =>
  new StringDecoder('utf8').write(answer.subarray(0, EXCERPT_BYTES)).replaceAll(/\s+/g, ' ').trim();
