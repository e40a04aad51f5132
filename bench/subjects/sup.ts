// `sup` itself, from outside: its command line, its control socket, its files.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Client } from '../../src/cli/client.ts';
import { recordedPid } from '../../src/cli/socket-path.ts';
import { command, succeed, type CommandOptions, type Finished } from '../measure/command.ts';
import type { Place } from '../measure/own-directory.ts';
import { until } from '../measure/until.ts';
import { manifestOf } from './manifest.ts';
import type { Program, Subject, Tool } from './subject.ts';

export interface Sup extends Subject {
  readonly dataDir: string;
  /** The command line; rejects unless it exits with 0. */
  readonly cli: (args: readonly string[], options?: CommandOptions) => Promise<Finished>;
  /** The same, whatever its exit status. */
  readonly attempt: (args: readonly string[], options?: CommandOptions) => Promise<Finished>;
  /** Writes a manifest and returns its path. */
  readonly write: (text: string) => Promise<string>;
  readonly connect: () => Promise<Client>;
  /** Of the running supervisor. */
  readonly pid: () => number;
}

const IDLE = 'version: "2"\nservices:\n  bench-idle: { exec: ["/bin/true"], restart_policy: never }\n';

export const openSup = (dist: string, { directory, environment }: Place): Sup => {
  const dataDir = join(directory, 'data');
  const manifest = join(directory, 'sup.yaml');
  const own = { ...environment, SUP_DATA_DIR: dataDir };
  const line = (args: readonly string[]): readonly string[] => [
    process.execPath,
    join(dist, 'sup.js'),
    ...args,
  ];
  const at = (options: CommandOptions = {}): CommandOptions => ({ directory, environment: own, ...options });
  const cli: Sup['cli'] = (args, options) => succeed(line(args), at(options));
  const write: Sup['write'] = async (text) => {
    await writeFile(manifest, text, { mode: 0o600 });
    return manifest;
  };
  return {
    dataDir,
    cli,
    attempt: (args, options) => command(line(args), at(options)),
    write,
    connect: () => connect(dataDir),
    pid: () => recordedPid(dataDir) ?? Number.NaN,
    boot: async () => {
      const idle = join(directory, 'idle');
      await mkdir(idle, { recursive: true });
      await writeFile(join(idle, 'sup.yaml'), IDLE, { mode: 0o600 });
      await cli(['start', '-c', join(idle, 'sup.yaml'), '--daemonize']);
    },
    declare: async (programs: readonly Program[]) => void (await write(manifestOf(programs))),
    start: (onStart) => cli(['start', '-c', manifest, '--daemonize'], onStart && { onStart }),
    stop: () => cli(['stop']),
    status: () => cli(['status']),
    end: async () => {
      await cli(['shutdown']);
      await until(() => (recordedPid(dataDir) === undefined ? true : undefined), {
        what: 'the end of the supervisor',
        limitMs: 10_000,
      }).catch(() => undefined);
    },
  };
};

export const sup = (dist: string, version: string): Tool => ({
  name: 'sup',
  version,
  open: (place) => openSup(dist, place),
});
