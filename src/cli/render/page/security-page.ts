// The page of `sup security` about a service. Open checks are grouped by the manifest line that would close
// them. The group of the line that would lower the score most comes first.
import { grouped } from '../../../streams/domain/grouped.ts';
import type {
  SecurityCheckDocument,
  SecurityDocument,
  ServiceSecurityDocument,
} from '../../../streams/wire/documents/security-documents.ts';
import { shownName } from '../../../client/live-model.ts';
import type { Ink, Paint } from '../../../streams/views/words/paint.ts';
import { hanging } from '../paragraphs.ts';
import { pasted, type Whose } from '../pasteable-hints.ts';
import { fitColumns, lineOf, widthsOf, type Row } from '../text-table.ts';

export interface SecurityLook extends Whose {
  readonly paint: Paint;
  /** True if closed checks are listed in addition to open ones. */
  readonly verbose: boolean;
  /** Width of the terminal; `undefined` if the output is no terminal. */
  readonly columns: number | undefined;
}

export const RATING_INK = {
  ...{ closed: 'green', good: 'green', medium: 'yellow' },
  ...{ exposed: 'red', open: 'red' },
} as const satisfies Readonly<Record<ServiceSecurityDocument['rating'], Ink>>;

/** The mark of a check with different results for the declaration and for the process. */
export const DIFFERS = '≠';

export const nameOfService = ({ project, name }: ServiceSecurityDocument): string =>
  shownName(`${project}/${name}`);

const WORDS = { closed: 'closed', partly: 'partly', open: 'open', unknown: '?' } as const;

const wordOf = (openness: number | null): string => {
  if (openness === null) return WORDS.unknown;
  if (openness === 0) return WORDS.closed;
  return openness === 1 ? WORDS.open : WORDS.partly;
};

const isOpen = ({ openness }: SecurityCheckDocument): boolean => openness !== null && openness > 0;

const isDifferent = ({ difference }: SecurityCheckDocument): boolean => difference !== null;

const headOf = (service: ServiceSecurityDocument, { paint }: SecurityLook): string => {
  const { score, rating, declared_score: declared, pid } = service;
  const running = pid === null ? '' : `; pid ${pid}`;
  const other = declared === score ? '' : `; its declaration alone ${declared.toFixed(1)}`;
  return `${paint('bold', nameOfService(service))}: ${paint(RATING_INK[rating], `${score.toFixed(1)} ${rating}`)}${other}${running}`;
};

/** Returns the cells: mark, weight, result for declaration and process, name of the check, text. */
const cellsOf = (check: SecurityCheckDocument): Row => [
  { text: isDifferent(check) ? DIFFERS : '', ink: 'yellow' },
  { text: String(check.weight), right: true },
  { text: wordOf(check.declared) },
  { text: wordOf(check.running), ink: isDifferent(check) ? 'yellow' : undefined },
  { text: check.id, ink: 'dim' },
  { text: check.says },
];

const HEADING: Row = ['', 'WEIGHT', 'DECLARED', 'RUNNING', 'CHECK', 'WHAT IS OPEN'].map((text) => ({
  text,
  ink: 'dim',
}));
/** Ranks of the columns. On a narrow terminal the name of the check is dropped first. */
const RANKS = [Infinity, Infinity, 2, 2, 1, Infinity];
const OF_PROCESS = [2, 3];
const INDENT = 2;

interface Table {
  readonly line: (row: Row) => string;
}

/** Returns a function that formats rows. Without a process, the columns for comparison are left out. */
const tableOf = (checks: readonly SecurityCheckDocument[], isRunning: boolean, look: SecurityLook): Table => {
  const room = look.columns === undefined ? undefined : look.columns - INDENT;
  const own = HEADING.map((_, column) => column).filter(
    (column) => isRunning || !OF_PROCESS.includes(column),
  );
  const pick = (row: Row, columns: readonly number[]): Row => columns.flatMap((column) => row[column] ?? []);
  const rows = [HEADING, ...checks.map(cellsOf)].map((row) => pick(row, own));
  const widths = widthsOf(rows);
  const ranks = own.map((column) => RANKS[column] ?? Infinity);
  const shown = fitColumns({ widths, ranks, lastRoom: widths.at(-1) ?? 0, columns: room });
  const fit = { widths: shown.map((column) => widths[column] ?? 0), columns: room, paint: look.paint };
  return { line: (row) => `${' '.repeat(INDENT)}${lineOf(pick(pick(row, own), shown), fit)}` };
};

