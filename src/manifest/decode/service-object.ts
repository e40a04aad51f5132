// Decodes a service (`docs/manifest.md`, "A service").
import { account, capability, exitCode, signal, umask } from './scalars/system-values.ts';
import { OTHER_WORDS } from './key-hints.ts';
import { reportNotCarriedOut, reportWithCron } from '../check/report-ignored-keys.ts';
import { refusePlaceholders, warnOfTexts } from '../check/misread-texts.ts';
import { warnOfRoot } from '../check/run-as-root.ts';
import { warnOfUnavailable } from '../check/missing-on-this-machine.ts';
import { refuseFixedSlot, refuseUnfitAddresses, warnOfSlot } from '../check/per-slot.ts';
import { checkReplicas } from '../check/replicas.ts';
import { reportIdleValues } from '../check/values-without-effect.ts';
import { reportSetVariables, sockets } from './listen-sockets.ts';
import { MOST_REPLICAS } from '../../streams/domain/declared/manifest.ts';
import { checkCredentials, checkStateDir, credentials } from './own-files.ts';
import { backoff, dependsOn, hooks, reload, skip, spawn } from './service-keys.ts';
import { cron } from './cron-object.ts';
import { deployment } from './deployment-object.ts';
import { positiveDuration } from './scalars/durations.ts';
import { defaulted, NESTED, optional } from './shapes/fields.ts';
import { checkExec } from '../check/exec-entries.ts';
import { isolation, limits } from './privilege-objects.ts';
import { list, located } from './shapes/composite.ts';
import { logs } from './logs-status-metrics.ts';
import { positiveSize } from './scalars/sizes.ts';
import { flag, whole } from './scalars/number.ts';
import { object } from './shapes/object.ts';
import { warnPrivileged } from '../check/needs-privilege.ts';
import { refuseSecretSlot } from './env-secrets.ts';
import { watch } from './watch-object.ts';
import { inScope, scopedEnv } from './merge-env-levels.ts';
import { spotBelow } from './shapes/decoder.ts';
import { profileName } from './scalars/key-rules.ts';
import { choice, oneOf, text, verbatim } from './scalars/text.ts';

const OTHER_POLICIES = {
  no: 'write never',
  on_failure: 'write on-failure',
  'unless-stopped': 'write always: a service that was stopped by hand stays down',
};

