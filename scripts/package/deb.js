// Makes the Debian package: the installation below /usr, units of systemd, and the documents and control
// files of a package.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundled } from '../bundled.js';
import { markInstallation } from './tarball.js';
import { root, run, version } from './tools.js';

const LIBRARY = '/usr/lib/sup';
const DEBIAN = join(root, 'scripts/package/debian');

/**
 * Matches the lines of a unit that `sup boot` writes for its own installation, and that a package does not
 * need.
 */
const OWN_LINES = /^(# Written by sup boot|Environment="(PATH|SUP_DATA_DIR)=)/;

const unitOf = (systemdText, sys) => {
  const place = {
    node: `${LIBRARY}/bin/node`,
    supervisor: `${LIBRARY}/dist/supervisor.js`,
    guardian: `${LIBRARY}/dist/sup-guardian`,
    dataDir: '/var/lib/sup',
    sys,
    path: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  };
  const lines = systemdText(place).split('\n');
  // The unit for users sets no PATH and no data directory: those of the user's session are used.
  const kept = sys ? lines.slice(1) : lines.filter((line) => !OWN_LINES.test(line));
  return kept.join('\n').replace('[Unit]\n', `[Unit]\nDocumentation=man:sup(1)\n`);
};

const write = (path, text, mode = 0o644) => {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o755 });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

const stageUnits = async (tree) => {
  const { systemdText } = await bundled('src/cli/commands/boot/systemd.ts');
  for (const [name, sys] of Object.entries({ system: true, user: false }))
    write(join(tree, `usr/lib/systemd/${name}/sup.service`), unitOf(systemdText, sys));
};

/** Compresses a file as Debian does it: without its name and time. */
const compress = (path) => {
  write(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  rmSync(path);
};

const changelog = ({ maintainer, seconds }) => `sup (${version}) stable; urgency=medium

  * CHANGELOG.md says what has changed.

 -- ${maintainer}  ${new Date(seconds * 1e3).toUTCString().replace('GMT', '+0000')}
`;

const stageDocuments = (tree, commit) => {
  const doc = join(tree, 'usr/share/doc/sup');
  for (const section of readdirSync(join(tree, 'usr/share/man')))
    for (const page of readdirSync(join(tree, 'usr/share/man', section)))
      compress(join(tree, 'usr/share/man', section, page));
  // Debian wants the licence of sup in the file `copyright`.
  rmSync(join(doc, 'LICENSE'));
  const copyright = readFileSync(join(DEBIAN, 'copyright'), 'utf8');
  write(join(doc, 'copyright'), copyright.replace('@LICENSE@', indented(licence())));
  write(join(doc, 'changelog'), changelog(commit));
  for (const name of ['changelog', 'CHANGELOG.md', 'LICENSE.node']) compress(join(doc, name));
};

const licence = () => readFileSync(join(root, 'LICENSE'), 'utf8').replace(/^.*\n\n.*\n\n/, '');

/** Returns a text for a copyright file: each line begins with a space, and an empty line is a full stop. */
const indented = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '' ? ' .' : ` ${line.trimEnd()}`))
    .join('\n');

/**
 * Makes the command run Node without a shell. The kernel reads the path of Node from the program's first
 * line.
 */
const stageCommand = (tree) => {
  const script = join(tree, LIBRARY, 'dist/sup.js');
  writeFileSync(script, readFileSync(script, 'utf8').replace(/^#!.*/, `#!${LIBRARY}/bin/node`));
  rmSync(join(tree, 'usr/bin/sup'));
  symlinkSync('../lib/sup/dist/sup.js', join(tree, 'usr/bin/sup'));
};

/** Returns the packages whose libraries Node and the addon need. */
const dependencies = (tree, scratch) => {
  write(join(scratch, 'debian/control'), 'Source: sup\n\nPackage: sup\nArchitecture: amd64\n');
  const addons = join(tree, LIBRARY, 'prebuilds/linux-x64');
  const files = [
    join(tree, LIBRARY, 'bin/node'),
    ...readdirSync(addons)
      .filter((name) => name.endsWith('.node'))
      .map((name) => join(addons, name)),
  ];
  // Its warnings are hidden: it does not find the functions of Node that an addon uses, because they are in
  // no library.
  const line = run('dpkg-shlibdeps', ['-O', ...files], {
    cwd: scratch,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return line.trim().replace('shlibs:Depends=', '');
};

const control = ({ maintainer }, depends, size) => `Package: sup
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: ${depends}
Section: admin
Priority: optional
Description: process supervisor that YAML manifests configure
 sup starts the services that a manifest declares, watches them, restarts
 them when they fail, and stops them in order. It releases new versions
 without downtime, runs jobs on a schedule, keeps logs and metrics, and can
 confine each service to its own user, files, ports and limits.
 .
 The package contains the Node.js that runs sup.
`;

const stageControl = (tree, scratch, commit) => {
  const size = run('du', ['-sk', '--apparent-size', tree]).split('\t')[0];
  const sums = run('sh', ['-c', 'find usr -type f | LC_ALL=C sort | xargs -d "\\n" md5sum'], { cwd: tree });
  write(join(tree, 'DEBIAN/control'), control(commit, dependencies(tree, scratch), size));
  write(join(tree, 'DEBIAN/md5sums'), sums);
  for (const name of ['postinst', 'prerm', 'postrm'])
    write(join(tree, 'DEBIAN', name), readFileSync(join(DEBIAN, name)), 0o755);
};

export const makeDeb = async ({ scratch, staged, target, commit, level }) => {
  const tree = join(scratch, 'tree');
  mkdirSync(join(tree, 'etc/sup'), { recursive: true, mode: 0o755 });
  cpSync(staged, join(tree, 'usr'), { recursive: true });
  markInstallation(join(tree, 'usr'), 'deb');
  stageCommand(tree);
  await stageUnits(tree);
  stageDocuments(tree, commit);
  write(join(tree, 'usr/share/lintian/overrides/sup'), readFileSync(join(DEBIAN, 'lintian-overrides')));
  stageControl(tree, scratch, commit);
  const file = join(target, `sup_${version}_amd64.deb`);
  // One thread, because the number of threads changes the compressed file.
  run('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${level}`, '--threads-max=1', '--build', tree, file]);
  return file;
};
