import { describe, expect, it } from 'vitest';
import type { DownReason, Service, Tag } from '../../../src/streams/domain/service/service.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import type { Input } from '../../../src/streams/service/service-input.ts';
import { BEGAN, CONTEXT, INPUTS, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';

const asked = (service: Service, type: 'start' | 'stop' | 'restart', insisted = false): Service =>
  transition(service, type === 'stop' ? { type } : { type, insisted }, CONTEXT).service;
const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const tired: Partial<Service> = { attempts: 5, recovering: true };
const down = (why: DownReason): Service => ({ ...serviceIn('down'), actual: { tag: 'down', why } });

describe('a start or restart', () => {
  it.each(TAGS.filter((tag) => tag !== 'down'))(
    'a start or restart in state %s restores the whole restart budget',
    (tag) => {
      for (const type of ['start', 'restart'] as const)
        expect(asked({ ...serviceIn(tag), ...tired, wanted: 'down' }, type)).toMatchObject({
          wanted: 'up',
          attempts: 0,
          recovering: false,
        });
    },
  );

  it.each<DownReason['tag']>(['new', 'asked', 'ended', 'completed', 'skipped'])(
    'a start of a service that is down as %s starts it unless it is done and not named',
    (tag) => {
      const why: DownReason = tag === 'skipped' ? { tag, by: 'command' } : ({ tag } as DownReason);
      expect(asked(down(why), 'start', true).actual.tag).toBe('waiting');
      expect(asked(down(why), 'start').actual.tag).toBe(tag === 'completed' ? 'down' : 'waiting');
    },
  );

  it('a start runs a finished service again once its declaration has changed', () => {
    const done = down({ tag: 'completed' });
    expect(asked({ ...done, revised: { ...done.spec, digest: 'newer' } }, 'start').actual.tag).toBe(
      'waiting',
    );
  });

  it('a start of a waiting service uses its newest declaration and keeps its position', () => {
    const queueing: Service = { ...serviceIn('waiting'), actual: { tag: 'waiting', for: 'gate' } };
    const revised = { ...queueing.spec, digest: 'newer' };
    const { spec, actual, revised: left } = asked({ ...queueing, revised }, 'start');
    expect([spec, actual, left]).toEqual([revised, queueing.actual, undefined]);
  });

  it('a start by name overrides skip until the service is stopped', () => {
    const waiting = asked(serviceIn('down'), 'start', true);
    expect(waiting.insisted).toBe(true);
    expect(asked(waiting, 'start').insisted).toBe(true);
    expect(asked(waiting, 'stop').insisted).toBe(false);
  });

  it('a start of a job waits for its scheduled time; by name the job runs now and keeps that time', () => {
    expect(asked(serviceIn('down', cron), 'start')).toMatchObject({
      actual: { tag: 'scheduled' },
      schedule: { due: 120_000 },
    });
    expect(asked(serviceIn('down', cron), 'start', true)).toMatchObject({
      actual: { tag: 'waiting' },
      schedule: { due: 120_000 },
    });
  });

  it('a start after a stop that canceled a waiting scheduled time is a separate run, since that time was missed', () => {
    const waiting = { ...serviceIn('waiting', cron), schedule: { runs: [], rung: BEGAN } };
    const missed = { due: BEGAN, result: 'missed' };
    const stopped = asked(waiting, 'stop');
    expect(stopped.schedule).toEqual({ runs: [missed] });
    const begun = transition(asked(stopped, 'start', true), { type: 'admit' }, CONTEXT).service;
    expect(begun.schedule.runs).toMatchObject([missed, { due: CONTEXT.at, result: 'running' }]);
    expect(asked(waiting, 'restart', true).schedule).toMatchObject({ runs: [], rung: BEGAN });
  });

  it('a start applies a new schedule of a service', () => {
    const stopped = serviceIn('down');
    const revised = { ...stopped.spec, ...cron };
    expect(asked({ ...stopped, revised }, 'start')).toMatchObject({
      spec: { kind: 'cron' },
      actual: { tag: 'scheduled' },
    });
  });
});

describe('a restart during a spawn', () => {
  const spawning = serviceIn('spawning');
  const anew: Service = { ...spawning, revised: { ...spawning.spec, digest: 'newer' } };
  const news = (service: Service, input: Input): Service => transition(service, input, CONTEXT).service;

  it('a restart during a spawn does nothing unless the declaration changed, which replaces the process', () => {
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

  it('a restart during a spawn is dropped if its declaration is taken back meanwhile', () => {
    const { revised: _, ...back } = asked(anew, 'restart');
    expect(news(back, INPUTS.spawned).actual.tag).toBe('starting');
  });

  it('a restart during a spawn is dropped if a stop is requested meanwhile', () => {
    expect(news(asked(asked(anew, 'restart'), 'stop'), INPUTS.spawned).actual.tag).toBe('starting');
  });
});

it('a start by name overrides a running skip command', () => {
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

  it.each(TAGS)('a stop in state %s makes the service unwanted', (tag) => {
    expect(asked({ ...serviceIn(tag), ...tired }, 'stop')).toMatchObject({
      wanted: 'down',
      recovering: false,
    });
  });

  it.each(atOnce)('a stop in state %s takes effect at once', (tag) => {
    expect(asked(serviceIn(tag), 'stop').actual).toEqual({ tag: 'down', why: { tag: 'asked' } });
  });

  it.each(['spawning', 'starting', 'up', 'stopping'] as const)(
    'a stop in state %s waits for its turn',
    (tag) => {
      expect(asked(serviceIn(tag), 'stop').actual).toBe(STATES[tag]);
    },
  );
});
