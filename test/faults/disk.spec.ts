// A state that cannot be saved: the supervisor keeps running, says so, and recovers.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { StatusDocument } from '../../src/streams/wire/documents/documents.ts';
import { holds } from '../scenarios/support/eventually.ts';
import { supervisorLog } from '../scenarios/support/logs.ts';
import { killSupervisor, supervisorPid } from '../scenarios/support/own-death.ts';
import { stateOf } from '../scenarios/support/process-table.ts';
import { recordText } from '../scenarios/support/record.ts';
import { project, shell, steady } from '../scenarios/support/recipes.ts';
import type { Stage } from '../scenarios/support/stage.ts';
import { scenario } from '../scenarios/support/scenario.ts';
import { agree, expectDone, started } from '../scenarios/support/witnesses.ts';

/** Does this while the supervisor is frozen: it would make the directory itself if it found none in between. */
const whileFrozen = async (stage: Stage, change: () => void): Promise<void> => {
  const pid = await supervisorPid(stage);
  process.kill(pid, 'SIGSTOP');
  try {
    await holds('the supervisor frozen', () => stateOf(pid) === 'T');
    change();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
};

describe('a supervisor that cannot save its state', () => {
  scenario(
    'a supervisor that cannot save its state continues, warns, and saves it when that is possible again',
    async (stage) => {
      await started(stage, project('shop', { web: steady(), api: steady() }));
      const directory = join(stage.data, 'projects/shop');
      await whileFrozen(stage, () => {
        renameSync(directory, `${directory}.away`);
        writeFileSync(directory, 'in the way');
      });
      const stopped = await stage.sup('stop', '--service', 'shop/api');
      expectDone(stopped);
      expect(stopped.stderr).toContain('cannot be kept for the next supervisor');
      expect((await stage.status()).document.supervisor.warnings.join('\n')).toContain(
        'the state of shop cannot be saved',
      );
      await agree(stage, { 'shop/web': 'running', 'shop/api': 'stopped' });
      await holds('a line in the log', () =>
        supervisorLog(stage).some((line) => /cannot be saved/.test(line)),
      );
      await whileFrozen(stage, () => {
        rmSync(directory);
        renameSync(`${directory}.away`, directory);
      });
      await holds('the state saved again', () =>
        supervisorLog(stage).some((line) => /saved again/.test(line)),
      );
      expect(recordText(stage.data, 'shop')).toContain('"wanted":"down"');
      expect((await stage.status()).document.supervisor.warnings).toEqual([]);
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize', '--service', 'shop/web'));
      await agree(stage, { 'shop/web': 'running', 'shop/api': 'stopped' });
    },
  );
});

/** The lines of a shell, in a world where the data directory is a disk of a mebibyte. */
const onSmallDisk = (stage: Stage, lines: readonly string[]): SpawnSyncReturns<string> => {
  const script = [`mount -t tmpfs -o size=1m,mode=700 tmpfs ${stage.data} || exit 99`, ...lines].join('\n');
  const env = { ...process.env, SUP_DATA_DIR: stage.data };
  const own = ['--user', '--map-root-user', '--mount', 'sh', '-c', script];
  return spawnSync('unshare', own, { cwd: stage.work, env, encoding: 'utf8', timeout: 200_000 });
};

describe('a full disk', () => {
  scenario(
    'on a full disk stop, start and shutdown work, and each answer says what was not saved',
    (stage) => {
      // More than what is left of the journal's last block can take.
      const names = Array.from({ length: 20 }, (_, at) => `web${at}`);
      stage.declare(project('shop', Object.fromEntries(names.map((name) => [name, steady()]))));
      const sup = (...args: readonly string[]): string =>
        `${stage.line(...args)} 2>>said; echo "${args[0] ?? ''} $?"`;
      // Again, if the records answered for a busy supervisor.
      const status = (file: string): string =>
        `code=3; while [ $code = 3 ]; do ${stage.line('status', '--json')} >${file} 2>>said; code=$?; done; echo "status $code"`;
      const fill = `dd if=/dev/zero of=${stage.data}/fill bs=1k 2>/dev/null`;
      const { stdout } = onSmallDisk(stage, [
        sup('start', '--daemonize'),
        `${fill}; [ -e ${stage.data}/reserve ] && echo reserve held`,
        sup('stop'),
        status('during.json'),
        sup('shutdown'),
        fill.replace('/fill', '/fill2'),
        sup('start', '--daemonize'),
        `[ -e ${stage.data}/reserve ] || echo reserve given up`,
        status('after.json'),
        sup('shutdown'),
      ]);
      expect(
        stdout.split('\n').filter((line) => /^(start|stop|status|shutdown|reserve) /.test(line)),
      ).toEqual([
        'start 0',
        'reserve held',
        'stop 0',
        'status 0',
        'shutdown 0',
        'start 0',
        'reserve given up',
        'status 0',
        'shutdown 0',
      ]);
      const said = readFileSync(join(stage.work, 'said'), 'utf8');
      expect(said).toContain('cannot be kept for the next supervisor: ENOSPC');
      const { supervisor, projects } = JSON.parse(
        readFileSync(join(stage.work, 'after.json'), 'utf8'),
      ) as StatusDocument;
      expect(supervisor.running).toBe(true);
      expect(projects.flatMap(({ services }) => services.map(({ state }) => state))).toEqual(
        names.map(() => 'running'),
      );
      expect(readFileSync(join(stage.work, 'during.json'), 'utf8')).toContain('cannot be saved: ENOSPC');
      return Promise.resolve();
    },
  );

  scenario(
    'after a supervisor was killed during its end on a full disk, the next one continues that end',
    (stage) => {
      // However long `sup status` takes: it ends when the file says so.
      const stubborn = shell('trap "" TERM; echo up >>log; until [ -e go ]; do sleep 0.1; done', {
        stop_timeout: '1m',
      });
      stage.declare(project('shop', { stubborn }));
      const { stdout } = onSmallDisk(stage, [
        `${stage.line('start', '--daemonize')} 2>>said`,
        `dd if=/dev/zero of=${stage.data}/fill bs=1k 2>/dev/null`,
        `S=$(cat ${stage.data}/sup.pid); G=$(ps -o ppid= -p $S)`,
        'until [ -s log ]; do sleep 0.02; done',
        `kill -TERM $S; until ${stage.line('status')} | grep -q stopping; do :; done`,
        'kill -9 $S && echo killed; touch go; while kill -0 $G 2>/dev/null; do sleep 0.02; done',
        'echo begun $(wc -l <log)',
      ]);
      expect(stdout).toMatch(/^killed\nbegun 1$/m);
      return Promise.resolve();
    },
  );
});

describe('a shutdown on a full disk', () => {
  const fill = (stage: Stage, name: string): string =>
    `dd if=/dev/zero of=${stage.data}/${name} bs=1k 2>/dev/null`;
  const all = (document: string, stage: Stage): readonly (readonly [string, string])[] => {
    const { projects } = JSON.parse(readFileSync(join(stage.work, document), 'utf8')) as StatusDocument;
    return projects.flatMap(({ services }) => services.map(({ name, state }) => [name, state] as const));
  };

  for (const [title, more, warns] of [
    ['is kept in the space that is held for it', [], false],
    ['warns where there is none, and is not undone all the same', ['rm ${D}/reserve'], true],
  ] as const)
    scenario(title, (stage) => {
      const names = Array.from({ length: 20 }, (_, at) => `web${at}`);
      stage.declare(project('shop', Object.fromEntries(names.map((name) => [name, steady()]))));
      stage.declare(project('other', { it: steady() }), 'other.yaml');
      const { stdout } = onSmallDisk(stage, [
        stage.line('start', '--daemonize'),
        ...more.map((line) => line.replace('${D}', stage.data)),
        fill(stage, 'fill'),
        `${stage.line('shutdown')} 2>said; echo "shutdown $?"`,
        `rm ${stage.data}/fill`,
        stage.line('start', '--daemonize', '-c', 'other.yaml'),
        `${stage.line('status', '--json')} >after.json`,
        stage.line('start', '--daemonize'),
        `kill -9 $(cat ${stage.data}/sup.pid); until ${stage.line('status')} | grep -q running; do :; done`,
        `${stage.line('status', '--json')} >later.json`,
        stage.line('shutdown'),
      ]);
      expect(stdout).toContain('shutdown 0');
      const said = readFileSync(join(stage.work, 'said'), 'utf8');
      expect(said.includes('cannot be kept for the next supervisor: ENOSPC')).toBe(warns);
      expect(all('after.json', stage)).toEqual([
        ...names.map((name) => [name, 'stopped']),
        ['it', 'running'],
      ]);
      expect(all('later.json', stage)).toEqual([...names, 'it'].map((name) => [name, 'running']));
      return Promise.resolve();
    });
});

describe('a disk without a free block', () => {
  scenario('a start on a disk without a free block names the full disk as its reason', (stage) => {
    stage.declare(project('shop', { web: steady() }));
    const { stdout, stderr } = onSmallDisk(stage, [
      `dd if=/dev/zero of=${stage.data}/fill bs=1k 2>/dev/null`,
      `${stage.line('start', '--daemonize')}; echo "start $?"`,
    ]);
    expect(stdout).toContain('start 1');
    expect(stderr).toMatch(/^ERR0701 .*its disk is full \(ENOSPC\), so that no supervisor can start$/m);
    return Promise.resolve();
  });
});
