// Checks that only root can change what a privileged supervisor executes: Node, the program's files, the C
// library addon, and the programs found through `PATH` (`docs/security.md`, "The program itself").
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Owner, troubleAt } from '../../os/files/trusted-directories.ts';
import { prebuiltAddon } from '../../os/libc/addon.ts';
import type { Program } from '../upgrade/program.ts';

/**
 * The problems with files that users other than root can change: one sentence for each problem, without
 * duplicates.
 */
type Untrusted = readonly string[];

/**
 * Returns the problems with these paths: which of them can be changed by a user other than root and `owner`.
 */
export const untrusted = (paths: readonly string[], owner?: Owner): Untrusted => {
  const found = paths.flatMap((path): (readonly [string, string])[] => {
    const trouble = troubleAt(path, owner);
    return trouble === undefined ? [] : [[trouble, `${path}: ${trouble}`]];
  });
  // Files may share a directory. A problem with the directory is reported once, a problem with a file for
  // each file.
  const told = new Map(
    found.map(([trouble, text]) => [trouble.includes('on the way') ? trouble : text, text]),
  );
  return [...told.values()];
};

/** Returns the directory of a file, and the paths of all files in it. */
const filesBeside = (file: string): readonly string[] => {
  const place = dirname(file);
  try {
    return [place, ...readdirSync(place).map((name) => join(place, name))];
  } catch {
    return [file];
  }
};

/** Returns the directory of a package and the files that Node may load from it. */
const filesOfPackage = (directory: string): readonly string[] => {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return [
    directory,
    ...entries.filter((name) => /\.(node|js|json)$/.test(name)).map((name) => join(directory, name)),
  ];
};

const PACKAGES = ['ffi-napi', '@2060.io/ref-napi', 'node-gyp-build'];

/** Returns the files of the prebuilt addon for this machine. */
const prebuiltFiles = (script: string): readonly string[] => {
  const addon = prebuiltAddon(dirname(script));
  return addon === undefined ? [] : filesBeside(addon);
};

/**
 * Returns the files of the C library addon and of the packages that it needs. Packages are found as Node
 * finds them.
 */
const packageFiles = (script: string): readonly string[] => {
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

const filesOf = (script: string): readonly string[] => [
  ...filesBeside(script),
  ...prebuiltFiles(script),
  ...packageFiles(script),
];

/**
 * Returns the problems with the files of sup that users other than root and `owner` can change. Only reads
 * the file system and runs nothing.
 */
export const untrustedScript = (script: string, owner?: Owner): Untrusted =>
  untrusted(filesOf(script), owner);

/**
 * Returns the problems with the files of a program, including Node, that users other than root can change.
 */
export const untrustedProgram = ({ node, script }: Program): Untrusted =>
  untrusted([node, ...filesOf(script)]);

/**
 * Returns the directory if it exists, otherwise the nearest parent that exists: a user that may write to this
 * parent can create the directory.
 */
const nearest = (directory: string): string =>
  existsSync(directory) || directory === '/' ? directory : nearest(dirname(directory));

/**
 * Returns the problems with directories of `PATH` in which a user other than root and `owner` can put a
 * program.
 */
export const untrustedPath = (path: string, owner?: Owner): Untrusted => {
  const directories = path.split(delimiter);
  return [
    ...directories
      .filter((directory) => !isAbsolute(directory))
      .map((directory) => `PATH names "${directory}", which is another directory wherever it is used`),
    ...untrusted(directories.filter(isAbsolute).map(nearest), owner).map((text) => `PATH: ${text}`),
  ];
};

/** Returns the users that the sentences name: their uids, or `others` for a sentence without a uid. */
const distrustedUsers = (sentences: Untrusted): ReadonlySet<string> =>
  new Set(sentences.map((text) => /owned by user (\d+)/.exec(text)?.[1] ?? 'others'));

/**
 * Returns the problems of the next program that are caused by users that cannot change the running program.
 */
export const worseThan = (present: Untrusted, next: Untrusted): Untrusted => {
  const known = distrustedUsers(present);
  return next.filter((text) => [...distrustedUsers([text])].some((who) => !known.has(who)));
};

const ON_THE_WAY = ' on the way to it ';
const AT_THE_END = ': it ';

/**
 * Finds the first of `marks` that the text contains, and returns the text after it. If the text contains none
 * of them, returns the whole text.
 */
const after = (text: string, ...marks: readonly string[]): string => {
  const mark = marks.find((one) => text.includes(one));
  return mark === undefined ? text : text.slice(text.lastIndexOf(mark) + mark.length);
};

/** Returns the path that a sentence names, and what is wrong with it. */
const partsOf = (sentence: string): readonly [path: string, wrong: string] => {
  const [before, wrong] = sentence.split(ON_THE_WAY);
  if (before !== undefined && wrong !== undefined)
    return [after(before, ': the directory ', ': the link '), wrong];
  const [path = '', trouble = ''] = sentence.replace('PATH: ', '').split(AT_THE_END);
  return [path, trouble];
};

/** Returns the path as a word of a shell command, quoted if necessary. */
const shellWord = (path: string): string =>
  /^[\w./+:@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns the shell command that removes the problem of a sentence, so that only root can change the path;
 * `undefined` if no command can do that.
 */
export const closingCommand = (sentence: string): string | undefined => {
  const [path, wrong] = partsOf(sentence);
  if (wrong.startsWith('has mode')) return `chmod go-w ${shellWord(path)}`;
  return wrong.startsWith('is owned') ? `chown -h root:root ${shellWord(path)}` : undefined;
};

/** Returns advice with a command that gives the program's files to root. */
export const mendProgram = (script: string): string =>
  `install sup and Node where only root may write, or: chown -R root:root ${dirname(dirname(script))} && chmod -R go-w ${dirname(dirname(script))}`;

export const MEND_PATH =
  'give the directory to root (chown root:root, chmod go-w), or call sup with a PATH that does not name it';

/** Returns the warnings about the program of this process, for a privileged supervisor (`--sys`). */
export const programWarnings = (environment: Readonly<Record<string, string | undefined>>): Untrusted => {
  const program = { node: process.execPath, script: process.argv[1] ?? '' };
  const found = [...untrustedProgram(program), ...untrustedPath(environment['PATH'] ?? '')];
  return found.map(
    (text) => `root executes what another user can change: ${text}; sup doctor --sys says what helps`,
  );
};
