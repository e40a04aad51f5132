// Holders of ports, for people: `port 8080 is held by shop/web (pid 812, node)`.
import { shownId } from '../../domain/ids.ts';
import type { ListenPlace, PortHolder, Taken } from '../../domain/service/port.ts';

/** The holder of a port, if the kernel shows it. */
export const takenText = ({ port, holder }: Taken): string =>
  holder === undefined ? `port ${port} is already in use` : `port ${port} is held by ${holderText(holder)}`;

/** The same for the address of a held socket. */
export const heldText = (place: ListenPlace, holder: PortHolder): string =>
  'path' in place ? `it is held by ${holderText(holder)}` : takenText({ port: place.port, holder });

const holderText = ({ pid, name, service }: PortHolder): string => {
  const program = name === undefined ? '' : service === undefined ? ` (${name})` : `, ${name}`;
  return service === undefined ? `pid ${pid}${program}` : `${shownId(service)} (pid ${pid}${program})`;
};
