// A project: an entry of `projects`, and the deprecated singular form (`docs/manifest.md`, "A project", "The singular
// project").
import { NAME_PATTERN } from '../../../streams/domain/ids.ts';
import { byShape, mapped } from './shapes/by-shape.ts';
import { optional, required } from './shapes/field.ts';
import { logs } from './logs.ts';
import { PROJECT_ID, SERVICE_NAME } from './scalars/names.ts';
import { object } from './shapes/object.ts';
import { record } from './shapes/record.ts';
import { inScope, scopedEnv } from './shapes/scoped.ts';
import { read, refused, scalar } from './scalars/scalar.ts';
import { scopedService } from './service/service.ts';
import { text } from './scalars/text.ts';

export const services = record(SERVICE_NAME, scopedService);

export const project = object({
  name: 'project',
  fields: {
    name: optional(text, 'Display name.', 'the id'),
    services: required(services, 'The services of the project.'),
    env: optional(scopedEnv, 'Variables shared by the services of the project.'),
    logs: optional(logs, 'Defaults for the output of the services of the project.'),
  },
});

export const projects = record(PROJECT_ID, inScope(project));

const id = scalar({
  label: 'project id',
  schema: { type: 'string', pattern: NAME_PATTERN.source, not: { enum: PROJECT_ID.reserved } },
  verbatim: true,
  read: ({ text: given }) => {
    if (PROJECT_ID.reserved?.includes(given) === true) return refused('is reserved');
    return NAME_PATTERN.test(given) ? read(given) : refused(`is not a project id: ${PROJECT_ID.rule}`);
  },
});

export const singularObject = object({
  name: 'singular_project',
  fields: {
    id: required(id, 'The id of the project.'),
    name: optional(text, 'Display name.', 'the id'),
  },
});

/** `project: shop`, or `project: { id, name }`. */
export const singular = byShape(
  mapped(id, (given) => ({ id: given, name: undefined })),
  singularObject,
);
