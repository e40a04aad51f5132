// Commands from clients as `requested` events. The request id holds the client and its request number, so
// that the reply finds its way back.
import { filter, map, type Observable } from 'rxjs';
import type { Event } from '../../streams/domain/event.ts';
import { requestId } from '../../streams/domain/ids.ts';
import type { ClientRequest } from '../../streams/wire/codec.ts';
import type { ControlServer, Incoming } from '../../streams/wire/ports.ts';

type CommandRequest = Extract<ClientRequest, { method: 'command' }>;
type IncomingCommand = Incoming & { readonly request: CommandRequest };

const isCommand = (incoming: Incoming): incoming is IncomingCommand => incoming.request.method === 'command';

/** Emits `requested` for each incoming `command`. */
export function commandRequests(server: ControlServer): Observable<Event> {
  return server.incoming$.pipe(
    filter(isCommand),
    map(({ client, request }) => ({
      type: 'requested',
      request: requestId(`${client}:${request.id}`),
      command: request.params,
    })),
  );
}
