// The deprecated `project: { id, name }` (`docs/manifest.md`, "The singular project").
import { optional, required } from './shapes/field.ts';
import { object } from './shapes/object.ts';
import { text } from './scalars/text.ts';
import { projectId } from './scalars/project-id.ts';

export const singularObject = object({
  name: 'singular_project',
  fields: {
    id: required(projectId, 'The id of the project.'),
    name: optional(text, 'Display name.', 'the id'),
  },
});
