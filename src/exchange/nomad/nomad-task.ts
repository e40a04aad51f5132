// Table rows for the export to Nomad: the task, with its program, its environment, its resources and how it
// is stopped.
import type { Plain, Translation } from '../key-table.ts';
import { megabytes, nanoseconds, type NomadContext, type NomadRow } from './nomad-context.ts';

const program = ({ spec: { launch }, driver, image = '' }: NomadContext): Translation => {
  const [command = '', ...args] = launch.tag === 'shell' ? ['sh', '-c', launch.command] : launch.argv;
  return { keys: { 'task.Config': { ...(driver === 'docker' && { image }), command, args } } };
};

/**
 * Returns the working directory. Without `working_dir` a container runs in the directory of its image, but a
 * program on the machine needs a directory.
 */
const workingDir = ({ spec, driver, has }: NomadContext): Translation =>
  driver === 'raw_exec' || has('working_dir')
    ? { keys: { 'task.Config': { work_dir: spec.workingDir } } }
    : {};

const variables = ({ spec: { env } }: NomadContext): Translation =>
  Object.keys(env.vars).length === 0 ? {} : { keys: { 'task.Env': env.vars } };

const quoted = (text: string): string => JSON.stringify(text);

const secrets = ({ spec: { env } }: NomadContext): Translation => {
  const files = Object.entries(env.secrets ?? {});
  if (files.length === 0) return {};
  const lines = files.map(([name, path]) => `${name}={{ file ${quoted(path)} | trimSpace | toJSON }}`);
  return {
    keys: {
      'task.Templates': [
        {
          EmbeddedTmpl: `${lines.join('\n')}\n`,
          DestPath: 'secrets/secrets.env',
          Envvars: true,
          Perms: '0600',
        },
      ],
    },
    changed: 'the client reads the files only with disable_file_sandbox = true in its template block',
  };
};

const inherited = ({ driver, has }: NomadContext): Translation =>
  driver === 'raw_exec' && (has('env.clean') || has('env.strip') || has('env.clear_session_vars'))
    ? {
        lost: 'raw_exec passes on the variables of the client; env.denylist of its configuration names exceptions',
      }
    : {};

const preStart = (context: NomadContext): Translation => {
  const { spec, driver, image = '' } = context;
  const { preStart: line } = spec.deployment;
  if (line === undefined) return {};
  const config: Readonly<Record<string, Plain>> = {
    ...(driver === 'docker' && { image }),
    command: 'sh',
    args: ['-c', line],
    ...(workingDir(context).keys?.['task.Config'] as Readonly<Record<string, Plain>> | undefined),
  };
  const task = {
    Name: 'pre-start',
    Driver: driver,
    Lifecycle: { Hook: 'prestart', Sidecar: false },
    Config: config,
    ...(Object.keys(spec.env.vars).length > 0 && { Env: spec.env.vars }),
  };
  return { keys: { 'group.Tasks': [task] } };
};

const account = ({ spec: { privilege } }: NomadContext): Translation =>
  privilege.user === undefined ? {} : { keys: { 'task.User': privilege.user } };

const capabilities = ({ spec: { privilege }, driver }: NomadContext): Translation => {
  if (privilege.capabilities === undefined) return {};
  if (driver === 'raw_exec')
    return { lost: 'raw_exec does not restrict a program: name an image with --image' };
  const added = privilege.capabilities.map((each) => each.replace(/^CAP_/, '').toLowerCase());
  return {
    keys: { 'task.Config': { cap_drop: ['all'], ...(added.length > 0 && { cap_add: added }) } },
  };
};

const memoryMax = ({ spec: { privilege } }: NomadContext): number | undefined => {
  const bytes = privilege.limits?.cgroup?.memoryMax;
  return typeof bytes === 'number' ? bytes : undefined;
};

const hardMemory = (context: NomadContext): Translation => {
  const bytes = memoryMax(context);
  return bytes === undefined ? {} : { keys: { 'task.Resources': { MemoryMB: megabytes(bytes) } } };
};

const watchedMemory = (context: NomadContext): Translation => {
  const { maxMemory } = context.spec;
  if (maxMemory === undefined) return {};
  if (memoryMax(context) !== undefined)
    return { lost: 'only limits.cgroup.memory_max is written: a task has one limit of memory' };
  return {
    keys: { 'task.Resources': { MemoryMB: megabytes(maxMemory) } },
    changed: 'the task is killed at this limit at once: max_memory_for has no counterpart',
  };
};

