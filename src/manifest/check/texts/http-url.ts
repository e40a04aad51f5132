// Checks whether a text is an HTTP URL.

import { portTrouble } from '../../decode/scalars/port-text.ts';

const PORT = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i;

/** Why the text is no HTTP URL. */
export const urlTrouble = (text: string): string =>
  portTrouble(PORT.exec(text)?.[1]) ?? 'is not an http or https URL';

/** True for an HTTP URL. `URL` accepts braces in a host name, but no host has them. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && !/[{}]/.test(new URL(text).host);
