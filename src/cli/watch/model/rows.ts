// The rows of the live view: services and groups of instances, filtered and sorted.
import type { ProjectDocument } from '../../../streams/wire/documents/documents.ts';
import { type LiveModel, projectsOf, shownName } from '../../../client/live-model.ts';
import { isInTrouble } from '../../../streams/views/trouble.ts';
import { blocksOf } from '../../render/grouped-rows.ts';
import type { ShownService } from '../../render/service-columns.ts';
import { type FuzzyMatch, fuzzyMatch } from '../../../streams/views/words/fuzzy.ts';

/** A row of the table: a service, or all instances of a service with `replicas`. */
export interface LiveRow extends ShownService {
  /** Id in the form `project/service`. */
  readonly id: string;
  /** The ids of the services in this row. */
  readonly members: readonly string[];
  /** For an instance: the id of the row of all instances. */
  readonly group?: string;
  /** For the row of all instances: true if they are listed below it. Absent for other rows. */
  readonly isOpen?: boolean;
  /** Indices, in the shown name, of the letters that match the filter. */
  readonly places: readonly number[];
}

const SORT_COLUMNS = ['name', 'state', 'cpu', 'memory', 'uptime', 'restarts'] as const;
type SortColumn = (typeof SORT_COLUMNS)[number];

interface Sort {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

/** The facts that decide which rows there are, and in which order. */
export interface RowFacts {
  readonly model: LiveModel;
  readonly filter: string;
  /** The user's sort; `undefined` if services in trouble come first, or with a filter the best matches. */
  readonly sort: Sort | undefined;
  /** True if the instances of all groups are listed. */
  readonly unfolded: boolean;
  /** The groups that the user has expanded (`true`) or collapsed (`false`). */
  readonly opened: ReadonlyMap<string, boolean>;
}

type Block = readonly [LiveRow, ...LiveRow[]];

const rowIn = (project: string, shown: ShownService): LiveRow => {
  const idOf = (name: string): string => `${project}/${name}`;
  const { service, instances = [service.name] } = shown;
  return { ...shown, id: idOf(service.name), members: instances.map(idOf), places: [] };
};

/** Returns the rows of a service: one row, or the row of all instances and then a row for each instance. */
const blockIn =
  ({ id: project }: ProjectDocument, { unfolded, opened }: RowFacts) =>
  ([first, ...others]: readonly [ShownService, ...ShownService[]]): Block => {
    const head = rowIn(project, first);
    if (others.length === 0) return [head];
    const isOpen = opened.get(head.id) ?? (unfolded || others.some(({ service }) => isInTrouble(service)));
    return [{ ...head, isOpen }, ...others.map((one) => ({ ...rowIn(project, one), group: head.id }))];
  };

const VALUES: Readonly<Record<SortColumn, (row: LiveRow) => string | number | null>> = {
  name: ({ id }) => shownName(id),
  state: ({ service }) => service.state,
  cpu: ({ service }) => service.cpu_percent,
  memory: ({ service }) => service.rss_bytes,
  // The value is negative, because a later start means a shorter uptime.
  uptime: ({ service: { pid, started_at: since } }) =>
    pid === null || since === null ? null : -Date.parse(since),
  restarts: ({ service }) => service.restarts_total,
};

const compare = (one: string | number, other: string | number): number => {
  if (typeof one === 'string' || typeof other === 'string') return String(one) < String(other) ? -1 : 1;
  return one - other;
};

/** Sorts by the first row of each block. Unknown values come last in both directions. */
const sorted = (blocks: readonly Block[], { column, isDescending }: Sort): readonly Block[] => {
  const valued = blocks.map((block) => ({ block, value: VALUES[column](block[0]) }));
  const order = (one: (typeof valued)[number], other: (typeof valued)[number]): number => {
    if (one.value === other.value) return 0;
    if (one.value === null || other.value === null) return one.value === null ? 1 : -1;
    return compare(one.value, other.value) * (isDescending ? -1 : 1);
  };
  return valued.toSorted(order).map(({ block }) => block);
};

const isFailing = (block: Block): boolean => block.some(({ service }) => isInTrouble(service));

const troubleFirst = (blocks: readonly Block[]): readonly Block[] => [
  ...blocks.filter(isFailing),
  ...blocks.filter((block) => !isFailing(block)),
];

/** Returns the rows of the block that are listed. Instances are listed only if the block is expanded. */
const listed = ([head, ...instances]: Block): readonly LiveRow[] =>
  head.isOpen === false ? [head] : [head, ...instances];

interface Matched {
  readonly rows: readonly LiveRow[];
  readonly score: number;
}

const matchIn =
  (filter: string) =>
  (row: LiveRow): readonly { readonly row: LiveRow; readonly match: FuzzyMatch }[] => {
    const match = fuzzyMatch(filter, shownName(row.id));
    return match === undefined ? [] : [{ row: { ...row, places: match.places }, match }];
  };

/**
 * Returns the rows of a block that match the filter. If the row of a collapsed group does not match, its
 * instances are searched.
 */
const matchedIn = (block: Block, filter: string): Matched => {
  const find = matchIn(filter);
  const inListed = listed(block).flatMap(find);
  const found = inListed.length > 0 ? inListed : block.flatMap(find);
  return {
    rows: found.map(({ row }) => row),
    score: Math.max(-Infinity, ...found.map(({ match }) => match.score)),
  };
};

/** Returns the rows in the displayed order. */
export const rowsOf = (facts: RowFacts): readonly LiveRow[] => {
  const { model, filter, sort } = facts;
  const blocks = projectsOf(model).flatMap((project) => blocksOf(project, true).map(blockIn(project, facts)));
  const ordered = sort === undefined ? troubleFirst(blocks) : sorted(blocks, sort);
  if (filter === '') return ordered.flatMap(listed);
  const matched = ordered.map((block) => matchedIn(block, filter));
  const best = sort === undefined ? matched.toSorted((one, other) => other.score - one.score) : matched;
  return best.flatMap(({ rows }) => rows);
};

/** Returns the next sort when the user cycles through the columns. Numbers begin with the highest. */
export const nextSort = (sort: Sort | undefined): Sort | undefined => {
  const column = SORT_COLUMNS[sort === undefined ? 0 : SORT_COLUMNS.indexOf(sort.column) + 1];
  return column && { column, isDescending: !['name', 'state'].includes(column) };
};

/** True if the row stands for all instances of a service with `replicas`. */
export const isGroup = ({ isOpen }: Pick<LiveRow, 'isOpen'>): boolean => isOpen !== undefined;

/** Returns how many services the rows stand for; instances of a listed group count once. */
export const serviceCount = (rows: readonly LiveRow[]): number =>
  new Set(rows.flatMap(({ members }) => members)).size;
