// Listening sockets that the supervisor holds for a service (`docs/deployments.md`, "Held sockets").
import { refuseSame } from '../../check/sockets.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { list } from '../shapes/list.ts';
import { located, type Located } from '../shapes/located.ts';
import { socket, type Socket } from './nested/socket.ts';

const all = list(located(socket), { min: 1 });

export const sockets: Decoder<readonly Located<Socket>[]> = {
  ...all,
  decode: (spot, context) => {
    const declared = all.decode(spot, context);
    if (declared !== undefined) refuseSame(declared, context);
    return declared;
  },
};
