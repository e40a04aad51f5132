// `scale`: starts missing instances of services with `replicas`, and removes those with too high numbers. No
// other instance changes.
// Rules: `docs/behaviour.md`, "Instances", "Scaled".
import { groupOf, instanceNumber, type ServiceId } from '../../domain/ids.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { LoadResult } from '../../domain/declared/manifest.ts';
import type { Service } from '../../domain/service/service.ts';
import { plus } from '../../domain/time.ts';
import { adoptUndeclaredRuns } from '../boot/adopt-runs.ts';
import type { Draft } from '../draft.ts';
import { register, rewired } from '../register-manifests.ts';
import { countsOf, withReplicas } from '../rollouts/number-of-instances.ts';
import { beginRemoval } from '../rules/remove-undeclared.ts';
import { servicesOf } from '../service-table.ts';
import { refuse } from './answer/command-reply.ts';
import { comeBack } from './declared-again.ts';
import { keepProblems, problemsOf, sift, warningsOf } from './invalid-manifests.ts';
import { orderOf, type Request } from './request.ts';
import { isNew, isReturning } from './selected-services.ts';
import type { Loaded } from './services-to-change.ts';
import { aim, awaitTargets } from './set-targets.ts';
import { sendOff } from './start-services.ts';

interface Scaled {
  /** The number of instances for each service that the command names. */
  readonly counts: ReadonlyMap<ServiceId, number>;
  readonly about: readonly Loaded[];
}

/** Starts missing instances and removes those with too high numbers. The reply waits until this is done. */
const scaleTo = (draft: Draft, request: Request, { counts, about }: Scaled): void => {
  const { graph: before } = draft.state;
  for (const { manifest, problems } of about)
    register(
      draft,
      withReplicas(manifest, ({ id, replicas }) => counts.get(id) ?? replicas),
      problems,
    );
  adoptUndeclaredRuns(draft);
  const instances = servicesOf(draft.state.serviceTable).filter(({ spec }) => counts.has(groupOf(spec.id)));
  const isExcess = ({ spec: { id, name } }: Service): boolean =>
    (instanceNumber(name) ?? 0) > (counts.get(groupOf(id)) ?? 0);
  const gone = instances.filter(isExcess);
  const added = instances.filter((service) => !isExcess(service) && (isNew(service) || isReturning(service)));
  comeBack(draft);
  const ids = added.map(({ spec }) => spec.id);
  const deadline = plus(draft.at, draft.state.settings.startSettle);
  const aimed = aim(draft, { ...request, deadline }, [...gone.map(({ spec }) => spec.id), ...ids]);
  sendOff(draft, { targets: ids, ...orderOf(request) }, () => false);
  awaitTargets(draft, aimed);
  for (const service of gone) beginRemoval(draft, service, request);
  rewired(draft, before);
};

/** Carries out `scale` if the manifests of the named services are valid. */
export const scaleLoaded = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  if (request.command.type !== 'scale') return;
  const { good, bad } = sift(draft, loads);
  keepProblems(draft, loads);
  const found = countsOf(
    request.command,
    good.map(({ manifest }) => manifest),
  );
  if (!found.ok) {
    const manifests = bad.map(({ path }) => path);
    const isUnknown = found.error.code === 'ERR0202' && bad.length > 0;
    const error: SupError = isUnknown
      ? { code: 'ERR0301', manifests, problems: problemsOf(bad) }
      : found.error;
    return refuse(draft, request, error);
  }
  const { counts } = found;
  const about = good.filter(({ manifest }) => manifest.groups?.some(({ id }) => counts.has(id)) === true);
  const warnings = warningsOf(draft, about, bad);
  scaleTo(draft, { ...request, warnings }, { counts, about });
};
