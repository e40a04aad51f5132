// The keys of a Procfile, in both directions.
import { carry, type KeyRow } from '../key-table.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';

interface ProcfileContext {
  readonly spec: ServiceSpec;
}

export const PROCFILE_ROWS: readonly KeyRow<unknown, ProcfileContext>[] = [
  {
    theirs: 'command',
    ours: ['command', 'exec'],
    note: 'The line runs through `sh -c`.',
    read: carry('command'),
    write: ({ spec: { launch } }) => ({
      keys: { command: launch.tag === 'shell' ? launch.command : launch.argv.join(' ') },
    }),
  },
];
