// PM2 from npm, installed in the directory of this run.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { succeed, type Finished } from '../measure/command.ts';
import type { Place } from '../measure/own-directory.ts';
import type { Cluster, Program, Server, Subject, Tool } from './subject.ts';

const INSTALL_MS = 120_000;

/**
 * Returns the settings of a program, tuned for these workloads: no interpreter, no restart limit, no delay
 * between restarts.
 */
const appOf = ({ name, argv, restart = false, stopSeconds }: Program): unknown => ({
  name,
  script: argv[0],
  args: argv.slice(1),
  interpreter: 'none',
  autorestart: restart,
  ...(restart && { restart_delay: 0, max_restarts: 1_000_000, min_uptime: 0 }),
  ...(stopSeconds !== undefined && { kill_timeout: stopSeconds * 1000 }),
});

/**
 * Returns a server in PM2's cluster mode: PM2 listens at the port and passes the connections to the
 * processes.
 */
const clusterOf = (
  pm2: (args: readonly string[]) => Promise<Finished>,
  ecosystem: string,
  { argv: [script, ...args], port }: Server,
): Cluster => ({
  start: async (instances) => {
    const settings = { exec_mode: 'cluster', instances, kill_timeout: 15_000, env: { PORT: port } };
    await writeFile(ecosystem, JSON.stringify({ apps: [{ name: 'web', script, args, ...settings }] }));
    await pm2(['start', ecosystem]);
  },
  scale: (count) => pm2(['scale', 'web', String(count)]),
  roll: () => pm2(['reload', 'web']),
  end: () => pm2(['kill']),
});

const open =
  (bin: string) =>
  ({ directory, environment }: Place): Subject => {
    const ecosystem = join(directory, 'ecosystem.json');
    const own = {
      ...environment,
      PM2_HOME: join(directory, 'pm2'),
      PM2_DISCRETE_MODE: 'true',
      PM2_KILL_SIGNAL: 'SIGTERM',
      CI: '1',
    };
    const pm2 = (args: readonly string[], onStart?: (pid: number) => void): Promise<Finished> =>
      succeed([process.execPath, bin, ...args], {
        environment: own,
        directory,
        limitMs: 120_000,
        ...(onStart && { onStart }),
      });
    return {
      cluster: (server) => clusterOf(pm2, ecosystem, server),
      boot: () => pm2(['ping']),
      declare: (programs) => writeFile(ecosystem, JSON.stringify({ apps: programs.map(appOf) })),
      start: (onStart) => pm2(['start', ecosystem], onStart),
      stop: () => pm2(['stop', 'all']),
      status: () => pm2(['list']),
      end: () => pm2(['kill']),
    };
  };

export const installPm2 = async (scratch: string): Promise<Tool> => {
  const home = join(scratch, 'pm2');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), '{"private":true}');
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', 'pm2'];
  await succeed(install, { directory: home, limitMs: INSTALL_MS });
  const bin = join(home, 'node_modules/pm2/bin/pm2');
  const place = { PM2_HOME: join(home, 'version') };
  const { stdout } = await succeed([process.execPath, bin, 'ping'], { environment: place }).then(() =>
    succeed([process.execPath, bin, '--version'], { environment: place }),
  );
  await succeed([process.execPath, bin, 'kill'], { environment: place });
  return { name: 'pm2', version: stdout.trim(), open: open(bin) };
};
