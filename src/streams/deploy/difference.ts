// Which keys of a declaration are new, gone or changed, named and written as in a manifest.
import type { ChangedKey } from '../domain/plan.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** What is derived, or says where a service stands and not what it is. */
const APART: ReadonlySet<string> = new Set([
  'digest',
  'id',
  'project',
  'name',
  'kind',
  'schema',
  'directory',
]);

/** `workingDir` as `working_dir`. What a user has named (a variable, a hook) stays as it is. */
const manifestKey = (key: string): string =>
  key.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Every leaf below `value` with its dotted key. */
const leaves = (value: unknown, path: string, named: boolean): readonly (readonly [string, string])[] => {
  if (!isTree(value)) return value === undefined ? [] : [[path, textOf(value)]];
  return Object.entries(value).flatMap(([key, below]) => {
    const name = named ? key : manifestKey(key);
    return leaves(below, path === '' ? name : `${path}.${name}`, name === 'vars' || name === 'hooks');
  });
};

/** The declaration in the words of a manifest: `command` and `exec` instead of how they are told apart. */
const declared = ({ launch, dependsOn, deployment, ...spec }: ServiceSpec): Record<string, unknown> => {
  const { healthCheck, ...rest } = deployment;
  const rows = Object.entries(spec).filter(([key]) => !APART.has(key));
  return {
    ...(launch.tag === 'shell' ? { command: launch.command } : { exec: launch.argv }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...Object.fromEntries(rows),
    deployment: { ...rest, ...(healthCheck && { healthCheck }) },
  };
};

/** Leaves that are not the same, by dotted key; `from` or `to` is absent where only the other declaration has it. */
export const differenceOf = (before: ServiceSpec, after: ServiceSpec): readonly ChangedKey[] => {
  const [old, fresh] = [before, after].map((spec) => new Map(leaves(declared(spec), '', false)));
  if (old === undefined || fresh === undefined) return [];
  const keys = [...new Set([...old.keys(), ...fresh.keys()])];
  return keys.flatMap((key): readonly ChangedKey[] => {
    const [from, to] = [old.get(key), fresh.get(key)];
    if (from === to) return [];
    return [{ key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });
};
