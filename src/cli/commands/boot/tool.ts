// Runs the programs that install boot entries.
import { spawnSync } from 'node:child_process';
import { errnoOf } from '../../../os/errno.ts';
import type { World } from '../../world.ts';

interface Told {
  /** `undefined`: there is no such program, or a signal ended it. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** There is no such program. */
  readonly absent?: true;
}

interface Text {
  readonly input?: string;
  /** `latin1`: each byte is one character, whatever the real encoding. */
  readonly encoding?: 'utf8' | 'latin1';
}

export type Tool = (program: string, args: readonly string[], text?: Text) => Told;

const LIMIT_MS = 30_000;

export const toolsOf =
  ({ environment }: Pick<World, 'environment'>): Tool =>
  (program, args, { input = '', encoding = 'utf8' } = {}) => {
    const options = { env: environment, input, encoding, timeout: LIMIT_MS } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    if (error !== undefined) {
      const absent = errnoOf(error) === 'ENOENT';
      return { status: undefined, stdout: '', stderr: error.message, ...(absent && { absent }) };
    }
    return { status: status ?? undefined, stdout, stderr };
  };

export const isThere = (tool: Tool, program: string): boolean => tool(program, ['--version']).status === 0;
