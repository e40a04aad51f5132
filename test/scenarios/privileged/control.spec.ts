// Needs the native addon.
// A confined service attacks its supervisor: by sup, by a raw connection, and through the files of the data directory.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { desk, spawnWithin, within, type Told } from '../support/desk.ts';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { asNobody, asRoot, manifest, runningSys } from '../support/privileged.ts';
import { fixture, shell, steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone, serviceIn } from '../support/witnesses.ts';

const still = (name: string, more: Declared): Declared => desk(name, { mode: 'static' }, more);

const CONFINED: Readonly<Record<string, Declared>> = {
  landlock: { isolation: { landlock: { rw_paths: ['/'] } } },
  seccomp: { isolation: { seccomp: 'baseline' } },
  capabilities: { capabilities: [] },
  network: { isolation: { network: true } },
  namespace: { isolation: { user: true } },
};

/** Without root. */
const UNPRIVILEGED: Readonly<Record<string, Declared>> = {
  landlock: { isolation: { landlock: { rw_paths: ['/'] } } },
  seccomp: { isolation: { seccomp: 'baseline' } },
  namespace: { isolation: { user: true } },
  capabilities: { capabilities: [] },
  user: { user: 'daemon' },
};

const services = (confined: Readonly<Record<string, Declared>>): Record<string, Declared> => ({
  ...Object.fromEntries(Object.entries(confined).map(([name, keys]) => [name, still(name, keys)])),
  victim: steady(),
});

const socketOf = (stage: Stage): string => join(stage.data, 'control.sock');

const rawConnect = (stage: Stage): string =>
  `${process.execPath} ${fixture('raw-connect.mjs')} ${socketOf(stage)}`;

/** Double-forked, in a session of its own, without its environment and without its tag. */
const escaped = (stage: Stage, command: string, tag: 'kept' | 'shed'): string => {
  const shed = tag === 'shed' ? 'prlimit --rttime=unlimited' : '';
  const home = `PATH="$PATH" HOME=/nowhere SUP_DATA_DIR=${stage.data}`;
  return `(setsid env -i ${home} ${shed} sh -c 'sleep 0.3; ${command} >escaped.out 2>escaped.err; echo $? >escaped.status' &) &`;
};

const victimRuns = async (stage: Stage): Promise<void> => {
  const { document } = await stage.status();
  expect(serviceIn(document, 'victim')).toMatchObject({ state: 'running', run: 1 });
};

const expectRefused = (told: Told, who: string): void => {
  expect(told.status, who).not.toBe(0);
  expect(told.err, who).toContain('ERR0750');
};

const attack = async (stage: Stage, name: string): Promise<void> => {
  expectRefused(await within(stage, name, stage.line('stop', 'victim')), name);
  const raw = await within(stage, name, rawConnect(stage));
  expect(raw.out, name).not.toContain('101');
  expect(raw.out, name).toMatch(/^(HTTP\/1.1 403 Forbidden|ENOENT|EACCES|ECONNREFUSED)\n$/);
};

const attackFromAfar = async (stage: Stage, name: string, tag: 'kept' | 'shed'): Promise<void> => {
  for (const end of ['out', 'err', 'status']) await within(stage, name, `rm -f escaped.${end}`);
  await within(stage, name, escaped(stage, stage.line('stop', 'victim'), tag));
  expect(await linesCome(stage, 'escaped.status', 1), name).not.toEqual(['0']);
  expect(linesOf(stage, 'escaped.err').join('\n'), name).toContain('ERR0750');
};

const startedUnprivileged = async (stage: Stage): Promise<void> => {
  stage.declare(manifest(services(UNPRIVILEGED), '2'));
  // Version 2 warns of keys without effect.
  expect(await stage.sup('start', '--daemonize')).toMatchObject({ status: 0 });
};

describe('a confined service', () => {
  asRoot('of a root supervisor is refused at the control socket', async (stage) => {
    await runningSys(stage, services(CONFINED), '2');
    for (const name of Object.keys(CONFINED)) await attack(stage, name);
    expectRefused(
      await within(stage, 'seccomp', stage.line('start', '--daemonize', '--', 'touch', 'owned')),
      'start',
    );
    expect(existsSync(join(stage.work, 'owned'))).toBe(false);
    await victimRuns(stage);
  });

  asRoot('of a root supervisor is refused after it has hidden where it comes from', async (stage) => {
    await runningSys(stage, services(CONFINED), '2');
    for (const name of Object.keys(CONFINED)) await attackFromAfar(stage, name, 'shed');
    await attackFromAfar(stage, 'seccomp', 'kept');
    await victimRuns(stage);
  });

  asNobody('of an unprivileged supervisor is refused, also for keys without effect', async (stage) => {
    await startedUnprivileged(stage);
    for (const name of Object.keys(UNPRIVILEGED)) await attack(stage, name);
    expectRefused(
      await within(stage, 'landlock', stage.line('start', '--daemonize', '--', 'touch', 'owned')),
      'start',
    );
    expect(existsSync(join(stage.work, 'owned'))).toBe(false);
    await victimRuns(stage);
  });

  asNobody(
    'of an unprivileged supervisor is refused after it has hidden where it comes from',
    async (stage) => {
      await startedUnprivileged(stage);
      for (const name of Object.keys(UNPRIVILEGED)) await attackFromAfar(stage, name, 'shed');
      await victimRuns(stage);
    },
  );
});

const recordOf = (stage: Stage): string => join(stage.data, 'registry.json');

/** Neither the registry nor a new file: the data directory is empty and read-only inside. */
const attackRecords = async (stage: Stage, name: string): Promise<void> => {
  const looked = await within(stage, name, `ls -A ${stage.data}; cat ${recordOf(stage)}`);
  expect(looked, name).toMatchObject({ status: 1, out: '' });
  const wrote = await within(stage, name, `echo '{}' > ${recordOf(stage)} || touch ${stage.data}/units`);
  expect(wrote.status, name).not.toBe(0);
};

