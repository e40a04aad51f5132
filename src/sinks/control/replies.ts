// Answers commands: the request id names the client and the number of the reply. A client that is gone, or
// that asked an earlier supervisor, gets nothing.
import { ignoreElements, tap } from 'rxjs';
import type { Reply } from '../../streams/domain/command.ts';
import type { RequestId } from '../../streams/domain/ids.ts';
import type { Sink } from '../../streams/domain/ports.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { failureOf, resultOf } from '../../streams/wire/messages.ts';
import type { ControlServer } from '../../streams/wire/ports.ts';
import type { RpcMessage } from '../../streams/wire/protocol.ts';

export const replies =
  (server: ControlServer): Sink<'reply'> =>
  (reply$) =>
    reply$.pipe(
      tap(({ request, reply }) => {
        const { client, id } = addressOf(request);
        server.send(client, messageOf(id, reply));
      }),
      ignoreElements(),
    );

const addressOf = (request: RequestId): { readonly client: string; readonly id: number } => {
  const colon = request.lastIndexOf(':');
  return { client: request.slice(0, colon), id: Number(request.slice(colon + 1)) };
};

const messageOf = (id: number, reply: Reply): RpcMessage =>
  reply.ok ? resultOf(id, reply.done) : failureOf(id, errorDocument(reply.error), reply.warnings);
