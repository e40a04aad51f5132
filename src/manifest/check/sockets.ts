// Checks the sockets of one service. Each needs its own name and address (ERR0213). The variables that
// describe them are always set, even if `env` sets them too (ERR0223).
import { resolve } from 'node:path';
import type { Socket } from '../decode/service/nested/socket.ts';
import { complain, complainAtKey, spotBelow, type Context, type Spot } from '../decode/shapes/decoder.ts';
import type { Located } from '../decode/shapes/located.ts';
import { childOf } from '../read/node.ts';
import { standsAlready } from './stands-already.ts';

type Declared = Located<Socket>;

const nameOf = ({ value: { name } }: Declared): string => name;

/** The address as text, to compare by. */
export const addressOf = ({ value: { listen } }: Declared, directory: string): string =>
  listen.tag === 'unix' ? `unix:${resolve(directory, listen.path)}` : `[${listen.host}]:${listen.port}`;

const refuse = (
  { spot: first }: Declared,
  { spot: again }: Declared,
  { key, context }: { readonly key: string; readonly context: Context },
): void => {
  const [known, at] = [spotBelow(first, key), spotBelow(again, key)];
  complain(at, context, { code: 'ERR0213', message: standsAlready(known, at) });
};

/** Reports the second of two sockets with the same name or address. */
export const refuseSame = (sockets: readonly Declared[], context: Context): void => {
  const told = [
    ['name', nameOf],
    ['listen', (socket: Declared) => addressOf(socket, context.directory)],
  ] as const;
  for (const [key, of] of told) {
    const first = new Map<string, Declared>();
    for (const socket of sockets) {
      const known = first.get(of(socket));
      if (known === undefined) first.set(of(socket), socket);
      else refuse(known, socket, { key, context });
    }
  }
};

/** Variables that describe its sockets to a service. */
export const LISTEN_VARIABLES: readonly string[] = ['LISTEN_FDS', 'LISTEN_FDNAMES', 'LISTEN_PID'];

/** Warns if `env` sets such a variable. `spot` is a service, in the scope of its variables. */
export const warnOfListening = (spot: Spot, context: Context): void => {
  const { vars } = context.scope.env;
  if (childOf(spot.node, 'sockets') === undefined) return;
  for (const name of LISTEN_VARIABLES.filter((each) => Object.hasOwn(vars, each)))
    complainAtKey(spotBelow(spot, 'sockets'), context, {
      code: 'ERR0223',
      severity: 'warning',
      message: `${name} of env has no effect: it is set for these sockets`,
    });
};
