// Prints a `sup status` document and chooses the exit status.
import type { StatusDocument } from '../../../streams/wire/documents/documents.ts';
import { isInTrouble } from '../../client/activities.ts';
import { SYSTEM_DATA_DIR } from '../../../os/process-environment.ts';
import type { Context } from '../../context.ts';
import { EXIT, type ExitStatus } from '../../../streams/wire/exit-status.ts';
import { printDocument, printLines, printWarnings } from '../../print.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import { failingOnly, statusLines } from '../../render/table/status-table.ts';
import { troubleLines } from '../../render/page/trouble-page.ts';

export const exitOf = ({ supervisor, projects }: StatusDocument): ExitStatus => {
  // A running supervisor without a version did not answer: the records are shown.
  if (!supervisor.running || supervisor.version === null) return EXIT.offline;
  const services = projects.flatMap((project) => project.services);
  return services.some(isInTrouble) ? EXIT.failed : EXIT.done;
};

/** Checks the abstract socket name, which every user can see. */
const isPrivilegedRunning = async ({ sys, dataDir }: Context): Promise<boolean> => {
  if (sys || dataDir === SYSTEM_DATA_DIR) return false;
  const { isHeldByName } = await import('../../../sources/store/directory-hold.ts');
  return isHeldByName(SYSTEM_DATA_DIR);
};

export const printStatus = async (
  context: Context,
  document: StatusDocument,
  onlyFailing = false,
): Promise<void> => {
  if (context.json) {
    printWarnings(context, document.supervisor.warnings);
    printDocument(context, onlyFailing ? failingOnly(document) : document);
    return;
  }
  const { stdout } = context.world;
  const { dataDir, sys } = context;
  const paint = paintOf(context.colorOn(stdout));
  const besidePrivileged = !document.supervisor.running && (await isPrivilegedRunning(context));
  const look = { paint, columns: stdout.columns(), now: Date.now(), dataDir, besidePrivileged, onlyFailing };
  printLines(context, [...statusLines(document, look), ...troubleLines(document, { paint, sys })]);
};
