// Needs the native addon.
import { launchersOf } from '../../../src/sinks/privilege/launcher-pool.ts';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldSockets } from '../../../src/sinks/process/held-sockets.ts';
import { startByNode } from '../../../src/sinks/process/start-by-node.ts';
import { exitLedger } from '../../../src/sinks/process/exit-ledger.ts';
import { spawnSink } from '../../../src/sinks/process/start-run.ts';
import { StartGate } from '../../../src/sinks/process/spread-starts.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import type { Capture } from '../../../src/streams/domain/ports.ts';
import { turns } from '../../support/turns.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { all, exec, RUN, sh, specOf, start, world, type World } from '../../fixtures/processes/world.ts';

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());

const ledger = exitLedger();
const BY_NODE = { means: 'node', start: startByNode };
const BY_LIBC = { means: 'posix_spawn', start };
let byWhich = BY_LIBC;
const sockets = new HeldSockets(() => undefined);

const spawn = async (
  spec: ServiceSpec,
  options: { capture?: Capture; gate?: StartGate } = {},
): Promise<Event> => {
  const environment = { PATH: '/usr/bin:/bin', OWN: 'own', SSH_AUTH_SOCK: '/secret' };
  const mode = { privileged: false, launcher: '', credentialsAt: '' };
  const ports = {
    capture: options.capture ?? here.capture,
    ledger,
    start: byWhich.start,
    sockets,
    environment,
    dataDir: here.dataDir,
    mode,
    ...(options.gate && { gate: options.gate }),
    launchers: launchersOf({
      template: () => undefined,
      logError: () => undefined,
      endOf: () => Promise.resolve({ tag: 'unknown' }),
    }),
  };
  const [event] = await all(
    spawnSink(ports)(of({ type: 'spawn', service: spec.id, run: RUN, spec, fifoPair: 0 })),
  );
  return event!;
};

const ended = async (spec: ServiceSpec): Promise<ExitStatus | undefined> => {
  const event = await spawn(spec);
  if (event.type !== 'spawned') throw new Error(JSON.stringify(event));
  return ledger.exitOf(event.process);
};

const refused = async (
  spec: ServiceSpec,
  capture?: Capture,
): Promise<{ readonly key?: string; readonly detail: string }> => {
  const event = await spawn(spec, capture === undefined ? {} : { capture });
  if (event.type !== 'spawn-failed' || event.error.code !== 'ERR0113') throw new Error(JSON.stringify(event));
  return event.error;
};
const refusal = async (...of: Parameters<typeof refused>): Promise<string> => (await refused(...of)).detail;

