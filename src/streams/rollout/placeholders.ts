// Replaces the placeholders `{slot}`, `{candidate_slot}`, `{active_slot}` and `{service}` in commands and
// URLs of a blue/green service, but not in `exec`. Each run has its own slot. The placeholder `{instance}` is
// replaced in `instance-specs.ts`.
// Rules: `docs/behaviour.md`, "Health checks", "Liveness asks a ready service".
import type { Effect } from '../domain/effect.ts';
import type { Run, WhichRun } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import type { HealthCheck, Probe } from '../domain/declared/health-check.ts';
import type { BlueGreen, Hook, Reload, ServiceSpec } from '../domain/declared/spec.ts';
import { candidateSlots, exchanged, slotsOf, type Slots } from './slot-pair.ts';

/** A function that replaces placeholders in a text. */
export type Fill = (text: string) => string;

/** Returns a function that replaces the placeholders for slots and service in a text. */
export const filler = (service: string, { slot, candidate, active }: Slots): Fill => {
  const values = new Map([
    ['{slot}', slot],
    ['{candidate_slot}', candidate],
    ['{active_slot}', active],
    ['{service}', service],
  ]);
  // `${slot}` is a shell variable, not a placeholder.
  return (text) =>
    text.replaceAll(
      /(?<!\$)\{(?:slot|candidate_slot|active_slot|service)\}/g,
      (name) => values.get(name) ?? name,
    );
};

const filledProbe = (probe: Probe, fill: Fill): Probe => {
  switch (probe.tag) {
    case 'command':
      return { tag: 'command', command: fill(probe.command) };
    case 'http':
      return { tag: 'http', url: fill(probe.url) };
    case 'tcp':
      return { tag: 'tcp', tcp: fill(probe.tcp) };
    case 'log':
    case 'notify':
    case 'watchdog':
      return probe;
  }
};

const filledCheck = (check: HealthCheck, fill: Fill): HealthCheck => ({
  ...check,
  probe: filledProbe(check.probe, fill),
  ...(check.liveness && {
    liveness: { ...check.liveness, probe: filledProbe(check.liveness.probe, fill) },
  }),
});

const filledBlueGreen = (blueGreen: BlueGreen, fill: Fill): BlueGreen => {
  const { candidateHealthCheck, switchVerify } = blueGreen;
  return {
    ...blueGreen,
    switchCommand: fill(blueGreen.switchCommand),
    ...(candidateHealthCheck && { candidateHealthCheck: filledCheck(candidateHealthCheck, fill) }),
    ...(switchVerify && { switchVerify: filledCheck(switchVerify, fill) }),
  };
};

const filledHooks = (hooks: ServiceSpec['hooks'], fill: Fill): ServiceSpec['hooks'] =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]: [string, Hook]) => [
      name,
      { ...hook, command: fill(hook.command) },
    ]),
  );

const filledReload = (reload: Reload, fill: Fill): Reload =>
  reload.tag === 'command' ? { tag: 'command', command: fill(reload.command) } : reload;

const filledDeployment = (
  { preStart, healthCheck, blueGreen, ...rest }: ServiceSpec['deployment'],
  fill: Fill,
): ServiceSpec['deployment'] => ({
  ...rest,
  ...(preStart !== undefined && { preStart: fill(preStart) }),
  ...(healthCheck && { healthCheck: filledCheck(healthCheck, fill) }),
  ...(blueGreen && { blueGreen: filledBlueGreen(blueGreen, fill) }),
});

/** Returns the declaration, in which the placeholders in commands and URLs are replaced. */
export const filledTexts = (spec: ServiceSpec, fill: Fill): ServiceSpec => {
  const { launch, skip, reload, stopCommand } = spec;
  return {
    ...spec,
    launch: launch.tag === 'shell' ? { tag: 'shell', command: fill(launch.command) } : launch,
    skip: typeof skip === 'string' ? fill(skip) : skip,
    ...(stopCommand !== undefined && { stopCommand: fill(stopCommand) }),
    ...(reload && { reload: filledReload(reload, fill) }),
    hooks: filledHooks(spec.hooks, fill),
    deployment: filledDeployment(spec.deployment, fill),
  };
};

/**
 * Returns the declaration for a run with these slots: placeholders are replaced, and the variable that
 * `env_var` names is set.
 */
export const resolvePlaceholders = (spec: ServiceSpec, slots: Slots | undefined): ServiceSpec => {
  const { env, deployment } = spec;
  if (slots === undefined || deployment.blueGreen === undefined) return spec;
  return {
    ...filledTexts(spec, filler(spec.name, slots)),
    env: { ...env, vars: { ...env.vars, [deployment.blueGreen.envVar]: slots.slot } },
  };
};

const resolved = <R extends Run>(run: R, slots: Slots | undefined): R => {
  const spec = resolvePlaceholders(run.spec, slots);
  return spec === run.spec ? run : { ...run, spec };
};

/** Returns the service, in which the placeholders of its current run are replaced. */
export const resolvedService = (service: Service): Service => resolved(service, slotsOf(service));

const otherSlots = (service: Service, other: Run): Slots | undefined => candidateSlots(other, service.slot);

/** Returns a run of the service, in which its placeholders are replaced. */
export const resolvedRun = (service: Service, which: WhichRun): Run | undefined => {
  if (which === 'current') return resolvedService(service);
  const other = service.rollout?.other;
  return other && resolved(other, otherSlots(service, other));
};

/**
 * Returns a copy of the new run, in which `switch_command` switches the traffic back: the active and the
 * candidate slot are exchanged. If the old declaration is blue/green, its `switch_command` is used, because
 * it has worked before.
 */
export const resolvedForRevert = (service: Service, candidate: Run): Run => {
  const slots = otherSlots(service, candidate);
  const { spec } = service.spec.deployment.blueGreen === undefined ? candidate : service;
  return resolved({ ...candidate, spec }, slots && exchanged(slots));
};

/** Returns a function that puts this run's declaration and FIFO pair (`lane`) into a spawn effect. */
export const spawnedWith =
  ({ spec, lane = 0 }: Run) =>
  (effect: Effect): Effect =>
    effect.type === 'spawn' ? { ...effect, spec, fifoPair: lane } : effect;
