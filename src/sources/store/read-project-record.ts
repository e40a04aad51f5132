// Reads the JSON documents of the store, and the record of a project: its last complete state, and the
// changes after that state. Defects are returned, not thrown.
//
// Rules: `docs/behaviour.md`, "Saved state".
import { statSync } from 'node:fs';
import { textIfThere } from '../../os/files/own-file.ts';
import { aheadOfNow, currentBoot } from '../../os/proc/machine-facts.ts';
import { isString } from './shape-checks.ts';
import { isServiceOf } from './recorded-service-shape.ts';
import type { ProjectId } from '../../streams/domain/ids.ts';
import { NO_PROCESS, sameProcess } from '../../streams/domain/service/process.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { fieldsIn, type Fields, isFields } from '../../streams/wire/params/checked-fields.ts';
import { idOfRecord, type Records, replay } from '../../streams/wire/journal.ts';
import type { Layout } from '../../streams/wire/layout.ts';
import { serviceFromStored, STATE_SCHEMA } from '../../streams/wire/state-files.ts';

/** A file that cannot be used, entirely or in part. */
export interface Spoiled {
  readonly file: string;
  readonly detail: string;
  /** `part`: the rest of the file is used. `missing`: another file refers to it. */
  readonly extent: 'whole' | 'part' | 'missing';
}

export interface ReadDocument<T> {
  readonly value: T;
  readonly spoiled: readonly Spoiled[];
}

/** Returns a sentence about the defect, without its full stop. */
export const spoiledText = ({ file, detail, extent }: Spoiled): string =>
  extent === 'missing' ? `${file} is missing: ${detail}` : `${file} cannot be used: ${detail}`;

interface Kind<T> {
  readonly file: string;
  readonly schema: string;
  /** The value to return if the file is missing or unusable. */
  readonly absent: T;
  /**
   * Returns the content, or `undefined` if it is not a document of this kind. `refused`: the entries that
   * were left out.
   */
  readonly decode: (fields: Fields) => { readonly value: T; readonly refused: readonly string[] } | undefined;
}

export const readDocument = <T>(kind: Kind<T>): ReadDocument<T> => {
  const spoiled = (detail: string): ReadDocument<T> => ({
    value: kind.absent,
    spoiled: [{ file: kind.file, detail, extent: 'whole' }],
  });
  const text = textIfThere(kind.file);
  if (text === undefined) return { value: kind.absent, spoiled: [] };
  if (text instanceof Error) return spoiled(text.message);
  const fields = fieldsIn(text);
  if (fields === undefined) return spoiled('it is not a JSON object');
  if (fields['schema'] !== kind.schema) return spoiled(`its schema is not ${kind.schema}`);
  return decodedBy(kind, fields) ?? spoiled('its content does not have the form of its schema');
};

const decodedBy = <T>({ file, decode }: Kind<T>, fields: Fields): ReadDocument<T> | undefined => {
  const document = decode(fields);
  if (document === undefined) return undefined;
  const { value, refused } = document;
  const detail = `of its entries ${refused.join(', ')} cannot be read`;
  return { value, spoiled: refused.length === 0 ? [] : [{ file, detail, extent: 'part' }] };
};

export interface RecordedState {
  readonly bootId: string;
  readonly services: readonly Service[];
}

const LOST = 'what changed since the state beside it was written is not known';

/** Maximum number of repeated reads. A read is repeated if a supervisor wrote the file meanwhile. */
const PATIENCE = 3;

/** Returns the record of a project. Never throws. A running supervisor may write the record meanwhile. */
export const readState = (
  layout: Layout,
  project: ProjectId,
  patience = PATIENCE,
): ReadDocument<RecordedState | undefined> => {
  const file = layout.projectState(project);
  const before = inodeOf(file);
  const read = readOnce(layout, project);
  // True if a supervisor wrote the state again during this read.
  const overtaken = patience > 0 && inodeOf(file) !== before;
  return overtaken ? readState(layout, project, patience - 1) : read;
};

const inodeOf = (file: string): number | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
};

const readOnce = (layout: Layout, project: ProjectId): ReadDocument<RecordedState | undefined> => {
  const torn: Spoiled[] = [];
  const { value, spoiled } = readDocument<RecordedState | undefined>({
    file: layout.projectState(project),
    schema: STATE_SCHEMA,
    absent: undefined,
    decode: ({ boot_id: bootId, journal, services }) => {
      if (!isString(bootId) || !Array.isArray(services)) return undefined;
      const records: Records = new Map(services.map((record: unknown) => [idOfRecord(record), record]));
      if (isString(journal)) torn.push(...follow(records, (name) => layout.journal(project, name), journal));
      return decoded(bootId, project, [...records.values()]);
    },
  });
  return { value, spoiled: [...spoiled, ...torn] };
};

/**
 * True if the recorded start of a process is in the future. Such a record is refused: all processes of the
 * tree would seem older than their leader, and be ignored.
 */
const startsLater = (service: Service, isAhead: ReturnType<typeof aheadOfNow>): boolean =>
  [...runsOf(service), ...(service.children ?? [])].some(
    ({ actual }) =>
      'process' in actual && !sameProcess(actual.process, NO_PROCESS) && isAhead(actual.process),
  );

const decoded = (
  bootId: string,
  project: ProjectId,
  records: readonly unknown[],
): { readonly value: RecordedState; readonly refused: readonly string[] } => {
  const sound = records.filter(isServiceOf(project));
  const isAhead = aheadOfNow();
  const good = bootId === currentBoot() ? sound.filter((service) => !startsLater(service, isAhead)) : sound;
  const kept = new Set<unknown>(good);
  const refused = records.filter((record) => !kept.has(record)).map(nameOfRecord);
  return { value: { bootId, services: good.map(serviceFromStored) }, refused };
};

/** Applies the journals in order; each journal names the next one. Returns the defects. */
const follow = (records: Records, pathOf: (name: string) => string, first: string): readonly Spoiled[] => {
  const spoiled: Spoiled[] = [];
  const read = new Set<string>();
  for (let name: string | undefined = first; name !== undefined && !read.has(name);) {
    read.add(name);
    const file = pathOf(name);
    const text = textIfThere(file);
    if (text === undefined) return [...spoiled, { file, detail: LOST, extent: 'missing' }];
    if (text instanceof Error) return [...spoiled, { file, detail: text.message, extent: 'whole' }];
    const { next, bad } = replay(records, text);
    if (bad > 0) spoiled.push({ file, detail: `${bad} of its lines cannot be read`, extent: 'part' });
    name = next;
  }
  return spoiled;
};

/** Returns the name of the service in an invalid record; the text `one without a name` if it has none. */
const nameOfRecord = (value: unknown): string => {
  const spec = isFields(value) ? value['spec'] : undefined;
  const name = isFields(spec) ? spec['name'] : undefined;
  return isString(name) ? name : 'one without a name';
};