const HIDDEN: Readonly<Record<string, Declared>> = {
  ...CONFINED,
  mount: { isolation: { mount: true } },
};

describe('from a confined service the data directory', () => {
  asRoot('is hidden, and cannot be written', async (stage) => {
    await runningSys(stage, { ...services(HIDDEN), plain: still('plain', {}) }, '2');
    const before = readFileSync(recordOf(stage), 'utf8');
    for (const name of Object.keys(HIDDEN)) await attackRecords(stage, name);
    expect(readFileSync(recordOf(stage), 'utf8')).toBe(before);
    expect((await within(stage, 'plain', `cat ${recordOf(stage)}`)).status).toBe(0);
  });

  asRoot('is hidden without hiding what is mounted later', async (stage) => {
    const place = join(stage.work, 'place');
    mkdirSync(place);
    execFileSync('mount', ['-t', 'tmpfs', 'none', place]);
    try {
      // A machine with systemd shares all its mounts.
      execFileSync('mount', ['--make-shared', place]);
      mkdirSync(join(place, 'later'));
      await runningSys(stage, { web: still('web', { isolation: { seccomp: 'baseline' } }) }, '2');
      execFileSync('mount', ['-t', 'tmpfs', 'none', join(place, 'later')]);
      writeFileSync(join(place, 'later/here'), '');
      expect((await within(stage, 'web', 'ls place/later')).out).toBe('here\n');
    } finally {
      execFileSync('umount', ['-R', '-l', place]);
    }
  });

  asRoot('keeps what the service needs: its output, its directory, sup spawn', async (stage) => {
    const inside = join(stage.data, 'own');
    mkdirSync(inside, { recursive: true, mode: 0o755 });
    chmodSync(stage.data, 0o700);
    await runningSys(
      stage,
      {
        output: shell('echo first; echo again >/dev/stdout; touch made; exec sleep 1000', {
          capabilities: [],
          working_dir: inside,
        }),
        pool: desk('pool', {}, { isolation: { network: true } }),
        victim: steady(),
      },
      '2',
    );
    await eventually({
      what: 'both lines',
      look: () => (serviceLog(stage, 'output').length >= 2 ? true : undefined),
    });
    await holds('the file', () => existsSync(join(inside, 'made')));
    expect(await spawnWithin(stage, 'pool', '--', 'sleep', '1000')).toMatchObject({ status: 0, err: '' });
    expectRefused(await within(stage, 'pool', stage.line('stop', 'victim')), 'pool');
  });

  asRoot('is refused as a working directory', async (stage) => {
    stage.declare(manifest({ web: steady({ capabilities: [], working_dir: stage.data }) }, '2'));
    const outcome = await stage.sup('start', '--sys', '--daemonize');
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toContain('ERR0746');
    expect(outcome.stderr).toContain('control: true');
  });
});

describe('a service that may command', () => {
  asRoot('is unconfined, or says control: true', async (stage) => {
    await runningSys(
      stage,
      {
        ...services({ plain: {}, limited: { limits: { nofile: 1024 } } }),
        trusted: still('trusted', { isolation: { seccomp: 'baseline' }, control: true }),
        confined: steady({ isolation: { seccomp: 'baseline' } }),
      },
      '2',
    );
    for (const name of ['plain', 'limited', 'trusted'])
      expect(await within(stage, name, stage.line('restart', 'victim'))).toMatchObject({ status: 0 });
    const { document } = await stage.status();
    expect(serviceIn(document, 'victim')).toMatchObject({ state: 'running', run: 4 });
  });

  asRoot('gains and loses that with its next run', async (stage) => {
    const declared = (more: Declared): Record<string, Declared> =>
      services({ web: { isolation: { seccomp: 'baseline' }, ...more } });
    await runningSys(stage, declared({}), '2');
    const ask = (): Promise<Told> => within(stage, 'web', stage.line('status'));
    expectRefused(await ask(), 'before');
    for (const control of [true, false]) {
      stage.declare(manifest(declared({ control }), '2'));
      expectDone(await stage.sup('apply', '--sys'));
      const told = await ask();
      if (control) expect(told).toMatchObject({ status: 0 });
      else expectRefused(told, 'after');
    }
    const { document } = await stage.status();
    expect(serviceIn(document, 'web')).toMatchObject({ run: 3 });
  });

  asNobody('is dynamic, for sup spawn alone', async (stage) => {
    stage.declare(
      manifest({
        pool: desk('pool', {}, { isolation: { landlock: { rw_paths: ['/'] } } }),
        victim: steady(),
      }),
    );
    expectDone(await stage.sup('start', '--daemonize'));
    expect(await spawnWithin(stage, 'pool', '--', 'sleep', '1000')).toMatchObject({ status: 0 });
    expect((await within(stage, 'pool', stage.line('stop', 'victim'))).status).not.toBe(0);
    await victimRuns(stage);
  });
});

describe('the supervisor after a crash', () => {
  asRoot('still refuses a confined service that it adopted', async (stage) => {
    await runningSys(stage, services({ seccomp: CONFINED['seccomp'] ?? {} }), '2');
    const { document } = await stage.status();
    killOnlySupervisor(stage);
    await eventually({
      what: 'the supervisor after the one that was killed',
      look: async () => {
        const { supervisor } = (await stage.status()).document;
        return supervisor.running && supervisor.pid !== document.supervisor.pid ? true : undefined;
      },
    });
    await attack(stage, 'seccomp');
    await attackFromAfar(stage, 'seccomp', 'shed');
    await victimRuns(stage);
  });
});
