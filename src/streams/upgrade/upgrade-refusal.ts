import { manifestRemedy, type SupError } from '../domain/errors/error.ts';
import type { LoadResult } from '../domain/declared/manifest.ts';
import { shownId } from '../domain/ids.ts';
import { servicesOf } from '../kernel/service-table.ts';
import type { SupervisorState } from '../kernel/state.ts';

const refused = (detail: string): SupError => ({ code: 'ERR0501', detail });

/**
 * Returns why no upgrade is possible now, for example because of a rollout; `undefined` if an upgrade is
 * possible.
 */
export const refusalOf = ({ phase, serviceTable }: SupervisorState): SupError | undefined => {
  if (phase !== 'running') return refused('the supervisor is on its way out');
  const rolling = servicesOf(serviceTable).filter(({ rollout }) => rollout !== undefined);
  const [first] = rolling;
  if (first === undefined) return undefined;
  const more = rolling.length > 1 ? ` and of ${rolling.length - 1} more` : '';
  return refused(`a rollout of ${shownId(first.spec.id)}${more} is under way`);
};

export interface BrokenManifest {
  readonly path: string;
  readonly warning: string;
}

/**
 * Returns the manifests that do not load. After an upgrade, the last valid declarations from these manifests
 * are still used.
 */
export const brokenManifests = (loads: readonly LoadResult[]): readonly BrokenManifest[] =>
  loads.flatMap(({ path, problems }) => {
    const first = problems.find(({ severity }) => severity === 'error');
    if (first === undefined) return [];
    const what = `${first.code} ${first.path === '' ? '' : `${first.path}: `}${first.message}`;
    const kept = `${path} is invalid; its services keep its last valid version`;
    return [{ path, warning: `${kept}: ${what} (${manifestRemedy(path)})` }];
  });
