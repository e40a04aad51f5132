// What only one of two services can have (ERR0222): a warning, since they may be meant to take turns.
import { complain, type Context, type Spot } from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/bundles.ts';
import { standsAlready } from './stands-already.ts';

type Declared = NonNullable<ReturnType<Bundle['services']['get']>>['value'];

/** What a service has for itself: as text, by which two may be compared, and where it stands. */
type Claims = ReadonlyMap<string, Spot>;

interface Rule {
  readonly claimsOf: (service: Declared) => Claims;
  /** What becomes of two that have the same. */
  readonly told: string;
}

/** Of each service that may come up. */
const claimsIn = (bundles: readonly Bundle[], { claimsOf }: Rule): readonly Claims[] =>
  bundles
    .flatMap(({ services }) => [...services.values()])
    .flatMap(({ value }) => (value.skip === true ? [] : [claimsOf(value)]));

/** Warns of the second of two services that have the same. */
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
