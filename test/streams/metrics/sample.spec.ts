import { describe, expect, it } from 'vitest';
import { from, lastValueFrom, toArray } from 'rxjs';
import { ms } from '../../../src/streams/domain/time.ts';
import { beatsOf, type Look } from '../../../src/streams/metrics/sample.ts';
import { counted, look, tree } from './support.ts';

const percents = async (...looks: readonly Look[]): Promise<readonly (readonly (number | undefined)[])[]> => {
  const beats = await lastValueFrom(beatsOf(from(looks)).pipe(toArray()), { defaultValue: [] });
  return beats.map(({ samples }) => samples.map(({ cpuPercent }) => cpuPercent));
};

describe('samples', () => {
  it('know the memory at once, the processor from the second look on', async () => {
    const first = look(1_000, { web: tree(counted(1, { own: ms(50), rssBytes: 9 })) });
    const second = look(2_000, { web: tree(counted(1, { own: ms(1_050), rssBytes: 9 })) });
    expect(await percents(first, second)).toEqual([[undefined], [100]]);
    const [beat] = await lastValueFrom(beatsOf(from([first])).pipe(toArray()), { defaultValue: [] });
    expect(beat?.samples).toMatchObject([{ service: 'shop/web', rssBytes: 9 }]);
  });

  it('are by the time that passed, whatever was planned', async () => {
    const first = look(1_000, { web: tree(counted(1)) });
    const late = look(5_000, { web: tree(counted(1, { own: ms(1_000) })) });
    expect(await percents(first, late)).toEqual([[undefined], [25]]);
  });

  it('of one that began after the last look count all it has used', async () => {
    const first = look(1_000, {});
    const second = look(2_000, { web: tree(counted(1, { began: ms(1_500), own: ms(500) })) });
    expect(await percents(first, second)).toEqual([[], [50]]);
  });
});
