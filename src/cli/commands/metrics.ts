// `sup metrics`: prints metrics of the supervisor and its services as OpenMetrics text.
import { openMetrics } from '../../sinks/metrics/open-metrics.ts';
import { connect } from '../../client/client.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import type { Handler } from '../context.ts';
import { printDocument } from '../print.ts';
import { withOwnUsage } from '../../client/inspect/process-usage.ts';

export const metrics: Handler = async (_parsed, context) => {
  const client = await connect(context.dataDir);
  try {
    const document = await client.call('metrics', {});
    if (context.json) printDocument(context, await withOwnUsage(document));
    else context.world.stdout.write(openMetrics(document));
    return EXIT.done;
  } finally {
    client.close();
  }
};
