// Reads the text of a root manifest alone, with the checks of a load: trust, size, UTF-8.
import type { Problem } from '../../streams/domain/declared/manifest.ts';
import { openRoot, startBudget } from './include.ts';
import type { Reader } from './read-file.ts';
import { startReport } from '../check/report.ts';

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
