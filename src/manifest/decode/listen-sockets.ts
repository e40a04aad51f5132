// Decodes the sockets that the supervisor opens for a service (`docs/deployments.md`, "Held sockets"). Their
// names and addresses must differ (ERR0213). The variables that describe the sockets override `env`
// (ERR0223).
import { resolve } from 'node:path';
import { written } from '../check/report-ignored-keys.ts';
import { refuseUnsafePlace } from '../check/safe-place.ts';
import { listen, type Listen } from './scalars/addresses.ts';
import { whole } from './scalars/number.ts';
import { matching } from './scalars/text.ts';
import { list, located, type Located } from './shapes/composite.ts';
import {
  reportAt,
  reportAtKey,
  type DecodeContext,
  type Spot,
  spotBelow,
  standsAlready,
  type ValueOf,
} from './shapes/decoder.ts';
import { defaulted, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { STATE_DIRECTORY } from '../../streams/env/service-environment.ts';
import { CREDENTIALS_DIRECTORY } from '../../streams/launch/mounts/credential-steps.ts';
import { fitsSocket, LONGEST_SOCKET_PATH } from '../../os/files/directories.ts';

/** The largest backlog of listen(2). Linux reduces it to `net.core.somaxconn`. */
const MOST_WAITING = 2 ** 31 - 1;

/**
 * Decodes the name of a socket as systemd allows it. It has no colon, because colons separate the names in
 * `LISTEN_FDNAMES`.
 */
const socketName = matching('socket name', /^[\x20-\x39\x3b-\x7e]{1,255}$/);

/** Refuses a socket path if its absolute form is too long for Linux. */
const refuseTooLong = (
  { path }: Extract<Listen, { tag: 'unix' }>,
  spot: Spot,
  context: DecodeContext,
): void => {
  const full = resolve(context.directory, path);
  if (fitsSocket(full)) return;
  const message = `the path has ${Buffer.byteLength(full)} bytes from / on; that of a socket has ${LONGEST_SOCKET_PATH} at the most`;
  reportAt(spotBelow(spot, 'listen'), context, { code: 'ERR0213', message });
};

export const socket = object({
  name: 'socket',
  fields: {
    name: required(
      socketName,
      'The name by which the service finds the socket in `LISTEN_FDNAMES`: up to 255 ASCII characters, no `:`.',
    ),
    listen: required(listen, 'A port, `address:port`, `[address]:port`, `/path` or `unix:path`.'),
    backlog: defaulted(
      whole({ min: 1, max: MOST_WAITING }),
      511,
      'Connections that may wait to be accepted.',
    ),
  },
  check: ({ listen: address }, spot, context) => {
    if (address.tag !== 'unix') return;
    refuseTooLong(address, spot, context);
    refuseUnsafePlace(resolve(context.directory, address.path), spotBelow(spot, 'listen'), context);
  },
});

type Declared = Located<ValueOf<typeof socket>>;

const nameOf = ({ value: { name } }: Declared): string => name;

/** Returns a text that is equal for equal socket addresses. */
export const addressOf = ({ value: { listen } }: Declared, directory: string): string =>
  listen.tag === 'unix' ? `unix:${resolve(directory, listen.path)}` : `[${listen.host}]:${listen.port}`;

const refuse = (
  { spot: first }: Declared,
  { spot: again }: Declared,
  { key, context }: { readonly key: string; readonly context: DecodeContext },
): void => {
  const [known, at] = [spotBelow(first, key), spotBelow(again, key)];
  reportAt(at, context, { code: 'ERR0213', message: standsAlready(known, at) });
};

/** Refuses a socket if an earlier socket has the same name or address. */
const refuseSame = (sockets: readonly Declared[], context: DecodeContext): void => {
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

/** The variables in which a service finds its listening sockets. */
export const LISTEN_VARIABLES: readonly string[] = ['LISTEN_FDS', 'LISTEN_FDNAMES', 'LISTEN_PID'];

/** Keys of a service that set variables of its process, with the names of these variables. */
const SET_BY: readonly (readonly [key: string, names: readonly string[]])[] = [
  ['sockets', LISTEN_VARIABLES],
  ['credentials', [CREDENTIALS_DIRECTORY]],
  ['state_dir', [STATE_DIRECTORY]],
  ['deployment.health_check.notify', ['NOTIFY_SOCKET']],
  ['deployment.health_check.liveness.watchdog', ['WATCHDOG_USEC']],
];

/** Reports variables and secrets of `env` that another key of the service sets. `spot`: the service. */
export const reportSetVariables = (spot: Spot, context: DecodeContext): void => {
  const { vars, secrets = {} } = context.scope.env;
  for (const [key, names] of SET_BY) {
    const at = written(spot, key);
    if (at === undefined) continue;
    for (const name of names.filter((each) => Object.hasOwn(vars, each)))
      reportAtKey(at, context, {
        code: 'ERR0223',
        severity: 'warning',
        message: `${name} of env has no effect: this key sets it`,
      });
    for (const name of names.filter((each) => Object.hasOwn(secrets, each)))
      reportAtKey(at, context, {
        code: 'ERR0222',
        message: `${name} is in env.secrets, and this key sets it`,
      });
  }
};

const all = list(located(socket), { min: 1 });

export const sockets: typeof all = {
  ...all,
  decode: (spot, context) => {
    const declared = all.decode(spot, context);
    if (declared !== undefined) refuseSame(declared, context);
    return declared;
  },
};
