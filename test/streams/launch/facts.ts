import type { Account } from '../../../src/streams/domain/account.ts';
import type { IsolationSpec, Privilege } from '../../../src/streams/domain/declared/spec.ts';
import type { LaunchFacts } from '../../../src/streams/launch/launch-facts.ts';

export const WEB: Account = {
  name: 'web',
  uid: 33,
  gid: 34,
  groups: [34, 40],
  home: '/var/www',
  shell: '/bin/sh',
};

/** A root supervisor on a machine with two CPUs. */
export const facts = (changes: Partial<LaunchFacts> = {}): LaunchFacts => ({
  privileged: true,
  uid: 0,
  groups: [0],
  runsAs: { supplementary: [] },
  cpus: [0, 1],
  capabilities: [0, 10],
  architecture: 'x64',
  credentialsAt: '/run/sup-credentials',
  ...changes,
});

export const privilege = (changes: Partial<Privilege>): { privilege: Privilege } => ({
  privilege: { supplementaryGroups: [], ...changes },
});

export const isolation = (changes: Partial<IsolationSpec>): IsolationSpec => ({
  network: false,
  mount: false,
  pid: false,
  user: false,
  privateDevices: false,
  privateTmp: false,
  ...changes,
});
