// Ages and sizes as people read them.
import { ms } from '../../streams/domain/time.ts';
import { lengthText } from '../../streams/views/words/length-text.ts';

/** From an ISO time to `now` (milliseconds since the epoch); nothing for a time that is not known. */
export const ageText = (since: string | null, now: number): string =>
  since === null ? '' : lengthText(ms(now - Date.parse(since)));

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `512 B`, `3.4 MiB`. */
export const sizeText = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power] ?? ''}`;
};
