// Words and signs for states and values on the page. The command line uses the same words and signs.
import { ageText, sizeText } from '../../../streams/views/words/age-and-size.ts';
import { LOOSE } from '../../../streams/domain/ids.ts';
import type { ExitDocument, ServiceDocument, StateWord } from '../../../streams/wire/documents/documents.ts';
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';

/** The ways to draw a state. Each has its own colour and sign. */
export type Look = 'good' | 'busy' | 'bad' | 'hurt' | 'calm' | 'idle';

export const LOOKS: Readonly<Record<StateWord, Look>> = {
  scheduled: 'calm',
  waiting: 'busy',
  starting: 'busy',
  running: 'good',
  backoff: 'bad',
  stopping: 'busy',
  stopped: 'idle',
  done: 'calm',
  failed: 'bad',
  'breaker-open': 'bad',
  casualty: 'hurt',
  skipped: 'idle',
  lost: 'bad',
};

/** Compares ids of services. Numbers are compared as numbers: `web@2` is before `web@10`. */
export const byName = new Intl.Collator('en', { numeric: true });

/**
 * Returns the id as the page shows it. For a service that was started without a manifest, this is the name
 * without the project.
 */
export const shownIdOf = (id: string): string =>
  id.startsWith(`${LOOSE}/`) ? id.slice(LOOSE.length + 1) : id;

export const projectTitle = (project: string): string => (project === LOOSE ? 'loose services' : project);

export const cpuWords = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? '–' : `${percent.toFixed(1)} %`;

export const sizeWords = (bytes: number | null | undefined): string =>
  bytes === null || bytes === undefined ? '–' : sizeText(bytes);

/** Returns a text such as `2 min ago`, in the largest unit that fits, or `now` for a time in the future. */
export const agoText = (at: string, now: number): string => {
  const seconds = Math.floor(Math.max(0, now - Date.parse(at)) / 1_000) * 1_000;
  const [count = '', unit = ''] = ageText(new Date(0).toISOString(), seconds).split(' ');
  return seconds === 0 ? 'now' : `${count} ${unit} ago`;
};

/**
 * Returns the reason and the error code, as `sup status` shows them. Without a reason and an error, returns
 * an empty text.
 */
export const reasonText = ({ reason, error }: Pick<ServiceDocument, 'reason' | 'error'>): string => {
  if (error === null) return reason ?? '';
  if (reason === null) return `${error.code} ${error.message}`;
  return reason.includes(error.code) ? reason : `${reason} (${error.code})`;
};

export const changeText = ({ kind, from, to, health, reason, cause }: EventDocument): string => {
  if (kind === 'health') return health;
  if (kind === 'state') return `${from ?? 'new'} → ${to ?? 'removed'}`;
  return `${kind}: ${reason ?? cause}`;
};

export const exitWords = ({ code, signal }: ExitDocument): string => {
  if (code !== null) return `exit ${code}`;
  return signal === null ? 'exit unknown' : `killed by ${signal}`;
};

/** Returns date and time in the browser's language, in 24-hour form. `at`: ISO 8601, or ms since 1970. */
export const momentText = (at: string | number): string =>
  new Date(at).toLocaleString([], { hourCycle: 'h23' });
