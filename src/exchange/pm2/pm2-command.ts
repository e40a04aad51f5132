// Makes the command line of an app as PM2 does. The extension of the script decides about the interpreter. A
// text file without a known extension runs with Node, and a script with spaces is a line for a shell.
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { flagOf, type Pm2App, settingOf, textOf, wordsOf } from './pm2-app.ts';
import type { Setting, Translation } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';

/** Interpreters by the extension of the script. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  ...{ '.sh': 'bash', '.py': 'python', '.rb': 'ruby', '.php': 'php', '.pl': 'perl', '.js': 'node' },
  ...{ '.coffee': 'coffee', '.ls': 'lsc', '.ts': 'bun', '.tsx': 'bun' },
};

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
};

/** True if the search path has a program of this name. */
const isInPath = (name: string, { path }: Pick<Pm2App, 'path'>): boolean =>
  path.split(':').some((directory) => directory !== '' && isProgram(join(directory, name)));

const HEAD_BYTES = 1024;

/** True if the beginning of the file has a zero byte, as binary programs have. */
const isBinary = (path: string): boolean => {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, 'r');
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    closeSync(file);
    return head.subarray(0, length).includes(0);
  } catch {
    return false;
  }
};

/** Returns the first of these programs that the search path has; the first name if it has none of them. */
const firstPresent = (app: Pm2App, ...names: readonly [string, ...string[]]): string =>
  names.find((name) => isInPath(name, app)) ?? names[0];

const byExtension = (script: string, app: Pm2App): string | undefined => {
  const known = INTERPRETERS[extname(script)];
  if (known === 'python') return firstPresent(app, 'python', 'python3');
  if (extname(script) === '.ts') return firstPresent(app, 'bun', 'node');
  return known;
};

/**
 * Returns where PM2 finds the script: as a file below the directory of the app, as a program in `PATH`, or
 * not at all.
 */
const kindOf = (script: string, app: Pm2App): 'file' | 'program' | 'absent' => {
  if (isFile(resolve(app.directory, script))) return 'file';
  return isInPath(script, app) ? 'program' : 'absent';
};

/** Returns the interpreter of the script; `undefined` if the script is executed without one. */
const interpreterOf = (script: string, app: Pm2App): string | undefined => {
  const named = textOf(app, 'exec_interpreter');
  if (named !== undefined && named !== '') return named === 'none' ? undefined : named;
  const known = byExtension(script, app);
  if (known !== undefined) return known;
  const kind = kindOf(script, app);
  const isText = kind === 'file' ? !isBinary(resolve(app.directory, script)) : kind === 'absent';
  return isText ? 'node' : undefined;
};

const isNode = (interpreter: string | undefined): boolean => /node$/.test(basename(interpreter ?? ''));

interface Command {
  readonly argv: readonly string[];
  readonly interpreter?: string | undefined;
  readonly note?: string;
}

/**
 * Returns the path for a script that is executed without an interpreter. The name of a file gets `./`, so
 * that the file is not searched in `PATH`.
 */
const executed = (script: string, app: Pm2App): string =>
  kindOf(script, app) === 'file' && !script.includes('/') ? `./${script}` : script;

const NODE_OF_NVM =
  'sup installs no version of Node: node of PATH runs the app; write the path of the program instead';

const interpreted = (script: string, app: Pm2App): Command => {
  const interpreter = interpreterOf(script, app);
  const args = wordsOf(app, 'args');
  if (interpreter === undefined) return { argv: [executed(script, app), ...args] };
  const ofNvm = interpreter.startsWith('node@');
  const program = ofNvm ? 'node' : interpreter;
  const maps = isNode(program) && flagOf(app, 'source_map_support') ? ['--enable-source-maps'] : [];
  const argv = [program, ...maps, ...wordsOf(app, 'node_args'), script, ...args];
  return { argv, interpreter: program, ...(ofNvm && { note: NODE_OF_NVM }) };
};

const FILE_SERVER = 'pm2 serve is a server of PM2 itself: install another one, such as npx serve';

/** Returns the command line of the app. */
const commandOf = (app: Pm2App): Command => {
  const script = textOf(app, 'script') ?? '';
  if (script === 'serve') return { argv: ['npx', 'serve'], note: FILE_SERVER };
  if (!script.includes(' ')) return interpreted(script, app);
  // PM2 ignores `args` if the script has spaces.
  return { argv: [firstPresent(app, 'bash', 'sh'), '-c', script] };
};

/**
 * True if PM2 runs the app in cluster mode. With `execute_command` it never does. Otherwise `exec_mode`
 * decides. Without `exec_mode`, PM2 uses cluster mode if `instances` is set and the interpreter is Node or
 * Bun.
 */
export const isCluster = (app: Pm2App): boolean => {
  const mode = textOf(app, 'exec_mode');
  if (flagOf(app, 'execute_command')) return false;
  if (mode !== undefined && mode !== '') return mode.startsWith('cluster');
  const interpreter = commandOf(app).interpreter ?? '';
  return settingOf(app, 'instances') !== undefined && /(?:node|bun)$/.test(interpreter);
};

/** Translates `script` and all other settings of the command line. */
export const readScript = (_: Setting, app: Pm2App): Translation => {
  const { argv, interpreter, note } = commandOf(app);
  const isPython = (interpreter ?? '').includes('python');
  return {
    keys: {
      exec: argv,
      ...(app.workingDir !== undefined && { working_dir: literalText(app.workingDir) }),
      ...(isPython && { 'env.vars': { PYTHONUNBUFFERED: '1' } }),
    },
    ...(note !== undefined && { changed: note }),
  };
};
