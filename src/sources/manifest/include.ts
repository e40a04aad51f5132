// `!include`: finds the file, holds the caps and refuses cycles. What it brings is a file's text; `assemble.ts` grows
// the tree (specification "!include"; caps and cycles: `spec/gaps` §2).
import { dirname, resolve } from 'node:path';
import { printable } from './quote.ts';
import { sourceFile, type Place, type SourceFile } from './node.ts';
import { readTrusted, type Reader, type Reading } from './read.ts';
import type { Report } from './report.ts';

const DEEPEST = 16;
const MOST_FRAGMENTS = 256;
const MOST_BYTES = 8 * 1024 * 1024;

/** A file that is being assembled, and those that included it, outermost last. */
export interface Opened {
  readonly file: SourceFile;
  /** Device and inode: a link to an open file is the same file. */
  readonly identity: string;
  readonly parent?: Opened;
}

/** What one load has used up. */
export interface Budget {
  readonly reader: Reader;
  readonly report: Report;
  fragments: number;
  bytes: number;
  /** Entries that merge keys brought. */
  merged: number;
}

export const startBudget = (reader: Reader, report: Report): Budget => ({
  reader,
  report,
  fragments: 0,
  bytes: 0,
  merged: 0,
});

const depthOf = (opened: Opened): number => (opened.parent === undefined ? 0 : 1 + depthOf(opened.parent));

const sameOpen = (opened: Opened | undefined, identity: string): Opened | undefined =>
  opened === undefined || opened.identity === identity ? opened : sameOpen(opened.parent, identity);

const refuse = (budget: Budget, place: Place, finding: Parameters<Report['add']>[1]): undefined => {
  budget.report.add({ path: '', place }, finding);
};

/** The codes differ: the root is "the manifest", everything below it "an include". */
const complain = (budget: Budget, place: Place, about: { path: string; reading: Reading; root: boolean }) => {
  const { reading, root } = about;
  const name = printable(about.path);
  switch (reading.tag) {
    case 'untrusted':
      return refuse(budget, place, {
        code: 'ERR0219',
        message: `"${name}" is not trusted: ${reading.detail}`,
      });
    case 'too-large':
      return refuse(budget, place, {
        code: 'ERR0209',
        message: `"${name}" has ${reading.bytes} bytes; manifest and includes together may have ${MOST_BYTES}`,
      });
    case 'garbled':
      return refuse(
        budget,
        { file: sourceFile(about.path, reading.text, root ? undefined : place), offset: reading.offset },
        { code: root ? 'ERR0217' : 'ERR0207', message: 'the file is not UTF-8 text' },
      );
    case 'unreadable':
      return refuse(budget, place, {
        code: root ? 'ERR0203' : 'ERR0207',
        message: `"${name}" cannot be read: ${reading.detail}`,
        hint: about.path.includes('${') ? 'variables are not expanded in include paths' : undefined,
      });
    case 'read':
      return undefined;
  }
};

/** Opens the root manifest. */
export const openRoot = (path: string, budget: Budget): Opened | undefined => {
  const reading = readTrusted(path, budget.reader, MOST_BYTES);
  if (reading.tag === 'read') {
    budget.bytes += reading.bytes;
    return { file: sourceFile(path, reading.text), identity: reading.identity };
  }
  return complain(budget, { file: sourceFile(path, ''), offset: 0 }, { path, reading, root: true });
};

const withinCaps = (parent: Opened, place: Place, budget: Budget): boolean => {
  budget.fragments += 1;
  const message =
    depthOf(parent) >= DEEPEST
      ? `includes are nested more than ${DEEPEST} deep`
      : `there are more than ${MOST_FRAGMENTS} includes`;
  if (depthOf(parent) < DEEPEST && budget.fragments <= MOST_FRAGMENTS) return true;
  // Said once: an include that includes itself twice would say it thousands of times.
  if (budget.fragments <= MOST_FRAGMENTS + 1) refuse(budget, place, { code: 'ERR0209', message });
  return false;
};

/** Opens what an `!include` at `place` names; a failure is reported and gives `undefined`. */
export const openFragment = (
  name: string,
  place: Place,
  { parent, budget }: { parent: Opened; budget: Budget },
): Opened | undefined => {
  if (!withinCaps(parent, place, budget)) return undefined;
  const path = resolve(dirname(parent.file.path), name);
  const reading = readTrusted(path, budget.reader, MOST_BYTES - budget.bytes);
  if (reading.tag !== 'read') return complain(budget, place, { path, reading, root: false });
  budget.bytes += reading.bytes;
  if (sameOpen(parent, reading.identity) !== undefined)
    return refuse(budget, place, { code: 'ERR0208', message: `"${printable(path)}" includes itself` });
  return { file: sourceFile(path, reading.text, place), identity: reading.identity, parent };
};
