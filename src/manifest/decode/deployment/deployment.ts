// The deployment object (`docs/manifest.md`, "deployment").
import { blueGreen } from './blue-green.ts';
import { duration } from '../scalars/duration.ts';
import { defaulted, optional } from '../shapes/field.ts';
import { healthCheck } from './health-check.ts';
import { object } from '../shapes/object.ts';
import { choice, text } from '../scalars/text.ts';

const BLUE_GREEN = 'it has a key of its own: blue_green: { slots: […], switch_command: … }, without strategy';

export const deployment = object({
  name: 'deployment',
  fields: {
    strategy: defaulted(
      choice(['rolling', 'immediate'], { blue_green: BLUE_GREEN, 'blue-green': BLUE_GREEN }),
      'immediate',
      '`rolling` starts the new instance beside the old one; `immediate` stops the old one first.',
    ),
    pre_start: optional(text, 'Command that must exit with 0 before the service starts.'),
    health_check: optional(healthCheck, 'Readiness probe.'),
    grace_period: defaulted(duration, '0s', 'Time before the old instance is stopped.'),
    blue_green: optional(blueGreen, 'Two-slot rollout on one host.'),
  },
});
