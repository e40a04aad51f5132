import { describe, expect, it } from 'vitest';
import type { Selection } from '../../../../src/streams/domain/command.ts';
import type { Manifest } from '../../../../src/streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const web = (changes: Partial<ServiceSpec> = {}): ServiceSpec =>
  specOf('web', { digest: 'newer', directory: '/newer', dependsOn: needs('db'), ...changes });
const rolling = { strategy: 'rolling', gracePeriod: ms(0) } as const;

type Type = 'apply' | 'plan' | 'restart';
const ALL = {};
const WEB = { services: ['web'] };

const ask = (sup: Kernel, [type, selection]: readonly [Type, Selection], declared: Manifest): void =>
  sup.load(sup.ask({ type, selection }), declared);

/** `web` runs, and `db`, which it needs, was stopped by hand. */
const withoutDb = (changes: Partial<ServiceSpec> = {}): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db'), ...changes }), specOf('db'));
  sup.up('db', 'web');
  sup.ask({ type: 'stop', selection: { services: ['db'] } });
  sup.exit('db', 143);
  expect(sup.tags('db', 'web')).toEqual(['down', 'up']);
  sup.drain();
  return sup;
};

const changesOf = (sup: Kernel): unknown => {
  const reply = sup.replies().at(-1);
  return reply?.ok === true ? reply.done.plan?.changes : undefined;
};

const inVain = (service: string, dependency: string): object => ({
  ok: false,
  error: { failures: [{ code: 'ERR0109', service: idOf(service), dependency: idOf(dependency) }] },
});

describe('a running service with an unavailable dependency', () => {
  it.each([['apply'], ['restart']] as const)(
    'a service with an unavailable dependency is not stopped by %s, which names the dependency',
    (type) => {
      const sup = withoutDb();
      ask(sup, [type, WEB], manifestOf(web(), specOf('db')));
      expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 1, awaitedBy: [] });
      expect(sup.replies()).toMatchObject([inVain('web', 'db')]);
    },
  );

  it('a service with an unavailable dependency is planned to stay unchanged', () => {
    const sup = withoutDb();
    ask(sup, ['plan', ALL], manifestOf(web(), specOf('db')));
    expect(changesOf(sup)).toMatchObject([
      { service: idOf('web'), action: 'change', rest: 'kept', waitsFor: idOf('db') },
    ]);
    expect(changesOf(sup)).not.toMatchObject([{ down: expect.anything() as unknown }]);
  });

  it('a service with an unavailable dependency is restarted by a restart of everything, which starts it too', () => {
    const sup = withoutDb();
    ask(sup, ['restart', ALL], manifestOf(web(), specOf('db')));
    sup.up('db');
    expect(sup.tag('web')).toBe('stopping');
  });

  it.each<[string, Partial<ServiceSpec>]>([
    ['is to be skipped', { skip: true }],
    ['is to run at its times', { kind: 'cron', cron: { expression: '0 0 * * *', timezone: 'utc' } }],
    ['needs it no more', { dependsOn: [] }],
  ])('a service with an unavailable dependency is stopped when it %s', (_, changes) => {
    const sup = withoutDb();
    const declared = manifestOf(web(changes), specOf('db'));
    ask(sup, ['plan', ALL], declared);
    expect(changesOf(sup)).not.toMatchObject([{ rest: 'kept' }]);
    ask(sup, ['apply', ALL], declared);
    expect(sup.tag('web')).toBe('stopping');
  });

  it('a service with an unavailable dependency is rolled out, and its candidate waits', () => {
    const sup = withoutDb({ deployment: rolling });
    const declared = manifestOf(web({ deployment: rolling }), specOf('db'));
    ask(sup, ['plan', ALL], declared);
    expect(changesOf(sup)).toMatchObject([{ strategy: 'rolling', waitsFor: idOf('db'), down: 0 }]);
    ask(sup, ['apply', ALL], declared);
    expect(sup.service('web')).toMatchObject({
      actual: { tag: 'up' },
      rollout: { other: { actual: { tag: 'waiting' } } },
    });
    expect(sup.replies().at(-1)).toMatchObject(inVain('web', 'db'));
  });

  it('a service keeps running if a new dependency fails at its turn', () => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.up('web');
    const declared = manifestOf(web(), specOf('db'));
    ask(sup, ['plan', ALL], declared);
    expect(changesOf(sup)).not.toMatchObject([{}, { waitsFor: idOf('db') }]);
    ask(sup, ['apply', ALL], declared);
    sup.spawned('db');
    sup.exit('db', 1);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 1 });
    expect(sup.replies().at(-1)).toMatchObject({
      error: { failures: [{ code: 'ERR0102' }, { code: 'ERR0109', dependency: idOf('db') }] },
    });
  });
});

describe('a new service with an unavailable dependency', () => {
  const declared = manifestOf(
    specOf('web', { dependsOn: needs('db') }),
    specOf('db'),
    specOf('mail', { dependsOn: needs('db') }),
    specOf('post', { dependsOn: needs('mail') }),
  );

  it('a new service with an unavailable dependency is planned to wait, with its dependents', () => {
    const sup = withoutDb();
    ask(sup, ['plan', ALL], declared);
    expect(changesOf(sup)).toMatchObject([
      { service: idOf('mail'), action: 'add', waitsFor: idOf('db') },
      { service: idOf('post'), action: 'add', waitsFor: idOf('mail') },
    ]);
  });

  it('a new service with an unavailable dependency waits', () => {
    const sup = withoutDb();
    ask(sup, ['apply', ALL], declared);
    expect(sup.tags('mail', 'post')).toEqual(['waiting', 'waiting']);
  });
});

describe('new dependencies of selected services', () => {
  const declared = manifestOf(
    web({ dependsOn: needs('db2') }),
    specOf('db2', { dependsOn: needs('disk') }),
    specOf('disk'),
    specOf('other'),
  );
  const begun = (): Kernel => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.up('web');
    return sup;
  };

  it('new dependencies of selected services are part of the plan', () => {
    const sup = begun();
    ask(sup, ['plan', WEB], declared);
    expect(changesOf(sup)).toMatchObject([
      { service: idOf('disk'), action: 'add' },
      { service: idOf('db2'), action: 'add' },
      { service: idOf('web'), action: 'change' },
    ]);
  });

  it.each([['apply'], ['restart']] as const)(
    'new dependencies of selected services start first by %s',
    (type) => {
      const sup = begun();
      ask(sup, [type, WEB], declared);
      sup.up('disk', 'db2');
      expect(sup.tags('web', 'other')).toEqual(['stopping', 'down']);
      sup.exit('web', 143);
      sup.up('web');
      expect(sup.replies().at(-1)).toMatchObject({ ok: true });
    },
  );
});
