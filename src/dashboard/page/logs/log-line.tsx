// One line of a log: its time, stream, and text in colours. Output of services is never treated as HTML.
import { memoized } from '../parts/memoized.ts';
import { clockText, type KeptLine } from './log-buffer.ts';
import { logParts } from './log-parts.ts';

interface LogLineProps {
  readonly kept: KeptLine;
  /** The text to mark in the line; empty if the line does not contain it. */
  readonly search: string;
  readonly isCurrent: boolean;
  readonly hasTimes: boolean;
}

const LineOfLog = ({ kept: { line }, search, isCurrent, hasTimes }: LogLineProps) => (
  <div class={`log-line${isCurrent ? ' current' : ''}${line.stream === 'stderr' ? ' stderr' : ''}`}>
    {hasTimes && (
      <time class="quiet" dateTime={line.at ?? undefined} title={line.at ?? undefined}>
        {clockText(line.at)}{' '}
      </time>
    )}
    {line.stream === 'stdout' ? null : <span class="stream">{line.stream} </span>}
    {logParts(line.text, search).map(({ text, classes, isMatch }, index) =>
      isMatch ? (
        <mark key={index} class={classes}>
          {text}
        </mark>
      ) : (
        <span key={index} class={classes}>
          {text}
        </span>
      ),
    )}
  </div>
);

export const LogLine = memoized(LineOfLog);
