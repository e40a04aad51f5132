// Facts about the machine: units of process times and memory (getauxval(3)), boot id, CPUs, and the
// wall-clock time at which a process started.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { textIfThere } from '../files/own-file.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { instant, type Instant } from '../../streams/domain/time.ts';

interface MachineUnits {
  readonly pageBytes: number;
  /** Milliseconds per tick of process times. */
  readonly tickMs: number;
}

const AT_PAGESZ = 6n;

const AT_CLKTCK = 17n;

const ENTRY_BYTES = 16;

/** Parses the auxiliary vector of a 64-bit little-endian machine: pairs of 64-bit key and value. */
export const unitsIn = (vector: Buffer): MachineUnits => {
  const values = new Map<bigint, bigint>();
  for (let at = 0; at + ENTRY_BYTES <= vector.length; at += ENTRY_BYTES)
    values.set(vector.readBigUInt64LE(at), vector.readBigUInt64LE(at + 8));
  const [page, ticks] = [values.get(AT_PAGESZ), values.get(AT_CLKTCK)];
  return { pageBytes: Number(page ?? 4_096n), tickMs: 1_000 / Number(ticks ?? 100n) };
};

/** Returns the units of this machine. If they cannot be read, returns the usual units: 4096 bytes, 10 ms. */
export const machineUnits = (): MachineUnits => {
  try {
    return unitsIn(readFileSync('/proc/self/auxv'));
  } catch {
    return unitsIn(Buffer.alloc(0));
  }
};

/**
 * Returns a kernel setting: the number in a file below `/proc/sys`. Returns `undefined` if the kernel does
 * not have the setting, and an error if the file cannot be read.
 */
export const kernelSetting = (path: string): number | Error | undefined => {
  const text = textIfThere(`/proc/sys/${path}`);
  return typeof text === 'string' ? Number(text.trim()) : text;
};

/** Returns the boot id, which the kernel makes at each boot. */
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

/** Returns the indexes of the CPUs that are online. */
export const onlineCpus = (): readonly number[] =>
  cpusIn(readFileSync('/sys/devices/system/cpu/online', 'utf8'));

/** The duration of a tick of process times, ms: `USER_HZ` is 100 Hz for every program on Linux. */
const TICK_MS = 10;

/**
 * Converts a start time in ticks since boot to wall-clock time. The result is never later than now, because a
 * damaged record could contain a future time.
 */
export const momentOf = (startTicks: number): Instant => {
  const now = Date.now();
  return instant(Math.min(now, Math.round(now - uptime() * 1_000 + startTicks * TICK_MS)));
};

/**
 * How far a start time may lie after `uptime`, ms, and still be valid: `uptime` has steps of 10 ms and may be
 * less than the start time of a new process.
 */
const TOLERANCE_MS = 1_000;

/**
 * Returns a function that is true if the recorded start time of a process lies in the future. In this case
 * the record must be wrong. The uptime is read only once, when the function is made, because Node opens a
 * file for each read.
 */
export const aheadOfNow = (): ((process: ProcessRef) => boolean) => {
  const latest = uptime() * 1_000 + TOLERANCE_MS;
  return ({ startTicks }) => startTicks * TICK_MS > latest;
};
