// The rows about the end of services and of the supervisor.
import type { Rows } from './rows.ts';

export const STOP_ROWS: Rows = {
  stop: {
    'docs/behaviour.md, "Stopping"': [
      'stop_command first',
      'stop_signal once',
      'SIGKILL after stop_timeout',
      'stragglers of the tree',
      'confirmation',
      'what a crash leaves behind',
      'independent services in parallel',
      'dependents before their dependencies',
    ],
  },
  shutdown: {
    'docs/behaviour.md, "One supervisor"': [
      'everything stops, then the supervisor ends',
      'SIGTERM is an orderly stop',
      'no orders any more',
    ],
  },
};
