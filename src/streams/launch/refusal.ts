// Why a service was not launched, as an error of its own: which key of the manifest, and what stood in its way.
import type { ServiceError } from '../domain/errors/error.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { StepTag } from './step.ts';

/** The codes of a launch that failed. */
type LaunchCode = Extract<ServiceError, { readonly key: string }>['code'];

export interface LaunchRefusal {
  readonly code: LaunchCode;
  readonly key: string;
  readonly detail: string;
}

const CODES: Readonly<Record<StepTag, LaunchCode>> = {
  landlock: 'ERR0723',
  'no-new-privileges': 'ERR0724',
  seccomp: 'ERR0724',
  namespace: 'ERR0725',
  hide: 'ERR0725',
  'user-namespace': 'ERR0725',
  cgroup: 'ERR0726',
  groups: 'ERR0742',
  group: 'ERR0742',
  user: 'ERR0742',
  'inner-root': 'ERR0725',
  capabilities: 'ERR0743',
  limit: 'ERR0744',
  nice: 'ERR0744',
  cpus: 'ERR0744',
  directory: 'ERR0746',
  umask: 'ERR0744',
  terminal: 'ERR0745',
};

/** The error of a step that the kernel refused, by the kind of the step. */
export const codeOfStep = (step: StepTag): LaunchCode => CODES[step];

/** The error of a service whose launch was refused; `key` is the one of the manifest that asked for too much. */
export const refusalError = (service: ServiceId, { code, key, detail }: LaunchRefusal): ServiceError => ({
  code,
  service,
  key,
  detail,
});
