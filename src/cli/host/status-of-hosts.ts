// `sup status` of several machines: lines about each supervisor, and one table with a column HOST.
import type { HostCommand } from './one-host.ts';
import type { HostText } from './one-of-several.ts';
import { isUnfolded, blocksOf } from '../render/grouped-rows.ts';
import { troubleLines } from '../render/page/trouble-page.ts';
import type { ShownService } from '../render/service-columns.ts';
import { serviceTable } from '../render/service-rows.ts';
import { failingOnly, headLines, type StatusLook } from '../render/status-table.ts';
import { failedWith } from '../../client/client-failure.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { fieldsIn } from '../../streams/wire/params/checked-fields.ts';
import type { ProjectDocument, StatusDocument } from '../../streams/wire/documents/documents.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';

interface HostStatus {
  readonly host: string;
  readonly head: readonly string[];
  readonly rows: readonly ShownService[];
  readonly trouble: readonly string[];
}

/** Returns the rows of a project. Each has the full name of its service. */
export const rowsOf = (project: ProjectDocument, unfolded: boolean): readonly ShownService[] =>
  blocksOf(project, unfolded)
    .flat()
    .map((row) => {
      const { name } = row.service;
      return {
        ...row,
        service: { ...row.service, name: project.id === LOOSE ? name : `${project.id}/${name}` },
      };
    });

/** Returns what is shown of one machine. Throws for a document that this version of `sup` does not know. */
const readStatus = ({ host, line }: HostText, look: StatusLook): HostStatus => {
  const document = fieldsIn(line) as unknown as StatusDocument;
  const shown = look.onlyFailing ? failingOnly(document) : document;
  const rows = shown.projects.flatMap((project) => rowsOf(project, look.unfolded === true));
  // Throws here if a row cannot be shown, so that this row does not get into the table of all machines.
  serviceTable(rows, look);
  const trouble = troubleLines(document, { paint: look.paint, sys: false });
  return { host, rows, head: headLines(document, look), trouble };
};

/** Returns how a table of several machines looks. `width`: the width of the column of host names. */
export const lookOf = ({ parsed, world }: HostCommand, width: number): StatusLook => {
  const { stdout, environment } = world;
  const isColoured =
    stdout.terminal &&
    !parsed.flags.has('no-color') &&
    (environment['NO_COLOR'] ?? '') === '' &&
    environment['TERM'] !== 'dumb';
  const columns = stdout.columns();
  const names = [...parsed.operands, ...(parsed.values.service ?? [])];
  return {
    paint: paintOf(isColoured),
    columns: columns && Math.max(1, columns - width - 2),
    now: Date.now(),
    dataDir: 'its data directory',
    besidePrivileged: false,
    onlyFailing: parsed.flags.has('failed'),
    unfolded: isUnfolded({ verbose: parsed.flags.has('verbose') }, names),
  };
};

/** The title of the column of host names. */
export const TITLE = 'HOST';

/** Prints the page. `lines`: the documents that the machines have sent. Returns the exit status. */
export const printStatuses = (
  { command, width }: { readonly command: HostCommand; readonly width: number },
  lines: readonly HostText[],
  onUnread: (host: string, thrown: unknown) => void,
): CommandStatus => {
  const look = lookOf(command, width);
  let exit: CommandStatus = EXIT.done;
  const read = lines.flatMap((line): readonly HostStatus[] => {
    try {
      return [readStatus(line, look)];
    } catch {
      exit = EXIT.failed;
      onUnread(line.host, failedWith({ code: 'ERR0234', host: line.host }));
      return [];
    }
  });
  const marked =
    (host: string) =>
    (line: string): string =>
      `${host.padEnd(width)}  ${line}`.trimEnd();
  const rows = read.flatMap((status) => status.rows);
  const hosts = read.flatMap(({ host, rows: own }) => own.map(() => host));
  const table = serviceTable(rows, look);
  const page = [
    ...read.flatMap(({ host, head }) => head.map(marked(host))),
    ...(rows.length === 0 ? [] : ['', `${look.paint('dim', TITLE.padEnd(width))}  ${table.heading}`]),
    ...table.rows.map((row, at) => marked(hosts[at] ?? '')(row)),
    ...read.flatMap(({ host, trouble }) => trouble.map(marked(host))),
  ];
  command.world.stdout.write(page.map((line) => `${line}\n`).join(''));
  return exit;
};
