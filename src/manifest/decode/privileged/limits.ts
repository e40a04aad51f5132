// The limits object (`docs/manifest.md`, "limits").
import { cgroup } from './cgroup.ts';
import { optional } from '../shapes/field.ts';
import { list } from '../shapes/list.ts';
import { numberOf, tooLarge, whole } from '../scalars/number.ts';
import { object } from '../shapes/object.ts';
import { orReference, read, refused, scalar } from '../scalars/scalar.ts';
import { sizeOr } from '../scalars/size.ts';
import type { Limit } from '../../../streams/domain/declared/spec.ts';

const UNLIMITED = 'unlimited';

const count = scalar<Limit>({
  label: `number or \`${UNLIMITED}\``,
  schema: orReference({ anyOf: [{ type: 'integer', minimum: 0 }, { const: UNLIMITED }] }),
  read: ({ kind, text }) => {
    if (text === UNLIMITED) return read(UNLIMITED);
    const value = kind === 'text' ? Number.NaN : numberOf(text);
    return Number.isSafeInteger(value) && value >= 0
      ? read(value)
      : refused(tooLarge(value) ?? `is neither a whole number, 0 or more, nor ${UNLIMITED}`);
  },
});

export const limits = object({
  name: 'limits',
  fields: {
    nofile: optional(count, 'Open file descriptors (RLIMIT_NOFILE).'),
    nproc: optional(count, 'Processes (RLIMIT_NPROC).'),
    memlock: optional(sizeOr(UNLIMITED), 'Locked memory in bytes (RLIMIT_MEMLOCK).'),
    core: optional(sizeOr(UNLIMITED), 'Size of a core dump in bytes (RLIMIT_CORE); 0: none.'),
    nice: optional(whole({ min: -20, max: 19 }), 'Scheduling priority, -20..19.'),
    cpu_affinity: optional(
      list(whole({ min: 0, max: 8191 }), { min: 1 }),
      'Indices of the CPUs the service may run on.',
    ),
    cgroup: optional(cgroup, 'cgroup v2 controls.'),
  },
});
