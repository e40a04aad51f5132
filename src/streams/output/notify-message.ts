// The messages of sd_notify: lines `NAME=value` in one datagram (`docs/manifest.md`, "health_check"), and the
// state that a run has reported by all of its messages. The sender is not trusted: lines that cannot be read
// and unknown names, such as `MAINPID=`, are ignored.
// Rules: `docs/behaviour.md`, "Health checks", "The service notifies".
import type { Effect } from '../domain/effect.ts';
import type { RunId } from '../domain/ids.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Notified, SelfReport } from '../domain/service/service-state.ts';
import { ms, seconds, type Ms } from '../domain/time.ts';

/** The maximum length of the text in `STATUS=`, in UTF-16 code units. A longer text is cut. */
const LONGEST_STATUS = 500;
/** The longest time that one `EXTEND_TIMEOUT_USEC=` can add. */
export const LONGEST_EXTENSION = seconds(3600);
const PER_MS = 1000;

/** The known assignments of one message. */
export interface NotifyMessage extends SelfReport {
  /** `WATCHDOG=1`: the run is alive. `WATCHDOG=trigger`: the run asks to be treated as if it hangs. */
  readonly watchdog?: 'alive' | 'trigger';
}

const extension = (value: string): Ms | undefined =>
  /^\d{1,18}$/.test(value) ? ms(Math.min(LONGEST_EXTENSION, Math.ceil(Number(value) / PER_MS))) : undefined;

const assignment = (name: string, value: string): NotifyMessage => {
  switch (name) {
    case 'READY':
      return value === '1' ? { ready: true } : {};
    case 'RELOADING':
      return value === '1' ? { reloading: true } : {};
    case 'STOPPING':
      return value === '1' ? { stopping: true } : {};
    case 'STATUS':
      return { status: value.slice(0, LONGEST_STATUS) };
    case 'WATCHDOG':
      return value === '1' ? { watchdog: 'alive' } : value === 'trigger' ? { watchdog: 'trigger' } : {};
    case 'EXTEND_TIMEOUT_USEC': {
      const extend = extension(value);
      return extend === undefined ? {} : { extend };
    }
    default:
      return {};
  }
};

/** Returns the known assignments of a message. The result is empty if the message has none. */
export const messageIn = (text: string): NotifyMessage =>
  text.split('\n').reduce<NotifyMessage>((said, line) => {
    const at = line.indexOf('=');
    return at <= 0 ? said : { ...said, ...assignment(line.slice(0, at), line.slice(at + 1)) };
  }, {});

/**
 * Combines several messages into one. If a reload begins and ends in these messages, only its end is kept.
 */
const together = (messages: readonly NotifyMessage[]): NotifyMessage =>
  messages.reduce<NotifyMessage>((said, next) => {
    const { reloading: _, ...settled } = said;
    return { ...(next.ready ? settled : said), ...next };
  }, {});

/**
 * Combines several messages into one. If a reload begins and ends in these messages, the result has two
 * messages, so that the event about the reload is not lost.
 */
export const merged = (messages: readonly NotifyMessage[]): readonly NotifyMessage[] => {
  const begin = messages.findIndex(({ reloading }) => reloading);
  const end = messages.findIndex(({ ready }, at) => begin >= 0 && at > begin && ready);
  const parts = end < 0 ? [messages] : [messages.slice(0, end), messages.slice(end)];
  return parts.map(together);
};

/** Returns the reported state of a run after one more report. `READY=1` ends a reload. */
export const notifiedAfter = (
  known: Notified = {},
  { ready: isReady, extend: _, ...said }: SelfReport,
): Notified => {
  const { reloading, ...settled } = known;
  const { status, ...all } = { ...settled, ...(reloading && !isReady && { reloading }), ...said };
  return status === undefined || status === '' ? all : { ...all, status };
};

const TEXTS = { reloading: 'reloading (RELOADING=1)', stopping: 'stopping (STOPPING=1)' } as const;

/** Returns an event for each state that a run reports now and did not report before. */
export const notifiedEvents = (
  { spec: { id: service } }: Run,
  run: RunId,
  [before = {}, after]: readonly [Notified | undefined, Notified],
): readonly Effect[] =>
  (['reloading', 'stopping'] as const)
    .filter((key) => after[key] === true && before[key] !== true)
    .map((key) => ({
      type: 'report',
      ...{ service, run, missed: 0 },
      report: { text: TEXTS[key], level: 'info', data: {} },
    }));
