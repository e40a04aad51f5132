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

describe('a command before the start', () => {
  it('runs where and with what the service will run', async () => {
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

  it('is over budget when it does not end in time', async () => {
    expect(await run('sleep 60', 50)).toMatchObject([{ outcome: { tag: 'over-budget' } }]);
  });
});
