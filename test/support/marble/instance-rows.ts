// The rows about services with `replicas`.
import type { Rows } from './rows.ts';

export const INSTANCE_ROWS: Rows = {
  instances: {
    'docs/behaviour.md, "Instances"': [
      'one after another',
      'one that fails',
      'a breaker of its own',
      'dependents wait for all',
      'under the limit',
      'scaled up',
      'scaled down',
      'scaled in a restart',
      'the number lasts',
    ],
  },
};
