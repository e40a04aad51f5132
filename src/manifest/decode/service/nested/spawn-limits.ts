// Limits on children, and what happens to them at the end (`docs/manifest.md`, "spawn").
import { defaulted, optional } from '../../shapes/field.ts';
import { whole } from '../../scalars/number.ts';
import { object } from '../../shapes/object.ts';
import { size } from '../../scalars/size.ts';
import { oneOf } from '../../scalars/text.ts';

export const spawnLimits = object({
  name: 'spawn_limits',
  fields: {
    children: defaulted(whole({ min: 0 }), 100, 'Children alive at once.'),
    depth: defaulted(whole({ min: 0 }), 3, 'Levels of children of children.'),
    descendants: defaulted(whole({ min: 0 }), 500, 'Descendants alive at once.'),
    total_memory: optional(size, 'Memory of the whole tree.', 'no limit'),
    termination_policy: defaulted(
      oneOf('cascade', 'orphan', 'reparent'),
      'cascade',
      'What becomes of the children when the service ends.',
    ),
  },
});
