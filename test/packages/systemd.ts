// The Debian package on a machine that systemd has booted: the units start, restart, reload and stop supervisors, and the
// package upgrades a supervisor that systemd started.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Built } from './build.ts';
import { callDuring, filesOf, install, removed } from './deb.ts';
import { startMachine, type Machine, type Start } from './machine.ts';
import { expectThat, type Report } from './report.ts';
import { until } from './shell.ts';
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

/** Makes a cgroup for the machine; `undefined` if there is no cgroup v2 hierarchy. */
export const newCgroup = (): string | undefined => {
  const mount = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((line) => line.includes(' - cgroup2 '));
  if (mount === undefined) return undefined;
  const path = mkdtempSync(join(mount.split(' ')[4] ?? '', 'sup-packages-'));
  // It is the root of the hierarchy in the machine, which users must be able to read.
  chmodSync(path, 0o755);
  return path;
};

const removeTree = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(path, entry.name));
  rmdirSync(path);
};

/** Removes a cgroup with those in it, once the processes that were killed are gone. */
export const removeCgroup = async (path: string): Promise<void> => {
  await until('the cgroup is empty', () =>
    readFileSync(join(path, 'cgroup.events'), 'utf8').includes('populated 0'),
  );
  removeTree(path);
};

/** How a unit is called: that of the machine, or that of a user, whose manager is where its session says. */
interface Unit {
  readonly sup: Sup;
  readonly control: (words: string) => string;
  /** What `systemctl show` says. */
  readonly show: (property: string) => string;
}

const unitOf = (sup: Sup, systemctl: string): Unit => {
  const control = (words: string): string => sup.machine.run(`${systemctl} ${words} 2>&1`, sup.user);
  return { sup, control, show: (property) => control(`show --property=${property} --value sup`).trim() };
};

const SESSION = 'XDG_RUNTIME_DIR=/run/user/$(id -u)';

const unitsIn = (machine: Machine): { readonly sys: Unit; readonly user: Unit } => ({
  sys: unitOf({ machine, user: 'root', program: 'sup', more: ' --sys' }, 'systemctl'),
  user: unitOf({ machine, user: 'shop', program: `${SESSION} sup`, more: '' }, `${SESSION} systemctl --user`),
});

/** Throws unless the supervisor is the main process of its unit, and `sup boot status` says so. */
const expectOfUnit = ({ sup, show }: Unit): void => {
  const { pid: own } = statusOf(sup).supervisor;
  expectThat(show('MainPID') === String(own), `the unit has pid ${show('MainPID')}, sup has ${own}`);
  const said = call(sup, 'boot status');
  for (const words of ['/usr/lib/systemd/', 'enabled: ', 'was started by it'])
    expectThat(said.includes(words), `sup boot status does not say "${words}": ${said}`);
};

const started = async ({ sys, user }: { sys: Unit; user: Unit }, { step }: Report): Promise<void> => {
  const { machine } = sys.sup;
  await step('the units are valid and disabled, and sup boot status knows that of the machine', () => {
    machine.run('systemd-analyze verify --man=no sup.service');
    expectThat(
      machine.attempt('systemctl is-enabled sup').stdout.trim() === 'disabled',
      'it is not disabled',
    );
    const { status, stdout } = machine.attempt('sup boot status --sys');
    expectThat(status === 1 && stdout.includes('not enabled'), `sup boot status: ${stdout}`);
  });
  await step('systemctl enable --now starts the privileged supervisor, which takes commands at once', () => {
    sys.control('enable --now sup');
    startCounter(sys.sup);
    expectOfUnit(sys);
  });
  await step("a user's unit starts the supervisor of the user, which runs the example shop", async () => {
    machine.run('useradd -m -s /bin/sh shop && loginctl enable-linger shop');
    await until(
      'the manager of the user runs',
      () => machine.attempt(`${SESSION} systemctl --user is-system-running`, 'shop').status === 0,
    );
    // The services of the shop need Node in the PATH of their supervisor.
    const dropIn = '/home/shop/.config/systemd/user/sup.service.d/path.conf';
    machine.run(
      `install -D /dev/stdin ${dropIn} <<end
[Service]
Environment=PATH=/usr/lib/sup/bin:/usr/bin:/bin
end`,
      'shop',
    );
    user.control('daemon-reload');
    user.control('enable --now sup');
    startShop(user.sup, '/usr/share/doc/sup/examples/shop', '/usr/lib/sup/bin');
    expectOfUnit(user);
  });
  for (const [name, unit] of Object.entries({ privileged: sys, user }))
    await step(
      `the ${name} supervisor is killed: systemd starts another one, services keep pids`,
      async () => {
        await killSupervisor(unit.sup, pidsOf(unit.sup));
        expectOfUnit(unit);
      },
    );
};

