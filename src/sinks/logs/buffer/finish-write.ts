// Completes a write to a log that a killed supervisor had begun. The end of the log file shows how much was
// written.
// Rules: `docs/behaviour.md`, "Output".
import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Write } from '../../../streams/output/output-region.ts';
import { remainder } from '../../../streams/output/output-recovery.ts';
import type { LogDisk } from '../file/rotate-log.ts';
import type { Liner } from '../log-lines.ts';
import type { Slot } from './output-slot.ts';

interface Log {
  readonly path: string;
  readonly disk: LogDisk;
  readonly liner: Liner;
  readonly text: (micros: number) => string;
}

/** Returns the path of the log file with this inode. The file may have been renamed by a rotation. */
const fileOf = ({ path, disk }: Log, inode: number): string | undefined =>
  disk
    .list(dirname(path))
    .filter((name) => name.startsWith(basename(path)))
    .map((name) => join(dirname(path), name))
    .find((file) => disk.statOf(file)?.ino === inode);

const append = ({ disk }: Log, file: string, { lines, size }: Begun): void => {
  const fd = disk.open(file, constants.O_RDWR | constants.O_APPEND);
  try {
    const tail = Buffer.alloc(lines.length);
    const rest = lines.subarray(remainder(lines, tail.subarray(0, disk.read(fd, tail, size))));
    if (rest.length === 0 || disk.write(fd, rest) === rest.length) return;
    disk.truncate(fd, size);
    throw new Error('no room');
  } finally {
    disk.close(fd);
  }
};

interface Begun extends Pick<Write, 'size'> {
  readonly lines: Buffer;
}

/**
 * Completes the write that a slot (the buffer of one stream) records as unfinished, if there is one. If that
 * fails, the lines of the write are written again later.
 */
export const finishWrite = (slot: Slot, log: Log): void => {
  const write = slot.unfinished;
  if (write === undefined) return;
  try {
    const file = fileOf(log, write.inode);
    if (file === undefined) throw new Error('it is gone');
    const stretch = { from: slot.start, cut: write.cut, ending: write.ending };
    const { lines } = log.liner.made(slot.memory.bytes, stretch, log.text(write.stamp));
    append(log, file, { lines: Buffer.from(lines, 'latin1'), size: write.size });
    slot.written(write.cut);
  } catch {
    // The log was replaced or the disk is full. The lines stay in the slot, like output that was just read.
    slot.notWritten();
  }
};
