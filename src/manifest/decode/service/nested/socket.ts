// One listening socket (`docs/deployments.md`, "Held sockets").
import { resolve } from 'node:path';
import { fitsSocket, LONGEST_SOCKET_PATH } from '../../../../os/files/socket-path.ts';
import { refuseUnsafePlace } from '../../../check/safe-place.ts';
import { defaulted, required } from '../../shapes/field.ts';
import { object } from '../../shapes/object.ts';
import { whole } from '../../scalars/number.ts';
import { matching } from '../../scalars/text.ts';
import { complain, spotBelow, type Context, type Spot } from '../../shapes/decoder.ts';
import { listen, type Listen } from './listen.ts';

export interface Socket {
  readonly name: string;
  readonly listen: Listen;
  readonly backlog: number;
}

/** The limit of listen(2); the kernel reduces more to `net.core.somaxconn`. */
const MOST_WAITING = 2 ** 31 - 1;

/** A socket name as in systemd: it is listed between colons. */
const socketName = matching('socket name', /^[\x20-\x39\x3b-\x7e]{1,255}$/);

/** Refuses a path that is too long for the kernel once it is absolute. */
const refuseTooLong = ({ path }: Extract<Listen, { tag: 'unix' }>, spot: Spot, context: Context): void => {
  const full = resolve(context.directory, path);
  if (fitsSocket(full)) return;
  const message = `the path has ${Buffer.byteLength(full)} bytes from / on; that of a socket has ${LONGEST_SOCKET_PATH} at the most`;
  complain(spotBelow(spot, 'listen'), context, { code: 'ERR0213', message });
};

export const socket = object({
  name: 'socket',
  fields: {
    name: required(
      socketName,
      'What the service finds it by, in `LISTEN_FDNAMES`: up to 255 ASCII characters, no `:`.',
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
