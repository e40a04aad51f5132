// Checks the URL of a health check with its placeholders filled in, for each slot. A mistake must not first
// appear in a rollout (`docs/manifest.md`, "health_check").
import { filler } from '../../../streams/rollout/placeholders.ts';
import { complain, type Context, type Spot } from '../../decode/shapes/decoder.ts';
import { written } from '../not-carried-out.ts';
import { isHttpUrl, urlTrouble } from './http-url.ts';
import { placeholderIn } from '../placeholders.ts';
import { quoted } from '../quote.ts';

interface Check {
  readonly url?: string | undefined;
}

interface Deployment {
  readonly health_check?: Check | undefined;
  readonly blue_green?:
    | {
        readonly slots: readonly string[];
        readonly candidate_health_check?: Check | undefined;
        readonly switch_verify?: Check | undefined;
      }
    | undefined;
}

const urlsOf = ({ health_check: check, blue_green: slots }: Deployment) =>
  [
    ['deployment.health_check.url', check?.url],
    ['deployment.blue_green.candidate_health_check.url', slots?.candidate_health_check?.url],
    ['deployment.blue_green.switch_verify.url', slots?.switch_verify?.url],
  ] as const;

/** The URL for each slot; unchanged if there are no slots. */
const filledUrls = (url: string, name: string, slots: readonly string[] | undefined): readonly string[] =>
  slots?.map((slot) => filler(name, { slot, candidate: slot, active: slot })(url)) ?? [url];

/** The first filled-in URL that is invalid. Without slots, `placeholders.ts` refuses a placeholder. */
const unfitOf = (url: string, name: string, slots: readonly string[] | undefined): string | undefined =>
  slots === undefined && placeholderIn(url) !== undefined
    ? undefined
    : filledUrls(url, name, slots).find((each) => !isHttpUrl(each));

const messageOf = (unfit: string, url: string): string =>
  `${quoted(unfit)} ${urlTrouble(unfit)}${unfit === url ? '' : `; the slots make it of ${quoted(url)}`}`;

/** Refuses invalid URLs of a service, which is `spot`. */
export const refuseUnfitUrls = (deployment: Deployment, spot: Spot, context: Context): void => {
  const name = spot.path.slice(spot.path.lastIndexOf('.') + 1);
  const slots = deployment.blue_green?.slots;
  for (const [key, url] of urlsOf(deployment)) {
    const at = written(spot, key);
    const unfit = url === undefined || at === undefined ? undefined : unfitOf(url, name, slots);
    if (url !== undefined && at !== undefined && unfit !== undefined)
      complain(at, context, { code: 'ERR0213', message: messageOf(unfit, url) });
  }
};
