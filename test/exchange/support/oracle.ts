// Programs that read the files of a format, and so say whether `sup` understands them in the same way. Tests
// that need a missing one are left out, with one printed line; `npm run test-programs` installs all.
import { existsSync } from 'node:fs';
import { stderr } from 'node:process';
import { describe } from 'vitest';

/** The paths of the programs by their names, and the packages of Debian that have them. */
const PROGRAMS = {
  supervisord: { path: '/usr/bin/supervisord', debian: 'supervisor' },
  foreman: { path: '/usr/bin/foreman', debian: 'ruby-foreman' },
  'docker-compose': { path: '/usr/bin/docker-compose', debian: 'docker-compose' },
  'systemd-analyze': { path: '/usr/bin/systemd-analyze', debian: 'systemd' },
  crontab: { path: '/usr/bin/crontab', debian: 'cron' },
  python3: { path: '/usr/bin/python3', debian: 'python3' },
  kubectl: { path: '/usr/bin/kubectl', debian: 'kubernetes-client' },
} as const;

/** Returns `describe` for tests that run this program; if it is missing, one that leaves them out. */
export const describeWith = (name: keyof typeof PROGRAMS): typeof describe | typeof describe.skip => {
  const { path, debian } = PROGRAMS[name];
  if (existsSync(path)) return describe;
  stderr.write(`left out: tests that compare with ${name}, which is missing (Debian's package ${debian})\n`);
  return describe.skip;
};
