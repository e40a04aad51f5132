// Performs one step of a launch plan on the calling process. Throws the kernel's error if it refuses the
// step.
import { appendFileSync, writeFileSync } from 'node:fs';
import type { Libc } from '../../../os/libc/libc.ts';
import {
  installFilter,
  joinSessionKeyring,
  keepCapabilities,
  setGroupId,
  setGroups,
  setNoNewPrivileges,
  setUndumpable,
  setUserId,
} from '../../../os/libc/credentials.ts';
import {
  readLimit,
  setAffinity,
  setLimit,
  setNice,
  type LimitValue,
} from '../../../os/libc/resource-limits.ts';
import {
  bringLoopbackUp,
  enterNamespace,
  hidePlaces,
  joinNamespace,
  makeMountsPrivate,
} from '../../../os/libc/namespace-calls.ts';
import { protectMounts } from '../../../os/libc/protect-mounts.ts';
import { controlSession } from '../../../os/libc/pty.ts';
import { assemble } from '../../../streams/launch/seccomp/bpf.ts';
import type { Skipped } from '../../../streams/domain/service/service-run.ts';
import type { PlannedStep, LaunchStep, StepTag } from '../../../streams/launch/launch-step.ts';
import { errnoOf } from '../../../os/errno.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { becomeInnerRoot, keepOnly, restrict, StepRefused, useCapabilities } from './confine.ts';
import { provideCredentials } from './provide-credentials.ts';
import { enterUserNamespace } from './enter-namespace.ts';

/** Parts of a step that could not be done, although the kernel did not refuse the step. */
export type Losses = readonly Skipped[];

type Of<T extends StepTag> = Extract<LaunchStep, { tag: T }> & Pick<PlannedStep, 'key'>;
type Performer<T extends StepTag> = (libc: Libc, step: Of<T>) => Losses;

/** Wraps a step that is either done completely or refused. */
const wholly =
  <T extends StepTag>(act: (libc: Libc, step: Of<T>) => void): Performer<T> =>
  (libc, step) => {
    act(libc, step);
    return [];
  };

const asMuch = (one: LimitValue, other: LimitValue): boolean =>
  one === 'unlimited' || (other !== 'unlimited' && one >= other);

const limit = wholly<'limit'>((libc, { resource, value, atLeast }) => {
  const { soft, hard } = readLimit(libc, resource);
  if (!atLeast) setLimit(libc, resource, { soft: value, hard: value });
  else if (!asMuch(hard, value)) setLimit(libc, resource, { soft, hard: value });
});

const namespace = wholly<'namespace'>((libc, { kind, of }) => {
  if (of !== undefined) return joinNamespace(libc, kind, of);
  enterNamespace(libc, kind);
  if (kind === 'mount') makeMountsPrivate(libc);
  if (kind === 'network') bringLoopbackUp(libc);
});

const user = wholly<'user'>((libc, { uid, keep }) => {
  if (keep) keepCapabilities(libc);
  setUserId(libc, uid);
  // Until the exec, no process of the new user may inspect or change the launcher.
  setUndumpable(libc);
  // The session keyring belongs to root, so it is replaced by a new one. A refusal, such as EDQUOT if the
  // quota of the user is spent, is ignored.
  joinSessionKeyring(libc);
});

const directory = wholly<'directory'>((_, { path }) => {
  try {
    process.chdir(path);
  } catch (error) {
    throw new StepRefused('working_dir', `${path} cannot be entered (${errnoOf(error) ?? messageOf(error)})`);
  }
});

const cgroup = wholly<'cgroup'>((_, { procs }) => {
  try {
    // In `cgroup.procs`, 0 is the writing process.
    appendFileSync(procs, '0');
  } catch (error) {
    const code = errnoOf(error);
    const detail = `${procs} cannot be written (${code ?? messageOf(error)})`;
    throw new StepRefused('limits.cgroup', detail, code);
  }
});

const oomScore = wholly<'oom-score'>((_, { value }) => {
  try {
    writeFileSync('/proc/self/oom_score_adj', String(value));
  } catch (error) {
    const code = errnoOf(error);
    const detail = `oom_score_adj cannot be set to ${value} (${code ?? messageOf(error)})`;
    throw new StepRefused('limits.oom_score_adj', detail, code);
  }
});

const protect = wholly<'protect'>((libc, { parts, writable, kept }) => {
  useCapabilities(libc);
  protectMounts(libc, parts, { writable, kept });
});

const umask = wholly<'umask'>((_, { mask }) => void process.umask(mask));
const terminal = wholly<'terminal'>((libc, { descriptor }) => controlSession(libc, descriptor));

const PERFORMERS: { readonly [T in StepTag]: Performer<T> } = {
  cgroup,
  limit,
  nice: wholly((libc, { value }) => setNice(libc, value)),
  'oom-score': oomScore,
  cpus: wholly((libc, { cpus }) => setAffinity(libc, cpus)),
  namespace,
  hide: wholly((libc, { places, kept }) => hidePlaces(libc, places, kept)),
  credentials: wholly(provideCredentials),
  protect,
  terminal,
  groups: wholly((libc, { gids }) => setGroups(libc, gids)),
  group: wholly((libc, { gid }) => setGroupId(libc, gid)),
  user,
  capabilities: wholly((libc, { keep }) => keepOnly(libc, keep)),
  directory,
  umask,
  'no-new-privileges': wholly(setNoNewPrivileges),
  landlock: restrict,
  seccomp: wholly((libc, { filter }) => installFilter(libc, Buffer.from(assemble(filter)))),
  'inner-root': wholly((libc, { group }) => becomeInnerRoot(libc, group)),
  'user-namespace': enterUserNamespace,
};

export const perform = <T extends StepTag>(libc: Libc, step: { readonly tag: T } & Of<T>): Losses =>
  PERFORMERS[step.tag](libc, step);
