// The life of the tarball: unpacked, used, replaced by another version while services run, removed.
import type { Built } from './build.ts';
import { usesContents } from './contents.ts';
import { expectNoTools, expectWell } from './deb.ts';
import type { Machine } from './machine.ts';
import { expectThat, type Report } from './report.ts';
import { call, expectSamePids, killSupervisor, pidsOf, startShop, statusOf, type Sup } from './stack.ts';

/** The lines of docs/install.md. */
const unpack = (machine: Machine, version: string): string =>
  machine.run(`xz -dc /packages/sup-${version}-linux-x64.tar.xz | tar -x -C /opt --no-same-owner
ln -sfn sup-${version}-linux-x64 /opt/sup
ln -sf /opt/sup/bin/sup /usr/local/bin/sup`);

const PARTS = {
  node: '/opt/sup/lib/sup/bin/node',
  man: 'opt/sup/share/man',
  library: '/opt/sup/lib/sup/dist/client.js',
  directory: '/tmp/program',
};

export const tarballCheck = async (
  machine: Machine,
  report: Report,
  { version, next }: Built,
): Promise<void> => {
  const { step } = report;
  const shop: Sup = { machine, user: 'shop', program: 'sup', more: '' };
  await step('the machine has no Node and no compiler', () => expectNoTools(machine));
  await step('is unpacked, and runs through links', () => {
    machine.run(
      'command -v xz || apt-get install -y -q --no-install-recommends xz-utils || { apt-get update && apt-get install -y -q --no-install-recommends xz-utils; }',
    );
    unpack(machine, version);
    expectThat(machine.run('sup --version').trim() === `sup ${version}`, 'sup --version is wrong');
    expectWell({ machine, program: 'sup' }, 'tarball');
  });
  await step('a user runs the example shop', () => {
    machine.run('useradd -m -s /bin/sh shop');
    startShop(shop, '/opt/sup/share/doc/sup/examples/shop', '/opt/sup/lib/sup/bin');
  });
  await usesContents({ ...shop, ...PARTS }, report);
  await step('its supervisor is killed, and the services keep their pids', () =>
    killSupervisor(shop, pidsOf(shop)),
  );
  await step('another version is unpacked beside it: each speaks to the supervisor', () => {
    unpack(machine, next);
    for (const each of [version, next])
      machine.run(`/opt/sup-${each}-linux-x64/bin/sup status || [ $? -eq 1 ]`, 'shop');
  });
  await step('sup upgrade takes up the new version: the services keep their pids', () => {
    const before = pidsOf(shop);
    call(shop, 'upgrade');
    expectThat(statusOf(shop).supervisor.version === next, 'it has the old version');
    expectSamePids(before, pidsOf(shop));
    machine.run(`rm -rf /opt/sup-${version}-linux-x64`);
    expectSamePids(before, pidsOf(shop));
  });
  await step('is shut down and removed', () => {
    call(shop, 'shutdown');
    machine.run('rm -rf /opt/sup* /usr/local/bin/sup');
    const left = machine.run('grep -l /opt/sup /proc/[0-9]*/maps 2>/dev/null; true');
    expectThat(left === '', `still in use by ${left}`);
  });
};
