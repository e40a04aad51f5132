// What the kernel says.
import { readFileSync, readdirSync } from 'node:fs';

export const HIERARCHY = '/sys/fs/cgroup';
export const ROOT = `${HIERARCHY}/vm/sup`;

export const read = (path: string): string => readFileSync(path, 'utf8').trim();

export const cgroupFile = (service: string, file: string): string =>
  read(`${ROOT}/__loose__:${service}/${file}`);

export const numbersIn = (text: string): readonly number[] => text.split(/\s+/).filter(Boolean).map(Number);

/** `memory.events`, `cpu.stat`: a name and a number each. */
export const counter = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

interface Stat {
  readonly pid: number;
  readonly command: string;
  readonly state: string;
  readonly parent: number;
}

const statOf = (pid: number): readonly Stat[] => {
  try {
    const [, command = '', state = '', parent = ''] =
      /^\d+ \((.*)\) (\S) (\d+)/s.exec(read(`/proc/${pid}/stat`)) ?? [];
    return [{ pid, command, state, parent: Number(parent) }];
  } catch {
    return [];
  }
};

export const processes = (): readonly Stat[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));

export const statusLine = (pid: number, name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 'none';
