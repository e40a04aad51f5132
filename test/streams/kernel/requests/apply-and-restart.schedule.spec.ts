import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { Manifest } from '../../../../src/streams/domain/declared/manifest.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { instant, ms } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const ask = (sup: Kernel, command: Command, manifest: Manifest): void => sup.load(sup.ask(command), manifest);
const apply: Command = { type: 'apply', selection: {} };
const restart = (service?: string): Command => ({
  type: 'restart',
  selection: service === undefined ? {} : { services: [service] },
});

/** The scheduled time of `web` comes. */
const ring = (sup: Kernel): void =>
  sup.post({ type: 'rang', service: idOf('web'), due: instant(86_400_000) });

const spawned = (sup: Kernel): void => sup.spawned('web');
const up = (sup: Kernel): void => sup.up('web');

/** The leader of `web` exits by itself. Its other processes are not scanned yet. */
const exits = (sup: Kernel): void =>
  sup.post({
    ...{ type: 'exited', service: idOf('web'), run: runId(sup.service('web').runs) },
    status: { tag: 'code', code: 0 },
  });

const prepared = (sup: Kernel): void =>
  sup.post({
    ...{
      type: 'command-ended',
      service: idOf('web'),
      run: runId(sup.service('web').runs),
      purpose: 'pre_start',
    },
    outcome: { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] },
  });

