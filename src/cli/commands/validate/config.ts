// `sup config`: prints one document with the manifest as `start` would read it.
import { registeredPath, whichManifest } from '../../../client/manifests/manifest-paths.ts';
import { resolvedConfig } from '../../../client/manifests/resolved-config.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { inheritedEnvironment } from '../../client/ensure-supervisor.ts';
import type { Context, Handler } from '../../context.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { manifestArgs } from '../../manifest-argument.ts';
import { askedReading } from '../../offline/manifest-reading.ts';
import { printDocument } from '../../print.ts';

/** True if `--show-values` was given. Throws ERR0200 without a terminal, to keep secrets out of files. */
const showsValues = ({ flags }: Parsed, { world }: Context): boolean => {
  const isAsked = flags.has('show-values');
  if (isAsked && !world.stdout.terminal)
    throw usageError('--show-values shows values on a terminal only', 'sup config');
  return isAsked;
};

export const config: Handler = async (parsed, context) => {
  const showValues = showsValues(parsed, context);
  const path = registeredPath(whichManifest(manifestArgs(parsed, context)), context);
  const asked = askedReading(parsed, context);
  const [origin, project] = [parsed.flags.has('origin'), valueOf(parsed, 'project')];
  const environment = await inheritedEnvironment(context);
  const { text, document } = resolvedConfig(context, {
    path,
    asked,
    project,
    origin,
    showValues,
    environment,
  });
  if (context.json) printDocument(context, document);
  else context.world.stdout.write(text);
  return EXIT.done;
};
