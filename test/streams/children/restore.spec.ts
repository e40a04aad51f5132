import { describe, expect, it } from 'vitest';
import { childrenRestored } from '../../../src/streams/children/recorded-children.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import { nursery, processOf, web } from '../../support/nursery.ts';

const at = instant(50_000);
const found = (run: number) => ({
  service: web,
  run: runId(run),
  process: processOf(run),
  child: true as const,
});

const left = () => {
  const one = nursery();
  one.begin(1, 'known', { ttl: ms(1_000) });
  one.ask(1, { name: 'asked' });
  one.ask(1, { name: 'lost' });
  return one.sup.service('web');
};
const names = (children: readonly Pick<Child, 'name'>[] = []): readonly string[] =>
  children.map(({ name }) => name);

describe('children of a dead supervisor', () => {
  it('children of a dead supervisor continue if their process is recorded or their run tag is found', () => {
    const { children, pastChildren, grants } = childrenRestored(left(), {
      found: [found(3)],
      sameBoot: true,
      at,
    });
    expect(children).toMatchObject([
      { name: 'known', expires: 1_000 },
      { name: 'asked', actual: { tag: 'starting', run: 3, process: processOf(3) } },
    ]);
    expect(children?.some(({ askedBy }) => askedBy !== undefined)).toBe(false);
    expect(pastChildren).toMatchObject([{ name: 'lost', ended: at }]);
    expect(grants).toBeUndefined();
  });

  it('children of a dead supervisor count as ended after a reboot', () => {
    const after = childrenRestored(left(), { found: [], sameBoot: false, at });
    expect(names(after.children)).toEqual([]);
    expect(names(after.pastChildren)).toEqual(['known', 'asked', 'lost']);
  });
});
