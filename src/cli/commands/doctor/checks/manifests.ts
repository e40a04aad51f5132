// Registered manifests, loaded as a restart would.
import { loadRegistered } from '../../../../manifest/load.ts';
import { judgeManifests } from '../../../../streams/doctor/manifests.ts';
import { readRecorded } from '../../../offline/recorded.ts';
import { inheritedEnvironment } from '../../../client/ensure-supervisor.ts';
import { loadPorts } from '../../../manifest-argument.ts';
import type { Check } from '../check.ts';

export const manifests: Check = {
  name: 'manifests',
  look: async (context) => {
    const paths = readRecorded(context).manifests;
    // Another check reports a supervisor that does not answer.
    const environment = await inheritedEnvironment(context).catch(() => context.world.environment);
    const ports = { ...loadPorts(context), environment };
    return judgeManifests(paths.map((path) => loadRegistered(path, ports)));
  },
};
