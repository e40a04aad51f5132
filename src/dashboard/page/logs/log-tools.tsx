// The tools above a log: search, choice of the stream, times, follow, copy.
import type { LogChoice } from './log-buffer.ts';
import { LONGEST_SEARCH } from '../../page-messages.ts';
import { CopyButton } from '../parts/copy-button.tsx';

export interface LogLook extends LogChoice {
  readonly hasTimes: boolean;
  readonly follows: boolean;
}

interface LogToolsProps {
  readonly look: LogLook;
  readonly streams: readonly string[];
  readonly matches: number;
  /** The index of the current match, from 0; -1 if no match is current. */
  readonly current: number;
  readonly onLook: (look: Partial<LogLook>) => void;
  readonly onStep: (step: number) => void;
  readonly text: () => string;
}

const countText = ({ look, matches, current }: LogToolsProps): string => {
  if (look.search === '') return '';
  if (matches === 0) return 'no matches';
  return current === -1
    ? `${matches} ${matches === 1 ? 'match' : 'matches'}`
    : `${current + 1} of ${matches}`;
};

const Search = (props: LogToolsProps) => {
  const { look, matches, onLook, onStep } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  return (
    <>
      <input
        type="search"
        class="filter"
        id="log-search"
        aria-label="Search logs"
        placeholder="Search ( / )"
        autocomplete="off"
        spellcheck={false}
        maxLength={LONGEST_SEARCH}
        value={look.search}
        onInput={({ currentTarget }) => onLook({ search: currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div class="buttons">
        <button type="button" aria-label="Previous match" disabled={matches === 0} onClick={() => onStep(-1)}>
          ↑
        </button>
        <button type="button" aria-label="Next match" disabled={matches === 0} onClick={() => onStep(1)}>
          ↓
        </button>
      </div>
      <span class="quiet match-count" aria-live="polite">
        {countText(props)}
      </span>
    </>
  );
};

interface CheckProps {
  readonly text: string;
  readonly title?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const Check = ({ text, title, isOn, onChange }: CheckProps) => (
  <label class="check" title={title}>
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />{' '}
    {text}
  </label>
);

export const LogTools = (props: LogToolsProps) => {
  const { look, streams, onLook, text } = props;
  return (
    <div class="panel-head">
      <Search {...props} />
      <Check
        text="Only matches"
        title="The last matching lines of the whole log, also those that are not shown otherwise"
        isOn={look.onlyMatches}
        onChange={(onlyMatches) => onLook({ onlyMatches })}
      />
      <select
        aria-label="Stream"
        value={look.stream}
        onChange={({ currentTarget }) => onLook({ stream: currentTarget.value })}
      >
        <option value="">all streams</option>
        {streams.map((stream) => (
          <option key={stream} value={stream}>
            {stream}
          </option>
        ))}
      </select>
      <Check text="Times" isOn={look.hasTimes} onChange={(hasTimes) => onLook({ hasTimes })} />
      <Check text="Follow" isOn={look.follows} onChange={(follows) => onLook({ follows })} />
      <CopyButton text={text} />
    </div>
  );
};
