// Opens the files of a manifest: the root and those of `!include`. Enforces limits and refuses files that
// include themselves (`docs/manifest.md`, "!include"). `assemble.ts` builds the tree.
import { dirname, resolve } from 'node:path';
import {
  type Mistake,
  printable,
  type ProblemReport,
  startReport,
  type Where,
} from '../check/problem-report.ts';
import { chainOf, type SourcePlace, sourceFile, type SourceFile } from './node.ts';
import type { Reader } from './reader.ts';
import { type FileReading, readBytes, readTrusted } from '../../os/files/trusted-file.ts';
import type { Problem } from '../../streams/domain/declared/manifest.ts';

const DEEPEST = 16;
const MOST_FRAGMENTS = 256;
/** The most bytes that all files of a manifest may have together. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** A file that is being assembled. `parent`: the file that includes it; absent for the root. */
export interface Opened {
  readonly file: SourceFile;
  /** Device and inode of the file. They identify the file even if it is reached through a symbolic link. */
  readonly identity: string;
  readonly parent?: Opened;
}

/** The amounts that the load of a manifest has used so far. They are compared with its limits. */
export interface Budget {
  readonly reader: Reader;
  readonly report: ProblemReport;
  fragments: number;
  bytes: number;
  tokens: number;
  /** The number of files before the present file. The present file overrides them. */
  layer: number;
  /** How many entries merge keys have added so far. */
  merged: number;
}

export const startBudget = (reader: Reader, report: ProblemReport): Budget => ({
  reader,
  report,
  fragments: 0,
  bytes: 0,
  tokens: 0,
  layer: 0,
  merged: 0,
});

const depthOf = (opened: Opened): number => (opened.parent === undefined ? 0 : 1 + depthOf(opened.parent));

const sameOpen = (opened: Opened | undefined, identity: string): Opened | undefined =>
  opened === undefined || opened.identity === identity ? opened : sameOpen(opened.parent, identity);

/** Returns the cycle of includes as text: `a.yaml → b.yaml → a.yaml`. */
const loopOf = (innermost: Opened, identity: string, again: string): string => {
  const names: string[] = [again];
  for (let at: Opened | undefined = innermost; at !== undefined; at = at.parent) {
    names.unshift(at.file.path);
    if (at.identity === identity) break;
  }
  return names.map(printable).join(' → ');
};

type Unread = Exclude<FileReading, { readonly tag: 'read' }>;

/** Returns the problem of a file that could not be read. The root and included files have different codes. */
const findingOf = (path: string, reading: Unread, root: boolean): Mistake => {
  const name = `"${printable(path)}"`;
  switch (reading.tag) {
    case 'untrusted':
      return { code: 'ERR0219', message: `${name} is not trusted: ${reading.detail}` };
    case 'too-large':
      return {
        code: 'ERR0209',
        message: `${name} has ${reading.bytes} bytes; manifest and includes together may have ${MOST_BYTES}`,
      };
    case 'garbled':
      return { code: root ? 'ERR0217' : 'ERR0207', message: `${name} is not UTF-8 text` };
    case 'unreadable': {
      const hint = path.includes('${') ? 'variables are not expanded in include paths' : undefined;
      const message = `${name} cannot be read: ${reading.detail}`;
      return { code: root ? 'ERR0203' : 'ERR0207', message, hint };
    }
  }
};

/** Opens the root file, or reports why it cannot be opened. */
export const openRoot = (path: string, budget: Budget): Opened | undefined => {
  const { given } = budget.reader;
  const reading =
    given?.path === path
      ? readBytes(given.bytes, path)
      : readTrusted(path, budget.reader, MOST_BYTES - budget.bytes);
  if (reading.tag === 'read') {
    budget.bytes += reading.bytes;
    return { file: sourceFile(path, reading.text), identity: reading.identity };
  }
  const where: Where =
    reading.tag === 'garbled'
      ? { path: '', place: { file: sourceFile(path, reading.text), offset: reading.offset } }
      : { path: '', file: path };
  budget.report.add(where, findingOf(path, reading, true));
  return undefined;
};

/** Returns the problem if opening one more included file would exceed a limit. */
const overCap = (parent: Opened, budget: Budget): Mistake | undefined => {
  if (depthOf(parent) >= DEEPEST)
    return { code: 'ERR0209', message: `includes are nested more than ${DEEPEST} deep` };
  return budget.fragments > MOST_FRAGMENTS
    ? { code: 'ERR0209', message: `there are more than ${MOST_FRAGMENTS} includes` }
    : undefined;
};

/** Opens an included file, or returns the problem. */
const openOr = (path: string, place: SourcePlace, { parent, budget }: Including): Opened | Mistake => {
  const reading = readTrusted(path, budget.reader, MOST_BYTES - budget.bytes);
  if (reading.tag !== 'read') return findingOf(path, reading, false);
  budget.bytes += reading.bytes;
  const { text, identity } = reading;
  return sameOpen(parent, identity) === undefined
    ? { file: sourceFile(path, text, place), identity, parent }
    : { code: 'ERR0208', message: `"${printable(path)}" includes itself: ${loopOf(parent, identity, path)}` };
};

interface Including {
  readonly parent: Opened;
  readonly budget: Budget;
}

/** The place of an `!include` in its file, and its path in the assembled manifest. */
interface Site {
  readonly place: SourcePlace;
  readonly path: string;
}

/** Opens the file that an `!include` names, or reports why it cannot be opened. */
export const openFragment = (name: string, at: Site, including: Including): Opened | undefined => {
  const { parent, budget } = including;
  budget.fragments += 1;
  // The limit is reported only once, even if files include one another many times.
  if (budget.fragments > MOST_FRAGMENTS + 1) return undefined;
  const path = resolve(dirname(parent.file.path), name);
  const opened = overCap(parent, budget) ?? openOr(path, at.place, including);
  if ('file' in opened) return opened;
  budget.report.add({ ...at, chain: chainOf(sourceFile(path, '', at.place)) }, opened);
  return undefined;
};

type ManifestText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export const readManifestText = (path: string, reader: Reader): ManifestText => {
  const report = startReport();
  const opened = openRoot(path, startBudget(reader, report));
  return opened === undefined
    ? { ok: false, problems: report.problems() }
    : { ok: true, text: opened.file.text };
};
