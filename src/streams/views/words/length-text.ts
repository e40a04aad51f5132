// Durations for people: `250 ms`, `1.5 s`, `2 min 30 s`, `3 h 5 min`.
import type { Ms } from '../../domain/time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const pair = (length: number, [unit, name]: [number, string], [part, partName]: [number, string]): string => {
  const whole = Math.floor(length / unit);
  const rest = Math.floor((length % unit) / part);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${partName}`;
};

/** The duration in at most two units; a negative one (the clock was set back) is 0. */
export const lengthText = (length: Ms): string => {
  if (length < SECOND) return `${Math.max(0, Math.floor(length))} ms`;
  const rounded = Math.round(length / 100) * 100;
  if (rounded < MINUTE) return `${rounded / SECOND} s`;
  if (rounded < HOUR) return pair(rounded, [MINUTE, 'min'], [SECOND, 's']);
  if (rounded < DAY) return pair(rounded, [HOUR, 'h'], [MINUTE, 'min']);
  return pair(rounded, [DAY, 'd'], [HOUR, 'h']);
};
