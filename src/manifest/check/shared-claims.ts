// Warns if two services claim something that only one of them can have (ERR0222). This is no error, since the
// services may be meant to run in turn.
import { basename, dirname, join, resolve } from 'node:path';
import { realPlace } from '../../os/files/directories.ts';
import { addressOf } from '../decode/listen-sockets.ts';
import {
  reportAt,
  type DecodeContext,
  type Spot,
  spotBelow,
  standsAlready,
} from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/bundles.ts';

type Declared = NonNullable<ReturnType<Bundle['services']['get']>>['value'];

/**
 * What a service needs for itself alone: an address that it listens on, or a file. The key is the address or
 * the path, the value is where the manifest sets it.
 */
type Claims = ReadonlyMap<string, Spot>;

interface Rule {
  readonly claimsOf: (service: Declared, directory: string) => Claims;
  /** What happens to two services with the same claim, as text for the user. */
  readonly told: string;
}

/**
 * Returns the path with symbolic links in its directory resolved. A link at the path itself is not followed,
 * since the supervisor would replace it.
 */
const placeOf = (path: string): string => join(realPlace(dirname(path)), basename(path));

const RULES: readonly Rule[] = [
  {
    // Two equal sockets of one service are refused elsewhere.
    claimsOf: ({ sockets = [] }, directory) =>
      new Map(sockets.map((socket) => [addressOf(socket, directory), spotBelow(socket.spot, 'listen')])),
    told: 'only one of them can be up at a time',
  },
  {
    claimsOf: ({ deployment: { blueGreen: slots } }, directory) =>
      slots?.statePath === undefined
        ? new Map()
        : new Map([[placeOf(resolve(directory, slots.statePath.value)), slots.statePath.spot]]),
    told: 'each of them overwrites the slot of the other',
  },
];

const warnBy = ({ claimsOf, told }: Rule, services: readonly Declared[], context: DecodeContext): void => {
  const first = new Map<string, Spot>();
  for (const service of services)
    for (const [claim, at] of claimsOf(service, context.directory)) {
      const known = first.get(claim);
      if (known === undefined) {
        first.set(claim, at);
        continue;
      }
      const message = `${standsAlready(known, at)}; ${told}`;
      reportAt(at, context, { code: 'ERR0222', severity: 'warning', message });
    }
};

/**
 * Warns about each service that claims the same as an earlier one. Services with `skip: true` do not count.
 */
export const warnOfSharedClaims = (bundles: readonly Bundle[], context: DecodeContext): void => {
  const services = bundles
    .flatMap((bundle) => [...bundle.services.values()])
    .flatMap(({ value }) => (value.skip === true ? [] : [value]));
  for (const rule of RULES) warnBy(rule, services, context);
};
