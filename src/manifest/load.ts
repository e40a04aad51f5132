// Loads one manifest: reads, assembles, decodes, checks and resolves it. Never throws; all problems are
// returned together. `validate` does only this, and `start` does this first.
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isScalar } from 'yaml';
import type {
  LoadResult,
  Manifest,
  Problem,
  Reading,
  Readings,
} from '../streams/domain/declared/manifest.ts';
import { assembleFrom, contentsOf } from './read/assemble.ts';
import { checkDependencies } from './check/dependencies.ts';
import { type DecodeContext, startExpansion } from './decode/shapes/decoder.ts';
import type { GivenManifest, Machine, Reader } from './read/reader.ts';
import { outermost } from './decode/merge-env-levels.ts';
import { scopedManifest } from './decode/top-level.ts';
import { readVersion, type SchemaVersion } from './decode/schema-version.ts';
import { foreignFile } from './file-names.ts';
import { type Budget, openRoot, startBudget } from './read/manifest-files.ts';
import { merged, refuseOtherVersion, refuseResetFile } from './read/merge-files.ts';
import { childOf, keysOf, type Node } from './read/node.ts';
import { openLibc, SWITCHED_OFF } from '../os/libc/libc.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { startReport, type ProblemReport } from './check/problem-report.ts';
import { inProfiles, declaredProfiles } from './check/profiles.ts';
import { bundlesOf, type Bundle } from './resolve/group-by-project.ts';
import { resolveManifest } from './resolve/resolve-manifest.ts';
import { warnOfSharedClaims } from './check/shared-claims.ts';

/** The environment for `${VAR}`, and the user that reads the files. */
export interface LoadPorts {
  readonly environment: Readonly<Record<string, string>>;
  /** Called with each variable that is looked up in `environment`. */
  readonly asked?: (name: string) => void;
  readonly uid: number;
  readonly sys: boolean;
  /**
   * True if another user's supervisor with `--sys` runs the services. That supervisor checks trust itself, so
   * this process does not.
   */
  readonly isForPrivileged?: boolean;
  /** The content of a manifest that is in no file. */
  readonly given?: GivenManifest | undefined;
  /** The further files and the chosen profiles of each registered manifest, by its path. */
  readonly readings?: Readings;
  /** Facts about this machine, for `validate`: the load warns about what is missing here. */
  readonly machine?: Machine;
  /** Returns why the C library cannot be called, if it cannot. If absent, the load finds this out itself. */
  readonly absence?: () => string | undefined;
}

/**
 * Returns the reason why a supervisor with this environment cannot call the C library; `undefined` if it can.
 */
const absenceIn = (environment: LoadPorts['environment']): string | undefined => {
  if (environment['SUP_FFI'] === 'off') return SWITCHED_OFF;
  const opened = openLibc();
  return opened.tag === 'absent' ? opened.detail : undefined;
};

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    // The path cannot be resolved. Reading the file will report the reason.
    return resolve(path);
  }
};

interface Tree {
  readonly root: Node;
  readonly schema: SchemaVersion;
}

const isNothing = (top: unknown): boolean =>
  top === undefined || top === null || (isScalar(top) && top.value === null && top.tag === undefined);

/** Returns the assembled tree, or reports why it cannot be decoded. */
const treeOf = (path: string, budget: Budget): Tree | undefined => {
  const { report } = budget;
  const opened = openRoot(path, budget);
  const contents = opened === undefined ? undefined : contentsOf(opened, budget);
  if (opened === undefined || contents === undefined) return undefined;
  const { file } = opened;
  if (isNothing(contents.top)) {
    const place = { file, offset: 0 };
    report.add({ path: '', place }, { code: 'ERR0213', message: 'the manifest is empty' });
    return undefined;
  }
  const schema = readVersion(contents.top, file, report);
  if (schema === undefined) return undefined;
  const root = assembleFrom(contents.top, opened, { budget, path: '' });
  return root.tag === 'broken' ? undefined : { root, schema };
};

/**
 * Returns `base` overridden by a further file; `base` itself if the file is empty, `undefined` if it is
 * unreadable.
 */
const overridden = (base: Tree, file: string, budget: Budget): Tree | undefined => {
  const { report } = budget;
  budget.layer += 1;
  const opened = openRoot(file, budget);
  const contents = opened === undefined ? undefined : contentsOf(opened, budget);
  if (opened === undefined || contents === undefined) return undefined;
  if (isNothing(contents.top)) return base;
  const over = assembleFrom(contents.top, opened, { budget, path: '' });
  refuseResetFile(over, report);
  if (over.tag === 'broken') return undefined;
  refuseOtherVersion(base.root, over, report);
  const root = merged(base.root, over, { path: '', report });
  return root.tag === 'broken' ? undefined : { ...base, root };
};

