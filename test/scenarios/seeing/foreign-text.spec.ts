// Text that others wrote: what a service, a manifest or a failing program says can neither stop `sup` nor deceive a reader.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { loose } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, started } from '../support/witnesses.ts';

/** Four lines of 60,000 carriage returns with a letter at the end, then one more line. */
const RETURNS = `for i in 1 2 3 4; do head -c 60000 /dev/zero | tr '\\0' '\\r'; echo x; done; echo after`;

/** A title, a cursor that goes up, C1, right-to-left override, zero-width space, isolate, and the end. */
const SLY = String.raw`printf '\033]0;evil\007\033[1A\302\233up \342\200\256over \342\200\213zero \342\201\246isolate\n'`;

/** Escape, C1, bidirectional and zero-width characters: nothing that reaches a reader may hold one. */
const HIDDEN =
  // eslint-disable-next-line no-control-regex -- these are exactly what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

const TAMED = [
  ['status'],
  ['status', '--json'],
  ['why', 'shop/bad'],
  ['why', 'shop/bad', '--json'],
  ['inspect', 'shop/bad'],
  ['inspect', 'shop/bad', '--json'],
  ['events'],
  ['events', '--json'],
  ['logs'],
  ['logs', '--json'],
  ['logs', '--supervisor'],
  ['logs', '--supervisor', '--json'],
  ['plan', '--all'],
  ['doctor'],
] as const;

const SHOP = {
  projects: {
    shop: {
      name: 'Sh\u202eop \u200bof\u009b \u001b[31mred',
      services: {
        bad: {
          command: `${SLY}; ${SLY} >&2; exit 3`,
          restart_policy: 'never',
          env: { vars: { SLY: '\u202e\u009b\u001b' } },
        },
        probed: {
          exec: ['sleep', '1000'],
          deployment: { health_check: { command: `${SLY}; exit 1`, interval: '1s', retries: 1 } },
        },
      },
    },
  },
};

const expectTamed = async (stage: Stage, args: readonly string[]): Promise<void> => {
  const { stdout, stderr } = await stage.sup(...args);
  expect([args.join(' '), HIDDEN.exec(stdout)?.[0], HIDDEN.exec(stderr)?.[0]]).toEqual([
    args.join(' '),
    undefined,
    undefined,
  ]);
};

describe('text from outside', () => {
  scenario('240,000 carriage returns do not block a supervisor in the foreground', async (stage) => {
    stage.declare(loose({ rogue: { command: `${RETURNS}; exec sleep 1000` } }));
    const foreground = stage.begin(['supervise', '-c', 'sup.yaml']);
    await holds('what comes after them', () => foreground.stdout().includes('after'));
    expect((await stage.status()).document.supervisor.running).toBe(true);
  });

  scenario('logs shows 240,000 carriage returns at once', async (stage) => {
    await started(stage, loose({ rogue: { command: `${RETURNS}; exec sleep 1000` } }));
    const follow = stage.begin(['logs', 'rogue', '-f']);
    await holds('what comes after them', () => follow.stdout().includes('after'));
  });

  scenario('hidden characters reach no reader', async (stage) => {
    stage.declare(SHOP);
    const failed = await stage.sup('start', '--daemonize');
    expect([failed.status, HIDDEN.exec(failed.stdout + failed.stderr)?.[0]]).toEqual([1, undefined]);
    expect(failed.stderr).toContain(String.raw`\u202e`);
    for (const args of TAMED) await expectTamed(stage, args);
    expectDone(await stage.sup('logs', 'shop/bad'));
  });
});
