import { describe, expect, it } from 'vitest';
import type { DownReason, Service, Tag } from '../../../src/streams/domain/service/service.ts';
import { transition } from '../../../src/streams/service/machine.ts';
import type { Input } from '../../../src/streams/service/input.ts';
import { BEGAN, CONTEXT, INPUTS, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';

const asked = (service: Service, type: 'start' | 'stop' | 'restart', insisted = false): Service =>
  transition(service, type === 'stop' ? { type } : { type, insisted }, CONTEXT).service;
const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const tired: Partial<Service> = { attempts: 5, recovering: true };
const down = (why: DownReason): Service => ({ ...serviceIn('down'), actual: { tag: 'down', why } });

describe('a start or restart', () => {
  it.each(TAGS.filter((tag) => tag !== 'down'))('in state %s gives the whole budget back', (tag) => {
    for (const type of ['start', 'restart'] as const)
      expect(asked({ ...serviceIn(tag), ...tired, wanted: 'down' }, type)).toMatchObject({
        wanted: 'up',
        attempts: 0,
        recovering: false,
      });
  });

  it.each<DownReason['tag']>(['new', 'asked', 'ended', 'completed', 'skipped'])(
    'of a service that is down as %s starts it, unless it is done and not asked for by name',
    (tag) => {
      const why: DownReason = tag === 'skipped' ? { tag, by: 'command' } : ({ tag } as DownReason);
      expect(asked(down(why), 'start', true).actual.tag).toBe('waiting');
      expect(asked(down(why), 'start').actual.tag).toBe(tag === 'completed' ? 'down' : 'waiting');
    },
  );

  it('of what is done runs it again once it is declared anew', () => {
    const done = down({ tag: 'completed' });
    expect(asked({ ...done, revised: { ...done.spec, digest: 'newer' } }, 'start').actual.tag).toBe(
      'waiting',
    );
  });

  it('of what waits already takes up its newest declaration, and leaves it in its place', () => {
    const queueing: Service = { ...serviceIn('waiting'), actual: { tag: 'waiting', for: 'gate' } };
    const revised = { ...queueing.spec, digest: 'newer' };
    const { spec, actual, revised: left } = asked({ ...queueing, revised }, 'start');
    expect([spec, actual, left]).toEqual([revised, queueing.actual, undefined]);
  });

  it('by name overrides skip until the service is stopped', () => {
    const waiting = asked(serviceIn('down'), 'start', true);
    expect(waiting.insisted).toBe(true);
    expect(asked(waiting, 'start').insisted).toBe(true);
    expect(asked(waiting, 'stop').insisted).toBe(false);
  });

  it('of a schedule waits for its boundary, by name it runs now and looks for the boundary too', () => {
    expect(asked(serviceIn('down', cron), 'start')).toMatchObject({
      actual: { tag: 'scheduled' },
      schedule: { due: 120_000 },
    });
    expect(asked(serviceIn('down', cron), 'start', true)).toMatchObject({
      actual: { tag: 'waiting' },
      schedule: { due: 120_000 },
    });
  });

  it('after a stop that called off a boundary which waited is a run of its own: that one was missed', () => {
    const waiting = { ...serviceIn('waiting', cron), schedule: { runs: [], rung: BEGAN } };
    const missed = { due: BEGAN, result: 'missed' };
    const stopped = asked(waiting, 'stop');
    expect(stopped.schedule).toEqual({ runs: [missed] });
    const begun = transition(asked(stopped, 'start', true), { type: 'admit' }, CONTEXT).service;
    expect(begun.schedule.runs).toMatchObject([missed, { due: CONTEXT.at, result: 'running' }]);
    expect(asked(waiting, 'restart', true).schedule).toMatchObject({ runs: [], rung: BEGAN });
  });

  it('takes up a service that became a schedule', () => {
    const stopped = serviceIn('down');
    const revised = { ...stopped.spec, ...cron };
    expect(asked({ ...stopped, revised }, 'start')).toMatchObject({
      spec: { kind: 'cron' },
      actual: { tag: 'scheduled' },
    });
  });
});

describe('a restart while the process is being made', () => {
  const spawning = serviceIn('spawning');
  const anew: Service = { ...spawning, revised: { ...spawning.spec, digest: 'newer' } };
  const news = (service: Service, input: Input): Service => transition(service, input, CONTEXT).service;

  it('has nothing to do, unless it was declared anew: then that process ends, and the newest comes', () => {
    expect(news(asked(spawning, 'restart'), INPUTS.spawned).actual.tag).toBe('starting');
    const restarted = news(asked(anew, 'restart'), INPUTS.spawned);
    expect(restarted.actual).toMatchObject({ tag: 'stopping', cause: { tag: 'restart' } });
    const over = { ...INPUTS.surveyed, type: 'surveyed' } as const;
    expect(news(news(restarted, over), INPUTS.exited)).toMatchObject({
      actual: { tag: 'waiting' },
      spec: { digest: 'newer' },
    });
    expect(news(asked(anew, 'restart'), INPUTS['spawn-failed'])).toMatchObject({
      actual: { tag: 'waiting' },
      spec: { digest: 'newer' },
    });
  });

  it('is over with its declaration, where that is taken back meanwhile', () => {
    const { revised: _, ...back } = asked(anew, 'restart');
    expect(news(back, INPUTS.spawned).actual.tag).toBe('starting');
  });

  it('is over with a stop that is asked for meanwhile', () => {
    expect(news(asked(asked(anew, 'restart'), 'stop'), INPUTS.spawned).actual.tag).toBe('starting');
  });
});

it('a start by name overrides the skip command that is at work', () => {
  const preparing: Service = {
    ...serviceIn('preparing', { skip: 'true' }),
    actual: { tag: 'preparing', run: RUN, step: 'skip' },
  };
  const ended = { ...INPUTS['command-ended'], purpose: 'skip' } as const;
  const after = (service: Service): string => transition(service, ended, CONTEXT).service.actual.tag;
  expect(after(asked(preparing, 'start'))).toBe('down');
  expect(after(asked(preparing, 'start', true))).toBe('spawning');
});

describe('a stop', () => {
  const atOnce: readonly Tag[] = ['scheduled', 'waiting', 'preparing', 'backing-off', 'broken', 'casualty'];

  it.each(TAGS)('in state %s is what is wanted from now on', (tag) => {
    expect(asked({ ...serviceIn(tag), ...tired }, 'stop')).toMatchObject({
      wanted: 'down',
      recovering: false,
    });
  });

  it.each(atOnce)('in state %s takes effect at once', (tag) => {
    expect(asked(serviceIn(tag), 'stop').actual).toEqual({ tag: 'down', why: { tag: 'asked' } });
  });

  it.each(['spawning', 'starting', 'up', 'stopping'] as const)('in state %s waits for its turn', (tag) => {
    expect(asked(serviceIn(tag), 'stop').actual).toBe(STATES[tag]);
  });
});
