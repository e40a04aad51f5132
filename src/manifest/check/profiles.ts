// Leaves out the services of profiles that are not chosen (`docs/manifest.md`, "Profiles"). These services
// are decoded and checked like all others, so that a mistake in them is found with any choice of profiles.
import { quoted } from './problem-report.ts';
import { type DecodeContext, reportAt } from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/group-by-project.ts';
import { childOf, type Node } from '../read/node.ts';
import { cleanNames } from '../../os/choose-data-directory.ts';
import type { Manifest } from '../../streams/domain/declared/manifest.ts';
import { serviceId } from '../../streams/domain/ids.ts';
import { didYouMean } from '../../streams/views/nearest.ts';

type Services = Bundle['services'];
type Service = NonNullable<ReturnType<Services['get']>>;

const profilesOf = ({ value }: Service): readonly string[] => value.profiles ?? [];

interface Choice {
  readonly profiles: readonly string[];
  /** The root of the manifest: problems with the chosen profiles are reported there. */
  readonly root: Node;
}

const isActive = (service: Service, { profiles }: Choice): boolean => {
  const own = profilesOf(service);
  return own.length === 0 || own.some((name) => profiles.includes(name));
};

const hintFor = (name: string, known: readonly string[]): string => {
  const several = cleanNames(name.split(','));
  if (several.length > 1) return `one by one: ${several.map((each) => `--profile ${each}`).join(' ')}`;
  const all = known.length === 0 ? 'no service has profiles' : `the profiles are ${known.join(', ')}`;
  return didYouMean(name, known) ?? all;
};

/** Reports chosen profiles that no service has. */
const refuseUnknown = (
  bundles: readonly Bundle[],
  { profiles, root }: Choice,
  context: DecodeContext,
): void => {
  const known = [...new Set(bundles.flatMap(({ services }) => [...services.values()].flatMap(profilesOf)))];
  for (const name of profiles.filter((each) => !known.includes(each)))
    reportAt({ node: root, path: '' }, context, {
      code: 'ERR0226',
      message: `no service has the profile ${quoted(name)}`,
      hint: hintFor(name, known),
    });
};

/**
 * Returns the service without its dependencies on services that are left out. Reports each of these
 * dependencies that is required.
 */
const withActive = (
  service: Service,
  { services }: Bundle,
  around: Choice & { context: DecodeContext },
): Service => {
  const { profiles, context } = around;
  const away = (name: string): Service | undefined => {
    const needed = services.get(name);
    return needed !== undefined && !isActive(needed, around) ? needed : undefined;
  };
  const { dependsOn } = service.value;
  if (dependsOn?.some(({ value }) => away(value.service) !== undefined) !== true) return service;
  for (const { value, spot } of dependsOn) {
    const needed = away(value.service);
    if (needed === undefined || !value.required) continue;
    const own = profilesOf(needed);
    const chosen = profiles.length === 0 ? 'no profile is chosen' : `chosen: ${profiles.join(', ')}`;
    reportAt(spot, context, {
      code: 'ERR0226',
      message: `${quoted(value.service)} is only in the profiles ${own.join(', ')}; ${chosen}`,
      hint: `sup start --profile ${own[0] ?? ''}, or write { service: ${value.service}, required: false }`,
    });
  }
  const left = dependsOn.filter(({ value }) => away(value.service) === undefined);
  return { ...service, value: { ...service.value, dependsOn: left } };
};

/**
 * Returns every service that has profiles, with its profiles, whether they are chosen or not. Returns
 * `undefined` if no service has any.
 */
export const declaredProfiles = (bundles: readonly Bundle[]): Manifest['profiles'] => {
  const all = bundles.flatMap(({ project, services }) =>
    [...services].flatMap(([name, service]) => {
      const profiles = profilesOf(service);
      return profiles.length === 0 ? [] : [{ service: serviceId(project, name), profiles }];
    }),
  );
  return all.length === 0 ? undefined : all;
};

const entryIn = (node: Node | undefined, key: string): Node | undefined =>
  node === undefined ? undefined : childOf(node, key)?.value;

const valuesIn = (node: Node | undefined): readonly Node[] => {
  if (node?.tag === 'list') return node.items;
  return node?.tag === 'map' ? node.entries.map(({ value }) => value) : [];
};

/** Returns the names of all profiles in a manifest, even an invalid one, for shell completion. */
export const profileNames = (root: Node): readonly string[] => {
  const holders = [root, ...valuesIn(entryIn(root, 'projects'))];
  const services = holders.flatMap((holder) => valuesIn(entryIn(holder, 'services')));
  const names = services.flatMap((service) => valuesIn(entryIn(service, 'profiles')));
  return [...new Set(names.flatMap((name) => (name.tag === 'scalar' ? [String(name.value)] : [])))];
};

/**
 * Returns copies of the bundles. A service stays in its bundle if it has no `profiles`, or if one of its
 * profiles is chosen.
 */
export const inProfiles = (
  bundles: readonly Bundle[],
  choice: Choice,
  context: DecodeContext,
): readonly Bundle[] => {
  refuseUnknown(bundles, choice, context);
  return bundles.map((bundle) => ({
    ...bundle,
    services: new Map(
      [...bundle.services]
        .filter(([, service]) => isActive(service, choice))
        .map(([name, service]) => [name, withActive(service, bundle, { ...choice, context })]),
    ),
  }));
};
