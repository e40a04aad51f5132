// Translates the limits of restarts. PM2 counts only runs that were shorter than `min_uptime` and that fall
// into the time `min_uptime` × `max_restarts`. After `max_restarts` such runs, PM2 gives up. `sup` counts all
// restarts until the service has been ready for 60 s.
import { numberOf, type Pm2App, settingOf, shownValue, timeIn } from './pm2-app.ts';
import type { Plain, Setting, Translation } from '../key-table.ts';
import { durationText } from '../manifest-text.ts';

const MIN_UPTIME_MS = 1000;
const MOST_RESTARTS = 16;
/** The longest delay of `exp_backoff_restart_delay`, ms, and the factor by which the delay grows. */
const LONGEST_DELAY_MS = 15_000;
const GROWTH = 1.5;
/** The value of `max_restarts` for a program that PM2 restarts for ever. */
const FOR_EVER = 1_000_000;

interface Delays {
  readonly initial: number;
  readonly factor: number;
}

const delaysOf = (app: Pm2App): Delays => {
  const growing = numberOf(app, 'exp_backoff_restart_delay') ?? 0;
  if (growing > 0) return { initial: growing, factor: GROWTH };
  return { initial: numberOf(app, 'restart_delay') ?? 0, factor: 1 };
};

const uptimeOf = (app: Pm2App): number => {
  const setting = settingOf(app, 'min_uptime');
  return setting === undefined || setting.value === null ? MIN_UPTIME_MS : timeIn(setting);
};

/** Returns how often PM2 restarts a program that ends at once. */
export const restartsOf = (app: Pm2App): number => {
  const most = numberOf(app, 'max_restarts') ?? MOST_RESTARTS;
  const { initial, factor } = delaysOf(app);
  const end = uptimeOf(app) * most;
  let delay = initial;
  let time = 0;
  for (let runs = 1; runs < most && runs < FOR_EVER; runs += 1) {
    time += delay;
    if (time >= end) return FOR_EVER;
    delay = Math.min(LONGEST_DELAY_MS, Math.floor(delay * factor));
  }
  return Math.min(FOR_EVER, Math.max(0, most - 1));
};

/** Returns `backoff`: a constant pause between restarts, or a pause that grows. */
export const backoffOf = (app: Pm2App): Plain => {
  const { initial, factor } = delaysOf(app);
  return factor === 1
    ? durationText(initial)
    : { initial: durationText(initial), max: durationText(Math.max(initial, LONGEST_DELAY_MS)), factor };
};

const codesIn = ({ value }: Setting): readonly number[] =>
  (Array.isArray(value) ? value : [value]).map((code: Plain) => Number.parseInt(shownValue(code), 10));

/** Translates `stop_exit_codes`: the exit statuses after which PM2 does not restart the program. */
export const readStopCodes = (setting: Setting): Translation => {
  const codes = codesIn(setting).filter((code) => code >= 0 && code <= 255);
  const others = codes.filter((code) => code !== 0);
  return {
    keys: { ...(others.length > 0 && { success_exit_codes: others }) },
    ...(!codes.includes(0) && { changed: 'an exit with status 0 is followed by no restart either' }),
  };
};

/** Returns the restart policy: always, except after the statuses of `stop_exit_codes`. */
export const policyOf = (app: Pm2App): Translation => {
  const setting = settingOf(app, 'stop_exit_codes');
  const hasCodes = setting !== undefined && codesIn(setting).some((code) => code >= 0);
  return { keys: { restart_policy: hasCodes ? 'on-failure' : 'always' } };
};
