// Warnings, one a line, as they stand aside of an answer or before an error.
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';

/** `warning: …`, yellow where there is colour. */
export const warningLines = (warnings: readonly string[], color: boolean): readonly string[] => {
  const paint = paintOf(color);
  return warnings.map((warning) => paint('yellow', `warning: ${shownLine(warning)}`));
};
