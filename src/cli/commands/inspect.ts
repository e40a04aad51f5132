// `sup inspect`: everything that is known about services, as a document or a page.
import type { InspectDocument } from '../../streams/wire/documents.ts';
import { connect } from '../client/client.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-status.ts';
import { valueOf } from '../grammar/parsed.ts';
import type { Handler } from '../handler.ts';
import { printDocument, printLines, printWarnings } from '../print.ts';
import { paintOf } from '../render/paint.ts';
import { windowLength, withSamples } from '../samples.ts';
import { selectionOf } from '../selection/selection.ts';

const print = async (context: Context, document: InspectDocument): Promise<void> => {
  if (context.json) {
    printDocument(context, document);
    return;
  }
  const { inspectLines } = await import('../render/inspect-page.ts');
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  printLines(context, inspectLines(document, { paint, now: Date.now(), columns: stdout.columns() }));
};

export const inspect: Handler = async (parsed, context) => {
  const written = valueOf(parsed, 'window');
  const length = written === undefined ? undefined : windowLength(written);
  const selection = selectionOf(parsed, context);
  const client = await connect(context.dataDir);
  try {
    const document = await client.call('inspect', selection);
    if (length === undefined) await print(context, document);
    else {
      const { sampled, warnings } = await withSamples(client, document, { selection, length });
      printWarnings(context, warnings);
      await print(context, sampled);
    }
    return EXIT.done;
  } finally {
    client.close();
  }
};
