// Checks that registered manifests still load: if one does not, its services run on, but cannot be restarted.
import type { Problem } from '../domain/declared/manifest.ts';
import { fine, warning, type Finding } from './finding.ts';

interface LoadedManifest {
  readonly path: string;
  readonly problems: readonly Pick<Problem, 'code' | 'severity' | 'path' | 'message'>[];
}

const judge = ({ path, problems }: LoadedManifest): readonly Finding[] => {
  const [first, ...more] = problems.filter(({ severity }) => severity === 'error');
  if (first === undefined) return [];
  const where = first.path === '' ? '' : `${first.path}: `;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  const says = `${path} does not load: ${first.code} ${where}${first.message}${others}`;
  const mend = `to see what is wrong: sup validate -c ${path}; to drop it: sup forget ${path}`;
  return [warning(`manifest ${path}`, says, mend)];
};

/** Returns one finding for each registered manifest that does not load; a single one if all do. */
export const judgeManifests = (manifests: readonly LoadedManifest[]): readonly Finding[] => {
  const findings = manifests.flatMap(judge);
  return findings.length > 0 ? findings : [fine('manifests', `manifests that load: ${manifests.length}`)];
};