export const service = object({
  name: 'service',
  exclusive: [
    ['command', 'exec'],
    // A schedule has no end, so `essential` would have no meaning.
    ['cron', 'essential'],
  ],
  anyOf: ['command', 'exec'],
  elsewhere: OTHER_WORDS,
  fields: {
    command: optional(text, 'Command line, run through `sh -c`. Required unless `exec` is set.'),
    exec: optional(
      list(verbatim, { min: 1 }),
      'Program and arguments, run without a shell. Only `{instance}` is expanded in them.',
    ),
    working_dir: optional(
      text,
      "Directory to run in, relative to the manifest's directory or absolute.",
      "the manifest's directory",
    ),
    state_dir: optional(
      located(text),
      'Directory for the data of the service, in `$STATE_DIRECTORY`: made at the first start, for its user only.',
    ),
    depends_on: optional(dependsOn, 'Services that must start first.'),
    env: optional(scopedEnv, 'Environment of the service.'),
    restart_policy: defaulted(
      choice(['always', 'on-failure', 'never'], OTHER_POLICIES),
      'on-failure',
      'After which exits the service is restarted.',
    ),
    backoff: defaulted(
      backoff,
      NESTED,
      'Time between restart attempts. With an object the time grows from attempt to attempt.',
    ),
    max_restarts: defaulted(whole({ min: 0 }), 8, 'Automatic restarts before the breaker opens.'),
    success_exit_codes: optional(
      list(exitCode, { min: 1 }),
      'Exit statuses, and names of signals that end the service, which count as a success besides 0.',
    ),
    essential: defaulted(
      flag,
      false,
      'Under `sup supervise -c <file>`: when the service ends for good the supervisor stops everything and exits with its status.',
    ),
    control: defaulted(
      flag,
      false,
      'A confined service may use the control socket. A service is confined if it declares `capabilities`, `isolation` or another `user`.',
    ),
    stop_signal: defaulted(signal, 'SIGTERM', 'Signal that asks the service to end.'),
    stop_timeout: defaulted(
      positiveDuration,
      '10s',
      'Time between the beginning of a stop and SIGKILL. `stop_command` may take three quarters of it.',
    ),
    stop_command: optional(
      text,
      'Command line, run through `sh -c` at the beginning of a stop, before `stop_signal`. `SUP_PID` is the main process.',
    ),
    max_memory: optional(
      positiveSize,
      'The service is restarted by its strategy if the resident memory of all its processes together exceeds this (ERR0120).',
    ),
    max_memory_for: defaulted(
      positiveDuration,
      '30s',
      'How long the memory must be over `max_memory` without interruption.',
    ),
    watch: optional(watch, 'Files whose changes restart or signal the service.'),
    reload: optional(
      reload,
      'What `sup reload` does: a command, run through `sh -c`, or a signal. It never restarts the service.',
    ),
    hooks: optional(hooks, 'Commands run on lifecycle events.'),
    profiles: optional(
      list(profileName, { min: 1 }),
      'The service exists only if `--profile` of `sup start` or `SUP_PROFILES` names one of these profiles.',
    ),
    cron: optional(cron, 'Runs the service on a schedule instead of all the time.'),
    replicas: optional(
      whole({ min: 1, max: MOST_REPLICAS }),
      'How many instances run, as `web@1`, `web@2`; each finds its number in `SUP_INSTANCE`.',
      'one service without a number',
    ),
    deployment: defaulted(deployment, NESTED, 'How the service is started, checked and updated.'),
    sockets: optional(sockets, 'Listening sockets that the supervisor holds and passes to each run.'),
    logs: optional(logs, 'Output capture and rotation of this service.'),
    skip: defaulted(skip, false, '`true` skips the service; a command skips it when it exits with 0.'),
    spawn: defaulted(spawn, NESTED, 'Dynamic child processes.'),
    user: optional(account, 'User to run as. Privileged mode only.'),
    group: optional(account, 'Group to run as. Privileged mode only.'),
    supplementary_groups: optional(list(account), 'Additional groups. Privileged mode only.'),
    capabilities: optional(list(capability), 'Capabilities kept. Privileged mode only.'),
    umask: optional(umask, 'File mode creation mask: three or four octal digits in quotes, as `"0027"`.'),
    run_as: optional(
      oneOf('supervisor', 'service'),
      'The user of `pre_start`, `skip`, `reload`, `stop_command` and health check commands.',
      '`supervisor`; under version 3 `service` if the service is confined',
    ),
    credentials: optional(
      credentials,
      'Files with secrets that only this service sees, in `$CREDENTIALS_DIRECTORY`.',
    ),
    limits: optional(limits, 'Resource limits.'),
    isolation: optional(isolation, 'Namespaces and sandbox.'),
    'x-image': optional(
      text,
      'Container image for `sup export`. It has no effect on the process, and a change of it restarts nothing.',
    ),
  },
  check: (declared, spot, context) => {
    const { deployment: rollouts } = declared;
    checkExec(spotBelow(spot, 'exec'), context);
    warnPrivileged(spot, context);
    warnOfRoot(declared, spot, context);
    warnOfUnavailable(declared, spot, context);
    reportNotCarriedOut('service', spot, context);
    reportWithCron(rollouts, spot, context);
    reportIdleValues(declared, spot, context);
    reportSetVariables(spot, context);
    warnOfSlot(rollouts, spot, context);
    refuseFixedSlot(rollouts, spot, context);
    checkCredentials(declared, spot, context);
    checkStateDir(declared, context);
    refuseSecretSlot(rollouts.blueGreen?.envVar, spot, context);
    refusePlaceholders(declared, spot, context);
    refuseUnfitAddresses(declared, spot, context);
    checkReplicas(declared, spot, context);
    warnOfTexts(spot, context);
  },
});

/** Decodes a service; `${VAR}` refers to the variables of its `env`. */
export const scopedService = inScope(service);
