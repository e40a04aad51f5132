import { describe, expect, it } from 'vitest';
import { joiningNetwork, programsIn } from '../../../src/streams/launch/command-as-service.ts';
import type { PlannedStep } from '../../../src/streams/launch/launch-step.ts';

const step = (kind: 'network' | 'mount'): PlannedStep => ({
  ...{ tag: 'namespace', kind, key: `isolation.${kind}` },
  mayRefuse: [],
});
const inner: PlannedStep = { tag: 'user-namespace', become: 'itself', key: 'isolation.user', mayRefuse: [] };
const process = { pid: 7, startTicks: 9 };

describe('a command beside a running service', () => {
  it('a command beside a running service joins its network and has its own other namespaces', () => {
    expect(joiningNetwork([[step('network'), step('mount')]], process)).toEqual([
      [{ ...step('network'), of: process }, step('mount')],
    ]);
  });

  it('a command beside a running service has its own network inside a user namespace', () => {
    const stages = [[inner], [step('network')]];
    expect(joiningNetwork(stages, process)).toEqual(stages);
  });
});

describe('the programs of a command line', () => {
  it.each([
    ['/srv/app/check --all', ['/srv/app/check']],
    ['MODE=fast sh -e "./prepare.sh" && curl http://x/y', ['./prepare.sh']],
    ['exec env A=1 /usr/bin/node /srv/x.js', ['/usr/bin/node', '/srv/x.js']],
    ['test -d /tmp; rm -rf /var/cache/app', []],
  ])('the programs of a command line in %s', (command, programs) => {
    expect(programsIn(command)).toEqual(programs);
  });
});
