// The template: one launcher that is loaded once and copied for each launch of a bulk, which takes some milliseconds where
// a start of Node takes fifty. It waits for descriptors, makes a copy of itself that is a child of the supervisor, and
// waits for the next; the copy is told what to do over a channel of its own, as any launcher is. The template knows no
// plan and no environment. It ends when the supervisor closes its socket, or is gone.
import { closeSync } from 'node:fs';
import type { Libc } from '../../../os/libc.ts';
import { siblings } from '../../../os/libc/fork.ts';
import { takeOver } from '../../../os/libc/handing.ts';
import { copied } from './copied.ts';
import { environmentRoom } from './environment-room.ts';
import { tellingOf } from './telling.ts';

const TEMPLATE = 'template';

/** Its socket to the supervisor. */
const SOCKET = 3;

/** What makes a launcher a template. */
export const TEMPLATE_ARGUMENTS: readonly string[] = [TEMPLATE];

export const isTemplate = (argv: readonly string[]): boolean => argv[2] === TEMPLATE;

/** Returns only where it cannot be one. */
export const serve = (libc: Libc): void => {
  const room = environmentRoom();
  const fork = siblings(libc);
  if (fork === undefined) return;
  for (;;) {
    const taken = takeOver(libc, SOCKET);
    if (taken === undefined) return;
    if (fork() === 'copy')
      copied(libc, { ...taken, telling: tellingOf(taken.message), socket: SOCKET, room });
    // The copy has them; where there is none, whoever waits at the other end hears of that.
    for (const descriptor of taken.descriptors) closeSync(descriptor);
  }
};
