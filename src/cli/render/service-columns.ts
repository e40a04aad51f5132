// The columns of the tables in `sup status` and in the live view.
import type { ServiceDocument } from '../../streams/wire/documents/documents.ts';
import { ageText, sizeText } from '../../streams/views/words/age-and-size.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import type { Ink } from '../../streams/views/words/paint.ts';
import type { TableCell } from './text-table.ts';
import type { StateWord, ExitDocument } from '../../streams/wire/documents/basic-documents.ts';

export const STATE_INK: Readonly<Record<StateWord, Ink>> = {
  scheduled: 'cyan',
  waiting: 'yellow',
  starting: 'yellow',
  running: 'green',
  backoff: 'red',
  stopping: 'yellow',
  stopped: 'dim',
  done: 'green',
  failed: 'red',
  'breaker-open': 'red',
  casualty: 'red',
  skipped: 'dim',
  lost: 'red',
};

/** The sign after the state of a service that needs a restart, because its run has an older declaration. */
export const AWAITS_RESTART = '*';

export interface ShownService {
  readonly service: ServiceDocument;
  /** How many instances of a service with `replicas` are ready: `3/4`. */
  readonly count?: string;
  /** The names of the instances, if the row is about all of them. */
  readonly instances?: readonly string[];
  /** Small charts of the recent CPU and memory use; only the live view has them. */
  readonly trends?: { readonly cpu: string; readonly memory: string };
}

interface Column {
  readonly title: string;
  /** Importance of the column: on a narrow terminal the columns with the lowest rank are dropped first. */
  readonly rank: number;
  /** True for right-aligned columns, such as numbers. */
  readonly right?: true;
  readonly cell: (shown: ShownService, now: number) => Omit<TableCell, 'right'>;
}

const NONE = { text: '-' };

const deployText = ({ failed, rolled_back: isBack }: ServiceDocument['deploy']): string => {
  if (failed) return ' (deploy failed)';
  return isBack ? ' (rolled back)' : '';
};

const stateCell: Column['cell'] = ({ service: { state, awaits_restart: awaits, deploy }, count }) => ({
  text: `${state}${count === undefined ? '' : ` ${count}`}${awaits ? AWAITS_RESTART : ''}${deployText(deploy)}`,
  ink: deploy.failed ? 'red' : STATE_INK[state],
});

const healthCell: Column['cell'] = ({ service: { health } }) => {
  if (health === 'unknown') return { ...NONE, ink: 'dim' };
  return { text: health, ink: health === 'healthy' ? 'green' : 'red' };
};

export const cpuText = ({ cpu_percent: cpu }: ServiceDocument): string =>
  cpu === null ? '-' : `${cpu.toFixed(1)} %`;

export const memoryText = ({ rss_bytes: memory }: ServiceDocument): string =>
  memory === null ? '-' : sizeText(memory);

const exitText = ({ code, signal, at }: ExitDocument, now: number): string => {
  const how = code === null ? (signal ?? 'unknown') : `code ${code}`;
  return at === null ? how : `${how}, ${ageText(at, now)} ago`;
};

/** Returns the reason for the state, with the code of the error; empty if there is neither. */
const reasonOf = ({ reason, error }: ServiceDocument): string => {
  if (error === null) return reason ?? '';
  return reason === null || reason.includes(error.code)
    ? (reason ?? `${error.code} ${error.message}`)
    : `${reason} (${error.code})`;
};

export const COLUMNS: readonly Column[] = [
  { title: 'SERVICE', rank: Infinity, cell: ({ service }) => ({ text: shownLine(service.name) }) },
  { title: 'STATE', rank: Infinity, cell: stateCell },
  { title: 'HEALTH', rank: 7, cell: healthCell },
  {
    title: 'PID',
    rank: 3,
    right: true,
    cell: ({ service: { pid } }) => (pid === null ? NONE : { text: String(pid) }),
  },
  { title: 'CPU', rank: 5, right: true, cell: ({ service }) => ({ text: cpuText(service) }) },
  { title: '', rank: 1, cell: ({ trends }) => ({ text: trends?.cpu ?? '', ink: 'cyan' }) },
  { title: 'MEM', rank: 4, right: true, cell: ({ service }) => ({ text: memoryText(service) }) },
  { title: '', rank: 1, cell: ({ trends }) => ({ text: trends?.memory ?? '', ink: 'cyan' }) },
  {
    title: 'UPTIME',
    rank: 6,
    cell: ({ service: { pid, started_at: since } }, now) =>
      pid === null ? NONE : { text: ageText(since, now) },
  },
  {
    title: 'RESTARTS',
    rank: 2,
    right: true,
    cell: ({ service }) => ({ text: String(service.restarts_total) }),
  },
  {
    title: 'LAST EXIT',
    rank: 0,
    cell: ({ service: { last_exit: exit } }, now) => (exit === null ? NONE : { text: exitText(exit, now) }),
  },
  { title: 'REASON', rank: Infinity, cell: ({ service }) => ({ text: shownLine(reasonOf(service)) }) },
];
