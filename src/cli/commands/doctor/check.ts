// One thing that `sup doctor` looks at. A new one is a file in `checks/` and a line in `all-checks.ts`: it reads what
// there is, and a pure function of `streams/doctor` judges it.
import type { Finding } from '../../../streams/doctor/finding.ts';
import type { Context } from '../../context.ts';

/** What it throws is told as a problem of its name, and the others go on. */
export interface Check {
  readonly name: string;
  readonly look: (context: Context) => Promise<readonly Finding[]>;
}