describe.each([BY_LIBC, BY_NODE])('by $means', (means) => {
  beforeEach(() => {
    byWhich = means;
  });

  describe('the secrets of a process', () => {
    const withSecret = (command: string): ServiceSpec => {
      const spec = specOf(sh(command));
      return { ...spec, env: { ...spec.env, secrets: { KEY: join(here.dataDir, 'secret') } } };
    };

    it('a process gets the value of a secret in its environment', async () => {
      writeFileSync(join(here.dataDir, 'secret'), 'hunter2\n', { mode: 0o600 });
      expect(await ended(withSecret('test "$KEY" = hunter2'))).toEqual({ tag: 'code', code: 0 });
    });

    it('a process is not started without its secret, and the error has name and file', async () => {
      expect(await spawn(withSecret('true'))).toMatchObject({
        type: 'spawn-failed',
        error: { code: 'ERR0124', name: 'KEY', file: join(here.dataDir, 'secret'), detail: 'no such file' },
      });
    });
  });

  describe('the start of a process', () => {
    it('a process starts through a shell, with captured output and a recorded exit status', async () => {
      expect(await ended(specOf(sh('echo out; echo err >&2; exit 7')))).toEqual({ tag: 'code', code: 7 });
      expect(here.log()).toBe('out\nerr\n');
    });

    it('a process starts directly, with its arguments unchanged', async () => {
      expect(await ended(specOf(exec('printf', '[%s]', '$HOME *', '')))).toEqual({ tag: 'code', code: 0 });
      expect(here.log()).toBe('[$HOME *][]');
    });

    it('a process starts in its own session and group, with an empty standard input', async () => {
      await ended(specOf(sh('read line || echo eof; cut -d" " -f1,5,6 /proc/$$/stat')));
      const [eof, ids = ''] = here.log().split('\n');
      const [pid, group, session] = ids.split(' ');
      expect([eof, group, session]).toEqual(['eof', pid, pid]);
    });

    it('a process starts with its own variables and its mark, and without session variables', async () => {
      const spec = specOf(sh('echo "$OWN $MINE $SUP_UNIT $SUP_SUPERVISOR ${SSH_AUTH_SOCK:-none}"'), {
        env: { vars: { MINE: 'mine' }, inherit: false, clearSession: true, strip: [] },
      });
      await ended(spec);
      expect(here.log()).toBe(`own mine __loose__/web#1 ${here.dataDir} none\n`);
    });

    it('a process that a signal ends has it recorded', async () => {
      expect(await ended(specOf(sh('kill -9 $$')))).toEqual({ tag: 'signal', signal: 'SIGKILL' });
    });

    it('a process has its last lines captured even if logs.sink is none', async () => {
      expect(await ended(specOf(sh('echo last'), { logs: { sink: 'none' } }))).toEqual({
        tag: 'code',
        code: 0,
      });
      expect(here.log()).toBe('last\n');
    });

    it('a process starts even if its own PATH has no shell', async () => {
      const env = { vars: { PATH: '/nowhere' }, inherit: false, clearSession: true, strip: [] };
      expect(await ended(specOf(sh('exit 3'), { env }))).toEqual({ tag: 'code', code: 3 });
    });

    it('a process starts with exactly two captured descriptors, which are closed here', async () => {
      await ended(specOf(exec('ls', '-l', '/proc/self/fd')));
      expect(here.log().split(`${here.dataDir}/log`)).toHaveLength(3);
      expect(here.outlets).toEqual({ opened: 1, closed: 1 });
    });
  });

  describe('a refused start', () => {
    it('a program that is not on the PATH is refused', async () => {
      expect(await refusal(specOf(exec('no-such-program')))).toBe(
        'program "no-such-program" was not found in the PATH of the service',
      );
      expect(here.outlets).toEqual({ opened: 1, closed: 1 });
    });

    it('a program file that does not exist is refused', async () => {
      expect(await refusal(specOf(exec('/no/such')))).toBe('program /no/such does not exist');
    });

    it('a relative program is resolved in the working directory', async () => {
      expect(await refusal(specOf(exec('./x'), { workingDir: here.dataDir }))).toBe(
        `program ./x (${here.dataDir}/x) does not exist`,
      );
    });

    it('a file that is not executable is refused', async () => {
      const file = join(here.dataDir, 'script');
      writeFileSync(file, '#!/bin/sh\n');
      expect(await refusal(specOf(exec(file)))).toBe(`program ${file} is not executable (EACCES)`);
    });

    it('a script whose interpreter is missing is refused', async () => {
      const file = join(here.dataDir, 'script');
      writeFileSync(file, '#!/no/interpreter\n');
      chmodSync(file, 0o755);
      expect(await refusal(specOf(exec(file)))).toContain('exists, but what should run it');
    });

    it('a directory instead of a program is refused', async () => {
      expect(await refusal(specOf(exec(here.dataDir)))).toBe(`program ${here.dataDir} is a directory`);
    });

    it('a working directory that does not exist is refused, whatever the program', async () => {
      expect(await refusal(specOf(sh('true'), { workingDir: '/no/where' }))).toBe(
        'working directory /no/where does not exist',
      );
    });

    it('a working directory that is a file is refused', async () => {
      const file = join(here.dataDir, 'file');
      writeFileSync(file, '');
      expect(await refusal(specOf(sh('true'), { workingDir: file }))).toBe(
        `working directory ${file} is not a directory`,
      );
    });

    it('arguments that are too large are refused', async () => {
      expect(await refusal(specOf(exec('true', 'x'.repeat(3_000_000))))).toContain('E2BIG');
    });

    it('an argument that no program can receive is refused', async () => {
      expect(await refusal(specOf(exec('true', 'a\0b')))).toMatch(/(null|zero) byte/);
    });

    it('a refusal names the manifest key, if there is one', async () => {
      const away = { workingDir: '/no/where' };
      expect(await refused(specOf(exec('/no/such')))).toMatchObject({ key: 'exec' });
      expect(await refused(specOf(sh('true'), away))).toMatchObject({ key: 'working_dir' });
      expect(await refused(specOf(exec('/no/such'), away))).toMatchObject({ key: 'working_dir' });
      expect(await refused(specOf(exec('true', 'x'.repeat(3_000_000))))).not.toHaveProperty('key');
    });

    it('output that cannot be captured is refused', async () => {
      const broken = { ...here.capture, open: () => Promise.reject(new Error('disk on fire')) };
      expect(await refusal(specOf(sh('true')), broken)).toBe('its output cannot be captured (disk on fire)');
    });
  });
});

describe('starts at a closed gate', () => {
  it('starts at a closed gate are delayed and reported; after that each process starts once', async () => {
    const gate = new StartGate();
    const spec = specOf(sh('echo once'));
    gate.hold();
    const started = spawn(spec, { gate });
    await turns(20);
    expect(gate.heldUp()).toEqual([{ service: spec.id, run: RUN }]);
    expect(here.outlets.opened).toBe(0);
    gate.release();
    const event = await started;
    expect(gate.heldUp()).toEqual([]);
    if (event.type !== 'spawned') throw new Error(JSON.stringify(event));
    await ledger.exitOf(event.process);
    expect(here.log()).toBe('once\n');
  });

  it('a start at a closed gate that fails for another reason is still reported', async () => {
    const gate = new StartGate();
    gate.hold();
    const listen = { tag: 'unix', path: '/no/such/directory/x' } as const;
    const spec = specOf(sh('true'), { sockets: [{ name: 'x', listen, backlog: 1 }] });
    expect(await spawn(spec, { gate })).toMatchObject({ type: 'spawn-failed' });
    expect(gate.heldUp()).toEqual([]);
  });
});

describe('posix_spawn', () => {
  beforeEach(() => {
    byWhich = BY_LIBC;
  });
  const program = (content: Buffer | string): string => {
    const file = join(here.dataDir, 'program');
    writeFileSync(file, content);
    chmodSync(file, 0o755);
    return file;
  };

  it('a script without an interpreter line is run by the shell', async () => {
    const file = program('echo "$0 $1"; exit 4\n');
    expect(await ended(specOf(exec(file, 'one')))).toEqual({ tag: 'code', code: 4 });
    expect(here.log()).toBe(`${file} one\n`);
  });

  it('a program of another architecture is not run as a script', async () => {
    const file = program(Buffer.from('7f454c4602010100000000000000000002003e', 'hex'));
    expect(await refused(specOf(exec(file)))).toMatchObject({
      key: 'exec',
      detail: `program ${file} is not made for this machine (ENOEXEC)`,
    });
  });
});
