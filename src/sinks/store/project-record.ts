// The record of one project: its whole state, and a journal of changes since. When the journal is long, the
// state is written again and a new journal begun (`docs/behaviour.md`, "Saved state"). Keys that a newer
// version added to a file are kept when this version rewrites it, so that the newer one finds them again.
import { fieldsIn } from '../../streams/wire/checked-fields.ts';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defaultIfEmpty, defer, EMPTY, forkJoin, from, ignoreElements, type Observable, of } from 'rxjs';
import { makeDirectory } from '../../os/files/directories.ts';
import { textIfThere } from '../../os/files/own-file.ts';
import { replaceFile, replaceFileAsync } from '../../os/files/replace-file.ts';
import { currentBoot } from '../../os/proc/machine-facts.ts';
import { JournalFile } from './journal-file.ts';
import type { ProjectId, ServiceId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { lineOf } from '../../streams/wire/journal.ts';
import { JOURNAL_NAME, layoutOf } from '../../streams/wire/layout.ts';
import { STATE_SCHEMA, storedService, type StoredState } from '../../streams/wire/stored.ts';

export type Extra = Readonly<Record<string, unknown>>;

/** The unknown keys of a file; none if it is missing, or is no JSON object. */
export const keptKeys = (file: string, known: readonly string[]): Extra => {
  const text = textIfThere(file);
  const fields = typeof text === 'string' ? fieldsIn(text) : undefined;
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([key]) => !known.includes(key)));
};

/** The changed services; `undefined`: the service left. */
type Changes = ReadonlyMap<ServiceId, Service | undefined>;

/** The journal is renewed when it is longer than this, and than this many states. */
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
  /** Services as they were written last. */
  readonly #written = new Map<ServiceId, Service>();
  #journal: JournalFile | undefined;
  #stateBytes = 0;
  /** Set during a renewal: the old journal must be kept until the new state is written. */
  #renewal: { readonly over: Promise<unknown>; readonly old: JournalFile } | undefined;

  constructor(dataDir: string, project: ProjectId) {
    this.project = project;
    const layout = layoutOf(dataDir);
    this.#state = layout.projectState(project);
    this.#extra = keptKeys(this.#state, KEYS);
    this.#journalPath = (name) => layout.journal(project, name);
  }

  /** Writes the whole state and an empty journal, before anything else. Throws when that fails. */
  begin(services: readonly Service[]): void {
    const name = freshName();
    makeDirectory(dirname(this.#state), 0o700);
    // Made before the state that names it: a named journal that is missing counts as lost, with a warning.
    const journal = new JournalFile(this.#journalPath(name));
    try {
      this.#writeWhole(services, name);
    } catch (error) {
      journal.discard();
      throw error;
    }
    this.#journal = journal;
  }

  /** Writes the whole state into one file, after everything else. Throws when that fails. */
  conclude(services: readonly Service[]): void {
    makeDirectory(dirname(this.#state), 0o700);
    this.#writeWhole(services);
  }

  /** True if all services have left and no state is being written. */
  get isEmpty(): boolean {
    return this.#written.size === 0 && this.#renewal === undefined;
  }

  /**
   * Closes its journal after writing its content into the state, unless the record was removed. Throws when
   * that fails.
   */
  giveUp(): void {
    if (this.inPlace) this.#writeWhole([]);
    else this.#journal?.close();
  }

  /** True if it was begun and its state and journal are still in place. */
  get inPlace(): boolean {
    return this.#journal?.inPlace === true && existsSync(this.#state);
  }

  /** True if it was begun and a part of it was removed since. */
  get isLost(): boolean {
    return this.#journal !== undefined && !this.inPlace;
  }

  /** The service as it was written last. */
  recorded(service: ServiceId): Service | undefined {
    return this.#written.get(service);
  }

  /** Appends changes, which then survive this process. Throws, having written nothing, when that fails. */
  append(changes: Changes): void {
    const lines = [...changes].flatMap(([id, service]) => lineOf(id, this.#written.get(id), service) ?? []);
    if (lines.length === 0) return;
    this.#journal?.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const [id, service] of changes)
      if (service === undefined) this.#written.delete(id);
      else this.#written.set(id, service);
  }

  /** All services as changes; those that left as `undefined`. */
  differences(services: readonly Service[]): Changes {
    const changes = new Map<ServiceId, Service | undefined>();
    for (const id of this.#written.keys()) changes.set(id, undefined);
    for (const service of services) changes.set(service.spec.id, service);
    return changes;
  }

  /** Emits once, when all that was appended before is on disk. */
  get synced$(): Observable<unknown> {
    const journals = (): readonly JournalFile[] =>
      [this.#renewal?.old, this.#journal].filter((one) => one !== undefined);
    return defer(() => forkJoin(journals().map(({ synced$ }) => synced$))).pipe(defaultIfEmpty(undefined));
  }

  /** Emits once, when no older state is still being written. */
  get settled$(): Observable<unknown> {
    return defer(() => this.#renewal?.over ?? of(undefined));
  }

  /** True if the journal is long and not being renewed. */
  get isLong(): boolean {
    if (this.#journal === undefined || this.#renewal !== undefined) return false;
    return this.#journal.bytes > Math.max(LONG_BYTES, LONG_STATES * this.#stateBytes);
  }

  /**
   * Writes the state again while changes go into a new journal. A reader meanwhile finds the old state and
   * the old journal, which names the new one in its last line. Completes when the old journal is gone.
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
    // The directory was removed and the record begun again: this renewal is outdated.
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
