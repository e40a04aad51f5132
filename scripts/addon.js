// Compiles the native addon (ffi-napi with its ref-napi), through which sup calls the C library, unless it
// already loads.
//
// npm also compiles it when it installs the package. But node-gyp then downloads Node's headers, unless a
// setting names them, and npm silently removes an optional package if that fails. Most installations of Node
// have the headers next to the program, so this script compiles against those, without network and settings.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process, { argv, env, execPath, stderr, versions } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The packages in the order of compilation: the second is built against the first. */
const PACKAGES = ['@2060.io/ref-napi', 'ffi-napi'];

const TOOLS = ['python3', 'make', 'g++'];

const INSTALL_TOOLS = 'apt-get install -y python3 make g++';

/** True if the addon loads. A new process tries it, because this one would cache a failure. */
const loads = () =>
  spawnSync(execPath, ['-e', "require('ffi-napi')"], { cwd: root, stdio: 'ignore' }).status === 0;

/** Returns the major version of Node whose headers are in `prefix`; `undefined` if there are none. */
const headersIn = (prefix) => {
  const header = join(prefix, 'include/node/node_version.h');
  if (!existsSync(header)) return undefined;
  return /NODE_MAJOR_VERSION (\d+)/.exec(readFileSync(header, 'utf8'))?.[1];
};

/** Returns the directory of this Node's headers; `undefined` if node-gyp must download them. */
export const headers = () => {
  const beside = dirname(dirname(realpathSync(execPath)));
  const [major] = versions.node.split('.');
  return [env.npm_config_nodedir, beside, dirname(dirname(execPath)), '/usr', '/usr/local'].find(
    (prefix) => prefix !== undefined && headersIn(prefix) === major,
  );
};

/**
 * Returns the path of node-gyp: the one that npm passes to its scripts, or else the one in npm's
 * installation.
 */
const nodeGyp = () => {
  if (env.npm_config_node_gyp !== undefined) return env.npm_config_node_gyp;
  const global = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim();
  return join(global, 'npm/node_modules/node-gyp/bin/node-gyp.js');
};

const isInstalled = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Runs a program with further variables (`vars`). Returns its output if it failed, otherwise `undefined`. */
const failureOf = (program, args, cwd, vars = {}) => {
  const options = { cwd, encoding: 'utf8', env: { ...env, ...vars } };
  const { status, stdout, stderr: errors, error } = spawnSync(program, args, options);
  if (status === 0) return undefined;
  return error?.message ?? `${stdout}${errors}`;
};

/**
 * Installs the sources again, without running scripts, if npm has removed them because it could not compile
 * them. The versions come from the lock file.
 */
const fetchSources = () => {
  if (PACKAGES.every((name) => existsSync(join(root, 'node_modules', name, 'binding.gyp')))) return undefined;
  const flags = [
    '--include=optional',
    '--no-save',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  const failure = failureOf('npm', ['install', ...flags], root);
  return failure && { why: 'the sources of the package ffi-napi could not be installed', failure };
};

/** Node 26 compiles addons as C++20, but the sources of ref-napi and ffi-napi are C++17. */
const CXXFLAGS = `${env.CXXFLAGS ?? ''} -std=gnu++17`.trim();

const compile = (name) => {
  const prefix = headers();
  const from = prefix === undefined ? [] : [`--nodedir=${prefix}`];
  const directory = realpathSync(join(root, 'node_modules', name));
  const failure = failureOf(execPath, [nodeGyp(), 'rebuild', ...from], directory, { CXXFLAGS });
  const where = prefix === undefined ? ' (no headers of Node were found beside it)' : '';
  return failure && { why: `${name} could not be compiled${where}`, failure };
};

/** Returns why there is no addon, and what to do; `undefined` if there is one. */
const missing = () => {
  if (loads()) return undefined;
  const absent = TOOLS.filter((tool) => !isInstalled(tool));
  if (absent.length > 0) return { why: `not installed: ${absent.join(', ')}`, next: INSTALL_TOOLS };
  stderr.write('compiling the native addon (ffi-napi), which takes about half a minute\n');
  const failed = fetchSources() ?? PACKAGES.map(compile).find((each) => each !== undefined);
  if (failed !== undefined) return failed;
  return loads() ? undefined : { why: 'it was compiled and does not load' };
};

/** Returns the text that is printed if there is no addon. */
const notice = ({ why, next, failure }) =>
  [
    ...(failure === undefined ? [] : [failure.trimEnd().split('\n').slice(-15).join('\n'), '']),
    'sup was built WITHOUT its native addon (ffi-napi).',
    `  why:   ${why}`,
    '  lost:  services with user, limits, capabilities, isolation or sockets are refused; all others run.',
    `  next:  ${next === undefined ? '' : `${next} && `}npm run addon`,
    '',
  ].join('\n');

/**
 * Builds the addon if it is missing.
 *
 * @returns the text to print if there is none; `undefined` if it loads.
 */
export const buildAddon = () => {
  const found = missing();
  return found && notice(found);
};

// `npm run addon` runs this file directly.
if (argv[1] === fileURLToPath(import.meta.url)) {
  const text = buildAddon();
  stderr.write(text ?? 'the native addon (ffi-napi) loads\n');
  process.exitCode = text === undefined ? 0 : 1;
}
