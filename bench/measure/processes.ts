// Reads the processes of one measurement from /proc. They are found by a variable in their environment, not
// by their command lines, since a search for those also finds itself.
import { readdirSync, readFileSync } from 'node:fs';

/** A variable of each process that a measurement starts. Its value is the directory of the measurement. */
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

/** The fields of `/proc/<pid>/stat` from the third on; empty if there is no such process. */
const statFields = (pid: number): readonly string[] => {
  const line = read(`/proc/${pid}/stat`);
  return line === '' ? [] : line.slice(line.lastIndexOf(')') + 2).split(' ');
};

/** True for a process that exists and is no zombie. */
export const isAlive = (pid: number): boolean => {
  const [state] = statFields(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
};

/** When it started, in milliseconds since boot (steps of 10 ms). */
export const startedAt = (pid: number): number => Number(statFields(pid)[22 - 3]) * 10;

/** Milliseconds since boot. */
export const machineUptime = (): number => Number(read('/proc/uptime').split(' ')[0]) * 1000;

const tasks = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
  } catch {
    return [];
  }
};

/** CPU time of its living threads so far, ms. */
export const cpuOf = (pid: number): number =>
  tasks(pid)
    .map((task) => Number(read(`${task}/schedstat`).split(' ')[0]) / 1e6)
    .reduce((total, time) => total + time, 0);

/** How often its threads have gone to sleep, which is how often they were woken. */
export const wakeUpsOf = (pid: number): number =>
  tasks(pid)
    .map((task) => /^voluntary_ctxt_switches:\s+(\d+)/m.exec(read(`${task}/status`))?.[1])
    .reduce((total, count) => total + Number(count ?? 0), 0);

const kilobytes = (text: string, key: string): number =>
  Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);

/** Its memory with its share of shared pages (PSS), KiB. */
export const pssOf = (pid: number): number => kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss');

/** Its memory including shared pages (RSS), KiB. */
export const residentOf = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmRSS');

/** Its peak memory, KiB; `NaN` if it is gone. */
export const peakOf = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmHWM');

export const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();

/** All living processes with this mark. */
export const carriersOf = (mark: string): readonly number[] =>
  pids().filter(
    (pid) => read(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`) && isAlive(pid),
  );
