// Imports files of another program: recognises the format, reads it, and writes a manifest with comments.
import { basename, dirname, join, resolve } from 'node:path';
import { PRIVILEGED_KEYS } from '../manifest/check/needs-privilege.ts';
import { isDirectory } from '../os/files/directories.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import { commentOf } from './apply-table.ts';
import type { ImportDraft, DraftService, ImportDeps, ImportFormat } from './import-format.ts';
import { IMPORT_FORMATS } from './import-formats.ts';
import { cleanName } from './service-names.ts';
import { startReading, type SourceText } from './source-texts.ts';
import { yamlText, type YamlPart } from './yaml-text.ts';
import { entryOf, type Entry, type Loss } from './key-table.ts';

interface ImportRequest {
  /** Paths of files and directories; `-` for standard input. */
  readonly files: readonly string[];
  /** The name of the format. If it is absent, the format is recognised. */
  readonly format?: string | undefined;
  /**
   * The project of the services. If it is absent, the project that the source names is used, or else the name
   * of the source's directory.
   */
  readonly project?: string | undefined;
  readonly directory: string;
  /**
   * The path of the manifest to write. If it is absent, the manifest goes to standard output, and its
   * relative paths are relative to `directory`.
   */
  readonly out?: string | undefined;
  readonly standardInput: () => Promise<string>;
  readonly environment: ImportDeps['environment'];
  readonly evaluate: ImportDeps['evaluate'];
}

export interface Imported {
  readonly format: string;
  readonly manifest: string;
  readonly services: number;
  readonly losses: readonly Loss[];
}

type Reading = Pick<ImportDeps, 'read' | 'list'>;

/**
 * Returns the files of a directory that belong to the format. If no format is given, returns those of the
 * first format that has files in the directory.
 */
const filesIn = (
  path: string,
  format: string | undefined,
  { read, list }: Reading,
): readonly SourceText[] => {
  const names = list(path);
  const candidates = IMPORT_FORMATS.filter(({ name }) => format === undefined || name === format);
  const found = candidates.find(({ ofDirectory }) => ofDirectory !== undefined && names.some(ofDirectory));
  if (found === undefined)
    throw failure({ code: 'ERR0801', file: path, formats: candidates.map(({ name }) => name) });
  return names.filter((name) => found.ofDirectory?.(name)).map((name) => read(join(path, name)));
};

const sourcesOf = async (
  { files, format, directory, standardInput }: ImportRequest,
  reading: Reading,
): Promise<readonly SourceText[]> => {
  const texts: SourceText[] = [];
  for (const path of files) {
    if (path === '-') texts.push({ path, directory, text: await standardInput() });
    else if (isDirectory(resolve(directory, path))) texts.push(...filesIn(path, format, reading));
    else texts.push(reading.read(path));
  }
  return texts;
};

/**
 * Returns the format with the name `wanted`, or else the first format that recognises all files. Throws
 * ERR0801 if there is no such format.
 */
const formatOf = (texts: readonly SourceText[], wanted: string | undefined): ImportFormat => {
  const formats = IMPORT_FORMATS.map(({ name }) => name);
  const found = IMPORT_FORMATS.find((format) =>
    wanted === undefined ? texts.every((text) => format.recognises(text)) : format.name === wanted,
  );
  if (found !== undefined) return found;
  throw failure({ code: 'ERR0801', file: texts.map(({ path }) => path).join(', '), formats });
};

const projectOf = ({ project }: ImportRequest, draft: ImportDraft, [first]: readonly SourceText[]): string =>
  cleanName(project ?? draft.project ?? basename(first?.directory ?? 'imported'));

const isBelow = ({ path }: Entry, key: string): boolean => `${path.join('.')}.`.startsWith(`${key}.`);

/**
 * Returns the entries. For each key that needs a privileged supervisor, the first entry gets a comment that
 * says so.
 */
const withPrivilegeNotes = (entries: readonly Entry[]): readonly Entry[] => {
  const isInside = entries.some((entry) => isBelow(entry, 'isolation.user') && entry.value === true);
  const keys = PRIVILEGED_KEYS.filter((key) => !(isInside && key.startsWith('isolation.')));
  return entries.map((entry, at) => {
    const key = keys.find((each) => isBelow(entry, each));
    if (key === undefined || entries.slice(0, at).some((each) => isBelow(each, key))) return entry;
    const note = `${key} has no effect without a privileged supervisor: sup start --sys`;
    return { ...entry, comments: [...entry.comments, note] };
  });
};

const partOf =
  (project: string) =>
  ({ name, section, project: own = project }: DraftService): YamlPart => ({
    under: ['projects', own, 'services', name],
    entries: withPrivilegeNotes(section.entries),
  });

/** Resolves to the manifest and the losses. Rejects with ERR0801 to ERR0804 and ERR0806. */
export const importFiles = async (request: ImportRequest): Promise<Imported> => {
  const { directory, out, environment, evaluate } = request;
  const manifestDirectory = out === undefined ? directory : dirname(resolve(directory, out));
  const reading = startReading({ directory, manifestDirectory });
  const texts = await sourcesOf(request, reading);
  const format = formatOf(texts, request.format);
  const draft = await format.read(texts, { ...reading, environment, evaluate });
  const named = texts.map(({ path }) => path).join(', ');
  if (draft.services.length === 0) throw failure({ code: 'ERR0804', file: named, format: format.title });
  const header = [`Imported from ${named} (${format.name}) by sup import.`, ...draft.losses.map(commentOf)];
  const whole = (draft.whole ?? []).filter(({ path }) => path.length > 0);
  const top: YamlPart = {
    under: [],
    entries: [entryOf(['version'], '2'), ...whole.map((entry) => ({ ...entry, comments: [] }))],
  };
  const parts = draft.services.map(partOf(projectOf(request, draft, texts)));
  return {
    format: format.name,
    manifest: yamlText(header, [top, ...parts]),
    services: draft.services.length,
    losses: [...draft.losses, ...draft.services.flatMap(({ section }) => section.losses)],
  };
};
