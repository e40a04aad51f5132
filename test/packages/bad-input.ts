// Installations that are damaged or in the way: each works, or says what to do.
import type { Built } from './build.ts';
import type { Machine } from './machine.ts';
import { expectThat, type Report } from './report.ts';
import { call, pidsOf, startCounter, type Sup } from './stack.ts';

const DIST = '/usr/lib/sup/dist';

/** Runs a command that is refused; throws unless it says each of the words. */
const refused = (machine: Machine, script: string, ...words: readonly string[]): void => {
  const { status, stdout, stderr } = machine.attempt(script);
  const said = `${stdout}${stderr}`;
  expectThat(status !== 0, `${script} was not refused: ${said}`);
  for (const word of words) expectThat(said.includes(word), `${script} does not say "${word}": ${said}`);
  expectThat(!/\n\s+at /.test(said), `${script} shows a stack: ${said}`);
};

const otherArchitecture = (machine: Machine, version: string): void => {
  machine.run(`rm -rf /tmp/arm; dpkg-deb -R /packages/sup_${version}_amd64.deb /tmp/arm
    rm -rf /tmp/arm/usr; sed -i 's/^Architecture: .*/Architecture: arm64/' /tmp/arm/DEBIAN/control
    : >/tmp/arm/DEBIAN/md5sums; dpkg-deb -b /tmp/arm /tmp/arm.deb`);
  refused(machine, 'dpkg -i /tmp/arm.deb', 'arm64', 'amd64');
  machine.run('rm -rf /tmp/arm /tmp/arm.deb; sup --version');
};

/** Ways to damage a code cache: shorten it, change a byte in it, empty it. */
const DAMAGES = [
  'truncate -s 1000 $cache',
  'printf x | dd of=$cache bs=1 seek=5000 conv=notrunc status=none',
  ': >$cache',
];

const damagedCaches = (machine: Machine): void => {
  machine.run(`cd ${DIST}; mkdir /tmp/kept; cp -a *.cache /tmp/kept`);
  for (const damage of DAMAGES) {
    machine.run(`cd ${DIST}; cp -a /tmp/kept/* .; for cache in *.cache; do ${damage}; done`);
    machine.run('sup validate -c /usr/share/doc/sup/examples/shop/sup.yaml');
  }
  const doctor = machine.attempt('sup doctor').stdout;
  expectThat(doctor.includes('warning  code cache: '), `sup doctor does not warn: ${doctor}`);
  expectThat(doctor.includes('--reinstall'), `sup doctor does not say what to do: ${doctor}`);
  machine.run(`rm -f ${DIST}/*.cache; sup validate -c /usr/share/doc/sup/examples/shop/sup.yaml`);
  machine.run(`cp -a /tmp/kept/* ${DIST}; rm -rf /tmp/kept`);
};

/** Files of the program, and a command that needs each. */
const PROGRAM = {
  'sup.core.js': 'sup status',
  'sup.rest.js': 'sup mcp </dev/null',
  'supervisor.bundle.js': 'sup start --daemonize -c /usr/share/doc/sup/examples/shop/sup.yaml',
};

const damagedProgram = (machine: Machine): void => {
  for (const [name, command] of Object.entries(PROGRAM)) {
    machine.run(`cd ${DIST}; cp -a ${name} /tmp/kept; truncate -s 1000 ${name}`);
    refused(machine, command, 'ERR0504', name, 'install it again');
    machine.run(`mv ${DIST}/${name} /tmp/cut; cd ${DIST}`);
    refused(machine, command, 'ERR0504', name, 'install it again');
    machine.run(`mv /tmp/kept ${DIST}/${name}; rm /tmp/cut`);
  }
  machine.run('sup purge --all --yes');
};

const unpack = (machine: Machine, version: string): string =>
  machine.run(`command -v xz >/dev/null || { apt-get update && apt-get install -y -q --no-install-recommends xz-utils; }
    xz -dc /packages/sup-${version}-linux-x64.tar.xz | tar -x -C /opt --no-same-owner`);

