// `depends_on`: names, or `{ service, condition }` (`docs/manifest.md`, "depends_on"). Whether they exist is checked
// when all are known.
import { byShape, mapped } from '../shapes/by-shape.ts';
import { defaulted, required } from '../shapes/field.ts';
import { list } from '../shapes/list.ts';
import { located } from '../shapes/located.ts';
import { object } from '../shapes/object.ts';
import { oneOf, text } from '../scalars/text.ts';

export interface DependencyDeclaration {
  readonly service: string;
  readonly condition: 'started' | 'completed';
}

export const dependency = object({
  name: 'dependency',
  fields: {
    service: required(text, 'A service of the same project.'),
    condition: defaulted(
      oneOf('started', 'completed'),
      'started',
      '`started`: ready, or a finished one-shot. `completed`: exited with 0.',
    ),
  },
});

const bare = mapped(text, (service): DependencyDeclaration => ({ service, condition: 'started' }));

export const dependsOn = list(located(byShape(bare, dependency)));
