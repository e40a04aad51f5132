// A standard output that does not take everything: only a reader that has read enough is no error.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { started } from '../support/witnesses.ts';

interface Said {
  readonly status: number | null;
  readonly stderr: string;
}

/** Of a line of bash. */
const said = async (stage: Stage, line: string): Promise<Said> => {
  const shell = spawn('bash', ['-o', 'pipefail', '-c', line], {
    cwd: stage.work,
    env: { PATH: process.env['PATH'], HOME: stage.root, SUP_DATA_DIR: stage.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
  return { status: shell.exitCode, stderr };
};

describe('the standard output of a command', () => {
  scenario('a full standard output is an error, whatever is printed', async (stage) => {
    await started(stage, { services: { web: steady() } });
    const commands = ['schema', 'status', 'completion bash', 'validate', 'status --help', '--version'];
    for (const command of commands)
      expect(await said(stage, `${stage.line()} ${command} > /dev/full`), command).toEqual({
        status: 1,
        stderr: expect.stringMatching(
          /^ERR0701 standard output cannot be written, and is not whole: ENOSPC/,
        ) as string,
      });
    const { status, stderr } = await said(stage, `${stage.line('status', '--json')} > /dev/full`);
    expect([status, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'ERR0701' } }]);
  });

  scenario('a standard output that takes only a part is an error', async (stage) => {
    const { status, stderr } = await said(stage, `ulimit -f 4; ${stage.line('schema')} > schema.json`);
    expect(statSync(join(stage.work, 'schema.json')).size).toBe(4096);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^ERR0701 .*EFBIG/)]);
  });

  scenario('a standard output that is closed, or that takes everything, is no error', async (stage) => {
    for (const rest of ['| head -c 1', '| cat', '> /dev/null', '>&-'])
      expect(await said(stage, `${stage.line('schema')} ${rest}`), rest).toEqual({ status: 0, stderr: '' });
  });
});

/** Each service has a problem, and together these are longer than a pipe takes. */
const WRONG = 499;
const PIPE_BYTES = 65_536;

/** Reads standard error a byte at a time, which takes far longer than the command takes to end. */
const BY_CHARACTER = '2>&1 >/dev/null | while IFS= read -r line; do echo "$line" >&2; done';

const manyWrong = (stage: Stage): string =>
  stage.declare({
    services: Object.fromEntries(
      Array.from({ length: WRONG }, (_, nth) => [`s${nth}`, { command: 'sleep 1', restrt: nth }]),
    ),
  });

describe('the standard error of a command in a pipe', () => {
  scenario('standard error gets every problem before the command ends', async (stage) => {
    manyWrong(stage);
    const problems = await said(stage, `${stage.line('validate')} ${BY_CHARACTER}`);
    expect(problems).toEqual({ status: 1, stderr: expect.stringMatching(/\(499 errors\)\n$/) as string });
    const { stderr } = await said(stage, `${stage.line('start', '--json')} ${BY_CHARACTER}`);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'ERR0211' } });
    expect([problems.stderr, stderr].every(({ length }) => length > PIPE_BYTES)).toBe(true);
  });

  scenario('a standard error that is not read does not delay a command', async (stage) => {
    manyWrong(stage);
    expect(await said(stage, `${stage.line('validate')} 2>&1 >/dev/null | head -c 1`)).toMatchObject({
      status: 1,
    });
  });
});
