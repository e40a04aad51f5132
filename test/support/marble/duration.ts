// Durations in marble files: a whole number with its unit.
import { ms, type Ms } from '../../../src/streams/domain/time.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `250ms`, `5m`; `undefined` for anything else, nothing at all included. */
export const durationOf = (text: string): Ms | undefined => {
  const [, count = '', unit = ''] = /^([1-9]\d*)(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? undefined : ms(Number(count) * factor);
};
