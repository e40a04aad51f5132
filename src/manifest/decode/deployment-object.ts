// Decodes `deployment` and checks its keys together (`docs/manifest.md`, "deployment", "health_check",
// "blue_green").
import { resolve } from 'node:path';
import { refuseUnsafePlace } from '../check/safe-place.ts';
import { OTHER_CHECK_WORDS } from './key-hints.ts';
import { LISTEN_VARIABLES } from './listen-sockets.ts';
import { isHttpUrl, tcpTrouble, urlTrouble } from './scalars/addresses.ts';
import { duration, durationOrOff, positiveDuration } from './scalars/durations.ts';
import { variableName } from './scalars/key-rules.ts';
import { whole } from './scalars/number.ts';
import { read, refused, scalar } from './scalars/scalar.ts';
import { choice, filled, readText, text } from './scalars/text.ts';
import { list, located } from './shapes/composite.ts';
import { childOf } from '../read/node.ts';
import { reportAt, reportAtKey, spotBelow, type DecodeContext, type Spot } from './shapes/decoder.ts';
import { defaulted, optional, presumed, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { callsHint } from '../../os/libc/libc.ts';
import { tcpAddress } from '../../streams/domain/service/port.ts';
import { linePattern } from '../../streams/output/line-pattern.ts';
import { OWN_VARIABLES } from '../../streams/env/service-environment.ts';

/**
 * Returns the text with a digit in place of each placeholder. `per-slot.ts` checks the text of each slot
 * later.
 */
const withDigits = (text: string): string =>
  text.replaceAll(/\{(?:slot|candidate_slot|active_slot|service|instance)\}/g, '1');

const httpUrl = scalar({
  label: 'URL',
  schema: { type: 'string' },
  read: ({ text: given }) => (isHttpUrl(withDigits(given)) ? read(given) : refused(urlTrouble(given))),
});

const tcp = scalar({
  label: 'port or address',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 65_535 },
      { type: 'string', minLength: 1 },
    ],
  },
  read: ({ text: given }) =>
    tcpAddress(withDigits(given)) === undefined ? refused(tcpTrouble(given)) : read(given),
});

const pattern = scalar({
  label: 'regular expression',
  schema: { type: 'string', pattern: '^[^\\n]+$' },
  read: (given) => {
    const filledIn = readText(given);
    if (!filledIn.ok) return filledIn;
    if (given.text.includes('\n'))
      return refused('has a line break, which no line of output has', 'write it in quotes, on one line');
    const compiled = linePattern(given.text);
    if (compiled.tag === 'pattern') return filledIn;
    return refused(`is no regular expression of RE2: ${compiled.why}`);
  },
});

const yes = scalar({
  label: 'true',
  schema: { const: true },
  read: ({ text: given }) =>
    given === 'true' ? read(true) : refused('is not true: leave the key out for another kind of check'),
});

const onFailure = optional(
  choice(['restart', 'stop', 'ignore'], {
    none: 'ignore keeps the service',
    nothing: 'ignore keeps the service',
  }),
  'What a failure of a ready service does: `restart` by `restart_policy`, `stop` without a restart, or `ignore`. The default is `restart`.',
);

/** Returns all pairs of these keys, because only one of the keys may be given. */
const pairsOf = <K extends string>(keys: readonly K[]): readonly (readonly [K, K])[] =>
  keys.flatMap((key, at) => keys.slice(at + 1).map((other) => [key, other] as const));

const LIVENESS_KINDS = ['command', 'url', 'tcp', 'watchdog'] as const;
const KINDS = ['command', 'url', 'tcp', 'log', 'notify'] as const;

export const liveness = object({
  name: 'liveness',
  exclusive: pairsOf(LIVENESS_KINDS),
  anyOf: LIVENESS_KINDS,
  elsewhere: {
    ...OTHER_CHECK_WORDS,
    log: 'a line of output says that a service is ready, and nothing about later: it stands in health_check itself',
    total_timeout: 'liveness fails after retries, each after interval',
    timeout: 'it is called attempt_timeout',
  },
  fields: {
    command: optional(text, 'Check command, run through `sh -c`; status 0 passes.'),
    url: optional(httpUrl, 'HTTP endpoint; a 2xx answer passes.'),
    tcp: optional(tcp, 'Port on this machine, or `host:port`; a connection passes.'),
    watchdog: optional(
      positiveDuration,
      'Time within which the service sends `WATCHDOG=1` again; only with `notify`.',
    ),
    interval: defaulted(positiveDuration, '10s', 'Time between attempts.'),
    attempt_timeout: defaulted(positiveDuration, '30s', 'Maximum time for one probe.'),
    retries: defaulted(whole({ min: 1 }), 3, 'Failures in a row after which the check has failed.'),
    on_failure: onFailure,
  },
});

/**
 * Refuses `notify` if this machine cannot receive notifications. Their sockets can be opened only by calls of
 * the C library.
 */
const refuseWithoutCalls = (spot: Spot, context: DecodeContext): void => {
  const absence = context.reader.absence?.();
  if (absence === undefined) return;
  reportAtKey(spot, context, {
    code: 'ERR0728',
    message: `notifications cannot be received here: ${absence}`,
    hint: callsHint(absence),
  });
};

