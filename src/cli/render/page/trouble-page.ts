// The part of `sup status` below the table: for each service in trouble its reason, last output, and what to
// do.
import type { ServiceDocument, StatusDocument } from '../../../streams/wire/documents/documents.ts';
import { isInTrouble } from '../../../streams/views/trouble.ts';
import { evidenceRows } from './page-rows.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { pasted, type Whose } from '../pasteable-hints.ts';
import { LOOSE } from '../../../streams/domain/ids.ts';

/** Returns the reason for the state, with the code of the error if there is one. */
const reasonOf = ({ state, reason, error }: ServiceDocument): string => {
  const why = reason ?? error?.message ?? state;
  return error === null || why.includes(error.code) ? why : `${error.code} ${why}`;
};

interface Troubled {
  /**
   * The name of the service for a command: its bare name if that is unambiguous, otherwise `project/service`.
   */
  readonly name: string;
  readonly service: ServiceDocument;
}

interface TroubleLook extends Whose {
  readonly paint: Paint;
}

const pageOf = ({ name, service }: Troubled, look: TroubleLook): readonly string[] => {
  const { paint } = look;
  const { evidence, next_step: next } = service;
  return [
    '',
    `${paint('red', name)}: ${shownLine(reasonOf(service))}`,
    ...evidenceRows(evidence).map((row) => `  ${paint('dim', row)}`),
    ...(next === null ? [] : [`  ${paint('cyan', pasted(shownLine(next), look))}`]),
  ];
};

/** Maximum number of services that are named in the suggested command. */
const MOST_NAMED = 5;

const moreLines = (names: readonly string[], look: TroubleLook): readonly string[] =>
  names.length === 0
    ? []
    : ['', look.paint('cyan', pasted(`more: sup why ${names.slice(0, MOST_NAMED).join(' ')}`, look))];

/** Returns the services in trouble, with unambiguous names. */
const troubledIn = ({ projects }: StatusDocument): readonly Troubled[] => {
  const names = projects.flatMap(({ services }) => services.map(({ name }) => name));
  const written = (id: string, name: string): string =>
    id === LOOSE && names.filter((other) => other === name).length === 1 ? name : `${id}/${name}`;
  return projects.flatMap(({ id, services }) =>
    services.filter(isInTrouble).map((service) => ({ name: written(id, service.name), service })),
  );
};

/** Returns the lines about the services in trouble; an empty list if all services are well. */
export const troubleLines = (status: StatusDocument, look: TroubleLook): readonly string[] => {
  const troubled = troubledIn(status);
  const names = troubled.map(({ name }) => name);
  return [...troubled.flatMap((one) => pageOf(one, look)), ...moreLines(names, look)];
};
