// The template: a launcher that is loaded once and forks itself for each launch, in a few milliseconds
// instead of about 50. The fork is a child of the supervisor and gets its order over its own channel, so the
// template sees no launch plan. The template ends when the supervisor closes the socket between them.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "As the service".
import { closeSync, openSync, writeSync } from 'node:fs';
import { takeOver } from '../../../os/sockets/descriptor-passing.ts';
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
  /** In this order: standard output, standard error, descriptors for the program, the channel. */
  readonly descriptors: readonly number[];
  /** The descriptor of the template's socket to the supervisor. */
  readonly socket: number;
  readonly room: Room;
}

const NOT_LAUNCHED = 127;
const STANDARD = 3;

/** Moves the descriptors to their final numbers. Returns the number of the channel. */
const placed = (libc: Libc, { descriptors, socket }: Birth): number => {
  closeSync(socket);
  const all = [openSync('/dev/null', 'r'), ...descriptors];
  for (const [from, to] of movesOf(all)) placeAt(libc, from, to);
  return all.length - 1;
};

/** The time after which SIGALRM kills a forked launcher that has received no order, s. */
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

/**
 * Runs the launch in the fork. If the launch fails, exits: the supervisor sees that the channel is closed.
 */
const copied = (libc: Libc, birth: Birth): never => {
  try {
    launched(libc, birth);
  } catch {
    // The end of the process is the only report that is possible here.
  }
  return leave(libc, NOT_LAUNCHED);
};

const TEMPLATE = 'template';

/** The number of the descriptor of the template's socket to the supervisor. */
const SOCKET = 3;

/** Arguments that make a launcher a template. */
export const TEMPLATE_ARGUMENTS: readonly string[] = [TEMPLATE];

export const isTemplate = (argv: readonly string[]): boolean => argv[2] === TEMPLATE;

/** Serves launches until the supervisor closes the socket. Returns at once if this process cannot fork. */
export const serve = (libc: Libc): void => {
  const room = environmentRoom();
  const fork = siblings(libc);
  if (fork === undefined) return;
  for (;;) {
    const taken = takeOver(libc, SOCKET);
    if (taken === undefined) return;
    if (fork() === 'copy')
      copied(libc, { ...taken, telling: launchMessageIn(taken.message), socket: SOCKET, room });
    // The fork has copies of these descriptors. If the fork failed, these are the last descriptors of the
    // channel's other end. When they are closed, the supervisor notices the failure.
    for (const descriptor of taken.descriptors) closeSync(descriptor);
  }
};
