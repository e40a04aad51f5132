// The life of the Debian package: installed, used, upgraded while services run, removed and purged.
import type { Built } from './build.ts';
import { usesContents } from './contents.ts';
import type { Machine } from './machine.ts';
import { expectThat, type Report } from './report.ts';
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

const fileOf = (version: string): string => `/packages/sup_${version}_amd64.deb`;

/** The lines of docs/install.md. */
export const install = (machine: Machine, version: string): string =>
  machine.run(`DEBIAN_FRONTEND=noninteractive apt-get install -y ${fileOf(version)} 2>&1`);

/** Every file of the machine, without what apt and dpkg keep for themselves. */
export const filesOf = (machine: Machine): ReadonlySet<string> =>
  new Set(
    machine
      .run(
        'find / -xdev \\( -path /var/lib/dpkg -o -path /var/cache -o -path /var/lib/apt -o -path /var/log \\) -prune -o -print',
      )
      .split('\n'),
  );

const INSTALLED = [
  ...['/usr/bin/sup', '/usr/lib/sup/bin/node', '/etc/sup', '/usr/share/man/man1/sup.1.gz'],
  ...['/usr/lib/systemd/system/sup.service', '/usr/lib/systemd/user/sup.service'],
  ...['/usr/share/bash-completion/completions/sup', '/usr/share/zsh/vendor-completions/_sup'],
  '/usr/share/fish/vendor_completions.d/sup.fish',
];

export const expectNoTools = (machine: Machine): void => {
  const found = machine.attempt('command -v node npm gcc cc g++ make python3').stdout;
  expectThat(found === '', `the machine has ${found}`);
};

/** Throws unless sup runs as it was installed: with the C library, and from its code cache if it has one. */
export const expectWell = ({ machine, program }: Pick<Sup, 'machine' | 'program'>, kind: string): void => {
  const { installation } = JSON.parse(machine.run(`${program} version --json`)) as {
    readonly installation: { readonly kind: string };
  };
  expectThat(installation.kind === kind, `sup version --json: installed as ${installation.kind}`);
  const doctor = machine.attempt(`${program} doctor`).stdout;
  // A code cache fits one version of Node, so the npm package has none.
  for (const line of ['ok       ffi:', ...(kind === 'npm' ? [] : ['ok       code cache:'])])
    expectThat(doctor.includes(line), `sup doctor does not say "${line}":\n${doctor}`);
  expectThat(!doctor.includes('problem '), `sup doctor:\n${doctor}`);
};

/** Calls `sup status` again and again while another version is installed. */
export const callDuring = (machine: Machine, act: () => void): void => {
  machine.run(
    '(while [ ! -e /tmp/stop ]; do sup status --sys >/dev/null 2>/tmp/said; echo $? >>/tmp/statuses; [ ! -s /tmp/said ] || cat /tmp/said >>/tmp/errors; done) >/dev/null 2>&1 &',
  );
  act();
  machine.run('touch /tmp/stop; sleep 1');
  const strange = machine.run('grep -v "^[013]$" /tmp/statuses | sort | uniq -c || true');
  const said = machine.attempt('cat /tmp/errors').stdout;
  const untyped = said.split('\n').filter((line) => /^\s+at |^Error|^node:/.test(line));
  expectThat(strange === '' && untyped.length === 0, `exit statuses of sup status: ${strange}\n${said}`);
  machine.run('rm -f /tmp/stop /tmp/said /tmp/statuses /tmp/errors');
};

const upgraded = async (
  { sys, shop }: { sys: Sup; shop: Sup },
  { step }: Report,
  next: string,
): Promise<void> => {
  const { machine } = sys;
  const before = { pids: pidsOf(sys), shop: pidsOf(shop), supervisor: statusOf(sys).supervisor.pid };
  let said = '';
  await step('upgrades the package while services run and commands are called', () =>
    callDuring(machine, () => (said = install(machine, next))),
  );
  await step('the privileged supervisor runs the new version, with its pid and its services', () => {
    const { pid, version } = statusOf(sys).supervisor;
    expectThat(version === next && pid === before.supervisor, `version ${version}, pid ${pid}\n${said}`);
    expectSamePids(before.pids, pidsOf(sys));
  });
  await step('no line of output is lost or doubled', () => void expectWholeLog(sys));
  await step('the supervisor of a user goes on, and its status names sup upgrade', () => {
    const { version, warnings } = statusOf(shop).supervisor;
    expectThat(version !== next, `it is ${version}`);
    expectThat(
      warnings.some((text) => text.includes('sup upgrade')),
      `warnings: ${warnings.join('; ')}`,
    );
    expectThat(said.includes('as that user: sup upgrade'), `the package says: ${said}`);
  });
  await step('the user upgrades it: its services keep their pids', () => {
    call(shop, 'upgrade');
    expectThat(statusOf(shop).supervisor.version === next, 'it has the old version');
    expectSamePids(before.shop, pidsOf(shop));
  });
};

