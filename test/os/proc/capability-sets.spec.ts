import { describe, expect, it } from 'vitest';
import { capabilitiesIn } from '../../../src/os/proc/confinement.ts';

const status = (permitted: string, bounding: string): string =>
  `Name:\tx\nCapInh:\t0000000000000000\nCapPrm:\t${permitted}\nCapEff:\t0\nCapBnd:\t${bounding}\n`;

describe('capabilities that can be passed on', () => {
  it('only permitted capabilities in the bounding set can be passed on', () => {
    expect(capabilitiesIn(status('0000000000000403', '0000010000000401'))).toEqual([0, 10]);
    expect(capabilitiesIn(status('0000010000000000', '000001ffffffffff'))).toEqual([40]);
    expect(capabilitiesIn('')).toEqual([]);
  });
});
