// The world of a marble story: an obedient one. Spawns succeed at once, a stop signal ends the leader at once, and
// nobody of a tree survives its leader, unless a service says otherwise: `world.slow` (spawns are told in the lane),
// `world.stubborn` (only SIGKILL ends it), `world.messy` (who is left is told in the lane).
import type { Effect } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ExitStatus } from '../../../src/streams/domain/exit.ts';
import { nameOf, runId, type RunId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { ProcessRef } from '../../../src/streams/domain/process.ts';
import type { Service } from '../../../src/streams/domain/service.ts';
import { EXITS, OUTCOMES, PROBES, SPAWNS, SURVEYS } from './alphabet.ts';
import type { Story } from './story.ts';

const processOf = (run: RunId): ProcessRef => ({ pid: 1_000 + run, startTicks: run });

export interface World {
  /** What a letter in a service's lane says happened. */
  readonly events: (service: Service, letter: string) => readonly Event[];
  /** What an effect brings about by itself. */
  readonly answer: (effect: Effect) => readonly Event[];
}

const exitEvents = (
  service: ServiceId,
  run: RunId,
  exit: { status: ExitStatus; messy: boolean },
): readonly Event[] => {
  const exited: Event = { type: 'exited', service, run, status: exit.status };
  return exit.messy ? [exited] : [exited, { type: 'surveyed', service, run, alive: [], evidence: [] }];
};

const spawnEvent = (service: ServiceId, run: RunId, outcome: 'spawned' | 'spawn-failed'): Event =>
  outcome === 'spawned'
    ? { type: 'spawned', service, run, process: processOf(run) }
    : { type: 'spawn-failed', service, run, error: { code: 'ERR0113', service, detail: 'not found' } };

export const worldOf = ({ services }: Story): World => {
  const is = (id: ServiceId, trait: string): boolean =>
    services.find(({ name }) => name === nameOf(id))?.options[`world.${trait}`] === 'true';

  const events = (service: Service, letter: string): readonly Event[] => {
    const { id } = service.spec;
    const run = runId(service.runs);
    const exit = EXITS[letter];
    if (exit) return exitEvents(id, run, { status: exit, messy: is(id, 'messy') });
    const spawn = SPAWNS[letter];
    if (spawn) return [spawnEvent(id, run, spawn)];
    const survey = SURVEYS[letter];
    const alive = survey === 'somebody' ? [{ pid: 7_000, startTicks: 1 }] : [];
    if (survey) return [{ type: 'surveyed', service: id, run, alive, evidence: [] }];
    const outcome = OUTCOMES[letter];
    const purpose = service.actual.tag === 'preparing' ? service.actual.step : 'pre_start';
    if (outcome) return [{ type: 'command-ended', service: id, run, purpose, outcome }];
    const result = PROBES[letter];
    return result ? [{ type: 'probed', service: id, run, result }] : [];
  };

  const answer = (effect: Effect): readonly Event[] => {
    if (effect.type === 'spawn' && !is(effect.service, 'slow'))
      return [spawnEvent(effect.service, effect.run, 'spawned')];
    if (effect.type !== 'signal') return [];
    const { service, run, signal } = effect;
    if (signal !== 'SIGKILL' && is(service, 'stubborn')) return [];
    return exitEvents(service, run, { status: { tag: 'signal', signal }, messy: is(service, 'messy') });
  };

  return { events, answer };
};
