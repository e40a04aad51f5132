// Decodes the top level and its projects (`docs/manifest.md`, "Top level", "A project", "The singular
// project"), and generates the JSON Schema from the decoders.
import { alert } from './alerts-object.ts';
import { reportNotCarriedOut } from '../check/report-ignored-keys.ts';
import { inScope, scopedEnv } from './merge-env-levels.ts';
import { ALERTS, OTHER_TOP_WORDS } from './key-hints.ts';
import { PROJECT_ID, projectId, SERVICE_NAME } from './scalars/key-rules.ts';
import { text } from './scalars/text.ts';
import { version } from './schema-version.ts';
import { scopedService } from './service-object.ts';
import { byShape, list, mapped, record } from './shapes/composite.ts';
import { reportAtKey, type Definitions, type JsonSchema, spotBelow } from './shapes/decoder.ts';
import { optional, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { logs, metrics, status } from './logs-status-metrics.ts';

export const singularObject = object({
  name: 'singular_project',
  fields: {
    id: required(projectId, 'The id of the project.'),
    name: optional(text, 'Display name.', 'the id'),
  },
});

const services = record(SERVICE_NAME, scopedService);

export const project = object({
  name: 'project',
  elsewhere: { alerts: ALERTS },
  fields: {
    name: optional(text, 'Display name.', 'the id'),
    services: required(services, 'The services of the project.'),
    env: optional(scopedEnv, 'Variables shared by the services of the project.'),
    logs: optional(logs, 'Defaults for the output of the services of the project.'),
  },
});

const projects = record(PROJECT_ID, inScope(project));

/** Decodes `project: shop` or `project: { id, name }`, which older manifests have. */
const singular = byShape(
  mapped(projectId, (given) => ({ id: given, name: undefined })),
  singularObject,
);

export const manifest = object({
  name: 'manifest',
  exclusive: [['projects', 'project']],
  elsewhere: OTHER_TOP_WORDS,
  fields: {
    version: {
      ...optional(
        version,
        'Version of the schema. Version `2` warns of keys that cannot be enforced, version `3` refuses them.',
        '',
      ),
      needed: true,
    },
    projects: optional(projects, 'Projects by id.'),
    project: optional(
      singular,
      'Deprecated: one project. Its services are at the top level of the manifest.',
    ),
    env: optional(scopedEnv, 'Variables shared by all services.'),
    logs: optional(logs, 'Defaults for the output of all services.'),
    status: optional(status, 'What the supervisor samples in the background.'),
    metrics: optional(metrics, 'Samples of CPU and memory.'),
    alerts: optional(list(alert), 'Receivers of messages about incidents.'),
    services: optional(services, 'Services without a project (loose services).'),
  },
  check: ({ project }, spot, context) => {
    reportNotCarriedOut('manifest', spot, context);
    if (project === undefined) return;
    reportAtKey(spotBelow(spot, 'project'), context, {
      code: 'ERR0212',
      severity: 'warning',
      message: 'the singular form is deprecated',
      hint: 'to convert it into projects: sup migrate',
    });
  },
});

export const scopedManifest = inScope(manifest);

/** Returns the JSON Schema (draft 7) of a manifest, for the YAML language servers of editors. */
export const manifestSchema = (): JsonSchema => {
  const definitions: Definitions = new Map();
  const root = manifest.schema(definitions);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'sup manifest',
    description: 'Projects and services for the sup process supervisor',
    allOf: [root],
    definitions: Object.fromEntries(definitions),
  };
};
