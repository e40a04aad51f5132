// Rollouts in scenarios: the step that status shows, and the live processes of the service.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RolloutDocument, ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import { eventually } from './eventually.ts';
import type { Declared } from './recipes.ts';
import type { Stage } from './stage.ts';
import { glance, serviceIn } from './witnesses.ts';

/** What status would say of the service, asked for over the socket: a step may be over when a program has begun. */
export const serviceOf = async (stage: Stage, name: string): Promise<ServiceDocument> =>
  serviceIn(await glance(stage), name);

/** Waits until the rollout of the service is in this step. */
export const inStep = (stage: Stage, name: string, step: string): Promise<RolloutDocument> =>
  eventually({
    what: `${name} in step ${step}`,
    look: async () => {
      const { rollout } = await serviceOf(stage, name);
      return rollout?.step === step ? rollout : undefined;
    },
  });

/** Waits until no rollout of the service is under way. */
export const rolloutOver = (stage: Stage, name: string): Promise<ServiceDocument> =>
  eventually({
    what: `no rollout of ${name}`,
    look: async () => {
      const service = await serviceOf(stage, name);
      return service.rollout === null ? service : undefined;
    },
  });

/** The pids of the leaders of the service's runs. */
export const leadersOf = (stage: Stage, name: string): readonly number[] =>
  stage
    .members(name)
    .filter(({ leader }) => leader)
    .map(({ pid }) => pid);

/** What holds a rollout of `gated` up in each of its steps, until the file is there. */
export const GATES = {
  starting: 'healthy',
  verifying: 'verified',
  switching: 'switch',
  confirming: 'confirmed',
} as const;
export type Gated = keyof typeof GATES;

/** Opens these gates and shuts all others. */
export const openGates = (stage: Stage, ...steps: readonly Gated[]): void => {
  for (const [step, file] of Object.entries(GATES)) {
    const path = join(stage.work, file);
    if (steps.some((open) => open === step)) stage.write(file, '');
    else if (existsSync(path)) rmSync(path);
  }
};

const passes = (file: string): Declared => ({
  command: `test -e ${file}`,
  interval: '50ms',
  start_interval: '50ms',
  retries: 1_000,
});

/** A blue/green service that goes from step to step as its gates are opened; `traffic` says where the traffic goes. */
export const gated = (more: Declared = {}, grace_period = '2s'): Declared => ({
  command: 'exec sleep 1000',
  stop_timeout: '2s',
  deployment: {
    health_check: { ...passes(GATES.starting), command: `: {slot}; test -e ${GATES.starting}` },
    grace_period,
    blue_green: {
      slots: ['blue', 'green'],
      candidate_health_check: passes(GATES.verifying),
      switch_command: `while [ ! -e ${GATES.switching} ]; do sleep 0.05; done; echo {candidate_slot} >traffic`,
      switch_verify: passes(GATES.confirming),
    },
  },
  ...more,
});
