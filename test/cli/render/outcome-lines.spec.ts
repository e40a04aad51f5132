import { describe, expect, it } from 'vitest';
import { outcomeLines } from '../../../src/cli/render/outcome-lines.ts';
import { LOOSE, serviceId } from '../../../src/streams/domain/ids.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { idOf } from '../../support/spec.ts';

describe('the outcome of a command', () => {
  it('outcomes are counted and named, each kind on its own line', () => {
    const lines = outcomeLines(
      [
        { service: idOf('cache'), what: 'running' },
        { service: idOf('api'), what: 'restarted', down: ms(1_200) },
        { service: serviceId(LOOSE, 'mail'), what: 'restarted', down: ms(300) },
        { service: idOf('job'), what: 'done-before' },
      ],
      12,
    );
    expect(lines).toEqual([
      '2 services restarted: shop/api (down 1.2 s), mail (down 300 ms)',
      '1 service already running: shop/cache',
      '1 service done before: shop/job',
    ]);
  });

  it('outcomes name the keys that apply without a restart', () => {
    const keys = ['stop_timeout', 'max_restarts'];
    expect(outcomeLines([{ service: idOf('web'), what: 'updated', keys }], 12)).toEqual([
      '1 service updated without a restart: shop/web (stop_timeout, max_restarts)',
    ]);
  });

  it('outcomes name some of a kind and count the others', () => {
    const outcomes = ['a', 'b', 'c', 'd'].map((name) => ({ service: idOf(name), what: 'stopped' as const }));
    expect(outcomeLines(outcomes, 2)).toEqual(['4 services stopped: shop/a, shop/b and 2 more']);
  });
});
