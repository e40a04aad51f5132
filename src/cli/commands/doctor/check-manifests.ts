// Checks that the registered manifests load. The services of a manifest that does not load continue to run
// but cannot be restarted.
import { inheritedEnvironment } from '../../client/ensure-supervisor.ts';
import { type Finding, fine, warning, checkOf } from './finding.ts';
import { loadPorts } from '../../../client/manifests/manifest-paths.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { loadRegistered } from '../../../manifest/load.ts';
import type { Problem } from '../../../streams/domain/declared/manifest.ts';
import type { Context } from '../../context.ts';

interface LoadedManifest {
  readonly path: string;
  readonly problems: readonly Pick<Problem, 'code' | 'severity' | 'path' | 'message'>[];
}

const judgeOne = ({ path, problems }: LoadedManifest): readonly Finding[] => {
  const [first, ...more] = problems.filter(({ severity }) => severity === 'error');
  if (first === undefined) return [];
  const where = first.path === '' ? '' : `${first.path}: `;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  const says = `${path} does not load: ${first.code} ${where}${first.message}${others}`;
  const mend = `to see what is wrong: sup validate -c ${path}; to drop it: sup forget ${path}`;
  return [warning(`manifest ${path}`, says, mend)];
};

/** Returns one finding for each registered manifest that does not load, or a single finding if all load. */
const judge = (manifests: readonly LoadedManifest[]): readonly Finding[] => {
  const findings = manifests.flatMap(judgeOne);
  return findings.length > 0 ? findings : [fine('manifests', `manifests that load: ${manifests.length}`)];
};

const look = async (context: Context): Promise<readonly LoadedManifest[]> => {
  const paths = readRecorded(context).manifests;
  // If the supervisor does not answer, this process's environment is used. Another check reports that the
  // supervisor does not answer.
  const environment = await inheritedEnvironment(context).catch(() => context.world.environment);
  const ports = { ...loadPorts(context), environment };
  return paths.map((path) => loadRegistered(path, ports));
};

export const manifests = checkOf('manifests', { look, judge });
