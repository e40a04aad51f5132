// Checks that only root may change what a supervisor of root executes: Node, the program's files, the C
// library addon, and the programs found through `PATH` (`docs/security.md`, "The program itself").
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { troubleWithPlace } from '../../os/files/path-trust.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Program } from '../upgrade/program.ts';

/** What users other than root may change: one sentence each, without duplicates. */
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
  // Files share a directory: a problem with that is reported once. A problem with a file itself is reported
  // for each file.
  const told = new Map(
    found.map(([trouble, text]) => [trouble.includes('on the way') ? trouble : text, text]),
  );
  return [...told.values()];
};

/** Returns the program and the files next to it. */
const filesBeside = (script: string): readonly string[] => {
  const place = dirname(script);
  try {
    return [place, ...readdirSync(place).map((name) => join(place, name))];
  } catch {
    return [script];
  }
};

/** Returns the directory of a package and the files that Node loads from it. */
const filesOfPackage = (directory: string): readonly string[] => {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return [
    directory,
    ...entries.filter((name) => /\.(node|js|json)$/.test(name)).map((name) => join(directory, name)),
  ];
};

const PACKAGES = ['ffi-napi', '@2060.io/ref-napi', 'node-gyp-build'];

/** Resolves packages as the program does: those of the addon are resolved from the addon. */
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

/** Returns what users other than root may change of a program. Looks at files and runs nothing. */
export const untrustedProgram = ({ node, script }: Program): Untrusted =>
  untrusted([node, ...filesBeside(script), ...addonFiles(script)]);

/** Returns the nearest existing directory: a user that may write there can create the missing one. */
const nearest = (directory: string): string =>
  existsSync(directory) || directory === '/' ? directory : nearest(dirname(directory));

/** Returns the directories of `PATH` in which a user other than root may put a program. */
export const untrustedPath = (path: string): Untrusted => {
  const directories = path.split(delimiter);
  return [
    ...directories
      .filter((directory) => !isAbsolute(directory))
      .map((directory) => `PATH names "${directory}", which is another directory wherever it is used`),
    ...untrusted(directories.filter(isAbsolute).map(nearest)).map((text) => `PATH: ${text}`),
  ];
};

/** Returns which users can change it, by the sentences: uids, or `others`. */
const culprits = (sentences: Untrusted): ReadonlySet<string> =>
  new Set(sentences.map((text) => /owned by user (\d+)/.exec(text)?.[1] ?? 'others'));

/** Returns what of the next program can be changed by users that cannot change the present one. */
export const worseThan = (present: Untrusted, next: Untrusted): Untrusted => {
  const known = culprits(present);
  return next.filter((text) => [...culprits([text])].some((who) => !known.has(who)));
};

/** Returns advice, with a command. */
export const mendProgram = (script: string): string =>
  `install sup and Node where only root may write, or: chown -R root:root ${dirname(dirname(script))} && chmod -R go-w ${dirname(dirname(script))}`;

export const MEND_PATH =
  'give the directory to root (chown root:root, chmod go-w), or call sup with a PATH that does not name it';

/** Returns the warnings about the program of this process, under `--sys`. */
export const programWarnings = (environment: Readonly<Record<string, string | undefined>>): Untrusted => {
  const program = { node: process.execPath, script: process.argv[1] ?? '' };
  const found = [...untrustedProgram(program), ...untrustedPath(environment['PATH'] ?? '')];
  return found.map(
    (text) => `root executes what another user can change: ${text}; sup doctor --sys says what helps`,
  );
};
