// Completion in a real shell: bash, with the script that sup prints and the names that the supervisor knows.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, started } from '../support/witnesses.ts';

/** What bash offers for each line; its last word is the one under the cursor. */
const offered = async (stage: Stage, lines: readonly (readonly string[])[]): Promise<readonly string[]> => {
  const asks = lines.map(
    (words) =>
      `COMP_WORDS=(sup ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _sup; echo "\${COMPREPLY[*]}"`,
  );
  const play = [`sup() { ${stage.line()} "$@"; }`, 'source <(sup completion bash)', 'set -f', ...asks].join(
    '\n',
  );
  const { stdout } = await promisify(execFile)('bash', ['-c', play], {
    cwd: stage.work,
    env: { PATH: process.env['PATH'], HOME: stage.root, SUP_DATA_DIR: stage.data },
  });
  return stdout.trimEnd().split('\n');
};

describe('completion', () => {
  scenario('bash completion offers commands, options, and current names', async (stage) => {
    const services = { 'web-1': steady(), 'web-2': steady(), api: steady() };
    await started(stage, { projects: { shop: { services } }, services: { ticker: steady() } });
    expect(
      await offered(stage, [
        ['sta'],
        ['status', '--wa'],
        ['stop', '-p', 's'],
        ['stop', 'shop/w'],
        ['stop', 'shop/*'],
        ['stop', 'web-?'],
        ['stop', 'we'],
        ['logs', 't'],
        ['stop', '"shop/w'],
      ]),
    ).toEqual([
      'start status',
      '--watch',
      'shop',
      'shop/web-1 shop/web-2',
      'shop/web-1 shop/web-2 shop/api',
      'shop/web-1 shop/web-2',
      'web-1 web-2',
      'ticker',
      'shop/web-1 shop/web-2',
    ]);
  });

  scenario('completion of purge offers leftovers, with and without a supervisor', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    stage.declare(project('old-shop', { web: steady() }), 'old.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'old.yaml'));
    expectDone(await stage.sup('forget', 'old.yaml'));
    const asked = [
      ['purge', '-p', ''],
      ['stop', '-p', ''],
    ];
    expect(await offered(stage, asked)).toEqual(['old-shop', 'shop']);
    expectDone(await stage.sup('shutdown'));
    expect(await offered(stage, asked)).toEqual(['old-shop']);
  });
});
