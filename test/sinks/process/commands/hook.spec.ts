import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { from, type Observable, tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandRunner } from '../../../../src/sinks/process/commands/command-runner.ts';
import { hookSink } from '../../../../src/sinks/process/commands/hook.ts';
import type { EffectOf, HookOccasion } from '../../../../src/streams/domain/effect.ts';
import type { Event } from '../../../../src/streams/domain/event.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import {
  all,
  RUN,
  sh,
  specOf,
  start,
  world,
  written,
  type World,
} from '../../../fixtures/processes/world.ts';

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());

const OCCASION: HookOccasion = { name: 'on_stop.error', run: RUN, attempt: 2 };
const hooked = (
  command: string,
  changes: Partial<HookOccasion> = {},
  timeout?: number,
): EffectOf<'run-hook'> => ({
  type: 'run-hook',
  spec: specOf(sh('true'), { directory: here.dataDir }),
  hook: { command, ...(timeout === undefined ? {} : { timeout: ms(timeout) }) },
  occasion: { ...OCCASION, ...changes },
});
function events(...effects: EffectOf<'run-hook'>[]): Observable<Event> {
  const runner = commandRunner({ start, capture: here.capture });
  const ports = { runner, environment: { PATH: '/usr/bin:/bin' }, dataDir: here.dataDir };
  return hookSink(ports)(from(effects));
}
const run = (...effects: EffectOf<'run-hook'>[]): Promise<readonly Event[]> => all(events(...effects));
const SAY =
  'echo "$SUP_HOOK|$SUP_PID|$SUP_EXIT_CODE|$SUP_EXIT_SIGNAL|$SUP_ATTEMPT|$SUP_ERROR|$SUP_SERVICE" > said';

describe('a hook', () => {
  it('a hook gets its event in variables and runs in the directory of the manifest', async () => {
    const service = specOf(sh('')).id;
    const error = { code: 'ERR0110', service, attempts: 2 } as const;
    await run(hooked(SAY, { pid: 4711, exit: { tag: 'code', code: 3 }, error }));
    expect(await written(join(here.dataDir, 'said'))).toBe('on_stop.error|4711|3||2|ERR0110|web');
  });

  it('variables that do not apply are empty for a hook', async () => {
    await run(hooked(`set -u; ${SAY}`, { exit: { tag: 'signal', signal: 'SIGSEGV' } }));
    expect(await written(join(here.dataDir, 'said'))).toBe('on_stop.error|||SIGSEGV|2||web');
  });

  it('a hook prints to the log of the service', async () => {
    await run(hooked('echo hello'));
    expect(here.log()).toBe('hello\n');
  });

  it('a hook reports how it ended, and is killed at its timeout', async () => {
    const [failed] = await run(hooked('exit 9'));
    expect(failed).toEqual({
      type: 'hook-ended',
      service: specOf(sh('')).id,
      run: RUN,
      name: 'on_stop.error',
      outcome: { tag: 'ended', status: { tag: 'code', code: 9 }, evidence: [] },
    });
    expect(await run(hooked('exec sleep 60', {}, 50))).toMatchObject([{ outcome: { tag: 'over-budget' } }]);
  });

  it('a hook does not delay another one', async () => {
    const slow = Array.from({ length: 20 }, () => hooked('until [ -e go ]; do sleep 0.02; done'));
    const ended = await all(
      events(...slow, hooked('exit 5')).pipe(tap(() => writeFileSync(join(here.dataDir, 'go'), ''))),
    );
    expect(ended[0]).toMatchObject({ outcome: { status: { code: 5 } } });
    expect(ended).toHaveLength(21);
  });
});
