// The health check object (`docs/manifest.md`, "health_check").
import { isHttpUrl, urlTrouble } from '../../check/texts/http-url.ts';
import { durationOrOff, positiveDuration } from '../scalars/duration.ts';
import { defaulted, optional } from '../shapes/field.ts';
import { whole } from '../scalars/number.ts';
import { object } from '../shapes/object.ts';
import { OTHER_CHECK_WORDS } from '../service/other-words.ts';
import { read, refused, scalar } from '../scalars/scalar.ts';
import { text } from '../scalars/text.ts';

/**
 * True for an HTTP URL. A blue/green placeholder may be a port or a path; the filled-in URL is checked with
 * the slots.
 */
const isHttp = (url: string): boolean =>
  isHttpUrl(url.replaceAll(/\{(?:slot|candidate_slot|active_slot|service)\}/g, '1'));

const httpUrl = scalar({
  label: 'URL',
  schema: { type: 'string' },
  read: ({ text: given }) => (isHttp(given) ? read(given) : refused(urlTrouble(given))),
});

export const healthCheck = object({
  name: 'health_check',
  exclusive: [
    ['command', 'url'],
    ['total_timeout', 'timeout'],
  ],
  anyOf: ['command', 'url'],
  elsewhere: OTHER_CHECK_WORDS,
  fields: {
    command: optional(text, 'Check command, run through `sh -c`; status 0 passes.'),
    url: optional(httpUrl, 'HTTP endpoint, instead of `command`; a 2xx answer passes.'),
    interval: defaulted(positiveDuration, '2s', 'Time between attempts.'),
    attempt_timeout: defaulted(positiveDuration, '30s', 'Maximum time for one probe.'),
    total_timeout: optional(positiveDuration, 'Minimum total window before a check has failed.'),
    timeout: optional(positiveDuration, 'Another name for `total_timeout`.'),
    retries: defaulted(whole({ min: 1 }), 3, 'Minimum attempts before giving up.'),
    start_interval: defaulted(
      positiveDuration,
      '100ms',
      'First pause between probes while starting; doubles up to `interval`.',
    ),
    after_ready: optional(
      durationOrOff,
      'Time between probes of a ready service; `off` for none. `interval` unless given.',
    ),
  },
});
