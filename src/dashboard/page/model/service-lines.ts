// The lines of the table of services: projects, groups of replicas, services.
import { declaredName } from '../../../streams/domain/ids.ts';
import { groupsOf } from '../../../streams/views/group-document.ts';
import type { GroupDocument } from '../../../streams/wire/documents/documents.ts';
import type { ServiceRow } from '../../page-messages.ts';
import { grouped } from './group-values.ts';
import { byName } from './page-words.ts';

export type TableLine =
  | { readonly tag: 'project'; readonly key: string; readonly project: string; readonly count: number }
  | {
      readonly tag: 'group';
      readonly key: string;
      readonly group: GroupDocument;
      readonly rows: readonly ServiceRow[];
      readonly isOpen: boolean;
    }
  | { readonly tag: 'service'; readonly key: string; readonly row: ServiceRow; readonly isInstance: boolean };

const serviceLine = (row: ServiceRow, isInstance: boolean): TableLine => ({
  tag: 'service',
  key: row.id,
  row,
  isInstance,
});

const linesOfName = (rows: readonly ServiceRow[], opened: ReadonlySet<string>): readonly TableLine[] => {
  const [group] = groupsOf(rows);
  const [first] = rows;
  if (group === undefined || first === undefined) return rows.map((row) => serviceLine(row, false));
  const key = `${first.project}/${group.name}`;
  const isOpen = opened.has(key);
  const head: TableLine = { tag: 'group', key, group, rows, isOpen };
  return [head, ...(isOpen ? rows.map((row) => serviceLine(row, true)) : [])];
};

/**
 * Returns the lines, sorted by project and name. `opened`: the ids of the open groups, which have a line for
 * each replica.
 */
export const tableLines = (
  rows: readonly ServiceRow[],
  opened: ReadonlySet<string>,
): readonly TableLine[] => {
  const sorted = [...rows].sort((one, other) => byName.compare(one.id, other.id));
  return [...grouped(sorted, ({ project }) => project)].flatMap(
    ([project, members]): readonly TableLine[] => [
      { tag: 'project', key: `${project}/`, project, count: members.length },
      ...[...grouped(members, ({ name }) => declaredName(name)).values()].flatMap((named) =>
        linesOfName(named, opened),
      ),
    ],
  );
};
