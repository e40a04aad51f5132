// Table rows that translate the Compose keys about the program to keys of `sup`, and back.
import { resolve } from 'node:path';
import { type ComposeService, hostPath, onThisMachine, wordsOf } from './compose-service.ts';
import { type ComposeRow, shellWords, withDollars } from './compose-target.ts';
import {
  itemsOf,
  ownValue,
  remarks,
  isPlainMap,
  unneeded,
  type Plain,
  type Translation,
} from '../key-table.ts';
import { literalText, variableKeys } from '../manifest-text.ts';
import { textOf, textsOf, shownValue } from '../source-values.ts';

const hasWords = (value: Plain | undefined): boolean => wordsOf(value).length > 0;

/** Returns the key that runs these words: `command` for `sh -c LINE`, or else `exec`. */
const runKeys = (words: readonly string[]): Readonly<Record<string, Plain>> => {
  const [shell = '', option, line = '', ...others] = words;
  const isLine =
    /^(?:\/bin\/)?sh$/.test(shell) && option === '-c' && others.length === 0 && line.trim() !== '';
  return isLine ? { command: literalText(line) } : { exec: words };
};

const imageOf = ({ own }: ComposeService): string =>
  own['image'] === undefined ? 'its image' : `the image ${textOf(own['image'])}`;

/** Translates `entrypoint` and `command`. Compose joins them to one command line. */
const launched = (service: ComposeService): Translation => {
  const { own } = service;
  const words = [...wordsOf(own['entrypoint']), ...wordsOf(own['command'])];
  const written = words.map((word) => onThisMachine(word, service));
  const argv = written.map(({ text }) => text);
  const notes = written.flatMap(({ notes: each }) => each);
  if (argv[0]?.startsWith('-'))
    return {
      keys: { exec: argv, skip: true },
      lost: `the entrypoint of ${imageOf(service)} is not known: write the program before ${argv[0]}, and remove skip`,
    };
  return { keys: runKeys(argv), ...remarks(notes) };
};

/** Returns a placeholder and `skip: true` if only the image knows the program of the service. */
const filledIn = (service: ComposeService): Translation => {
  const { own } = service;
  if (hasWords(own['command']) || hasWords(own['entrypoint'])) return {};
  return {
    keys: { command: 'false', skip: true },
    lost: `${imageOf(service)} has the program: write the command of this machine here, and remove skip`,
  };
};

const contextOf = ({ own, directory }: ComposeService): string | undefined => {
  const { build } = own;
  const context = isPlainMap(build) ? (build['context'] ?? '.') : build;
  return context === undefined || context === null || /^\w+:\/\//.test(textOf(context))
    ? undefined
    : resolve(directory, textOf(context));
};

const directoryKeys = (path: string, { workingDir }: ComposeService): Translation => {
  const found = workingDir(path);
  return found === undefined ? {} : { keys: { working_dir: found } };
};

/**
 * Translates `working_dir` to a directory of this machine: the directory of the volume, or else the build
 * context. Without a volume and a build context, the path is kept.
 */
const placedDirectory = (value: Plain, service: ComposeService): Translation => {
  const written = textOf(value);
  const mounted = hostPath(written, service);
  const found = mounted ?? contextOf(service);
  if (found === undefined)
    return { keys: { working_dir: written }, changed: `${written} must exist on this machine` };
  const changed = `${written} of the container is ${found} on this machine`;
  return { ...directoryKeys(found, service), ...(found !== written && { changed }) };
};

/**
 * Translates the variables that have a value. A variable without a value comes from the environment, as with
 * Compose.
 */
