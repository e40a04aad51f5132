// Installs the programs that tests drive and that are missing, from Debian's packages. That needs root.
// `npm run test-programs` fails if one is missing afterwards. With `--if-possible` it only says so: the tests
// that need the program are then left out.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process, { argv, env, stderr } from 'node:process';

/**
 * The paths of the programs, and Debian's packages that have them. Without a font, Chromium draws no text.
 */
const PROGRAMS = [
  { path: '/usr/bin/chromium', packages: ['chromium', 'fonts-dejavu-core'] },
  // The shells besides bash for which `sup` has completion.
  { path: '/usr/bin/zsh', packages: ['zsh'] },
  { path: '/usr/bin/fish', packages: ['fish'] },
  { path: '/usr/sbin/sshd', packages: ['openssh-server', 'openssh-client'] },
  // Programs with which the results of import and export are compared.
  { path: '/usr/bin/supervisord', packages: ['supervisor'] },
  { path: '/usr/bin/foreman', packages: ['ruby-foreman'] },
  { path: '/usr/bin/docker-compose', packages: ['docker-compose'] },
  { path: '/usr/bin/systemd-analyze', packages: ['systemd'] },
  { path: '/usr/bin/crontab', packages: ['cron'] },
  { path: '/usr/bin/python3', packages: ['python3'] },
  { path: '/usr/bin/kubectl', packages: ['kubernetes-client'] },
];

const missing = () => PROGRAMS.filter(({ path }) => !existsSync(path));

const apt = (...args) =>
  spawnSync('apt-get', ['-q', ...args], {
    encoding: 'utf8',
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/** Returns the last lines of apt-get's output if it failed. */
const failureOf = ({ status, error, stdout, stderr: errors }) =>
  status === 0
    ? undefined
    : (error?.message ?? `${stdout}${errors}`).trimEnd().split('\n').slice(-5).join('\n');

/** Installs packages. Returns the reason if this fails. */
const install = (packages) => {
  if (process.getuid() !== 0) return 'installing it needs root';
  stderr.write(`installing Debian's packages ${packages.join(', ')}, which takes about a minute\n`);
  const wanted = ['install', '-y', '--no-install-recommends', ...packages];
  if (apt(...wanted).status === 0) return undefined;
  // The lists of packages may be old or absent.
  return failureOf(apt('update')) ?? failureOf(apt(...wanted));
};

const absent = missing();
const failure = absent.length > 0 ? install(absent.flatMap(({ packages }) => packages)) : undefined;
for (const { path, packages } of missing())
  stderr.write(
    `${path} is missing (Debian's package ${packages[0]}): ${failure ?? 'it was installed elsewhere'}\n`,
  );
if (missing().length > 0 && !argv.includes('--if-possible')) process.exitCode = 1;
