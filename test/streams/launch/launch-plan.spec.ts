import { describe, expect, it } from 'vitest';
import type { IsolationSpec, Privilege } from '../../../src/streams/domain/declared/spec.ts';
import type { LaunchFacts } from '../../../src/streams/launch/launch-facts.ts';
import { asksForNothing, launchPlan } from '../../../src/streams/launch/launch-plan.ts';
import type { PlannedStep, LaunchStage } from '../../../src/streams/launch/launch-step.ts';
import { specOf } from '../../support/spec.ts';
import { facts, isolation, privilege, WEB } from './facts.ts';

const planned = (
  changes: Partial<Privilege>,
  given: LaunchFacts,
  schema: 2 | 3 = 3,
): readonly LaunchStage[] => {
  const plan = launchPlan(specOf('web', { schema, ...privilege(changes) }), given);
  if (plan.tag === 'refused') throw new Error(plan.refusal.detail);
  return plan.stages;
};

/** `limit nofile ≥ 10`, `namespace network`, … */
const told = (step: PlannedStep): string => {
  switch (step.tag) {
    case 'cgroup':
      return `cgroup ${step.procs}`;
    case 'limit':
      return `limit ${step.resource} ${step.atLeast ? '≥ ' : ''}${step.value}`;
    case 'oom-score':
      return `oom-score ${step.value}`;
    case 'nice':
      return `nice ${step.value}`;
    case 'cpus':
      return `cpus ${step.cpus.join(',')}`;
    case 'namespace':
      return `namespace ${step.kind}`;
    case 'groups':
      return `groups ${step.gids.join(',')}`;
    case 'group':
      return `group ${step.gid}`;
    case 'user':
      return `user ${step.uid}${step.keep ? ' keeping' : ''}`;
    case 'capabilities':
      return `capabilities ${step.keep.join(',')}`;
    case 'directory':
      return `directory ${step.path}`;
    case 'user-namespace':
      return `user-namespace ${step.become}`;
    default:
      return step.tag;
  }
};

const words = (changes: Partial<Privilege>, given = facts()): readonly (readonly string[])[] =>
  planned(changes, given).map((stage) => stage.map(told));

const sandbox = isolation({
  seccomp: { profile: 'baseline', allow: [], deny: [], action: 'errno' },
  landlock: { roPaths: ['/usr'], rwPaths: ['/tmp'], execPaths: ['/usr/bin'] },
});
const EVERYTHING: Partial<Privilege> = {
  user: 'web',
  group: 'logs',
  supplementaryGroups: ['ssl'],
  capabilities: ['CAP_NET_BIND_SERVICE'],
  limits: { nofile: 10, nproc: 'unlimited', memlock: 0, core: 1, nice: -5, oomScoreAdj: 9, cpuAffinity: [1] },
  isolation: { ...sandbox, network: true, mount: true, pid: true },
};
const AS_WEB = { account: WEB, gid: 50, supplementary: [60] };

