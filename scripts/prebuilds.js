// Compiles the native addons (ffi-napi with its ref-napi) that packages bring, into `prebuilds/<platform>`:
//
//   npm run prebuilds                     all platforms
//   npm run prebuilds -- linux-x64        only this one
//   npm run prebuilds -- --check          loads what is there under several versions of Node
//
// Two builds give the same bytes: no file has a path of this machine, a build id or debugging symbols. The
// compilers are Debian's (D-127).
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { headers } from './addon.js';
import { isInstalled } from './package/tools.js';
import { check } from './prebuilds/check.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const modules = join(root, 'node_modules');
const own = fileURLToPath(new URL('prebuilds/', import.meta.url));

const COMPILERS = {
  'linux-x64': {
    compiler: 'x86_64-linux-gnu-gcc',
    install: 'apt-get install g++',
    config: 'x64',
    libffi: ['x86/ffiw64.c', 'x86/ffi64.c', 'x86/unix64.S', 'x86/win64.S'],
  },
  'linux-arm64': {
    compiler: 'aarch64-linux-gnu-gcc',
    install: 'apt-get install g++-aarch64-linux-gnu',
    config: 'arm64',
    libffi: ['aarch64/ffi.c', 'aarch64/sysv.S'],
  },
};

/** Names of the directories in `prebuilds`. */
export const PLATFORMS = Object.keys(COMPILERS);

/** Returns the sources and settings that `binding.gyp` has for both packages. */
const addonsOf = ({ config, libffi }) => ({
  'ref-napi': {
    name: 'binding',
    sources: ['@2060.io/ref-napi/src/binding.cc'],
    flags: [],
  },
  'ffi-napi': {
    name: 'ffi_bindings',
    sources: [
      ...['ffi', 'callback_info', 'threaded_callback_invokation'].map((name) => `ffi-napi/src/${name}.cc`),
      ...['prep_cif.c', 'types.c', 'raw_api.c', 'java_raw_api.c', 'closures.c', ...libffi].map(
        (name) => `ffi-napi/deps/libffi/src/${name}`,
      ),
    ],
    flags: [
      ...['-DPIC', '-DFFI_BUILDING', '-DHAVE_CONFIG_H'],
      ...['include', `config/linux/${config}`].map((name) => `-Iffi-napi/deps/libffi/${name}`),
    ],
  },
});

const INCLUDED = [
  'node-addon-api',
  'get-uv-event-loop-napi-h/include',
  'get-symbol-from-current-process-h/include',
  '@2060.io/ref-napi/include',
];

/**
 * Exports only the functions that Node calls. Other symbols stay hidden, because Node has its own copies of
 * C++ templates.
 */
const EXPORTS = '{ global: napi_register_module_v1; node_api_module_get_api_version_v1; local: *; };\n';

const flagsOf = (prefix, exportsFile) => [
  ...['-shared', '-fPIC', '-pthread', '-O2', '-fno-omit-frame-pointer', '-fvisibility=hidden', '-w'],
  ...['-DBUILDING_NODE_EXTENSION', '-D_FILE_OFFSET_BITS=64'],
  ...['-include', join(own, 'any-glibc.h')],
  `-I${join(prefix, 'include/node')}`,
  ...INCLUDED.map((name) => `-I${name}`),
  ...[`-ffile-prefix-map=${own}=`, `-ffile-prefix-map=${prefix}=`, '-s', '-Wl,--build-id=none'],
  `-Wl,--version-script=${exportsFile}`,
];

/** Runs a compiler in `node_modules`, so that paths are relative. Rejects with its output if it fails. */
const run = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: modules, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`${program}: ${output}`))));
  });

const compile = async (platform, scratch) => {
  const prefix = headers();
  if (prefix === undefined) throw new Error('the headers of this Node are not installed beside it');
  const { compiler, install } = COMPILERS[platform];
  // The package of the C compiler alone cannot compile C++.
  if (!isInstalled(compiler.replace(/gcc$/, 'g++')))
    throw new Error(`${compiler} is not installed: ${install}`);
  const place = join(root, 'prebuilds', platform);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  for (const [addon, { name, sources, flags }] of Object.entries(addonsOf(COMPILERS[platform]))) {
    const file = join(place, `${addon}.node`);
    const common = flagsOf(prefix, join(scratch, 'exports'));
    await run(compiler, [
      ...common,
      ...flags,
      `-DNODE_GYP_MODULE_NAME=${name}`,
      ...sources,
      '-lstdc++',
      '-o',
      file,
    ]);
    // Before `sup` loads the addon, it compares the addon with this copy.
    await copyFile(file, `${file}.copy`);
  }
  stdout.write(`prebuilds/${platform}\n`);
};

/**
 * Compiles the addons for these platforms. Rejects with the name of a missing program, or with the output of
 * a compiler.
 */
export const prebuild = async (platforms = PLATFORMS) => {
  const scratch = await mkdtemp(join(tmpdir(), 'sup-prebuilds-'));
  try {
    await writeFile(join(scratch, 'exports'), EXPORTS);
    for (const platform of platforms) await compile(platform, scratch);
  } finally {
    await rm(scratch, { recursive: true });
  }
};

// `npm run prebuilds` runs this file directly.
if (argv[1] === fileURLToPath(import.meta.url)) {
  const words = argv.slice(2);
  const named = words.filter((word) => word in COMPILERS);
  if (words.includes('--check')) await check(root);
  else if (words.length > named.length) {
    stderr.write(`npm run prebuilds -- [${PLATFORMS.join('|')}]… [--check]\n`);
    process.exitCode = 2;
  } else await prebuild(named.length === 0 ? undefined : named);
}
