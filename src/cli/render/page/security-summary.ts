// The page of `sup security` about all services: one line for each service, the most open service first.
// Below these lines it shows the open items of the supervisor itself.
import { grouped } from '../../../streams/domain/grouped.ts';
import { declaredName } from '../../../streams/domain/ids.ts';
import type {
  SecurityDocument,
  ServiceSecurityDocument,
} from '../../../streams/wire/documents/security-documents.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { pasted } from '../pasteable-hints.ts';
import { fitColumns, lineOf, widthsOf, type Row } from '../text-table.ts';
import { hanging } from '../paragraphs.ts';
import { DIFFERS, nameOfService, RATING_INK, type SecurityLook } from './security-page.ts';

/** Maximum number of open checks that the line of a service names. */
const MOST_CHECKS = 3;

const openText = ({ checks }: ServiceSecurityDocument, most: number): string => {
  const open = checks.flatMap(({ id, openness }) => (openness !== null && openness > 0 ? [id] : []));
  const more = open.length - most;
  return `${open.slice(0, most).join(', ')}${more > 0 ? ` +${more}` : ''}`;
};

const nameText = (instances: readonly ServiceSecurityDocument[]): string => {
  const [first] = instances;
  if (first === undefined) return '';
  const name = nameOfService(first);
  return instances.length === 1 ? name : `${declaredName(name)} (${instances.length} instances)`;
};

const runningText = ({ pid, differs }: ServiceSecurityDocument): string => {
  if (pid === null) return '-';
  return differs ? `${DIFFERS} differs` : 'as declared';
};

const rowOf = (instances: readonly ServiceSecurityDocument[], most: number): Row => {
  const [service] = instances;
  if (service === undefined) return [];
  const { score, rating, differs } = service;
  return [
    { text: score.toFixed(1), right: true, ink: RATING_INK[rating] },
    { text: rating, ink: RATING_INK[rating] },
    { text: shownLine(nameText(instances)), ink: 'bold' },
    { text: runningText(service), ink: differs ? 'yellow' : 'dim' },
    { text: openText(service, most) },
  ];
};

const HEADING: Row = ['SCORE', 'RATING', 'SERVICE', 'RUNNING', 'OPEN, THE HEAVIEST FIRST'].map((text) => ({
  text,
  ink: 'dim',
}));
const RANKS = [Infinity, Infinity, Infinity, 1, Infinity];
/** Minimum width of the column with the names of open checks. */
const OPEN_ROOM = 24;

/** Groups the services. Instances of a service form one group if their results are equal. */
const together = (
  services: readonly ServiceSecurityDocument[],
): readonly (readonly ServiceSecurityDocument[])[] => [
  ...grouped(services, (service) =>
    [declaredName(nameOfService(service)), service.score, runningText(service)].join(' '),
  ).values(),
];

/** Returns the rows, with as many names of open checks as fit the terminal. */
const rowsFor = ({ services }: SecurityDocument, columns = Infinity): readonly Row[] => {
  const shown = together(services.toSorted((one, other) => other.score - one.score));
  const rowsWith = (most: number): readonly Row[] => [
    HEADING,
    ...shown.map((instances) => rowOf(instances, most)),
  ];
  const isFitting = (rows: readonly Row[]): boolean =>
    widthsOf(rows).reduce((all, width) => all + width + GAP, -GAP) <= columns;
  for (let most = MOST_CHECKS; most > 1; most -= 1) {
    const rows = rowsWith(most);
    if (isFitting(rows)) return rows;
  }
  return rowsWith(1);
};

/** Columns between two cells. */
const GAP = 2;

const tableLines = (document: SecurityDocument, { columns, paint }: SecurityLook): readonly string[] => {
  const rows = rowsFor(document, columns);
  const widths = widthsOf(rows);
  const lastRoom = Math.min(OPEN_ROOM, widths.at(-1) ?? 0);
  const shown = fitColumns({ widths, ranks: RANKS, lastRoom, columns });
  const fit = { widths: shown.map((column) => widths[column] ?? 0), columns, paint };
  return rows.map((row) =>
    lineOf(
      shown.flatMap((column) => row[column] ?? []),
      fit,
    ),
  );
};

type AroundRow = SecurityDocument['supervisor'][number];

const rowLines = ({ title, detail, fix }: AroundRow, look: SecurityLook): readonly string[] => [
  ...hanging('  ', `${title}: ${shownLine(detail)}`, look.columns),
  ...(fix === null ? [] : [`    ${look.paint('cyan', shownLine(fix))}`]),
];

/** Returns lines about the supervisor: for each open or unknown item, and one for all closed items. */
const aroundLines = ({ supervisor }: SecurityDocument, look: SecurityLook): readonly string[] => {
  if (supervisor.length === 0) return [];
  const titles = supervisor.filter(({ verdict }) => verdict === 'ok').map(({ title }) => title);
  const others = (verdict: AroundRow['verdict']): readonly AroundRow[] =>
    supervisor.filter((row) => row.verdict === verdict);
  const [open, unknown] = [others('open'), others('unknown')];
  return [
    '',
    look.paint('bold', 'Around the supervisor'),
    ...open.flatMap((row) => rowLines(row, look)),
    ...unknown.flatMap((row) =>
      hanging('  not known: ', `${row.title}: ${shownLine(row.detail)}`, look.columns),
    ),
    ...(titles.length > 0 ? hanging('  closed: ', titles.join(', '), look.columns) : []),
  ];
};

const NEXT = 'sup security <service> says what is open, and what closes it';

/** Returns the page, one string per line. */
export const securitySummary = (document: SecurityDocument, look: SecurityLook): readonly string[] => [
  ...(document.services.length === 0 ? ['no services are declared'] : tableLines(document, look)),
  ...aroundLines(document, look),
  ...(document.services.length === 0 ? [] : ['', look.paint('dim', pasted(NEXT, look))]),
];
