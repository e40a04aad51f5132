// Warnings, one a line, besides an answer or before an error.
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';

/** Returns lines of `warning: …`, yellow if there is colour. */
export const warningLines = (warnings: readonly string[], color: boolean): readonly string[] => {
  const paint = paintOf(color);
  return warnings.map((warning) => paint('yellow', `warning: ${shownLine(warning)}`));
};
