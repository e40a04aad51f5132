// The capabilities that this process has and can hand on: permitted, and not out of the bounding set.
import { readFileSync } from 'node:fs';
import { capabilitiesIn } from './capability-sets.ts';

export const ownCapabilities = (): readonly number[] =>
  capabilitiesIn(readFileSync('/proc/self/status', 'latin1'));
