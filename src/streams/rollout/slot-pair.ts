// The two slots of a blue/green service (for example two ports): which one is active, which one is idle, and
// whether a health check probes the slot of its run, always the same slot, or another address
// (`docs/deployments.md`, "Blue/green").
import type { Service } from '../domain/service/service.ts';
import type { BlueGreen } from '../domain/declared/spec.ts';

/** The slots that replace the placeholders of one run. */
export interface Slots {
  /** The slot of the run for which placeholders are resolved (`{slot}`). */
  readonly slot: string;
  /** The slot with the traffic (`{active_slot}`). */
  readonly active: string;
  /** The slot without the traffic (`{candidate_slot}`). */
  readonly candidate: string;
}

/**
 * Returns the slot for a candidate: the one that is not `active`; the first slot if `active` is no slot of
 * this service.
 */
export const idleSlot = ({ slots: [first, second] }: BlueGreen, active: string | undefined): string =>
  active === first ? second : first;

/** Returns the slot for a run without a rollout: `kept` if the service has that slot, else the first slot. */
const ownSlot = ({ slots }: BlueGreen, kept: string | undefined): string =>
  slots.find((slot) => slot === kept) ?? slots[0];

/** Returns the service with the slot of its next run; unchanged if it is not blue/green. */
export const slotted = (service: Service): Service => {
  const { blueGreen } = (service.revised ?? service.spec).deployment;
  if (blueGreen === undefined) return service;
  const slot = ownSlot(blueGreen, service.slot);
  return slot === service.slot ? service : { ...service, slot };
};

/**
 * Returns the slots of a service without a rollout: the slot of its run is active. `undefined` if the service
 * is not blue/green.
 */
export const slotsOf = ({ spec, slot: kept }: Pick<Service, 'spec' | 'slot'>): Slots | undefined => {
  const { blueGreen } = spec.deployment;
  if (blueGreen === undefined) return undefined;
  const slot = ownSlot(blueGreen, kept);
  return { slot, active: slot, candidate: idleSlot(blueGreen, slot) };
};

/**
 * Returns the slots of a candidate while another run has the traffic; `undefined` if the candidate is not
 * blue/green.
 */
export const candidateSlots = (
  { spec, slot: kept }: Pick<Service, 'spec' | 'slot'>,
  active: string | undefined,
): Slots | undefined => {
  const { blueGreen } = spec.deployment;
  if (blueGreen === undefined) return undefined;
  const slot = kept ?? idleSlot(blueGreen, active);
  return { slot, candidate: slot, active: active ?? idleSlot(blueGreen, slot) };
};

/**
 * Returns the slots with which `switch_command` switches the traffic back: active and candidate slot are
 * exchanged.
 */
export const exchanged = ({ active, candidate }: Slots): Slots => ({
  slot: active,
  active: candidate,
  candidate: active,
});

/** A health check as it is declared: a URL or a command. */
export interface DeclaredCheck {
  readonly url?: string | undefined;
  readonly command?: string | undefined;
}

interface Slotted {
  readonly slots: readonly string[];
  readonly envVar: string;
}

/** Matches a placeholder. `${slot}` is a shell variable, not a placeholder. */
const PLACEHOLDER = /(?<!\$)\{(?:slot|candidate_slot|active_slot)\}/;
const OWN_SLOT = /(?<!\$)\{(?:slot|candidate_slot)\}/g;

const textOf = ({ url, command }: DeclaredCheck): string => url ?? command ?? '';

/**
 * True if the check depends on the slot of its run: it has a placeholder of a slot, or its command reads the
 * variable with the slot (`$PORT`, `${PORT}`).
 */
export const isOfSlot = (check: DeclaredCheck, { envVar }: Pick<Slotted, 'envVar'>): boolean =>
  PLACEHOLDER.test(textOf(check)) ||
  (check.command !== undefined && new RegExp(`\\$\\{?${envVar}\\b`).test(check.command));

/** Returns every port in the text, for example `8080` in `127.0.0.1:8080`. */
const portsIn = (text: string): readonly string[] =>
  [...text.matchAll(/:(\d{2,5})(?!\d)/g)].map(([, port = '']) => port);

/** Returns the ports that identify a slot: the slot itself, and the ports in its `candidate_health_check`. */
const portsOf = (slot: string, candidate: DeclaredCheck | undefined): readonly string[] => [
  slot,
  ...portsIn(textOf(candidate ?? {}).replaceAll(OWN_SLOT, slot)),
];

/**
 * Returns the slot whose address the check always probes; `undefined` if there is none. Such a check probes
 * the wrong slot after the next switch.
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
