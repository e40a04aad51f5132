import { describe, expect, it } from 'vitest';
import { refusedText } from '../../../src/sinks/logs/capture-ports.ts';
import { idOf } from '../../support/spec.ts';

const refused = (count: number, refusal: string, prefix = 's'): Parameters<typeof refusedText>[0] =>
  Array.from({ length: count }, (_, at) => ({ id: idOf(`${prefix}${at}`), refusal }));

describe('logs that cannot be written', () => {
  it('logs that cannot be written are named in one sentence for each reason', () => {
    expect(refusedText([...refused(1, 'EISDIR', 'a'), ...refused(2, 'ENOSPC')])).toEqual([
      'the log of shop/a0 cannot be written (EISDIR): output is dropped until that is mended',
      'the logs of shop/s0, shop/s1 cannot be written (ENOSPC): output is dropped until that is mended',
    ]);
  });

  it('at most ten logs that cannot be written are named', () => {
    expect(refusedText(refused(12, 'ENOSPC'))[0]).toContain('shop/s9 and 2 more cannot be written');
    expect(refusedText([])).toEqual([]);
  });
});
