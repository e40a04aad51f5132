// What confines a process, as far as `/proc/<pid>` shows it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isGone } from '../errno.ts';

/** Lines of `/proc/<pid>/status`. */
const LINES = [
  ...['NoNewPrivs', 'Seccomp', 'Seccomp_filters'],
  ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'],
  ...['Gid', 'Groups'],
];

const fieldsIn = (status: string, name: string): readonly string[] => {
  const [, text = ''] = new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status) ?? [];
  return text.trim() === '' ? [] : text.trim().split(/[ \t]+/);
};

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'latin1');

/** Real, effective, saved and file system uid. Throws if the process is gone. */
export const uidsOf = (pid: number): readonly number[] => fieldsIn(statusOf(pid), 'Uid').map(Number);

/** Empty for a pid namespace without a process yet, which has no name. */
const linkText = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
};

/** Credentials, filters, namespaces and root directory, by name. Throws if they cannot be read. */
export const confinementOf = (pid: number): Readonly<Record<string, string>> => {
  const status = statusOf(pid);
  const lines = LINES.map((name) => [name, fieldsIn(status, name).join(' ')] as const);
  const namespaces = readdirSync(`/proc/${pid}/ns`).map((name) => `ns/${name}`);
  const links = [...namespaces, 'root'].map((name) => [name, linkText(`/proc/${pid}/${name}`)] as const);
  return Object.fromEntries([...lines, ...links]);
};
