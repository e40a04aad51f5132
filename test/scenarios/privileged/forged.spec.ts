// Needs the native addon.
// Forged marks: a process that claims to belong to a run and does not.
import { spawn } from 'node:child_process';
import { chownSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { rlimitTagFor } from '../../../src/os/children/rlimit-tag.ts';
import { eventually, holds } from '../support/eventually.ts';
import { kill } from '../support/supervisors.ts';
import { killSupervisor, killWith } from '../support/own-death.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { asRoot, NOBODY, runningSys, startSys } from '../support/privileged.ts';
import { isAlive, processOf } from '../support/process-table.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, serviceIn } from '../support/witnesses.ts';
import { logLinesOf } from '../support/forging.ts';

/** A process of `nobody` that carries the mark, in its environment and in the inherited limit. */
const forge = async ({ data }: Stage, mark: string, through = NOBODY.through): Promise<number> => {
  const rlimitTag = /^[\w/]+#\d+$/.test(mark) ? rlimitTagFor(data, mark) : 'unlimited';
  const { pid = 0 } = spawn('prlimit', [`--rttime=${rlimitTag}:`, ...through, 'sleep', '1000'], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', SUP_SUPERVISOR: data, SUP_UNIT: mark },
  });
  await holds('the forger ready', () => processOf(pid)?.command === 'sleep 1000');
  return pid;
};

/** It runs on, the service runs as another process, and nothing that `sup` says names it. */
const expectIgnored = async (stage: Stage, forger: number): Promise<void> => {
  const { document } = await stage.status();
  const { pid } = serviceIn(document, 'web');
  expect(pid).not.toBe(forger);
  expect(pid === null ? 0 : processOf(pid)?.session).toBe(pid);
  expect(JSON.stringify(document)).not.toContain(String(forger));
  expect(isAlive(forger)).toBe(true);
};

const ending = async (forger: number, play: () => Promise<void>): Promise<void> => {
  try {
    await play();
  } finally {
    kill({ pid: forger });
  }
};

describe('a mark that a stranger has forged', () => {
  asRoot('is not adopted after SIGTERM and a new start, with the number of the last run', async (stage) => {
    await runningSys(stage, { web: steady() });
    const forger = await forge(stage, '__loose__/web#1');
    await ending(forger, async () => {
      expectDone(await stage.sup('shutdown', '--sys'));
      expectDone(await startSys(stage, { web: steady() }));
      await expectIgnored(stage, forger);
    });
  });

  asRoot('is not adopted after everything was killed, and keeps nothing from starting', async (stage) => {
    const { web } = await runningSys(stage, { web: steady() });
    const forger = await forge(stage, '__loose__/web#1');
    await ending(forger, async () => {
      await killWith(stage, [{ pid: web }]);
      expectDone(await startSys(stage, { web: steady() }));
      await expectIgnored(stage, forger);
    });
  });

  asRoot('is not adopted at the first start of a service', async (stage) => {
    const forger = await forge(stage, '__loose__/web#1');
    await ending(forger, async () => {
      expectDone(await startSys(stage, { web: steady() }));
      await expectIgnored(stage, forger);
    });
  });

  asRoot(
    'with a higher number is not adopted, and does not raise the number of the next run',
    async (stage) => {
      const { web } = await runningSys(stage, { web: steady() });
      const forger = await forge(stage, '__loose__/web#7');
      await ending(forger, async () => {
        await killWith(stage, [{ pid: web }]);
        expectDone(await startSys(stage, { web: steady() }));
        await expectIgnored(stage, forger);
        expect(serviceIn((await stage.status()).document, 'web').run).toBe(2);
      });
    },
  );

  asRoot('is not ended with the service, and does not keep it from being stopped', async (stage) => {
    await runningSys(stage, { web: steady() });
    const forger = await forge(stage, '__loose__/web#1');
    await ending(forger, async () => {
      expectDone(await stage.sup('stop', '--sys'));
      expect(isAlive(forger)).toBe(true);
      await startSys(stage, { web: steady() });
      await killSupervisor(stage);
      expectDone(await stage.sup('stop', '--sys'));
      expect(isAlive(forger)).toBe(true);
    });
  });

  asRoot('is no reason for purge --force to end the process', async (stage) => {
    await runningSys(stage, { web: steady(), old: steady() });
    expectDone(await stage.sup('shutdown', '--sys'));
    expectDone(await startSys(stage, { web: steady() }));
    const forger = await forge(stage, '__loose__/old#1');
    const other = await forge(stage, 'gone/api#3');
    await ending(forger, () =>
      ending(other, async () => {
        const outcome = await stage.sup('purge', '--sys', '--force', '--yes');
        expectDone(outcome);
        expect(outcome.stdout).not.toContain('gone/api');
        expect([isAlive(forger), isAlive(other)]).toEqual([true, true]);
      }),
    );
  });

  asRoot('of a confined service is no mark of another service', async (stage) => {
    const command = `SUP_UNIT='__loose__/web#9' setsid -f sh -c 'echo $$$$ >forger; exec sleep 1000'; exec sleep 1000`;
    const capabilities: readonly string[] = [];
    const more = { user: '65534', group: '65534', capabilities, isolation: { seccomp: 'baseline' } };
    stage.write('forger', '');
    const all = { web: steady(), jailed: shell(command, { ...more, working_dir: stage.work }) };
    chownSync(`${stage.work}/forger`, 65_534, 65_534);
    const { web } = await runningSys(stage, all);
    const [forger = 0] = (
      await eventually({
        what: 'the forger',
        look: () => (linesOf(stage, 'forger').length > 0 ? linesOf(stage, 'forger') : undefined),
      })
    ).map(Number);
    await killWith(stage, [{ pid: web }]);
    expectDone(await startSys(stage, all));
    await expectIgnored(stage, forger);
    expect(serviceIn((await stage.status()).document, 'web').run).toBe(2);
  });
});

