// Table rows that translate the keys of supervisord outside of programs: `[supervisord]`, groups, servers and
// listeners.
import { variablesOf } from './program-keys.ts';
import { truth, valueText } from './supervisord-values.ts';
import { lost, unneeded, type Setting, type Translation, type KeyRow } from '../key-table.ts';

type Row = KeyRow<unknown, never>;

const remarked = (changed: string) => (): Translation => ({ changed });

const ofSupervisor = (keys: readonly string[], note: string): Row => {
  const [theirs = '', ...also] = keys.map((key) => `[supervisord] ${key}`);
  return { theirs, also, ours: [], note, read: unneeded };
};

/**
 * Programs that are known as event listeners, and what a user of `sup` does instead of running each of them.
 */
const LISTENERS = [
  ['memmon', 'write max_memory into the services'],
  ['httpok', 'write deployment.health_check.liveness into the services'],
  ['crashmail', 'write alerts'],
  ['fatalmailbatch', 'write alerts'],
] as const;

const listener = ({ value }: Setting): Translation => {
  const remedy = LISTENERS.find(([name]) => valueText(value).includes(name))?.[1];
  return {
    lost: `sup has no event listeners; ${remedy ?? 'use hooks or alerts, or a service that reads sup events -f --json'}`,
  };
};

const perProgram = (theirs: string, ours: readonly string[]): Row => ({
  theirs: `[supervisord] ${theirs}`,
  ours,
  note: `For each program without \`${theirs}\` of its own.`,
  read: unneeded,
});

export const SECTION_ROWS: readonly Row[] = [
  {
    theirs: '[include] files',
    ours: [],
    note: 'All included files are read, into one manifest. `sup import` also takes several files, or a directory.',
    read: unneeded,
  },
  {
    theirs: '[group] programs',
    ours: [],
    note: 'The group becomes a project with the same name.',
    read: unneeded,
  },
  {
    theirs: '[group] priority',
    ours: [],
    note: 'Projects start together; `depends_on` holds within a project.',
    read: remarked('projects start together; to order them, join them to one project and write depends_on'),
  },
  {
    theirs: '[eventlistener] command',
    also: ['[eventlistener] events', '[eventlistener] buffer_size', '[eventlistener] result_handler'],
    ours: [],
    note: 'Use [`hooks`](hooks.md), [`alerts`](alerts.md), or a service that reads `sup events -f --json`. `max_memory` replaces `memmon` of superlance, and `health_check.liveness` replaces `httpok`.',
    read: listener,
  },
  {
    theirs: '[supervisord] environment',
    ours: ['env.vars'],
    note: 'Becomes `env` at the top level.',
    read: ({ value }) => variablesOf(valueText(value)),
  },
  perProgram('directory', ['working_dir']),
  perProgram('user', ['user']),
  perProgram('umask', ['umask']),
  {
    theirs: '[supervisord] minfds',
    ours: ['limits.nofile'],
    note: 'Applies to each program, if the value is more than the default of 1024. `sup` sets the limit; supervisord only raises the limit.',
    read: ({ value }) =>
      Number(value) > 1024
        ? { changed: `each service gets this limit, and a higher one is lowered to ${valueText(value)}` }
        : {},
  },
  ofSupervisor(
    ['minprocs'],
    'This is a minimum that supervisord itself needs. `limits.nproc` limits a service.',
  ),
  ofSupervisor(
    ['logfile', 'logfile_maxbytes', 'logfile_backups', 'loglevel'],
    '`sup logs --supervisor` shows the log of the supervisor. The [settings](settings.md) say how much is kept.',
  ),
  ofSupervisor(
    ['pidfile', 'identifier', 'childlogdir', 'nocleanup'],
    'The data directory has all files of the supervisor.',
  ),
  ofSupervisor(['nodaemon', 'silent'], '`sup supervise` stays in the foreground, `sup start -d` does not.'),
  ofSupervisor(['profile_options'], 'This key is only for developers of supervisord.'),
  {
    theirs: '[supervisord] strip_ansi',
    ours: [],
    note: '`sup logs` shows colours only on a terminal, and no other escape sequences.',
    read: ({ value }) =>
      truth(valueText(value))
        ? { changed: 'the log keeps escape sequences; sup logs does not show them' }
        : {},
  },
  {
    theirs: '[unix_http_server] file',
    also: ['[unix_http_server] username', '[unix_http_server] password'],
    ours: [],
    note: 'The control socket is in the data directory; only the user of the supervisor can connect to it.',
    read: unneeded,
  },
  {
    theirs: '[unix_http_server] chmod',
    also: ['[unix_http_server] chown'],
    ours: [],
    read: ({ key, value }) =>
      /^0?[0-7]00$/.test(valueText(value))
        ? {}
        : { changed: `only the user of the supervisor and root may use its socket, whatever ${key} says` },
  },
  {
    theirs: '[inet_http_server] port',
    ours: [],
    note: '[`sup dashboard`](dashboard.md) serves a page, [`ssh`](hosts.md) reaches other machines, `sup supervise --metrics-listen 9100` serves metrics.',
    read: lost(
      'there is no server for XML-RPC; sup dashboard serves a page, and --host reaches other machines',
    ),
  },
  {
    theirs: '[inet_http_server] username',
    also: ['[inet_http_server] password'],
    ours: [],
    read: unneeded,
  },
  {
    theirs: '[supervisorctl] serverurl',
    also: ['username', 'password', 'prompt', 'history_file'].map((key) => `[supervisorctl] ${key}`),
    ours: [],
    note: 'The command `sup` finds its supervisor by the data directory.',
    read: unneeded,
  },
  {
    theirs: '[rpcinterface] supervisor.rpcinterface_factory',
    ours: [],
    read: ({ value }) =>
      valueText(value) === 'supervisor.rpcinterface:make_main_rpcinterface'
        ? {}
        : { lost: 'sup has no plugins for XML-RPC' },
  },
  {
    theirs: '[ctlplugin] supervisor.ctl_factory',
    ours: [],
    read: lost('the command sup has no plugins'),
  },
];
