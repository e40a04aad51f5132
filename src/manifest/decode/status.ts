// The status object (`docs/manifest.md`, "status"). The interval is clamped, not refused.
import { defaulted } from './shapes/field.ts';
import { clamped } from './scalars/number.ts';
import { object } from './shapes/object.ts';
import { oneOf } from './scalars/text.ts';

export const status = object({
  name: 'status',
  fields: {
    snapshot_mode: defaulted(
      oneOf('off', 'summary', 'detailed'),
      'summary',
      'What background snapshots carry: nothing, states and metric summaries, or process trees with command lines too.',
    ),
    snapshot_interval_secs: defaulted(
      clamped(1, 300),
      5,
      'Seconds between background snapshots; clamped to 1..300.',
    ),
  },
});
