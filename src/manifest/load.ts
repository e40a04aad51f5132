// Loads one manifest: read → assemble → decode → check → resolve. Never throws: everything that is wrong comes back as
// problems, all at once. `validate` is this and nothing else, `start` begins with it.
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isScalar } from 'yaml';
import type { LoadResult, Manifest, Problem } from '../streams/domain/declared/manifest.ts';
import { assembleFrom, contentsOf } from './read/assemble.ts';
import { checkDependencies } from './check/dependencies.ts';
import { warnOfSharedAddresses } from './check/shared-addresses.ts';
import { warnOfSharedSlotFiles } from './check/shared-slot-files.ts';
import { startExpansion, type Context } from './decode/shapes/decoder.ts';
import type { Machine } from './read/machine.ts';
import { outermost } from './decode/env/env-scope.ts';
import { scopedManifest, type manifest } from './decode/manifest.ts';
import { readVersion, type SchemaVersion } from './decode/version.ts';
import { foreignFile } from './read/foreign-file.ts';
import { openRoot, startBudget } from './read/include.ts';
import { childOf, keysOf, type Node } from './read/node.ts';
import type { Reader } from './read/read-file.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { startReport, type Report } from './check/report.ts';
import { bundlesOf, type Bundle } from './resolve/bundles.ts';
import type { ValueOf } from './resolve/declared.ts';
import { resolveManifest } from './resolve/manifest.ts';

/** Whose environment `${VAR}` falls back to, and on whose authority files are read. */
export interface LoadPorts {
  readonly environment: Readonly<Record<string, string>>;
  /** Told the name of each variable that is looked for there. */
  readonly asked?: (name: string) => void;
  readonly uid: number;
  readonly sys: boolean;
  /** `validate` warns of what it cannot give. */
  readonly machine?: Machine;
}

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    // Reading it will tell why.
    return resolve(path);
  }
};

interface Tree {
  readonly root: Node;
  readonly schema: SchemaVersion;
}

const isNothing = (top: unknown): boolean =>
  top === undefined || top === null || (isScalar(top) && top.value === null && top.tag === undefined);

/** `undefined`: nothing can be decoded, and why has been reported. */
const tree = (path: string, reader: Reader, report: Report): Tree | undefined => {
  const budget = startBudget(reader, report);
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

/** The names of the services as written, also those that did not decode. */
const declaredNames = (root: Node, { project, path }: Bundle): ReadonlySet<string> => {
  const projects = childOf(root, 'projects')?.value ?? root;
  const holder = path === 'services' ? root : (childOf(projects, project)?.value ?? root);
  return new Set(keysOf(childOf(holder, 'services')?.value));
};

const checkAcross = (root: Node, declared: ValueOf<typeof manifest>, context: Context): void => {
  const bundles = bundlesOf(declared);
  for (const bundle of bundles) checkDependencies(bundle, declaredNames(root, bundle), context);
  warnOfSharedAddresses(bundles, context);
  warnOfSharedSlotFiles(bundles, context);
};

const loadTree = (
  path: string,
  { root, schema }: Tree,
  { ports, report }: { ports: LoadPorts; report: Report },
): Manifest | undefined => {
  const directory = dirname(path);
  const context: Context = {
    report,
    schema,
    reader: ports,
    directory,
    scope: outermost(ports.environment, ports.asked),
    defaults: new Map(),
    expansion: startExpansion(),
  };
  const decoded = scopedManifest.decode({ node: root, path: '' }, context);
  if (decoded === undefined) return undefined;
  checkAcross(root, decoded.value, context);
  return report.failed() ? undefined : resolveManifest(decoded.value, { path, schema, directory });
};

/** A bug of ours is a problem of this manifest: whoever loads many, or answers others meanwhile, goes on. */
const attempt = (work: () => Manifest | undefined, file: string, report: Report): Manifest | undefined => {
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

/** A file of another tool is named as such. What is wrong with its text says nothing, unless it is YAML. */
const besideForeign = (file: string, problems: readonly Problem[]): readonly Problem[] => {
  const foreign = foreignFile(file);
  if (foreign === undefined || problems.some(({ code }) => code === 'ERR0203')) return problems;
  const message = `this is ${foreign.kind}, not a manifest of sup`;
  const hint = 'write its services into a sup.yaml; docs/quick-start.md shows how. To check it: sup validate';
  return [
    { code: 'ERR0203', severity: 'error', path: '', file, message, hint },
    ...(foreign.isYaml ? problems : []),
  ];
};

/** Reads what lies at `file`; the result is that of the manifest whose identity is `path`. */
const loadAs = (path: string, file: string, ports: LoadPorts): LoadResult => {
  const report = startReport();
  const work = (): Manifest | undefined => {
    const grown = tree(file, ports, report);
    return grown === undefined ? undefined : loadTree(path, grown, { ports, report });
  };
  const loaded = attempt(work, file, report);
  return loaded === undefined
    ? { path, problems: besideForeign(file, report.problems()) }
    : { path, manifest: loaded, problems: report.problems() };
};

/** `path` is resolved through links: the result's `path` is the manifest's identity. */
export const loadManifest = (path: string, ports: LoadPorts): LoadResult => {
  const identity = realPath(path);
  return loadAs(identity, identity, ports);
};

/** `path` was resolved when it was registered, and is what the manifest is known by: also where a link has taken its place since. */
export const loadRegistered = (path: string, ports: LoadPorts): LoadResult =>
  loadAs(path, realPath(path), ports);
