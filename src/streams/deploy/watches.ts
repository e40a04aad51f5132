// What a service with a rollout asks to be looked at: its own run, the second one, and what the present step waits for.
import type { Rollout, Service } from '../domain/service/service.ts';
import type { HealthCheck } from '../domain/declared/spec.ts';
import type { Settings } from '../domain/declared/settings.ts';
import { plus } from '../domain/time.ts';
import type { Watch } from '../domain/watch.ts';
import { childrenWatches } from '../children/watches.ts';
import { presentRun } from '../service/input.ts';
import { watchesOf } from '../service/watches.ts';
import { inPlace, revertingInPlace, secondInPlace } from './in-place.ts';
import { stepOf, stepSince } from './input.ts';

/** Each step's own, by its place among them: a step that is entered again looks anew, and a clock that is set changes nothing. */
const keyOf = (kind: string, { spec }: Service, rollout: Rollout): string =>
  `${kind}:${spec.id}#${presentRun(rollout.other)}:${stepOf(rollout)}@${rollout.stages.length}`;

const verify = (candidate: Service, rollout: Rollout, check: HealthCheck | undefined): readonly Watch[] => {
  const { spec, actual } = candidate;
  if (check === undefined || !('process' in actual)) return [];
  const { process } = actual;
  const run = presentRun(candidate);
  const key = keyOf('verify', candidate, rollout);
  return [{ type: 'verify', key, service: spec.id, run, process, spec, check, pace: 'starting' }];
};

const switching = (candidate: Service, rollout: Rollout, { preStart }: Settings): readonly Watch[] => {
  const { spec } = candidate;
  const command = spec.deployment.blueGreen?.switchCommand;
  if (command === undefined) return [];
  return [
    {
      type: 'command',
      key: keyOf('command', candidate, rollout),
      service: spec.id,
      run: presentRun(candidate),
      purpose: 'switch',
      command,
      spec,
      budget: preStart,
    },
  ];
};

const grace = (candidate: Service, rollout: Rollout): Watch => ({
  type: 'timer',
  key: keyOf('timer', candidate, rollout),
  service: candidate.spec.id,
  run: presentRun(candidate),
  timer: 'grace',
  due: plus(stepSince(rollout), candidate.spec.deployment.gracePeriod),
});

const ofStep = (service: Service, rollout: Rollout, settings: Settings): readonly Watch[] => {
  const candidate = secondInPlace(service, rollout.other);
  const { blueGreen } = candidate.spec.deployment;
  switch (stepOf(rollout)) {
    case 'verifying':
      return verify(candidate, rollout, blueGreen?.candidateHealthCheck);
    case 'switching':
      return switching(candidate, rollout, settings);
    case 'confirming':
      return verify(candidate, rollout, blueGreen?.switchVerify);
    case 'reverting':
      return switching(revertingInPlace(service, rollout.other), rollout, settings);
    case 'watching':
      return [grace(candidate, rollout)];
    case 'starting':
    case 'retiring':
    case 'withdrawing':
      return [];
  }
};

/** All that a service asks to be looked at, its rollout included. */
export const allWatchesOf = (service: Service, settings: Settings): readonly Watch[] => {
  const own = watchesOf(inPlace(service), settings);
  const { rollout } = service;
  if (rollout === undefined) return [...own, ...childrenWatches(service, settings)];
  const second = watchesOf(secondInPlace(service, rollout.other), settings);
  return [...own, ...second, ...ofStep(service, rollout, settings), ...childrenWatches(service, settings)];
};
