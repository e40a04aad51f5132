import { describe, expect, it } from 'vitest';
import type { Privilege } from '../../../src/streams/domain/declared/spec.ts';
import type { LaunchFacts } from '../../../src/streams/launch/launch-facts.ts';
import { asksForNothing, launchPlan } from '../../../src/streams/launch/launch-plan.ts';
import type { LaunchStage } from '../../../src/streams/launch/launch-step.ts';
import {
  credentialsPlace,
  credentialVariables,
} from '../../../src/streams/launch/mounts/credential-steps.ts';
import { specOf } from '../../support/spec.ts';
import { facts, isolation, privilege, WEB } from './facts.ts';

const CREDENTIALS = { credentials: { db: '/etc/db' } };
const PLACE = '/run/sup-credentials';

const specWith = (changes: Partial<Privilege>) => specOf('web', { schema: 3, ...privilege(changes) });

const planned = (changes: Partial<Privilege>, given: LaunchFacts = facts()): readonly LaunchStage[] => {
  const plan = launchPlan(specWith({ ...CREDENTIALS, ...changes }), given);
  if (plan.tag === 'refused') throw new Error(plan.refusal.detail);
  return plan.stages;
};

const tagsOf = (stages: readonly LaunchStage[]): readonly (readonly string[])[] =>
  stages.map((stage) => stage.map(({ tag }) => tag));

const stepOf = (stages: readonly LaunchStage[]) => stages.flat().find(({ tag }) => tag === 'credentials');

describe('credentials of a launch', () => {
  it('credentials are mounted before the data directory is hidden and the user changes', () => {
    const hidden = { places: ['/data'], kept: [], hasLauncher: false };
    const stages = planned({ user: 'web' }, facts({ runsAs: { account: WEB, supplementary: [] }, hidden }));
    const [tags = []] = tagsOf(stages);
    expect(tags.slice(0, 5)).toEqual(['credentials', 'hide', 'groups', 'group', 'user']);
    expect(stepOf(stages)).toMatchObject({
      place: PLACE,
      files: [{ name: 'db', file: '/etc/db' }],
      owner: { uid: 33, gid: 34 },
      sys: true,
      mayRefuse: [],
    });
  });

  it('credentials belong to the group that the service names, and to root if it names no user', () => {
    const named = { runsAs: { account: WEB, gid: 7, supplementary: [] } };
    expect(stepOf(planned({ user: 'web' }, facts(named)))).toMatchObject({ owner: { uid: 33, gid: 7 } });
    expect(stepOf(planned({}))).toMatchObject({ owner: { uid: 0, gid: 0 } });
  });

  it('with --sys credentials are mounted outside the user namespace, for the ids that its root has outside', () => {
    const inside = { users: { first: 1000, count: 9 }, groups: { first: 2000, count: 9 } };
    const stages = planned({ isolation: isolation({ user: true }) }, facts({ inside }));
    expect(tagsOf(stages).map((tags) => tags.includes('credentials'))).toEqual([true, false]);
    expect(stepOf(stages)).toMatchObject({ owner: { uid: 1000, gid: 2000 } });
  });

  it('without root credentials are mounted inside the user namespace, and stay visible in the hidden data directory', () => {
    const place = '/data/run/credentials';
    const hidden = { places: ['/data'], kept: [], hasLauncher: false };
    const rootless = facts({ privileged: false, uid: 1000, credentialsAt: place, hidden });
    const stages = planned({ isolation: isolation({ user: true, pid: true }) }, rootless);
    const [, tags = []] = tagsOf(stages);
    expect(tags.slice(0, 3)).toEqual(['namespace', 'credentials', 'hide']);
    expect(stepOf(stages)).not.toHaveProperty('owner');
    expect(stages.flat().find(({ tag }) => tag === 'hide')).toMatchObject({ kept: [place] });
  });

  it('credentials stay visible with protect and readable with Landlock, although no path in the manifest names them', () => {
    const stages = planned({
      isolation: isolation({
        protect: { tmp: 'private' },
        landlock: { roPaths: ['/usr'], rwPaths: [], execPaths: [] },
      }),
    }).flat();
    expect(stages.find(({ tag }) => tag === 'protect')).toMatchObject({
      kept: expect.arrayContaining([PLACE]) as string[],
    });
    expect(stages.find(({ tag }) => tag === 'landlock')).toMatchObject({
      files: {
        rules: expect.arrayContaining([{ path: PLACE, grant: 'read', key: 'credentials' }]) as object[],
      },
    });
  });

  it('a launch plan has only the paths of credentials, and their step gives the variable to the process', () => {
    expect(credentialVariables(planned({}))).toEqual({ CREDENTIALS_DIRECTORY: PLACE });
    expect(credentialVariables([])).toEqual({});
  });

  it('a supervisor that can make no mount namespace refuses credentials without a retry', () => {
    const plan = launchPlan(specWith(CREDENTIALS), facts({ privileged: false, uid: 1000 }));
    expect(plan).toMatchObject({
      tag: 'refused',
      refusal: {
        code: 'ERR0125',
        key: 'credentials',
        final: true,
        detail: expect.stringMatching(/--sys/) as string,
      },
    });
  });

  it('a service with credentials needs a launcher', () => {
    expect(asksForNothing(specWith(CREDENTIALS))).toBe(false);
  });

  it('the directory of credentials is one that every user can reach, or is in the data directory', () => {
    expect(credentialsPlace('/data', { sys: true })).toBe(PLACE);
    expect(credentialsPlace('/data', { sys: false })).toBe('/data/run/credentials');
  });
});

describe('the state directory in a launch', () => {
  it('the state directory stays visible and writable, although no path in the manifest names it', () => {
    const restricted = isolation({
      protect: { system: 'read_only' },
      landlock: { roPaths: ['/usr'], rwPaths: [], execPaths: [] },
    });
    const spec = specOf('web', { schema: 3, stateDir: '/data/web', ...privilege({ isolation: restricted }) });
    const hidden = { places: ['/data'], kept: [], hasLauncher: false };
    const plan = launchPlan(spec, facts({ hidden }));
    const steps = plan.tag === 'plan' ? plan.stages.flat() : [];
    expect(steps.find(({ tag }) => tag === 'hide')).toMatchObject({ kept: ['/data/web'] });
    expect(steps.find(({ tag }) => tag === 'protect')).toMatchObject({
      writable: ['/data/web'],
      kept: expect.arrayContaining(['/data/web']) as string[],
    });
    expect(steps.find(({ tag }) => tag === 'landlock')).toMatchObject({
      files: {
        rules: expect.arrayContaining([{ path: '/data/web', grant: 'write', key: 'state_dir' }]) as object[],
      },
    });
  });
});
