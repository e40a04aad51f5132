// A client too many: told so, and hung up on whether it takes that in or not.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { TRY_AGAIN_LATER } from '../../streams/wire/protocol.ts';

export const turnAway = (socket: WebSocket, line: Socket): void => {
  socket.close(TRY_AGAIN_LATER);
  line.destroySoon();
};
