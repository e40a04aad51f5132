// The record of a project: a file with its whole state, and a journal of the later changes. If the journal
// becomes long, the whole state is written again (`docs/behaviour.md`, "Saved state"). Keys that a newer
// version has written are kept.
import { fieldsIn } from '../../streams/wire/params/checked-fields.ts';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defaultIfEmpty, defer, EMPTY, forkJoin, from, ignoreElements, type Observable, of } from 'rxjs';
import { makeDirectory } from '../../os/files/directories.ts';
import { textIfThere } from '../../os/files/own-file.ts';
import { replaceFile, replaceFileAsync } from '../../os/files/replace-file.ts';
import { currentBoot } from '../../os/proc/machine-facts.ts';
import { JournalFile } from './append-only-file.ts';
import type { ProjectId, ServiceId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { lineOf } from '../../streams/wire/journal.ts';
import { JOURNAL_NAME, layoutOf } from '../../streams/wire/layout.ts';
import { STATE_SCHEMA, storedService, type StoredState } from '../../streams/wire/state-files.ts';

export type Extra = Readonly<Record<string, unknown>>;

/** Returns the keys of a file that this version does not know. */
export const keptKeys = (file: string, known: readonly string[]): Extra => {
  const text = textIfThere(file);
  const fields = typeof text === 'string' ? fieldsIn(text) : undefined;
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([key]) => !known.includes(key)));
};

/** The changed services; `undefined` for a removed service. */
type Changes = ReadonlyMap<ServiceId, Service | undefined>;

/**
 * A journal is long if it has more than `LONG_BYTES` bytes and is more than `LONG_STATES` times as large as
 * the state file.
 */
const LONG_BYTES = 256 * 1024;
const LONG_STATES = 4;

const BOOT_ID = currentBoot();

interface Named {
  readonly extra: Extra;
  readonly journal?: string | undefined;
}

const stateText = (services: Iterable<Service>, { extra, journal }: Named): string => {
  const named = journal === undefined ? {} : { journal };
  const stored = [...services].map(storedService);
  const state: StoredState = { schema: STATE_SCHEMA, boot_id: BOOT_ID, ...named, services: stored };
  return JSON.stringify({ ...extra, ...state });
};

const KEYS = ['schema', 'boot_id', 'journal', 'services'];

const freshName = (): string => randomBytes(6).toString('hex');

export class ProjectRecord {
  readonly project: ProjectId;
  readonly #state: string;
  readonly #journalPath: (name: string) => string;
  readonly #extra: Extra;
  /** The services as they were last written. */
  readonly #written = new Map<ServiceId, Service>();
  #journal: JournalFile | undefined;
  #stateBytes = 0;
  /**
   * Set while the whole state is being written again. `old` is the previous journal: until the write is over,
   * the old state file needs it.
   */
  #renewal: { readonly over: Promise<unknown>; readonly old: JournalFile } | undefined;

  constructor(dataDir: string, project: ProjectId) {
    this.project = project;
    const layout = layoutOf(dataDir);
    this.#state = layout.projectState(project);
    this.#extra = keptKeys(this.#state, KEYS);
    this.#journalPath = (name) => layout.journal(project, name);
  }

