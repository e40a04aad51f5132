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

describe('a service that runs, and needs what does not come', () => {
  it.each([['apply'], ['restart']] as const)('is not stopped by %s, which names the need', (type) => {
    const sup = withoutDb();
    ask(sup, [type, WEB], manifestOf(web(), specOf('db')));
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 1, awaitedBy: [] });
    expect(sup.replies()).toMatchObject([inVain('web', 'db')]);
  });

  it('is planned to stay as it is', () => {
    const sup = withoutDb();
    ask(sup, ['plan', ALL], manifestOf(web(), specOf('db')));
    expect(changesOf(sup)).toMatchObject([
      { service: idOf('web'), action: 'change', rest: 'kept', waitsFor: idOf('db') },
    ]);
    expect(changesOf(sup)).not.toMatchObject([{ down: expect.anything() as unknown }]);
  });

  it('is restarted with all the others: that brings its need', () => {
    const sup = withoutDb();
    ask(sup, ['restart', ALL], manifestOf(web(), specOf('db')));
    sup.up('db');
    expect(sup.tag('web')).toBe('stopping');
  });

  it.each<[string, Partial<ServiceSpec>]>([
    ['is to be skipped', { skip: true }],
    ['is to run at its times', { kind: 'cron', cron: { expression: '0 0 * * *', timezone: 'utc' } }],
    ['needs it no more', { dependsOn: [] }],
  ])('is stopped when it %s', (_, changes) => {
    const sup = withoutDb();
    const declared = manifestOf(web(changes), specOf('db'));
    ask(sup, ['plan', ALL], declared);
    expect(changesOf(sup)).not.toMatchObject([{ rest: 'kept' }]);
    ask(sup, ['apply', ALL], declared);
    expect(sup.tag('web')).toBe('stopping');
  });

  it('is rolled: its candidate waits', () => {
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

  it('goes on when a new need fails at its turn', () => {
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

describe('a service that is new, and needs what does not come', () => {
  const declared = manifestOf(
    specOf('web', { dependsOn: needs('db') }),
    specOf('db'),
    specOf('mail', { dependsOn: needs('db') }),
    specOf('post', { dependsOn: needs('mail') }),
  );

  it('is planned to wait, and who needs it with it', () => {
    const sup = withoutDb();
    ask(sup, ['plan', ALL], declared);
    expect(changesOf(sup)).toMatchObject([
      { service: idOf('mail'), action: 'add', waitsFor: idOf('db') },
      { service: idOf('post'), action: 'add', waitsFor: idOf('mail') },
    ]);
  });

  it('waits', () => {
    const sup = withoutDb();
    ask(sup, ['apply', ALL], declared);
    expect(sup.tags('mail', 'post')).toEqual(['waiting', 'waiting']);
  });
});

describe('new needs of what is selected', () => {
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

  it('come along in the plan', () => {
    const sup = begun();
    ask(sup, ['plan', WEB], declared);
    expect(changesOf(sup)).toMatchObject([
      { service: idOf('disk'), action: 'add' },
      { service: idOf('db2'), action: 'add' },
      { service: idOf('web'), action: 'change' },
    ]);
  });

  it.each([['apply'], ['restart']] as const)('come up first by %s', (type) => {
    const sup = begun();
    ask(sup, [type, WEB], declared);
    sup.up('disk', 'db2');
    expect(sup.tags('web', 'other')).toEqual(['stopping', 'down']);
    sup.exit('web', 143);
    sup.up('web');
    expect(sup.replies().at(-1)).toMatchObject({ ok: true });
  });
});
