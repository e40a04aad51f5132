// The manifest keys that have no effect because the supervisor cannot call the C library.
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import { shownId } from '../../domain/ids.ts';
import { keysThatNeedCalls } from '../../launch/keys-without-effect.ts';
import { listedText } from '../../domain/listed-text.ts';

const FIRST = 3;

/**
 * Returns the keys that need the C library, with their services: `sockets (shop/api, shop/web)`. The result
 * is `undefined` if there are none.
 */
export const undoneText = (specs: readonly ServiceSpec[], privileged: boolean): string | undefined => {
  const services = new Map<string, string[]>();
  for (const spec of specs)
    for (const key of keysThatNeedCalls(spec, privileged))
      services.set(key, [...(services.get(key) ?? []), shownId(spec.id)]);
  const texts = [...services].map(([key, names]) => `${key} (${listedText(names, FIRST)})`);
  return texts.length === 0 ? undefined : texts.join(', ');
};
