// `sup config`: prints the manifest as `start` would read it, as one document.
import type { Context, Handler } from '../../context.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { loadPorts, manifestArgs, registeredPath, whichManifest } from '../../manifest-argument.ts';
import { askedReading, readingOf } from '../../offline/manifest-reading.ts';
import { inheritedEnvironment } from '../../client/ensure-supervisor.ts';
import { printDocument } from '../../print.ts';
import { loadRegistered, manifestTree } from '../../../manifest/load.ts';
import { printedConfig } from '../../../manifest/print-config.ts';
import { manifestError } from '../../../streams/domain/errors/error.ts';
import type { Manifest } from '../../../streams/domain/declared/manifest.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT } from '../../../streams/wire/exit-status.ts';

/** True if `--show-values` was given. Throws ERR0200 without a terminal: secrets must not get into a file. */
const showsValues = ({ flags }: Parsed, { world }: Context): boolean => {
  const isAsked = flags.has('show-values');
  if (isAsked && !world.stdout.terminal)
    throw usageError('--show-values shows values on a terminal only', 'sup config');
  return isAsked;
};

/** Returns the project of `-p`. Throws ERR0201 if the manifest does not declare it. */
const known = (project: string | undefined, { path, projects }: Manifest): string | undefined => {
  if (project === undefined || projects.some(({ id }) => id === project)) return project;
  throw failure({ code: 'ERR0201', detail: `project "${project}" is not declared by ${path}` });
};

export const config: Handler = async (parsed, context) => {
  const showValues = showsValues(parsed, context);
  const [origin, named] = [parsed.flags.has('origin'), valueOf(parsed, 'project')];
  const path = registeredPath(whichManifest(manifestArgs(parsed, context)), context);
  const reading = readingOf(path, askedReading(parsed, context), context);
  const environment = await inheritedEnvironment(context);
  const ports = { ...loadPorts(context), environment, readings: { [path]: reading } };
  const { manifest, problems } = loadRegistered(path, ports);
  const root = manifestTree(path, ports);
  if (manifest === undefined || root === undefined) throw failure(manifestError(path, problems));
  const project = known(named, manifest);
  const printed = printedConfig(root, { manifest, project, showValues, origin });
  if (!context.json) context.world.stdout.write(printed.text);
  else
    printDocument(context, {
      ...{ schema: 'sup.config/1', manifest: path, files: [path, ...(reading.files ?? [])] },
      ...{ profiles: reading.profiles ?? [], config: printed.value },
      origins: origin ? printed.origins : null,
    });
  return EXIT.done;
};