const upgraded = async (
  { sys, user }: { sys: Unit; user: Unit },
  { step }: Report,
  next: string,
): Promise<void> => {
  const { machine } = sys.sup;
  const before = [sys, user].map((unit) => ({ pids: pidsOf(unit.sup), main: unit.show('MainPID') }));
  const expectNext = (unit: Unit, at: number): void => {
    expectThat(statusOf(unit.sup).supervisor.version === next, 'it has the old version');
    expectThat(unit.show('MainPID') === before[at]?.main, 'its pid has changed');
    expectSamePids(before[at]?.pids ?? new Map(), pidsOf(unit.sup));
    expectOfUnit(unit);
  };
  await step('the package is upgraded: the privileged supervisor of systemd takes up the new program', () => {
    callDuring(machine, () => void install(machine, next));
    expectNext(sys, 0);
    expectWholeLog(sys.sup);
  });
  await step('sup upgrade of the user: the supervisor of systemd takes up the new program', () => {
    call(user.sup, 'upgrade');
    expectNext(user, 1);
  });
};

const served = async (sys: Unit, { step }: Report): Promise<void> => {
  const { machine } = sys.sup;
  await step('systemctl reload takes up a changed manifest', async () => {
    machine.run("sed -i 's/restart_policy: always/restart_policy: never/' /etc/sup/ticks.yaml");
    const before = pidsOf(sys.sup);
    sys.control('reload sup');
    await until('the supervisor has taken it up', () =>
      call(sys.sup, 'logs --supervisor -n 20').includes('took up without a restart: restart_policy'),
    );
    expectSamePids(before, pidsOf(sys.sup));
  });
  await step('systemctl stop stops its services, and start brings them back', async () => {
    sys.control('stop sup');
    const left = machine.run("grep -l 'sleep 0[.]02' /proc/[0-9]*/cmdline 2>/dev/null; true");
    expectThat(left === '' && sys.show('Result') === 'success', `left: ${left}; ${sys.show('Result')}`);
    sys.control('start sup');
    await until('the counter runs', () => pidsOf(sys.sup).has('counter'));
  });
  await step('sup boot disables and enables the unit of the package, and writes none', () => {
    for (const [word, state] of Object.entries({ remove: 'disabled', install: 'enabled' })) {
      call(sys.sup, `boot ${word} --yes`);
      expectThat(machine.attempt('systemctl is-enabled sup').stdout.trim() === state, `it is not ${state}`);
    }
    expectThat(!existsSync(join(machine.root, 'etc/systemd/system/sup.service')), 'there is another unit');
  });
};

interface Life {
  readonly start: Start;
  /** Another one after each boot. */
  machine: Machine;
}

const rebooted = async (life: Life, { step }: Report): Promise<void> => {
  await step('the machine is shut down and boots again: supervisors and services start with it', async () => {
    await life.machine.stop('systemctl poweroff');
    life.machine = await startMachine(life.start);
    const { sys, user } = unitsIn(life.machine);
    await until('the counter runs', () => pidsOf(sys.sup).has('counter'));
    await until('the shop runs', () => ['api', 'worker', 'site'].every((name) => pidsOf(user.sup).has(name)));
    for (const unit of [sys, user]) expectOfUnit(unit);
  });
};

const lived = async (life: Life, report: Report, { version, next }: Built): Promise<void> => {
  const before = filesOf(life.machine);
  await report.step('installs with apt-get, and starts nothing', () => {
    install(life.machine, version);
    expectThat(life.machine.attempt('systemctl is-active sup').stdout.trim() === 'inactive', 'it is active');
  });
  const units = unitsIn(life.machine);
  await started(units, report);
  await upgraded(units, report, next);
  await served(units.sys, report);
  await rebooted(life, report);
  const { sys, user } = unitsIn(life.machine);
  await report.step('the user disables the unit, and ends the supervisor', () => {
    user.control('disable --now sup');
    expectThat(user.show('Result') === 'success', user.show('Result'));
    life.machine.run('loginctl disable-linger shop; loginctl terminate-user shop');
  });
  await removed(sys.sup, report, before);
};

export const systemdCheck = async (start: Start, report: Report, built: Built): Promise<void> => {
  let life: Life;
  try {
    life = { start, machine: await startMachine(start) };
  } catch (error) {
    report.leaveOut(`systemd does not boot on this machine: ${String(error)}`);
    return;
  }
  try {
    await lived(life, report, built);
  } finally {
    await life.machine.end();
  }
};
