// The supervisor is killed in the middle of a rollout, at each of its steps: the next one finishes it or takes it back.
import { describe, expect } from 'vitest';
import { linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { GATES, gated, inStep, leadersOf, openGates, rolloutOver, type Gated } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const STEPS = Object.keys(GATES) as readonly Gated[];

/** Another supervisor, brought up by a service that is none of the scenario's business. */
const goOn = async (stage: Stage): Promise<void> => {
  stage.declare({ projects: { bystander: { services: { it: steady() } } } }, 'bystander.yaml');
  expectDone(await stage.sup('start', '--daemonize', '-c', 'bystander.yaml'));
};

/** Exactly one run is left, and the traffic goes to its slot. */
const expectOne = async (stage: Stage): Promise<void> => {
  await rolloutOver(stage, 'shop/web');
  const { 'shop/web': web } = await agree(stage, { 'shop/web': 'running' });
  expect(leadersOf(stage, 'shop/web')).toEqual([web.pid]);
  expect(linesOf(stage, 'traffic')).toEqual([web.slot]);
};

describe('a supervisor that is killed in the middle of a rollout', () => {
  for (const [index, step] of STEPS.entries())
    scenario(`while ${step} leaves both runs, and the next one finishes it`, async (stage) => {
      openGates(stage, ...STEPS);
      stage.write('traffic', 'blue\n');
      await started(stage, project('shop', { web: gated() }));
      openGates(stage, ...STEPS.slice(0, index));
      const restart = stage.begin(['restart']);
      const { old } = await inStep(stage, 'shop/web', step);
      await killSupervisor(stage);
      expect((await restart.ended).status).toBe(1);
      expect(leadersOf(stage, 'shop/web')).toContain(old.pid);
      openGates(stage, ...STEPS);
      await goOn(stage);
      await expectOne(stage);
      expect((await agree(stage, { 'shop/web': 'running' }))['shop/web']).toMatchObject({ slot: 'green' });
    });

  scenario('while the candidate is watched: the next one goes on watching', async (stage) => {
    openGates(stage, ...STEPS);
    await started(stage, project('shop', { web: gated() }));
    const restart = stage.begin(['restart']);
    const { candidate } = await inStep(stage, 'shop/web', 'watching');
    await killSupervisor(stage);
    await restart.ended;
    await goOn(stage);
    await expectOne(stage);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(candidate.pid);
  });

  scenario('while the old run stops: the next one sees to its end', async (stage) => {
    const web = shell('trap "" TERM; while :; do sleep 0.1; done', {
      stop_timeout: '3s',
      deployment: { strategy: 'rolling' },
    });
    await started(stage, project('shop', { web }));
    const restart = stage.begin(['restart']);
    const { candidate } = await inStep(stage, 'shop/web', 'retiring');
    await killSupervisor(stage);
    await restart.ended;
    await goOn(stage);
    await rolloutOver(stage, 'shop/web');
    const { 'shop/web': after } = await agree(stage, { 'shop/web': 'running' });
    expect(leadersOf(stage, 'shop/web')).toEqual([candidate.pid]);
    expect(after.pid).toBe(candidate.pid);
  });

  scenario('while the switch is taken back: the next one takes it back', async (stage) => {
    openGates(stage, ...STEPS);
    stage.write('traffic', 'blue\n');
    const web = gated();
    const switch_command =
      'if [ {candidate_slot} = green ]; then exit 1; fi; while [ ! -e back ]; do sleep 0.05; done; echo blue >traffic';
    const deployment = {
      health_check: { command: 'true', interval: '50ms' },
      blue_green: { slots: ['blue', 'green'], switch_command },
    };
    await started(stage, project('shop', { web: { ...web, deployment } }));
    const restart = stage.begin(['restart']);
    const { old } = await inStep(stage, 'shop/web', 'reverting');
    await killSupervisor(stage);
    await restart.ended;
    stage.write('back', '');
    await goOn(stage);
    await expectOne(stage);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web']).toMatchObject({
      pid: old.pid,
      slot: 'blue',
    });
  });
});
