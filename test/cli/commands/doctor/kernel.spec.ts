import { expect, it } from 'vitest';
import { judgeKernel } from '../../../../src/cli/commands/doctor/privileged-keys.ts';

it.each([
  [
    { release: '6.18.1', landlockAbi: 7, seccomp: true, userNamespaces: true },
    'Linux 6.18.1, Landlock ABI 7, seccomp, user namespaces, tells exit statuses through a pidfd',
  ],
  [
    { release: '5.4.0', landlockAbi: 0, seccomp: false, userNamespaces: false },
    'Linux 5.4.0, no Landlock, no seccomp, no user namespaces, does not tell exit statuses through a pidfd (from Linux 6.15)',
  ],
  [
    { release: '6.14.9', seccomp: true, userNamespaces: true },
    'Linux 6.14.9, Landlock unknown, seccomp, user namespaces, does not tell exit statuses through a pidfd (from Linux 6.15)',
  ],
])('the kernel is reported as it is', (facts, says) => {
  expect(judgeKernel(facts)).toEqual({ id: 'kernel', level: 'ok', says });
});
