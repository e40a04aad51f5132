// The capabilities that this process has and can pass on: permitted, and in the bounding set.
import { readFileSync } from 'node:fs';
import { capabilitiesIn } from './capability-sets.ts';

export const ownCapabilities = (): readonly number[] =>
  capabilitiesIn(readFileSync('/proc/self/status', 'latin1'));
