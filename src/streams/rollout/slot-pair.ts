// The two slots of a blue/green service, for example two ports. Finds out which slot is active, which slot is
// idle, and which slot a health check probes (`docs/deployments.md`, "Blue/green").
import type { Service } from '../domain/service/service.ts';
import type { BlueGreen } from '../domain/declared/spec.ts';

/** Values for the placeholders of one run. */
export interface Slots {
  /** The slot of this run (`{slot}`). */
  readonly slot: string;
  /** The slot with the traffic (`{active_slot}`). */
  readonly active: string;
  /** The slot without the traffic (`{candidate_slot}`). */
  readonly candidate: string;
}

/**
 * Returns the slot for a new run: the slot that is not `active`. If `active` is no declared slot, this is the
 * first slot.
 */
export const idleSlot = ({ slots: [first, second] }: BlueGreen, active: string | undefined): string =>
  active === first ? second : first;

/**
 * Returns the slot of the run of a service without a rollout. This is `kept` if the slot is still declared,
 * and otherwise the first declared slot.
 */
const ownSlot = ({ slots }: BlueGreen, kept: string | undefined): string =>
  slots.find((slot) => slot === kept) ?? slots[0];

/** Returns the service. If it is blue/green, `slot` is set to the slot of its next run. */
export const slotted = (service: Service): Service => {
  const { blueGreen } = (service.revised ?? service.spec).deployment;
  if (blueGreen === undefined) return service;
  const slot = ownSlot(blueGreen, service.slot);
  return slot === service.slot ? service : { ...service, slot };
};

/** Returns the slots of a blue/green service without a rollout: the slot of its run is active. */
export const slotsOf = ({ spec, slot: kept }: Pick<Service, 'spec' | 'slot'>): Slots | undefined => {
  const { blueGreen } = spec.deployment;
  if (blueGreen === undefined) return undefined;
  const slot = ownSlot(blueGreen, kept);
  return { slot, active: slot, candidate: idleSlot(blueGreen, slot) };
};

/** Returns the slots of a blue/green candidate while another run has the traffic. */
export const candidateSlots = (
  { spec, slot: kept }: Pick<Service, 'spec' | 'slot'>,
  active: string | undefined,
): Slots | undefined => {
  const { blueGreen } = spec.deployment;
  if (blueGreen === undefined) return undefined;
  const slot = kept ?? idleSlot(blueGreen, active);
  return { slot, candidate: slot, active: active ?? idleSlot(blueGreen, slot) };
};

/** Returns the slots for switching back with `switch_command`: `active` and `candidate` are exchanged. */
export const exchanged = ({ active, candidate }: Slots): Slots => ({
  slot: active,
  active: candidate,
  candidate: active,
});

export interface DeclaredCheck {
  readonly url?: string | undefined;
  readonly command?: string | undefined;
  readonly tcp?: string | undefined;
}

interface Slotted {
  readonly slots: readonly string[];
  readonly envVar: string;
}

/** Matches a placeholder for a slot. Does not match `${slot}`, which is a shell variable. */
const PLACEHOLDER = /(?<!\$)\{(?:slot|candidate_slot|active_slot)\}/;
const OWN_SLOT = /(?<!\$)\{(?:slot|candidate_slot)\}/g;

/** Returns the address or command of the check as a text in which `:` precedes each port. */
const textOf = ({ url, command, tcp }: DeclaredCheck): string =>
  url ?? command ?? (tcp === undefined || tcp.includes(':') ? tcp : `:${tcp}`) ?? '';

/**
 * True if the check depends on the slot: it has a placeholder, or its command uses the variable in `env_var`.
 */
export const isOfSlot = (check: DeclaredCheck, { envVar }: Pick<Slotted, 'envVar'>): boolean =>
  PLACEHOLDER.test(textOf(check)) ||
  (check.command !== undefined && new RegExp(`\\$\\{?${envVar}\\b`).test(check.command));

/** Returns every port in the text: `8080` for `127.0.0.1:8080`. */
const portsIn = (text: string): readonly string[] =>
  [...text.matchAll(/:(\d{2,5})(?!\d)/g)].map(([, port = '']) => port);

/** Returns the ports that identify a slot: the slot itself, and the ports in its `candidate_health_check`. */
const portsOf = (slot: string, candidate: DeclaredCheck | undefined): readonly string[] => [
  slot,
  ...portsIn(textOf(candidate ?? {}).replaceAll(OWN_SLOT, slot)),
];

/**
 * Returns the slot that the check always probes; `undefined` if there is none. After the next switch, this
 * check probes the wrong slot.
 */
export const fixedSlotOf = (
  check: DeclaredCheck,
  candidate: DeclaredCheck | undefined,
  { slots, envVar }: Slotted,
): string | undefined => {
  if (isOfSlot(check, { envVar })) return undefined;
  const asked = portsIn(textOf(check));
  return slots.find((slot) => {
    const others = slots.filter((each) => each !== slot).flatMap((each) => portsOf(each, candidate));
    return portsOf(slot, candidate).some((port) => asked.includes(port) && !others.includes(port));
  });
};