const POINTS = 10;

/** Returns by how much the score would fall if these checks were closed. */
const gainOf = (checks: readonly SecurityCheckDocument[], all: readonly SecurityCheckDocument[]): number => {
  const known = all.filter(({ openness }) => openness !== null);
  const whole = known.reduce((sum, { weight }) => sum + weight, 0);
  return (
    (POINTS * checks.reduce((sum, { weight, openness }) => sum + weight * (openness ?? 0), 0)) / (whole || 1)
  );
};

/** Heading of checks that are closed in the manifest but open in the process. */
const DECLARED_ONLY = 'declared, but not in effect';

/** Returns the open checks, each below the line of a manifest that would close it. */
const openLines = (
  { checks }: ServiceSecurityDocument,
  table: Table,
  { paint }: SecurityLook,
): readonly string[] =>
  [...grouped(checks.filter(isOpen), ({ fix, declared }) => (declared === 0 ? DECLARED_ONLY : fix))]
    .map(([fix, closed]) => ({ fix, closed, gain: gainOf(closed, checks) }))
    .toSorted((one, other) => other.gain - one.gain)
    .flatMap(({ fix, closed, gain }) => [
      `${paint('cyan', fix)}  ${paint('dim', `# -${gain.toFixed(1)}`)}`,
      ...closed.map((check) => table.line(cellsOf(check))),
    ]);

const WHY: Readonly<Record<NonNullable<SecurityCheckDocument['difference']>, (name: string) => string>> = {
  changed: (name) => `changed since it started: sup apply ${name}`,
  skipped: (name) => `the kernel refused it at the start: sup inspect ${name}`,
  ignored: () => 'the key has no effect without a privileged supervisor (--sys)',
  other: () => 'the process is not as it was started, or the machine adds to it',
};

const differenceLines = (service: ServiceSecurityDocument, look: SecurityLook): readonly string[] =>
  [...grouped(service.checks.filter(isDifferent), ({ difference }) => difference ?? 'other')].flatMap(
    ([difference, checks]) =>
      hanging(
        `${DIFFERS} `,
        `${checks.map(({ id }) => id).join(', ')}: ${pasted(WHY[difference](nameOfService(service)), look)}`,
        look.columns,
      ),
  );

const restLines = (
  { checks, pid }: ServiceSecurityDocument,
  table: Table,
  { verbose, columns }: SecurityLook,
): readonly string[] => {
  const closed = checks.filter((check) => !isOpen(check) && check.openness !== null);
  const unknown = checks.filter(({ openness }) => openness === null).map(({ id }) => id);
  const fold = closed.length > 0 && !verbose;
  const shown = verbose ? closed : closed.filter(isDifferent);
  return [
    ...(shown.length > 0
      ? ['closed: none of this is the case', ...shown.map((check) => table.line(cellsOf(check)))]
      : []),
    ...(fold ? [`closed: ${closed.length} of ${checks.length} checks (-v shows them)`] : []),
    ...(unknown.length > 0 ? hanging('not known: ', unknown.join(', '), columns) : []),
    ...(pid === null ? [] : hanging('', NOT_SHOWN, columns)),
  ];
};

const NOT_SHOWN = '? is what the kernel does not show of a process: there the declaration counts';

const serviceLines = (service: ServiceSecurityDocument, look: SecurityLook): readonly string[] => {
  const { checks, pid } = service;
  const table = tableOf(checks, pid !== null, look);
  return [
    headOf(service, look),
    ...(checks.some(isOpen) ? [table.line(HEADING)] : []),
    ...openLines(service, table, look),
    ...restLines(service, table, look),
    ...differenceLines(service, look),
  ];
};

const UNPRIVILEGED =
  'user, group and capabilities need a privileged supervisor (--sys), and so do protect and network without isolation.user';

/** Returns the page about the services, one string per line. */
export const securityLines = (
  { services, privileged }: SecurityDocument,
  look: SecurityLook,
): readonly string[] => [
  ...services.flatMap((service, index) => [...(index === 0 ? [] : ['']), ...serviceLines(service, look)]),
  ...(privileged || services.length === 0 ? [] : ['', ...hanging('', UNPRIVILEGED, look.columns)]),
];
