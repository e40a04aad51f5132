import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const db = specOf('db');
const web = specOf('web', { dependsOn: needs('db') });
const free = specOf('web');
const other = specOf('other');

/** Starts another service by name. This also registers the changed manifest. */
const redeclare = (sup: Kernel, ...specs: readonly ServiceSpec[]): void => {
  const request = sup.ask({
    type: 'start',
    selection: { manifest: '/shop/sup.yaml', services: ['other'] },
  });
  sup.load(request, manifestOf(...specs, other));
};

const answered = (sup: Kernel, request: string): boolean =>
  sup.drain().some((effect) => effect.type === 'reply' && effect.request === request && effect.reply.ok);

/** Starts `db` and these services. Then `db` fails, and `web` is a casualty. */
const fallen = (...more: readonly ServiceSpec[]): Kernel => {
  const sup = kernel();
  sup.start(specOf('db', { restartPolicy: 'never' }), ...more);
  sup.up('db', ...more.map(({ name }) => name));
  sup.exit('db', 1);
  more.forEach(({ name }) => sup.exit(name, 143));
  expect(sup.service('web').actual).toEqual({ tag: 'casualty', of: [idOf('db')] });
  return sup;
};

describe('a dependency that is no longer declared', () => {
  it('a removed dependency blocks a stop as long as a run that declared it, and the stop is answered', () => {
    const sup = kernel();
    sup.start(web, db);
    sup.up('db', 'web');
    const stop = sup.ask({ type: 'stop', selection: { services: ['db', 'web'] } });
    expect(sup.tags('db', 'web')).toEqual(['up', 'stopping']);
    redeclare(sup, free, db);
    expect(sup.tags('db', 'web')).toEqual(['up', 'stopping']);
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(answered(sup, stop)).toBe(true);
  });

  it('a removed dependency does not block a stop through a finished service', () => {
    const job = specOf('job', { dependsOn: needs('db') });
    const sup = kernel();
    sup.start(specOf('web', { dependsOn: needs('job') }), job, db);
    sup.up('db', 'job', 'web');
    sup.exit('job', 0);
    sup.ask({ type: 'stop', selection: { services: ['db', 'web'] } });
    expect(sup.tags('db', 'web')).toEqual(['up', 'stopping']);
    redeclare(sup, free, job, db);
    expect(sup.tag('db')).toBe('stopping');
  });

  it('a removed dependency does not keep its casualties and theirs down', () => {
    const app = specOf('app', { dependsOn: needs('web') });
    const sup = fallen(web, app);
    redeclare(sup, free, app, specOf('db', { restartPolicy: 'never' }));
    expect(sup.tags('db', 'web', 'app')).toEqual(['down', 'spawning', 'waiting']);
  });

  it('a removed dependency does not keep a service down that was still ending', () => {
    const sup = kernel();
    sup.start(specOf('db', { restartPolicy: 'never' }), web);
    sup.up('db', 'web');
    sup.exit('db', 1);
    redeclare(sup, free, specOf('db', { restartPolicy: 'never' }));
    expect(sup.tag('web')).toBe('stopping');
    sup.exit('web', 143);
    expect(sup.tag('web')).toBe('spawning');
  });

  it('a removed dependency does not keep a casualty of two dependencies down once the other is back', () => {
    const both = specOf('web', { dependsOn: needs('db', 'cache') });
    const cache = specOf('cache', { restartPolicy: 'never' });
    const never = specOf('db', { restartPolicy: 'never' });
    const sup = kernel();
    sup.start(never, cache, both);
    sup.up('db', 'cache', 'web');
    sup.exit('db', 1);
    sup.exit('cache', 1);
    sup.exit('web', 143);
    redeclare(sup, never, cache, specOf('web', { dependsOn: needs('cache') }));
    expect(sup.tag('web')).toBe('casualty');
    const again = sup.ask({ type: 'start', selection: { services: ['cache'] } });
    sup.load(again, manifestOf(never, cache, specOf('web', { dependsOn: needs('cache') }), other));
    sup.up('cache');
    expect(sup.tag('web')).toBe('spawning');
  });

  it('a removed dependency keeps no service waiting', () => {
    const sup = kernel();
    sup.start(web, db);
    sup.spawned('db');
    expect(sup.tag('web')).toBe('waiting');
    redeclare(sup, free, db);
    expect(sup.tag('web')).toBe('spawning');
  });

  it('a removed dependency skips no service', () => {
    const skipped = specOf('db', { skip: true });
    const sup = kernel();
    sup.start(skipped, web);
    expect(sup.service('web').actual).toMatchObject({ why: { tag: 'skipped', by: idOf('db') } });
    redeclare(sup, skipped, free);
    expect(sup.tags('db', 'web')).toEqual(['down', 'spawning']);
  });

  it('a removed dependency still counts in a plan until it is applied', () => {
    const sup = fallen(web);
    const plan = sup.ask({ type: 'plan', selection: {} });
    sup.load(plan, manifestOf(free, specOf('db', { restartPolicy: 'never' })));
    expect(sup.tag('web')).toBe('casualty');
  });
});
