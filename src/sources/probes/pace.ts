// How often a service is probed: fast at first during its start, then every `after_ready`, or `interval`
// (`docs/behaviour.md`, "Health checks").
import type { Ms } from '../../streams/domain/time.ts';
import { ms } from '../../streams/domain/time.ts';
import type { ProbeWatch } from '../../streams/domain/watch.ts';

/** Returns the pause before attempt `number`, which counts from 1. */
export const pauseBefore = ({ check, pace }: Pick<ProbeWatch, 'check' | 'pace'>, number: number): Ms => {
  if (pace === 'steady') return typeof check.afterReady === 'number' ? check.afterReady : check.interval;
  if (number === 1) return ms(0);
  return ms(Math.min(check.startInterval * 2 ** (number - 2), check.interval));
};
