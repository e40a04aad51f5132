// Secrets: read at each start, passed to the process, its hooks, checks and commands, and kept nowhere.
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { project, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { come, expectDone, expectFailed } from '../support/witnesses.ts';

const [FIRST, SECOND] = ['first-0f6b2a', 'second-91c4de'];

/** Says in a file that it ran and what it got. */
const tells = (what: string): string => `echo ${what} "$KEY" >>told`;

const web = shell(`${tells('process')}; exec sleep 1000`, {
  env: { secrets: { KEY: { file: 'secret' } } },
  backoff: '100ms',
  max_restarts: 1000,
  deployment: { pre_start: tells('pre_start'), health_check: { command: 'test -n "$KEY"' } },
  hooks: { onstart: { command: tells('onstart') }, onerr: { command: tells('onerr') } },
});

/** Puts the whole secret in place at once: a check may read it at any moment. */
const secretIs = (stage: Stage, text: string): void =>
  renameSync(stage.write('secret.new', text), join(stage.work, 'secret'));

const regularIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * The files below the directory that contain a text. FIFOs and sockets are left out. Looks again if a file was renamed
 * or removed meanwhile: the supervisor goes on writing.
 */
const filesWith = (directory: string, text: string): Promise<readonly string[]> =>
  eventually({
    what: `a look at every file of ${directory}`,
    look: () => {
      try {
        return regularIn(directory).filter((path) => readFileSync(path, 'latin1').includes(text));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
  });

scenario('a secret reaches the process and its commands, and is kept nowhere', async (stage) => {
  stage.declare(project('shop', { web }));
  const failed = await stage.sup('start', '--daemonize');
  expectFailed(failed, 'ERR0124');
  expect(failed.stderr).toContain(
    `env.secrets.KEY: ${join(stage.work, 'secret')} cannot be used: no such file`,
  );
  await linesCome(stage, 'told', 1);
  expect(linesOf(stage, 'told')[0]).toMatch(/^onerr ?$/);

  secretIs(stage, `${FIRST}\n`);
  await come(stage, { 'shop/web': 'running' });
  for (const what of ['pre_start', 'process', 'onstart'])
    await holds(what, () => linesOf(stage, 'told').includes(`${what} ${FIRST}`));
  const inside = await stage.sup('exec', 'web', '--', 'sh', '-c', 'echo "$KEY"');
  expect(inside.stdout).toBe(`${FIRST}\n`);

  secretIs(stage, SECOND);
  expectDone(await stage.sup('restart', 'web'));
  await holds('the new value', () => linesOf(stage, 'told').includes(`process ${SECOND}`));
  const shown = [
    await stage.sup('inspect', 'web', '--json'),
    await stage.sup('events', '--json'),
    await stage.sup('config'),
    await stage.sup('why', 'web'),
  ].map(({ stdout }) => stdout);
  shown.push(readFileSync(`/proc/${await supervisorPid(stage)}/environ`, 'latin1'));
  for (const value of [FIRST, SECOND]) {
    expect(await filesWith(stage.data, value)).toEqual([]);
    for (const text of shown) expect(text).not.toContain(value);
  }
  expect(shown[0]).toContain('"env_keys":["KEY"]');
});
