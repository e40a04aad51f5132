// A line of a service's history: `running → backoff  exited with 1`; `running  SIGHUP, sent by sup kill`.
import { isStill } from '../../streams/views/history-document.ts';
import type { TransitionDocument } from '../../streams/wire/documents/documents.ts';

export const historyText = (entry: TransitionDocument): string => {
  const { from, to, cause, reason } = entry;
  return `${isStill(entry) ? to : `${from} → ${to}`}  ${reason ?? cause}`;
};
