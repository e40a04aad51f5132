// The watches of a service (timers, probes, commands): of its runs and of the current rollout step.
// Rules: `docs/behaviour.md`, "Instances", "Its own answer".
import { instanceNumber } from '../domain/ids.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Rollout, Service } from '../domain/service/service.ts';
import type { HealthCheck } from '../domain/declared/health-check.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { Settings } from '../domain/declared/settings.ts';
import { plus } from '../domain/time.ts';
import type { Watch } from '../domain/watch.ts';
import { childrenWatches } from '../children/child-watches.ts';
import { presentRun } from '../service/service-input.ts';
import { cutShort } from '../service/checks/probe-watches.ts';
import { ownCgroup, watchesOf } from '../service/service-watches.ts';
import { fileWatches } from '../service/file-watches.ts';
import { answeredBy, confirmationOf, judgedCandidate, judgedCurrent } from './choose-health-check.ts';
import { isForwards } from './inputs-from-runs.ts';
import { resolvedService, resolvedForRevert, resolvedRun } from './placeholders.ts';
import { stepOf, stepSince } from './rollout-input.ts';

/**
 * Returns the key of a watch of a step. The key contains the position of the step, so that a step that begins
 * again has a new watch. The key contains no time, so that a change of the clock does not open a new watch.
 */
const keyOf = (kind: string, { spec }: Run, rollout: Rollout): string =>
  `${kind}:${spec.id}#${presentRun(rollout.other)}:${stepOf(rollout)}@${rollout.stages.length}`;

const verify = (
  candidate: Run,
  rollout: Rollout,
  { check, answerer }: { readonly check: HealthCheck | undefined; readonly answerer: 'candidate' | 'anyone' },
): readonly Watch[] => {
  const { spec, actual } = candidate;
  if (check === undefined || !('process' in actual)) return [];
  const { process } = actual;
  const run = presentRun(candidate);
  const key = keyOf('verify', candidate, rollout);
  const of = { key, service: spec.id, run, process, spec, check, answerer };
  return [{ type: 'verify', ...of, pace: 'starting', ...cutShort(check) }];
};

const switching = (candidate: Run, rollout: Rollout, { preStart }: Settings): readonly Watch[] => {
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

const grace = (candidate: Run, rollout: Rollout): Watch => ({
  type: 'timer',
  key: keyOf('timer', candidate, rollout),
  service: candidate.spec.id,
  run: presentRun(candidate),
  timer: 'grace',
  due: plus(stepSince(rollout), candidate.spec.deployment.gracePeriod),
});

/** Returns the check that must pass after the switch, in which placeholders are replaced. */
const confirming = ({ other }: Rollout, candidate: Run): HealthCheck | undefined => {
  const { deployment } = other.spec;
  const isVerify = deployment.blueGreen?.switchVerify !== undefined;
  const { healthCheck, blueGreen } = judgedCandidate(candidate, deployment, 'confirming').spec.deployment;
  if (confirmationOf(deployment) === undefined) return undefined;
  return isVerify ? blueGreen?.switchVerify : healthCheck;
};

const ofStep = (
  service: Service,
  { rollout, candidate }: { readonly rollout: Rollout; readonly candidate: Run },
  settings: Settings,
): readonly Watch[] => {
  const { blueGreen } = candidate.spec.deployment;
  switch (stepOf(rollout)) {
    case 'verifying':
      return verify(candidate, rollout, { check: blueGreen?.candidateHealthCheck, answerer: 'candidate' });
    case 'switching':
      return switching(candidate, rollout, settings);
    case 'confirming':
      return verify(candidate, rollout, { check: confirming(rollout, candidate), answerer: 'anyone' });
    case 'reverting':
      return switching(resolvedForRevert(service, rollout.other), rollout, settings);
    case 'watching':
      return [grace(candidate, rollout)];
    case 'starting':
    case 'retiring':
    case 'withdrawing':
      return [];
  }
};

/** True for an instance of a service with `replicas` that shares held sockets with the other instances. */
const isSharing = ({ name, sockets = [] }: ServiceSpec): boolean =>
  sockets.length > 0 && instanceNumber(name) !== undefined;

/**
 * Returns a function that changes a probe watch. If the instances share a held socket, the probe of a
 * starting instance passes only if this instance answers. The probe of a ready instance passes if any
 * instance answers.
 */
const ownAnswer =
  (spec: ServiceSpec) =>
  (watch: Watch): Watch =>
    isSharing(spec) && watch.type === 'probe' && watch.pace === 'starting'
      ? { ...watch, answerer: 'candidate', key: `${watch.key}:candidate` }
      : watch;

const ofCurrent = (service: Service, settings: Settings): readonly Watch[] => {
  const { deployment } = service.spec;
  const current = judgedCurrent(resolvedService(service), deployment);
  const watches = watchesOf(current, settings, ownCgroup(service));
  return watches.map(ownAnswer(service.spec)).map(answeredBy(deployment, undefined));
};

/**
 * Returns the watches of the second run. A probe of the new run passes only if the new run itself answers.
 */
const ofOther = (other: Run, rollout: Rollout, settings: Settings): readonly Watch[] => {
  if (!isForwards(rollout)) return watchesOf(other, settings);
  const { deployment } = rollout.other.spec;
  const watches = watchesOf(judgedCandidate(other, deployment, stepOf(rollout)), settings);
  if (isSharing(other.spec)) return watches.map(ownAnswer(other.spec));
  return watches.map(answeredBy(deployment, 'candidate'));
};

/** Returns all watches of a service and of its rollout. */
export const allWatchesOf = (service: Service, settings: Settings): readonly Watch[] => {
  const { rollout } = service;
  const watches = [
    ...ofCurrent(service, settings),
    ...fileWatches(service),
    ...childrenWatches(service, settings),
  ];
  const other = resolvedRun(service, 'other');
  if (rollout === undefined || other === undefined) return watches;
  return [
    ...watches,
    ...ofOther(other, rollout, settings),
    ...ofStep(service, { rollout, candidate: other }, settings),
  ];
};