  /** Writes the whole state and an empty journal. Call it before `append`. Throws if that fails. */
  begin(services: readonly Service[]): void {
    const name = freshName();
    makeDirectory(dirname(this.#state), 0o700);
    // The journal is created before the state file that names it. Otherwise a reader could find the name of a
    // journal that does not exist, and would report the journal as lost.
    const journal = new JournalFile(this.#journalPath(name));
    try {
      this.#writeWhole(services, name);
    } catch (error) {
      journal.discard();
      throw error;
    }
    this.#journal = journal;
  }

  /** Writes the whole state without a journal, as the last write. Throws if that fails. */
  conclude(services: readonly Service[]): void {
    makeDirectory(dirname(this.#state), 0o700);
    this.#writeWhole(services);
  }

  /** True if the record has no service and no state is being written. */
  get isEmpty(): boolean {
    return this.#written.size === 0 && this.#renewal === undefined;
  }

  /**
   * Writes a state that contains no services, and closes the journal. If the record was deleted from the
   * disk, only closes the journal. Throws on failure.
   */
  giveUp(): void {
    if (this.inPlace) this.#writeWhole([]);
    else this.#journal?.close();
  }

  /** True if state and journal exist and are still at their paths. */
  get inPlace(): boolean {
    return this.#journal?.inPlace === true && existsSync(this.#state);
  }

  /** True if the state or the journal was deleted. */
  get isLost(): boolean {
    return this.#journal !== undefined && !this.inPlace;
  }

  /** Returns the service as last written, if it is recorded. */
  recorded(service: ServiceId): Service | undefined {
    return this.#written.get(service);
  }

  /**
   * Appends changes, which then survive the end of this process. If that fails, throws and writes nothing.
   */
  append(changes: Changes): void {
    const lines = [...changes].flatMap(([id, service]) => lineOf(id, this.#written.get(id), service) ?? []);
    if (lines.length === 0) return;
    this.#journal?.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const [id, service] of changes)
      if (service === undefined) this.#written.delete(id);
      else this.#written.set(id, service);
  }

  /**
   * Returns changes that make the record contain exactly `services`: each of them, and `undefined` for each
   * other recorded service.
   */
  differences(services: readonly Service[]): Changes {
    const changes = new Map<ServiceId, Service | undefined>();
    for (const id of this.#written.keys()) changes.set(id, undefined);
    for (const service of services) changes.set(service.spec.id, service);
    return changes;
  }

  /** Emits once, when all changes that were appended before the subscription are on disk. */
  get synced$(): Observable<unknown> {
    const journals = (): readonly JournalFile[] =>
      [this.#renewal?.old, this.#journal].filter((one) => one !== undefined);
    return defer(() => forkJoin(journals().map(({ synced$ }) => synced$))).pipe(defaultIfEmpty(undefined));
  }

  /** Emits once, when no state is being written any more. */
  get settled$(): Observable<unknown> {
    return defer(() => this.#renewal?.over ?? of(undefined));
  }

  /** True if the journal is long and is not being renewed. */
  get isLong(): boolean {
    if (this.#journal === undefined || this.#renewal !== undefined) return false;
    return this.#journal.bytes > Math.max(LONG_BYTES, LONG_STATES * this.#stateBytes);
  }

  /**
   * Writes the whole state again, then deletes the old journal. Meanwhile changes go to a new journal. Until
   * the write is over, a reader finds the old state and the old journal, whose last line names the new
   * journal.
   */
  renewed$ = defer((): Observable<never> => {
    const old = this.#journal;
    if (old === undefined) return EMPTY;
    const name = freshName();
    const young = new JournalFile(this.#journalPath(name));
    try {
      old.append(`${JSON.stringify({ next: name })}\n`);
    } catch (error) {
      young.discard();
      throw error;
    }
    this.#journal = young;
    const text = stateText(this.#written.values(), { extra: this.#extra, journal: name });
    const written = replaceFileAsync(this.#state, text);
    const over = written.then(
      () => this.#renewed(young, { name, bytes: text.length }),
      () => this.#endRenewal(),
    );
    this.#renewal = { over, old };
    return from(written.then(() => over)).pipe(ignoreElements());
  });

  #endRenewal(): void {
    this.#renewal?.old.close();
    this.#renewal = undefined;
  }

  #renewed(young: JournalFile, { name, bytes }: { readonly name: string; readonly bytes: number }): void {
    this.#endRenewal();
    // If the record was deleted and begun again during the write, the state just written is outdated.
    if (this.#journal !== young) return this.begin([...this.#written.values()]);
    this.#stateBytes = bytes;
    this.#removeJournalsBut(name);
  }

  #writeWhole(services: readonly Service[], journal?: string): void {
    const text = stateText(services, { extra: this.#extra, journal });
    replaceFile(this.#state, text, { backup: false, lasting: journal === undefined ? 'name' : 'content' });
    this.#journal?.close();
    this.#journal = undefined;
    this.#stateBytes = text.length;
    this.#written.clear();
    for (const service of services) this.#written.set(service.spec.id, service);
    this.#removeJournalsBut(journal);
  }

  #removeJournalsBut(name?: string): void {
    const directory = dirname(this.#state);
    const kept = name === undefined ? undefined : basename(this.#journalPath(name));
    for (const file of readdirSync(directory))
      if (JOURNAL_NAME.test(file) && file !== kept) rmSync(`${directory}/${file}`, { force: true });
  }
}
