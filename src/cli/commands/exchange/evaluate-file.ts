// Evaluates a file of JavaScript for an import, only with `--evaluate` and in a confined process.
import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plain } from '../../../exchange/key-table.ts';
import type { SourceText } from '../../../exchange/source-texts.ts';
import {
  evaluateConfined,
  NotConfined,
  NotEvaluated,
} from '../../../sinks/privilege/evaluation/evaluate-confined.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import type { Context } from '../../context.ts';

/** Returns the function that evaluates files. Without `isPermitted` it refuses every file (ERR0806). */
export const evaluatorFor =
  ({ world, dataDir }: Context, isPermitted: boolean) =>
  async ({ path }: SourceText): Promise<Plain> => {
    if (!isPermitted) throw failure({ code: 'ERR0806', file: path, detail: '--evaluate was not given' });
    const programs = dirname(world.supervisor);
    const { environment, uid } = world;
    try {
      const value = await evaluateConfined({
        ...{ environment, uid, except: [dataDir] },
        file: realpathSync(resolve(world.directory, path)),
        launcher: join(programs, 'launcher.cjs'),
        evaluator: join(programs, 'evaluator.cjs'),
      });
      return value as Plain;
    } catch (error) {
      if (error instanceof NotConfined)
        throw failure({ code: 'ERR0806', file: path, detail: `it cannot be confined: ${error.message}` });
      if (error instanceof NotEvaluated)
        throw failure({ code: 'ERR0812', file: path, detail: error.message });
      throw error;
    }
  };
