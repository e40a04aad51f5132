// The text of `sup why` as lines, for drawing it and for the limit of scrolling.
import { wrapped } from '../../render/paragraphs.ts';
import { whyLines } from '../../render/page/why-page.ts';
import { instant } from '../../../streams/domain/time.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import type { Scene } from './scene.ts';

export const whyTextOf = ({ why, size, now, sys }: Scene, paint: Paint): readonly string[] => {
  const { answer } = why;
  if (answer === undefined) return ['asking the supervisor …'];
  if (typeof answer === 'string') return answer.split('\n').flatMap((line) => wrapped(line, size.columns));
  return whyLines(answer, { paint, sys, columns: size.columns, now: instant(now) });
};