export const healthCheck = object({
  name: 'health_check',
  exclusive: [...pairsOf(KINDS), ['total_timeout', 'timeout']],
  anyOf: KINDS,
  elsewhere: OTHER_CHECK_WORDS,
  fields: {
    command: optional(text, 'Check command, run through `sh -c`; status 0 passes.'),
    url: optional(httpUrl, 'HTTP endpoint, instead of `command`; a 2xx answer passes.'),
    tcp: optional(tcp, 'Port on this machine, or `host:port`; a connection passes.'),
    log: optional(pattern, 'Regular expression; the service is ready when a line of its output matches.'),
    notify: optional(yes, 'The service is ready when one of its processes sends `READY=1` (sd_notify).'),
    interval: presumed(positiveDuration, '2s', 'Time between attempts.'),
    attempt_timeout: defaulted(positiveDuration, '30s', 'Maximum time for one probe.'),
    total_timeout: optional(
      positiveDuration,
      'Minimum time for which probes must fail until the check has failed.',
    ),
    timeout: optional(positiveDuration, 'Another name for `total_timeout`.'),
    retries: defaulted(
      whole({ min: 1 }),
      3,
      'Minimum number of failed probes in a row until the check has failed.',
    ),
    start_interval: presumed(
      positiveDuration,
      '100ms',
      'First pause between probes while starting; doubles up to `interval`, or to 500 ms if neither is set.',
    ),
    after_ready: optional(
      durationOrOff,
      'Time between probes of a ready service; `off`: no probes. The default is `interval`; with `liveness` it is `off`.',
    ),
    on_failure: onFailure,
    liveness: optional(liveness, 'Asks a ready service whether it is alive, instead of this check.'),
  },
  check: (declared, spot, context) => {
    if (declared.notify) refuseWithoutCalls(spotBelow(spot, 'notify'), context);
    if (declared.liveness?.watchdog === undefined || declared.notify) return;
    reportAtKey(spotBelow(spotBelow(spot, 'liveness'), 'watchdog'), context, {
      code: 'ERR0222',
      message: 'watchdog needs a service that notifies: only with notify: true in health_check',
    });
  },
});

const READY_BY: Readonly<Record<string, string>> = {
  log: 'a line of output makes a run ready: deployment.health_check.log',
  notify: 'READY=1 makes a run ready: deployment.health_check.notify',
};

/**
 * Refuses `log` and `notify` in checks of a rollout. Only `health_check` waits for a line of output or a
 * notification, before these checks begin.
 */
const refuseAwaited = (spot: Spot, context: DecodeContext): void => {
  for (const key of ['candidate_health_check', 'switch_verify'])
    for (const [kind, hint] of Object.entries(READY_BY)) {
      const check = spotBelow(spot, key);
      if (childOf(check.node, kind) === undefined) continue;
      reportAtKey(spotBelow(check, kind), context, {
        code: 'ERR0222',
        message: `${key} asks the candidate: it takes command, url or tcp`,
        hint,
      });
    }
};

/** Variables that the supervisor sets itself. So none of them can be the variable for the slot. */
const TAKEN: readonly string[] = [...OWN_VARIABLES, ...LISTEN_VARIABLES];

export const blueGreen = object({
  name: 'blue_green',
  fields: {
    env_var: defaulted(variableName, 'PORT', 'Environment variable that receives the slot value.'),
    slots: required(
      list(filled, { min: 2, max: 2, count: 'exactly 2 entries' }),
      'Exactly two slot values to alternate between.',
    ),
    switch_command: required(
      text,
      'Command that switches traffic to the candidate slot, `{candidate_slot}`.',
    ),
    candidate_health_check: optional(
      healthCheck,
      'Verification of the candidate. Its `url`, `tcp` and `command` may contain `{slot}`.',
    ),
    switch_verify: optional(healthCheck, 'Verification after the switch.'),
    state_path: optional(
      located(text),
      "File in which `sup` writes the active slot, relative to the manifest's directory.",
    ),
  },
  check: ({ slots, envVar: name, statePath: kept }, spot, context) => {
    refuseAwaited(spot, context);
    if (kept !== undefined) refuseUnsafePlace(resolve(context.directory, kept.value), kept.spot, context);
    if (TAKEN.includes(name)) {
      const message = `${name} is set by the supervisor itself: the slot needs a variable of its own`;
      reportAt(spotBelow(spot, 'env_var'), context, { code: 'ERR0213', message });
    }
    if (slots[0] !== slots[1]) return;
    const message = 'the two slots are the same; a candidate needs one of its own';
    reportAt(spotBelow(spot, 'slots'), context, { code: 'ERR0213', message });
  },
});

const BLUE_GREEN = 'it has a key of its own: blue_green: { slots: […], switch_command: … }, without strategy';

export const deployment = object({
  name: 'deployment',
  fields: {
    strategy: defaulted(
      choice(['rolling', 'immediate'], { blue_green: BLUE_GREEN, 'blue-green': BLUE_GREEN }),
      'immediate',
      '`rolling` starts the new run while the old run continues; `immediate` stops the old run first.',
    ),
    pre_start: optional(text, 'Command that must exit with 0 before the service starts.'),
    health_check: optional(healthCheck, 'Readiness probe.'),
    grace_period: defaulted(
      duration,
      '0s',
      'How long a new run must stay ready before the old run is stopped.',
    ),
    blue_green: optional(blueGreen, 'Two-slot rollout on one host.'),
  },
});
