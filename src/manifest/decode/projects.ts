// The projects of a manifest: `projects`, and the deprecated singular form
// (`docs/manifest.md`, "A project", "The singular project").
import { byShape, mapped } from './shapes/by-shape.ts';
import { PROJECT_ID } from './scalars/names.ts';
import { record } from './shapes/record.ts';
import { project } from './project.ts';
import { inScope } from './shapes/scoped.ts';
import { projectId } from './scalars/project-id.ts';
import { singularObject } from './singular-project.ts';

export const projects = record(PROJECT_ID, inScope(project));

/** The singular form: `project: shop`, or `project: { id, name }`. */
export const singular = byShape(
  mapped(projectId, (given) => ({ id: given, name: undefined })),
  singularObject,
);
