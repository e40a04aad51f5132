// The cgroup object (`docs/manifest.md`, "limits.cgroup"). Linux, privileged mode.
import { join } from 'node:path';
import { CGROUP_ROOT, isKernelsOwn } from '../../../streams/launch/cgroup-path.ts';
import { refuseUnsafePlace } from '../../check/safe-place.ts';
import { spotBelow } from '../shapes/decoder.ts';
import { defaulted, optional } from '../shapes/field.ts';
import { whole } from '../scalars/number.ts';
import { object } from '../shapes/object.ts';
import { sizeOr } from '../scalars/size.ts';
import { matching } from '../scalars/text.ts';

const absolutePath = matching('absolute path', /^\//);
const cpuMax = matching('pair of quota and period, or `max`', /^(max|(max|[1-9]\d*) [1-9]\d*)$/);

export const cgroup = object({
  name: 'cgroup',
  fields: {
    root: defaulted(absolutePath, CGROUP_ROOT, 'Base directory of the cgroups.'),
    memory_max: optional(sizeOr('max'), 'Written to `memory.max`.'),
    cpu_max: optional(
      cpuMax,
      'Written to `cpu.max`: `max`, or quota and period in microseconds: `50000 100000`.',
    ),
    cpu_weight: optional(whole({ min: 1, max: 10_000 }), 'Written to `cpu.weight`, 1..10000.'),
  },
  check: ({ root }, spot, context) => {
    if (!isKernelsOwn(root)) refuseUnsafePlace(join(root, 'unit'), spotBelow(spot, 'root'), context);
  },
});
