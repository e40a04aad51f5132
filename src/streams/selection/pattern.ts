// The names that people write for services: `web`, `shop/web`, and with wildcards `web-*`, `shop/*`, `*/web`.
import type { ServiceId } from '../domain/ids.ts';

/** Whatever has the names of a service. */
export interface Named {
  readonly id: ServiceId;
  readonly name: string;
}

/** Whether it may stand for several services: `*` is any number of characters, `?` is one. */
export const isPattern = (written: string): boolean => /[*?]/.test(written);

/**
 * Whether the pattern fits the whole text. Falls back to the last `*` alone, never to one before it, so that its cost
 * is at most the product of both lengths, whatever somebody wrote.
 */
export const fits = (pattern: string, text: string): boolean => {
  let [at, star, tried] = [0, -1, 0];
  for (let read = 0; read < text.length;) {
    if (pattern[at] === '*') {
      [star, tried] = [at, read];
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[read])) {
      at += 1;
      read += 1;
    } else {
      if (star === -1) return false;
      tried += 1;
      [at, read] = [star + 1, tried];
    }
  }
  return /^\**$/.test(pattern.slice(at));
};

/** Whether what was written means this service: with a slash its id, without one its bare name. */
export const means = (written: string, { id, name }: Named): boolean =>
  fits(written, written.includes('/') ? id : name);
