// Rejects a client above the limit with a close code, and closes the line even if it does not read.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { TRY_AGAIN_LATER } from '../../streams/wire/protocol.ts';

export const turnAway = (socket: WebSocket, line: Socket): void => {
  socket.close(TRY_AGAIN_LATER);
  line.destroySoon();
};
