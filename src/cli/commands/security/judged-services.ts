// Finds the services that `sup security` judges, with their declarations in the current manifests and their
// recorded processes.
import { userInfo } from 'node:os';
import { ClientFailure } from '../../../client/client-failure.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import {
  loadPorts,
  manifestHere,
  readingOf,
  registeredPath,
  supervisorEnvironment,
} from '../../../client/manifests/manifest-paths.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { type LoadPorts, loadRegistered } from '../../../manifest/load.ts';
import { livingConfinement } from '../../../os/proc/living-confinement.ts';
import { shellWord } from '../../../os/shell-word.ts';
import { peekRegistry } from '../../../sources/store/read-saved-state.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import type {
  LoadResult,
  Manifest,
  Problem,
  Reading,
  Readings,
} from '../../../streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { manifestError } from '../../../streams/domain/errors/error.ts';
import { declaredName, groupOf } from '../../../streams/domain/ids.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import { profiledIn, select } from '../../../streams/selection/select.ts';
import { type Failure, failure } from '../../../streams/views/errors/command-failure.ts';
import type { Starter } from '../../../streams/views/security/declared-confinement.ts';
import type { JudgedService } from '../../../streams/views/security/security-report.ts';
import type { Context } from '../../context.ts';
import type { Parsed } from '../../grammar/parsed-line.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { askedReading } from '../../offline/manifest-reading.ts';
import { isEverything, selectionOf } from '../../selection.ts';

interface Judged {
  readonly services: readonly JudgedService[];
  readonly starter: Starter;
  readonly supervised: boolean;
  /** The variables of the supervisor. */
  readonly environment: Readonly<Record<string, string>>;
  /** True if the command line selects no services. */
  readonly isEverything: boolean;
  readonly warnings: readonly string[];
}

/**
 * True if this user may read the data directory. With `--sys` only root may read it, so for other users the
 * command judges only declarations.
 */
const mayLook = ({ sys, world }: Context): boolean => !sys || world.uid === ROOT;

const ROOT = 0;

/** Returns the supervisor that starts the services: this user's, or root's with `--sys`. */
const starterOf = ({ sys, world: { uid } }: Context): Starter => {
  if (sys) return { own: { uid: ROOT, name: 'root' }, privileged: true };
  try {
    return { own: { uid, name: userInfo().username }, privileged: false };
  } catch {
    return { own: { uid }, privileged: false };
  }
};

