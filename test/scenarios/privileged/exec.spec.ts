// Needs the native addon.
// Privileged: what `sup exec` gives to a command, and what it keeps: the service's confinement, and root's terminal.
import { chmodSync } from 'node:fs';
import { describe, expect } from 'vitest';
import {
  asNobody,
  asRoot,
  CAPABILITY_SETS,
  limitOf,
  namespaceOf,
  runningSys,
  startSys,
  statusLine,
} from '../support/privileged.ts';
import { steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { onTerminal } from '../support/terminal.ts';
import { expectDone, expectFailed, started } from '../support/witnesses.ts';

const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/etc', '/proc', '/dev'];

const CONFINED = steady({
  user: 'www-data',
  supplementary_groups: ['daemon'],
  capabilities: ['NET_BIND_SERVICE'],
  limits: { nofile: 99 },
  isolation: {
    network: true,
    seccomp: 'baseline',
    landlock: { ro_paths: SYSTEM, rw_paths: ['/dev/null', '/dev/tty'] },
  },
});

const SIZE = { columns: 100, rows: 30 };

/** Types into a terminal as if its user did (TIOCSTI), and prints the result. */
const typing = (into: 'STDIN' | 'STDOUT'): string =>
  `for (split //, "stolen\\n") { ioctl(${into}, 0x5412, $_) or die "refused\\n" } print STDERR "typed\\n"`;

/** A command as a word of a shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What root's own shell reads from its terminal after an attack out of `sup exec`. */
const readAfter = async (stage: Stage, attack: string, done: RegExp): Promise<string> => {
  const play = `${attack}; echo over; IFS= read -r line; echo "read: $line"`;
  const terminal = onTerminal(stage, `sh -c ${word(play)}`, SIZE);
  try {
    await terminal.shows(done);
    await terminal.shows(/^over/);
    terminal.type('nothing\r');
    return await terminal.shows(/^read: /);
  } finally {
    terminal.close();
  }
};

describe('the terminal of sup exec', () => {
  asRoot('cannot be typed into by a command that runs as another user', async (stage) => {
    await runningSys(stage, { web: steady({ user: 'www-data' }) });
    const attack = stage.line('exec', '--sys', 'web', '--', 'perl', '-e', word(typing('STDIN')));
    expect(await readAfter(stage, attack, /^(typed|refused)/)).toBe('read: nothing');
  });

  asRoot('cannot be typed into through the output alone', async (stage) => {
    await runningSys(stage, { web: steady({ user: 'www-data' }) });
    const attack = stage.line('exec', '--sys', 'web', '--', 'perl', '-e', word(typing('STDOUT')));
    expect(await readAfter(stage, `${attack} </dev/null`, /^refused/)).toBe('read: nothing');
  });

  asRoot('cannot be typed into with --unconfined either', async (stage) => {
    await runningSys(stage, { web: CONFINED });
    const line = stage.line(
      'exec',
      '--sys',
      '--unconfined',
      'web',
      '--',
      'perl',
      '-e',
      word(typing('STDIN')),
    );
    expect(await readAfter(stage, line, /^(typed|refused)/)).toBe('read: nothing');
  });

  asRoot('is one of its own with job control, a size and an end of input', async (stage) => {
    await runningSys(stage, { web: CONFINED });
    const terminal = onTerminal(stage, stage.line('exec', '--sys', 'web', '--', 'sh', '-i'), SIZE);
    try {
      await terminal.shows(/^\$/);
      terminal.type('sh -c "echo begun; exec sleep 1000"\r');
      await terminal.shows(/^begun/);
      terminal.type('\u001a');
      await terminal.shows(/Stopped/);
      terminal.resize(90, 20);
      // The size arrives by a signal, which may come after the line that is typed.
      terminal.type('until stty size | grep -x "20 90"; do sleep 0.1; done; kill -KILL %1; wait\r');
      await terminal.shows(/^20 90/);
      terminal.type('sh -c "exit 7"; sh -c "exit $?"\r');
      terminal.type('\u0004');
      expect(await terminal.ended()).toEqual({ status: 7, same: true });
    } finally {
      terminal.close();
    }
  });

  asRoot('is as it was after a signal, and the command gets the signal', async (stage) => {
    await runningSys(stage, { web: CONFINED });
    const command = word('trap "echo told; exit 5" TERM; echo ready; while :; do sleep 0.1; done');
    const terminal = onTerminal(stage, stage.line('exec', '--sys', 'web', '--', 'sh', '-c', command), SIZE);
    try {
      await terminal.shows(/^ready/);
      process.kill(terminal.pid(), 'SIGTERM');
      await terminal.shows(/^told/);
      expect(await terminal.ended()).toEqual({ status: 5, same: true });
    } finally {
      terminal.close();
    }
  });

  asRoot('shows all that the command printed before it ended', async (stage) => {
    await runningSys(stage, { web: CONFINED });
    let heard = '';
    const line = stage.line('exec', '--sys', 'web', '--', 'seq', '1', '1500');
    const terminal = onTerminal(stage, line, { ...SIZE, rows: 1_600, heard: (text) => (heard += text) });
    try {
      await terminal.ended();
      expect(heard.split('\r\n').slice(0, 1500)).toEqual(
        Array.from({ length: 1500 }, (_, at) => String(at + 1)),
      );
    } finally {
      terminal.close();
    }
  });
});

const KEPT = ['Uid', 'Gid', 'Groups', 'NoNewPrivs', 'Seccomp', ...CAPABILITY_SETS];

const ofCommand = (text: string, name: string): readonly string[] =>
  (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '').trim().split(/\s+/);

describe('the confinement of sup exec', () => {
  asRoot('is that of the service, in the network of its running process', async (stage) => {
    const { web } = await runningSys(stage, { web: CONFINED });
    const look = 'cat /proc/self/status; readlink /proc/self/ns/net; ulimit -n; ls /tmp; exit 9';
    const { status, stdout, stderr } = await stage.sup('exec', '--sys', 'web', '--', 'sh', '-c', look);
    expect(KEPT.map((name) => [name, ofCommand(stdout, name)])).toEqual(
      KEPT.map((name) => [name, statusLine(web, name)]),
    );
    expect(ofCommand(stdout, 'Seccomp')).toEqual(['2']);
    expect(stdout).toContain(namespaceOf(web, 'net'));
    expect(stdout.trim().split('\n').at(-1)).toBe(limitOf(web, 'Max open files')[0]);
    expect(stderr).toContain('Permission denied');
    expect(status).toBe(9);
  });

  asRoot('is left out with --unconfined, the user is not', async (stage) => {
    await runningSys(stage, { web: CONFINED });
    const look = ['exec', '--sys', '--unconfined', 'web', '--', 'cat', '/proc/self/status'];
    const { stdout } = await stage.sup(...look);
    expect(ofCommand(stdout, 'Uid')).toEqual(['33', '33', '33', '33']);
    expect(ofCommand(stdout, 'Seccomp')).toEqual(['0']);
    expect(ofCommand(stdout, 'CapEff')).toEqual(['0000000000000000']);
  });

  asRoot(
    'maps root to an unprivileged user with isolation.user, and not with --unconfined',
    async (stage) => {
      expectDone(await startSys(stage, { web: steady({ isolation: { user: true } }) }, '3'));
      const outside = async (...options: readonly string[]): Promise<number> => {
        const look = await stage.sup('exec', '--sys', ...options, 'web', '--', 'cat', '/proc/self/uid_map');
        return Number(look.stdout.trim().split(/\s+/)[1]);
      };
      expect(await outside()).toBeGreaterThan(65_535);
      expect(await outside('--unconfined')).toBe(0);
    },
  );

  asRoot('refuses the command by the key, where the kernel refuses it', async (stage) => {
    chmodSync(stage.root, 0o755);
    const isolation = { landlock: { ro_paths: ['/no/such'] } };
    await startSys(stage, { web: steady({ restart_policy: 'never', isolation }) });
    const outcome = await stage.sup('exec', '--sys', 'web', '--', 'true');
    expectFailed(outcome, 'ERR0723');
    expect(outcome.stderr).toContain('isolation.landlock.ro_paths: /no/such');
  });

  asNobody('holds without root as well', async (stage) => {
    await started(stage, { version: '2', services: { web: steady({ isolation: { seccomp: 'baseline' } }) } });
    const outcome = await stage.sup('exec', 'web', '--', 'cat', '/proc/self/status');
    expectDone(outcome);
    expect(ofCommand(outcome.stdout, 'Seccomp')).toEqual(['2']);
  });
});
