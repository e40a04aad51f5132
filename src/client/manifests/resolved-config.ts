// The manifest as `start` would read it (`docs/commands.md`, "config").
import { loadRegistered, manifestTree } from '../../manifest/load.ts';
import { printedConfig } from '../../manifest/print-config.ts';
import type { Manifest, Reading } from '../../streams/domain/declared/manifest.ts';
import { manifestError } from '../../streams/domain/errors/error.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { ConfigDocument } from '../../streams/wire/documents/config-document.ts';
import { loadPorts, readingOf, type ReadPlace } from './manifest-paths.ts';

interface ConfigQuery {
  /** The path under which the manifest is or would be registered. */
  readonly path: string;
  /** The files and profiles to read the manifest with. If a key is absent, the registered value is used. */
  readonly asked: Reading;
  /** The only project to return; absent if all projects are returned. */
  readonly project?: string | undefined;
  /** True if the result names the file and line of each value. */
  readonly origin: boolean;
  /** True if secrets are not masked. */
  readonly showValues: boolean;
  /** The variables for `${VAR}`. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Config {
  readonly text: string;
  readonly document: ConfigDocument;
}

/** Returns the project. Throws ERR0201 if the manifest does not declare it. */
const known = (project: string | undefined, { path, projects }: Manifest): string | undefined => {
  if (project === undefined || projects.some(({ id }) => id === project)) return project;
  throw failure({ code: 'ERR0201', detail: `project "${project}" is not declared by ${path}` });
};

/**
 * Returns the manifest as YAML and as a document. For an invalid manifest it throws an error with all
 * problems and the code of the first error. For an unknown project it throws ERR0201.
 */
export const resolvedConfig = (
  place: ReadPlace,
  { path, asked, project: named, origin, showValues, environment }: ConfigQuery,
): Config => {
  const reading = readingOf(path, asked, place);
  const ports = { ...loadPorts(place), environment, readings: { [path]: reading } };
  const { manifest, problems } = loadRegistered(path, ports);
  const root = manifestTree(path, ports);
  if (manifest === undefined || root === undefined) throw failure(manifestError(path, problems));
  const project = known(named, manifest);
  const { text, value, origins } = printedConfig(root, { manifest, project, showValues, origin });
  const { files = [], profiles = [] } = reading;
  const document: ConfigDocument = {
    ...{ schema: 'sup.config/1', manifest: path, files: [path, ...files], profiles, config: value },
    origins: origin ? origins : null,
  };
  return { text, document };
};
