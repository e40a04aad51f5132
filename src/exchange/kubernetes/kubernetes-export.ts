// Exports to Kubernetes: a Deployment, Job or CronJob for each service, and a Service for its ports.
import { LOOSE } from '../../streams/domain/ids.ts';
import { writeDeclared } from '../apply-table.ts';
import type { ExportedService, ExportFormat } from '../export-format.ts';
import type { Entry, Plain, Section } from '../key-table.ts';
import { type YamlEntry, yamlText } from '../yaml-text.ts';
import { kindOf, type KubernetesContext, labelsOf, type WorkloadKind } from './kubernetes-context.ts';
import { dnsLabels } from './kubernetes-names.ts';
import { CONTAINER_ROWS } from './kubernetes-container.ts';
import { PROBE_ROWS } from './kubernetes-probes.ts';
import { SCHEDULE_ROWS } from './kubernetes-schedule.ts';
import { SECURITY_ROWS } from './kubernetes-security.ts';
import { WORKLOAD_ROWS } from './kubernetes-workload.ts';

// All rows. The first part of a key that a row writes says where the key belongs: `metadata`, `workload` (the
// spec of the Deployment, Job or CronJob), `job` (the spec of a Job), `pod`, `container`, or `service` (the
// spec of the Service).
const KUBERNETES_ROWS = [
  ...WORKLOAD_ROWS,
  ...SCHEDULE_ROWS,
  ...CONTAINER_ROWS,
  ...PROBE_ROWS,
  ...SECURITY_ROWS,
];

const API: Readonly<Record<WorkloadKind, string>> = {
  CronJob: 'batch/v1',
  Job: 'batch/v1',
  Deployment: 'apps/v1',
};

type Path = YamlEntry['path'];

/**
 * Returns, for each first part of a key, the path in an object of this kind at which the other parts of the
 * key belong.
 */
const placesOf = (kind: WorkloadKind): Readonly<Record<string, Path>> => {
  const job = kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
  const pod = [...job, 'template', 'spec'];
  return { metadata: ['metadata'], workload: ['spec'], job, pod, container: [...pod, 'containers', 0] };
};

const isOfService = ({ path }: Entry): boolean => path[0] === 'service';

const ofObject = (path: Path, value: Plain): YamlEntry => ({ path, value, comments: [] });

/** Returns the labels of the pods and, for a Deployment, the selector that finds its pods. */
const selected = (context: KubernetesContext): readonly YamlEntry[] => {
  const labels = labelsOf(context);
  const pod = placesOf(context.kind)['pod'] ?? [];
  return [
    ...(context.kind === 'Deployment' ? [ofObject(['spec', 'selector'], { matchLabels: labels })] : []),
    ofObject([...pod.slice(0, -1), 'metadata'], { labels }),
  ];
};

/** The first parts of keys in the order of the object. The empty text stands for the comments at the end. */
const ORDER = ['metadata', 'workload', 'job', 'pod', 'container', ''];

/** Sorts entries by the first parts of their keys. A comment without a key stays above the entry after it. */
const sorted = (entries: readonly Entry[]): readonly Entry[] => {
  const partAt = (index: number): string =>
    entries.slice(index).find(({ path }) => path.length > 0)?.path[0] ?? '';
  return entries
    .map((entry, index) => ({ entry, rank: ORDER.indexOf(partAt(index)) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
};

const workload = (context: KubernetesContext, { entries }: Section): string => {
  const places = placesOf(context.kind);
  const own = sorted(entries.filter((entry) => !isOfService(entry)));
  const at = own.findLastIndex(({ path }) => path[0] === 'metadata' || path[0] === 'workload') + 1;
  const placed = ({ path: [part = '', ...path], value, comments }: Entry): YamlEntry => ({
    path: part === '' ? [] : [...(places[part] ?? []), ...path],
    value,
    comments,
  });
  const all = [
    ofObject(['apiVersion'], API[context.kind]),
    ofObject(['kind'], context.kind),
    ...own.slice(0, at).map(placed),
    ...selected(context),
    ...own.slice(at).map(placed),
  ];
  const { project, name } = context.spec;
  const shown = project === LOOSE ? name : `${project}/${name}`;
  return yamlText([`Made of ${shown} by sup export.`], [{ under: [], entries: all }]);
};

/** Returns the text of the Service; `undefined` if there is no port. */
const serviceObject = (context: KubernetesContext, { entries }: Section): string | undefined => {
  const own = entries
    .filter(isOfService)
    .map(({ path, value, comments }) => ({ path: ['spec', ...path.slice(1)], value, comments }));
  if (own.length === 0) return undefined;
  const metadata = { name: context.objectName, labels: labelsOf(context) };
  const top = [
    ofObject(['apiVersion'], 'v1'),
    ofObject(['kind'], 'Service'),
    ofObject(['metadata'], metadata),
  ];
  return yamlText([], [{ under: [], entries: [...top, ...own] }]);
};

const contextOf = (service: ExportedService, objectName: string): KubernetesContext => ({
  ...service,
  kind: kindOf(service),
  objectName,
  has: (key) => service.declared.some((own) => own.key === key || own.key.startsWith(`${key}.`)),
});

const written = (context: KubernetesContext) => {
  const { declared, place, spec } = context;
  const section = writeDeclared(declared, KUBERNETES_ROWS, { service: spec.name, place, context });
  const documents = [workload(context, section), serviceObject(context, section)];
  const text = documents.flatMap((document) => (document === undefined ? [] : [`---\n${document}`])).join('');
  return { file: { name: `${context.objectName}.yaml`, text }, losses: section.losses };
};

export const kubernetesExport: ExportFormat = {
  name: 'kubernetes',
  title: 'Kubernetes',
  needsImage: true,
  rows: KUBERNETES_ROWS,
  write: (services) => {
    const projects = new Set(services.map(({ spec: { project } }) => project));
    const names = dnsLabels(
      services.map(({ spec: { project, name } }) => (projects.size > 1 ? `${project}-${name}` : name)),
    );
    const all = services.map((service, at) => written(contextOf(service, names[at] ?? 'service')));
    return { files: all.map(({ file }) => file), losses: all.flatMap(({ losses }) => losses) };
  },
};
