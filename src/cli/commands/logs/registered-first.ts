// A bare name means a registered service rather than a forgotten one that has logs.
import type { Selection } from '../../../streams/domain/command.ts';
import type { SupError } from '../../../streams/domain/errors/error.ts';
import { isSelected, type Selectable } from '../../../streams/selection/is-selected.ts';
import { isPattern, means } from '../../../streams/selection/pattern.ts';

const isBare = (written: string): boolean => !isPattern(written) && !written.includes('/');

/** The same selection with a bare name as an id if exactly one registered service has it. */
export const registeredFirst = (selection: Selection, registered: readonly Selectable[]): Selection => {
  const { services, ...borders } = selection;
  if (services === undefined) return selection;
  const within = registered.filter((service) => isSelected(service, borders));
  const meant = services.map((written) => {
    const found = isBare(written) ? within.filter((service) => means(written, service)) : [];
    return (found.length === 1 ? found[0]?.id : undefined) ?? written;
  });
  return { ...selection, services: meant };
};

/** For an ambiguous name, lists only registered services; forgotten ones only if there are no others. */
export const withoutForgotten = (error: SupError, registered: readonly Selectable[]): SupError => {
  if (error.code !== 'ERR0006') return error;
  const known = new Set(
    registered.filter((service) => means(error.name, service)).map(({ project }) => project),
  );
  const projects = error.projects.filter((project) => known.has(project));
  return projects.length === 0 ? { ...error, forgotten: true } : { ...error, projects };
};
