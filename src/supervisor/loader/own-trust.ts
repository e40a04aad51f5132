// Whether only root may change what a supervisor of root executes: Node, the program's own files, the addon that speaks to
// the C library, and the programs that are found through `PATH` (`docs/security.md`, "The program itself").
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { troubleWithPlace } from '../../os/files/way.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Program } from '../upgrade/program.ts';

/** What of these is not root's alone: a sentence each, the same one once. */
type Untrusted = readonly string[];

const troubleWith = (path: string): string | undefined => {
  try {
    return troubleWithPlace(path);
  } catch (error) {
    return messageOf(error);
  }
};

const untrusted = (paths: readonly string[]): Untrusted => {
  const found = paths.flatMap((path): (readonly [string, string])[] => {
    const trouble = troubleWith(path);
    return trouble === undefined ? [] : [[trouble, `${path}: ${trouble}`]];
  });
  // Many files share one directory: what is wrong with that is told of the first of them. What is wrong with a file is not.
  const told = new Map(
    found.map(([trouble, text]) => [trouble.includes('on the way') ? trouble : text, text]),
  );
  return [...told.values()];
};

/** The program, and what it loads beside it. */
const filesBeside = (script: string): readonly string[] => {
  const place = dirname(script);
  try {
    return [place, ...readdirSync(place).map((name) => join(place, name))];
  } catch {
    return [script];
  }
};

/** The compiled files of a package, and where it lies. */
const filesOfPackage = (directory: string): readonly string[] => {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return [
    directory,
    ...entries.filter((name) => /\.(node|js|json)$/.test(name)).map((name) => join(directory, name)),
  ];
};

const PACKAGES = ['ffi-napi', '@2060.io/ref-napi', 'node-gyp-build'];

/** Found as the program finds them: what comes along with the addon is looked for beside it. */
const addonFiles = (script: string): readonly string[] => {
  let from = script;
  return PACKAGES.flatMap((name) => {
    try {
      const file = createRequire(from).resolve(`${name}/package.json`);
      const directory = realpathSync(dirname(file));
      if (name === 'ffi-napi') from = file;
      return [file, ...filesOfPackage(directory)];
    } catch {
      return [];
    }
  });
};

/** Of a program: what another user than root may change. Looks at files, and runs nothing. */
export const untrustedProgram = ({ node, script }: Program): Untrusted =>
  untrusted([node, ...filesBeside(script), ...addonFiles(script)]);

/** One that is not there may be made by whoever may write what is there above it. */
const nearest = (directory: string): string =>
  existsSync(directory) || directory === '/' ? directory : nearest(dirname(directory));

/** Of the directories of `PATH`: where another user than root may put a program. */
export const untrustedPath = (path: string): Untrusted => {
  const directories = path.split(delimiter);
  return [
    ...directories
      .filter((directory) => !isAbsolute(directory))
      .map((directory) => `PATH names "${directory}", which is another directory wherever it is used`),
    ...untrusted(directories.filter(isAbsolute).map(nearest)).map((text) => `PATH: ${text}`),
  ];
};

/** Who may change it, of each sentence: the number of a user, or others. */
const culprits = (sentences: Untrusted): ReadonlySet<string> =>
  new Set(sentences.map((text) => /owned by user (\d+)/.exec(text)?.[1] ?? 'others'));

/** What of the next program a user may change who may change nothing of the present one. */
export const worseThan = (present: Untrusted, next: Untrusted): Untrusted => {
  const known = culprits(present);
  return next.filter((text) => [...culprits([text])].some((who) => !known.has(who)));
};

/** What helps, as a command. */
export const mendProgram = (script: string): string =>
  `install sup and Node where only root may write, or: chown -R root:root ${dirname(dirname(script))} && chmod -R go-w ${dirname(dirname(script))}`;

export const MEND_PATH =
  'give the directory to root (chown root:root, chmod go-w), or call sup with a PATH that does not name it';

/** Of the program that this process runs, under `--sys`. */
export const programWarnings = (environment: Readonly<Record<string, string | undefined>>): Untrusted => {
  const program = { node: process.execPath, script: process.argv[1] ?? '' };
  const found = [...untrustedProgram(program), ...untrustedPath(environment['PATH'] ?? '')];
  return found.map(
    (text) => `root executes what another user can change: ${text}; sup doctor --sys says what helps`,
  );
};
