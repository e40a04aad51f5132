// The third witness: the process table, read straight from /proc. Zombies are dead, unless threads of theirs go on.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly startTicks: number;
  readonly command: string;
}

/** A process with what ties it to a scenario: its environment and its working directory. */
export interface Tied extends Process {
  readonly environment: ReadonlyMap<string, string>;
  readonly directory: string;
}

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** `undefined` when there is no such process, or only its zombie. */
export const processOf = (pid: number): Process | undefined => {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [state = '', parent, , session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if ((state === 'Z' || state === 'X') && !(Number(rest[13]) > 1)) return undefined;
  const command = (textOf(`/proc/${pid}/cmdline`) ?? '').split('\0').join(' ').trim();
  return { pid, parent: Number(parent), session: Number(session), startTicks: Number(rest[15]), command };
};

/** The letter that the kernel shows of its first thread. */
export const stateOf = (pid: number): string | undefined =>
  /^State:\s+(\S)/m.exec(textOf(`/proc/${pid}/status`) ?? '')?.[1];

export const isAlive = (pid: number): boolean => processOf(pid) !== undefined;

/** Whether it is this very process that is alive, and not a later one of the same number. */
export const isSame = ({ pid, startTicks }: Process): boolean => processOf(pid)?.startTicks === startTicks;

/** Every thread has it, while it has any memory. */
const environText = (pid: number): string => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/environ`) ?? '').find(Boolean) ?? '';
  } catch {
    return '';
  }
};

const environmentOf = (pid: number): ReadonlyMap<string, string> =>
  new Map(
    environText(pid)
      .split('\0')
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );

const directoryOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
};

/** All live processes but the caller. */
export const everybody = (): readonly Tied[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const found = processOf(Number(name));
      if (found === undefined) return [];
      return [{ ...found, environment: environmentOf(found.pid), directory: directoryOf(found.pid) }];
    });

/** How many bytes the process has written, wherever to. */
export const writtenBy = (pid: number): number =>
  Number(/^wchar: (\d+)$/m.exec(textOf(`/proc/${pid}/io`) ?? '')?.[1] ?? 0);
