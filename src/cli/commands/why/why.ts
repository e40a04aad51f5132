// `sup why`: shows the causal chain of a state, what happens next, and what to do, for selected services or
// all in trouble. Without a supervisor it uses the records.
import { instant } from '../../../streams/domain/time.ts';
import type { WhyDocument } from '../../../streams/wire/documents/why-document.ts';
import { explained, toExplain } from '../../../client/inspect/explain.ts';
import { askingOnce, inspecting } from '../../../client/inspect/inspector.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { printDocument, printLines, remark, unsupervised } from '../../print.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import { whyLines } from '../../render/page/why-page.ts';
import { selectionOf } from '../../selection.ts';

const print = (context: Context, document: WhyDocument): void => {
  if (context.json) return printDocument(context, document);
  if (document.services.length === 0) return printLines(context, ['nothing is in trouble']);
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  const look = { paint, sys: context.sys, columns: stdout.columns(), now: instant(Date.now()) };
  printLines(context, whyLines(document, look));
};

export const why: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  return inspecting(context, askingOnce(context.dataDir), async (inspector) => {
    const document = await inspector.inspect(selection);
    if (!inspector.supervised) remark(context, unsupervised(document));
    print(context, await explained(context, inspector, toExplain(selection, document)));
    return inspector.supervised ? EXIT.done : EXIT.offline;
  });
};
