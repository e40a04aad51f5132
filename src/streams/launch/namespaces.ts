// `isolation.network`, `mount`, `pid`, `user`. A namespace that the kernel refuses is passed over under version 2 and
// refuses the service under version 3. Without root they are to be had inside a user namespace of one's own only.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './facts.ts';
import type { PlannedStep } from './step.ts';

const KINDS = ['network', 'mount', 'pid'] as const;

/** What the kernel says when it does not grant a namespace; the last two are its caps on their number and nesting. */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/** A first launcher makes it then, and a second one does the rest within. */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/** One for each kind that is asked for; without root only within a user namespace of its own. */
export const namespaceSteps = (spec: ServiceSpec, { privileged }: LaunchFacts): readonly PlannedStep[] => {
  const { isolation } = spec.privilege;
  if (isolation === undefined || !(privileged || isolation.user)) return [];
  return KINDS.filter((kind) => isolation[kind]).map((kind) => ({
    tag: 'namespace',
    kind,
    key: `isolation.${kind}`,
    mayRefuse: refusals(spec),
  }));
};

/** A service with a user of its own stays that user in there; any other is root there, and what it was outside. */
export const enterUserNamespace = (spec: ServiceSpec, { runsAs }: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: runsAs.account === undefined ? 'root' : 'itself',
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});
