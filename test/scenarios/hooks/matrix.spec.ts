// Hooks: the behaviour matrix (`docs/hooks.md`, "What fires when") row by row, and Form A beside it, on real processes.
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { EARLY, loose, script, shell, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Json, Stage } from '../support/stage.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** Every hook there is notes its name. */
const tell = { command: 'echo "$SUP_HOOK" >>hooks' };
const both: Json = { success: tell, error: tell };
const FORM_A: Declared = { onstart: tell, onerr: tell };
const FORM_B: Declared = { on_start: both, on_stop: both, on_restart: both };

/** Hooks of one moment run side by side, so that their lines may change places. */
const fired = async (stage: Stage, count: number): Promise<readonly string[]> => {
  await linesCome(stage, 'hooks', count);
  return [...linesOf(stage, 'hooks')].toSorted();
};

interface Row {
  readonly title: string;
  readonly service: Declared;
  readonly play: (stage: Stage) => Promise<void>;
  readonly formA: readonly string[];
  readonly formB: readonly string[];
  /** A run of it exits before it is ready. */
  readonly isEarly?: boolean;
}

const start = async (stage: Stage): Promise<void> => {
  await stage.sup('start', '--daemonize');
};

const ROWS: readonly Row[] = [
  {
    title: 'a service that starts successfully',
    service: steady(),
    play: start,
    formA: ['onstart'],
    formB: ['on_start.success'],
  },
  {
    title: 'a service that cannot be spawned',
    service: { exec: ['/no/such/program'], restart_policy: 'never' },
    play: start,
    formA: ['onerr'],
    formB: ['on_start.error'],
  },
  {
    title: 'a service that exits before it is ready',
    service: shell('exit 2', { restart_policy: 'never' }),
    play: start,
    formA: ['onerr'],
    formB: ['on_start.error'],
    isEarly: true,
  },
  {
    title: 'a service that is stopped',
    service: steady(),
    play: async (stage) => {
      await start(stage);
      expectDone(await stage.sup('stop', '--service', 'it'));
    },
    formA: ['onstart'],
    formB: ['on_start.success', 'on_stop.success'],
  },
  {
    title: 'a service that crashes and is not restarted',
    service: script('until-told.sh', ['end'], { restart_policy: 'never' }),
    play: async (stage) => {
      await start(stage);
      stage.write('end', '3');
      await come(stage, { it: 'failed' });
    },
    formA: ['onstart', 'onerr'],
    formB: ['on_start.success', 'on_stop.error'],
  },
  {
    title: 'a restart after a crash that succeeds',
    service: script('until-told.sh', ['end'], { backoff: '50ms' }),
    play: async (stage) => {
      await start(stage);
      stage.write('end', '3');
      await linesCome(stage, 'hooks', 3);
      await come(stage, { it: 'running' });
    },
    formA: ['onstart', 'onerr', 'onstart'],
    formB: ['on_start.success', 'on_stop.error', 'on_start.success', 'on_restart.success'],
  },
  {
    title: 'a restart after a crash that fails',
    service: shell(
      '[ -e crashed ] && exit 4; while [ ! -e end ]; do sleep 0.02; done; touch crashed; exit 3',
      {
        backoff: '50ms',
        max_restarts: 1,
      },
    ),
    play: async (stage) => {
      await start(stage);
      stage.write('end', '');
      await come(stage, { it: 'breaker-open' });
    },
    formA: ['onstart', 'onerr', 'onerr'],
    formB: ['on_start.success', 'on_stop.error', 'on_restart.error'],
    isEarly: true,
  },
  {
    title: 'a manual restart',
    service: steady(),
    play: async (stage) => {
      await start(stage);
      expectDone(await stage.sup('restart', '--service', 'it'));
    },
    formA: ['onstart', 'onstart'],
    formB: ['on_start.success', 'on_stop.success', 'on_start.success'],
  },
  {
    title: 'a one-shot that completes',
    service: shell('true'),
    play: start,
    formA: ['onstart'],
    formB: ['on_start.success', 'on_stop.success'],
  },
];

describe('the forms of hooks', () => {
  for (const { title, service, play, formA, formB, isEarly = false } of ROWS)
    scenario(title, async (stage) => {
      const hooks = { ...FORM_A, ...FORM_B };
      if (isEarly) stage.settings(EARLY);
      stage.declare(loose({ it: { ...service, hooks } }));
      await play(stage);
      const expected = [...formA, ...formB].toSorted();
      expect(await fired(stage, expected.length)).toEqual(expected);
      // The end of everything fires what a stop fires, and nothing that was late.
      await stage.sup('shutdown');
      const late = linesOf(stage, 'hooks').slice(expected.length);
      expect(late.filter((line) => line !== 'on_stop.success')).toEqual([]);
    });

  scenario('hooks that are declared in one form fire only for that form', async (stage) => {
    await started(stage, loose({ a: steady({ hooks: FORM_A }), b: steady({ hooks: FORM_B }) }));
    expect(await fired(stage, 2)).toEqual(['on_start.success', 'onstart']);
    await agree(stage, { a: 'running', b: 'running' });
  });
});
