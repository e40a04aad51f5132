import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { outcomeOf } from '../../../../src/streams/kernel/requests/answer/reply-outcomes.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';
import { NOW, serviceIn, STATES } from '../../../support/states.ts';

const outcomes = (sup: Kernel): object => {
  const reply = sup.replies().at(-1);
  if (reply?.ok !== true) throw new Error('it failed');
  return Object.fromEntries(reply.done.outcomes.map(({ service, ...rest }) => [service, rest]));
};

const two = [specOf('db'), specOf('web')];

const running = (): Kernel => {
  const sup = kernel();
  sup.start(...two);
  sup.up('db', 'web');
  return sup;
};

describe('the outcome of a command', () => {
  it('a start distinguishes started services from those already running', () => {
    const sup = running();
    expect(outcomes(sup)).toEqual({ 'shop/db': { what: 'started' }, 'shop/web': { what: 'started' } });
    sup.ask({ type: 'stop', selection: { services: ['web'] } });
    sup.exit('web', 143);
    expect(outcomes(sup)).toEqual({ 'shop/web': { what: 'stopped' } });
    sup.start(...two);
    sup.up('web');
    expect(outcomes(sup)).toEqual({ 'shop/db': { what: 'running' }, 'shop/web': { what: 'started' } });
  });

  it('a stop distinguishes stopped services from those already down', () => {
    const sup = running();
    sup.ask({ type: 'stop', selection: { services: ['web'] } });
    sup.exit('web', 143);
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('db', 143);
    expect(outcomes(sup)).toEqual({ 'shop/db': { what: 'stopped' }, 'shop/web': { what: 'down-before' } });
  });

  it('a restart reports how long each service was not ready, and which were removed', () => {
    const sup = running();
    sup.pass(5_000);
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(specOf('db'), specOf('new')));
    sup.exit('web', 143);
    sup.up('new');
    sup.pass(300);
    sup.exit('db', 143);
    sup.pass(900);
    sup.up('db');
    expect(outcomes(sup)).toEqual({
      'shop/web': { what: 'removed' },
      'shop/db': { what: 'restarted', down: 1_200 },
      'shop/new': { what: 'started' },
    });
  });

  it('a restart reports no downtime if the new run was ready before the old one ended', () => {
    const up = serviceIn('up');
    const readyAt = instant(NOW + 10);
    const ended = (at: number): Service => ({
      ...up,
      runs: runId(up.runs + 1),
      actual: { ...STATES.up, readyAt },
      history: [{ at: instant(NOW + at), from: 'up', to: 'stopping', cause: 'exited' }],
    });
    const about = {
      command: { type: 'restart', selection: {} },
      before: { [idOf('web')]: { tag: 'up', runs: up.runs } },
      since: NOW,
    } as const;
    expect(outcomeOf(about, idOf('web'), ended(20))).toEqual({ service: idOf('web'), what: 'restarted' });
    expect(outcomeOf(about, idOf('web'), ended(4))).toMatchObject({ what: 'restarted', down: 6 });
  });

  it('a start distinguishes services that finish now from those finished before or skipped', () => {
    const sup = kernel();
    const job = specOf('job', { restartPolicy: 'never' });
    const off = specOf('off', { skip: true });
    sup.start(job, off);
    sup.spawned('job');
    sup.exit('job', 0);
    expect(outcomes(sup)).toEqual({ 'shop/job': { what: 'done' }, 'shop/off': { what: 'skipped' } });
    sup.start(job, off);
    expect(outcomes(sup)).toEqual({
      [idOf('job')]: { what: 'done-before' },
      'shop/off': { what: 'skipped' },
    });
  });

  it('a service that another command stopped before all were ready is reported as stopped', () => {
    const sup = kernel();
    sup.start(specOf('db'), specOf('web'));
    sup.up('web');
    sup.ask({ type: 'stop', selection: { services: ['web'] } });
    sup.exit('web', 143);
    sup.up('db');
    expect(outcomes(sup)).toEqual({ 'shop/db': { what: 'started' }, 'shop/web': { what: 'stopped' } });
  });

  it.each([
    ['success', 'done'],
    ['stopped', 'scheduled'],
  ] as const)('the outcome of a scheduled service has the result of its run: %s', (result, what) => {
    const run = { due: NOW, startedAt: NOW, result };
    const service: Service = { ...serviceIn('scheduled'), schedule: { runs: [run] } };
    const about = {
      command: { type: 'start', selection: {} },
      before: { [idOf('web')]: { tag: 'scheduled', runs: 2 } },
      since: NOW,
    } as const;
    expect(outcomeOf(about, idOf('web'), service)).toEqual({ service: idOf('web'), what });
  });
});
