// Races: every command in every state, on real processes. Three services are in the same state, and each gets a
// command at the same moment. Then the obstacle is removed: each service is where its last command put it, once.
import { describe, expect } from 'vitest';
import type { StateWord } from '../../../src/streams/wire/documents/documents.ts';
import { fileComes } from '../support/marks.ts';
import { loose } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { come } from '../support/witnesses.ts';
import { STANDS, type Stand } from './states.ts';

const COMMANDS = ['start', 'stop', 'restart'] as const;

const bring = async (stage: Stage, { service, state, prepare }: Stand): Promise<void> => {
  stage.declare(loose(Object.fromEntries(COMMANDS.flatMap((command) => Object.entries(service(command))))));
  const all = (word: StateWord) => Object.fromEntries(COMMANDS.map((command) => [command, word]));
  const start = stage.begin(['start', '--daemonize']);
  if (prepare === undefined) {
    await come(stage, all(state));
    return;
  }
  await start.ended;
  if (prepare === 'stop') await stage.sup('stop');
  if (prepare === 'begin-stop') {
    for (const command of COMMANDS) await fileComes(stage, `up-${command}`);
    stage.begin(['stop']);
  }
  if (prepare === 'fell') {
    stage.write('fallen', '');
    COMMANDS.forEach((command) => stage.write(`end-${command}`, '1'));
  }
  await come(stage, all(state));
};

describe('commands in each state of a service', () => {
  for (const stand of STANDS)
    scenario(stand.state, async (stage) => {
      await bring(stage, stand);
      const asked = COMMANDS.map((command) =>
        stage.begin(
          command === 'start'
            ? ['start', '--daemonize', '--service', command]
            : [command, '--service', command],
        ),
      );
      // Once a command without a wait is answered, waiting ones have reached the supervisor too.
      await stage.sup('stop', '--service', 'stop');
      stage.write('go', '');
      const outcomes = await Promise.all(asked.map(({ ended }) => ended));
      expect(outcomes.map(({ stderr }) => stderr).join('')).not.toMatch(/ERR0001/);
      const { start, restart, stop = 'stopped' } = stand.after;
      const after = await come(stage, { start, restart, stop });
      for (const command of COMMANDS)
        expect(stage.members(command).filter(({ leader }) => leader).length).toBeLessThanOrEqual(1);
      expect(after.stop.wanted).toBe('down');
    });
});
