// Everybody of `/proc` who carries a mark of this supervisor, against what is on record.
import { livingRuns } from '../../../sources/process/living-runs.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import { judgeMarks } from '../../../streams/doctor/marks.ts';
import { readRecorded } from '../../offline/recorded.ts';
import type { Check } from '../check.ts';

/** The present run, and that of a rollout beside it. */
const runsOf = ({ runs, rollout }: Service): readonly number[] => [
  runs,
  ...(rollout === undefined ? [] : [rollout.other.runs]),
];

export const processes: Check = {
  name: 'processes',
  look: async (context) => {
    const recorded = readRecorded(context).services.map((one) => ({
      service: one.spec.id,
      runs: runsOf(one),
    }));
    const found = await livingRuns(
      context.dataDir,
      recorded.map(({ service }) => service),
    );
    const carriers = found.map(({ service, run, process: { pid } }) => ({ service, run, pid }));
    return judgeMarks(carriers, recorded);
  },
};
