// Two services whose sockets listen at one address (ERR0222): a warning, since they may be meant to take turns.
import type { Socket } from '../decode/service/nested/socket.ts';
import { complain, spotBelow, type Context } from '../decode/shapes/decoder.ts';
import type { Located } from '../decode/shapes/located.ts';
import type { Bundle } from '../resolve/bundles.ts';
import { addressOf, standsAlready } from './sockets.ts';

type Declared = Located<Socket>;

const warnOfOne = ({ spot: first }: Declared, { spot: again }: Declared, context: Context): void => {
  const [known, at] = [spotBelow(first, 'listen'), spotBelow(again, 'listen')];
  const message = `${standsAlready(known, at)}; only one of them can be up at a time`;
  complain(at, context, { code: 'ERR0222', severity: 'warning', message });
};

/** Of each service that may come up. */
const socketsIn = (bundles: readonly Bundle[]): readonly (readonly Declared[])[] =>
  bundles
    .flatMap(({ services }) => [...services.values()])
    .flatMap(({ value: { skip, sockets } }) => (skip === true || sockets === undefined ? [] : [sockets]));

/** Warns of the second of two services that listen at the same address. */
export const warnOfShared = (bundles: readonly Bundle[], context: Context): void => {
  const first = new Map<string, Declared>();
  for (const sockets of socketsIn(bundles)) {
    // Within one service that is refused.
    const own = new Map(sockets.map((socket) => [addressOf(socket, context.directory), socket]));
    for (const [address, socket] of own) {
      const known = first.get(address);
      if (known === undefined) first.set(address, socket);
      else warnOfOne(known, socket, context);
    }
  }
};
