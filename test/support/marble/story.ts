// The content of a `.marble` file, before its letters are interpreted. The grammar is in marbles/README.md.
import type { Ms } from '../../../src/streams/domain/time.ts';

/** What happens in one lane at one moment, in order. */
export interface Tick {
  readonly at: Ms;
  readonly labels: readonly string[];
}

/** One column of a story's lanes: a frame, or a jump that takes as long as it says. */
export interface Column {
  readonly at: Ms;
  readonly span: Ms;
  /** As written, e.g. `[5m]`. */
  readonly jump?: string;
}

export interface Lane {
  readonly direction: 'in' | 'out';
  readonly name: string;
  readonly line: number;
  readonly ticks: readonly Tick[];
}

export interface StoryService {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
}

export interface Story {
  /** The file. */
  readonly name: string;
  readonly title: string;
  /** The rows that it tells, as `rows.ts` names them. */
  readonly spec: readonly string[];
  readonly frameMs: Ms;
  /** When it begins, where the wall clock matters; ISO 8601. */
  readonly clock?: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly services: readonly StoryService[];
  readonly lanes: readonly Lane[];
  /** The columns of the longest lane. */
  readonly columns: readonly Column[];
}

/** Where in a file something stands, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export const complain = ({ file, line, column }: Place, message: string): Error =>
  new Error(`${file}:${line}:${column}: ${message}`);
