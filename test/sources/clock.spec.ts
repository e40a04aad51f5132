import { describe, expect, it, vi } from 'vitest';
import { machineUptime, wallClock } from '../../src/sources/clocks.ts';
import { PATIENT } from '../support/patience.ts';

describe('the clocks of the machine', () => {
  it('the wall clock is read, and the uptime grows', async () => {
    const begun = machineUptime();
    expect(Math.abs(wallClock.now() - Date.now())).toBeLessThan(1_000);
    await vi.waitFor(() => expect(machineUptime()).toBeGreaterThan(begun), PATIENT);
  });
});
