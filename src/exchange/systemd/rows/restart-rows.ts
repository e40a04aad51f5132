// Table rows that translate systemd's settings about restarts and stops to keys of `sup`, and back.
import type { Backoff } from '../../../streams/domain/declared/spec.ts';
import { exitStatusOf } from './exit-statuses.ts';
import {
  lostRow,
  orLost,
  textOf,
  unneededRow,
  wordsIn,
  written,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { isNo, isYes, spanOf, spanText } from '../unit-values.ts';
import { ownValue, type Setting, type Translation } from '../../key-table.ts';
import { durationText } from '../../manifest-text.ts';
import { signalName } from '../../source-values.ts';

/**
 * The signals that systemd treats as a clean exit of a service. A oneshot is an exception: none of these
 * signals is clean for it.
 */
const CLEAN_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'];

/** How long a run must have been ready before `sup` counts its restarts from 0 again, ms. */
const READY_MS = 60_000;

/** A number of restarts that no service reaches. It is written if systemd has no limit. */
const UNLIMITED = 1_000_000;

/** The defaults of systemd: 5 starts within 10 s, and 100 ms between them. */
const [BURST, INTERVAL_MS, PAUSE_MS] = [5, 10_000, 100];

const ABNORMAL = 'a failure of every kind is followed by a restart';

const POLICIES: Readonly<Record<string, Translation>> = {
  no: { keys: { restart_policy: 'never' } },
  always: { keys: { restart_policy: 'always' } },
  'on-failure': { keys: { restart_policy: 'on-failure' } },
  'on-success': { keys: { restart_policy: 'always' }, changed: 'a failure is followed by a restart, too' },
  'on-abnormal': {
    keys: { restart_policy: 'on-failure' },
    changed: `${ABNORMAL}, also an exit status other than 0`,
  },
  'on-abort': { keys: { restart_policy: 'on-failure' }, changed: ABNORMAL },
  'on-watchdog': { keys: { restart_policy: 'on-failure' }, changed: ABNORMAL },
};

const restarts = ({ value, timer }: UnitContext): boolean =>
  timer === undefined && (value('Restart') ?? 'no') !== 'no';

const hasPolicy = ({ value, timer }: UnitContext): boolean =>
  timer === undefined && !['no', 'always', 'on-success'].includes(value('Restart') ?? 'no');

/** Returns the entries of `success_exit_codes` for signals after which systemd calls an exit clean. */
const cleanSignals = (context: UnitContext): readonly string[] => {
  if (!hasPolicy(context) || context.value('Type') === 'oneshot') return [];
  const forced = statuses(
    context.values('RestartForceExitStatus').flatMap((line) => line.split(/\s+/)),
  ).known;
  return CLEAN_SIGNALS.filter((name) => !forced.includes(name));
};

const policy = (setting: Setting, context: UnitContext): Translation => {
  const name = textOf(setting);
  if (context.timer !== undefined)
    return name === 'no'
      ? {}
      : { lost: 'a scheduled run that fails is not repeated; the next one comes at its time' };
  const found = ownValue(POLICIES, name) ?? { lost: `systemd knows no policy ${name}` };
  const clean = cleanSignals(context);
  return clean.length === 0 ? found : { ...found, keys: { ...found.keys, success_exit_codes: clean } };
};

const statuses = (
  words: readonly string[],
): { readonly known: readonly (number | string)[]; readonly unknown: readonly string[] } => {
  const found = words.map((word) => exitStatusOf(word) ?? signalName(word));
  return {
    known: found.filter((each) => each !== undefined),
    unknown: words.filter((_, at) => found[at] === undefined),
  };
};

const successStatus = (setting: Setting, context: UnitContext): Translation => {
  const { known, unknown } = statuses(wordsIn(setting));
  const clean: readonly (number | string)[] = [0, ...cleanSignals(context)];
  const codes = [...new Set(known)].filter((code) => !clean.includes(code));
  return {
    ...(codes.length > 0 && { keys: { success_exit_codes: codes } }),
    ...(unknown.length > 0 && { lost: `${unknown.join(', ')}: not an exit status or a signal` }),
  };
};

const preventedStatus = (setting: Setting, context: UnitContext): Translation => {
  if (!restarts(context)) return {};
  if (!hasPolicy(context)) return { lost: 'with restart_policy: always every end is followed by a restart' };
  return { ...successStatus(setting, context), changed: 'such an end counts as a success' };
};

const forcedStatus = (setting: Setting, context: UnitContext): Translation => {
  const { known, unknown } = statuses(wordsIn(setting));
  const others = [...known.filter((code) => !CLEAN_SIGNALS.includes(String(code))), ...unknown];
  if (others.length === 0) return {};
  return hasPolicy(context) && others.every((code) => code !== 0)
    ? {}
    : { lost: `${others.join(', ')}: restart_policy decides about a restart, without exceptions` };
};

const spanIn = ({ value }: UnitContext, key: string, fallback: number): number =>
  spanOf(value(key) ?? '') ?? fallback;

/** Returns the number of automatic restarts that the limit of starts permits. */
const limitOf = (context: UnitContext): number => {
  const burst = Number(context.value('StartLimitBurst') ?? BURST);
  const interval = spanIn(context, 'StartLimitIntervalSec', INTERVAL_MS);
  // If the pauses alone take longer than the interval, the limit is never reached.
  const isReached = interval > 0 && burst * spanIn(context, 'RestartSec', PAUSE_MS) < interval;
  return isReached && burst > 0 ? Math.max(1, burst - 1) : UNLIMITED;
};

const limit = (context: UnitContext): Translation =>
  restarts(context) ? { keys: { max_restarts: limitOf(context) } } : {};

/**
 * Returns a pause that reaches `RestartMaxDelaySec=` after `RestartSteps=` steps and grows by the same factor
 * in each step. Returns `undefined` if the pause does not grow.
 */
const growing = (initial: number, { value }: UnitContext): Translation | undefined => {
  const longest = spanOf(value('RestartMaxDelaySec') ?? '') ?? 0;
  const steps = Number(value('RestartSteps') ?? 0);
  if (steps < 1 || !Number.isFinite(longest) || initial === 0 || longest <= initial) return undefined;
  const factor = Math.min(100, Number(((longest / initial) ** (1 / steps)).toFixed(3)));
  return { keys: { backoff: { initial: durationText(initial), max: durationText(longest), factor } } };
};

const backoff = (setting: Setting, context: UnitContext): Translation =>
  restarts(context)
    ? orLost(spanOf(textOf(setting)), 'it is no time span', (initial) => {
        return growing(initial, context) ?? { keys: { backoff: durationText(initial) } };
      })
    : {};

/**
 * Returns the value of `RestartSteps=` for a pause that grows from `initial` to `max`; 0 if the pause does
 * not grow.
 */
const stepsOf = ({ initial, max, factor }: Backoff): number =>
  factor > 1 && initial > 0 && max > initial ? Math.ceil(Math.log(max / initial) / Math.log(factor)) : 0;

const backoffWritten = ({
  spec: { backoff: pause, restartPolicy, kind },
  declares,
}: UnitExport): Translation => {
  if (restartPolicy === 'never' || kind === 'cron') return {};
  const keys = { 'Service.RestartSec': spanText(pause.initial) };
  const steps = stepsOf(pause);
  if (!declares('backoff') || (steps === 0 && pause.jitter === 0)) return { keys };
  const newer = `with systemd 254 or newer add RestartSteps=${steps} and RestartMaxDelaySec=${spanText(pause.max)}`;
  const grows = steps === 0 ? [] : [`the pause does not grow; ${newer}`];
  const varies = pause.jitter === 0 ? [] : ['the pause does not vary'];
  return { keys, changed: [...grows, ...varies].join('; ') };
};

const restartWritten = ({ spec }: UnitExport): Translation => {
  const { kind, restartPolicy, maxRestarts, successExitCodes: named = [] } = spec;
  if (kind === 'cron') return {};
  if (restartPolicy === 'never' || maxRestarts === 0) return { keys: { 'Service.Restart': 'no' } };
  const forced = restartPolicy === 'always' ? [] : CLEAN_SIGNALS.filter((name) => !named.includes(name));
  return {
    keys: {
      'Service.Restart': restartPolicy,
      ...(forced.length > 0 && { 'Service.RestartForceExitStatus': forced.join(' ') }),
    },
  };
};

const BY_HAND =
  'all starts within the interval count, also those by hand; systemctl reset-failed begins to count again';

const limitWritten = ({ spec, declares }: UnitExport): Translation => {
  const { maxRestarts, restartPolicy, kind, backoff: pause } = spec;
  if (restartPolicy === 'never' || maxRestarts === 0 || kind === 'cron') return {};
  if (maxRestarts >= UNLIMITED) return { keys: { 'Unit.StartLimitIntervalSec': '0' } };
  return {
    keys: {
      'Unit.StartLimitIntervalSec': spanText((maxRestarts + 1) * pause.max + READY_MS),
      'Unit.StartLimitBurst': String(maxRestarts + 1),
    },
    ...(declares('max_restarts') && { changed: BY_HAND }),
  };
};

const stopTimeout = (setting: Setting): Translation =>
  orLost(spanOf(textOf(setting)), 'it is no time span', (length) => ({
    keys: { stop_timeout: durationText(length === 0 ? Number.POSITIVE_INFINITY : length) },
  }));

const killMode = (setting: Setting): Translation => {
  const mode = textOf(setting);
  if (mode === 'control-group') return {};
  if (mode === 'mixed')
    return { changed: 'all processes of the service get stop_signal, not only the main process' };
  return { lost: `all processes of the service are stopped; with ${mode} some would go on` };
};

const isDefaultSignal = (value: string): boolean => signalName(value) === 'SIGKILL';

export const RESTART_ROWS: readonly UnitRow[] = [
  {
    theirs: 'Restart',
    ours: ['restart_policy'],
    note: 'The default is `never`. `on-success`, `on-abnormal`, `on-abort` and `on-watchdog` become the next wider policy. For systemd an end by SIGHUP, SIGINT, SIGTERM or SIGPIPE is clean, so `success_exit_codes` lists these signals.',
    read: policy,
    absent: ({ timer }) => (timer === undefined ? { keys: { restart_policy: 'never' } } : {}),
    write: restartWritten,
  },
  {
    theirs: 'RestartSec',
    ours: ['backoff'],
    note: 'The default is 100 ms. A pause that grows needs `RestartSteps=`, which systemd has only from version 254 on, so the export writes a comment.',
    read: backoff,
    absent: (context) => (restarts(context) ? { keys: { backoff: `${PAUSE_MS}ms` } } : {}),
    write: backoffWritten,
  },
  unneededRow('RestartSteps RestartMaxDelaySec', 'Is used for `backoff`.'),
  {
    theirs: 'StartLimitBurst',
    ours: ['max_restarts'],
    note: '`max_restarts` is one less than the number of starts, so the default is 4. There is no limit if the pauses alone take longer than `StartLimitIntervalSec=`. `sup` begins to count again when a run has been ready for 60 s.',
    read: (_, context) => limit(context),
    absent: limit,
    write: limitWritten,
  },
  unneededRow('StartLimitIntervalSec StartLimitInterval', 'Is used for `max_restarts`.'),
  {
    theirs: 'SuccessExitStatus',
    ours: ['success_exit_codes'],
    note: 'Names such as `TEMPFAIL` become numbers.',
    read: successStatus,
    write: ({ spec: { successExitCodes: codes = [] } }) =>
      codes.length === 0 ? {} : { keys: { 'Service.SuccessExitStatus': codes.join(' ') } },
  },
  {
    theirs: 'RestartPreventExitStatus',
    ours: ['success_exit_codes'],
    note: 'Such an end counts as a success.',
    read: preventedStatus,
  },
  {
    theirs: 'RestartForceExitStatus',
    ours: [],
    note: 'If the setting names one of the four signals that systemd treats as a clean end, `success_exit_codes` does not list this signal. Other values are lost.',
    read: forcedStatus,
  },
  {
    theirs: 'KillSignal',
    ours: ['stop_signal'],
    read: (setting) =>
      orLost(signalName(textOf(setting)), 'sup has no such signal', (signal) =>
        signal === 'SIGTERM' ? {} : { keys: { stop_signal: signal } },
      ),
    write: ({ spec: { stopSignal } }) =>
      stopSignal === 'SIGTERM' ? {} : { keys: { 'Service.KillSignal': stopSignal } },
  },
  {
    theirs: 'TimeoutStopSec',
    ours: ['stop_timeout'],
    note: 'The default is 90 s.',
    read: stopTimeout,
    absent: (context) => (context.value('TimeoutSec') === undefined ? { keys: { stop_timeout: '90s' } } : {}),
    write: ({ spec: { stopTimeout: length } }) => written('Service.TimeoutStopSec', spanText(length)),
  },
  {
    theirs: 'TimeoutSec',
    ours: ['stop_timeout'],
    note: 'Is used for `TimeoutStartSec=`, too.',
    read: stopTimeout,
  },
  {
    theirs: 'KillMode',
    ours: [],
    note: '`sup` stops all processes of a service. `process` and `none` are lost.',
    read: killMode,
  },
  lostRow('SendSIGKILL', 'SIGKILL follows after stop_timeout in any case', isYes),
  lostRow('SendSIGHUP', 'only stop_signal is sent', isNo),
  lostRow('FinalKillSignal', 'the last signal is SIGKILL', isDefaultSignal),
  lostRow('RestartKillSignal WatchdogSignal', 'every stop begins with stop_signal'),
  lostRow('TimeoutAbortSec', 'stop_timeout is the only time of a stop'),
  lostRow(
    'StartLimitAction FailureAction SuccessAction FailureActionExitStatus SuccessActionExitStatus RebootArgument',
    'sup starts, stops and reboots no machine; alerts can run a command',
    (value) => value === 'none',
  ),
];
