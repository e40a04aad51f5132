// Listening sockets that the supervisor holds for a service (`docs/deployments.md`, "Held sockets").
import { list } from '../shapes/list.ts';
import { socket } from './nested/socket.ts';

export const sockets = list(socket, { min: 1 });
