// Needs the native addon.
// Privileged: what another user may gain or open, as the kernel tells it and as an attack from inside finds it.
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { asRoot, capabilitiesOf, runningSys, statusLine } from '../support/privileged.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';

const linesOf = (stage: Stage, service: string, count: number): Promise<readonly string[]> =>
  eventually({
    what: `${count} lines of ${service}`,
    look: () => {
      const texts = serviceLog(stage, service).map((line) => line.split(' ').slice(2).join(' '));
      return texts.length >= count ? texts : undefined;
    },
  });

/** Puts a copy of `id` on the stage that runs as root for every user. */
const rootsProgram = (stage: Stage): string => {
  const directory = join(stage.work, 'open');
  mkdirSync(directory, { recursive: true });
  for (const path of [stage.work, directory]) chmodSync(path, 0o755);
  const program = join(directory, 'id');
  copyFileSync('/usr/bin/id', program);
  chmodSync(program, 0o4755);
  return program;
};

const SOCKETS = [
  'import socket',
  'for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_NETLINK, socket.AF_PACKET):',
  '    try:',
  '        socket.socket(family, socket.SOCK_RAW if family in (16, 17) else socket.SOCK_STREAM).close()',
  '        print("made", flush=True)',
  '    except OSError as error:',
  '        print(error.errno, flush=True)',
  'import time; time.sleep(1000)',
].join('\n');

const EAFNOSUPPORT = '97';

describe('rights that a service can gain', () => {
  asRoot(
    'are none for another user under version 3, and those of the file under version 2',
    async (stage) => {
      const program = rootsProgram(stage);
      const service = shell(`${program} -un; exec sleep 1000`, { user: 'nobody', working_dir: '/' });
      const { web } = await runningSys(stage, { web: service }, '3');
      expect(await linesOf(stage, 'web', 1)).toEqual(['nobody']);
      expect(statusLine(web, 'NoNewPrivs')).toEqual(['1']);
      expect(capabilitiesOf(web)).toEqual([0n, 0n, 0n, 0n, 0n]);
    },
  );

  asRoot('are those of the file where no_new_privs is false, but no capability', async (stage) => {
    const program = rootsProgram(stage);
    const isolation = { no_new_privs: false };
    const service = shell(`${program} -un; exec sleep 1000`, { user: 'nobody', working_dir: '/', isolation });
    const { web } = await runningSys(stage, { web: service }, '3');
    expect(await linesOf(stage, 'web', 1)).toEqual(['root']);
    expect(statusLine(web, 'NoNewPrivs')).toEqual(['0']);
    expect(capabilitiesOf(web).at(3)).toBe(0n);
  });

  asRoot('are unchanged under version 2', async (stage) => {
    const program = rootsProgram(stage);
    const service = shell(`${program} -un; exec sleep 1000`, { user: 'nobody', working_dir: '/' });
    const { web } = await runningSys(stage, { web: service }, '2');
    expect(await linesOf(stage, 'web', 1)).toEqual(['root']);
    expect(statusLine(web, 'NoNewPrivs')).toEqual(['0']);
    expect(capabilitiesOf(web).at(3)).not.toBe(0n);
  });
});

describe('address families', () => {
  asRoot('are the only ones that a service can open', async (stage) => {
    const exec = ['python3', '-c', SOCKETS];
    const pids = await runningSys(stage, {
      some: steady({ exec, isolation: { address_families: ['AF_UNIX', 'INET'] } }),
      none: steady({ exec, isolation: { address_families: [] } }),
    });
    const refused = (count: number): readonly string[] => Array<string>(count).fill(EAFNOSUPPORT);
    expect(await linesOf(stage, 'some', 4)).toEqual(['made', 'made', ...refused(2)]);
    expect(await linesOf(stage, 'none', 4)).toEqual(refused(4));
    for (const pid of Object.values(pids)) expect(statusLine(pid, 'Seccomp')).toEqual(['2']);
  });

  asRoot('need no privileged supervisor', async (stage) => {
    const exec = ['python3', '-c', SOCKETS];
    stage.declare({
      version: '3',
      services: { web: steady({ exec, isolation: { address_families: ['AF_UNIX'] } }) },
    });
    expect((await stage.sup('start', '--daemonize')).status).toBe(0);
    expect(await linesOf(stage, 'web', 4)).toEqual(['made', ...Array<string>(3).fill(EAFNOSUPPORT)]);
  });
});
