// Whom a look into the past is about, with or without a supervisor: services that are recorded, and those of which
// nothing is left but what they printed or what happened to them.
import { nameOf, projectOf, type ServiceId } from '../../../streams/domain/ids.ts';
import type { Selectable } from '../../../streams/selection/is-selected.ts';
import { select, type Known } from '../../../streams/selection/select.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../../streams/views/errors/failure.ts';
import type { Parsed } from '../../grammar/parsed.ts';
import { readRecorded } from '../../offline/recorded.ts';
import { selectionOf } from '../../selection/selection.ts';
import { registeredFirst, withoutForgotten } from './registered-first.ts';
import { loggedServices } from './list.ts';

/** Nobody knows whose manifest it was. */
const remembered = (id: ServiceId): Selectable => ({
  id,
  name: nameOf(id),
  project: projectOf(id),
  manifest: '',
});

interface Past {
  /** What is recorded, and what is left of others. */
  readonly known: Known;
  readonly recorded: readonly Selectable[];
}

const pastOf = (context: Context, beside: readonly ServiceId[]): Past => {
  const { services, projects, manifests } = readRecorded(context);
  const recorded = services.map(({ spec }) => spec);
  const ids = new Set(recorded.map(({ id }) => id));
  const past = new Set([...loggedServices(context.dataDir), ...beside].filter((id) => !ids.has(id)));
  const known = {
    services: [...recorded, ...[...past].map(remembered)],
    projects: [...Object.values(projects), ...[...past].map((id) => ({ id: projectOf(id), manifest: '' }))],
    manifests,
  };
  return { known, recorded };
};

/** `beside` are services known from elsewhere. Throws ERR0202, ERR0201 and ERR0006, as the supervisor would answer. */
export const selectedPast = (
  parsed: Parsed,
  context: Context,
  beside: readonly ServiceId[] = [],
): readonly ServiceId[] => {
  const { known, recorded } = pastOf(context, beside);
  const found = select(known, registeredFirst(selectionOf(parsed, context), recorded));
  if (!found.ok) throw failure(withoutForgotten(found.error, recorded));
  return found.ids;
};
