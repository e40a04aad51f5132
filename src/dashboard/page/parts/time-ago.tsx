// A time, shown as its age. The tooltip shows the date and time.
import { agoText, momentText } from '../model/page-words.ts';

interface TimeAgoProps {
  /** The time to show, in ISO 8601. */
  readonly at: string;
  /** The current time, ms since 1970. */
  readonly now: number;
}

export const TimeAgo = ({ at, now }: TimeAgoProps) => (
  <time dateTime={at} title={momentText(at)}>
    {agoText(at, now)}
  </time>
);
