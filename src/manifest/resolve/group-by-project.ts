// Groups the services of a manifest into bundles: one for each project, and one for the services at the top
// level. These belong to the singular project if there is one, otherwise to no project.
//
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import { LOOSE, projectId, type ProjectId } from '../../streams/domain/ids.ts';
import type { manifest } from '../decode/top-level.ts';
import type { logs } from '../decode/logs-status-metrics.ts';
import type { Scoped } from '../decode/merge-env-levels.ts';
import type { service } from '../decode/service-object.ts';
import type { ValueOf } from '../decode/shapes/decoder.ts';

type Service = Scoped<ValueOf<typeof service>>;

export interface Bundle {
  readonly project: ProjectId;
  /** The name of the project for users; absent outside projects. */
  readonly name?: string;
  /** The dotted path of the bundle's `services` in the manifest. */
  readonly path: string;
  readonly services: ReadonlyMap<string, Service>;
  readonly logs: readonly (ValueOf<typeof logs> | undefined)[];
}

type Declared = ValueOf<typeof manifest>;

const topLevel = (declared: Declared): Bundle => {
  const rest = { path: 'services', services: declared.services ?? new Map(), logs: [declared.logs] };
  const { project } = declared;
  if (project === undefined) return { project: LOOSE, ...rest };
  return { project: projectId(project.id), name: project.name ?? project.id, ...rest };
};

/** Returns a bundle for each project of the manifest, and one for its top-level services. */
export const bundlesOf = (declared: Declared): readonly Bundle[] => [
  ...[...(declared.projects ?? [])].map(([id, { value }]): Bundle => ({
    project: projectId(id),
    name: value.name ?? id,
    path: `projects.${id}.services`,
    services: value.services,
    logs: [declared.logs, value.logs],
  })),
  topLevel(declared),
];
