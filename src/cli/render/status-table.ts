// The page of `sup status`: one table per project, with the reason for each state (`docs/commands.md`,
// "status").
import type {
  ProjectDocument,
  StatusDocument,
  SupervisorDocument,
} from '../../streams/wire/documents/documents.ts';
import { isInTrouble } from '../../streams/views/trouble.ts';
import { withGroups } from '../../streams/views/group-document.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import { supervisorFacts } from '../../streams/views/words/supervisor-text.ts';
import { AWAITS_RESTART } from './service-columns.ts';
import { blocksOf } from './grouped-rows.ts';
import { serviceTable, type TableLook } from './service-rows.ts';
import { cut } from './text-table.ts';
import { LOOSE } from '../../streams/domain/ids.ts';

const titleOf = ({ id, name, manifest }: ProjectDocument): string => {
  const title = id === LOOSE ? 'loose services' : name === id ? id : `${id} (${name})`;
  return shownLine(manifest === null ? title : `${title}  ${manifest}`);
};

export interface StatusLook extends TableLook {
  readonly dataDir: string;
  /** True if a privileged supervisor runs in addition to the supervisor of this status. */
  readonly besidePrivileged: boolean;
  /** True if the table contains only services in trouble. */
  readonly onlyFailing: boolean;
  /** True if the instances of services with `replicas` are listed one by one, even if all are well. */
  readonly unfolded?: boolean;
}

const PRIVILEGED = 'a privileged supervisor is running: sup status --sys';

/**
 * Returns the line about the supervisor. If a supervisor runs but its version is `null`, it did not answer.
 */
const supervisorLine = (supervisor: SupervisorDocument, { paint, now, dataDir }: StatusLook): string => {
  const { running, version } = supervisor;
  if (!running)
    return paint(
      'yellow',
      `no supervisor is running in ${shownLine(dataDir)}: this is what was last recorded`,
    );
  const known = supervisorFacts(supervisor, now);
  if (version !== null) return paint('dim', `supervisor ${known}`);
  return paint('yellow', `supervisor ${known} does not answer: this is what was last recorded`);
};

const awaitsRestart = ({ projects }: StatusDocument): boolean =>
  projects.some(({ services }) => services.some((service) => service.awaits_restart));

const NOTE = `${AWAITS_RESTART} changed since it started: sup apply applies the change`;
const NO_SERVICES = 'no services are registered: sup start -c <manifest>';

const FAILING = 'failing';

/** Returns a text such as `14 running, 1 failing, 2 waiting`; `undefined` if there are no services. */
const summaryOf = ({ projects }: StatusDocument, { paint }: TableLook): string | undefined => {
  const words = projects
    .flatMap(({ services }) => services)
    .map((service) => (isInTrouble(service) ? FAILING : service.state));
  const order = [...new Set<string>(['running', FAILING, ...words])];
  const counts = order.flatMap((word) => {
    const count = words.filter((each) => each === word).length;
    const text = `${count} ${word}`;
    return count === 0 ? [] : [word === FAILING ? paint('red', text) : text];
  });
  return counts.length === 0 ? undefined : counts.join(', ');
};

/** Returns the document with only the services in trouble. */
export const failingOnly = (status: StatusDocument): StatusDocument => {
  const projects = status.projects.map((project) => ({
    ...project,
    services: project.services.filter(isInTrouble),
  }));
  const shown = projects.filter(({ services }) => services.length > 0);
  return { ...status, projects: shown.map(withGroups) };
};

/** Returns the lines above the table: about the supervisor, counts of states, and warnings. */
export const headLines = (status: StatusDocument, look: StatusLook): readonly string[] => {
  const { paint, besidePrivileged } = look;
  const { running, warnings } = status.supervisor;
  const summary = summaryOf(status, look);
  return [
    supervisorLine(status.supervisor, look),
    ...(!running && besidePrivileged ? [paint('yellow', PRIVILEGED)] : []),
    ...(summary === undefined ? [] : [summary]),
    ...warnings.map((text) => paint('yellow', `warning: ${shownLine(text)}`)),
  ];
};

/** Returns the page, one string per line. */
export const statusLines = (all: StatusDocument, look: StatusLook): readonly string[] => {
  const { paint, columns = Infinity, onlyFailing } = look;
  const status = onlyFailing ? failingOnly(all) : all;
  const shown = status.projects.map((project) => ({
    project,
    own: blocksOf(project, look.unfolded === true).flat(),
  }));
  const { heading, rows } = serviceTable(
    shown.flatMap(({ own }) => own),
    look,
  );
  let taken = 0;
  const body = shown.flatMap(({ project, own: { length } }) => {
    const own = rows.slice(taken, (taken += length));
    return ['', paint('bold', cut(titleOf(project), columns)), heading, ...own];
  });
  const beside = (text: string): readonly string[] => ['', paint('dim', cut(text, columns))];
  return [
    ...headLines(all, look),
    ...body,
    ...(awaitsRestart(status) ? beside(NOTE) : []),
    ...(all.projects.length === 0 ? ['', NO_SERVICES] : []),
  ];
};
