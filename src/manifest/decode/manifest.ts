// The top level (`docs/manifest.md`, "Top level"). `version.ts` has read `version` before.
import { reportNotCarriedOut } from '../check/not-carried-out.ts';
import { complainAtKey, spotBelow } from './shapes/decoder.ts';
import { optional } from './shapes/field.ts';
import { logs } from './logs.ts';
import { metrics } from './metrics.ts';
import { object } from './shapes/object.ts';
import { services, project } from './project.ts';
import { OTHER_TOP_WORDS } from './service/other-words.ts';
import { inScope, scopedEnv } from './shapes/scoped.ts';
import { status } from './status.ts';
import { version } from './version.ts';
import { byShape, mapped } from './shapes/by-shape.ts';
import { PROJECT_ID } from './scalars/names.ts';
import { record } from './shapes/record.ts';
import { projectId } from './scalars/project-id.ts';
import { singularObject } from './singular-project.ts';

// The projects of a manifest: `projects`, and the deprecated singular form
// (`docs/manifest.md`, "A project", "The singular project").

const projects = record(PROJECT_ID, inScope(project));

/** The singular form: `project: shop`, or `project: { id, name }`. */
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
      ...optional(version, 'Schema: `2`, or `3`, which refuses what it cannot enforce.', ''),
      needed: true,
    },
    projects: optional(projects, 'Projects by id.'),
    project: optional(singular, 'Deprecated: one project, whose services stand at the top level.'),
    env: optional(scopedEnv, 'Variables shared by all services.'),
    logs: optional(logs, 'Defaults for the output of all services.'),
    status: optional(status, 'Background snapshots.'),
    metrics: optional(metrics, 'Samples of CPU and memory.'),
    services: optional(services, 'Services without a project: the loose bundle.'),
  },
  check: ({ project }, spot, context) => {
    reportNotCarriedOut('manifest', spot, context);
    if (project === undefined) return;
    complainAtKey(spotBelow(spot, 'project'), context, {
      code: 'ERR0212',
      severity: 'warning',
      message: 'the singular form is deprecated',
      hint: 'to convert it into projects: sup migrate',
    });
  },
});

export const scopedManifest = inScope(manifest);
