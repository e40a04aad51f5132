// Decodes HTTP URLs, and addresses of listening sockets: a TCP port with an optional address, or a path
// (`docs/deployments.md`, "Held sockets").
import { isIPv6 } from 'node:net';
import { orReference, read, type ScalarReading, refused, scalar } from './scalar.ts';
import { withoutNul } from './text.ts';

const HIGHEST_PORT = 65_535;

/** Returns why the digits are not a valid port, if they are not. */
const portTrouble = (digits: string | undefined): string | undefined =>
  digits === undefined || (Number(digits) >= 1 && Number(digits) <= HIGHEST_PORT)
    ? undefined
    : `names port ${digits}, but ports go from 1 to ${HIGHEST_PORT}`;

const URL_PORT = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i;

/** Returns why the text is not a valid HTTP URL. */
export const urlTrouble = (text: string): string =>
  portTrouble(URL_PORT.exec(text)?.[1]) ?? 'is not an http or https URL';

/** True for an HTTP URL. `URL` accepts braces in a host name, but no real host name has them. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && !/[{}]/.test(new URL(text).host);

/** Returns why the text is not a valid address of a TCP check. */
export const tcpTrouble = (text: string): string =>
  portTrouble(ANY_PORT.exec(text)?.[1]) ?? 'is not a port, host:port or [address]:port';

/** Decodes an http or https URL without placeholders. */
export const httpUrl = scalar({
  label: 'URL',
  schema: orReference({ type: 'string', pattern: '^[hH][tT][tT][pP][sS]?://' }),
  read: ({ text: given }) => (isHttpUrl(given) ? read(given) : refused(urlTrouble(given))),
});

export type Listen =
  | { readonly tag: 'tcp'; readonly host: string; readonly port: number }
  | { readonly tag: 'unix'; readonly path: string };

const EVERYWHERE = '0.0.0.0';

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** Pattern of a TCP port from 1 to 65535, with at most five digits. */
const PORT = '(?!0+$)(?:\\d{1,4}|[0-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const TCP = `(?:\\[([^\\]]+)\\]:|(${BYTE}(?:\\.${BYTE}){3}):|:)?(${PORT})`;
const ANY_PORT = /(?:^|:)(\d+)$/;
const UNIX = '(?:unix:(?=.*\\S)|(?=/)).*';

const tcp = (given: string): Listen | undefined => {
  const [found, six, four = EVERYWHERE, digits] = new RegExp(`^${TCP}$`).exec(given) ?? [];
  if (found === undefined || (six !== undefined && !isIPv6(six))) return undefined;
  return { tag: 'tcp', host: six ?? four, port: Number(digits) };
};

const FORMS = 'is not a port, address:port, [address]:port, /path or unix:path';

const unix = (path: string): ScalarReading<Listen> => {
  if (path.trim() === '') return refused('names no path');
  const whole = withoutNul(path);
  return whole.ok ? read({ tag: 'unix', path }) : whole;
};

export const listen = scalar<Listen>({
  label: 'address to listen at',
  schema: orReference({
    anyOf: [
      { type: 'integer', minimum: 1, maximum: HIGHEST_PORT },
      { type: 'string', pattern: `^(${TCP}|${UNIX})$` },
    ],
  }),
  read: ({ text: given }) => {
    if (given.startsWith('unix:')) return unix(given.slice('unix:'.length));
    if (given.startsWith('/')) return unix(given);
    const address = tcp(given);
    return address === undefined ? refused(portTrouble(ANY_PORT.exec(given)?.[1]) ?? FORMS) : read(address);
  },
});
