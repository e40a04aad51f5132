// The template: one launcher that is loaded once and copied for each launch of a bulk. A copy takes some
// milliseconds, a start of Node fifty. It waits for descriptors, makes a copy of itself that is a child of
// the supervisor, and waits for the next. The copy receives its orders over its own channel, like any
// launcher. The template knows no plan and no environment. It ends when the supervisor closes its socket or
// ends.
import { closeSync, openSync, writeSync } from 'node:fs';
import { takeOver } from '../../../os/libc/descriptor-passing.ts';
import { alarmAfter } from '../../../os/libc/execute.ts';
import { leadSession, leave, ownPid, placeAt, siblings } from '../../../os/libc/fork.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import { movesOf } from '../../../os/libc/posix-spawn.ts';
import {
  type LauncherChannel,
  channelOver,
  environmentRoom,
  type LaunchMessage,
  launchMessageIn,
  pidLine,
  type Room,
  showMarks,
} from './launcher-protocol.ts';
import { launchOneself } from './run-launcher.ts';

interface Birth {
  readonly telling: LaunchMessage;
  /** Standard output and error, descriptors for the program, the channel. */
  readonly descriptors: readonly number[];
  /** The template's own socket. */
  readonly socket: number;
  readonly room: Room;
}

const NOT_LAUNCHED = 127;
const STANDARD = 3;

/** Moves the descriptors into place and returns that of the channel. */
const placed = (libc: Libc, { descriptors, socket }: Birth): number => {
  closeSync(socket);
  const all = [openSync('/dev/null', 'r'), ...descriptors];
  for (const [from, to] of movesOf(all)) placeAt(libc, from, to);
  return all.length - 1;
};

/** A copy without orders ends by itself after this time, wherever it hangs. */
const ALARM_SECONDS = 30;

const onceOrdered = (libc: Libc, channel: LauncherChannel): LauncherChannel => ({
  ...channel,
  receive: () => {
    const order = channel.receive();
    alarmAfter(libc, 0);
    return order;
  },
});

const launched = (libc: Libc, birth: Birth): void => {
  const { softFiles, marks } = birth.telling;
  alarmAfter(libc, ALARM_SECONDS);
  leadSession(libc);
  showMarks(birth.room, marks);
  const at = placed(libc, birth);
  writeSync(at, pidLine({ pid: ownPid(libc) }));
  const channel = onceOrdered(libc, channelOver(at));
  launchOneself(libc, { channel, handed: at - STANDARD, softFiles, marks });
};

/** Runs the copy and ends it on any failure: the supervisor finds the channel closed. */
const copied = (libc: Libc, birth: Birth): never => {
  try {
    launched(libc, birth);
  } catch {
    // The end of the process reports it: nothing else can be notified.
  }
  return leave(libc, NOT_LAUNCHED);
};

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
      copied(libc, { ...taken, telling: launchMessageIn(taken.message), socket: SOCKET, room });
    // The copy has them. If there is none, the supervisor sees its end closed.
    for (const descriptor of taken.descriptors) closeSync(descriptor);
  }
};
