// An entry of `depends_on` with its condition (`docs/manifest.md`, "depends_on").
import { defaulted, required } from '../../shapes/field.ts';
import { object } from '../../shapes/object.ts';
import { oneOf, text } from '../../scalars/text.ts';

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
