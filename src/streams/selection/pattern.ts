// The names that users write for services: `web`, `shop/web`, and with wildcards `web-*`, `shop/*`, `*/web`.
import type { ServiceId } from '../domain/ids.ts';

/** Anything with the names of a service. */
export interface Named {
  readonly id: ServiceId;
  readonly name: string;
}

/** True if it may match several services: `*` is any number of characters, `?` is one. */
export const isPattern = (written: string): boolean => /[*?]/.test(written);

/**
 * True if the pattern matches the whole text. It backtracks only to the last `*`, so its cost is at most the
 * product of both lengths, for any pattern.
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

/** True if the written name means this service: with a slash its id, without one its bare name. */
export const means = (written: string, { id, name }: Named): boolean =>
  fits(written, written.includes('/') ? id : name);
