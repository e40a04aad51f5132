// The rows about what services ask for while they run, and about a supervisor that becomes another program.
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
  upgrade: { 'docs/reliability.md, "Upgrade"': ['a start that had not begun', 'nothing else is begun'] },
};
