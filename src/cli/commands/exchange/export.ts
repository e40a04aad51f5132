// `sup export`: converts the manifest to files for another program, prints or writes them, and reports the
// settings that were lost.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  readingOf,
  registeredPath,
  loadPorts,
  whichManifest,
} from '../../../client/manifests/manifest-paths.ts';
import { EXPORT_FORMATS } from '../../../exchange/export-formats.ts';
import { exportManifest } from '../../../exchange/export-manifest.ts';
import type { Exported, ExportFormat } from '../../../exchange/export-format.ts';
import { loadRegistered, manifestTree } from '../../../manifest/load.ts';
import { manifestError } from '../../../streams/domain/errors/error.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { inheritedEnvironment } from '../../client/ensure-supervisor.ts';
import type { Context, Handler } from '../../context.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { manifestArgs } from '../../manifest-argument.ts';
import { askedReading } from '../../offline/manifest-reading.ts';
import { printDocument, remark } from '../../print.ts';
import { lossDocument, printLosses, refuseLosses, refuseReplacing, writeWholeFile } from './report-losses.ts';

/** Returns the images of `--image`: `web=nginx:1` is for one service, `nginx:1` for all other services. */
const imagesIn = (parsed: Parsed): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (parsed.values.image ?? []).map((text) => {
      const [, service = '*', image = text] = /^([\w./@-]+)=(.+)$/.exec(text) ?? [];
      return [service, image];
    }),
  );

/** Returns the format of `--to`. Throws ERR0200 if it is missing or unknown. */
const formatOf = (parsed: Parsed): ExportFormat => {
  const wanted = valueOf(parsed, 'to');
  const found = EXPORT_FORMATS.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw usageError(
    wanted === undefined ? '--to is missing' : `--to ${wanted} is not known`,
    `sup export --to ${EXPORT_FORMATS.map(({ name }) => name).join('|')}`,
  );
};

const writeFiles = ({ files }: Exported, directory: string, mayReplace: boolean): void => {
  const targets = files.map(({ name }) => join(directory, name));
  refuseReplacing(targets, mayReplace);
  try {
    mkdirSync(directory, { recursive: true });
  } catch (thrown) {
    throw failure({ code: 'ERR0807', file: directory, detail: messageOf(thrown) });
  }
  for (const { name, text } of files) writeWholeFile(join(directory, name), text);
};

const show = (
  context: Context,
  exported: Exported,
  { format, out }: { format: string; out: string | undefined },
): void => {
  const { files, losses } = exported;
  if (context.json)
    return printDocument(context, {
      ...{ schema: 'sup.export/1', format, files, out: out ?? null },
      losses: losses.map(lossDocument),
    });
  const { stdout } = context.world;
  if (out !== undefined) return remark(context, files.map(({ name }) => join(out, name)).join('\n'));
  for (const { name, text } of files) stdout.write(files.length === 1 ? text : `# ${name}\n${text}\n`);
};

export const exportCommand: Handler = async (parsed, context) => {
  const format = formatOf(parsed);
  const [isStrict, mayReplace] = [parsed.flags.has('strict'), parsed.flags.has('yes')];
  const [out, project, images] = [valueOf(parsed, 'out'), valueOf(parsed, 'project'), imagesIn(parsed)];
  const path = registeredPath(whichManifest(manifestArgs(parsed, context)), context);
  const reading = readingOf(path, askedReading(parsed, context), context);
  const environment = await inheritedEnvironment(context);
  const ports = { ...loadPorts(context), environment, readings: { [path]: reading } };
  const { manifest, problems } = loadRegistered(path, ports);
  const root = manifestTree(path, ports);
  if (manifest === undefined || root === undefined) throw failure(manifestError(path, problems));
  const exported = exportManifest({ manifest, root, format, project, images });
  printLosses(context, exported.losses);
  refuseLosses(path, exported.losses, isStrict);
  if (out !== undefined) writeFiles(exported, resolve(context.world.directory, out), mayReplace);
  show(context, exported, { format: format.name, out });
  return exported.losses.some(({ effect }) => effect === 'lost') ? EXIT.failed : EXIT.done;
};
