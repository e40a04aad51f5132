// Processes with a mark of this supervisor, compared with its records.
import { knownServices } from '../../../../sources/process/known-services.ts';
import { livingRuns } from '../../../../sources/process/living-runs.ts';
import { judgeMarks, runsAlive } from '../../../../streams/doctor/marks.ts';
import { readRecorded } from '../../../offline/recorded.ts';
import type { Check } from '../check.ts';

export const processes: Check = {
  name: 'processes',
  look: async (context) => {
    const { services } = readRecorded(context);
    const recorded = services.map((one) => ({ service: one.spec.id, runs: runsAlive(one) }));
    const found = await livingRuns(context.dataDir, await knownServices(services));
    const carriers = found.map(({ service, run, process: { pid } }) => ({ service, run, pid }));
    return judgeMarks(carriers, recorded);
  },
};
