// Checks a blue/green service for each of its slots: reports settings that fit only one slot (ERR0223), and
// health check addresses that are invalid once their placeholders are replaced. Without these checks, a
// mistake would show only in a rollout (`docs/manifest.md`, "health_check").
import { placeholderIn } from './misread-texts.ts';
import { written } from './report-ignored-keys.ts';
import { quoted } from './problem-report.ts';
import { isHttpUrl, tcpTrouble, urlTrouble } from '../decode/scalars/addresses.ts';
import type { deployment } from '../decode/deployment-object.ts';
import {
  reportAt,
  reportAtKey,
  type DecodeContext,
  type Spot,
  spotBelow,
  type ValueOf,
} from '../decode/shapes/decoder.ts';
import { tcpAddress } from '../../streams/domain/service/port.ts';
import { fixedSlotOf, type DeclaredCheck } from '../../streams/rollout/slot-pair.ts';
import { filledInstance } from '../../streams/rollout/instance-specs.ts';
import { filler } from '../../streams/rollout/placeholders.ts';

type Deployment = ValueOf<typeof deployment>;

/**
 * Warns if `env` sets the variable that holds the slot, because each run overwrites it. `spot`: the service.
 */
export const warnOfSlot = ({ blueGreen: slots }: Deployment, spot: Spot, context: DecodeContext): void => {
  if (slots === undefined || !Object.hasOwn(context.scope.env.vars, slots.envVar)) return;
  reportAtKey(spotBelow(spotBelow(spot, 'deployment'), 'blue_green'), context, {
    code: 'ERR0223',
    severity: 'warning',
    message: `${slots.envVar} of env has no effect: it is set to the slot`,
  });
};

const keyOfCheck = ({ url, tcp }: DeclaredCheck): string => {
  if (url !== undefined) return 'url';
  return tcp === undefined ? 'command' : 'tcp';
};

/**
 * Reports a `health_check` with the fixed address of one slot: as a warning with version 2, as an error with
 * version 3.
 */
export const refuseFixedSlot = (
  { healthCheck: check, blueGreen: slots }: Deployment,
  spot: Spot,
  context: DecodeContext,
): void => {
  if (check === undefined || slots === undefined) return;
  const at = spotBelow(spotBelow(spot, 'deployment'), 'health_check');
  refuseFixed(check, slots, { at, context });
  if (check.liveness !== undefined)
    refuseFixed(check.liveness, slots, { at: spotBelow(at, 'liveness'), context });
};

const refuseFixed = (
  check: DeclaredCheck,
  slots: NonNullable<Deployment['blueGreen']>,
  { at, context }: { readonly at: Spot; readonly context: DecodeContext },
): void => {
  const slot = fixedSlotOf(check, slots.candidateHealthCheck, slots);
  if (slot === undefined) return;
  reportAtKey(spotBelow(at, keyOfCheck(check)), context, {
    code: 'ERR0223',
    ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    message: `asks slot ${slot} at its fixed address, also when the other slot has the traffic`,
    hint: 'write {slot} where the slots differ',
  });
};

/** A key of a health check with an address as value, and the rule for this address. */
interface Addressed {
  readonly key: 'url' | 'tcp';
  readonly isFit: (text: string) => boolean;
  readonly trouble: (text: string) => string;
}

const ADDRESSED: readonly Addressed[] = [
  { key: 'url', isFit: isHttpUrl, trouble: urlTrouble },
  { key: 'tcp', isFit: (text) => tcpAddress(text) !== undefined, trouble: tcpTrouble },
];

const addressesOf = ({ healthCheck: check, blueGreen: slots }: Deployment, key: Addressed['key']) =>
  [
    [`deployment.health_check.${key}`, check?.[key]],
    [`deployment.health_check.liveness.${key}`, check?.liveness?.[key]],
    [`deployment.blue_green.candidate_health_check.${key}`, slots?.candidateHealthCheck?.[key]],
    [`deployment.blue_green.switch_verify.${key}`, slots?.switchVerify?.[key]],
  ] as const;

interface Filling {
  readonly name: string;
  readonly slots: readonly string[] | undefined;
  readonly replicas: number | undefined;
  readonly isFit: Addressed['isFit'];
}

/** Returns the text with its placeholders replaced: for each slot, or for the first and the last instance. */
const filledTexts = (text: string, { name, slots, replicas }: Filling): readonly string[] => {
  if (replicas !== undefined) return [1, replicas].map((instance) => filledInstance(text, instance));
  return slots?.map((slot) => filler(name, { slot, candidate: slot, active: slot })(text)) ?? [text];
};

/**
 * Returns the first filled-in text that is invalid. A slot placeholder without slots is reported elsewhere.
 */
const unfitOf = (text: string, filling: Filling): string | undefined =>
  filling.slots === undefined && placeholderIn(text) !== undefined
    ? undefined
    : filledTexts(text, filling).find((each) => !filling.isFit(each));

interface Wrong {
  readonly text: string;
  readonly trouble: string;
  readonly slots: readonly string[] | undefined;
}

const messageOf = (unfit: string, { text, trouble, slots }: Wrong): string => {
  const origin = slots === undefined ? 'the number of an instance makes' : 'the slots make';
  return `${quoted(unfit)} ${trouble}${unfit === text ? '' : `; ${origin} it of ${quoted(text)}`}`;
};

interface Service {
  readonly deployment: Deployment;
  readonly replicas?: number;
}

/** Refuses invalid URLs and TCP addresses of a service. `spot`: the service. */
export const refuseUnfitAddresses = (declared: Service, spot: Spot, context: DecodeContext): void => {
  for (const addressed of ADDRESSED) refuseUnfit(addressed, { declared, spot, context });
};

const refuseUnfit = (
  { key: kind, isFit, trouble }: Addressed,
  { declared, spot, context }: { declared: Service; spot: Spot; context: DecodeContext },
): void => {
  const name = spot.path.slice(spot.path.lastIndexOf('.') + 1);
  const { deployment: rollouts, replicas } = declared;
  const slots = rollouts.blueGreen?.slots;
  for (const [key, text] of addressesOf(rollouts, kind)) {
    const at = written(spot, key);
    if (text === undefined || at === undefined) continue;
    const unfit = unfitOf(text, { name, slots, replicas, isFit });
    if (unfit === undefined) continue;
    const message = messageOf(unfit, { text, trouble: trouble(unfit), slots });
    reportAt(at, context, { code: 'ERR0213', message });
  }
};