export const removed = async (sys: Sup, { step }: Report, before: ReadonlySet<string>): Promise<void> => {
  const { machine } = sys;
  await step('remove stops the privileged supervisor and its services', () => {
    machine.run('DEBIAN_FRONTEND=noninteractive apt-get remove -y sup 2>&1');
    const left = machine.run("grep -lE 'sup|counter' /proc/[0-9]*/comm 2>/dev/null | xargs -r cat; true");
    expectThat(!/sup-guardian|supervisor/.test(left), `still there: ${left}`);
    const counters = machine.run("grep -l 'sleep 0[.]02' /proc/[0-9]*/cmdline 2>/dev/null; true");
    expectThat(counters.trim() === '', `the counter still runs: ${counters}`);
  });
  await step('remove keeps the data, purge leaves no file that the package made', () => {
    machine.run('test -d /var/lib/sup');
    machine.run(
      'rm -f /etc/sup/ticks.yaml; rm -rf /home/shop; userdel shop; DEBIAN_FRONTEND=noninteractive apt-get purge -y sup 2>&1',
    );
    const own =
      /^\/(tmp|packages|proc|sys|dev|var\/lib\/systemd|var\/tmp\/systemd-private-)|^\/etc\/(passwd|shadow|group|gshadow|subuid|subgid)-?$/;
    const left = [...filesOf(machine)].filter((path) => !before.has(path) && !own.test(path));
    expectThat(left.length === 0, `left: ${left.join(' ')}`);
  });
};

const PARTS = {
  node: '/usr/lib/sup/bin/node',
  man: 'usr/share/man',
  library: '/usr/lib/sup/dist/client.js',
  directory: '/tmp/program',
};

export const debCheck = async (machine: Machine, report: Report, { version, next }: Built): Promise<void> => {
  const { step } = report;
  const sys: Sup = { machine, user: 'root', program: 'sup', more: ' --sys' };
  const shop: Sup = { machine, user: 'shop', program: 'sup', more: '' };
  await step('the machine has no Node and no compiler', () => expectNoTools(machine));
  const before = filesOf(machine);
  await step('installs with apt-get, and nothing else with it', () => {
    const said = install(machine, version);
    expectThat(said.includes('The following NEW packages will be installed:\n  sup\n'), said);
  });
  await step('it is purged before it was used, and installed again', () => {
    machine.run('DEBIAN_FRONTEND=noninteractive apt-get purge -y sup 2>&1');
    install(machine, version);
  });
  await step('program, pages, completions and units are in place, and nothing is enabled or started', () => {
    machine.run(`ls -d ${INSTALLED.join(' ')}`);
    machine.run('! ls /etc/systemd/system/*/sup.service /var/lib/sup 2>/dev/null');
  });
  await step('sup doctor finds the addon and the code cache', () => expectWell(sys, 'deb'));
  await step('a user runs the example shop', () => {
    machine.run('useradd -m -s /bin/sh shop');
    startShop(shop, '/usr/share/doc/sup/examples/shop', '/usr/lib/sup/bin');
  });
  await usesContents({ ...shop, ...PARTS }, report);
  await step('its supervisor is killed, and the services keep their pids', () =>
    killSupervisor(shop, pidsOf(shop)),
  );
  await step('the privileged supervisor runs a service of another user', () => void startCounter(sys));
  await step('it is killed, and the service keeps its pid', () => killSupervisor(sys, pidsOf(sys)));
  await upgraded({ sys, shop }, report, next);
  await step('the user ends the shop', () => void call(shop, 'shutdown'));
  await removed(sys, report, before);
};
