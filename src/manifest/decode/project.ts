// A project: an entry of `projects` (`docs/manifest.md`, "A project").
import { optional, required } from './shapes/field.ts';
import { logs } from './logs.ts';
import { SERVICE_NAME } from './scalars/names.ts';
import { object } from './shapes/object.ts';
import { record } from './shapes/record.ts';
import { scopedEnv } from './shapes/scoped.ts';
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
