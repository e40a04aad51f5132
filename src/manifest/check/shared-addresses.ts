// Warns of two services that listen at one address.
import { spotBelow, type Context } from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/bundles.ts';
import { warnOfShared } from './shared.ts';
import { addressOf } from './sockets.ts';

export const warnOfSharedAddresses = (bundles: readonly Bundle[], context: Context): void =>
  warnOfShared(
    bundles,
    {
      // Two sockets of one service are refused elsewhere.
      claimsOf: ({ sockets = [] }) =>
        new Map(
          sockets.map((socket) => [addressOf(socket, context.directory), spotBelow(socket.spot, 'listen')]),
        ),
      told: 'only one of them can be up at a time',
    },
    context,
  );
