// The supervisor is killed in the middle of a rollout, at each of its steps: the next one finishes it or takes it back.
import { describe, expect } from 'vitest';
import type { RolloutDocument } from '../../../src/streams/wire/documents/documents.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { holds } from '../support/eventually.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady, type Declared } from '../support/recipes.ts';
import {
  GATES,
  gated,
  inStep,
  leadersOf,
  openGates,
  rolloutOver,
  serviceOf,
  type Gated,
} from '../support/rollouts.ts';
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

describe('a supervisor that is killed during a rollout', () => {
  for (const [index, step] of STEPS.entries())
    scenario(
      `a supervisor that is killed while ${step} leaves both runs, and the next one finishes it`,
      async (stage) => {
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
      },
    );

  scenario('the next supervisor continues the grace period of a candidate', async (stage) => {
    openGates(stage, ...STEPS);
    await started(stage, project('shop', { web: gated({}, '6s') }));
    const restart = stage.begin(['restart']);
    const { candidate } = await inStep(stage, 'shop/web', 'watching');
    await killSupervisor(stage);
    await restart.ended;
    await goOn(stage);
    await expectOne(stage);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(candidate.pid);
  });

  scenario('the next supervisor finishes the stop of the old run', async (stage) => {
    const web = shell('trap "" TERM; echo up >>up; while :; do sleep 0.1; done', {
      stop_timeout: '5s',
      deployment: { strategy: 'rolling' },
    });
    await started(stage, project('shop', { web }));
    await linesCome(stage, 'up', 1);
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

  scenario('the next supervisor finishes a revert of the switch', async (stage) => {
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

  scenario('the next supervisor finishes the withdrawal of a candidate', async (stage) => {
    /** Each run notes that it ignores the signal; the check waits for that. */
    const stubborn = (runs: number, check: string): Declared => {
      const command = `until [ "$(grep -c up up)" = ${runs} ]; do sleep 0.02; done; ${check}`;
      const health_check = { command, interval: '50ms', retries: 1 };
      const deployment = { strategy: 'rolling', health_check };
      const web = 'trap "" TERM; echo up >>up; while :; do sleep 0.1; done';
      return shell(web, { stop_timeout: '5s', deployment });
    };
    await started(stage, project('shop', { web: stubborn(1, 'true') }));
    const old = await serviceOf(stage, 'shop/web');
    stage.declare(project('shop', { web: stubborn(2, 'false') }));
    const restart = stage.begin(['restart']);
    const { candidate } = await inStep(stage, 'shop/web', 'withdrawing');
    await killSupervisor(stage);
    await restart.ended;
    expect(leadersOf(stage, 'shop/web')).toContain(candidate.pid);
    await goOn(stage);
    await rolloutOver(stage, 'shop/web');
    const { 'shop/web': after } = await agree(stage, { 'shop/web': 'running' });
    expect(leadersOf(stage, 'shop/web')).toEqual([old.pid]);
    expect(after.pid).toBe(old.pid);
  });
});

describe('a switch command that a killed supervisor left running', () => {
  /** Says that it runs, and switches when it may. */
  const switch_command =
    'echo {candidate_slot} >>begun; while [ ! -e go ]; do sleep 0.02; done; echo {candidate_slot} >>traffic';
  const web = {
    ...gated(),
    deployment: { blue_green: { env_var: 'SLOT', slots: ['blue', 'green'], switch_command } },
  };
  const leftRunning = async (stage: Stage): Promise<RolloutDocument> => {
    await started(stage, project('shop', { web }));
    const restart = stage.begin(['restart']);
    await linesCome(stage, 'begun', 1);
    const rollout = await inStep(stage, 'shop/web', 'switching');
    await killSupervisor(stage);
    await restart.ended;
    return rollout;
  };

  scenario(
    'a switch that was left running is ended before the next supervisor switches again',
    async (stage) => {
      await leftRunning(stage);
      await goOn(stage);
      expect(await linesCome(stage, 'begun', 2)).toEqual(['green', 'green']);
      stage.write('go', '');
      await rolloutOver(stage, 'shop/web');
      expect(linesOf(stage, 'traffic')).toEqual(['green']);
    },
  );

  scenario('a switch that was left running is ended before the next supervisor reverts it', async (stage) => {
    const { candidate } = await leftRunning(stage);
    process.kill(candidate.pid ?? 0, 'SIGKILL');
    await goOn(stage);
    // It may look at the candidate before it knows that it is dead.
    await holds('a switch back', () => linesOf(stage, 'begun').at(-1) === 'blue');
    stage.write('go', '');
    await rolloutOver(stage, 'shop/web');
    expect(linesOf(stage, 'traffic')).toEqual(['blue']);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].slot).toBe('blue');
  });

  scenario(
    'a switch that was left running is ended by a stop without a supervisor, which reverts it',
    async (stage) => {
      await leftRunning(stage);
      const stop = stage.begin(['stop']);
      expect(await linesCome(stage, 'begun', 2)).toEqual(['green', 'blue']);
      stage.write('go', '');
      expectDone(await stop.ended);
      expect(linesOf(stage, 'traffic')).toEqual(['blue']);
      expect(stage.members('shop/web')).toEqual([]);
    },
  );
});

describe('a stop without a supervisor', () => {
  scenario('a stop without a supervisor leaves the rollout of another service alone', async (stage) => {
    const web = steady({ deployment: { strategy: 'rolling', grace_period: '6s' } });
    await started(stage, project('shop', { web, other: steady() }));
    const restart = stage.begin(['restart', 'shop/web']);
    const { candidate } = await inStep(stage, 'shop/web', 'watching');
    await killSupervisor(stage);
    await restart.ended;
    expectDone(await stage.sup('stop', 'shop/other'));
    expect(leadersOf(stage, 'shop/web')).toHaveLength(2);
    await goOn(stage);
    expect((await rolloutOver(stage, 'shop/web')).pid).toBe(candidate.pid);
    expect(leadersOf(stage, 'shop/web')).toEqual([candidate.pid]);
  });
});
