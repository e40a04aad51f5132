// Checks the settings of a blue/green service for each slot: what fits only one slot (ERR0223), and health
// check URLs with their placeholders replaced. Otherwise a mistake would show only in a rollout
// (`docs/manifest.md`, "health_check").
import { placeholderIn } from './misread-texts.ts';
import { written } from './report-ignored-keys.ts';
import { quoted } from './problem-report.ts';
import { isHttpUrl, urlTrouble } from '../decode/scalars/addresses.ts';
import type { deployment } from '../decode/deployment-object.ts';
import {
  reportAt,
  reportAtKey,
  type DecodeContext,
  type Spot,
  spotBelow,
  type ValueOf,
} from '../decode/shapes/decoder.ts';
import { fixedSlotOf } from '../../streams/rollout/slot-pair.ts';
import { filler } from '../../streams/rollout/placeholders.ts';

type Deployment = ValueOf<typeof deployment>;

/** Warns if `env` sets the variable for the slot, which each run overwrites. `spot`: the service. */
export const warnOfSlot = ({ blueGreen: slots }: Deployment, spot: Spot, context: DecodeContext): void => {
  if (slots === undefined || !Object.hasOwn(context.scope.env.vars, slots.envVar)) return;
  reportAtKey(spotBelow(spotBelow(spot, 'deployment'), 'blue_green'), context, {
    code: 'ERR0223',
    severity: 'warning',
    message: `${slots.envVar} of env has no effect: it is set to the slot`,
  });
};

/** Reports a `health_check` of one slot's fixed address: a warning with version 2, an error with 3. */
export const refuseFixedSlot = (
  { healthCheck: check, blueGreen: slots }: Deployment,
  spot: Spot,
  context: DecodeContext,
): void => {
  if (check === undefined || slots === undefined) return;
  const slot = fixedSlotOf(check, slots.candidateHealthCheck, slots);
  if (slot === undefined) return;
  const at = spotBelow(spotBelow(spot, 'deployment'), 'health_check');
  reportAtKey(spotBelow(at, check.url === undefined ? 'command' : 'url'), context, {
    code: 'ERR0223',
    ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    message: `asks slot ${slot} at its fixed address, also when the other slot has the traffic`,
    hint: 'write {slot} where the slots differ',
  });
};

const urlsOf = ({ healthCheck: check, blueGreen: slots }: Deployment) =>
  [
    ['deployment.health_check.url', check?.url],
    ['deployment.blue_green.candidate_health_check.url', slots?.candidateHealthCheck?.url],
    ['deployment.blue_green.switch_verify.url', slots?.switchVerify?.url],
  ] as const;

/** Returns the URL with placeholders replaced, for each slot; the URL itself without slots. */
const filledUrls = (url: string, name: string, slots: readonly string[] | undefined): readonly string[] =>
  slots?.map((slot) => filler(name, { slot, candidate: slot, active: slot })(url)) ?? [url];

/** Returns the first URL that is invalid with its placeholders replaced. */
const unfitOf = (url: string, name: string, slots: readonly string[] | undefined): string | undefined =>
  slots === undefined && placeholderIn(url) !== undefined
    ? undefined
    : filledUrls(url, name, slots).find((each) => !isHttpUrl(each));

const messageOf = (unfit: string, url: string): string =>
  `${quoted(unfit)} ${urlTrouble(unfit)}${unfit === url ? '' : `; the slots make it of ${quoted(url)}`}`;

/** Refuses invalid URLs of a service. `spot`: the service. */
export const refuseUnfitUrls = (declared: Deployment, spot: Spot, context: DecodeContext): void => {
  const name = spot.path.slice(spot.path.lastIndexOf('.') + 1);
  const slots = declared.blueGreen?.slots;
  for (const [key, url] of urlsOf(declared)) {
    const at = written(spot, key);
    const unfit = url === undefined || at === undefined ? undefined : unfitOf(url, name, slots);
    if (url !== undefined && at !== undefined && unfit !== undefined)
      reportAt(at, context, { code: 'ERR0213', message: messageOf(unfit, url) });
  }
};
