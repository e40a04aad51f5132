// The units in which this kernel counts, as it tells every process when it begins.
import { readFileSync } from 'node:fs';
import { type MachineUnits, unitsIn } from './auxiliary-vector.ts';

/** Of this machine; the usual ones where it does not tell. */
export const machineUnits = (): MachineUnits => {
  try {
    return unitsIn(readFileSync('/proc/self/auxv'));
  } catch {
    return unitsIn(Buffer.alloc(0));
  }
};
