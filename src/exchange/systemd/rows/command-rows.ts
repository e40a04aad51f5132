// Table rows that translate systemd's settings with command lines to keys of `sup`, and back.
import { linesOf, written, type UnitContext, type UnitExport, type UnitRow } from '../unit-context.ts';
import {
  commandLine,
  commandsIn,
  fixedArguments,
  mainLine,
  shellLine,
  signalToMain,
  type UnitCommand,
  executable,
  shellCommand,
} from '../unit-commands.ts';
import { remarks, type Plain, type Setting, type Translation } from '../../key-table.ts';
import { literalText } from '../../manifest-text.ts';

const commandsOf = (setting: Setting, { unit }: UnitContext): readonly UnitCommand[] =>
  linesOf(setting).flatMap((line) => commandsIn(line, unit.name));

const hasPrefix = (commands: readonly UnitCommand[], prefix: string): boolean =>
  commands.some(({ prefixes }) => prefixes.includes(prefix));

/** Returns a message for each prefix of the main program that `sup` cannot translate. */
const lostPrefixes = (commands: readonly UnitCommand[]): readonly string[] =>
  [
    hasPrefix(commands, '@') && '`@`: the program gets its own path as its name (argv[0])',
    hasPrefix(commands, '+') && '`+`: user and isolation apply to the program as to any other',
    hasPrefix(commands, '!') && '`!`: the program runs as `user` from its beginning',
  ].filter((each) => each !== false);

const SPLITS = 'a quoted part of a variable that is split into words is split, too';

/** Returns the command if it is the only command and its failure is not ignored. */
const singleIn = (commands: readonly UnitCommand[]): UnitCommand | undefined =>
  commands.length === 1 && !hasPrefix(commands, '-') ? commands[0] : undefined;

const IGNORES = 'a shell ignores the failure of the program, and also that of a signal';

const programLine = (commands: readonly UnitCommand[]): Translation => {
  const line = mainLine(commands);
  const changes = [hasPrefix(commands, '-') && IGNORES, line.startsWith('set -f') && SPLITS].filter(
    (each) => each !== false,
  );
  return written('command', line, remarks(changes));
};

const mainProgram = (setting: Setting, context: UnitContext): Translation => {
  const commands = commandsOf(setting, context);
  if (commands.length === 0) return { keys: { command: 'false', skip: true }, lost: 'there is no command' };
  const lost = remarks([], lostPrefixes(commands));
  const single = singleIn(commands);
  const [shell, fixed] = [single && shellLine(single), single && fixedArguments(single)];
  if (shell !== undefined) return written('command', literalText(shell), lost);
  if (fixed !== undefined) return written('exec', fixed, lost);
  return { ...programLine(commands), ...lost };
};

/**
 * Returns `run_as` for the commands other than the main program. Without `run_as` they run as the user of the
 * supervisor.
 */
const runAs = (commands: readonly UnitCommand[], { value }: UnitContext): Translation['keys'] =>
  value('User') === undefined || hasPrefix(commands, '+') || hasPrefix(commands, '!')
    ? {}
    : { run_as: 'service' };

const beside =
  (key: string, changed?: string) =>
  (setting: Setting, context: UnitContext): Translation => {
    const commands = commandsOf(setting, context);
    if (commands.length === 0) return { lost: 'there is no command' };
    return {
      keys: { [key]: commandLine(commands), ...runAs(commands, context) },
      ...(changed !== undefined && { changed }),
    };
  };

const preStart = (setting: Setting, context: UnitContext): Translation => {
  const { keys = {} } = beside('deployment.pre_start')(setting, context);
  const asserts = context.values('Assert').length > 0;
  return asserts ? { keys, lost: 'the assertions of the unit take the place of these commands' } : { keys };
};

const reload = (setting: Setting, context: UnitContext): Translation => {
  const signal = signalToMain(commandsOf(setting, context));
  return signal === undefined ? beside('reload')(setting, context) : { keys: { 'reload.signal': signal } };
};

const stopCommand = (setting: Setting, context: UnitContext): Translation => {
  const translation = beside('stop_command')(setting, context);
  const remains = context.value('RemainAfterExit') !== undefined && context.value('Type') === 'oneshot';
  return remains
    ? {
        ...translation,
        lost: 'stop_command does not run if the program has ended by itself; the unit would run it',
      }
    : translation;
};

const afterStop = (setting: Setting, context: UnitContext): Translation => {
  const command = commandLine(commandsOf(setting, context));
  return {
    keys: { 'hooks.on_stop.success.command': command, 'hooks.on_stop.error.command': command },
    changed: 'nothing waits for the command, and it runs as the supervisor',
  };
};

