import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { manifestOf, needs, specOf } from '../../../support/spec.ts';

const web = specOf('web', { dependsOn: needs('db') });
const changed = manifestOf(specOf('web', { dependsOn: needs('db'), digest: 'newer' }), specOf('db'));
const only = { services: ['web'] };

const ask = (sup: Kernel, type: 'apply' | 'plan' | 'start'): void =>
  sup.load(sup.ask({ type, selection: only } satisfies Command), changed);

const planned = (sup: Kernel): number => {
  ask(sup, 'plan');
  const reply = sup.replies().at(-1);
  return reply?.ok === true ? (reply.done.plan?.changes.length ?? NaN) : NaN;
};

const stopped = (sup: Kernel, name: string): void => {
  sup.ask({ type: 'stop', selection: { services: [name] } });
  sup.exit(name, 143);
};

const running = (): Kernel => {
  const sup = kernel();
  sup.start(web, specOf('db'));
  sup.up('db', 'web');
  return sup;
};

/** `web` waits to start, because its dependency `db` was stopped by hand. */
const waiting = (): Kernel => {
  const sup = kernel();
  sup.start(web, specOf('db'));
  sup.spawned('db');
  stopped(sup, 'db');
  return sup;
};

const backingOff = (): Kernel => {
  const sup = running();
  sup.exit('web', 1);
  stopped(sup, 'db');
  return sup;
};

const fallen = (): Kernel => {
  const sup = running();
  sup.exit('db', 1);
  sup.exit('web', 143);
  return sup;
};

describe('an apply to a service without a process', () => {
  it.each([
    ['waiting', waiting],
    ['backing-off', backingOff],
    ['casualty', fallen],
  ] as const)(
    'an apply to a service that is %s makes it wait by its new declaration, with nothing left to plan',
    (tag, begun) => {
      const sup = begun();
      expect(sup.tag('web')).toBe(tag);
      expect(planned(sup)).toBe(1);
      ask(sup, 'apply');
      expect(sup.service('web')).toMatchObject({ actual: { tag: 'waiting' }, spec: { digest: 'newer' } });
      expect(sup.service('web').revised).toBeUndefined();
      expect(planned(sup)).toBe(0);
    },
  );

  it('an apply to a service that had a process until then makes it wait by its new declaration', () => {
    const sup = running();
    ask(sup, 'apply');
    stopped(sup, 'db');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'stopping' }, spec: { digest: web.digest } });
    sup.exit('web', 143);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'waiting' }, spec: { digest: 'newer' } });
    expect(planned(sup)).toBe(0);
  });

  it('an apply does not change a service that is down, which uses its declaration at its next start', () => {
    const sup = running();
    stopped(sup, 'web');
    ask(sup, 'apply');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'down' }, spec: { digest: web.digest } });
    ask(sup, 'start');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'spawning' }, spec: { digest: 'newer' } });
  });
});
