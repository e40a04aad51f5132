// Needs the native addon.
// The example of the repository really runs, and cleans up behind itself.
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const run = promisify(execFile);

describe('examples/spawn', () => {
  scenario('examples/spawn starts a child for each file and shows their output', async (stage) => {
    const place = join(stage.root, 'examples', 'spawn');
    cpSync(resolve('examples/spawn'), place, { recursive: true });
    // A link: what it needs lies beside the original.
    symlinkSync(resolve('dist'), join(stage.root, 'dist'));
    const env = { ...process.env, SUP_DATA_DIR: stage.data };
    const { stdout } = await run(join(place, 'run.sh'), { env, timeout: 70_000 });
    expect(stdout).toContain('counted: 1 2 3');
    expect(stdout).toContain('count-3.txt counts for counting/desk');
    expect(stdout).toMatch(/count-1\.txt pid \d+ done \(0\)/);
  });
});
