import { describe, expect, it, vi } from 'vitest';
import { machineUptime, wallClock } from '../../src/sources/clocks.ts';

describe('the real clocks', () => {
  it('show the wall, and an uptime that goes on', async () => {
    const begun = machineUptime();
    expect(Math.abs(wallClock.now() - Date.now())).toBeLessThan(1_000);
    await vi.waitFor(() => expect(machineUptime()).toBeGreaterThan(begun));
  });
});
