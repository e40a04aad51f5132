// Replaces placeholders: `{slot}`, `{candidate_slot}`, `{active_slot}` and `{service}` in commands and URLs
// of a blue/green service, but not in `exec`, and `{instance}` in all texts about the process of a service
// with `replicas` (`docs/manifest.md`, "replicas").
import { instanceId } from '../domain/ids.ts';
import type { HealthCheck, Probe } from '../domain/declared/health-check.ts';
import type { BlueGreen, Hook, Reload, ServiceSpec } from '../domain/declared/spec.ts';
import type { Slots } from './slot-pair.ts';

type Fill = (text: string) => string;

/** Returns a function that replaces the placeholders in a text; other braces stay. */
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

/** Returns the declaration with the placeholders in its commands and URLs replaced. */
const filledTexts = (spec: ServiceSpec, fill: Fill): ServiceSpec => {
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

/** Returns the declaration for a run with these slots: placeholders replaced, and `env_var` set. */
export const placed = (spec: ServiceSpec, slots: Slots | undefined): ServiceSpec => {
  const { env, deployment } = spec;
  if (slots === undefined || deployment.blueGreen === undefined) return spec;
  return {
    ...filledTexts(spec, filler(spec.name, slots)),
    env: { ...env, vars: { ...env.vars, [deployment.blueGreen.envVar]: slots.slot } },
  };
};

/** Returns the text with `{instance}` replaced; `${instance}` is a shell variable, not a placeholder. */
export const filledInstance = (text: string, instance: number): string =>
  text.replaceAll(/(?<!\$)\{instance\}/g, String(instance));

type Vars = ServiceSpec['env']['vars'];

/**
 * Returns the variables with placeholders replaced. Without any, returns the same object, so that instances
 * share it.
 */
const filledVars = (vars: Vars, fill: Fill): Vars =>
  Object.values(vars).some((value) => fill(value) !== value)
    ? Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, fill(value)]))
    : vars;

/**
 * Returns the declaration of an instance (the first is 1). The same template always gives the same digest.
 */
const instanceSpec = (template: ServiceSpec, instance: number): ServiceSpec => {
  const fill: Fill = (text) => filledInstance(text, instance);
  const { launch, env } = template;
  return {
    ...filledTexts(template, fill),
    id: instanceId(template.id, instance),
    name: `${template.name}@${instance}`,
    ...(launch.tag === 'exec' && { launch: { tag: 'exec', argv: launch.argv.map(fill) } }),
    workingDir: fill(template.workingDir),
    ...(template.stateDir !== undefined && { stateDir: fill(template.stateDir) }),
    env: { ...env, vars: filledVars(env.vars, fill) },
    digest: `${template.digest}@${instance}`,
  };
};

/** Returns the declarations of the first `count` instances of a service with `replicas`. */
export const instancesOf = (template: ServiceSpec, count: number): readonly ServiceSpec[] =>
  Array.from({ length: count }, (_, index) => instanceSpec(template, index + 1));
