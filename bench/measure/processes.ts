// Reads the processes of one measurement from /proc. They are found by a variable in their environment. A
// search by command line would also find the searching process.
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Name of the variable that marks every process of a measurement. Its value is the measurement's directory.
 */
export const MARK = 'SUP_BENCH';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const pids = (): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid));

/** Returns the fields of `/proc/<pid>/stat` from the third on; an empty list if there is no such process. */
const statFields = (pid: number): readonly string[] => {
  const line = read(`/proc/${pid}/stat`);
  return line === '' ? [] : line.slice(line.lastIndexOf(')') + 2).split(' ');
};

/** True for a process that exists and is no zombie. */
export const isAlive = (pid: number): boolean => {
  const [state] = statFields(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
};

/** Returns when the process started, in milliseconds since boot (resolution 10 ms). */
export const startedAt = (pid: number): number => Number(statFields(pid)[22 - 3]) * 10;

/** Returns the time since boot, ms. */
export const machineUptime = (): number => Number(read('/proc/uptime').split(' ')[0]) * 1000;

const tasks = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
  } catch {
    return [];
  }
};

/** Returns the CPU time that the living threads of the process have used, ms. */
export const cpuOf = (pid: number): number =>
  tasks(pid)
    .map((task) => Number(read(`${task}/schedstat`).split(' ')[0]) / 1e6)
    .reduce((total, time) => total + time, 0);

/**
 * Returns how often the threads of the process have gone to sleep, which is also how often they were woken.
 */
export const wakeUpsOf = (pid: number): number =>
  tasks(pid)
    .map((task) => /^voluntary_ctxt_switches:\s+(\d+)/m.exec(read(`${task}/status`))?.[1])
    .reduce((total, count) => total + Number(count ?? 0), 0);

/** Returns how many bytes the process has caused to be written to disk. */
export const writtenBy = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? Number.NaN);

const kilobytes = (text: string, key: string): number =>
  Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);

/** Returns the memory of the process including its share of shared pages (PSS), KiB. */
export const pssOf = (pid: number): number => kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss');

/** Returns the memory of the process including all shared pages (RSS), KiB. */
export const residentOf = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmRSS');

/** Returns the peak memory of the process, KiB; `NaN` if it has exited. */
export const peakOf = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmHWM');

export const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();

/** Returns all living processes of one measurement. `mark`: the value of the variable. */
export const carriersOf = (mark: string): readonly number[] =>
  pids().filter(
    (pid) => read(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`) && isAlive(pid),
  );
