// Reports values that have no effect because of other values of the same service (ERR0223), so that none is
// ignored silently: a warning with version 2, an error with version 3. Keys that have no effect with any
// value are in `ignored-keys.ts`.
import type { deployment } from '../decode/deployment-object.ts';
import type { dependsOn } from '../decode/service-keys.ts';
import type { limits } from '../decode/privilege-objects.ts';
import type { watch } from '../decode/watch-object.ts';
import { reportAt, type DecodeContext, type Spot, type ValueOf } from '../decode/shapes/decoder.ts';
import { quoted } from './problem-report.ts';
import { written } from './report-ignored-keys.ts';

interface Declared {
  readonly successExitCodes?: readonly (number | string)[];
  readonly maxMemory?: number;
  readonly limits?: ValueOf<typeof limits>;
  readonly watch?: ValueOf<typeof watch>;
  readonly dependsOn?: ValueOf<typeof dependsOn>;
  readonly restartPolicy: string;
  readonly deployment: ValueOf<typeof deployment>;
}

interface Idle {
  /** The key with a value without effect, with dots for nested objects. */
  readonly key: string;
  readonly told: string;
}

const idleExitCodes = ({ successExitCodes: listed }: Declared): readonly Idle[] =>
  listed !== undefined && listed.length > 0 && listed.every((code) => code === 0)
    ? [{ key: 'success_exit_codes', told: 'has no effect: 0 is always a success' }]
    : [];

const idleRestarts = ({ restartPolicy, deployment: { healthCheck: check } }: Declared): readonly Idle[] =>
  restartPolicy !== 'never'
    ? []
    : Object.entries({ health_check: check, 'health_check.liveness': check?.liveness }).flatMap(
        ([name, { onFailure } = {}]) =>
          onFailure === 'restart'
            ? [{ key: `deployment.${name}.on_failure`, told: 'has no effect: restart_policy is never' }]
            : [],
      );

const idleWatch = ({ watch: files }: Declared): readonly Idle[] =>
  files?.paths.every((path) => files.ignore?.includes(path)) === true
    ? [{ key: 'watch.paths', told: 'has no effect: ignore has the same paths' }]
    : [];

/**
 * Returns limits that are never reached, because Linux kills a process of the service at `memory_max` first.
 */
const idleLimits = ({ maxMemory, limits: declared }: Declared): readonly Idle[] => {
  const { memoryMax: most, memoryHigh: high } = declared?.cgroup ?? {};
  if (typeof most !== 'number') return [];
  const told = 'has no effect: limits.cgroup.memory_max is less';
  return [
    ...(typeof high === 'number' && high > most ? [{ key: 'limits.cgroup.memory_high', told }] : []),
    ...(maxMemory !== undefined && maxMemory > most ? [{ key: 'max_memory', told }] : []),
  ];
};

const report = (at: Spot, told: string, context: DecodeContext): void =>
  reportAt(at, context, {
    code: 'ERR0223',
    message: told,
    ...(context.schema === 2 && ({ severity: 'warning' } as const)),
  });

/** Reports `required: false` in an entry of `depends_on` if another entry requires the same service. */
const reportRequired = (edges: NonNullable<Declared['dependsOn']>, context: DecodeContext): void => {
  const required = new Set(edges.flatMap(({ value }) => (value.required ? [value.service] : [])));
  for (const { value, spot } of edges)
    if (!value.required && required.has(value.service))
      report(
        written(spot, 'required') ?? spot,
        `has no effect: another entry requires ${quoted(value.service)}`,
        context,
      );
};

/** Reports values of a service that have no effect. `spot`: the service. */
export const reportIdleValues = (declared: Declared, spot: Spot, context: DecodeContext): void => {
  // Without `--sys` there is no cgroup. `needs-privilege.ts` warns about that.
  const limited = context.reader.sys ? idleLimits(declared) : [];
  const idle = [idleExitCodes, idleRestarts, idleWatch].flatMap((rule) => rule(declared));
  for (const { key, told } of [...idle, ...limited]) report(written(spot, key) ?? spot, told, context);
  reportRequired(declared.dependsOn ?? [], context);
};
