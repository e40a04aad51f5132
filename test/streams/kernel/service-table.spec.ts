import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import {
  EMPTY_SERVICE_TABLE,
  serviceTableOf,
  serviceAt,
  servicesOf,
  withoutServices,
  withService,
  type ServiceTable,
} from '../../../src/streams/kernel/service-table.ts';
import { idOf, specOf } from '../../support/spec.ts';

const service = (name: string): Service => freshService(specOf(name, { digest: 'x' }));
const many = (count: number): readonly Service[] =>
  Array.from({ length: count }, (_, index) => service(`s${index}`));
const names = (serviceTable: ServiceTable): readonly string[] =>
  servicesOf(serviceTable).map(({ spec }) => spec.name);

describe('the service table', () => {
  it.each([0, 1, 31, 32, 33, 100])(
    'the service table finds each of %i services, added at once or one by one',
    (count) => {
      const services = many(count);
      const byOne = services.reduce(withService, EMPTY_SERVICE_TABLE);
      expect(byOne).toEqual(serviceTableOf(services));
      expect(servicesOf(byOne)).toEqual(services);
      expect(services.map(({ spec }) => serviceAt(byOne, spec.id))).toEqual(services);
      expect(byOne.size).toBe(count);
    },
  );

  it('the service table does not find unknown services', () => {
    expect(serviceAt(serviceTableOf(many(40)), idOf('nobody'))).toBeUndefined();
  });

  it('the service table replaces a service in its position and copies one chunk only', () => {
    const before = serviceTableOf(many(100));
    const changed = { ...service('s40'), attempts: 7 };
    const after = withService(before, changed);
    expect(names(after)).toEqual(names(before));
    expect(serviceAt(after, idOf('s40'))).toBe(changed);
    expect(after.chunks.map((chunk, index) => chunk === before.chunks[index])).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(serviceAt(before, idOf('s40'))).not.toBe(changed);
  });

  it('the service table is the same as without removed services, after any additions and removals', () => {
    const turns = fc.array(fc.record({ joins: fc.boolean(), index: fc.nat(60) }), { maxLength: 120 });
    fc.assert(
      fc.property(turns, (taken) => {
        let serviceTable = EMPTY_SERVICE_TABLE;
        const model = new Map<string, Service>();
        for (const { joins, index } of taken) {
          const one = service(`s${index}`);
          if (joins) model.set(one.spec.id, one);
          else model.delete(one.spec.id);
          serviceTable = joins
            ? withService(serviceTable, one)
            : withoutServices(serviceTable, new Set([one.spec.id]));
        }
        expect(servicesOf(serviceTable)).toEqual([...model.values()]);
        expect(serviceTable.size).toBe(model.size);
      }),
      { numRuns: 50 },
    );
  });
});
