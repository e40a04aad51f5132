// Whether a health check of a blue/green service asks its run's own slot, one fixed slot, or something else.

/** A check as it is declared. */
export interface DeclaredCheck {
  readonly url?: string | undefined;
  readonly command?: string | undefined;
}

interface Slotted {
  readonly slots: readonly string[];
  readonly envVar: string;
}

/** After a `$` the shell has a variable of that name. */
const PLACEHOLDER = /(?<!\$)\{(?:slot|candidate_slot|active_slot)\}/;
const OWN_SLOT = /(?<!\$)\{(?:slot|candidate_slot)\}/g;

const textOf = ({ url, command }: DeclaredCheck): string => url ?? command ?? '';

/**
 * True if the check has a placeholder of the slot, or if its command reads the slot's variable: `$PORT`,
 * `${PORT}`.
 */
export const isOfSlot = (check: DeclaredCheck, { envVar }: Pick<Slotted, 'envVar'>): boolean =>
  PLACEHOLDER.test(textOf(check)) ||
  (check.command !== undefined && new RegExp(`\\$\\{?${envVar}\\b`).test(check.command));

/** Every port that a text names: `127.0.0.1:8080`. */
const portsIn = (text: string): readonly string[] =>
  [...text.matchAll(/:(\d{2,5})(?!\d)/g)].map(([, port = '']) => port);

/** Ports that identify a slot: the slot itself, and those in its `candidate_health_check`. */
const portsOf = (slot: string, candidate: DeclaredCheck | undefined): readonly string[] => [
  slot,
  ...portsIn(textOf(candidate ?? {}).replaceAll(OWN_SLOT, slot)),
];

/** The slot that owns the fixed address in the check; wrong after the next switch. */
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
