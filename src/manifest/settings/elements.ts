// The elements of `supervisor.xml`, one row each. A test checks that `docs/settings.md` has the same rows.
import { DEFAULT_SETTINGS, type Settings } from '../../streams/domain/declared/settings.ts';
import { ms, seconds } from '../../streams/domain/time.ts';

export interface Element {
  /** Path below the root element. */
  readonly path: string;
  readonly default: number;
  /** The rule in words, for the warning about a wrong value. */
  readonly rule: string;
  readonly accepts: (value: number) => boolean;
  /** Returns the settings with this value. */
  readonly put: (settings: Settings, value: number) => Settings;
}

/** Far more than needed, and still exact in milliseconds. */
const MOST = 1_000_000_000_000;

const from = (least: number): Pick<Element, 'rule' | 'accepts'> => ({
  rule: `a whole number from ${least}`,
  accepts: (value) => value >= least && value <= MOST,
});

const capOrNone: Pick<Element, 'rule' | 'accepts'> = {
  rule: '-1 (no cap) or a whole number from 1',
  accepts: (value) => value === -1 || (value >= 1 && value <= MOST),
};

export const ELEMENTS: readonly Element[] = [
  {
    path: 'logs/max_bytes',
    default: DEFAULT_SETTINGS.logs.maxBytes,
    ...from(0),
    put: (settings, maxBytes) => ({ ...settings, logs: { ...settings.logs, maxBytes } }),
  },
  {
    path: 'logs/max_files',
    default: DEFAULT_SETTINGS.logs.maxFiles,
    ...from(0),
    put: (settings, maxFiles) => ({ ...settings, logs: { ...settings.logs, maxFiles } }),
  },
  {
    path: 'timeouts/pre_start_secs',
    default: DEFAULT_SETTINGS.preStart / 1000,
    ...from(1),
    put: (settings, value) => ({ ...settings, preStart: seconds(value) }),
  },
  {
    path: 'timeouts/startup_stability_ms',
    default: DEFAULT_SETTINGS.startupStability,
    ...from(0),
    put: (settings, value) => ({ ...settings, startupStability: ms(value) }),
  },
  {
    path: 'timeouts/stop_verify_secs',
    default: DEFAULT_SETTINGS.stopVerify / 1000,
    ...from(1),
    put: (settings, value) => ({ ...settings, stopVerify: seconds(value) }),
  },
  {
    path: 'timeouts/start_settle_secs',
    default: DEFAULT_SETTINGS.startSettle / 1000,
    ...from(1),
    put: (settings, value) => ({ ...settings, startSettle: seconds(value) }),
  },
  {
    path: 'timeouts/command_wait_secs',
    default: DEFAULT_SETTINGS.commandWait / 1000,
    ...from(0),
    put: (settings, value) => ({ ...settings, commandWait: seconds(value) }),
  },
  {
    path: 'start/max_concurrent',
    default: DEFAULT_SETTINGS.maxConcurrent,
    ...capOrNone,
    put: (settings, maxConcurrent) => ({ ...settings, maxConcurrent }),
  },
];

export const ROOT = 'supervisor';

/** Parses a whole decimal number; `undefined` for anything else. */
export const wholeNumber = (text: string): number | undefined => {
  const trimmed = text.trim();
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
};
