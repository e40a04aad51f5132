// Replaces `{slot}`, `{candidate_slot}`, `{active_slot}` and `{service}` in commands and URLs of a blue/green
// service, but not in `exec`.
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
      return probe;
  }
};

const filledCheck = (check: HealthCheck, fill: Fill): HealthCheck => ({
  ...check,
  probe: filledProbe(check.probe, fill),
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

/** Returns the declaration for a run with these slots: placeholders replaced, and `env_var` set. */
export const placed = (spec: ServiceSpec, slots: Slots | undefined): ServiceSpec => {
  const { launch, env, skip, reload, stopCommand, deployment } = spec;
  if (slots === undefined || deployment.blueGreen === undefined) return spec;
  const fill = filler(spec.name, slots);
  return {
    ...spec,
    launch: launch.tag === 'shell' ? { tag: 'shell', command: fill(launch.command) } : launch,
    env: { ...env, vars: { ...env.vars, [deployment.blueGreen.envVar]: slots.slot } },
    skip: typeof skip === 'string' ? fill(skip) : skip,
    ...(stopCommand !== undefined && { stopCommand: fill(stopCommand) }),
    ...(reload && { reload: filledReload(reload, fill) }),
    hooks: filledHooks(spec.hooks, fill),
    deployment: filledDeployment(deployment, fill),
  };
};
