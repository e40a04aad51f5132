// `sup` as users use it: through its command line, its control socket and its files.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Client } from '../../src/client/client.ts';
import { recordedPid } from '../../src/client/control-socket.ts';
import { command, succeed, type CommandOptions, type Finished } from '../measure/command.ts';
import type { Place } from '../measure/own-directory.ts';
import { manifestOf, projectOf } from './manifest.ts';
import type { Cluster, Server, Subject, Tool } from './subject.ts';

export interface Sup extends Subject {
  readonly dataDir: string;
  /** Runs a command. Rejects if its exit status is not 0. */
  readonly cli: (args: readonly string[], options?: CommandOptions) => Promise<Finished>;
  /** Runs a command. Resolves with any exit status. */
  readonly attempt: (args: readonly string[], options?: CommandOptions) => Promise<Finished>;
  /** Writes the manifest and resolves to its path. */
  readonly write: (text: string) => Promise<string>;
  readonly connect: () => Promise<Client>;
  /** Returns the pid of the running supervisor. */
  readonly pid: () => number;
}

const IDLE = 'version: "2"\nservices:\n  bench-idle: { exec: ["/bin/true"], restart_policy: never }\n';

interface CommandLine {
  readonly directory: string;
  readonly dataDir: string;
  readonly cli: Sup['cli'];
  readonly attempt: Sup['attempt'];
}

const commandLine = (
  dist: string,
  { directory, environment }: Place,
  options: readonly string[],
): CommandLine => {
  const dataDir = join(directory, 'data');
  const own = { ...environment, SUP_DATA_DIR: dataDir };
  const line = (args: readonly string[]): readonly string[] => [
    process.execPath,
    join(dist, 'sup.js'),
    ...args,
    ...options,
  ];
  const at = (more: CommandOptions = {}): CommandOptions => ({ directory, environment: own, ...more });
  return {
    directory,
    dataDir,
    cli: (args, more) => succeed(line(args), at(more)),
    attempt: (args, more) => command(line(args), at(more)),
  };
};

const writePrivate = async (file: string, text: string): Promise<string> => {
  await writeFile(file, text, { mode: 0o600 });
  return file;
};

/**
 * Starts the supervisor. A command starts it only together with a service, so the manifest has a service that
 * exits immediately.
 */
const boot = async ({ cli, directory }: CommandLine): Promise<unknown> => {
  const idle = join(directory, 'idle');
  await mkdir(idle, { recursive: true });
  return cli(['start', '-c', await writePrivate(join(idle, 'sup.yaml'), IDLE), '--daemonize']);
};

/** Returns a server whose instances share a held socket. */
const clusterOf = ({ cli }: CommandLine, write: Sup['write'], { argv, port }: Server): Cluster => ({
  start: async (replicas) => {
    const web = {
      exec: [process.execPath, ...argv],
      replicas,
      sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
      stop_timeout: '15s',
      deployment: {
        strategy: 'rolling',
        health_check: { url: `http://127.0.0.1:${port}/`, interval: '1s' },
      },
    };
    await cli(['start', '-c', await write(projectOf({ web })), '--daemonize']);
  },
  scale: (count) => cli(['scale', `web=${count}`]),
  roll: () => cli(['restart', 'web']),
  end: () => cli(['shutdown']),
});

/** Returns the `sup` of one measurement. `options` are appended to each command, for example `--sys`. */
export const openSup = (dist: string, place: Place, options: readonly string[] = []): Sup => {
  const line = commandLine(dist, place, options);
  const { cli, attempt, dataDir } = line;
  const manifest = join(place.directory, 'sup.yaml');
  const write: Sup['write'] = (text) => writePrivate(manifest, text);
  return {
    dataDir,
    cli,
    attempt,
    write,
    connect: () => connect(dataDir),
    pid: () => recordedPid(dataDir) ?? Number.NaN,
    boot: () => boot(line),
    declare: (programs) => write(manifestOf(programs)),
    start: (onStart) => cli(['start', '-c', manifest, '--daemonize'], onStart && { onStart }),
    stop: () => cli(['stop']),
    status: () => cli(['status']),
    end: () => cli(['shutdown']),
    cluster: (server) => clusterOf(line, write, server),
  };
};

export const sup = (dist: string, version: string): Tool => ({
  name: 'sup',
  version,
  open: (place) => openSup(dist, place),
});
