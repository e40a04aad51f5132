// A backoff that grows from one attempt to the next (`docs/manifest.md`, "backoff").
import { duration } from '../../scalars/duration.ts';
import { defaulted } from '../../shapes/field.ts';
import { decimal } from '../../scalars/number.ts';
import { object } from '../../shapes/object.ts';

export const growing = object({
  name: 'backoff',
  fields: {
    initial: defaulted(duration, '1s', 'Before the first attempt.'),
    max: defaulted(duration, '30s', 'Never longer than this.'),
    factor: defaulted(decimal(1, 100), 2, 'Growth from one attempt to the next, 1..100.'),
    jitter: defaulted(decimal(0, 1), 0, 'Random share by which the time varies, 0..1.'),
  },
});
