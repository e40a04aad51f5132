// One listening socket (`docs/deployments.md`, "Held sockets").
import { isIP } from 'node:net';
import { defaulted, required } from '../../shapes/field.ts';
import { object } from '../../shapes/object.ts';
import { whole } from '../../scalars/number.ts';
import { read, refused, scalar } from '../../scalars/scalar.ts';
import { matching } from '../../scalars/text.ts';

type Listen =
  | { readonly tag: 'tcp'; readonly host: string; readonly port: number }
  | { readonly tag: 'unix'; readonly path: string };

const EVERYWHERE = '0.0.0.0';

const tcp = (given: string): Listen | undefined => {
  const found = /^(?:\[([^\]]+)\]:|([^:]+):|:)?(\d{1,5})$/.exec(given);
  if (found === null) return undefined;
  const [, six, four, digits] = found;
  const [host, port] = [six ?? four ?? EVERYWHERE, Number(digits)];
  const isAddress = isIP(host) === (six === undefined ? 4 : 6);
  return isAddress && port > 0 && port < 65_536 ? { tag: 'tcp', host, port } : undefined;
};

const listen = scalar<Listen>({
  label: 'address to listen at',
  schema: { type: ['string', 'integer'] },
  read: ({ text: given }) => {
    if (given.startsWith('unix:')) return read({ tag: 'unix', path: given.slice('unix:'.length) });
    if (given.startsWith('/')) return read({ tag: 'unix', path: given });
    const address = tcp(given);
    return address === undefined
      ? refused('is not a port, address:port, [address]:port, /path or unix:path')
      : read(address);
  },
});

export interface Socket {
  readonly name: string;
  readonly listen: Listen;
  readonly backlog: number;
}

/** As systemd has it: in a list that is parted by colons. */
const socketName = matching('socket name', /^[\x20-\x39\x3b-\x7e]{1,255}$/);

export const socket = object({
  name: 'socket',
  fields: {
    name: required(
      socketName,
      'What the service finds it by, in `LISTEN_FDNAMES`: up to 255 ASCII characters, no `:`.',
    ),
    listen: required(listen, 'A port, `address:port`, `[address]:port`, `/path` or `unix:path`.'),
    backlog: defaulted(whole({ min: 1 }), 511, 'Connections that may wait to be accepted.'),
  },
});
