// Resolves a declared manifest to `Manifest`: its projects, and their services with digests.
import { resolve } from 'node:path';
import type {
  Manifest,
  MetricsSpec,
  ProjectSpec,
  StatusSpec,
} from '../../streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { manifest } from '../decode/manifest.ts';
import type { metrics } from '../decode/metrics.ts';
import type { status } from '../decode/status.ts';
import { startDigests } from '../digest.ts';
import { bundlesOf, type Bundle } from './bundles.ts';
import type { ValueOf } from './declared.ts';
import { present } from './present.ts';
import { resolveService } from './service.ts';

interface Origin {
  readonly path: string;
  readonly schema: 2 | 3;
  readonly directory: string;
}

const resolveStatus = (declared: ValueOf<typeof status> | undefined): StatusSpec | undefined =>
  declared === undefined
    ? undefined
    : { snapshotMode: declared.snapshot_mode, snapshotIntervalSecs: declared.snapshot_interval_secs };

const resolveMetrics = (
  declared: ValueOf<typeof metrics> | undefined,
  directory: string,
): MetricsSpec | undefined =>
  declared === undefined
    ? undefined
    : present({
        retentionMinutes: declared.retention_minutes,
        sampleIntervalSecs: declared.sample_interval_secs,
        maxMemoryBytes: declared.max_memory_bytes,
        spilloverPath:
          declared.spillover_path === undefined ? undefined : resolve(directory, declared.spillover_path),
        spilloverMaxBytes: declared.spillover_max_bytes,
        spilloverSegmentBytes: declared.spillover_segment_bytes,
      });

const projectsOf = (bundles: readonly Bundle[], manifest: string): readonly ProjectSpec[] =>
  bundles.flatMap(({ project, name }) => (name === undefined ? [] : [{ id: project, name, manifest }]));

export const resolveManifest = (declared: ValueOf<typeof manifest>, origin: Origin): Manifest => {
  const { path, schema, directory } = origin;
  const bundles = bundlesOf(declared);
  const digestOf = startDigests();
  const services = bundles.flatMap((bundle): readonly ServiceSpec[] =>
    [...bundle.services].map(([name, service]) => {
      const around = { project: bundle.project, schema, manifest: path, directory, logs: bundle.logs };
      const spec = resolveService(name, service, around);
      return { ...spec, digest: digestOf(spec) };
    }),
  );
  return present({
    path,
    schema,
    projects: projectsOf(bundles, path),
    services,
    status: resolveStatus(declared.status),
    metrics: resolveMetrics(declared.metrics, directory),
  });
};
