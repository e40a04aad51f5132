// supervisord from Debian's package `supervisor`. It is installed if it is missing, which needs root and
// network access.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, succeed, type Finished } from '../measure/command.ts';
import { ensured } from '../measure/debian.ts';
import type { Place } from '../measure/own-directory.ts';
import { until } from '../measure/until.ts';
import type { Program, Subject, Tool } from './subject.ts';

/** Quotes a word and escapes percent signs, which supervisord expands. */
const quoted = (word: string): string => `'${word.replaceAll('%', '%%')}'`;

/**
 * Returns the settings of a program, tuned for these workloads: it counts as ready immediately, and is
 * restarted without limit.
 */
const sectionOf = ({ name, argv, restart = false, stopSeconds }: Program): string =>
  [
    `[program:${name}]`,
    `command=${argv.map(quoted).join(' ')}`,
    'startsecs=0',
    `autorestart=${String(restart)}`,
    ...(stopSeconds === undefined ? [] : [`stopwaitsecs=${stopSeconds}`]),
  ].join('\n');

const settings = (directory: string): string => `[supervisord]
logfile=${directory}/supervisord.log
pidfile=${directory}/supervisord.pid
childlogdir=${directory}
minfds=8192
[unix_http_server]
file=${directory}/supervisor.sock
[supervisorctl]
serverurl=unix://${directory}/supervisor.sock
[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
[include]
files=${directory}/programs/*.conf
`;

const open = ({ directory, environment }: Place): Subject => {
  const conf = join(directory, 'supervisord.conf');
  const run = (argv: readonly string[], onStart?: (pid: number) => void): Promise<Finished> =>
    succeed([...argv], { environment, directory, limitMs: 120_000, ...(onStart && { onStart }) });
  const control = (word: string, ...rest: readonly string[]): readonly string[] => [
    'supervisorctl',
    '-c',
    conf,
    word,
    ...rest,
  ];
  // Accepts any exit status: `status` exits with 3 if a program is not running.
  const status = (): Promise<Finished> =>
    command(control('status'), { environment, directory, limitMs: 60_000 });
  return {
    boot: async () => {
      await mkdir(join(directory, 'programs'), { recursive: true });
      await writeFile(conf, settings(directory));
      await run(['supervisord', '-c', conf]);
      const answers = async (): Promise<true | undefined> =>
        (await command(control('pid'), { environment })).status === 0 ? true : undefined;
      await until(answers, { what: 'supervisord', limitMs: 10_000, pauseMs: 50 });
    },
    declare: (programs) =>
      writeFile(join(directory, 'programs/bench.conf'), programs.map(sectionOf).join('\n')),
    start: (onStart) => run(control('update'), onStart),
    stop: () => run(control('stop', 'all')),
    status,
    end: () => run(control('shutdown')),
  };
};

export const installSupervisord = async (): Promise<Tool> => {
  await ensured({ program: 'supervisord', from: 'supervisor' });
  const { stdout } = await succeed(['supervisord', '--version']);
  return { name: 'supervisord', version: stdout.trim(), open };
};
