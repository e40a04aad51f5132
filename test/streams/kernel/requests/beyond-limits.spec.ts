import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

const needs = (name: string): Pick<ServiceSpec, 'dependsOn'> => ({
  dependsOn: [{ service: idOf(name), condition: 'started' }],
});
const db = specOf('db');
const web = specOf('web', needs('db'));
const cache = specOf('cache');
const newWeb = specOf('web', { ...needs('cache'), digest: 'v2' });

const running = (...specs: readonly ServiceSpec[]): Kernel => {
  const sup = kernel();
  sup.start(...specs);
  for (const { name } of specs) sup.up(name);
  return sup;
};

/** Returns the last answer to the command, whose manifest now declares these services. */
const answerTo = (sup: Kernel, command: Command, ...declared: readonly ServiceSpec[]): unknown => {
  sup.load(sup.ask(command), manifestOf(...declared));
  return sup.replies().at(-1);
};

const refused = (service: string): object => ({
  ok: false,
  error: { code: 'ERR0241', services: [service] },
});
const named = { services: ['web'] };

describe('a command with limits', () => {
  it('a start is refused if a dependency outside of the limits would start', () => {
    const sup = running(db, web);
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('web', 0);
    sup.exit('db', 0);
    const before = sup.tags('web', 'db');
    expect(answerTo(sup, { type: 'start', selection: named, within: ['web'] }, db, web)).toMatchObject(
      refused('shop/db'),
    );
    expect(sup.tags('web', 'db')).toEqual(before);
    answerTo(sup, { type: 'start', selection: named, within: ['web', 'shop/d?'] }, db, web);
    expect(sup.tag('db')).not.toBe('down');
  });

  it('a start of a service whose dependency runs already is carried out', () => {
    const sup = running(db, web);
    expect(answerTo(sup, { type: 'start', selection: named, within: ['web'] }, db, web)).toMatchObject({
      ok: true,
    });
  });

  it('a restart is refused for a dependent that it takes along, and restarts nothing', () => {
    const sup = running(db, web);
    const command = { type: 'restart', selection: { services: ['db'] }, withDependents: true } as const;
    expect(answerTo(sup, { ...command, within: ['db'] }, db, web)).toMatchObject(refused('shop/web'));
    expect(sup.tags('web', 'db')).toEqual(['up', 'up']);
  });

  it.each(['restart', 'apply'] as const)(
    'the command %s is refused for what the edited manifest adds, and takes up nothing of it',
    (type) => {
      const sup = running(db, web);
      const found = answerTo(sup, { type, selection: named, within: ['web'] }, db, newWeb, cache);
      expect(found).toMatchObject(refused('shop/cache'));
      expect([sup.service('web').revised, sup.state().serviceTable.size]).toEqual([undefined, 2]);
    },
  );

  it('an apply is refused for a service that it would remove', () => {
    const sup = running(db, web);
    const found = answerTo(sup, { type: 'apply', selection: {}, within: ['web'] }, web);
    expect(found).toMatchObject(refused('shop/db'));
    expect(sup.service('db').leaving).toBe(false);
  });
});