describe('escape sequences in a forged mark', () => {
  const EVIL = '__loose__/\u001b]0;gotcha\u0007\u001b[31mweb#1';
  const AS_ROOT: readonly string[] = ['env'];

  for (const [whose, through] of [
    ['a stranger', NOBODY.through],
    ['root itself', AS_ROOT],
  ] as const)
    asRoot(`of ${whose} reach neither status nor the log`, async (stage) => {
      const forger = await forge(stage, EVIL, through);
      await ending(forger, async () => {
        expectDone(await startSys(stage, { web: steady() }));
        const { document } = await stage.status();
        const shown = await stage.sup('status', '--sys');
        const said = [JSON.stringify(document), shown.stdout, shown.stderr, logLinesOf(stage)].join('\n');
        expect(said).not.toContain('gotcha');
        expect(isAlive(forger)).toBe(true);
      });
    });
});

describe('a process that hides from its supervisor', () => {
  const hiding = (variables: string): string =>
    `env -i ${variables} setsid sh -c 'setsid sh -c "echo \\$\\$ >hidden; exec sleep 1000" & sleep 0.2' & exec sleep 1000`;
  const WAYS = [
    ['with a cleared environment', ''],
    ['that names another data directory', 'SUP_DATA_DIR=/nowhere'],
    ['that names another supervisor', 'SUP_SUPERVISOR=/nowhere SUP_UNIT=shop/web#1'],
  ] as const;

  for (const [how, variables] of WAYS)
    asRoot(`${how} is found by stop`, async (stage) => {
      await runningSys(stage, { web: shell(hiding(variables).replaceAll('$', '$$')) });
      const [hidden = 0] = (await linesCome(stage, 'hidden', 1)).map(Number);
      await holds('its parents gone', () => processOf(processOf(hidden)?.parent ?? 0)?.command !== 'sh');
      expectDone(await stage.sup('stop', '--sys', '--service', 'web'));
      expect(isAlive(hidden)).toBe(false);
    });

  asRoot('that names another data directory is found by shutdown', async (stage) => {
    const command = hiding('SUP_DATA_DIR=/nowhere').replaceAll('$', '$$');
    await runningSys(stage, { web: shell(command) });
    const [hidden = 0] = (await linesCome(stage, 'hidden', 1)).map(Number);
    expectDone(await stage.sup('shutdown', '--sys'));
    expect(isAlive(hidden)).toBe(false);
  });
});
