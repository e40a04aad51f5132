// What the kernel says of the processes of one measurement. They are found by a variable in their environment, never by
// their command lines: a search for those finds the searcher too.
import { readdirSync, readFileSync } from 'node:fs';

/** Carried by everything that a measurement starts; the value is the directory of the measurement. */
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

/** Fields of `/proc/<pid>/stat` from the third on; empty when nobody has the pid. */
const statFields = (pid: number): readonly string[] => {
  const line = read(`/proc/${pid}/stat`);
  return line === '' ? [] : line.slice(line.lastIndexOf(')') + 2).split(' ');
};

/** Zombies are not alive. */
export const isAlive = (pid: number): boolean => {
  const [state] = statFields(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
};

/** When it was started, in milliseconds since the machine's own start; steps of 10 ms. */
export const startedAt = (pid: number): number => Number(statFields(pid)[22 - 3]) * 10;

/** Now, on the clock of `startedAt`. */
export const machineUptime = (): number => Number(read('/proc/uptime').split(' ')[0]) * 1000;

const tasks = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
  } catch {
    return [];
  }
};

/** CPU time that its living threads have used so far, in milliseconds. */
export const cpuOf = (pid: number): number =>
  tasks(pid)
    .map((task) => Number(read(`${task}/schedstat`).split(' ')[0]) / 1e6)
    .reduce((total, time) => total + time, 0);

/** How often its threads went to sleep by themselves: each time they were woken up before. */
export const wakeUpsOf = (pid: number): number =>
  tasks(pid)
    .map((task) => /^voluntary_ctxt_switches:\s+(\d+)/m.exec(read(`${task}/status`))?.[1])
    .reduce((total, count) => total + Number(count ?? 0), 0);

const kilobytes = (text: string, key: string): number =>
  Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);

/** Its share of the memory it uses with others, in KiB. */
export const pssOf = (pid: number): number => kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss');

/** The memory it has, what it shares with others included, in KiB. */
export const residentOf = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmRSS');

/** The most memory it ever had, in KiB; `NaN` once it is gone. */
export const peakOf = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmHWM');

export const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();

/** Everybody alive who carries this mark. */
export const carriersOf = (mark: string): readonly number[] =>
  pids().filter(
    (pid) => read(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`) && isAlive(pid),
  );
