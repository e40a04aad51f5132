// Reports state changes during an attached start, one line each.
import type { ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import type { View } from '../../../streams/wire/protocol.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import {
  changesIn,
  NOTHING,
  type LiveChange,
  type LiveModel,
  shownName,
} from '../../../client/live-model.ts';
import type { StateWord } from '../../../streams/wire/documents/basic-documents.ts';

const why = ({ reason, error }: ServiceDocument): string => {
  const told = reason ?? error?.message;
  const code = error === null || told?.includes(error.code) === true ? '' : `${error.code} `;
  return told === undefined ? '' : `: ${code}${shownLine(told)}`;
};

const process = ({ pid }: ServiceDocument): string => (pid === null ? '' : `, pid ${pid}`);

const ofRunning = (service: ServiceDocument, from: string): string | undefined => {
  if (from === 'stopping' && service.wanted === 'down') return undefined;
  if (from === 'running') return `restarted${process(service)}`;
  return service.restarts > 0 ? `ready again${process(service)}${why(service)}` : `ready${process(service)}`;
};

const TOLD: Readonly<Record<StateWord, (service: ServiceDocument, from: string) => string | undefined>> = {
  scheduled: (service, from) => (from === 'running' ? `run ended${why(service)}` : undefined),
  waiting: (service) => (service.reason === null ? 'waits' : shownLine(service.reason)),
  starting: (service) => (service.pid === null ? undefined : `started${process(service)}`),
  running: ofRunning,
  backoff: (service) => `crashed${why(service)}`,
  stopping: ({ wanted }) => (wanted === 'down' ? 'is being stopped elsewhere' : undefined),
  stopped: (service) => (service.wanted === 'down' ? 'was stopped elsewhere' : `ended${why(service)}`),
  done: () => 'done',
  failed: (service) => `failed${why(service)}`,
  'breaker-open': (service) => `failed for good${why(service)}`,
  casualty: (service) => `fell${why(service)}`,
  skipped: (service) => `skipped${why(service)}`,
  lost: (service) => `lost${why(service)}`,
};

const lineOf = (
  { id, service, from }: LiveChange,
  before: ServiceDocument | undefined,
): readonly string[] => {
  const isSameProcess = from === service.state && before?.pid === service.pid;
  if (from === undefined || isSameProcess) return [];
  const told = TOLD[service.state](service, from);
  return told === undefined ? [] : [`${shownName(id)} ${told}`];
};

/**
 * Returns lines about state changes since the last view. Returns none for the first view, because `sup start`
 * itself prints these states.
 */
export const newsIn = (model: LiveModel, view: View): readonly string[] => {
  if (model === NOTHING) return [];
  const changes = changesIn(model, view).flatMap((change) => lineOf(change, model.services.get(change.id)));
  return [...changes, ...view.gone.map((id) => `${shownName(id)} is not declared any more`)];
};
