// The telling part of a service's last output: the lines after a bar, with a mark where some are left out.
import type { Evidence } from '../../../streams/domain/errors/error.ts';
import { tellingLines } from '../../../streams/views/errors/error-text.ts';
import { shownText } from '../../../streams/views/words/foreign-text.ts';

const LEFT_OUT = '| …';

export const evidenceRows = (evidence: Evidence): readonly string[] =>
  tellingLines(evidence).flatMap((stretch, index) => [
    ...(index > 0 ? [LEFT_OUT] : []),
    ...stretch.map((line) => `| ${shownText(line)}`),
  ]);
