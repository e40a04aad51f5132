// The tests with Debian's sshd. They are left out, with one printed line, if it is missing.
import { existsSync } from 'node:fs';

/** Debian's package openssh-server. `npm run test-programs` installs it. */
export const SSHD = '/usr/sbin/sshd';

/** The patterns of the test files to leave out: none with sshd. */
export const withoutSshd = (): readonly string[] => {
  if (existsSync(SSHD)) return [];
  process.stderr.write('left out: the tests of --host, which need sshd (as root: npm run test-programs)\n');
  return ['test/scenarios/host/**'];
};
