// The instances of a service with `replicas`: `web@1`, `web@2` and so on. Each instance is a service of its
// own. In all texts about its process, `{instance}` is replaced by its number (`docs/manifest.md`,
// "replicas").
// Rules: `docs/behaviour.md`, "Instances".
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { instanceId } from '../domain/ids.ts';
import { filledTexts, type Fill } from './placeholders.ts';

/** Returns the text with `{instance}` replaced; `${instance}` is a shell variable, not a placeholder. */
export const filledInstance = (text: string, instance: number): string =>
  text.replaceAll(/(?<!\$)\{instance\}/g, String(instance));

type Vars = ServiceSpec['env']['vars'];

/**
 * Returns the variables, in which placeholders are replaced. If there are none, returns the same object, so
 * that all instances share one object.
 */
const filledVars = (vars: Vars, fill: Fill): Vars =>
  Object.values(vars).some((value) => fill(value) !== value)
    ? Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, fill(value)]))
    : vars;

/**
 * Returns the declaration of an instance (the first instance is 1). The digest of the declaration depends
 * only on the template and the number.
 */
const instanceSpec = (template: ServiceSpec, instance: number): ServiceSpec => {
  const fill: Fill = (text) => filledInstance(text, instance);
  const { launch, env } = template;
  return {
    ...filledTexts(template, fill),
    id: instanceId(template.id, instance),
    name: `${template.name}@${instance}`,
    ...(launch.tag === 'exec' && { launch: { tag: 'exec', argv: launch.argv.map(fill) } }),
    workingDir: fill(template.workingDir),
    ...(template.stateDir !== undefined && { stateDir: fill(template.stateDir) }),
    env: { ...env, vars: filledVars(env.vars, fill) },
    digest: `${template.digest}@${instance}`,
  };
};

/** Returns the declarations of the first `count` instances of a service with `replicas`. */
export const instancesOf = (template: ServiceSpec, count: number): readonly ServiceSpec[] =>
  Array.from({ length: count }, (_, index) => instanceSpec(template, index + 1));
