// Makes the token in the URL of the page, and the cookie that a page gets in exchange for the token. The
// server makes both at each start. Each has 256 random bits.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The limits on attempts to exchange a token: the number that may be made at once, and the number that is
 * added each second.
 */
const MOST_ATTEMPTS = 20;
const ATTEMPTS_PER_SECOND = 2;

const BITS = 256;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * True if the texts are equal. The time of the comparison depends neither on the texts nor on their lengths.
 */
const isSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

export interface SessionKeys {
  readonly token: string;
  /** Returns the value of the cookie, or why the token was refused. */
  readonly exchange: (token: string) => { readonly cookie: string } | 'wrong' | 'too often';
  /** True if the `Cookie` header has the cookie that this server has made at its start. */
  readonly hasCookie: (header: string | undefined, port: number) => boolean;
}

/**
 * Returns the name of the cookie. It contains the port, because browsers send a cookie to all ports of a
 * host.
 */
export const cookieName = (port: number): string => `sup_${port}`;

const cookiesIn = (header: string, name: string): readonly string[] =>
  header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));

/**
 * Returns a function that uses one attempt and returns true, or returns false if no attempt is left. At first
 * `most` attempts are left. Each second adds `perSecond` attempts, up to `most`.
 */
export const allowance = (most: number, perSecond: number, now: () => number): (() => boolean) => {
  let left = most;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(most, left + ((time - at) / 1000) * perSecond);
    at = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
};

export const sessionKeys = (now: () => number): SessionKeys => {
  const [token, cookie] = [randomBytes(BITS / 8), randomBytes(BITS / 8)].map((key) =>
    key.toString('base64url'),
  ) as [string, string];
  const mayTry = allowance(MOST_ATTEMPTS, ATTEMPTS_PER_SECOND, now);
  return {
    token,
    exchange: (given) => {
      if (!mayTry()) return 'too often';
      return isSecret(given, token) ? { cookie } : 'wrong';
    },
    hasCookie: (header = '', port) =>
      cookiesIn(header, cookieName(port)).some((given) => isSecret(given, cookie)),
  };
};
