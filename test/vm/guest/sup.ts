// The command, as root of the machine uses it.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { eventually } from './check.ts';

const SUP = '/opt/sup/dist/sup.js';
const LIMIT_MS = 240_000;

const run = (args: readonly string[]) =>
  spawnSync(process.execPath, [SUP, ...args], { encoding: 'utf8', timeout: LIMIT_MS });

/** What it prints, however it ends: `status` ends with 1 when something is not well. */
export const told = (...args: readonly string[]): string => run(args).stdout;

export const sup = (...args: readonly string[]): string => {
  const { status, stdout, stderr } = run(args);
  if (status === 0) return stdout;
  throw new Error(`sup ${args.join(' ')}: ${String(status)}: ${stderr.trim().replaceAll('\n', '; ')}`);
};

/** What a command that fails prints on standard error. */
export const failure = (...args: readonly string[]): string => {
  const { status, stderr } = run(args);
  if (status === 0) throw new Error(`sup ${args.join(' ')} ended with 0`);
  return stderr;
};

const NOBODYS_PLACE = '/tmp/nobody';

/** Runs `sup` as the user `nobody`, with a data directory of that user. Returns the output for any exit. */
export const tellNobody = (...args: readonly string[]): string => {
  mkdirSync(NOBODYS_PLACE, { recursive: true, mode: 0o700 });
  chownSync(NOBODYS_PLACE, 65_534, 65_534);
  const through = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, SUP];
  const env = { PATH: process.env['PATH'], HOME: NOBODYS_PLACE, SUP_DATA_DIR: NOBODYS_PLACE };
  const options = { encoding: 'utf8', timeout: LIMIT_MS, cwd: '/tmp', env } as const;
  const { stdout, stderr } = spawnSync('setpriv', [...through, ...args], options);
  return `${stdout}${stderr}`;
};

/** In the foreground as `nobody`, since on a slow machine a start takes longer than a command would wait. */
export const supervise = async (): Promise<void> => {
  spawn(process.execPath, [SUP, 'supervise', '--sys'], { stdio: 'ignore', detached: true }).unref();
  await eventually('the supervisor', () =>
    told('status', '--sys', '--json').includes('"running":true') ? true : undefined,
  );
};

interface ServiceDocument {
  readonly name: string;
  readonly state: string;
  readonly pid: number | null;
  readonly last_exit: unknown;
  readonly last_failure: unknown;
}

export const serviceNamed = (name: string): ServiceDocument => {
  const { projects } = JSON.parse(told('status', '--sys', '--json')) as {
    readonly projects: readonly { readonly services: readonly ServiceDocument[] }[];
  };
  const found = projects.flatMap(({ services }) => services).find((service) => service.name === name);
  if (found === undefined) throw new Error(`status knows no ${name}`);
  return found;
};

export const pidOf = (name: string): number => {
  const { pid, state } = serviceNamed(name);
  if (pid === null) throw new Error(`${name} has no process: it is ${state}`);
  return pid;
};

/** Loose services of version 3; JSON is YAML. */
export const declare = (file: string, services: Readonly<Record<string, unknown>>): string => {
  mkdirSync('/etc/sup', { recursive: true });
  const path = `/etc/sup/${file}.yaml`;
  writeFileSync(path, JSON.stringify({ version: '3', services }));
  return path;
};

export const start = (file: string, services: Readonly<Record<string, unknown>>): void => {
  sup('start', '--sys', '--daemonize', '-c', declare(file, services));
};
