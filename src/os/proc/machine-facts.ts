// The machine as the kernel shows it: the units of process times and memory, from the auxiliary vector
// (getauxval(3)); the boot, after which no recorded process is alive and its pid may belong to another one;
// the CPUs; and when a process started, by the current clock.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { instant, type Instant } from '../../streams/domain/time.ts';

interface MachineUnits {
  readonly pageBytes: number;
  /** Milliseconds in one tick of process times. */
  readonly tickMs: number;
}

const AT_PAGESZ = 6n;

const AT_CLKTCK = 17n;

const ENTRY_BYTES = 16;

/** Parses the vector of a 64-bit little-endian machine: pairs of 64-bit numbers. */
export const unitsIn = (vector: Buffer): MachineUnits => {
  const values = new Map<bigint, bigint>();
  for (let at = 0; at + ENTRY_BYTES <= vector.length; at += ENTRY_BYTES)
    values.set(vector.readBigUInt64LE(at), vector.readBigUInt64LE(at + 8));
  const [page, ticks] = [values.get(AT_PAGESZ), values.get(AT_CLKTCK)];
  return { pageBytes: Number(page ?? 4_096n), tickMs: 1_000 / Number(ticks ?? 100n) };
};

/** The units of this machine; the usual ones if they cannot be read. */
export const machineUnits = (): MachineUnits => {
  try {
    return unitsIn(readFileSync('/proc/self/auxv'));
  } catch {
    return unitsIn(Buffer.alloc(0));
  }
};

/** The boot id, which is new after each boot. */
export const currentBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

export const cpusIn = (list: string): readonly number[] =>
  list
    .trim()
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });

/** The CPUs that are online. */
export const onlineCpus = (): readonly number[] =>
  cpusIn(readFileSync('/sys/devices/system/cpu/online', 'utf8'));

/** One tick of `USER_HZ`, which is 100 for every program on Linux. */
const TICK_MS = 10;

/**
 * The start time, precise to a tick. It is never later than now: a damaged record, or a process that CRIU
 * restored, may hold a start that no calendar can.
 */
export const momentOf = (startTicks: number): Instant => {
  const now = Date.now();
  return instant(Math.min(now, Math.round(now - uptime() * 1_000 + startTicks * TICK_MS)));
};

/** `uptime` has a resolution of 10 ms, and lags slightly when a process has just started. */
const TOLERANCE_MS = 1_000;

/** True if the start lies in the future, so that the record is wrong. */
export const isAhead = ({ startTicks }: ProcessRef): boolean =>
  startTicks * TICK_MS > uptime() * 1_000 + TOLERANCE_MS;
