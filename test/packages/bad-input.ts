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

/** Damages each code cache in another way. */
const damagedCaches = (machine: Machine): void => {
  machine.run(`cd ${DIST}; mkdir /tmp/kept; cp -a *.cache /tmp/kept
    for cache in *.cache; do truncate -s 1000 $cache; done`);
  machine.run('sup validate -c /usr/share/doc/sup/examples/shop/sup.yaml');
  const doctor = machine.attempt('sup doctor').stdout;
  expectThat(doctor.includes('warning  code cache: '), `sup doctor does not warn: ${doctor}`);
  expectThat(doctor.includes('--reinstall'), `sup doctor does not say what to do: ${doctor}`);
  machine.run(`rm -f ${DIST}/*.cache; sup validate -c /usr/share/doc/sup/examples/shop/sup.yaml`);
  machine.run(`cp -a /tmp/kept/* ${DIST}; rm -rf /tmp/kept`);
};

const missingAddon = (machine: Machine, sys: Sup): void => {
  machine.run('mv /usr/lib/sup/prebuilds /usr/lib/sup/away');
  machine.run(
    'mkdir -p /etc/sup; printf "version: 3\\nprojects: {p: {services: {one: {exec: [sleep, 1000], user: nobody, working_dir: /}}}}\\n" >/etc/sup/one.yaml',
  );
  refused(machine, 'sup start --sys --daemonize -c /etc/sup/one.yaml', 'ERR0745');
  machine.attempt('sup shutdown --sys');
  machine.run('mv /usr/lib/sup/away /usr/lib/sup/prebuilds; rm /etc/sup/one.yaml; rm -rf /var/lib/sup');
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
  machine.run(`command -v xz >/dev/null || { apt-get update && apt-get install -y -q --no-install-recommends xz-utils; }
    xz -dc /packages/sup-${next}-linux-x64.tar.xz | tar -x -C /opt --no-same-owner`);
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
  await step('without the addon a service that needs it is refused, and works once it is back', () =>
    missingAddon(machine, sys),
  );
  await step('a read-only installation works', () => readOnly(machine, sys));
  await step('two versions side by side: each takes over from the other, and one is purged', () =>
    sideBySide(machine, sys, next),
  );
};
