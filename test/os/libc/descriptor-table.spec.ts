// Needs the native addon.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { growDescriptorTable } from '../../../src/os/libc/file-calls.ts';
import { libcOfThisMachine } from '../support.ts';

/** Descriptors that there is room for, as the kernel has it on record. */
const room = (): number => Number(/^FDSize:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]);

it('the descriptor table grows ahead of need, and no descriptor stays open', async () => {
  const before = readdirSync('/proc/self/fd').length;
  expect(room()).toBeLessThan(4096);
  await growDescriptorTable(libcOfThisMachine());
  expect(room()).toBeGreaterThanOrEqual(4096);
  expect(readdirSync('/proc/self/fd')).toHaveLength(before);
});