const pids = ({ spec: { privilege }, driver }: NomadContext): Translation => {
  const most = privilege.limits?.cgroup?.pidsMax;
  if (typeof most !== 'number') return {};
  return driver === 'docker'
    ? { keys: { 'task.Config': { pids_limit: most } } }
    : { lost: 'raw_exec does not limit processes: name an image with --image' };
};

const logs = ({ spec }: NomadContext): Translation => {
  const { sink, maxBytes, maxFiles } = spec.logs;
  if (sink === 'none') return { keys: { 'task.LogConfig': { Disabled: true } } };
  const keys = {
    ...(maxFiles !== undefined && { MaxFiles: maxFiles + 1 }),
    ...(maxBytes !== undefined && maxBytes > 0 && { MaxFileSizeMB: megabytes(maxBytes) }),
  };
  return Object.keys(keys).length === 0 ? {} : { keys: { 'task.LogConfig': keys } };
};

export const NOMAD_TASK_ROWS: readonly NomadRow[] = [
  {
    theirs: 'Tasks[].Lifecycle',
    ours: ['deployment.pre_start'],
    note: 'A task with `Hook: prestart`, which must end before the service starts.',
    write: preStart,
  },
  {
    theirs: 'Tasks[].Config.command, args',
    ours: ['command', 'exec'],
    note: 'A `command` runs through `sh -c`.',
    write: program,
  },
  {
    theirs: 'Tasks[].Config.image',
    ours: ['x-image'],
    note: 'The option `--image` names the image too. With an image the driver is `docker`. Without an image the driver is `raw_exec`.',
    write: () => ({}),
  },
  {
    theirs: 'Tasks[].Config.work_dir',
    ours: ['working_dir'],
    note: 'Always written with `raw_exec`, which supports it from Nomad 1.10 on.',
    write: workingDir,
  },
  {
    theirs: 'Tasks[].Env',
    ours: ['env.vars', 'env.file'],
    note: 'The variables of `env.file` are written with their values, too.',
    write: variables,
  },
  {
    theirs: 'Tasks[].Templates',
    ours: ['env.secrets'],
    note: "A template that reads the files on the client's machine. The value is never written.",
    write: secrets,
  },
  {
    theirs: 'none',
    ours: ['env.inherit_env', 'env.clean', 'env.clear_session_vars', 'env.strip'],
    note: 'Lost with `raw_exec`, which passes on the variables of the client; not needed in a container.',
    write: inherited,
  },
  {
    theirs: 'Tasks[].KillSignal',
    ours: ['stop_signal'],
    write: ({ spec: { stopSignal } }) => ({ keys: { 'task.KillSignal': stopSignal } }),
  },
  {
    theirs: 'Tasks[].KillTimeout',
    ours: ['stop_timeout'],
    note: 'At most `max_kill_timeout` of the client, 30 s unless set there.',
    write: ({ spec: { stopTimeout } }) => ({ keys: { 'task.KillTimeout': nanoseconds(stopTimeout) } }),
  },
  { theirs: 'Tasks[].User', ours: ['user'], write: account },
  {
    theirs: 'Tasks[].Config.cap_drop, cap_add',
    ours: ['capabilities'],
    note: 'With `docker`. Lost with `raw_exec`.',
    write: capabilities,
  },
  {
    theirs: 'Tasks[].Resources.MemoryMB',
    ours: ['max_memory', 'max_memory_for'],
    note: 'If there is no `limits.cgroup.memory_max`. Rounded up to MiB.',
    write: watchedMemory,
  },
  { theirs: 'Tasks[].Resources.MemoryMB', ours: ['limits.cgroup.memory_max'], write: hardMemory },
  {
    theirs: 'Tasks[].Config.pids_limit',
    ours: ['limits.cgroup.pids_max'],
    note: 'With `docker`. Lost with `raw_exec`.',
    write: pids,
  },
  {
    theirs: 'Tasks[].LogConfig',
    ours: ['logs.sink', 'logs.max_bytes', 'logs.max_files'],
    note: '`MaxFiles` counts the active file, too. `MaxFileSizeMB` is rounded up.',
    write: logs,
  },
];