/** A tarball whose Node is for another processor: in its head is a number that no machine has. */
const otherProcessor = (machine: Machine, version: string): void => {
  const place = `/opt/sup-${version}-linux-x64`;
  unpack(machine, version);
  machine.run(`printf '\\376' | dd of=${place}/lib/sup/bin/node bs=1 seek=19 conv=notrunc status=none`);
  for (const shell of ['dash', 'bash'])
    refused(machine, `${shell} ${place}/bin/sup status`, 'ERR0504', 'x64', 'npm');
  machine.run(`rm -rf ${place}`);
};

/** Ways to lose the addon: all of it, and the end of its files. */
const LOSSES = [
  'mv /usr/lib/sup/prebuilds /usr/lib/sup/away',
  'cp -a /usr/lib/sup/prebuilds /usr/lib/sup/away; truncate -s 50000 /usr/lib/sup/prebuilds/*/*.node',
];

const withoutAddon = (machine: Machine, sys: Sup, loss: string): void => {
  machine.run(loss);
  machine.run(
    'mkdir -p /etc/sup; printf "version: 3\\nprojects: {p: {services: {one: {exec: [sleep, 1000], user: nobody, working_dir: /}}}}\\n" >/etc/sup/one.yaml',
  );
  refused(machine, 'sup start --sys --daemonize -c /etc/sup/one.yaml', 'ERR0745');
  machine.attempt('sup shutdown --sys');
  machine.run(
    'rm -rf /usr/lib/sup/prebuilds; mv /usr/lib/sup/away /usr/lib/sup/prebuilds; rm /etc/sup/one.yaml; rm -rf /var/lib/sup',
  );
  startCounter(sys);
  call(sys, 'shutdown');
};

const readOnly = (machine: Machine, sys: Sup): void => {
  machine.run('mount --bind /usr /usr && mount -o remount,bind,ro /usr');
  machine.run('! touch /usr/lib/sup/dist/x 2>/dev/null');
  expectThat(startCounter(sys).size === 1, 'the counter does not run');
  call(sys, 'upgrade');
  call(sys, 'shutdown');
  machine.run('umount -l /usr');
};

const sideBySide = (machine: Machine, sys: Sup, next: string): void => {
  unpack(machine, next);
  startCounter(sys);
  const other = { ...sys, program: `/opt/sup-${next}-linux-x64/bin/sup` };
  const before = pidsOf(sys);
  for (const each of [other, sys]) {
    call(each, 'upgrade');
    expectThat([...pidsOf(each)].join() === [...before].join(), 'the pids have changed');
  }
  call(other, 'upgrade');
  machine.run('DEBIAN_FRONTEND=noninteractive apt-get purge -y sup 2>&1');
  expectThat(
    [...pidsOf(other)].join() === [...before].join(),
    'purge of one has stopped the services of the other',
  );
  call(other, 'shutdown');
};

export const badInput = async (
  machine: Machine,
  { step }: Report,
  { version, next }: Built,
): Promise<void> => {
  const sys: Sup = { machine, user: 'root', program: 'sup', more: ' --sys' };
  machine.run(`dpkg -i /packages/sup_${version}_amd64.deb`);
  await step('a package for another architecture is refused', () => otherArchitecture(machine, version));
  await step('damaged and missing code caches: sup works, and doctor says what to do', () =>
    damagedCaches(machine),
  );
  await step('a damaged or missing file of the program is named, with what to do', () =>
    damagedProgram(machine),
  );
  await step('the Node of the tarball is for another processor: sup says what to do', () =>
    otherProcessor(machine, version),
  );
  await step(
    'without the addon, or if it is damaged, a service that needs it is refused, and works once it is back',
    () => LOSSES.forEach((loss) => withoutAddon(machine, sys, loss)),
  );
  await step('a read-only installation works', () => readOnly(machine, sys));
  await step('two versions side by side: each takes over from the other, and one is purged', () =>
    sideBySide(machine, sys, next),
  );
};
