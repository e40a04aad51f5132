import type { Service } from '../domain/service/service.ts';
import type { Ms } from '../domain/time.ts';
import type { MeasuredService, MetricsDocument } from '../wire/documents/metrics-documents.ts';
import { serviceDocument } from './service-document.ts';
import type { Snapshot } from './state-snapshot.ts';

/** The measurements that are not samples of CPU and memory. */
export interface Measured {
  readonly own: Omit<MetricsDocument['supervisor'], 'pid' | 'version' | 'since'>;
  readonly probe: (id: Service['spec']['id']) => Ms | undefined;
  readonly logBytes: (id: Service['spec']['id']) => number | undefined;
}

const measuredService = (service: Service, snapshot: Snapshot, measured: Measured): MeasuredService => {
  const { id, name, project } = service.spec;
  const { state, health, restarts_total, cpu_percent, rss_bytes } = serviceDocument(service, snapshot);
  return {
    project,
    service: name,
    state,
    up: service.actual.tag === 'up',
    health,
    restarts_total,
    cpu_percent,
    rss_bytes,
    probe_ms: measured.probe(id) ?? null,
    log_bytes: measured.logBytes(id) ?? null,
  };
};

/** Returns the document of `sup metrics --json`: the measurements of every service and of the supervisor. */
export const metricsDocument = (snapshot: Snapshot, measured: Measured): MetricsDocument => {
  const { pid, version, since } = snapshot.supervisor;
  return {
    schema: 'sup.metrics/1',
    supervisor: { pid: pid ?? 0, version: version ?? '', since: since ?? '', ...measured.own },
    services: snapshot.services.map((service) => measuredService(service, snapshot, measured)),
  };
};