describe('a launch plan', () => {
  it('a launch plan is empty for a service without launch keys', () => {
    expect(planned({}, facts())).toEqual([]);
    expect(planned({ isolation: isolation({}) }, facts())).toEqual([]);
    expect(asksForNothing(specOf('web', privilege({})))).toBe(true);
    expect(asksForNothing(specOf('web', privilege({ capabilities: [] })))).toBe(false);
  });

  it('a launch plan has every step in the only order that works', () => {
    const given = facts({ runsAs: AS_WEB, cgroup: '/cg/shop:web' });
    expect(words(EVERYTHING, given)).toEqual([
      [
        'cgroup /cg/shop:web/cgroup.procs',
        'limit nofile ≥ 10',
        'limit nproc ≥ unlimited',
        'limit memlock ≥ 0',
        'limit core ≥ 1',
        'nice -5',
        'oom-score 9',
        'cpus 1',
        'namespace network',
        'namespace mount',
        'namespace pid',
        'groups 34,40,60',
        'group 50',
        'user 33 keeping',
        'capabilities 10',
        'directory /shop',
        'no-new-privileges',
        'no-new-privileges',
        'landlock',
        'limit nofile 10',
        'limit nproc unlimited',
        'limit memlock 0',
        'limit core 1',
        'no-new-privileges',
        'seccomp',
      ],
    ]);
  });

  it('a launch plan has two stages for a user namespace: root is dropped in the outer stage, all other steps are in the inner one', () => {
    const given = facts({ runsAs: AS_WEB });
    const inside = { ...EVERYTHING, isolation: isolation({ user: true, network: true }) };
    expect(words(inside, given)).toEqual([
      [
        'limit nofile ≥ 10',
        'limit nproc ≥ unlimited',
        'limit memlock ≥ 0',
        'limit core ≥ 1',
        'nice -5',
        'oom-score 9',
        'cpus 1',
        'groups 34,40,60',
        'group 50',
        'user-namespace itself',
      ],
      [
        'namespace network',
        'user 33 keeping',
        'capabilities 10',
        'directory /shop',
        'no-new-privileges',
        'limit nofile 10',
        'limit nproc unlimited',
        'limit memlock 0',
        'limit core 1',
      ],
    ]);
    const range = { first: 5000, count: 10 };
    const nobody = facts({ inside: { users: range, groups: range } });
    expect(words({ isolation: isolation({ user: true }) }, nobody)).toEqual([
      ['groups ', 'user-namespace root'],
      ['inner-root', 'directory /shop'],
    ]);
  });

  it('a launch plan never maps root to root under version 3, and does so under version 2', () => {
    const inside = { isolation: isolation({ user: true }) };
    const refused = launchPlan(specOf('web', { schema: 3, ...privilege(inside) }), facts());
    expect(refused).toMatchObject({ tag: 'refused', refusal: { code: 'ERR0725', key: 'isolation.user' } });
    const root = { name: 'root', uid: 0, gid: 0, groups: [0], home: '/root', shell: '/bin/sh' };
    const named = { user: 'root', ...inside };
    const asRoot = facts({ runsAs: { account: root, supplementary: [] } });
    expect(launchPlan(specOf('web', { schema: 3, ...privilege(named) }), asRoot)).toMatchObject({
      tag: 'refused',
      refusal: { code: 'ERR0725', key: 'isolation.user' },
    });
    expect(planned(inside, facts(), 2).flat()).toContainEqual(
      expect.objectContaining({
        tag: 'user-namespace',
        maps: {
          users: [{ inside: 0, outside: 0, count: 1 }],
          groups: [{ inside: 0, outside: 0, count: 1 }],
        },
      }),
    );
  });

  it('a launch plan keeps the groups of the supervisor if the user does not change', () => {
    const given = facts({ runsAs: { gid: 50, supplementary: [] }, groups: [0, 4] });
    expect(words({ group: 'logs' }, given)).toEqual([['groups 0,4', 'group 50', 'directory /shop']]);
    const more = facts({ runsAs: { supplementary: [60] } });
    expect(words({ supplementaryGroups: ['ssl'] }, more)).toEqual([['groups 0,60', 'directory /shop']]);
  });

  it('a launch plan drops every capability if the declaration keeps none', () => {
    expect(words({ capabilities: [] })).toEqual([['capabilities ', 'directory /shop']]);
    const given = facts({ runsAs: { account: WEB, supplementary: [] } });
    expect(words({ user: 'web', capabilities: [] }, given)).toEqual([
      [
        'groups 34,40',
        'group 34',
        'user 33 keeping',
        'capabilities ',
        'directory /shop',
        'no-new-privileges',
      ],
    ]);
  });

  it('a launch plan without root does only what needs no root', () => {
    const given = facts({ privileged: false, uid: 1000 });
    expect(words(EVERYTHING, given)[0]).toEqual([
      'limit nofile ≥ 10',
      'limit nproc ≥ unlimited',
      'limit memlock ≥ 0',
      'limit core ≥ 1',
      'nice -5',
      'oom-score 9',
      'cpus 1',
      'directory /shop',
      'no-new-privileges',
      'landlock',
      'limit nofile 10',
      'limit nproc unlimited',
      'limit memlock 0',
      'limit core 1',
      'no-new-privileges',
      'seccomp',
    ]);
    expect(words({ isolation: isolation({ user: true, network: true }) }, given)[1]).toEqual([
      'namespace network',
      'directory /shop',
    ]);
  });

  it('a launch plan sets a umask if there is a launcher, and needs no launcher for it', () => {
    const umask = (changes: Partial<Privilege>): readonly LaunchStage[] => {
      const plan = launchPlan(specOf('web', { umask: '0027', ...privilege(changes) }), facts());
      return plan.tag === 'plan' ? plan.stages : [];
    };
    expect(umask({})).toEqual([]);
    expect(umask({ limits: { core: 0 } })[0]).toContainEqual({
      ...{ tag: 'umask', mask: 0o27 },
      ...{ key: 'umask', mayRefuse: [] },
    });
  });

  it('a launch plan restricts ports without files, and files without ports', () => {
    const landlock = (changes: Partial<IsolationSpec>): PlannedStep | undefined =>
      planned({ isolation: isolation(changes) }, facts())
        .flat()
        .find(({ tag }) => tag === 'landlock');
    expect(landlock({ ports: { bind: [80] } })).toMatchObject({
      ...{ tag: 'landlock', ports: { bind: [80] } },
      key: 'isolation.ports',
    });
    expect(landlock({ ports: { bind: [80] } })).not.toHaveProperty('files');
    expect(landlock({ landlock: { roPaths: [], rwPaths: [], execPaths: [] } })).not.toHaveProperty('ports');
  });

  it('a launch plan names the manifest key in every step', () => {
    const given = facts({ runsAs: AS_WEB, cgroup: '/cg/shop:web' });
    const keys = planned(EVERYTHING, given)
      .flat()
      .map(({ key }) => key);
    expect([...new Set(keys)]).toEqual([
      'limits.cgroup',
      'limits.nofile',
      'limits.nproc',
      'limits.memlock',
      'limits.core',
      'limits.nice',
      'limits.oom_score_adj',
      'limits.cpu_affinity',
      'isolation.network',
      'isolation.mount',
      'isolation.pid',
      'supplementary_groups',
      'group',
      'user',
      'capabilities',
      'working_dir',
      'isolation.no_new_privs',
      'isolation.landlock',
      'isolation.seccomp',
    ]);
  });

  it('a launch plan tolerates a refused namespace under version 2 only', () => {
    const asked = { isolation: isolation({ network: true, user: true }) };
    const range = { first: 5000, count: 10 };
    const given = facts({ inside: { users: range, groups: range } });
    const refusals = (schema: 2 | 3): readonly number[] =>
      planned(asked, given, schema)
        .flat()
        .filter(({ tag }) => tag === 'namespace' || tag === 'user-namespace')
        .map(({ mayRefuse }) => mayRefuse.length);
    expect(refusals(3)).toEqual([0, 0]);
    expect(refusals(2)).toEqual([4, 4]);
  });

  it('a launch plan tolerates a refused cgroup join under version 2 only', () => {
    const asked = { limits: { cgroup: { root: '/cg' } } };
    const given = facts({ cgroup: '/cg/shop:web' });
    const refusals = (schema: 2 | 3): readonly string[] => planned(asked, given, schema)[0]![0]!.mayRefuse;
    expect(refusals(3)).toEqual([]);
    expect(refusals(2)).toEqual(expect.arrayContaining(['ENOTSUP', 'EACCES', 'EBUSY']));
  });

  it('a launch plan tolerates a refused limit under version 2 without root only', () => {
    const asked = { limits: { nice: -5 } };
    const refusals = (schema: 2 | 3, privileged: boolean): readonly string[] =>
      planned(asked, facts({ privileged, uid: 1000 }), schema)[0]![0]!.mayRefuse;
    expect(refusals(2, false)).toEqual(['EPERM', 'EACCES']);
    expect([refusals(2, true), refusals(3, false), refusals(3, true)]).toEqual([[], [], []]);
  });
});
