// Whether a text is the address of something that answers HTTP.

import { portTrouble } from '../../decode/scalars/port-text.ts';

const PORT = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i;

/** Why this is no address of something that answers HTTP. */
export const urlTrouble = (text: string): string =>
  portTrouble(PORT.exec(text)?.[1]) ?? 'is not an http or https URL';

/** `URL` takes braces for a part of a name; no name has them. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && !/[{}]/.test(new URL(text).host);
