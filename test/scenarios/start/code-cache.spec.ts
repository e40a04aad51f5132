// Needs the native addon.
// The code caches of the build: every start of both programs has them accepted, and without them nothing changes but the time.
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import { elsewhere, OTHER_VERSION, supOf } from '../support/elsewhere.ts';
import { eventually, holds } from '../support/eventually.ts';
import { linesOf } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { fixture, loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { agree, expectDone } from '../support/witnesses.ts';

const TOLD = 'told';
const TEXTS = [
  ...['core', 'status', 'store', 'work', 'settings', 'manifest', 'help', 'rest'].map((part) => `sup.${part}`),
  'supervisor.bundle',
];

/** Whatever is started from it tells what becomes of its code cache. */
const telling = ({ work }: Stage): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(fixture('caches.mjs')).href}`,
  TOLD: join(work, TOLD),
});

/** What `sup doctor` says about its own. */
const cacheOf = async (stage: Stage, program: string): Promise<string | undefined> => {
  const { checks } = JSON.parse((await supOf(stage, program, 'doctor', '--json')).stdout) as {
    checks: readonly { readonly id: string; readonly level: string; readonly says: string }[];
  };
  const found = checks.find(({ id }) => id === 'code cache');
  return found && `${found.level}: ${found.says}`;
};

describe('a code cache', () => {
  scenario('a code cache is accepted however a program is started', async (stage) => {
    const environment = telling(stage);
    stage.declare(loose({ web: steady() }));
    expectDone(await stage.begin(['start', '--daemonize'], { environment }).ended);
    const pid = await supervisorPid(stage);
    expectDone(await stage.sup('upgrade'));
    expect(await supervisorPid(stage)).toBe(pid);
    killOnlySupervisor(stage);
    await eventually({
      what: 'the supervisor brought back',
      look: async () => {
        const now = (await stage.status()).document.supervisor.pid;
        return now === null || now === pid ? undefined : now;
      },
    });
    await agree(stage, { web: 'running' });
    expectDone(await stage.sup('shutdown'));
    // Of the command, the first supervisor, the trial, the upgraded one, and the one that was brought back.
    expect(linesOf(stage, TOLD)).toEqual([
      'sup.core: accepted',
      'sup.work: accepted',
      'sup.store: accepted',
      'sup.status: accepted',
      'sup.manifest: accepted',
      'supervisor.bundle: accepted',
      'sup.settings: accepted',
      'supervisor.bundle: accepted',
      'supervisor.bundle after an upgrade: accepted',
      'supervisor.bundle: accepted',
    ]);
    rmSync(join(stage.work, TOLD));
    stage.begin(['supervise'], { environment });
    await holds('it runs', async () => (await stage.status()).document.supervisor.running);
    expectDone(await stage.begin(['status'], { environment }).ended);
    expect(linesOf(stage, TOLD)).toEqual([
      'sup.core: accepted',
      'sup.rest: accepted',
      'sup.work: accepted',
      'sup.store: accepted',
      'sup.status: accepted',
      'supervisor.bundle: accepted',
      // Of `status`: nothing else is needed while a supervisor answers.
      'sup.core: accepted',
      'sup.status: accepted',
    ]);
  });

  scenario('a code cache that is outdated, torn or missing only costs time', async (stage) => {
    // Its texts were changed, and are as long as they were.
    const other = elsewhere(stage, 'other');
    const caches = TEXTS.map((name) => join(other, `../${name}.cache`));
    const dist = join(other, '..');
    const before = readFileSync(join(dist, 'sup.core.cache')).length;
    expect(await cacheOf(stage, other)).toContain('warning: sup starts more slowly');
    expect((await supOf(stage, other, 'version')).stdout).toMatch(`sup ${OTHER_VERSION}\n`);
    expect(readFileSync(join(dist, 'sup.core.cache')).length).toBe(before);
    stage.declare(loose({ web: steady() }));
    for (const ruin of [
      (path: string) => truncateSync(path, before - 4096),
      (path: string) => writeFileSync(path, Buffer.alloc(before)),
      (path: string) => rmSync(path),
    ]) {
      caches.forEach(ruin);
      expectDone(await supOf(stage, other, 'start', '--daemonize'));
      const { document } = await stage.status();
      expect(document.supervisor).toMatchObject({ running: true, version: OTHER_VERSION });
      await agree(stage, { web: 'running' });
      expectDone(await supOf(stage, other, 'shutdown'));
    }
    expect(await cacheOf(stage, other)).toContain('the build has left none');
    rmSync(join(dist, 'sup.core.js'));
    expect((await supOf(stage, other, '--version')).stdout).toMatch(/^sup \d+\.\d+\.\d+\n$/);
  });

  scenario('doctor checks the code caches of the build', async (stage) => {
    const outcome = await stage.sup('doctor');
    expect(outcome.stdout).toContain('ok       code cache: sup starts from its code cache');
  });
});
