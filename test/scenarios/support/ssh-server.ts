// Debian's sshd for one scenario: on loopback, as the present user, with keys that are made for it. Each of its
// machines is a port of it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { SSHD } from '../../support/sshd.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import type { Running } from './command.ts';
import type { Stage } from './stage.ts';

const OLDER = 'echo \'{"dial":0,"version":"0.0.1"}\'; exec sleep 5';

interface Machines {
  /** Runs `sup` on this side, with another data directory than the other side has. */
  readonly begin: (...args: readonly string[]) => Running;
  /** The same, with the file as standard input. */
  readonly beginWith: (file: string, ...args: readonly string[]) => Running;
  /** Ends all connections. */
  readonly cut: () => void;
  readonly close: () => void;
}

const program = (file: string, text: string): void => {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
};

/** Writes programs called `sup` and `ssh`, keys and configurations. */
const prepare = (stage: Stage, ports: Readonly<Record<string, number>>): string => {
  const place = join(stage.root, 'ssh');
  for (const folder of ['box', 'old', 'here', 'data']) mkdirSync(join(place, folder), { recursive: true });
  for (const key of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(place, key)]);
  program(join(place, 'box/sup'), `exec ${stage.line()} "$@"`);
  program(join(place, 'old/sup'), OLDER);
  program(join(place, 'here/ssh'), `exec /usr/bin/ssh -F ${place}/config "$@"`);
  const path = process.env['PATH'] ?? '';
  const own: Readonly<Record<string, string>> = {
    box: `SetEnv PATH=${place}/box:${path} SUP_DATA_DIR=${stage.data}`,
    old: `SetEnv PATH=${place}/old:${path}`,
    bare: 'SetEnv PATH=/usr/bin:/bin',
    locked: 'PubkeyAuthentication no',
  };
  const listening = Object.keys(own).map((name) => `Port ${ports[name] ?? 0}`);
  const matching = Object.entries(own).map(
    ([name, line]) => `Match LocalPort ${ports[name] ?? 0}\n  ${line}`,
  );
  const server = [
    ...listening,
    ...['ListenAddress 127.0.0.1', `HostKey ${place}/host`, `AuthorizedKeysFile ${place}/user.pub`],
    ...['UsePAM no', 'StrictModes no', 'PidFile none', 'KbdInteractiveAuthentication no', ...matching],
  ];
  writeFileSync(join(place, 'sshd_config'), `${server.join('\n')}\n`);
  const known = `* ${readFileSync(join(place, 'host.pub'), 'utf8')}`;
  writeFileSync(join(place, 'known_hosts'), known);
  const hosts = Object.entries(ports).map(([name, port]) => `Host ${name}\n  Port ${port}`);
  const client = [
    ...hosts,
    ...['Host *', 'HostName 127.0.0.1', `IdentityFile ${place}/user`, 'IdentitiesOnly yes'],
    ...[`UserKnownHostsFile ${place}/known_hosts`, 'GlobalKnownHostsFile /dev/null'],
  ];
  writeFileSync(join(place, 'config'), `${client.join('\n')}\n`);
  return place;
};

const childrenOf = ({ pid = 0 }: ChildProcess): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Accepts connections, and never answers. */
const muteServer = async (): Promise<Server> => {
  const server = createServer(() => undefined);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return server;
};

/**
 * Starts the machines `box`, which is the stage; `bare`, without sup; `old`, with another sup; `locked`, which
 * takes only a password; `mute`, which never answers; and `closed`, where nothing listens.
 */
export const machinesFor = async (stage: Stage): Promise<Machines> => {
  const mute = await muteServer();
  const address = mute.address();
  const ports: Record<string, number> = { mute: typeof address === 'object' ? (address?.port ?? 0) : 0 };
  for (const name of ['box', 'old', 'bare', 'locked', 'closed']) ports[name] = await freePort();
  const place = prepare(stage, ports);
  // The directory into which sshd changes before a login, if it runs as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const sshd = spawn(SSHD, ['-D', '-e', '-f', join(place, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  sshd.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await eventually({
    what: 'sshd to listen on its ports',
    look: () => (said.match(/Server listening/g)?.length === 4 ? true : undefined),
    instead: () => said,
  });
  const environment = {
    PATH: `${place}/here:${process.env['PATH'] ?? ''}`,
    SUP_DATA_DIR: join(place, 'data'),
  };
  return {
    begin: (...args) => stage.begin(args, { environment }),
    beginWith: (file, ...args) => {
      const through = ['/bin/sh', '-c', 'file=$1; shift; exec "$@" <"$file"', 'sh', file];
      return stage.begin(args, { environment, through });
    },
    cut: () => childrenOf(sshd).forEach((pid) => process.kill(pid, 'SIGKILL')),
    close: () => {
      sshd.kill();
      mute.close();
    },
  };
};
