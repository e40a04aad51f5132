// Checks a manifest and prints its problems as text or document. Exit status: 0 if the manifest is valid, 1
// if not.
import { documentJson } from '../../../streams/views/words/foreign-text.ts';
import { loadManifest, loadRegistered, type LoadPorts } from '../../../manifest/load.ts';
import type { LoadResult, Manifest, Problem } from '../../../streams/domain/declared/manifest.ts';
import { problemsDocument, renderProblems } from '../../render/problems.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { type ManifestArgs, whichManifest } from '../../../client/manifests/manifest-paths.ts';
import type { Output } from '../../manifest-argument.ts';

// `${VAR}` is resolved with the environment of the supervisor, not of this shell. If a variable has another
// value in this shell, a note names the variable. The note does not show the values, because they may be
// secrets.

type Environment = Readonly<Record<string, string>>;

interface Sides {
  readonly supervisor: Environment;
  readonly shell: Environment;
}

/**
 * Returns a note for each variable whose value differs between the supervisor and this shell, sorted by name.
 */
const otherValues = (names: Iterable<string>, { supervisor, shell }: Sides): readonly string[] =>
  [...names].sort().flatMap((name) => {
    const [there, here] = [supervisor[name], shell[name]];
    if (there === here) return [];
    if (there === undefined) return [`${name} is set in this shell, but not for the supervisor that runs`];
    if (here === undefined) return [`${name} is not set in this shell; the supervisor that runs has a value`];
    return [`${name} has another value in this shell; that of the supervisor that runs counts`];
  });

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const validLine = (manifest: Manifest): string => {
  const projects = count(manifest.projects.length, 'project');
  return `${manifest.path}: valid (${projects}, ${count(manifest.services.length, 'service')})\n`;
};

const invalidLine = ({ path, problems }: LoadResult): string => {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return `\n${path}: invalid (${count(errors, 'error')})\n`;
};

const tellPeople = (load: LoadResult, notes: readonly string[], out: Output): void => {
  notes.forEach((note) => out.stderr(`note: ${note}\n`));
  if (load.problems.length > 0) out.stderr(renderProblems(load.problems, { color: out.color }));
  if (load.manifest === undefined) out.stderr(invalidLine(load));
  else out.stdout(validLine(load.manifest));
};

interface ValidatePorts extends LoadPorts {
  /** Variables of this shell, if the manifest is checked with those of a running supervisor. */
  readonly shell?: LoadPorts['environment'];
  /** Returns the path under which a manifest is registered, even if the file is a symbolic link now. */
  readonly knownAs?: (path: string) => string;
  /** Returns problems with names that another registered manifest already declares (ERR0218). */
  readonly claims?: (manifest: Manifest) => readonly Problem[];
  /** Called with the manifest if it is valid. */
  readonly onValid?: (manifest: Manifest) => void;
  /** Returns warnings about keys that cannot be applied on this machine (ERR0741). */
  readonly undone?: (manifest: Manifest) => readonly Problem[];
}

/**
 * Adds problems that the manifest alone does not show: names that are already taken, and keys that this
 * machine cannot apply.
 */
const besideOthers = (load: LoadResult, { claims, undone }: ValidatePorts): LoadResult => {
  if (load.manifest === undefined) return load;
  const taken = claims?.(load.manifest) ?? [];
  if (taken.length > 0) return { path: load.path, problems: [...load.problems, ...taken] };
  return { ...load, problems: [...load.problems, ...(undone?.(load.manifest) ?? [])] };
};

export const validateManifest = (
  args: ManifestArgs & { readonly json: boolean; readonly quiet?: boolean },
  out: Output,
  ports: ValidatePorts,
): number => {
  const asked = new Set<string>();
  const path = whichManifest(args);
  const asking = { ...ports, asked: (name: string) => asked.add(name) };
  const loaded =
    ports.knownAs === undefined ? loadManifest(path, asking) : loadRegistered(ports.knownAs(path), asking);
  const load = besideOthers(loaded, ports);
  const { environment: supervisor, shell = supervisor } = ports;
  const notes = otherValues(asked, { supervisor, shell });
  if (args.json) out.stdout(`${documentJson(problemsDocument(load.problems, notes))}\n`);
  else tellPeople(load, args.quiet === true ? [] : notes, out);
  if (load.manifest === undefined) return EXIT.failed;
  ports.onValid?.(load.manifest);
  return EXIT.done;
};
