// The logs of one service for the full-screen view: the last lines, then new ones as they come.
import { projectId, serviceId } from '../../../streams/domain/ids.ts';
import type { LogEntry } from '../../../streams/wire/log-line.ts';
import { LogReader } from '../../../sources/logs/read.ts';

const LAST_LINES = 200;

/** `service` is `project/service`. Settles once `signal` is aborted; rejects when the file cannot be read. */
export const followLog = async (
  dataDir: string,
  service: string,
  { signal, show }: { readonly signal: AbortSignal; readonly show: (entries: readonly LogEntry[]) => void },
): Promise<void> => {
  const [project = '', name = ''] = service.split('/');
  const reader = await LogReader.open(dataDir, [serviceId(projectId(project), name)], { lines: LAST_LINES });
  try {
    show(await reader.tail());
    for await (const entries of reader.follow(signal)) {
      if (signal.aborted) return;
      if (entries.length > 0) show(entries);
    }
  } finally {
    await reader.close();
  }
};
