// Exports a manifest: finds out which keys each service has, and lets the format write them.
import { dirname, basename } from 'node:path';
import type { Manifest } from '../streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../streams/domain/declared/spec.ts';
import { LOOSE, projectId, serviceId, type ServiceId } from '../streams/domain/ids.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import { below, childOf, type MapEntry, type Node, positionOf } from '../manifest/read/node.ts';
import type { Exported, ExportedService, ExportFormat } from './export-format.ts';
import { type Loss, ownValue, type SourceLine, type Setting } from './key-table.ts';

interface ExportRequest {
  readonly manifest: Manifest;
  /** The tree of the manifest, merged from all files. */
  readonly root: Node;
  readonly format: ExportFormat;
  /** The only project to export. If it is absent, all projects are exported. */
  readonly project?: string | undefined;
  /** The image of each service by its name, `shop/web` or `web`. `*` is for all other services. */
  readonly images: Readonly<Record<string, string>>;
}

type Declared = Pick<Setting, 'key' | 'place'>;

const placeOf = ({ keyAt }: Pick<MapEntry, 'keyAt'>): SourceLine => ({
  file: keyAt.file.path,
  line: positionOf(keyAt).line,
});

/**
 * True for a key that is one value together with all keys below it. An example is `env.vars`, below which
 * users choose the names.
 */
const isWhole = (key: string): boolean => /(?:^|\.)(?:vars|secrets|hooks|depends_on|sockets)$/.test(key);

/**
 * Returns the dotted keys of a map. A nested map is replaced by its own keys, unless it is empty or `isWhole`
 * is true for its key.
 */
const keysBelow = (node: Node | undefined, path = ''): readonly Declared[] =>
  node?.tag !== 'map'
    ? []
    : node.entries.flatMap((entry) => {
        const key = below(path, entry.key);
        const own = { key, place: placeOf(entry) };
        return entry.value.tag === 'map' && entry.value.entries.length > 0 && !isWhole(key)
          ? keysBelow(entry.value, key)
          : [own];
      });

/** Returns the keys of the top level, or of a project, that its services inherit. */
const inherited = (holder: Node): readonly Declared[] =>
  keysBelow(holder).filter(({ key }) => /^(?:env|logs)\./.test(key));

/** Returns a loss for each top-level key that concerns no single service. */
const ofWhole = (root: Node): readonly Loss[] =>
  (root.tag === 'map' ? root.entries : [])
    .filter(({ key }) => ['alerts', 'metrics', 'status'].includes(key))
    .map((entry) => ({
      effect: 'lost' as const,
      key: entry.key,
      message: 'there is no counterpart',
      place: placeOf(entry),
    }));

/**
 * Returns the node that has this service in its map `services`: the project of the service, or the top level.
 */
const holderOf = (root: Node, { project }: ServiceSpec): Node => {
  const named = childOf(root, 'projects')?.value;
  return (named && childOf(named, project)?.value) ?? root;
};

const imageOf = (
  { id, project, name }: ServiceSpec,
  { images, manifest }: ExportRequest,
): string | undefined =>
  ownValue(images, `${project}/${name}`) ??
  ownValue(images, name) ??
  images['*'] ??
  ownValue(manifest.images ?? {}, id);

/**
 * Returns the keys that the manifest has for a service: its own keys without `x-image`, and inherited keys. A
 * key that occurs more than once is returned once, with its last place.
 */
const declaredFor = (spec: ServiceSpec, root: Node, own: Node | undefined): readonly Declared[] => {
  const holder = holderOf(root, spec);
  const outer = holder === root ? [] : inherited(holder);
  return [...inherited(root), ...outer, ...keysBelow(own)].filter(
    ({ key }, at, all) => key !== 'x-image' && all.findLastIndex((other) => other.key === key) === at,
  );
};

/** Returns the image and the profiles of a service. The spec of the service does not have them. */
const optionsOf = (
  spec: ServiceSpec,
  request: ExportRequest,
): Pick<ExportedService, 'image' | 'profiles'> => {
  const image = imageOf(spec, request);
  const profiles = request.manifest.profiles?.find(({ service }) => service === spec.id)?.profiles;
  return { ...(image !== undefined && { image }), ...(profiles !== undefined && { profiles }) };
};

const isOneShot = ({ id, restartPolicy }: ServiceSpec, { manifest }: ExportRequest): boolean =>
  restartPolicy === 'never' ||
  (restartPolicy === 'on-failure' &&
    manifest.services.some(({ dependsOn }) =>
      dependsOn.some(({ service, condition }) => service === id && condition === 'completed'),
    ));

const exportedService = (
  spec: ServiceSpec,
  request: ExportRequest,
  replicas: number | undefined,
): ExportedService => {
  const { root, manifest } = request;
  const services = childOf(holderOf(root, spec), 'services')?.value;
  const own = services && childOf(services, spec.name);
  return {
    spec,
    declared: declaredFor(spec, root, own?.value),
    place: own === undefined ? { file: manifest.path, line: 1 } : placeOf(own),
    isOneShot: isOneShot(spec, request),
    ...(replicas !== undefined && { replicas }),
    ...optionsOf(spec, request),
  };
};

const entriesOf = (node: Node | undefined): readonly MapEntry[] => (node?.tag === 'map' ? node.entries : []);

/**
 * Returns the ids of the services in the order of the manifest. Services of an included file are at the place
 * of the include. Services that only a later file has are after those of the same project in earlier files.
 */
const orderIn = (root: Node): readonly ServiceId[] => {
  const idsIn = (project: string, holder: Node): readonly ServiceId[] =>
    entriesOf(childOf(holder, 'services')?.value).map(({ key }) => serviceId(projectId(project), key));
  return entriesOf(root).flatMap(({ key, value }) => {
    if (key === 'services') return idsIn(LOOSE, root);
    return key === 'projects' ? entriesOf(value).flatMap((project) => idsIn(project.key, project.value)) : [];
  });
};

/** Returns the services in the order of the manifest. A service with `replicas` is returned once. */
const servicesOf = (request: ExportRequest): readonly ExportedService[] => {
  const { services, groups = [] } = request.manifest;
  const places = new Map(orderIn(request.root).map((id, place) => [id, place]));
  const at = ({ spec }: ExportedService): number => places.get(spec.id) ?? places.size;
  const plain = services
    .filter(({ name }) => !name.includes('@'))
    .map((spec) => exportedService(spec, request, undefined));
  const grouped = groups.map(({ template, replicas }) => exportedService(template, request, replicas));
  return [...plain, ...grouped]
    .filter(({ spec }) => request.project === undefined || spec.project === request.project)
    .sort((one, other) => at(one) - at(other));
};

const nameOf = ({ project, manifest }: ExportRequest): string => {
  const only = manifest.projects.length === 1 ? manifest.projects[0]?.id : undefined;
  return project ?? only ?? basename(dirname(manifest.path));
};

const shown = ({ spec: { project, name } }: ExportedService): string =>
  project === LOOSE ? name : `${project}/${name}`;

/**
 * Returns the files and the losses. Throws ERR0808 if the format needs an image that a service does not have.
 */
export const exportManifest = (request: ExportRequest): Exported => {
  const { format, root } = request;
  const services = servicesOf(request);
  const bare = services.filter(({ image }) => image === undefined).map(shown);
  if (format.needsImage && bare.length > 0)
    throw failure({ code: 'ERR0808', services: bare, format: format.title });
  const { files, losses } = format.write(services, nameOf(request));
  return { files, losses: [...ofWhole(root), ...losses] };
};
