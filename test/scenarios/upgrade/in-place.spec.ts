// Upgrades to what was installed in the place of the program at work: of that there is nothing but its copy.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { elsewhere, removeCopy, supOf } from '../support/elsewhere.ts';
import { supervisorPid } from '../support/own-death.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed } from '../support/witnesses.ts';

/** An installation of its own, at work. */
const installed = async (stage: Stage): Promise<string> => {
  const program = elsewhere(stage, 'own');
  stage.declare(loose({ web: steady() }));
  expectDone(await supOf(stage, program, 'start', '--daemonize', '-c', join(stage.work, 'sup.yaml')));
  return program;
};

/** Passes its trial, and begins nowhere else. */
const breakIn = (program: string): void => {
  const script = join(dirname(program), 'supervisor.js');
  const first = `if (!process.argv.includes('--trial')) throw new Error('broken on purpose');`;
  writeFileSync(script, `${first}\n${readFileSync(script, 'utf8')}`);
};

describe('a program that was installed in the place of the one at work, and is broken,', () => {
  scenario('is refused where no copy is left to go back to', async (stage) => {
    const program = await installed(stage);
    const { web } = await agree(stage, { web: 'running' });
    const pid = await supervisorPid(stage);
    await removeCopy(stage);
    breakIn(program);
    const refused = await supOf(stage, program, 'upgrade');
    expectFailed(refused, 'ERR0502');
    expect(refused.stderr).toContain('sup shutdown, then sup start');
    expect((await agree(stage, { web: 'running' })).web.pid).toBe(web.pid);
    expect(await supervisorPid(stage)).toBe(pid);
  });
});
