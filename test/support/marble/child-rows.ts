// The rows about what services ask for while they run, about a supervisor that becomes another program, and about alerts.
import type { Rows } from './rows.ts';

export const CHILD_ROWS: Rows = {
  children: {
    'docs/behaviour.md, "Children that a service asks for"': [
      'answered when it runs',
      'a child that cannot be started',
      'ttl',
      'an end of its own',
      'a stop takes children first',
      'a child that ignores the stop signal',
    ],
    'docs/manifest.md, "spawn"': [
      'cascade',
      'orphan',
      'reparent',
      'the end of the service itself',
      'ten a second',
      'depth',
      'children of one parent',
      'descendants',
      'total_memory',
    ],
  },
  alerts: {
    'docs/behaviour.md, "Alerts"': [
      'one message per incident',
      'a second message if it gets worse',
      'steadiness ends it',
      'a stop ends it',
      'a failed rollout',
    ],
  },
  upgrade: { 'docs/reliability.md, "Upgrade"': ['a start that had not begun', 'nothing else is begun'] },
};
