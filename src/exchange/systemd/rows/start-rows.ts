// Table rows that translate systemd's settings about type, readiness, time limits and conditions of a start
// to keys of `sup`, and back.
import { conditionCommand, assertionCommand } from '../unit-conditions.ts';
import { commandsIn, commandLine, shellCommand } from '../unit-commands.ts';
import {
  linesOf,
  lostRow,
  orLost,
  textOf,
  unneededRow,
  written,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { isNo, spanOf, spanText } from '../unit-values.ts';
import { ownValue, type Setting, type Translation } from '../../key-table.ts';
import { literalText, durationText } from '../../manifest-text.ts';

const isNotifying = ({ value }: UnitContext): boolean => /^notify/.test(value('Type') ?? '');

const NOT_READY = 'the service counts as ready when it has run for 250 ms';

const TYPES: Readonly<Record<string, (context: UnitContext) => Translation>> = {
  simple: () => ({}),
  exec: () => ({}),
  oneshot: () => ({}),
  notify: () => ({ keys: { 'deployment.health_check.notify': true } }),
  'notify-reload': () => ({
    keys: { 'deployment.health_check.notify': true, 'reload.signal': 'HUP' },
    changed: 'sup reload does not wait for READY=1',
  }),
  forking: () => ({
    lost: `the program must stay in the foreground, without an option such as --daemon: if it forks and ends, sup takes it for ended`,
  }),
  dbus: ({ value }) => ({
    lost: `${NOT_READY}, not when it owns its name on the bus; health_check.command can ask: busctl status ${value('BusName') ?? 'NAME'}`,
  }),
  idle: () => ({ changed: 'the start is not delayed until other units have started' }),
};

const typeRead = (setting: Setting, context: UnitContext): Translation =>
  ownValue(TYPES, textOf(setting))?.(context) ?? { lost: `systemd knows no type ${textOf(setting)}` };

/** Returns the message for a health check that systemd does not have. systemd has only `notify`. */
const lostCheck = ({ deployment: { healthCheck } }: UnitExport['spec']): string | undefined =>
  healthCheck === undefined || healthCheck.probe.tag === 'notify'
    ? undefined
    : 'systemd asks no service whether it is ready: the unit is started as soon as its program runs';

/**
 * Returns the keys for the type of the unit. The type is `oneshot` if the service has a schedule, or if
 * another service waits for its end.
 */
const typeKeys = ({ spec, isAwaited }: UnitExport): Translation['keys'] => {
  if (spec.deployment.healthCheck?.probe.tag === 'notify')
    return { 'Service.Type': 'notify', 'Service.NotifyAccess': 'all' };
  if (isAwaited) return { 'Service.Type': 'oneshot', 'Service.RemainAfterExit': 'yes' };
  return { 'Service.Type': spec.kind === 'cron' ? 'oneshot' : 'exec' };
};

const typeWritten = (context: UnitExport): Translation => {
  const lost = lostCheck(context.spec);
  return { keys: typeKeys(context) ?? {}, ...(lost !== undefined && { lost }) };
};

const NO_LIMIT = 'without notify, nothing limits the time of a start; the settings limit that of pre_start';

const isLimit = (length: number): boolean => Number.isFinite(length) && length > 0;

const startLimit = (setting: Setting, context: UnitContext): Translation =>
  orLost(spanOf(textOf(setting)), 'it is no time span', (length) => {
    const limit = durationText(isLimit(length) ? length : Number.POSITIVE_INFINITY);
    if (isNotifying(context)) return { keys: { 'deployment.health_check.total_timeout': limit } };
    if (!isLimit(length)) return {};
    return context.value('Type') === 'oneshot' && context.timer !== undefined
      ? { keys: { 'cron.timeout': limit } }
      : { lost: NO_LIMIT };
  });

/** Returns the time limit of a start with `notify`, or of a scheduled run. */
const startLimitWritten = ({ spec: { deployment, cron } }: UnitExport): Translation => {
  const check = deployment.healthCheck;
  const limit = check?.probe.tag === 'notify' && check.totalTimeout > 0 ? check.totalTimeout : cron?.timeout;
  return written('Service.TimeoutStartSec', limit && spanText(limit));
};

const watchdog = (setting: Setting, context: UnitContext): Translation =>
  orLost(spanOf(textOf(setting)), 'it is no time span', (length) => {
    if (length === 0 || !Number.isFinite(length)) return {};
    if (!isNotifying(context)) return { lost: 'a watchdog needs Type=notify, a program that sends READY=1' };
    return {
      keys: { 'deployment.health_check.liveness.watchdog': durationText(length) },
      changed: 'a program that sends no WATCHDOG=1 gets stop_signal, not SIGABRT',
    };
  });

const watchdogWritten = ({ spec: { deployment } }: UnitExport): Translation => {
  const liveness = deployment.healthCheck?.liveness;
  if (liveness === undefined) return {};
  if (liveness.probe.tag !== 'watchdog') return { lost: 'systemd asks no service whether it is alive' };
  return {
    keys: { 'Service.WatchdogSec': spanText(liveness.probe.watchdog) },
    changed: 'a program that sends no WATCHDOG=1 gets SIGABRT, not stop_signal',
  };
};

const runLimit = (setting: Setting, context: UnitContext): Translation =>
  orLost(spanOf(textOf(setting)), 'it is no time span', (length) => {
    if (length === 0 || !Number.isFinite(length)) return {};
    return context.timer === undefined
      ? { lost: 'nothing ends a service after a time; a service with cron has cron.timeout' }
      : { keys: { 'cron.timeout': durationText(length) } };
  });

const execCondition = (setting: Setting, context: UnitContext): Translation => {
  if (context.values('Condition').length > 0) return {};
  const commands = linesOf(setting).flatMap((line) => commandsIn(line, context.unit.name));
  const line = commandLine(commands);
  const [, own] = /^! \(([\s\S]*)\n\)$/.exec(line) ?? [];
  const runAs = context.value('User') === undefined || commands.some(({ prefixes }) => /[+!]/.test(prefixes));
  return { keys: { skip: own ?? `! { ${line}; }`, ...(!runAs && { run_as: 'service' }) } };
};

const skipWritten = ({ spec: { skip, privilege, runAs } }: UnitExport): Translation =>
  typeof skip === 'string'
    ? {
        keys: {
          'Service.ExecCondition': `${privilege.user !== undefined && runAs !== 'service' ? '+' : ''}${shellCommand(`! (${skip}\n)`)}`,
        },
      }
    : {};

const conditions = (setting: Setting, context: UnitContext): Translation => {
  const { command, unknown } = conditionCommand(
    setting.value,
    context.values('ExecCondition'),
    context.unit.name,
  );
  const lost =
    unknown.length === 0 ? {} : { lost: `sup does not test ${unknown.join(', ')}; a command in skip can` };
  return command === undefined
    ? lost
    : {
        ...lost,
        keys: { skip: literalText(`! { ${command}; }`) },
        changed: 'services that depend on this one are skipped, too',
      };
};

const assertions = (setting: Setting): Translation => {
  const { command, unknown } = assertionCommand(setting.value);
  const lost =
    unknown.length === 0
      ? {}
      : { lost: `sup does not test ${unknown.join(', ')}; a command in pre_start can` };
  return command === undefined ? lost : { ...lost, keys: { 'deployment.pre_start': literalText(command) } };
};

export const START_ROWS: readonly UnitRow[] = [
  {
    theirs: 'Type',
    ours: ['deployment.health_check'],
    note: '`notify` corresponds to `health_check: { notify: true }`. `simple`, `exec` and `oneshot` need no key; `forking` and `dbus` are lost. Only the health checks `notify` and `watchdog` can be exported.',
    read: typeRead,
    absent: ({ value }) =>
      value('BusName') === undefined ? {} : (TYPES['dbus']?.({ value } as UnitContext) ?? {}),
    write: typeWritten,
  },
  unneededRow('RemainAfterExit', 'A one-shot that has ended successfully stays `done`.'),
  {
    theirs: 'NotifyAccess',
    ours: [],
    note: 'Any process of the service may notify, as with `all`.',
    read: (setting, context) =>
      textOf(setting) === 'all' || !isNotifying(context)
        ? {}
        : { changed: 'any process of the service may notify' },
  },
  {
    theirs: 'TimeoutStartSec',
    ours: ['deployment.health_check.total_timeout', 'deployment.health_check.timeout', 'cron.timeout'],
    note: 'With `Type=notify` this is the total timeout of the health check; in both programs the default is 90 s. For a scheduled oneshot this is `cron.timeout`.',
    read: startLimit,
    write: startLimitWritten,
  },
  {
    theirs: 'WatchdogSec',
    ours: ['deployment.health_check.liveness'],
    note: '`liveness: { watchdog: 30s }`, with `Type=notify`.',
    read: watchdog,
    write: watchdogWritten,
  },
  {
    theirs: 'RuntimeMaxSec',
    ours: ['cron.timeout'],
    note: 'Is used for a scheduled service. For other services the setting is lost.',
    read: runLimit,
  },
  {
    theirs: 'ExecCondition',
    ours: ['skip'],
    note: 'The service is skipped if the command fails. `skip: true` is exported as a service that the target does not start.',
    read: execCondition,
    write: skipWritten,
  },
  {
    theirs: 'Condition',
    also: ['Condition…'],
    ours: ['skip'],
    note: 'All conditions become one command. It tests paths, directories, files, users, groups, variables, hosts, kernel parameters, virtualization and architecture. Other conditions are lost.',
    read: conditions,
  },
  {
    theirs: 'Assert',
    also: ['Assert…'],
    ours: ['deployment.pre_start'],
    note: 'As with conditions, but if an assertion is false the start fails.',
    read: assertions,
  },
  lostRow('PIDFile', 'sup knows the process that it has started, and reads no file', () => false),
  unneededRow('GuessMainPID BusName', 'Belongs to `Type=forking` or `dbus`.'),
  lostRow('ExitType', 'the service has ended when its main process has ended', (value) => value === 'main'),
  lostRow(
    'TimeoutStartFailureMode TimeoutStopFailureMode',
    'what is not done in time is stopped, and then killed',
    (value) => value === 'terminate',
  ),
  lostRow('RuntimeRandomizedExtraSec TimeoutCleanSec', 'there is no such time'),
  unneededRow('PermissionsStartOnly', 'This setting is old: the prefix `+` replaces it.'),
  lostRow(
    'RootDirectoryStartOnly NonBlocking FileDescriptorStoreMax USBFunctionDescriptors USBFunctionStrings',
    'sup has no such feature for descriptors and roots',
    isNo,
  ),
  {
    theirs: 'NAME@.service',
    ours: ['replicas'],
    note: 'A template whose instances are `1`, `2` and so on. Other instances are services of their own, such as `web-blue`.',
    read: () => ({}),
    write: () => ({}),
  },
  unneededRow('Sockets', 'The held sockets come from the socket units.'),
];
