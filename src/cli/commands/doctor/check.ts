// One check of `sup doctor`. To add one, write a file in `checks/` and a line in `all-checks.ts`. It reads
// facts, and a pure function of `streams/doctor` judges them.
import type { Finding } from '../../../streams/doctor/finding.ts';
import type { Context } from '../../context.ts';

/** If it throws, that becomes a problem of its name, and the others go on. */
export interface Check {
  readonly name: string;
  readonly look: (context: Context) => Promise<readonly Finding[]>;
}
