// The cgroup object (specification "Limits object", `limits.cgroup`). Linux, privileged mode.
import { defaulted, optional } from './field.ts';
import { whole } from './number.ts';
import { object } from './object.ts';
import { sizeOr } from './size.ts';
import { matching } from './text.ts';

const absolutePath = matching('absolute path', /^\//);
const cpuMax = matching('pair of quota and period, or `max`', /^(max|(max|[1-9]\d*) [1-9]\d*)$/);

export const cgroup = object({
  name: 'cgroup',
  fields: {
    root: defaulted(absolutePath, '/sys/fs/cgroup/sup', 'Base directory of the cgroups.'),
    memory_max: optional(sizeOr('max'), 'Written to `memory.max`.'),
    cpu_max: optional(
      cpuMax,
      'Written to `cpu.max`: `max`, or quota and period in microseconds: `50000 100000`.',
    ),
    cpu_weight: optional(whole({ min: 1, max: 10_000 }), 'Written to `cpu.weight`, 1..10000.'),
  },
});
