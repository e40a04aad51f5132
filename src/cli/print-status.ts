// How `sup status` shows a document, and the exit status that goes with it.
import type { StatusDocument } from '../streams/wire/documents/documents.ts';
import { isInTrouble } from './client/activities.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import { printDocument, printLines, printWarnings } from './print.ts';
import { paintOf } from './render/paint.ts';
import { statusLines } from './render/table/status-table.ts';
import { troubleLines } from './render/page/trouble-page.ts';

export const exitOf = ({ supervisor, projects }: StatusDocument): ExitStatus => {
  // A supervisor that runs and has no version to tell did not answer: what is shown was recorded.
  if (!supervisor.running || supervisor.version === null) return EXIT.offline;
  const services = projects.flatMap((project) => project.services);
  return services.some(isInTrouble) ? EXIT.failed : EXIT.done;
};

export const printStatus = (context: Context, document: StatusDocument): void => {
  if (context.json) {
    printWarnings(context, document.supervisor.warnings);
    printDocument(context, document);
    return;
  }
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  const table = statusLines(document, { paint, columns: stdout.columns(), now: Date.now() });
  printLines(context, [...table, ...troubleLines(document, { paint, sys: context.sys })]);
};
