// The manifest key `capabilities`: a service keeps only the capabilities it names. Without the key, a service
// that runs as root keeps those of root. A service with a `user` has none, because the kernel drops them when
// the user changes.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';
import { usesUserNamespace } from './namespace-steps.ts';

/**
 * The names of the Linux capabilities (capabilities(7)); the index in the list is the capability's number.
 */
const NAMES = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE
  NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE
  SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL
  SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE`.split(
  /\s+/,
);

/** Returns the name `CAP_XXX` of a capability; `undefined` for a number that is not in the table. */
export const capabilityName = (capability: number): string | undefined =>
  NAMES[capability] === undefined ? undefined : `CAP_${NAMES[capability]}`;

/** Returns the number of the capability `CAP_XXX`; `undefined` for an unknown name. */
export const capabilityNumber = (name: string): number | undefined => {
  const at = NAMES.indexOf(name.replace(/^CAP_/, ''));
  return at === -1 ? undefined : at;
};

/** The number of capabilities in this table. */
export const CAPABILITIES = NAMES.length;

const numbersOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name) => capabilityNumber(name) ?? []);

/**
 * Returns the names of the capabilities that the service keeps; `undefined` if the supervisor does not change
 * them. A service with a `user` in a user namespace would have all capabilities, so it keeps none unless it
 * declares some.
 */
const keptBy = (spec: ServiceSpec, { runsAs }: LaunchFacts): readonly string[] | undefined =>
  spec.privilege.capabilities ?? (usesUserNamespace(spec) && runsAs.account !== undefined ? [] : undefined);

/**
 * Returns the step that reduces the capabilities. None for a supervisor without `--sys`, or if the service
 * keeps what the kernel leaves it.
 */
export const capabilitySteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const kept = keptBy(spec, facts);
  return kept === undefined || !facts.privileged
    ? []
    : [{ tag: 'capabilities', keep: numbersOf(kept), key: 'capabilities', mayRefuse: [] }];
};

/** Refuses a service that declares a capability which the supervisor does not have and so cannot pass on. */
export const missingCapability = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined => {
  if (!facts.privileged || usesUserNamespace(spec)) return undefined;
  const missing = (spec.privilege.capabilities ?? []).find(
    (name) => !facts.capabilities.includes(capabilityNumber(name) ?? -1),
  );
  if (missing === undefined) return undefined;
  const known = facts.capabilities.flatMap((number) => capabilityName(number) ?? []).join(', ');
  const detail = `the supervisor does not have ${missing} to give; it has ${known === '' ? 'none' : known}`;
  return { code: 'ERR0743', key: 'capabilities', detail };
};
