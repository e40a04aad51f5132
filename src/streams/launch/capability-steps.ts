// The key `capabilities`: a service keeps only the capabilities that the key names. Without the key, a
// service that runs as root keeps the capabilities of the supervisor. A service with another user has no
// capabilities, because Linux drops them when the user changes. With schema 3, the bounding set of this
// service is emptied, too.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { isAnotherByDefault } from './identity-steps.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';
import { usesUserNamespace } from './namespace-steps.ts';

/** The Linux capabilities (capabilities(7)). The index of a name is the number of the capability. */
const NAMES = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE
  NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE
  SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL
  SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE`.split(
  /\s+/,
);

/** Returns the name `CAP_XXX` of a capability; `undefined` if the number is not known. */
export const capabilityName = (capability: number): string | undefined =>
  NAMES[capability] === undefined ? undefined : `CAP_${NAMES[capability]}`;

/** Returns the number of the capability `CAP_XXX`; `undefined` if the name is not known. */
export const capabilityNumber = (name: string): number | undefined => {
  const at = NAMES.indexOf(name.replace(/^CAP_/, ''));
  return at === -1 ? undefined : at;
};

export const CAPABILITIES = NAMES.length;

const numbersOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name) => capabilityNumber(name) ?? []);

/**
 * Returns the capabilities that the service keeps; `undefined` if Linux alone decides, so that no step is
 * needed. The default is none for a service with schema 3 that does not run as root, so that a set-user-ID
 * program gets no capabilities either, and for a service with a user in a user namespace.
 */
const keptBy = (spec: ServiceSpec, facts: LaunchFacts): readonly string[] | undefined => {
  const isInside = usesUserNamespace(spec) && facts.runsAs.account !== undefined;
  return spec.privilege.capabilities ?? (isInside || isAnotherByDefault(spec, facts) ? [] : undefined);
};

/** Returns the step that reduces the capabilities. Only a supervisor with `--sys` applies it. */
export const capabilitySteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const kept = keptBy(spec, facts);
  return kept === undefined || !facts.privileged
    ? []
    : [{ tag: 'capabilities', keep: numbersOf(kept), key: 'capabilities', mayRefuse: [] }];
};

/** Refuses a service that declares a capability which the supervisor does not have. */
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
