// What the supervisor's own log says.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

/** All of it, as text. */
export const logLinesOf = ({ data }: Stage): string =>
  readdirSync(join(data, 'logs'))
    .filter((name) => name.startsWith('supervisor'))
    .map((name) => readFileSync(join(data, 'logs', name), 'utf8'))
    .join('\n');
