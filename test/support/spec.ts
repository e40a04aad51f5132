// A resolved service as the manifest decoder makes it, with the defaults of the manifest, for tests of what follows.
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import { ms, seconds } from '../../src/streams/domain/time.ts';
import type { Dependency } from '../../src/streams/domain/declared/spec.ts';
import type { Manifest } from '../../src/streams/domain/declared/manifest.ts';

export const SHOP = projectId('shop');

/** `shop/<name>`. */
export const idOf = (name: string): ServiceSpec['id'] => serviceId(SHOP, name);

export const needs = (...names: readonly string[]): readonly Dependency[] =>
  names.map((name) => ({ service: idOf(name), condition: 'started' }));

export const specOf = (name: string, changes: Partial<ServiceSpec> = {}): ServiceSpec => {
  const spec: ServiceSpec = {
    id: idOf(name),
    project: SHOP,
    name,
    kind: 'service',
    schema: 2,
    manifest: '/shop/sup.yaml',
    directory: '/shop',
    launch: { tag: 'exec', argv: ['/bin/sleep', '60'] },
    workingDir: '/shop',
    dependsOn: [],
    env: { vars: {}, inherit: false, clearSession: true, strip: [] },
    restartPolicy: 'on-failure',
    backoff: { initial: seconds(1), max: seconds(30), factor: 2, jitter: 0 },
    maxRestarts: 8,
    stopSignal: 'SIGTERM',
    stopTimeout: seconds(10),
    hooks: {},
    deployment: { strategy: 'immediate', gracePeriod: ms(0) },
    logs: { sink: 'file' },
    skip: false,
    spawn: { mode: 'static', children: 100, depth: 3, descendants: 500, terminationPolicy: 'cascade' },
    privilege: { supplementaryGroups: [] },
    digest: '',
    ...changes,
  };
  return { ...spec, digest: changes.digest ?? JSON.stringify(spec) };
};

export const manifestOf = (...services: readonly ServiceSpec[]): Manifest => ({
  path: '/shop/sup.yaml',
  schema: 2,
  projects: [{ id: SHOP, name: 'Shop', manifest: '/shop/sup.yaml' }],
  services,
});
