// A copy of the template, from its first moment. It starts a session, moves its descriptors to where a
// launcher has them, reports its pid, and then works as a launcher. It never returns to the template's loop.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Libc } from '../../../os/libc.ts';
import { alarmAfter } from '../../../os/libc/exec.ts';
import { leadSession, leave, ownPid, placeAt } from '../../../os/libc/fork.ts';
import { movesOf } from '../../../os/libc/descriptor-moves.ts';
import { channelOver, type Channel } from './channel.ts';
import { showMarks, type Room } from './environment-room.ts';
import { launchOneself } from './oneself.ts';
import { bornLine, type Telling } from './telling.ts';

interface Birth {
  readonly telling: Telling;
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

const onceOrdered = (libc: Libc, channel: Channel): Channel => ({
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
  writeSync(at, bornLine({ pid: ownPid(libc) }));
  const channel = onceOrdered(libc, channelOver(at));
  launchOneself(libc, { channel, handed: at - STANDARD, softFiles, marks });
};

/** Runs the copy and ends it on any failure: the supervisor finds the channel closed. */
export const copied = (libc: Libc, birth: Birth): never => {
  try {
    launched(libc, birth);
  } catch {
    // The end of the process reports it: nothing else can be notified.
  }
  return leave(libc, NOT_LAUNCHED);
};
