// Puts together what every package contains, in the layout of a prefix such as /usr: bin, lib/sup and share.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeCodeCaches } from './code-caches.js';
import { root, run } from './tools.js';

/** Directories that other scripts write into dist/. They are not part of the program. */
const NO_PROGRAM = new Set(['docs', 'man', 'packages']);

const PLATFORM = 'linux-x64';

const COMPLETIONS = {
  bash: 'bash-completion/completions/sup',
  zsh: 'zsh/vendor-completions/_sup',
  fish: 'fish/vendor_completions.d/sup.fish',
};

/**
 * Returns the names of the program's files without code caches, which are made again for the packaged Node.
 */
const programFiles = () =>
  readdirSync(join(root, 'dist')).filter((name) => !NO_PROGRAM.has(name) && !name.endsWith('.cache'));

const stageProgram = (place) => {
  for (const name of programFiles())
    cpSync(join(root, 'dist', name), join(place, 'dist', name), { recursive: true });
  const addons = join(place, 'prebuilds', PLATFORM);
  if (!existsSync(join(root, 'prebuilds', PLATFORM))) run('node', ['scripts/prebuilds.js', PLATFORM]);
  cpSync(join(root, 'prebuilds', PLATFORM), addons, { recursive: true });
  for (const name of readdirSync(addons).filter((each) => each.endsWith('.node'))) {
    strip(join(addons, name), join(addons, name));
    cpSync(join(addons, name), join(addons, `${name}.copy`));
  }
};

/** Removes the symbols that only a debugger needs. */
const strip = (from, to) => run('strip', ['--strip-unneeded', '-o', to, from]);

/** Copies Node without its symbols, which are a seventh of it. */
const stageNode = (node, place) => {
  mkdirSync(join(place, 'bin'), { recursive: true });
  strip(join(node, 'bin/node'), join(place, 'bin/node'));
};

const stageCompletions = (prefix, node, sup) => {
  for (const [shell, path] of Object.entries(COMPLETIONS)) {
    const file = join(prefix, 'share', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, run(node, [sup, 'completion', shell]));
  }
};

const stageDocuments = (prefix, node) => {
  run('node', ['scripts/man.js']);
  cpSync(join(root, 'dist/man'), join(prefix, 'share/man'), { recursive: true });
  mkdirSync(join(prefix, 'share/doc/sup'), { recursive: true });
  for (const name of ['CHANGELOG.md', 'LICENSE', 'README.md'])
    cpSync(join(root, name), join(prefix, 'share/doc/sup', name));
  cpSync(join(node, 'LICENSE'), join(prefix, 'share/doc/sup/LICENSE.node'));
  cpSync(join(root, 'examples/shop'), join(prefix, 'share/doc/sup/examples/shop'), {
    recursive: true,
    filter: (path) => !basename(path).startsWith('.'),
  });
};

/** Gives every file the mode for packages, which does not depend on the umask or the modes in the clone. */
const setModes = (directory) => {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) setModes(path);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
};

const isProgram = (path) => {
  const head = readFileSync(path).subarray(0, 4).toString('latin1');
  return head.startsWith('#!') || (head === '\x7fELF' && !path.includes('.node'));
};

/**
 * Stages the files below `prefix`.
 *
 * @returns the prefix.
 */
export const stageInstallation = async (prefix, node) => {
  const place = join(prefix, 'lib/sup');
  stageProgram(place);
  stageNode(node, place);
  const own = join(place, 'bin/node');
  makeCodeCaches(own, join(place, 'dist'));
  stageCompletions(prefix, own, join(place, 'dist/sup.js'));
  stageDocuments(prefix, node);
  mkdirSync(join(prefix, 'bin'));
  cpSync(join(root, 'scripts/package/sup.sh'), join(prefix, 'bin/sup'));
  setModes(prefix);
  return prefix;
};
