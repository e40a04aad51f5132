// `sup inspect`: everything that is known about services, as a document or a page.
import { connect } from '../client/client.ts';
import { EXIT } from '../exit-status.ts';
import { printDocument, printLines } from '../print.ts';
import { inspectLines } from '../render/inspect-page.ts';
import { paintOf } from '../render/paint.ts';
import { selectionOf } from '../selection/selection.ts';
import type { Handler } from '../handler.ts';

export const inspect: Handler = async (parsed, context) => {
  const client = await connect(context.dataDir);
  try {
    const document = await client.call('inspect', selectionOf(parsed, context));
    if (context.json) printDocument(context, document);
    else {
      const { stdout } = context.world;
      printLines(
        context,
        inspectLines(document, { paint: paintOf(context.colorOn(stdout)), now: Date.now() }),
      );
    }
    return EXIT.done;
  } finally {
    client.close();
  }
};
