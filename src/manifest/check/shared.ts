// Claims that only one of two services can have (ERR0222). It is a warning, since they may be meant to take
// turns.
import { complain, type Context, type Spot } from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/bundles.ts';
import { standsAlready } from './stands-already.ts';

type Declared = NonNullable<ReturnType<Bundle['services']['get']>>['value'];

/** Claims of a service: a text to compare by, and where it is written. */
type Claims = ReadonlyMap<string, Spot>;

interface Rule {
  readonly claimsOf: (service: Declared) => Claims;
  /** What happens to two services with the same claim. */
  readonly told: string;
}

/** The claims of each service that may start. */
const claimsIn = (bundles: readonly Bundle[], { claimsOf }: Rule): readonly Claims[] =>
  bundles
    .flatMap(({ services }) => [...services.values()])
    .flatMap(({ value }) => (value.skip === true ? [] : [claimsOf(value)]));

/** Warns at the second of two services with the same claim. */
export const warnOfShared = (bundles: readonly Bundle[], rule: Rule, context: Context): void => {
  const first = new Map<string, Spot>();
  for (const claims of claimsIn(bundles, rule))
    for (const [claim, at] of claims) {
      const known = first.get(claim);
      if (known === undefined) {
        first.set(claim, at);
        continue;
      }
      const message = `${standsAlready(known, at)}; ${rule.told}`;
      complain(at, context, { code: 'ERR0222', severity: 'warning', message });
    }
};
