// Registry and state files.
import { judgeRecords } from '../../../../streams/doctor/records.ts';
import { readRecorded } from '../../../offline/recorded.ts';
import type { Check } from '../check.ts';

export const records: Check = {
  name: 'records',
  look: (context) => {
    const { manifests, services, warnings } = readRecorded(context);
    const facts = { manifests: manifests.length, services: services.length, warnings };
    return Promise.resolve(judgeRecords(facts));
  },
};
