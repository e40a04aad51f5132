// The table that translates the keys of `[program:x]` and `[fcgi-program:x]` of supervisord to keys of `sup`.
import { manifestValue } from './percent-format.ts';
import {
  captured,
  commandOf,
  directoryOf,
  exitCodesOf,
  ifEnabled,
  isSunk,
  listenAddress,
  logPathOf,
  orderOf,
  type ProgramContext,
  restartsOf,
  rotationOf,
  text,
  valueOf,
  variablesOf,
} from './program-keys.ts';
import { maskText, signalIn, sizeIn, truth, wholeNumber } from './supervisord-values.ts';
import { lost, unneeded, type KeyRow } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';

type Row = KeyRow<ProgramContext, never>;

export const PROGRAM_ROWS: readonly Row[] = [
  {
    theirs: 'command',
    ours: ['exec', 'command'],
    note: 'The line becomes `exec`. If the line contains variables of the environment, it becomes a `command` for the shell: `%(ENV_PORT)s` becomes `${PORT}`.',
    read: text(commandOf),
  },
  {
    theirs: 'process_name',
    ours: [],
    note: 'Becomes the name of the service.',
    read: unneeded,
  },
  {
    theirs: 'numprocs',
    ours: ['replicas'],
    note: 'Becomes `replicas` if the instances differ only in their names, or if they count from 1. Otherwise each process becomes a service.',
    read: (_, { program: { replicas } }) =>
      replicas === undefined
        ? {}
        : {
            keys: { replicas },
            changed: 'the instances have the names of their service with @1, @2 and so on',
          },
  },
  { theirs: 'numprocs_start', ours: [], note: 'See `numprocs`.', read: unneeded },
  {
    theirs: 'priority',
    ours: ['depends_on'],
    note: 'A program starts when the programs with the next lower priority are ready or have failed, and stops before those programs. supervisord itself starts the programs of a `[group]` in the order of `programs`.',
    read: (_, context) => orderOf(context),
    absent: orderOf,
  },
  {
    theirs: 'autostart',
    ours: ['skip'],
    note: '`false` becomes `skip: true`; `sup start x` still starts the service.',
    read: text((value) => (truth(value) ? {} : { keys: { skip: true } })),
  },
  {
    theirs: 'autorestart',
    ours: ['restart_policy'],
    note: '`always`, `on-failure` (the default of both) or `never`. With `never` a program that ends at once is not tried again.',
    read: text((value) => {
      if (value.toLowerCase() === 'unexpected') return {};
      return { keys: { restart_policy: truth(value) ? 'always' : 'never' } };
    }),
  },
  {
    theirs: 'exitcodes',
    ours: ['success_exit_codes'],
    note: 'In `sup` the exit status 0 is always a success, and the list adds others.',
    read: text(exitCodesOf),
  },
  {
    theirs: 'startsecs',
    ours: [],
    note: 'Use `timeouts/startup_stability_ms` of the [settings](settings.md), which is for all services, or a [health check](manifest.md#health_check).',
    read: text((value) =>
      wholeNumber(value) <= 1
        ? {}
        : {
            changed: `a program counts as started after timeouts/startup_stability_ms of the settings, not ${value} s; deployment.health_check tells it better`,
          },
    ),
  },
  {
    theirs: 'startretries',
    ours: ['max_restarts'],
    note: 'The default is 3. `sup` also counts restarts after a successful start. The count begins again when the service has been ready for 60 s.',
    read: text((value, context) => restartsOf(wholeNumber(value), context)),
    absent: (context) => restartsOf(3, context),
  },
  {
    theirs: 'stopsignal',
    ours: ['stop_signal'],
    read: text((value) => ({ keys: { stop_signal: signalIn(value) } })),
  },
  {
    theirs: 'stopwaitsecs',
    ours: ['stop_timeout'],
    note: 'In both programs the default is 10 s.',
    read: text((value) => ({
      keys: { stop_timeout: wholeNumber(value) > 0 ? `${wholeNumber(value)}s` : '1ms' },
    })),
  },
  {
    theirs: 'stopasgroup',
    also: ['killasgroup'],
    ours: [],
    note: '`sup` always stops the whole process tree, including processes that left the group.',
    read: text((value) => (truth(value) ? {} : { changed: 'sup always stops all processes of the program' })),
  },
  {
    theirs: 'user',
    ours: ['user', 'env.inherit_env'],
    note: 'Needs `sup start --sys`. The key `user` also sets `HOME`, `USER`, `LOGNAME` and `SHELL`. `inherit_env: true` passes all other variables on, as supervisord does.',
    read: text((value) => ({
      keys: { user: literalText(value), 'env.inherit_env': true },
    })),
  },
  {
    theirs: 'umask',
    ours: ['umask'],
    read: text((value) => ({ keys: { umask: maskText(value) } })),
  },
  {
    theirs: 'directory',
    ours: ['working_dir'],
    note: 'The default is the directory of the manifest.',
    read: text(directoryOf),
  },
  {
    theirs: 'environment',
    ours: ['env.vars'],
    note: 'The variables `SUPERVISOR_*` are not set; `SUP_SERVICE` and `SUP_PROJECT` are.',
    read: text(variablesOf),
  },
  {
    theirs: 'minfds',
    ours: ['limits.nofile'],
    note: 'From the section `[supervisord]`, for each program. Values up to the default of 1024 are left out.',
    read: text((value) =>
      wholeNumber(value) <= 1024 ? {} : { keys: { 'limits.nofile': wholeNumber(value) } },
    ),
  },
  {
    theirs: 'redirect_stderr',
    ours: [],
    note: 'Both streams are in one log, and each line names its stream.',
    read: unneeded,
  },
  {
    theirs: 'stdout_logfile',
    also: ['stderr_logfile'],
    ours: ['logs.sink'],
    note: '`sup logs` shows the output, and `sup logs --path` shows the path of its file. `NONE` for both outputs becomes `sink: none`.',
    read: text(logPathOf),
  },
  {
    theirs: 'stdout_logfile_maxbytes',
    ours: ['logs.max_bytes'],
    note: 'The default is 50 MB.',
    read: text((value, context) => (isSunk(context) ? {} : { keys: { 'logs.max_bytes': sizeIn(value) } })),
  },
  {
    theirs: 'stdout_logfile_backups',
    ours: ['logs.max_files'],
    note: 'The default is 10.',
    read: text((value, context) => {
      const isRotated = sizeIn(valueOf(context, 'stdout_logfile_maxbytes') ?? '50MB') !== 0;
      return isSunk(context) || !isRotated ? {} : { keys: { 'logs.max_files': wholeNumber(value) } };
    }),
  },
  { theirs: 'stderr_logfile_maxbytes', ours: [], read: text(rotationOf('logfile_maxbytes', '50MB')) },
  { theirs: 'stderr_logfile_backups', ours: [], read: text(rotationOf('logfile_backups', '10')) },
  { theirs: 'stdout_capture_maxbytes', also: ['stderr_capture_maxbytes'], ours: [], read: captured },
  {
    theirs: 'stdout_events_enabled',
    also: ['stderr_events_enabled'],
    ours: [],
    note: '`sup logs -f --json` follows the output.',
    read: ifEnabled('there are no events for lines of output; sup logs -f --json follows them'),
  },
  {
    theirs: 'stdout_syslog',
    also: ['stderr_syslog'],
    ours: [],
    read: ifEnabled('sup writes nothing to syslog; sup logs shows the output'),
  },
  {
    theirs: 'serverurl',
    ours: [],
    read: text((value) =>
      value.trim().toUpperCase() === 'AUTO'
        ? {}
        : { lost: 'there is no XML-RPC server that the program could call; it can run the command sup' },
    ),
  },
  {
    theirs: 'socket',
    ours: ['sockets'],
    note: 'A key of `[fcgi-program:x]`. The import writes a line of `sh` that passes the socket on as standard input.',
    read: text((value, context) => {
      const listen = listenAddress(value);
      if (context.program.instance > 0) return { lost: 'several services cannot hold one socket' };
      if (listen === undefined) return { lost: `sup listens at addresses, not at the name in ${value}` };
      const length = valueOf(context, 'socket_backlog');
      const backlog = length === undefined ? {} : { backlog: wholeNumber(length) };
      return { keys: { sockets: [{ name: 'fcgi', listen: manifestValue(listen), ...backlog }] } };
    }),
  },
  {
    theirs: 'socket_owner',
    also: ['socket_mode'],
    ours: [],
    read: lost('sup sets no owner and no mode for a socket'),
  },
  {
    theirs: 'socket_backlog',
    ours: ['sockets'],
    note: 'Becomes the `backlog` of the socket.',
    read: unneeded,
  },
];
