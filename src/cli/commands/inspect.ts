// `sup inspect`: shows everything that is known of services, as a document or a page. Without a supervisor it
// reads the records.
import type { InspectDocument } from '../../streams/wire/documents/documents.ts';
import { askingOnce, inspecting } from '../../client/inspect/inspector.ts';
import { inspected } from '../../client/inspect/process-usage.ts';
import type { Context, Handler } from '../context.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { lengthArgument } from '../grammar/argument-values.ts';
import { valueOf } from '../grammar/parsed-line.ts';
import { printDocument, printLines, printWarnings, remark, unsupervised } from '../print.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { selectionOf } from '../selection.ts';

const print = async (context: Context, document: InspectDocument, supervised: boolean): Promise<void> => {
  if (context.json) {
    printDocument(context, document);
    return;
  }
  if (!supervised) remark(context, unsupervised(document));
  const { inspectLines } = await import('../render/page/inspect-page.ts');
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  printLines(context, inspectLines(document, { paint, now: Date.now(), columns: stdout.columns() }));
};

export const inspect: Handler = async (parsed, context) => {
  const written = valueOf(parsed, 'window');
  const length = written === undefined ? undefined : lengthArgument('--window', written);
  const selection = selectionOf(parsed, context);
  return inspecting(context, askingOnce(context.dataDir), async (inspector) => {
    const { sampled, warnings } = await inspected(inspector, selection, length);
    const { supervised } = inspector;
    printWarnings(context, [...(supervised ? [] : sampled.supervisor.warnings), ...warnings]);
    await print(context, sampled, supervised);
    return supervised ? EXIT.done : EXIT.offline;
  });
};
