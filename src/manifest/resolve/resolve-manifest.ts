// Resolves a declared manifest to `Manifest`: projects, and services with their digests. Equal services have
// equal digests, whatever the order of their keys.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { ValueOf } from '../decode/shapes/decoder.ts';
import type { metrics } from '../decode/logs-status-metrics.ts';
import type { manifest } from '../decode/top-level.ts';
import type { alert, alertSecret } from '../decode/alerts-object.ts';
import type { Bundle } from './group-by-project.ts';
import { resolveService } from './resolve-service.ts';
import { present } from './service-parts.ts';
import { instancesOf } from '../../streams/rollout/instance-specs.ts';
import type {
  Manifest,
  MetricsSpec,
  ProjectSpec,
  Reading,
  ReplicaGroup,
} from '../../streams/domain/declared/manifest.ts';
import { ALERT_CAUSES, type AlertSpec, type ServiceSpec } from '../../streams/domain/declared/spec.ts';

type Vars = ServiceSpec['env']['vars'];

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const canonical = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byKey))
    : value;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hash = (value: unknown): string => sha256(JSON.stringify(value, canonical));

/**
 * Returns the hash of the sorted variables. The variables are hashed one after another, because a joined text
 * of thousands of variables would be large.
 */
const hashVars = (vars: Vars): string => {
  const list = createHash('sha256').update('[');
  Object.keys(vars)
    .sort()
    .forEach((name, at) => list.update(`${at === 0 ? '' : ','}${JSON.stringify([name, vars[name]])}`));
  return list.update(']').digest('hex');
};

/**
 * Returns a function that computes the digest of a service. If services share variables, these are hashed
 * only once.
 */
const startDigests = (): ((spec: Omit<ServiceSpec, 'digest'>) => string) => {
  const known = new Map<Vars, string>();
  return (spec) => {
    const { vars } = spec.env;
    const ofVars = known.get(vars) ?? hashVars(vars);
    known.set(vars, ofVars);
    return hash({ ...spec, env: { ...spec.env, vars: ofVars } });
  };
};

/** Adds the digest. It is computed when it is first read. `validate` never reads it. */
const withDigest = (
  spec: Omit<ServiceSpec, 'digest'>,
  digestOf: ReturnType<typeof startDigests>,
): ServiceSpec => ({
  ...spec,
  get digest() {
    const value = digestOf(spec);
    // The property becomes a plain value, so that the copy of `spec` can be freed.
    Object.defineProperty(this, 'digest', { value, enumerable: true });
    return value;
  },
});

interface Origin {
  readonly path: string;
  readonly schema: 2 | 3;
  readonly directory: string;
  readonly reading: Reading;
}

const resolveMetrics = (
  { spilloverPath: path, ...rest }: ValueOf<typeof metrics>,
  directory: string,
): MetricsSpec => present({ ...rest, spilloverPath: path && resolve(directory, path) });

const secretPath = ({ file }: ValueOf<typeof alertSecret>, directory: string): string =>
  resolve(directory, file);

const resolveAlert = (
  { on = ALERT_CAUSES, command, url = '', timeout, recoveredAfter, secret }: ValueOf<typeof alert>,
  directory: string,
): AlertSpec => ({
  on,
  to: command === undefined ? { tag: 'url', url } : { tag: 'command', command, directory },
  timeout,
  recoveredAfter,
  ...(secret && { secretFile: secretPath(secret, directory) }),
});

/**
 * Returns the receivers of alerts; `undefined` if there are none, because an empty list would change all
 * digests.
 */
const resolveAlerts = (
  declared: readonly ValueOf<typeof alert>[] = [],
  directory: string,
): ServiceSpec['alerts'] =>
  declared.length === 0 ? undefined : declared.map((each) => resolveAlert(each, directory));

const projectsOf = (bundles: readonly Bundle[], manifest: string): readonly ProjectSpec[] =>
  bundles.flatMap(({ project, name }) => (name === undefined ? [] : [{ id: project, name, manifest }]));

interface Resolved {
  readonly spec: ServiceSpec;
  readonly replicas: number | undefined;
  readonly image: string | undefined;
}

const groupsOf = (resolved: readonly Resolved[]): readonly ReplicaGroup[] | undefined => {
  const groups = resolved.flatMap(({ spec, replicas }): readonly ReplicaGroup[] =>
    replicas === undefined ? [] : [{ id: spec.id, declared: replicas, replicas, template: spec }],
  );
  return groups.length === 0 ? undefined : groups;
};

/**
 * Returns the images by service. An image is not part of the declaration, so that it does not change the
 * digest.
 */
const imagesOf = (resolved: readonly Resolved[]): Manifest['images'] => {
  const images = resolved.flatMap(({ spec, image }) =>
    image === undefined ? [] : [[spec.id, image] as const],
  );
  return images.length === 0 ? undefined : Object.fromEntries(images);
};

/** Resolves the services in `bundles`, which may be fewer than the manifest declares. */
export const resolveManifest = (
  declared: ValueOf<typeof manifest>,
  bundles: readonly Bundle[],
  origin: Origin,
): Manifest => {
  const { path, schema, directory, reading } = origin;
  const digestOf = startDigests();
  const shared = { schema, manifest: path, directory, alerts: resolveAlerts(declared.alerts, directory) };
  const resolved = bundles.flatMap((bundle): readonly Resolved[] =>
    [...bundle.services].map(([name, service]) => {
      const around = { ...shared, project: bundle.project, logs: bundle.logs };
      const spec = resolveService(name, service, around);
      const { replicas, 'x-image': image } = service.value;
      return { spec: withDigest(spec, digestOf), replicas, image };
    }),
  );
  return present({
    path,
    schema,
    reading: Object.keys(reading).length > 0 ? reading : undefined,
    projects: projectsOf(bundles, path),
    services: resolved.flatMap(({ spec, replicas }) =>
      replicas === undefined ? [spec] : instancesOf(spec, replicas),
    ),
    groups: groupsOf(resolved),
    images: imagesOf(resolved),
    status: declared.status,
    metrics: declared.metrics && resolveMetrics(declared.metrics, directory),
  });
};
