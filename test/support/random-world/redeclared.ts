// Ways in which a newer manifest differs: dependencies, kinds of services, and the services themselves.
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';

type Edit = (specs: readonly ServiceSpec[], edit: number) => readonly ServiceSpec[];

const nothing: Edit = (specs) => specs;

const needsOfNobody: Edit = (specs) => specs.map((spec) => ({ ...spec, dependsOn: [] }));

/** Each needs the one behind it: the other way round than at first. */
const needsTurnedRound: Edit = (specs) =>
  specs.map((spec, at) => ({
    ...spec,
    dependsOn: specs.slice(at + 1, at + 2).map(({ id }) => ({ service: id, condition: 'started' })),
  }));

const oneLess: Edit = (specs, edit) =>
  specs
    .filter((_, at) => at !== edit % specs.length)
    .map((spec, _, left) => ({
      ...spec,
      dependsOn: spec.dependsOn.filter(({ service }) => left.some(({ id }) => id === service)),
    }));

const asService = ({ cron: _, ...spec }: ServiceSpec): ServiceSpec => ({ ...spec, kind: 'service' });

const asJob = (spec: ServiceSpec): ServiceSpec => ({
  ...spec,
  kind: 'cron',
  cron: { expression: '* * * * *', timezone: 'utc' },
});

const oneOfAnotherKind: Edit = (specs, edit) =>
  specs.map((spec, at) => {
    if (at !== edit % specs.length) return spec;
    return spec.kind === 'cron' ? asService(spec) : asJob(spec);
  });

const EDITS = [nothing, needsOfNobody, needsTurnedRound, oneLess, oneOfAnotherKind] as const;

/** The services as the edit of this number leaves them, each declared a little differently than before. */
export const redeclared: Edit = (specs, edit) => {
  const change = EDITS[edit % EDITS.length] ?? nothing;
  return change(specs, edit).map((spec) => ({ ...spec, digest: `${spec.digest} edit ${edit}` }));
};