describe('a service that becomes scheduled', () => {
  const cron = { expression: '0 0 * * *', timezone: 'utc' } as const;
  const job = specOf('web', { kind: 'cron', cron, digest: 'job' });
  const service = specOf('web');
  const serving = (): Kernel => {
    const sup = kernel();
    sup.start(service);
    sup.up('web');
    sup.drain();
    return sup;
  };

  it.each([apply, restart()])(
    'a service that becomes scheduled ends its run and waits for its scheduled time: %j',
    (command) => {
      const sup = serving();
      ask(sup, command, manifestOf(job));
      expect(sup.tag('web')).toBe('stopping');
      sup.exit('web', 143);
      expect(sup.service('web')).toMatchObject({
        actual: { tag: 'scheduled' },
        ...{ runs: 1, spec: { digest: 'job' }, schedule: { due: 86_400_000 } },
      });
      expect(sup.service('web').revised).toBeUndefined();
      expect(sup.replies()).toMatchObject([{ ok: true, done: { outcomes: [{ what: 'scheduled' }] } }]);
    },
  );

  it('a service that becomes scheduled runs now if it is restarted by name', () => {
    const sup = serving();
    ask(sup, restart('web'), manifestOf(job));
    sup.exit('web', 143);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'spawning' }, runs: 2 });
  });

  it('a service that becomes scheduled is not restarted by its previous policy', () => {
    const sup = serving();
    sup.start(job);
    sup.exit('web', 1);
    expect(sup.tag('web')).toBe('backing-off');
    sup.post({ type: 'elapsed', service: idOf('web'), run: runId(1), timer: 'backoff' });
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'scheduled' }, runs: 1 });
  });

  it('a service that becomes scheduled while it waits for dependencies takes the schedule at once', () => {
    const sup = kernel();
    const waiting = specOf('web', { dependsOn: needs('db') });
    sup.start(waiting, specOf('db'));
    expect(sup.tag('web')).toBe('waiting');
    ask(sup, apply, manifestOf(job, specOf('db')));
    expect(sup.tags('web', 'db')).toEqual(['scheduled', 'spawning']);
  });

  it('an apply of a new expression is done although the job runs meanwhile', () => {
    const sup = kernel();
    sup.start(job);
    sup.load(sup.ask({ type: 'start', selection: { services: ['web'] } }), manifestOf(job));
    sup.up('web');
    const hourly = specOf('web', {
      kind: 'cron',
      cron: { ...cron, expression: '0 * * * *' },
      digest: 'hourly',
    });
    ask(sup, apply, manifestOf(hourly));
    expect(sup.service('web')).toMatchObject({
      actual: { tag: 'up' },
      ...{ spec: { digest: 'hourly' }, schedule: { due: 3_600_000, runs: [{ result: 'running' }] } },
    });
  });

  it.each([
    [restart(), ['run 1 of shop/web was under way, and was ended by the restart']],
    [restart('web'), []],
    [restart('web*'), ['run 1 of shop/web was under way, and was ended by the restart']],
  ])('an apply of a schedule ends the run with a warning unless it is named: %j', (command, warnings) => {
    const sup = kernel();
    sup.start(job);
    sup.load(sup.ask({ type: 'start', selection: { services: ['web'] } }), manifestOf(job));
    sup.up('web');
    sup.drain();
    ask(sup, command, manifestOf(job));
    sup.exit('web', 143);
    if (warnings.length === 0) sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true, done: { warnings } }]);
  });

  it('an apply of a new expression is done although the job waits meanwhile', () => {
    const sup = kernel();
    const waiting = { dependsOn: needs('db') };
    sup.start(specOf('web', { kind: 'cron', cron, ...waiting }), specOf('db'));
    sup.ask({ type: 'stop', selection: { services: ['db'] } });
    sup.exit('db', 143);
    sup.post({ type: 'rang', service: idOf('web'), due: instant(86_400_000) });
    expect(sup.tag('web')).toBe('waiting');
    const hourly = { kind: 'cron', cron: { ...cron, expression: '0 * * * *' }, digest: 'hourly' } as const;
    ask(sup, apply, manifestOf(specOf('web', { ...hourly, ...waiting }), specOf('db')));
    expect(sup.service('web')).toMatchObject({
      actual: { tag: 'waiting' },
      ...{ spec: { digest: 'hourly' }, schedule: { due: 3_600_000, rung: 86_400_000 } },
    });
  });

  describe('a change of the expression only', () => {
    const daily = { kind: 'cron', restartPolicy: 'never', cron } as const;
    const hourly = specOf('web', { ...daily, cron: { ...cron, expression: '0 * * * *' }, digest: 'hourly' });
    const preStart = { deployment: { strategy: 'immediate', gracePeriod: ms(0), preStart: 'true' } } as const;
    const PHASES: readonly (readonly [string, Partial<ServiceSpec>, readonly ((sup: Kernel) => void)[]])[] = [
      ['scheduled', {}, []],
      ['preparing', preStart, [ring]],
      ['spawning', {}, [ring]],
      ['starting', {}, [ring, spawned]],
      ['up', {}, [ring, up]],
      ['stopping', {}, [ring, up, exits]],
    ];

    it.each(PHASES)(
      'a job takes up a changed expression without a restart while it is %s',
      (tag, changes, steps) => {
        const sup = kernel();
        sup.start(specOf('web', { ...daily, ...changes }));
        steps.forEach((step) => {
          step(sup);
        });
        sup.drain();
        expect(sup.tag('web')).toBe(tag);
        const { runs } = sup.service('web');
        ask(sup, apply, manifestOf({ ...hourly, ...changes }));
        expect(sup.service('web')).toMatchObject({
          ...{ actual: { tag }, spec: { digest: 'hourly' }, runs },
          schedule: { due: 3_600_000 },
        });
        if (tag === 'preparing') prepared(sup);
        if (tag !== 'scheduled' && tag !== 'stopping') sup.up('web');
        if (tag === 'stopping') sup.gone('web');
        expect(sup.replies()).toMatchObject([
          { ok: true, done: { outcomes: [{ what: 'updated', keys: ['cron'] }] } },
        ]);
      },
    );

    it('an apply of a changed expression ends no run that is being started', () => {
      const sup = kernel();
      sup.start(specOf('web', daily));
      ring(sup);
      ask(sup, apply, manifestOf(hourly));
      sup.spawned('web');
      expect(sup.tag('web')).toBe('starting');
    });
  });

  it('a job that becomes a service starts as one while its last run ends', () => {
    const sup = kernel();
    sup.start(job);
    sup.load(sup.ask({ type: 'start', selection: { services: ['web'] } }), manifestOf(job));
    sup.up('web');
    ask(sup, apply, manifestOf(service));
    sup.exit('web', 143);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'spawning' }, spec: { kind: 'service' } });
  });

  it('a job that becomes a service has no scheduled time any more', () => {
    const sup = kernel();
    sup.start(job);
    ask(sup, apply, manifestOf(service));
    expect(sup.tag('web')).toBe('spawning');
    expect(sup.service('web').schedule).toEqual({ runs: [] });
  });
});
