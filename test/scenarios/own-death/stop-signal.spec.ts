// Own death by the signal that the supervisor sends: a stopping service gets no second signal and no extra time.
import { describe, expect } from 'vitest';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { goOn } from '../support/own-death.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { supervisors } from '../support/supervisors.ts';
import { agree, come, started } from '../support/witnesses.ts';

/** Kills the supervisor that sends the stop signal before it can record that, and does not end itself. */
const AVENGER = [
  'while [ ! -s killers ]; do sleep 0.02; done; read -r killers <killers',
  `trap 'kill -9 $killers; killers=; echo asked >>asked' TERM`,
  'echo >ready; while :; do sleep 0.05; done',
].join('; ');

describe('the stop signal', () => {
  scenario('the stop signal is sent once, although the supervisor dies of it', async (stage) => {
    await started(stage, loose({ it: shell(AVENGER, { stop_timeout: '3s' }), other: steady() }));
    const { it: before } = await agree(stage, { it: 'running', other: 'running' });
    stage.write(
      'killers',
      `${supervisors(stage)
        .map(({ pid }) => pid)
        .join(' ')}\n`,
    );
    await fileComes(stage, 'ready');
    const stop = stage.begin(['stop', '--service', 'it']);
    await linesCome(stage, 'asked', 1);
    await stop.ended;
    await goOn(stage);
    const { it } = await come(stage, { it: 'stopped', other: 'running' });
    expect(linesOf(stage, 'asked')).toHaveLength(1);
    expect(it.run).toBe(before.run);
  });
});
