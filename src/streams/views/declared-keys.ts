// The keys of a service that its manifest sets, for `sup inspect`. Keys with default values, and keys that
// another part of the document shows, are left out.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { ms, seconds } from '../domain/time.ts';
import { differenceOf } from '../rollout/changed-keys.ts';
import { maskedValue } from './words/masked-text.ts';

/**
 * Returns a copy of the declaration in which each key that no other part of the document shows has its
 * default value.
 */
const withDefaults = ({ env, deployment, ...spec }: ServiceSpec): ServiceSpec => ({
  id: spec.id,
  project: spec.project,
  name: spec.name,
  kind: spec.kind,
  schema: 2,
  manifest: spec.manifest,
  directory: spec.directory,
  launch: spec.launch,
  workingDir: spec.workingDir,
  dependsOn: spec.dependsOn,
  env: { vars: env.vars, inherit: false, clearSession: true, strip: [] },
  restartPolicy: 'on-failure',
  backoff: { initial: seconds(1), max: seconds(30), factor: 2, jitter: 0 },
  maxRestarts: 8,
  stopSignal: 'SIGTERM',
  stopTimeout: seconds(10),
  hooks: spec.hooks,
  deployment: {
    strategy: 'immediate',
    gracePeriod: ms(0),
    ...(deployment.healthCheck && { healthCheck: deployment.healthCheck }),
  },
  logs: { sink: 'file' },
  skip: false,
  spawn: { mode: 'static', children: 100, depth: 3, descendants: 500, terminationPolicy: 'cascade' },
  privilege: { supplementaryGroups: [] },
  digest: spec.digest,
});

/** Returns the keys that do not have their default values, as in a manifest. Secrets are masked. */
export const declaredKeys = (spec: ServiceSpec): Readonly<Record<string, string>> =>
  Object.fromEntries(
    differenceOf(withDefaults(spec), spec).flatMap(({ key, to }) =>
      to === undefined ? [] : [[key, maskedValue(key, to)]],
    ),
  );