interface Supervision {
  readonly supervised: boolean;
  readonly pid?: number;
  /** The variables for `${VAR}`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Timeout for the supervisor's greeting, and for its answer, ms. */
const ANSWER_MS = 800;

/**
 * Resolves to facts about the supervisor, such as its environment. If no supervisor answers, the environment
 * is the one that a supervisor started by this process would have.
 */
const supervisionOf = async (context: Context): Promise<Supervision> => {
  const { dataDir, world } = context;
  const alone = {
    supervised: false,
    environment: supervisorEnvironment(world.environment, dataDir),
  };
  if (!mayLook(context)) return alone;
  try {
    const client = await connectIfRunning(dataDir, ANSWER_MS);
    if (client === undefined) return alone;
    const asked = client.call('environment', {}, { timeoutMs: ANSWER_MS });
    const environment = await asked.finally(() => client.close());
    return { supervised: true, pid: client.hello.pid, environment };
  } catch (thrown) {
    if (!(thrown instanceof ClientFailure)) throw thrown;
    return alone;
  }
};

/**
 * Returns the paths of the manifests to read: the selected manifest, or all registered manifests. If none is
 * registered, returns the manifest of this directory.
 */
const pathsOf = ({ manifest }: Selection, context: Context): readonly string[] => {
  if (manifest !== undefined) return [manifest];
  const registered = mayLook(context) ? peekRegistry(context.dataDir) : [];
  return registered.length > 0
    ? registered
    : [registeredPath(manifestHere(context.world.directory), context)];
};

interface Sources {
  readonly loads: readonly LoadResult[];
  readonly recorded: readonly Service[];
}

const isValid = ({ manifest }: LoadResult): boolean => manifest !== undefined;

/**
 * Returns the declarations of a manifest, and of recorded services that it does not declare. If the manifest
 * does not load, returns the recorded declarations.
 */
const specsOf = ({ path, manifest }: LoadResult, recorded: readonly Service[]): readonly ServiceSpec[] => {
  const own = recorded.filter(({ spec }) => spec.manifest === path);
  if (manifest === undefined) return own.map(({ spec, revised }) => revised ?? spec);
  const declared = new Set(manifest.services.map(({ id }) => id));
  const others = own.filter(({ spec, leaving }) => !declared.has(spec.id) && !leaving);
  return [...manifest.services, ...others.map(({ spec }) => redeclared(spec, manifest))];
};

/**
 * Returns the declaration of a recorded service that the manifest does not declare. For an instance that `sup
 * scale` has added, it is the current declaration of the group.
 */
const redeclared = (spec: ServiceSpec, { services }: Manifest): ServiceSpec => {
  const { id, name } = spec;
  const group = services.find((one) => groupOf(one.id) === groupOf(id));
  const isInstance = group !== undefined && name !== declaredName(name);
  return isInstance ? { ...group, id, name } : spec;
};

const chosenFrom = (
  specs: readonly ServiceSpec[],
  { loads }: Sources,
  selection: Selection,
): readonly ServiceSpec[] => {
  const manifests = loads.flatMap(({ manifest }) => manifest ?? []);
  const selected = select(
    {
      services: specs,
      projects: specs.map(({ project: id, manifest }) => ({ id, manifest })),
      manifests: loads.map(({ path }) => path),
      profiled: () => manifests.flatMap(profiledIn),
    },
    selection,
  );
  if (!selected.ok) throw failure(selected.error);
  const ids = new Set(selected.ids);
  return specs.filter(({ id }) => ids.has(id));
};

const portsFor = (
  context: Context,
  environment: LoadPorts['environment'],
  readings: LoadPorts['readings'],
): LoadPorts => {
  const { sys, ...ports } = loadPorts(context);
  const isOther = !mayLook(context);
  return {
    ...{ ...ports, environment, sys: sys && !isOther, isForPrivileged: isOther },
    readings: { ...ports.readings, ...readings },
  };
};

/**
 * Returns the files and profiles to read the manifest with, if the command is about a single manifest. Throws
 * ERR0200 for `--profile` if the command is about all registered manifests.
 */
const readingsOf = (
  parsed: Parsed,
  [path]: readonly string[],
  { selection, context }: { readonly selection: Selection; readonly context: Context },
): Readings => {
  const registered = mayLook(context) ? peekRegistry(context.dataDir) : [];
  const isMeant = path !== undefined && (selection.manifest !== undefined || registered.length === 0);
  if (isMeant) {
    // The operands of `sup security` are names of services, so they must not be read as a manifest.
    const asked = askedReading({ ...parsed, operands: [] }, context);
    return { [path]: readingOf(path, asked, context) };
  }
  if (parsed.values.profile === undefined) return {};
  throw usageError(
    '--profile is about one manifest, and none is named',
    'sup security -c <file> --profile <name>',
  );
};

/** Returns facts about the main process, if it lives and can be read. `supervisor`: pid of the supervisor. */
const runningOf = (
  service: Service | undefined,
  supervisor: number | undefined,
): Pick<JudgedService, 'running'> => {
  if (service === undefined || !('process' in service.actual)) return {};
  const { process } = service.actual;
  const confinement = livingConfinement(process, supervisor);
  if (confinement === undefined) return {};
  const skipped = (service.skipped ?? []).map(({ key }) => key);
  return { running: { spec: service.spec, process: confinement, skipped, pid: process.pid } };
};

const unloaded = ({ path, problems }: LoadResult): string =>
  `${path} does not load (${problems[0]?.code ?? 'ERR0203'}): its services are judged as they were last read`;

/**
 * True if the problem is that a key needs `--sys` (ERR0721). For an included file, this code begins the
 * message.
 */
const needsSys = ({ code, message }: Problem): boolean =>
  code === 'ERR0721' || message.startsWith('ERR0721 ');

/**
 * Returns the error for an invalid manifest. If the manifest is valid for a supervisor with `--sys`, the hint
 * is the command `sup security --sys`.
 */
const refusal = ({ path, problems }: LoadResult, { sys }: Context, { files = [] }: Reading): Failure => {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (sys || !errors.every(needsSys)) return failure(manifestError(path, problems));
  const words = [path, ...files].map((file) => `-c ${shellWord(file)}`);
  const hint = `for a supervisor with --sys: sup security --sys ${words.join(' ')}`;
  const hinted = problems.map((problem) => (problem === errors[0] ? { ...problem, hint } : problem));
  return failure(manifestError(path, hinted));
};

/**
 * Resolves to the selected services. Rejects with ERR0202 for an unknown name, or for an invalid manifest.
 */
export const judgedServices = async (parsed: Parsed, context: Context): Promise<Judged> => {
  const selection = selectionOf(parsed, context);
  const paths = pathsOf(selection, context);
  const { supervised, pid, environment } = await supervisionOf(context);
  const readings = readingsOf(parsed, paths, { selection, context });
  const ports = portsFor(context, environment, readings);
  const loads = paths.map((path) => loadRegistered(path, ports));
  const recorded = mayLook(context) ? readRecorded(context).services : [];
  const invalid = loads.filter((load) => !isValid(load));
  const [refused] = invalid.filter(
    ({ path }) => path === selection.manifest || !recorded.some(({ spec }) => spec.manifest === path),
  );
  if (refused !== undefined) throw refusal(refused, context, ports.readings?.[refused.path] ?? {});
  const specs = loads.flatMap((load) => specsOf(load, recorded));
  const chosen = isEverything(selection) ? specs : chosenFrom(specs, { loads, recorded }, selection);
  const byId = new Map(recorded.map((service) => [service.spec.id, service]));
  return {
    services: chosen.map((spec) => ({ spec, ...runningOf(byId.get(spec.id), pid) })),
    ...{ starter: starterOf(context), supervised, environment },
    ...{ isEverything: isEverything(selection), warnings: invalid.map(unloaded) },
  };
};
