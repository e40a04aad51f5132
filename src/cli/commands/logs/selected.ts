// Services that a command about the past selects: recorded ones, and those of which only logs or events
// remain. It needs no supervisor.
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

/** Its manifest is not known. */
const remembered = (id: ServiceId): Selectable => ({
  id,
  name: nameOf(id),
  project: projectOf(id),
  manifest: '',
});

interface Past {
  /** Recorded services and forgotten ones. */
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

/**
 * Selected services. `beside` adds services known from elsewhere. Throws ERR0202, ERR0201 and ERR0006, like
 * the supervisor.
 */
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