const variables = (value: Plain, service: ComposeService): Translation => {
  const table = Object.entries(isPlainMap(value) ? value : {}).filter(([, each]) => each !== null);
  const written = table.map(([name, each]) => {
    const isHost = /HOST|SERVER|ADDR/i.test(name);
    return { name, ...onThisMachine(textOf(each), service, isHost) };
  });
  return {
    ...variableKeys(written.map(({ name, text }) => [name, literalText(text)])),
    ...remarks(written.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`))),
  };
};

interface EnvFile {
  readonly path: string;
  readonly isRequired: boolean;
}

const envFilesOf = (value: Plain): readonly EnvFile[] =>
  itemsOf(value).map((each) =>
    isPlainMap(each)
      ? { path: textOf(each['path']), isRequired: each['required'] !== false }
      : { path: textOf(each), isRequired: true },
  );

/**
 * Translates `env_file`. One file becomes `env.file`. The variables of several files are written into
 * `env.vars`, where a later file overrides an earlier one.
 */
const envFile = (value: Plain, service: ComposeService): Translation => {
  const { own, placed, envFile: read } = service;
  const files = envFilesOf(value).filter(({ path, isRequired }) => isRequired || read(path) !== undefined);
  const [first, second] = files;
  if (first === undefined) return { changed: `${shownValue(value)} is not there, and not required` };
  if (second === undefined) return { keys: { 'env.file': placed(first.path) } };
  const all = Object.assign({}, ...files.map(({ path }) => read(path) ?? {})) as Record<string, string>;
  const inline = isPlainMap(own['environment']) ? own['environment'] : {};
  const kept = Object.entries(all).filter(([name]) => (ownValue(inline, name) ?? null) === null);
  const vars = Object.fromEntries(kept.map(([name, text]) => [name, literalText(text)]));
  const names = files.map(({ path }) => path).join(', ');
  return {
    keys: { 'env.vars': vars },
    changed: `a service has one env file: the values of ${names} are written here`,
  };
};

/** The rows for the program, its directory and its variables. */
export const RUN_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'image',
    ours: ['x-image'],
    note: 'The image has no effect: install the program on this machine. If a service has only an image, it gets `skip: true` and a comment that says what to fill in.',
    read: ({ value }) => ({ keys: { 'x-image': textOf(value) } }),
    write: ({ image = '' }) => ({ keys: { image } }),
  },
  {
    theirs: 'entrypoint',
    ours: ['command', 'exec'],
    note: 'Entrypoint and `command` together become one `exec`. `sh -c` with one line becomes a `command`.',
    read: ({ value }, service) => (hasWords(value) ? launched(service) : {}),
    write: ({ spec: { launch } }) => ({
      keys: {
        entrypoint: launch.tag === 'shell' ? shellWords(launch.command) : launch.argv.map(withDollars),
      },
    }),
  },
  {
    theirs: 'command',
    ours: ['exec', 'command'],
    note: 'A text is split into words as Compose does it; no shell runs. If the entrypoint is only declared in the image, you have to fill it in.',
    read: ({ value }, service) =>
      hasWords(value) && !hasWords(service.own['entrypoint']) ? launched(service) : filledIn(service),
    absent: (service) => filledIn(service),
  },
  {
    theirs: 'build',
    ours: ['working_dir'],
    note: 'Nothing is built. The service runs in the directory of the build context, unless a volume replaces that directory.',
    read: (_, service) => {
      const context = contextOf(service);
      const kept = service.own['working_dir'] === undefined && context !== undefined;
      return {
        ...(kept && directoryKeys(context, service)),
        changed: 'nothing is built: install the program and what it needs on this machine',
      };
    },
  },
  {
    theirs: 'working_dir',
    ours: ['working_dir'],
    note: 'A path in the container becomes the path of the volume or of the build context; any other path must exist on this machine.',
    read: ({ value }, service) => placedDirectory(value, service),
    write: ({ spec: { workingDir, directory } }) =>
      workingDir === directory
        ? {}
        : { keys: { working_dir: withDollars(workingDir) }, changed: 'this is a directory of the image' },
  },
  {
    theirs: 'environment',
    ours: ['env.vars', 'env.file', 'env.clean', 'env.inherit_env', 'env.clear_session_vars', 'env.strip'],
    note: "Host names of other services, as in `db:5432`, become `127.0.0.1`, and paths of volumes become paths of this machine. A container has only these variables; a service also has the variables of the supervisor, except with `clean`. A variable without a value gets the value of the supervisor's variable.",
    read: ({ value }, service) => variables(value, service),
    write: ({ spec: { env } }) =>
      Object.keys(env.vars).length === 0
        ? {}
        : {
            keys: {
              environment: Object.fromEntries(
                Object.entries(env.vars).map(([name, text]) => [name, withDollars(text)]),
              ),
            },
          },
  },
  {
    theirs: 'env_file',
    ours: ['env.file'],
    note: 'If there are several files, their variables are written into `env.vars`.',
    read: ({ value }, service) => envFile(value, service),
  },
  {
    theirs: 'profiles',
    ours: ['profiles'],
    read: ({ value }) => (textsOf(value).length === 0 ? {} : { keys: { profiles: textsOf(value) } }),
    write: ({ profiles = [], spec: { kind } }) => {
      const all = [...profiles, ...(kind === 'cron' ? ['cron'] : [])];
      return all.length === 0 ? {} : { keys: { profiles: all } };
    },
  },
  {
    theirs: 'extends',
    ours: [],
    note: 'The service gets the keys of the service that it extends, also from another file.',
    read: unneeded,
  },
];
