// Formats ages and sizes as short texts.
import { lengthText, ms } from '../../domain/time.ts';

/** Returns the age of an ISO time at `now` (ms since 1970). Empty if the time is unknown. */
export const ageText = (since: string | null, now: number): string =>
  since === null ? '' : lengthText(ms(now - Date.parse(since)));

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a size such as `512 B` or `3.4 MiB`. */
export const sizeText = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power] ?? ''}`;
};
