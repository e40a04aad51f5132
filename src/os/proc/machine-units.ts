// The units of this kernel, which every process receives at its start.
import { readFileSync } from 'node:fs';
import { type MachineUnits, unitsIn } from './auxiliary-vector.ts';

/** The units of this machine; the usual ones if they cannot be read. */
export const machineUnits = (): MachineUnits => {
  try {
    return unitsIn(readFileSync('/proc/self/auxv'));
  } catch {
    return unitsIn(Buffer.alloc(0));
  }
};
