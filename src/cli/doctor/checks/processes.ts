// Everybody of `/proc` who carries a mark of this supervisor, against what is on record.
import { livingRuns } from '../../../sources/process/living-runs.ts';
import { judgeMarks, runsAlive } from '../../../streams/doctor/marks.ts';
import { readRecorded } from '../../offline/recorded.ts';
import type { Check } from '../check.ts';

export const processes: Check = {
  name: 'processes',
  look: async (context) => {
    const recorded = readRecorded(context).services.map((one) => ({
      service: one.spec.id,
      runs: runsAlive(one),
    }));
    const found = await livingRuns(
      context.dataDir,
      recorded.map(({ service }) => service),
    );
    const carriers = found.map(({ service, run, process: { pid } }) => ({ service, run, pid }));
    return judgeMarks(carriers, recorded);
  },
};