/**
 * Returns a command of the manifest as a command of a unit. A command with the prefix `+` does not run as the
 * user of the service.
 */
const besideText = (
  { spec: { privilege, runAs: user } }: UnitExport,
  command: string | undefined,
): Plain | undefined =>
  command === undefined
    ? undefined
    : `${privilege.user !== undefined && user !== 'service' ? '+' : ''}${shellCommand(command)}`;

/** Returns the command with systemd's `$MAINPID` in place of `$SUP_PID`. */
const withMainPid = (command: string | undefined): string | undefined =>
  command?.replaceAll(/\$(?:SUP_PID|\{SUP_PID\})/g, '$MAINPID');

const stopHooks = ({ spec: { hooks } }: UnitExport): Plain | undefined => {
  const [success, error] = [hooks['on_stop.success']?.command, hooks['on_stop.error']?.command];
  if (success === undefined && error === undefined) return undefined;
  if (success !== undefined && success === error) return shellCommand(success);
  const [then, otherwise] = [success, error].map((command) => command ?? ':');
  return shellCommand(`if [ "$SERVICE_RESULT" = success ]; then\n${then}\nelse\n${otherwise}\nfi`);
};

const isLostHook = (name: string): boolean => name === 'onerr' || /^on_(?:start|restart)/.test(name);

const hooksWritten = (context: UnitExport): Translation => {
  const { hooks } = context.spec;
  const lost = Object.keys(hooks).filter(isLostHook);
  const [start, stop] = [hooks.onstart?.command, stopHooks(context)];
  return {
    keys: {
      ...(start !== undefined && { 'Service.ExecStartPost': `-${shellCommand(start)}` }),
      ...(stop !== undefined && { 'Service.ExecStopPost': stop }),
    },
    ...(lost.length > 0 && {
      lost: `${lost.join(', ')}: a unit has no command for that; OnFailure= names a unit to start`,
    }),
    ...(start !== undefined && { changed: 'units that depend on this one wait for onstart' }),
  };
};

const reloadText = (context: UnitExport): Plain | undefined => {
  const { reload: how } = context.spec;
  if (how?.tag === 'signal') return `/bin/kill -s ${how.signal.replace(/^SIG/, '')} $MAINPID`;
  return besideText(context, withMainPid(how?.command));
};

export const COMMAND_ROWS: readonly UnitRow[] = [
  {
    theirs: 'ExecStart',
    ours: ['exec', 'command'],
    note:
      '`exec` if no argument has a variable, otherwise `command` with the words quoted for the shell. ' +
      'The prefixes `@`, `+` and `!` are lost; `-` becomes `|| true`.',
    read: mainProgram,
    absent: () => ({
      keys: { exec: ['/bin/true'] },
      changed: 'the unit runs no program, so /bin/true takes its place',
    }),
    write: ({ spec }) => ({
      keys: {
        'Service.ExecStart':
          spec.launch.tag === 'shell'
            ? shellCommand(spec.launch.command)
            : executable(spec.launch.argv, spec),
      },
    }),
  },
  {
    theirs: 'ExecStartPre',
    ours: ['deployment.pre_start'],
    note: 'One line for the shell. It runs as the supervisor unless `run_as` is `service`.',
    read: preStart,
    write: (context) =>
      written('Service.ExecStartPre', besideText(context, context.spec.deployment.preStart)),
  },
  {
    theirs: 'ExecStartPost',
    ours: ['hooks'],
    note: 'Nothing waits for `hooks.onstart`, and its failure changes nothing.',
    read: (setting, context) => ({
      keys: { 'hooks.onstart.command': commandLine(commandsOf(setting, context)) },
      changed: 'nothing waits for the command, its failure changes nothing, and it runs as the supervisor',
    }),
    write: hooksWritten,
  },
  {
    theirs: 'ExecReload',
    ours: ['reload'],
    note: '`kill -HUP $MAINPID` becomes `{ signal: HUP }`; elsewhere `$MAINPID` becomes `$SUP_PID`.',
    read: reload,
    write: (context) => written('Service.ExecReload', reloadText(context)),
  },
  {
    theirs: 'ExecStop',
    ours: ['stop_command'],
    note: '`$MAINPID` becomes `$SUP_PID`. `stop_signal` follows, and SIGKILL after `stop_timeout`.',
    read: stopCommand,
    write: (context) =>
      written('Service.ExecStop', besideText(context, withMainPid(context.spec.stopCommand))),
  },
  {
    theirs: 'ExecStopPost',
    ours: ['hooks.on_stop'],
    note: 'The same hook for `success` and for `error`. Nothing waits for it.',
    read: afterStop,
  },
];
