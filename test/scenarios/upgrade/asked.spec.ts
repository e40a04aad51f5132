// Needs the native addon.
// The user that requests an upgrade, its Node, and the answer.
import { copyFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { launch } from '../support/command.ts';
import { elsewhere, supOf } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { kinOf } from '../support/kin.ts';
import { fileComes } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import type { Process } from '../support/process-table.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { agree, errorOf, expectDone, expectFailed, started } from '../support/witnesses.ts';

const nodeOf = (pid: number): string => readlinkSync(`/proc/${pid}/exe`);

/** `sup …`, run by another Node. */
const supBy = (stage: Stage, node: string, ...args: readonly string[]) => {
  const [program = ''] = stage.line().split(' ').slice(1);
  return launch({
    argv: [node, program, ...args],
    directory: stage.work,
    environment: { PATH: process.env['PATH'] ?? '', HOME: stage.root, SUP_DATA_DIR: stage.data },
    limit: 90_000,
    line: `${node}: sup ${args.join(' ')}`,
  }).ended;
};

/** A program that takes its time at its trial. */
const slowTrial = ({ work }: Stage): string => `
if (process.argv.includes('--trial')) {
  const { existsSync, writeFileSync } = require('node:fs');
  writeFileSync('${work}/trying', '');
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync('${work}/go')) Atomics.wait(nothing, 0, 0, 20);
}`;

const trials = (stage: Stage): readonly Process[] =>
  kinOf(stage).filter(({ command }) => command.includes('--trial'));

describe('an upgrade', () => {
  scenario('an upgrade uses the Node of the caller, and later another one', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const { web } = await agree(stage, { web: 'running' });
    const pid = await supervisorPid(stage);
    const other = join(realpathSync(stage.root), 'node');
    copyFileSync(process.execPath, other);
    expectDone(await supBy(stage, other, 'upgrade'));
    expect(nodeOf(pid)).toBe(other);
    expectDone(await stage.sup('upgrade'));
    expect(nodeOf(pid)).toBe(realpathSync(process.execPath));
    expect((await agree(stage, { web: 'running' })).web.pid).toBe(web.pid);
    expect(await supervisorPid(stage)).toBe(pid);
  });

  scenario('an upgrade that is cut off at the trial says so and leaves no trial process', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const upgrade = supOf(stage, elsewhere(stage, 'slow', slowTrial(stage)), 'upgrade');
    await fileComes(stage, 'trying');
    killOnlySupervisor(stage);
    const outcome = await upgrade;
    expectFailed(outcome, 'ERR0206');
    expect(outcome.stderr).toContain('what came of upgrade is not known');
    await holds('nobody tried', () => trials(stage).length === 0);
    await supervisorPid(stage);
    await agree(stage, { web: 'running' });
  });

  scenario('a failed upgrade says what happened, where, why, and what to do next', async (stage) => {
    expectFailed(await stage.sup('upgrade'), 'ERR0206');
    await started(stage, loose({ web: steady() }));
    const first = supOf(stage, elsewhere(stage, 'slow', slowTrial(stage)), 'upgrade');
    await fileComes(stage, 'trying');
    const second = errorOf(await stage.sup('upgrade', '--json', '--quiet'));
    expect(second).toMatchObject({
      code: 'ERR0501',
      message: 'upgrade refused: another upgrade is under way',
      hint: 'fix the problem above, then run: sup upgrade',
    });
    stage.write('go', '');
    expectDone(await first);

    const torn = elsewhere(stage, 'torn', 'this is no program (');
    const refused = errorOf(await supOf(stage, torn, 'upgrade', '--json', '--quiet'));
    expect(refused).toMatchObject({
      code: 'ERR0502',
      hint: 'install it again, or upgrade to another version; the services are as they were',
    });
    expect(refused.message).toMatch(
      /^upgrade failed, and nothing was touched: \/.*\/torn\/dist\/supervisor\.js: the new program ended with status 1 when it was tried: SyntaxError/,
    );
    const throwing = elsewhere(
      stage,
      'throwing',
      `if (process.argv.some((word) => word.startsWith('--handover='))) throw new Error('on purpose');`,
    );
    const resumed = errorOf(await supOf(stage, throwing, 'upgrade', '--json', '--quiet'));
    expect(resumed).toMatchObject({
      code: 'ERR0503',
      message: 'the new program failed while it took over, and the old one goes on: Error: on purpose',
    });
    expect(resumed.hint).toContain('logs/supervisor.err');
    await agree(stage, { web: 'running' });
  });
});
