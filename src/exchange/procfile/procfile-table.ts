// The table that translates a Procfile, the file `.env` beside it and options of foreman to keys of `sup`,
// and back.
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { shellWord } from '../../os/shell-word.ts';
import { lost, unneeded, type Translation, type KeyRow } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';
import { textOf } from '../source-values.ts';

interface ProcfileRead {
  /** The port that foreman gives to the process. */
  readonly port: number;
  /** The variables of `.env`. */
  readonly variables: Readonly<Record<string, string>>;
}

interface ProcfileWrite {
  readonly spec: ServiceSpec;
  /** Variables that are in `.env`. */
  readonly shared: Readonly<Record<string, string>>;
  readonly replicas?: number;
}

/**
 * Returns a remark if the command uses a variable with a value that needs quotes. Foreman puts the value into
 * the line before the shell reads the line, but `sup` lets the shell expand the variable.
 */
const textualChange = (
  command: string,
  variables: ProcfileRead['variables'],
): Pick<Translation, 'changed'> => {
  const name = Object.keys(variables).find(
    (each) => command.includes(`$${each}`) && !/^[\w@%+=:,./-]*$/.test(variables[each] ?? ''),
  );
  if (name === undefined) return {};
  return { changed: `the shell expands $${name}, where foreman puts the text of its value into the line` };
};

/** Returns the shell commands that set the variables of one process at the beginning of its line. */
const ownVariables = ({ spec: { env }, shared }: ProcfileWrite): readonly string[] => [
  ...Object.entries(env.vars)
    .filter(([name]) => !Object.hasOwn(shared, name))
    .map(([name, value]) => `export ${name}=${shellWord(value)};`),
  ...Object.entries(env.secrets ?? {}).map(([name, file]) => `export ${name}="$(cat ${shellWord(file)})";`),
];

const commandOf = (context: ProcfileWrite): Translation => {
  const { launch, workingDir, directory, kind } = context.spec;
  if (kind === 'cron') return { lost: 'a Procfile has no schedules; put the line into a crontab' };
  const own = ownVariables(context);
  const moved = workingDir === directory ? [] : [`cd ${shellWord(workingDir)} &&`];
  const program =
    launch.tag === 'shell'
      ? launch.command
      : [...(own.length + moved.length > 0 ? ['exec'] : []), ...launch.argv.map(shellWord)].join(' ');
  const line = [...own, ...moved, program].join(' ');
  if (/[\r\n]/.test(line))
    return { lost: 'a line of a Procfile cannot have a line break; put the command into a script' };
  return { keys: { command: line } };
};

export const PROCFILE_ROWS: readonly KeyRow<ProcfileRead, ProcfileWrite>[] = [
  {
    theirs: 'command',
    ours: ['command', 'exec', 'working_dir'],
    note: 'The line runs through `sh -c`. Foreman replaces `$NAME` of `.env` before the shell reads the line; with `sup` the shell does it. A working directory is a `cd` before the command.',
    read: ({ value }, { variables }) => ({
      keys: { command: literalText(textOf(value)) },
      ...textualChange(textOf(value), variables),
    }),
    write: commandOf,
  },
  {
    theirs: '.env',
    ours: ['env.file', 'env.vars', 'env.secrets'],
    note: 'An import makes `env.file` of this file, or `env.vars` if `sup` would read the file differently. An export writes into this file the variables that have the same value in all services. All other variables are set in the line of the service, which also reads secrets from their files.',
    read: unneeded,
    write: () => ({}),
  },
  {
    theirs: 'PORT',
    ours: ['env.vars'],
    note: 'Foreman sets `PORT` for each process. The first process gets 5000, or the `PORT` of `.env`, and each next process gets 100 more. Foreman also sets `PS`. `sup` does not set `PS`, but `SUP_SERVICE` has the name.',
    read: unneeded,
    absent: ({ port }) => ({ keys: { 'env.vars': { PORT: String(port) } } }),
  },
  {
    theirs: '--timeout',
    ours: ['stop_timeout'],
    note: 'The default is 5 s. The file `.foreman` can set another value.',
    read: ({ value }) => ({ keys: { stop_timeout: `${textOf(value)}s` } }),
    absent: () => ({ keys: { stop_timeout: '5s' } }),
  },
  {
    theirs: '--formation',
    ours: ['replicas'],
    note: 'An import does not read this option from `.foreman`, and an export does not write it: use `foreman start -m web=4`.',
    read: lost('write replicas into the services'),
    write: ({ replicas, spec: { name } }) =>
      replicas === undefined
        ? {}
        : { lost: `start it with foreman start -m ${name.split('@')[0] ?? name}=${replicas}` },
  },
];
