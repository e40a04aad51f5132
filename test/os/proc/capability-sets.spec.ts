import { describe, expect, it } from 'vitest';
import { capabilitiesIn } from '../../../src/os/proc/confinement.ts';

const status = (permitted: string, bounding: string): string =>
  `Name:\tx\nCapInh:\t0000000000000000\nCapPrm:\t${permitted}\nCapEff:\t0\nCapBnd:\t${bounding}\n`;

describe('the capabilities one can hand on', () => {
  it('are those that are permitted and not out of the bounding set', () => {
    expect(capabilitiesIn(status('0000000000000403', '0000010000000401'))).toEqual([0, 10]);
    expect(capabilitiesIn(status('0000010000000000', '000001ffffffffff'))).toEqual([40]);
    expect(capabilitiesIn('')).toEqual([]);
  });
});
