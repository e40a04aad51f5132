// Rows that several pages share: important lines of a service's last output, and a line of its history.
import type { Evidence } from '../../../streams/domain/errors/error.ts';
import { shownText } from '../../../streams/views/words/foreign-text.ts';
import type { TransitionDocument } from '../../../streams/wire/documents/documents.ts';
import { tellingLines } from '../../../streams/views/errors/error-text.ts';
import { isStill } from '../../../streams/views/history-document.ts';

const LEFT_OUT = '| …';

export const evidenceRows = (evidence: Evidence): readonly string[] =>
  tellingLines(evidence).flatMap((stretch, index) => [
    ...(index > 0 ? [LEFT_OUT] : []),
    ...stretch.map((line) => `| ${shownText(line)}`),
  ]);

export const historyText = (entry: TransitionDocument): string => {
  const { from, to, cause, reason } = entry;
  return `${isStill(entry) ? to : `${from} → ${to}`}  ${reason ?? cause}`;
};
