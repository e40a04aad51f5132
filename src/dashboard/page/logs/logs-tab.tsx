// The log of a service, live.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ErrorDocument } from '../../../streams/wire/documents/documents.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import type { LogQuestion } from '../../page-messages.ts';
import {
  chosenLines,
  isMatch,
  type KeptLine,
  type LogBuffer,
  NO_LOGS,
  streamsOf,
  withLogs,
} from './log-buffer.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { LogLine } from './log-line.tsx';
import { type LogLook, LogTools } from './log-tools.tsx';

interface LogsTabProps {
  readonly link: DashboardLink;
  readonly service: string;
  readonly connections: number;
}

const LINES = 1_000;
const NEAR_END = 30;
/** How long the user must pause in typing before the search is sent to the server, ms. */
const TYPED_MS = 300;

const questionAbout = (service: string, search: string): LogQuestion => ({
  ...{ services: [service], lines: LINES, follow: true },
  ...(search !== '' && { search }),
});

/** Returns the text once it has not changed for `TYPED_MS`. An empty text is returned at once. */
const useTyped = (text: string): string => {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), text === '' ? 0 : TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : typed;
};

interface UsedLogs {
  readonly buffer: LogBuffer;
  readonly error?: ErrorDocument;
  readonly isRead: boolean;
}

/**
 * Requests the last log lines of the service and all later lines. With a search, requests only lines that
 * contain the text.
 */
const useLogs = ({ link, service, connections }: LogsTabProps, search: string): UsedLogs => {
  const [used, setUsed] = useState<UsedLogs>({ buffer: NO_LOGS, isRead: false });
  useEffect(() => {
    // The lines of the previous question stay until the first answer arrives. Of these, the page shows the
    // lines that match.
    let isFirst = true;
    const subscription = link.ask({ ask: 'logs', ...questionAbout(service, search) }).subscribe({
      next: (answer) => {
        if (answer.to === 'failed') setUsed(({ buffer }) => ({ buffer, isRead: true, error: answer.error }));
        if (answer.to !== 'logs') return;
        const replaces = isFirst;
        isFirst = false;
        setUsed(({ buffer }) => {
          const before = replaces ? { ...NO_LOGS, received: buffer.received } : buffer;
          return { buffer: withLogs(before, answer.lines, answer.missed), isRead: true };
        });
      },
      error: (thrown: unknown) => reportError(thrown),
    });
    return () => subscription.unsubscribe();
  }, [service, connections, search]);
  return used;
};

/** Keeps the last line visible while the log is followed. Scrolling up ends following. */
const useFollowing = (
  place: RefObject<HTMLDivElement | null>,
  {
    lines,
    follows,
    onFollow,
  }: { lines: readonly KeptLine[]; follows: boolean; onFollow: (follows: boolean) => void },
): (() => void) => {
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    const element = place.current;
    const content = element?.firstElementChild;
    if (!follows || element === null || !content) return undefined;
    const toEnd = (): void => {
      element.scrollTop = element.scrollHeight;
    };
    toEnd();
    // The browser knows the height of a line only when the line is visible. So the log is scrolled to its end
    // again when its height changes.
    const observer = new ResizeObserver(toEnd);
    observer.observe(content);
    return () => observer.disconnect();
  }, [lines, follows]);
  return () => {
    const element = place.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END;
    const hasMovedUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    if (isAtEnd !== follows && (isAtEnd || hasMovedUp)) onFollow(isAtEnd);
  };
};

const FIRST_LOOK: LogLook = { stream: '', search: '', onlyMatches: false, hasTimes: true, follows: true };

interface NotesProps {
  readonly used: UsedLogs;
  readonly shown: number;
  readonly look: LogLook;
}

const Notes = ({ used: { buffer, error, isRead }, shown, look: { onlyMatches, search } }: NotesProps) => (
  <>
    {error === undefined ? null : <ErrorNote error={error} />}
    {buffer.missed === 0 ? null : (
      <p class="note">{buffer.missed} lines were left out because the page read too slowly.</p>
    )}
    {isRead && shown === 0 && error === undefined ? (
      <p class="note">{onlyMatches && search !== '' ? 'No line with this text so far.' : 'No lines.'}</p>
    ) : null}
  </>
);

interface Matches {
  readonly matching: readonly KeptLine[];
  readonly current: KeptLine | undefined;
  readonly onStep: (step: number) => void;
}

const useMatches = (
  lines: readonly KeptLine[],
  search: string,
  place: RefObject<HTMLDivElement | null>,
): Matches => {
  const [key, setKey] = useState<number>();
  const matching = useMemo(() => lines.filter((kept) => isMatch(kept, search)), [lines, search]);
  const at = matching.findIndex((kept) => kept.key === key);
  useEffect(() => {
    place.current?.querySelector('.current')?.scrollIntoView({ block: 'center' });
  }, [key]);
  const onStep = (step: number): void => {
    const { length } = matching;
    // If no match is current yet, the newest match becomes current.
    const next = at === -1 ? length - 1 : (at + step + length) % length;
    setKey(matching[next]?.key);
  };
  return { matching, current: matching[at], onStep };
};

interface LinesProps {
  readonly lines: readonly KeptLine[];
  readonly matches: Matches;
  readonly look: LogLook;
}

const Lines = ({ lines, matches: { matching, current }, look: { search, hasTimes } }: LinesProps) => {
  const found = useMemo(() => new Set(matching), [matching]);
  return (
    <div>
      {lines.map((kept) => (
        <LogLine
          key={kept.key}
          kept={kept}
          search={found.has(kept) ? search : ''}
          isCurrent={kept === current}
          hasTimes={hasTimes}
        />
      ))}
    </div>
  );
};

export const LogsTab = (props: LogsTabProps) => {
  const [look, setLook] = useState(FIRST_LOOK);
  const used = useLogs(props, useTyped(look.onlyMatches ? look.search : ''));
  const { buffer } = used;
  const change = (changed: Partial<LogLook>): void => setLook((before) => ({ ...before, ...changed }));
  const place = useRef<HTMLDivElement>(null);
  const { stream, search, onlyMatches, follows } = look;
  const lines = useMemo(
    () => chosenLines(buffer, { stream, search, onlyMatches }),
    [buffer, stream, onlyMatches, onlyMatches ? search : ''],
  );
  const matches = useMatches(lines, search, place);
  const onScroll = useFollowing(place, { lines, follows, onFollow: (isOn) => change({ follows: isOn }) });
  const { matching, current } = matches;
  const onStep = (by: number): void => {
    change({ follows: false });
    matches.onStep(by);
  };
  return (
    <section class="panel" aria-label="Logs">
      <LogTools
        {...{ look, onStep, streams: streamsOf(buffer), matches: matching.length, onLook: change }}
        current={current === undefined ? -1 : matching.indexOf(current)}
        text={() => lines.map(({ plain }) => plain).join('\n')}
      />
      <Notes used={used} shown={lines.length} look={look} />
      <div
        class="log"
        role="log"
        aria-label={`Log of ${props.service}`}
        tabIndex={0}
        ref={place}
        onScroll={onScroll}
      >
        <Lines lines={lines} matches={matches} look={look} />
      </div>
    </section>
  );
};
