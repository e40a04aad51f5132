// Table rows that translate systemd's settings about variables, directory, account and output to keys of
// `sup`, and back.
import { isAbsolute } from 'node:path';
import { parseEnvFile } from '../../../streams/env/parse-env-file.ts';
import {
  linesOf,
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
import { isNo } from '../unit-values.ts';
import { plainWords, unitWord } from '../unit-words.ts';
import type { Setting, Translation } from '../../key-table.ts';
import { literalText, isVariableName } from '../../manifest-text.ts';

/** Returns the variables in the lines of `Environment=`, escaped for a manifest. */
const variablesIn = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.flatMap(plainWords).flatMap((word) => {
      const at = word.indexOf('=');
      // `sup` sets this variable itself.
      if (word === 'SUP_INSTANCE={instance}') return [];
      return at > 0 && isVariableName(word.slice(0, at))
        ? [[word.slice(0, at), literalText(word.slice(at + 1))]]
        : [];
    }),
  );

const environment = (setting: Setting): Translation => {
  const vars = variablesIn(linesOf(setting));
  const bad = wordsIn(setting).filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  return {
    ...(Object.keys(vars).length > 0 && { keys: { 'env.vars': vars } }),
    ...(bad.length > 0 && { lost: `${bad.join(' ')}: no variable with a value; systemd ignores it, too` }),
  };
};

const cannotRead = (path: string, reason: string): Translation => ({
  lost: `${path} ${reason}; write env.file: ${path} when it can be read`,
});

/**
 * Translates an env file that exists. Adds a remark if the file and the unit set the same variable: `sup`
 * uses the value in `env.vars`, but systemd uses the value in the file.
 */
const presentFile = (path: string, text: string, { values }: UnitContext): Translation => {
  const parsed = parseEnvFile(text);
  if (parsed.faults.length > 0) return cannotRead(path, 'has lines that sup does not understand');
  const overridden = Object.keys(variablesIn(values('Environment'))).filter((name) =>
    Object.hasOwn(parsed.vars, name),
  );
  return {
    keys: { 'env.file': path },
    ...(overridden.length > 0 && {
      changed: `env.vars overrides the file: remove ${overridden.join(', ')} there`,
    }),
  };
};

const environmentFile = (setting: Setting, context: UnitContext): Translation => {
  const [first = '', ...others] = linesOf(setting).map((line) => line.replace(/^-/, ''));
  if (others.length > 0) return { lost: `env.file is one file: join ${[first, ...others].join(', ')}` };
  if (/[*?[\]]/.test(first)) return { lost: `env.file is one file, not all that match ${first}` };
  if (!isAbsolute(first)) return { lost: 'the path is not absolute; systemd ignores it, too' };
  try {
    const file = context.deps.readIfPresent(first);
    return file === undefined
      ? cannotRead(first, 'does not exist here')
      : presentFile(first, file.text, context);
  } catch {
    return cannotRead(first, 'cannot be read here');
  }
};

