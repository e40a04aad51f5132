// The template: one launcher that is loaded once and copied for each launch of a bulk. A copy takes some
// milliseconds, a start of Node fifty. It waits for descriptors, makes a copy of itself that is a child of
// the supervisor, and waits for the next. The copy receives its orders over its own channel, like any
// launcher. The template knows no plan and no environment. It ends when the supervisor closes its socket or
// ends.
import { closeSync } from 'node:fs';
import type { Libc } from '../../../os/libc.ts';
import { siblings } from '../../../os/libc/fork.ts';
import { takeOver } from '../../../os/libc/handing.ts';
import { copied } from './copied.ts';
import { environmentRoom } from './environment-room.ts';
import { tellingOf } from './telling.ts';

const TEMPLATE = 'template';

/** Descriptor of its socket to the supervisor. */
const SOCKET = 3;

/** Arguments that make a launcher a template. */
export const TEMPLATE_ARGUMENTS: readonly string[] = [TEMPLATE];

export const isTemplate = (argv: readonly string[]): boolean => argv[2] === TEMPLATE;

/** Serves launches. Returns only if this process cannot be a template. */
export const serve = (libc: Libc): void => {
  const room = environmentRoom();
  const fork = siblings(libc);
  if (fork === undefined) return;
  for (;;) {
    const taken = takeOver(libc, SOCKET);
    if (taken === undefined) return;
    if (fork() === 'copy')
      copied(libc, { ...taken, telling: tellingOf(taken.message), socket: SOCKET, room });
    // The copy has them. If there is none, the supervisor sees its end closed.
    for (const descriptor of taken.descriptors) closeSync(descriptor);
  }
};
