import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandRunner } from '../../../src/sinks/process/commands/command-runner.ts';
import { commands } from '../../../src/sources/process/start-commands.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { all, RUN, sh, specOf, start, world, type World } from '../../fixtures/processes/world.ts';

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());

const run = (command: string, budget: number): Promise<readonly Event[]> => {
  const env = { vars: { MINE: 'mine' }, inherit: false, clearSession: true, strip: [] };
  const spec = specOf(sh('true'), { workingDir: here.dataDir, env });
  const runner = commandRunner({ start, capture: here.capture });
  const ports = { runner, environment: { PATH: '/usr/bin:/bin' }, dataDir: here.dataDir };
  return all(
    commands(ports)({
      type: 'command',
      key: 'k',
      service: spec.id,
      run: RUN,
      purpose: 'pre_start',
      command,
      spec,
      budget: ms(budget),
    }),
  );
};

describe('a pre_start command', () => {
  it('a pre_start command runs with the directory and environment of the service', async () => {
    expect(await run('pwd; echo $MINE; exit 1', 60_000)).toEqual([
      {
        type: 'command-ended',
        service: specOf(sh('')).id,
        run: RUN,
        purpose: 'pre_start',
        outcome: { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: [here.dataDir, 'mine'] },
      },
    ]);
  });

  it('a pre_start command that does not end in time exceeds its budget', async () => {
    expect(await run('sleep 60', 50)).toMatchObject([{ outcome: { tag: 'over-budget' } }]);
  });
});
