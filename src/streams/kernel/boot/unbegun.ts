// A spawn that the previous program requested but had not begun is requested again, unchanged
// (`docs/reliability.md`, "Upgrade").
import { inPlace, secondInPlace } from '../../rollout/in-place.ts';
import { childOf } from '../../children/family.ts';
import { spawnOfChild } from '../../children/run.ts';
import type { EffectOf } from '../../domain/effect.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';

type Spawn = EffectOf<'spawn'>;

const isSpawning = ({ actual }: Pick<Service, 'actual'>, run: RunId): boolean =>
  actual.tag === 'spawning' && actual.run === run;

const ofRun = ({ spec, lane = 0 }: Service, run: RunId): readonly Spawn[] => [
  { type: 'spawn', service: spec.id, run, spec, lane },
];

/** The spawn of this run; empty if the service is gone or the run does not wait for a process. */
export const spawnAsked = (service: Service | undefined, run: RunId): readonly Spawn[] => {
  if (service === undefined) return [];
  if (isSpawning(service, run)) return ofRun(inPlace(service), run);
  const second = service.rollout?.other;
  if (second !== undefined && isSpawning(second, run)) return ofRun(secondInPlace(service, second), run);
  const child = childOf(service, run);
  return child !== undefined && isSpawning(child, run) ? [spawnOfChild(service, child)] : [];
};
