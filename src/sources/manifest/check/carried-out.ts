// What a manifest may ask for and nobody carries out, one row per key: it warns under version 2 and refuses under
// version 3. Whoever builds it deletes its row here, and its line of docs/manifest.md (a test holds the two together).
import type { ProblemCode } from '../../../streams/domain/manifest-code.ts';

export interface NotCarriedOut {
  readonly in: 'manifest' | 'service';
  /** Below that object: `limits.nice`. */
  readonly key: string;
  /** Values that ask for nothing. */
  readonly unless?: readonly string[];
  readonly code: ProblemCode;
  /** What is said of it, and what happens instead. */
  readonly told: string;
  /** `sys`: only where a privileged supervisor was asked for; without one ERR0705 speaks. */
  readonly mode: 'any' | 'sys';
  /** Under version 2; version 3 refuses. */
  readonly two: 'warns' | 'refuses';
}

const NOT_YET = 'is not carried out yet';

const row = (
  place: NotCarriedOut['in'],
  key: string,
  { instead, unless }: { readonly instead: string; readonly unless?: readonly string[] },
): NotCarriedOut => ({
  in: place,
  key,
  ...(unless && { unless }),
  code: 'ERR0223',
  told: `${NOT_YET}: ${instead}`,
  mode: 'any',
  two: 'warns',
});

const privileged = (
  key: string,
  code: ProblemCode,
  more: Partial<Pick<NotCarriedOut, 'told' | 'unless' | 'two'>> = {},
): NotCarriedOut => ({ in: 'service', key, code, told: NOT_YET, mode: 'sys', two: 'warns', ...more });

/** Taken for granted, it would let a service run with the rights of root. */
const identity = (key: string, instead: string): NotCarriedOut =>
  privileged(key, 'ERR0741', { told: `${NOT_YET}: ${instead}`, two: 'refuses' });

const unlessOff = { unless: ['false'] };
const neverApplied = { told: 'is never applied' };
const unsampled = { instead: 'nothing is sampled' };

export const NOT_CARRIED_OUT: readonly NotCarriedOut[] = [
  row('manifest', 'status.snapshot_mode', { instead: 'status is always read live', unless: ['summary'] }),
  row('manifest', 'status.snapshot_interval_secs', { instead: 'status is always read live' }),
  row('manifest', 'metrics.retention_minutes', unsampled),
  row('manifest', 'metrics.sample_interval_secs', unsampled),
  row('manifest', 'metrics.max_memory_bytes', unsampled),
  row('manifest', 'metrics.spillover_path', unsampled),
  row('manifest', 'metrics.spillover_max_bytes', unsampled),
  row('manifest', 'metrics.spillover_segment_bytes', unsampled),
  row('service', 'spawn.mode', { instead: 'the service cannot ask for children', unless: ['static'] }),
  row('service', 'spawn.limits', { instead: 'children are neither counted nor limited' }),
  identity('user', 'the service would run as root'),
  identity('group', 'the service would run in the group of root'),
  identity('supplementary_groups', 'the service would run with the groups of root'),
  identity('capabilities', 'the service would run with every capability'),
  privileged('limits.nofile', 'ERR0741'),
  privileged('limits.nproc', 'ERR0741'),
  privileged('limits.memlock', 'ERR0741'),
  privileged('limits.nice', 'ERR0741'),
  privileged('limits.cpu_affinity', 'ERR0741'),
  privileged('limits.cgroup', 'ERR0721'),
  privileged('isolation.network', 'ERR0721', unlessOff),
  privileged('isolation.mount', 'ERR0721', unlessOff),
  privileged('isolation.pid', 'ERR0721', unlessOff),
  privileged('isolation.user', 'ERR0721', unlessOff),
  privileged('isolation.seccomp', 'ERR0722'),
  privileged('isolation.landlock', 'ERR0722'),
  privileged('isolation.apparmor_profile', 'ERR0721', neverApplied),
  privileged('isolation.selinux_context', 'ERR0721', neverApplied),
  privileged('isolation.private_devices', 'ERR0721', { ...neverApplied, ...unlessOff }),
  privileged('isolation.private_tmp', 'ERR0721', { ...neverApplied, ...unlessOff }),
];
