import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { readSpilledLine, spilledLine, spilling } from '../../../src/streams/metrics/spilling.ts';
import { beat } from './support.ts';

const spilled = (...seconds: readonly number[]) =>
  lastValueFrom(
    spilling(from(seconds.map((at) => beat(at * 1_000, ['web', 'db'], { rss: at, cpu: 2 })))).pipe(toArray()),
    { defaultValue: [] },
  );

describe('the spill of samples', () => {
  it('a spill makes one bucket of ten seconds per service, and a last bucket of the remaining samples at the end', async () => {
    const due = await spilled(0, 1, 2, 9, 10, 19, 20);
    expect(due.map((each) => each.map(([service, { rss }]) => [service, rss.count, rss.sum]))).toEqual([
      [
        ['shop/web', 4, 12],
        ['shop/db', 4, 12],
      ],
      [
        ['shop/web', 2, 29],
        ['shop/db', 2, 29],
      ],
      [
        ['shop/web', 1, 20],
        ['shop/db', 1, 20],
      ],
    ]);
  });

  it('a spill starts a new bucket after the clock was set back', async () => {
    const due = await spilled(100, 101, 5, 6, 15);
    expect(due.map(([first]) => first?.[1].rss.count)).toEqual([2, 2, 1]);
  });

  it('a spill without samples writes nothing at the end', async () => {
    expect(await spilled()).toEqual([]);
  });

  it('a spill writes lines that read back unchanged', async () => {
    const [[first] = []] = await spilled(0, 3, 10);
    if (first === undefined) throw new Error('nothing is due');
    expect(readSpilledLine(spilledLine(first))).toEqual(first);
  });

  it.each(['', '{', '[]', '["web"]', '["web",1,2,3,4,5,6,7,8,9,"x"]', '[1,1,2,3,4,5,6,7,8,9,10]', 'null'])(
    'a spill does not read %s as a sample',
    (line) => expect(readSpilledLine(line)).toBeUndefined(),
  );
});
