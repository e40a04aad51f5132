// Below the table of `sup status`: for each service in trouble its full reason, what it printed last, and what to do next.
import type { ServiceDocument, StatusDocument } from '../../../streams/wire/documents.ts';
import { isInTrouble } from '../../client/activities.ts';
import { evidenceRows } from './evidence-rows.ts';
import { harmless, type Paint } from '../paint.ts';

const LOOSE = '__loose__';

/** Why, and the code of the error; the whole of it, however long. */
const reasonOf = ({ state, reason, error }: ServiceDocument): string => {
  const why = reason ?? error?.message ?? state;
  return error === null || why.includes(error.code) ? why : `${error.code} ${why}`;
};

const nameIn = (project: string, { name }: ServiceDocument): string =>
  project === LOOSE ? name : `${project}/${name}`;

const pageOf = (project: string, service: ServiceDocument, paint: Paint): readonly string[] => {
  const name = nameIn(project, service);
  const { evidence, next_step: next } = service;
  return [
    '',
    `${paint('red', name)}: ${harmless(reasonOf(service))}`,
    ...evidenceRows(evidence).map((row) => `  ${paint('dim', row)}`),
    ...(next === null ? [] : [`  ${paint('cyan', harmless(next))}`]),
  ];
};

/** So many services are named in the command that shows more. */
const MOST_NAMED = 5;

const moreLines = (names: readonly string[], paint: Paint): readonly string[] =>
  names.length === 0 ? [] : ['', paint('cyan', `more: sup why ${names.slice(0, MOST_NAMED).join(' ')}`)];

/** One string per line; none when all is well. */
export const troubleLines = (status: StatusDocument, paint: Paint): readonly string[] => {
  const troubled = status.projects.flatMap(({ id, services }) =>
    services.filter(isInTrouble).map((service) => ({ id, service })),
  );
  return [
    ...troubled.flatMap(({ id, service }) => pageOf(id, service, paint)),
    ...moreLines(
      troubled.map(({ id, service }) => nameIn(id, service)),
      paint,
    ),
  ];
};
