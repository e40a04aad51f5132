// Decodes `alerts` (`docs/manifest.md`, "alerts"). The secret is read again for each message, so a secret
// that cannot be used now is only a warning. A supervisor with `--sys` refuses a secret that it must not
// trust.
import { resolve } from 'node:path';
import { warnOfRootCommand } from '../check/run-as-root.ts';
import { ALERT_CAUSES } from '../../streams/domain/declared/spec.ts';
import { MOST_SECRET_BYTES, readTrusted, secretTrouble } from '../../os/files/trusted-file.ts';
import { seconds } from '../../streams/domain/time.ts';
import { httpUrl } from './scalars/addresses.ts';
import { duration, positiveDuration } from './scalars/durations.ts';
import { oneOf, text } from './scalars/text.ts';
import { list } from './shapes/composite.ts';
import { reportAt, spotBelow, type DecodeContext, type Spot } from './shapes/decoder.ts';
import { defaulted, optional, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';

/** The longest timeout. A slower receiver would delay the alerts that are queued after this one. */
const LONGEST = seconds(300);

export const alertSecret = object({
  name: 'alert_secret',
  hint: 'the value stands in a file: secret: { file: path }',
  fields: {
    file: required(
      text,
      "File with the secret, relative to the manifest's directory. It is read each time a message is sent.",
    ),
  },
});

const refuseSecret = (file: string, spot: Spot, context: DecodeContext): void => {
  const reading = readTrusted(resolve(context.directory, file), context.reader, MOST_SECRET_BYTES);
  if (reading.tag === 'untrusted')
    return reportAt(spot, context, {
      code: 'ERR0219',
      message: `the secret is not trusted: ${reading.detail}`,
    });
  const isEmpty = reading.tag === 'read' && reading.text.trim() === '';
  const trouble = isEmpty ? 'it is empty' : secretTrouble(reading, MOST_SECRET_BYTES);
  if (trouble === undefined) return;
  reportAt(spot, context, {
    code: 'ERR0220',
    severity: 'warning',
    message: `alerts cannot be signed: ${trouble}`,
    hint: 'the secret is read again at each sending',
  });
};

export const alert = object({
  name: 'alert',
  exclusive: [
    ['command', 'url'],
    ['command', 'secret'],
  ],
  anyOf: ['command', 'url'],
  fields: {
    on: optional(
      list(oneOf(...ALERT_CAUSES), { min: 1 }),
      'The messages that are sent: `breaker-open`, `failed`, `unhealthy`, `rollout-failed`, and `recovered` at the end of an incident.',
      'all of them',
    ),
    command: optional(text, 'Command that gets the message on standard input, run through `sh -c`.'),
    url: optional(httpUrl, 'Address that gets the message by POST.'),
    timeout: defaulted(positiveDuration, '10s', 'Maximum time of one attempt, at most 5 minutes.'),
    recovered_after: defaulted(
      duration,
      '60s',
      'How long a service must be ready and healthy without interruption until an incident is over.',
    ),
    secret: optional(alertSecret, 'Signs each POST (`X-Sup-Signature`).'),
  },
  check: ({ timeout, secret, command, url, on = ALERT_CAUSES }, spot, context) => {
    if (timeout > LONGEST)
      reportAt(spotBelow(spot, 'timeout'), context, { code: 'ERR0213', message: 'is longer than 5 minutes' });
    if (on.length > 0 && on.every((each) => each === 'recovered'))
      reportAt(spotBelow(spot, 'on'), context, {
        code: 'ERR0213',
        message: 'recovered alone is never sent: it ends an incident that was sent',
        hint: 'add what begins one, such as failed',
      });
    if (secret !== undefined && url !== undefined)
      refuseSecret(secret.file, spotBelow(spotBelow(spot, 'secret'), 'file'), context);
    if (command !== undefined) warnOfRootCommand(command, spotBelow(spot, 'command'), context);
  },
});
