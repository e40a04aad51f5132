// A standard output that does not take everything: only a reader who has read enough is no error.
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

describe('a standard output', () => {
  scenario('that is full is an error, whatever is printed', async (stage) => {
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

  scenario('that takes a part only is an error', async (stage) => {
    const { status, stderr } = await said(stage, `ulimit -f 4; ${stage.line('schema')} > schema.json`);
    expect(statSync(join(stage.work, 'schema.json')).size).toBe(4096);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^ERR0701 .*EFBIG/)]);
  });

  scenario('that nobody reads, or that takes it all, is none', async (stage) => {
    for (const rest of ['| head -c 1', '| cat', '> /dev/null', '>&-'])
      expect(await said(stage, `${stage.line('schema')} ${rest}`), rest).toEqual({ status: 0, stderr: '' });
  });
});
