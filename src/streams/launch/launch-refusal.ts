// Makes an error from the reason why a service was not launched. The error names the manifest key that could
// not be applied, and says why. Some of these reasons do not disappear by waiting: they are final, and the
// service is not started again.
// Rules: `docs/behaviour.md`, "Restarting", "Refused for good".
import type { ServiceError } from '../domain/errors/error.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { StepTag } from './launch-step.ts';

type LaunchCode = Extract<ServiceError, { readonly key: string }>['code'];

export interface LaunchRefusal {
  readonly code: LaunchCode;
  readonly key: string;
  readonly detail: string;
  /** True if another attempt would fail too, because this machine cannot satisfy the declaration. */
  readonly final?: true;
}

const CODES: Readonly<Record<StepTag, LaunchCode>> = {
  landlock: 'ERR0723',
  'no-new-privileges': 'ERR0724',
  seccomp: 'ERR0724',
  namespace: 'ERR0725',
  hide: 'ERR0725',
  credentials: 'ERR0125',
  protect: 'ERR0725',
  'user-namespace': 'ERR0725',
  cgroup: 'ERR0726',
  groups: 'ERR0742',
  group: 'ERR0742',
  user: 'ERR0742',
  'inner-root': 'ERR0725',
  capabilities: 'ERR0743',
  limit: 'ERR0744',
  nice: 'ERR0744',
  'oom-score': 'ERR0744',
  cpus: 'ERR0744',
  directory: 'ERR0746',
  umask: 'ERR0744',
  terminal: 'ERR0745',
};

/**
 * The errors for which a retry would fail too. An error about a path, namespace or cgroup is not in this
 * list, because a missing path, namespace or cgroup may become available.
 */
const FINAL: ReadonlySet<LaunchCode> = new Set(['ERR0742', 'ERR0743', 'ERR0744']);

/** Returns the refusal as a final one: no later attempt is made. */
export const finalRefusal = (refusal: LaunchRefusal): LaunchRefusal => ({ ...refusal, final: true });

/** Returns the reason why the service was not launched: Linux refused this step. */
export const refusalOfStep = (
  step: StepTag,
  { key, detail }: Pick<LaunchRefusal, 'key' | 'detail'>,
): LaunchRefusal => {
  const refusal = { code: CODES[step], key, detail };
  return FINAL.has(refusal.code) ? finalRefusal(refusal) : refusal;
};

/** Returns the error of a service that was not launched. `key`: the manifest key that failed. */
export const refusalError = (
  service: ServiceId,
  { code, key, detail, final }: LaunchRefusal,
): ServiceError => ({
  code,
  service,
  key,
  detail,
  ...(final && { final }),
});
