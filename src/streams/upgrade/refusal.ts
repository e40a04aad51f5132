// When a supervisor does not let another program take its place, and when it may.
import type { SupError } from '../domain/errors/error.ts';
import type { LoadResult } from '../domain/declared/manifest.ts';
import { shownId } from '../domain/ids.ts';
import { servicesOf } from '../kernel/roster.ts';
import type { SupervisorState } from '../kernel/state.ts';

const refused = (detail: string): SupError => ({ code: 'ERR0501', detail });

/** A rollout is two runs and a decision between them: it is not handed over in the middle. */
export const refusalOf = ({ phase, roster }: SupervisorState): SupError | undefined => {
  if (phase !== 'running') return refused('the supervisor is on its way out');
  const rolling = servicesOf(roster).filter(({ rollout }) => rollout !== undefined);
  const [first] = rolling;
  if (first === undefined) return undefined;
  const more = rolling.length > 1 ? ` and of ${rolling.length - 1} more` : '';
  return refused(`a rollout of ${shownId(first.spec.id)}${more} is under way`);
};

/** All registered manifests were read: what is wrong with them would be found out too late. */
export const manifestRefusal = (loads: readonly LoadResult[]): SupError | undefined => {
  const problems = loads.flatMap((load) => load.problems).filter(({ severity }) => severity === 'error');
  return problems.length === 0
    ? undefined
    : { code: 'ERR0501', detail: 'a registered manifest is invalid', problems };
};
