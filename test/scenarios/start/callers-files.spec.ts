// Needs the native addon.
// Files that a caller has open, such as the lock of a cron job, are not inherited by what outlives the call.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { kinOf } from '../support/kin.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come } from '../support/witnesses.ts';

const linksOf = (pid: number): readonly string[] => {
  try {
    const directory = `/proc/${pid}/fd`;
    return readdirSync(directory).map((name) => readlinkSync(join(directory, name)));
  } catch {
    return [];
  }
};

/** The processes of the scenario that have this file open. */
const holdersOf = (stage: Stage, file: string): readonly string[] =>
  kinOf(stage)
    .filter(({ pid }) => linksOf(pid).includes(file))
    .map(({ command }) => command);

/** Becomes its arguments, with `lock` at a descriptor beyond a gap. */
const LOCKED = [
  process.execPath,
  '-e',
  `const { openSync } = require('node:fs');
   const stdio = [0, 1, 2, ...Array(97).fill('ignore'), openSync('lock', 'w')];
   const [program, ...args] = process.argv.slice(1);
   const { status } = require('node:child_process').spawnSync(program, args, { stdio });
   process.exitCode = status;`,
  '--',
];

describe('an open file of the caller', () => {
  scenario('a file of the caller is closed when the command ends, whatever it started', async (stage) => {
    const lock = join(stage.work, 'lock');
    stage.declare(loose({ web: steady() }));
    expect((await stage.begin(['start', '--daemonize'], { through: LOCKED }).ended).status).toBe(0);
    await agree(stage, { web: 'running' });
    expect(holdersOf(stage, lock)).toEqual([]);
  });

  scenario(
    'a file of the caller is not held by processes that outlive a supervisor in the foreground',
    async (stage) => {
      const lock = join(stage.work, 'lock');
      stage.declare(loose({ web: steady() }));
      const foreground = stage.begin(['supervise', '-c', 'sup.yaml'], { through: LOCKED });
      await come(stage, { web: 'running' });
      await killSupervisor(stage);
      await foreground.ended;
      expect(holdersOf(stage, lock)).toEqual([]);
    },
  );
});
