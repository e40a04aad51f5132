// Below the table of `sup status`: for each service in trouble its full reason, what it printed last, and what to do next.
import type { ServiceDocument, StatusDocument } from '../../streams/wire/documents.ts';
import { isInTrouble } from '../client/activities.ts';
import { evidenceRows } from './evidence-rows.ts';
import { harmless, type Paint } from './paint.ts';

const LOOSE = '__loose__';

/** Why, and the code of the error; the whole of it, however long. */
const reasonOf = ({ state, reason, error }: ServiceDocument): string => {
  const why = reason ?? error?.message ?? state;
  return error === null || why.includes(error.code) ? why : `${error.code} ${why}`;
};

const pageOf = (project: string, service: ServiceDocument, paint: Paint): readonly string[] => {
  const name = project === LOOSE ? service.name : `${project}/${service.name}`;
  const { evidence, next_step: next } = service;
  return [
    '',
    `${paint('red', name)}: ${harmless(reasonOf(service))}`,
    ...evidenceRows(evidence).map((row) => `  ${paint('dim', row)}`),
    ...(next === null ? [] : [`  ${paint('cyan', harmless(next))}`]),
  ];
};

/** One string per line; none when all is well. */
export const troubleLines = (status: StatusDocument, paint: Paint): readonly string[] =>
  status.projects.flatMap(({ id, services }) =>
    services.filter(isInTrouble).flatMap((service) => pageOf(id, service, paint)),
  );