/** Returns the merged tree of all files of a manifest. Each file overrides the files before it. */
const tree = (
  files: readonly [string, ...string[]],
  reader: Reader,
  report: ProblemReport,
): Tree | undefined => {
  const [first, ...others] = files;
  const budget = startBudget(reader, report);
  let whole = treeOf(first, budget);
  for (const file of others) whole = whole && overridden(whole, file, budget);
  return whole;
};

/** Returns the names of the services in the manifest, also of those that could not be decoded. */
const declaredNames = (root: Node, { project, path }: Bundle): ReadonlySet<string> => {
  const projects = childOf(root, 'projects')?.value ?? root;
  const holder = path === 'services' ? root : (childOf(projects, project)?.value ?? root);
  return new Set(keysOf(childOf(holder, 'services')?.value));
};

/** Checks all services together. Returns the bundles with only the services of the chosen profiles. */
const checkAcross = (
  all: readonly Bundle[],
  { root, profiles }: Pick<Tree, 'root'> & { readonly profiles: readonly string[] },
  context: DecodeContext,
): readonly Bundle[] => {
  for (const bundle of all) checkDependencies(bundle, declaredNames(root, bundle), context);
  const bundles = inProfiles(all, { root, profiles }, context);
  warnOfSharedClaims(bundles, context);
  return bundles;
};

const loadTree = (
  path: string,
  { root, schema }: Tree,
  { ports, report, reading }: { ports: LoadPorts; report: ProblemReport; reading: Reading },
): Manifest | undefined => {
  const directory = dirname(path);
  const context: DecodeContext = {
    report,
    schema,
    reader: { absence: () => absenceIn(ports.environment), ...ports },
    directory,
    scope: outermost(ports.environment, ports.asked),
    defaults: new Map(),
    expansion: startExpansion(),
  };
  const decoded = scopedManifest.decode({ node: root, path: '' }, context);
  if (decoded === undefined) return undefined;
  const all = bundlesOf(decoded.value);
  const bundles = checkAcross(all, { root, profiles: reading.profiles ?? [] }, context);
  if (report.failed()) return undefined;
  const profiles = declaredProfiles(all);
  const resolved = resolveManifest(decoded.value, bundles, { path, schema, directory, reading });
  return { ...resolved, ...(profiles && { profiles }) };
};

/**
 * Returns the result of `work`. An exception is a bug of sup. It is reported as a problem of this manifest,
 * so that other manifests are still loaded.
 */
const attempt = (
  work: () => Manifest | undefined,
  file: string,
  report: ProblemReport,
): Manifest | undefined => {
  try {
    return work();
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    report.add(
      { path: '', file },
      { code: 'ERR0001', message: `it could not be loaded: ${stack ?? messageOf(error)}` },
    );
    return undefined;
  }
};

/**
 * If the name of the file belongs to another tool, adds a problem that says so. The other problems are kept
 * only if the file is YAML.
 */
const besideForeign = (file: string, problems: readonly Problem[]): readonly Problem[] => {
  const foreign = foreignFile(file);
  if (foreign === undefined || problems.some(({ code }) => code === 'ERR0203')) return problems;
  const message = `this is ${foreign.kind}, not a manifest of sup`;
  const hint = `make a manifest of it: sup import ${basename(file)} --out sup.yaml`;
  return [
    { code: 'ERR0203', severity: 'error', path: '', file, message, hint },
    ...(foreign.isYaml ? problems : []),
  ];
};

/** Loads the manifest in `file`; `path` identifies it in the result. */
const loadAs = (path: string, file: string, ports: LoadPorts): LoadResult => {
  const report = startReport();
  const reading = ports.readings?.[path] ?? {};
  const work = (): Manifest | undefined => {
    const grown = tree([file, ...(reading.files ?? [])], ports, report);
    return grown === undefined ? undefined : loadTree(path, grown, { ports, report, reading });
  };
  const loaded = attempt(work, file, report);
  return loaded === undefined
    ? { path, problems: besideForeign(file, report.problems()) }
    : { path, manifest: loaded, problems: report.problems() };
};

/** Loads a manifest, identified by its path with symbolic links resolved. */
export const loadManifest = (path: string, ports: LoadPorts): LoadResult => {
  const identity = realPath(path);
  return loadAs(identity, identity, ports);
};

/** Loads a registered manifest. `path` identifies it, even if the path has become a symbolic link. */
export const loadRegistered = (path: string, ports: LoadPorts): LoadResult =>
  loadAs(path, realPath(path), ports);

/** Returns the merged tree of all files of a registered manifest; `undefined` if it cannot be read. */
export const manifestTree = (path: string, ports: LoadPorts): Node | undefined =>
  tree([realPath(path), ...(ports.readings?.[path]?.files ?? [])], ports, startReport())?.root;

/**
 * Returns the registered manifests that are valid. A project without services is known only from its
 * manifest.
 */
export const declaredIn = (paths: readonly string[], ports: LoadPorts): readonly Manifest[] =>
  paths.flatMap((path) => loadRegistered(path, ports).manifest ?? []);
