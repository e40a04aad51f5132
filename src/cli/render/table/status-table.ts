// `sup status` for people: one table per project, with the reason beside every word (`docs/commands.md`, "status").
import type {
  ProjectDocument,
  StatusDocument,
  SupervisorDocument,
} from '../../../streams/wire/documents/documents.ts';
import { ageText } from '../amount.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { AWAITS_RESTART } from './service-columns.ts';
import { serviceTable, type TableLook } from './service-table.ts';
import { cut } from './table.ts';

const titleOf = ({ id, name, manifest }: ProjectDocument): string => {
  const title = id === '__loose__' ? 'loose services' : name === id ? id : `${id} (${name})`;
  return shownLine(manifest === null ? title : `${title}  ${manifest}`);
};

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** A supervisor that runs and has no version to tell did not answer. */
const supervisorLine = (supervisor: SupervisorDocument, { paint, now }: TableLook): string => {
  const { running, pid, since, version, restarts } = supervisor;
  if (!running) return paint('yellow', 'no supervisor is running: this is what was last recorded');
  const facts = [
    pid === null ? undefined : `pid ${pid}`,
    version === null ? undefined : `version ${version}`,
    since === null ? undefined : `up ${ageText(since, now)}`,
    restarts === null || restarts === 0 ? undefined : `brought back ${timesText(restarts)}`,
  ];
  const known = facts.filter((fact) => fact !== undefined).join(', ');
  if (version !== null) return paint('dim', `supervisor ${known}`);
  return paint('yellow', `supervisor ${known} does not answer: this is what was last recorded`);
};

const awaitsRestart = ({ projects }: StatusDocument): boolean =>
  projects.some(({ services }) => services.some((service) => service.awaits_restart));

const NOTE = `${AWAITS_RESTART} changed since it started: sup apply applies the change`;
const NOBODY = 'no services are registered: sup start -c <manifest>';

/** The whole page, one string per line. */
export const statusLines = (status: StatusDocument, look: TableLook): readonly string[] => {
  const { paint, columns = Infinity } = look;
  const services = status.projects.flatMap((project) => project.services);
  const { heading, rows } = serviceTable(
    services.map((service) => ({ service })),
    look,
  );
  let taken = 0;
  const body = status.projects.flatMap((project) => {
    const own = rows.slice(taken, (taken += project.services.length));
    return ['', paint('bold', cut(titleOf(project), columns)), heading, ...own];
  });
  const beside = (text: string): readonly string[] => ['', paint('dim', cut(text, columns))];
  const warnings = status.supervisor.warnings.map((text) => paint('yellow', `warning: ${shownLine(text)}`));
  return [
    supervisorLine(status.supervisor, look),
    ...warnings,
    ...body,
    ...(awaitsRestart(status) ? beside(NOTE) : []),
    ...(status.projects.length === 0 ? ['', NOBODY] : []),
  ];
};