const assignments = (vars: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(vars).map(([name, value]) => unitWord(`${name}=${value}`));

const environmentWritten = ({ spec: { env }, declares, exported }: UnitExport): Translation => {
  const lines = assignments(env.vars);
  const instance = exported.replicas === undefined ? [] : ['SUP_INSTANCE=%i'];
  const all = [
    ...lines.map((line) => (exported.replicas === undefined ? line : line.replaceAll('{instance}', '%i'))),
    ...instance,
  ];
  return {
    ...(all.length > 0 && { keys: { 'Service.Environment': all } }),
    ...(declares('env.file') && {
      changed: 'the unit has the variables of the file itself, where every user can read them',
    }),
  };
};

const directory = (setting: Setting, { value }: UnitContext): Translation => {
  const path = textOf(setting).replace(/^-/, '');
  if (path !== '~') return { keys: { working_dir: path } };
  const user = value('User') ?? 'root';
  return user === 'root'
    ? { keys: { working_dir: '/root' } }
    : { lost: `write the home directory of ${user} into working_dir` };
};

const account =
  (key: string) =>
  (setting: Setting): Translation =>
    orLost(textOf(setting) || undefined, 'there is no name', (name) => ({ keys: { [key]: name } }));

const OUTPUTS = /^(?:journal|inherit|kmsg|syslog|journal\+console|syslog\+console|kmsg\+console)$/;

const output = (setting: Setting): Translation => {
  const target = textOf(setting);
  if (target === 'null') return { keys: { 'logs.sink': 'none' } };
  if (OUTPUTS.test(target)) return {};
  const [, path] = /^(?:file|append|truncate):(.*)$/.exec(target) ?? [];
  return {
    lost:
      path === undefined
        ? `the output goes to the log of sup, not to ${target}`
        : `the output goes to the log of sup (sup logs), not to ${path}`,
  };
};

const logsWritten = ({ spec: { logs }, declares }: UnitExport): Translation => ({
  ...(logs.sink === 'none' && {
    keys: { 'Service.StandardOutput': 'null', 'Service.StandardError': 'null' },
  }),
  ...(['max_bytes', 'max_files', 'max_age', 'compress'].some((key) => declares(`logs.${key}`)) && {
    changed: 'the journal keeps the output; SystemMaxUse= and MaxRetentionSec= of journald.conf limit it',
  }),
});

const scopeWritten = ({ declares }: UnitExport): Translation =>
  ['inherit_env', 'clear_session_vars', 'strip'].some((key) => declares(`env.${key}`))
    ? { changed: 'a unit inherits no variables of a session; PassEnvironment= names some of the manager' }
    : {};

export const ENVIRONMENT_ROWS: readonly UnitRow[] = [
  {
    theirs: 'Environment',
    ours: ['env.vars', 'env.file'],
    note: 'A unit starts from an almost empty environment, so each imported service has `env.clean: true`.',
    read: environment,
    write: environmentWritten,
  },
  {
    theirs: 'EnvironmentFile',
    ours: ['env.file'],
    note: 'One file that exists on this machine. In `sup`, `env.vars` overrides the file; in systemd the file overrides `Environment=`.',
    read: environmentFile,
  },
  {
    theirs: 'PassEnvironment',
    ours: ['env.clean', 'env.inherit_env', 'env.clear_session_vars', 'env.strip'],
    note: 'Becomes `${NAME:-}` in `env.vars`. Without this setting `env.clean` is true.',
    read: (setting) => ({
      keys: {
        'env.clean': true,
        'env.vars': Object.fromEntries(wordsIn(setting).map((name) => [name, `\${${name}:-}`])),
      },
      changed: 'a variable that the supervisor does not have is empty, not missing',
    }),
    absent: () => ({ keys: { 'env.clean': true } }),
    write: scopeWritten,
  },
  lostRow(
    'UnsetEnvironment',
    'with env.clean only what env.vars and env.file say is set: remove the variables there',
  ),
  {
    theirs: 'WorkingDirectory',
    ours: ['working_dir'],
    note: 'The default is `/`.',
    read: directory,
    absent: () => ({ keys: { working_dir: '/' } }),
    write: ({ spec: { workingDir } }) => ({
      keys: { 'Service.WorkingDirectory': workingDir.replaceAll('%', '%%').replaceAll('{instance}', '%i') },
    }),
  },
  {
    theirs: 'User',
    ours: ['user'],
    note: 'Has an effect only with `--sys`.',
    read: account('user'),
    write: ({ spec: { privilege } }) => written('Service.User', privilege.user),
  },
  {
    theirs: 'Group',
    ours: ['group'],
    note: 'Has an effect only with `--sys`.',
    read: account('group'),
    write: ({ spec: { privilege } }) => written('Service.Group', privilege.group),
  },
  {
    theirs: 'SupplementaryGroups',
    ours: ['supplementary_groups'],
    note: 'Has an effect only with `--sys`.',
    read: (setting) => ({ keys: { supplementary_groups: wordsIn(setting) } }),
    write: ({ spec: { privilege } }) =>
      privilege.supplementaryGroups.length === 0
        ? {}
        : { keys: { 'Service.SupplementaryGroups': privilege.supplementaryGroups.join(' ') } },
  },
  {
    theirs: 'UMask',
    ours: ['umask'],
    note: 'The default is `"0022"`.',
    read: (setting) => {
      const mask = textOf(setting).padStart(4, '0');
      return /^00[0-7]{2}$/.test(mask)
        ? { keys: { umask: mask } }
        : { lost: 'a umask takes no rights from the owner of a file' };
    },
    absent: () => ({ keys: { umask: '0022' } }),
    write: ({ spec: { umask } }) => written('Service.UMask', umask),
  },
  {
    theirs: 'run_as',
    ours: ['run_as'],
    note: 'Commands such as `ExecStartPre=` run as `User=`; with the prefix `+` they run as root.',
    write: () => ({}),
  },
  {
    theirs: 'StandardOutput',
    also: ['StandardError'],
    ours: ['logs'],
    note: '`null` corresponds to `sink: none`. Other output goes to the log of `sup`. With systemd it goes to the journal.',
    read: output,
    write: logsWritten,
  },
  lostRow('StandardInput', 'the standard input of a service is empty', (value) => value === 'null'),
  lostRow('StandardInputText StandardInputData', 'the standard input of a service is empty'),
  lostRow(
    'TTYPath TTYReset TTYVHangup TTYVTDisallocate TTYRows TTYColumns',
    'a service has no terminal',
    isNo,
  ),
  unneededRow(
    'SyslogIdentifier SyslogFacility SyslogLevel SyslogLevelPrefix',
    'Lines of the log have the name of the service.',
  ),
  lostRow(
    'LogLevelMax LogRateLimitIntervalSec LogRateLimitBurst LogExtraFields LogNamespace',
    'the log takes all lines; logs.max_bytes and logs.max_files limit it',
  ),
  lostRow('DynamicUser', 'make an account for the service, and name it in user', isNo),
  lostRow('PAMName UtmpIdentifier UtmpMode', 'sup opens no session for a service'),
  lostRow('ExecSearchPath', 'write the absolute path of the program, or PATH into env.vars'),
  lostRow('RemoveIPC', 'objects of System V and POSIX IPC stay', isNo),
  lostRow('IgnoreSIGPIPE', 'the program gets SIGPIPE as any other', isNo),
];
