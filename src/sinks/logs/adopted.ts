// Reads what is known of a process that outlived its supervisor: where its output goes, and its last lines.
// Rules: `docs/behaviour.md`, "Output", "A FIFO that was removed".
import { closeSync, constants, fstatSync, readlinkSync, readSync } from 'node:fs';
import { openAtOnce } from '../../os/files/own-file.ts';
import { momentOf } from '../../os/proc/moment.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { stampOf, STAMP_LENGTH } from '../../streams/wire/log-line.ts';

/** The last forty lines are rarely more. */
const TAIL_BYTES = 64 * 1024;
/** A start time is exact to one clock tick. */
const TOLERANCE_MS = 50;

/** A path that opens a removed FIFO, if one of these processes holds it as its standard output or error. */
export const heldBy = (processes: readonly ProcessRef[], fifo: string): string | undefined =>
  processes
    .flatMap(({ pid }) => [1, 2].map((descriptor) => `/proc/${pid}/fd/${descriptor}`))
    .find((path) => target(path) === `${fifo} (deleted)`);

const target = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** The stamp before the first line of the process. */
const bornAt = ({ startTicks }: ProcessRef): string => stampOf(new Date(momentOf(startTicks) - TOLERANCE_MS));

/** The last lines of its run in the log, with stamps. */
export const lastLinesOf = (process: ProcessRef, log: string): Buffer => {
  const tail = tailOf(log);
  const born = bornAt(process);
  const lines = tail.split('\n').slice(0, -1);
  const own = lines.filter(
    (line) => line.slice(0, STAMP_LENGTH) >= born && OWN.test(line.slice(STAMP_LENGTH)),
  );
  return Buffer.from(own.map((line) => `${line}\n`).join(''), 'latin1');
};

const OWN = /^ (stdout|stderr)\+? /;

const tailOf = (log: string): string => {
  try {
    const descriptor = openAtOnce(log, constants.O_RDONLY);
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
};
