// Reads the manifests and services that the previous supervisor has saved. An unreadable file is moved aside
// with a warning; it is never deleted, and never stops the supervisor (`docs/behaviour.md`, "Saved state").
// Rules: `docs/behaviour.md`, "Adoption".
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { namesIn } from '../../os/files/directories.ts';
import { currentBoot } from '../../os/proc/machine-facts.ts';
import { sweepTemporary } from './data-directory.ts';
import {
  type ReadDocument,
  readDocument,
  readState,
  type RecordedState,
  type Spoiled,
  spoiledText,
} from './read-project-record.ts';
import {
  isArrayOf,
  isCount,
  isString,
  listOf,
  mapOf,
  optional,
  record,
  type ValueCheck,
} from './shape-checks.ts';
import { MOST_REPLICAS, type Readings, type Scales } from '../../streams/domain/declared/manifest.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { NAME_PATTERN, projectId, type ProjectId } from '../../streams/domain/ids.ts';
import { NO_PROCESS } from '../../streams/domain/service/process.ts';
import type { Service, ServiceState } from '../../streams/domain/service/service.ts';
import { type Layout, layoutOf } from '../../streams/wire/layout.ts';
import { type Registered, REGISTRY_SCHEMA } from '../../streams/wire/state-files.ts';

export const afterReboot = (service: Service): Service => ({ ...service, actual: buried(service.actual) });

const buried = (state: ServiceState): ServiceState => {
  if (state.tag === 'stopping') return { ...state, process: NO_PROCESS, survivors: [], asked: [] };
  return 'process' in state ? { ...state, process: NO_PROCESS } : state;
};

/** Keeps an unusable file as `<file>.corrupt-<n>`. Returns a sentence for the log. Never throws. */
const setAside = (spoiled: Spoiled): string => {
  const { file, extent } = spoiled;
  const text = spoiledText(spoiled);
  if (extent === 'missing') return text;
  const aside = freeName(file);
  try {
    if (extent === 'whole') renameSync(file, aside);
    else copyFileSync(file, aside);
    return `${text}; kept as ${aside}`;
  } catch (error) {
    const reason = messageOf(error);
    return `${text}; nor can it be moved aside: ${reason}`;
  }
};

const freeName = (file: string): string => {
  let number = 1;
  while (existsSync(`${file}.corrupt-${number}`)) number += 1;
  return `${file}.corrupt-${number}`;
};

interface StoreContents {
  /** Resolved paths of the registered manifests. */
  readonly manifests: readonly string[];
  /** By the path of a manifest: its further files and profiles. Absent if no manifest has any. */
  readonly readings?: Readings;
  /** The numbers of instances that `sup scale` has set; absent: none. */
  readonly scales?: Scales;
  /**
   * The recorded services. After a reboot, their processes cannot be alive, and each is replaced by a process
   * that does not exist.
   */
  readonly services: readonly Service[];
  /** True if the machine was not rebooted since the records were written, or if there is no record. */
  readonly sameBoot: boolean;
  /** Registered projects without a readable record. */
  readonly unrecorded: readonly ProjectId[];
  readonly warnings: readonly string[];
}

/** Reads the store for the holder of the lock, and removes temporary files. Never throws. */
export const readStore = (dataDir: string): StoreContents => {
  const { spoiled, ...contents } = readAll(dataDir);
  const layout = layoutOf(dataDir);
  [layout.registry, ...projectsOf(layout).map(layout.projectState)].forEach(sweepTemporary);
  return { ...contents, warnings: spoiled.map(setAside) };
};

/** Reads the store for any other process, and changes nothing. Never throws. */
export const peekStore = (dataDir: string): StoreContents => {
  const { spoiled, ...contents } = readAll(dataDir);
  return { ...contents, warnings: spoiled.map(spoiledText) };
};

/** Returns the resolved paths of the registered manifests, as far as they can be read. Never throws. */
export const peekRegistry = (dataDir: string): readonly string[] =>
  readRegistry(layoutOf(dataDir)).value.manifests;

/** Returns the further files and profiles of registered manifests, by the paths of these. Never throws. */
export const peekReadings = (dataDir: string): Readings =>
  readRegistry(layoutOf(dataDir)).value.readings ?? {};

type Everything = Omit<StoreContents, 'warnings'> & { readonly spoiled: readonly Spoiled[] };

const readAll = (dataDir: string): Everything => {
  const layout = layoutOf(dataDir);
  const registry = readRegistry(layout);
  const projects = projectsOf(layout);
  const states = projects.map((project) => readState(layout, project));
  const recorded = new Set(projects.filter((_, nth) => states[nth]?.value !== undefined));
  const services = states.flatMap(({ value }) => (value === undefined ? [] : revived(value)));
  const manifests = completed(registry.value.manifests, services);
  const placeOf = ({ spec }: Service): number => manifests.indexOf(spec.manifest);
  const boots = states.flatMap(({ value }) => (value === undefined ? [] : [value.bootId]));
  return {
    manifests,
    ...(registry.value.readings && { readings: registry.value.readings }),
    ...(registry.value.scales && { scales: registry.value.scales }),
    // Services are in the order of the manifests. They were read in the order of the names of the projects.
    services: services.toSorted((a, b) => placeOf(a) - placeOf(b)),
    sameBoot: boots.length === 0 || boots.includes(currentBoot()),
    unrecorded: registry.value.projects.filter((project) => !recorded.has(project)),
    spoiled: [...registry.spoiled, ...states.flatMap(({ spoiled }) => spoiled)],
  };
};

/**
 * Returns the registered manifests, and the manifests that the records of services name. The latter matter if
 * the registry is lost.
 */
const completed = (manifests: readonly string[], services: readonly Service[]): readonly string[] => [
  ...new Set([...manifests, ...services.filter(({ leaving }) => !leaving).map(({ spec }) => spec.manifest)]),
];

const revived = ({ bootId, services }: RecordedState): readonly Service[] =>
  bootId === currentBoot() ? services : services.map(afterReboot);

const isList = optional(listOf(isString));
const isReadings = (value: unknown): value is Readings =>
  mapOf(record({ files: isList, profiles: isList }))(value);

/**
 * True for a number of instances that a manifest may declare. A number in a damaged file must not start a
 * huge number of instances.
 */
const isReplicas: ValueCheck = (value) =>
  isCount(value) && Number(value) >= 1 && Number(value) <= MOST_REPLICAS;

const isScales = (value: unknown): value is Scales =>
  mapOf(record({ manifest: isString, declared: isReplicas, replicas: isReplicas }))(value);

/** Reads the registry. The registry of an older supervisor does not list projects. */
const readRegistry = (layout: Layout): ReadDocument<Registered> =>
  readDocument({
    file: layout.registry,
    schema: REGISTRY_SCHEMA,
    absent: { manifests: [], projects: [] },
    decode: ({ manifests, projects = [], readings, scales }) =>
      isArrayOf(isString)(manifests) && isArrayOf(isString)(projects)
        ? {
            value: {
              ...{ manifests, projects: projects.filter(isName).map(projectId) },
              ...(isReadings(readings) && { readings }),
              ...(isScales(scales) && { scales }),
            },
            refused: [],
          }
        : undefined,
  });

const isName = (text: string): boolean => NAME_PATTERN.test(text);

const projectsOf = ({ projects }: Layout): readonly ProjectId[] =>
  namesIn(projects).filter(isName).map(projectId);
