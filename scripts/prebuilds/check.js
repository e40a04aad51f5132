// Loads the prebuilt addons under several versions of Node: `sup version --json` says which addon it calls
// the C library through. Addons for arm64 are loaded by a Node for arm64 under qemu-user.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdout } from 'node:process';

/** The maintained lines of Node that are tested for each platform, and the program that runs them. */
const NODES = {
  'linux-x64': { lines: [20, 22, 24, 26], runner: [] },
  'linux-arm64': { lines: [22], runner: ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'] },
};

/** The newest versions of the C and C++ libraries that Node 20 needs, and so every machine has. */
const NEWEST = { GLIBC: 28, 'GLIBCXX_3.4': 21 };

const printed = (program, args, options = {}) => {
  const { stdout: out, stderr, error, status } = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return out;
};

/** Throws if an addon needs newer libraries. readelf reads the files of every processor. */
const checkLibraries = (addon) => {
  const text = printed('readelf', ['--version-info', '--wide', addon]);
  for (const [, name, minor] of text.matchAll(/Name: (GLIBC|GLIBCXX_3\.4)(?:_2)?\.(\d+)/g))
    if (Number(minor) > NEWEST[name]) throw new Error(`${addon} needs ${name}.${minor}`);
};

const fetchNode = (directory, platform, line) => {
  const name = `node${line}`;
  const flags = [
    '--no-save',
    '--ignore-scripts',
    '--force',
    '--no-audit',
    '--no-fund',
    '--prefix',
    directory,
  ];
  printed('npm', ['install', ...flags, `${name}@npm:node-${platform}@${line}`]);
  return join(directory, 'node_modules', name, 'bin/node');
};

const checkUnder = (node, { runner }, sup) => {
  const [program, ...args] = [...runner, node, sup, 'version', '--json'];
  const environment = { ...process.env, SUP_DATA_DIR: join(sup, '../none') };
  const { node: own, ffi } = JSON.parse(printed(program, args, { env: environment }));
  if (ffi.kind !== 'prebuilt') throw new Error(`${node}: ${ffi.refused}`);
  return own.version;
};

/** Checks all addons in `prebuilds` with the built program. Throws the first problem. */
export const check = async (root) => {
  const scratch = await mkdtemp(join(tmpdir(), 'sup-prebuilds-'));
  try {
    await cp(join(root, 'dist'), join(scratch, 'dist'), { recursive: true });
    await cp(join(root, 'prebuilds'), join(scratch, 'prebuilds'), { recursive: true });
    for (const [platform, nodes] of Object.entries(NODES)) {
      for (const addon of ['ffi-napi.node', 'ref-napi.node'])
        checkLibraries(join(scratch, 'prebuilds', platform, addon));
      for (const line of nodes.lines) {
        const node = fetchNode(join(scratch, platform, String(line)), platform, line);
        stdout.write(
          `${platform}: loads under Node ${checkUnder(node, nodes, join(scratch, 'dist/sup.js'))}\n`,
        );
      }
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
};
