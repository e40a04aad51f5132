// Warns if two services need something that only one can have, such as a socket address (ERR0222). This is
// only a warning, because the two may run at different times.
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
import type { Bundle } from '../resolve/group-by-project.ts';

type Declared = NonNullable<ReturnType<Bundle['services']['get']>>['value'];

/** The things that a service needs for itself alone, each with its place in the manifest. */
type Claims = ReadonlyMap<string, Spot>;

interface Rule {
  readonly claimsOf: (service: Declared, directory: string) => Claims;
  /** What happens if two services need the same thing, as text for the user. */
  readonly told: string;
}

/**
 * Returns the path with the links in its directory resolved. A link at its end is kept, because a write there
 * replaces the link.
 */
const placeOf = (path: string): string => join(realPlace(dirname(path)), basename(path));

const RULES: readonly Rule[] = [
  {
    // Two equal sockets of one service are refused in `listen-sockets.ts`.
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
  {
    claimsOf: ({ stateDir }, directory) =>
      stateDir === undefined
        ? new Map()
        : new Map([[placeOf(resolve(directory, stateDir.value)), stateDir.spot]]),
    told: 'they share one directory',
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
 * Warns about each service that needs the same thing as an earlier service. Ignores services with `skip:
 * true`.
 */
export const warnOfSharedClaims = (bundles: readonly Bundle[], context: DecodeContext): void => {
  const services = bundles
    .flatMap((bundle) => [...bundle.services.values()])
    .flatMap(({ value }) => (value.skip === true ? [] : [value]));
  for (const rule of RULES) warnBy(rule, services, context);
};
