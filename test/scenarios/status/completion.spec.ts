// Completion in real shells, with the scripts that sup prints and the names that the supervisor knows.
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
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

/** For each shell: how it starts without the user's settings, and what it reads first. */
const SHELLS: Readonly<Record<string, { readonly start: string; readonly setup: string }>> = {
  bash: { start: 'bash --noprofile --rcfile setup -i', setup: 'source <(sup completion bash)' },
  zsh: {
    start: 'mv setup .zshrc; ZDOTDIR=$PWD zsh -d -i',
    setup: 'autoload -Uz compinit; compinit -u -D; source <(sup completion zsh)',
  },
  fish: { start: 'fish --no-config --init-command "source setup"', setup: 'sup completion fish | source' },
};

const installed = Object.keys(SHELLS).filter((shell) => existsSync(`/usr/bin/${shell}`));
if (installed.length < Object.keys(SHELLS).length)
  process.stderr.write(
    `left out: completion in other shells than ${installed.join(', ')} (npm run test-programs)\n`,
  );

/** A line up to the tabulator key, and the line that the shell makes of it and an `X` after the key. */
const TYPED: readonly (readonly [string, string])[] = [
  ['sup impo', 'import X'],
  ['sup import --form', 'import --format X'],
  ['sup import --format process-', 'import --format process-compose X'],
  ['sup import Proc', 'import Procfile X'],
  ['sup export --to k', 'export --to kubernetes X'],
  ['sup dashb', 'dashboard X'],
  ['sup stop shop/a', 'stop shop/api X'],
  ['sup scale w', 'scale web=X'],
  ['sup mcp --allow scale:shop/a', 'mcp --allow scale:shop/api X'],
];

/** Answers the completion, and otherwise only writes the words that the shell has given. */
const noted = (stage: Stage): string => `#!/bin/sh
case $1 in __complete|completion) exec ${stage.line()} "$@" ;; esac
echo "$*" >>'${stage.work}/typed'
`;

/** Types lines in the shell at a terminal, and resolves to the lines that it ran. */
const ran = async (stage: Stage, shell: string, lines: readonly string[]): Promise<readonly string[]> => {
  const { start, setup } = SHELLS[shell] ?? { start: '', setup: '' };
  chmodSync(stage.write('sup', noted(stage)), 0o755);
  stage.write('setup', `${setup}\necho ready >>typed\n`);
  const child = spawn('script', ['-qfec', start, '/dev/null'], {
    cwd: stage.work,
    env: { PATH: `${stage.work}:${process.env['PATH'] ?? ''}`, HOME: stage.root, SUP_DATA_DIR: stage.data },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const typed = join(stage.work, 'typed');
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const run = (): readonly string[] =>
    existsSync(typed) ? readFileSync(typed, 'utf8').trimEnd().split('\n') : [];
  try {
    for (const [at, line] of ['', ...lines].entries()) {
      if (line !== '') child.stdin.write(`${line}\tX\r`);
      const look = (): true | undefined => (run().length > at ? true : undefined);
      await eventually({ what: `${shell} runs: ${line}`, look, instead: () => shown });
    }
  } finally {
    child.kill('SIGKILL');
  }
  return run().slice(1);
};

describe('completion', () => {
  for (const shell of installed)
    scenario(`${shell} completes commands, values, names and files at a terminal`, async (stage) => {
      const services = { web: { ...steady(), replicas: 2 }, api: steady() };
      await started(stage, { projects: { shop: { services } } });
      stage.write('Procfile', 'web: true');
      const typed = await ran(
        stage,
        shell,
        TYPED.map(([line]) => line),
      );
      expect(typed).toEqual(TYPED.map(([, line]) => line));
    });

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
