// The record of one project: its state as a whole, and beside it a journal of what changed since. When the journal has
// grown long, the state is written anew and another journal begun (`docs/behaviour.md`, "Saved state").
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { makeDirectory } from '../../os/files/make-directory.ts';
import { defaultIfEmpty, defer, EMPTY, forkJoin, from, ignoreElements, of, type Observable } from 'rxjs';
import { currentBoot } from '../../os/proc/boot-id.ts';
import { replaceFile, replaceFileAsync } from '../../os/files/replace-file.ts';
import type { ProjectId, ServiceId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { lineOf } from '../../streams/wire/journal.ts';
import { JOURNAL_NAME, layoutOf } from '../../streams/wire/layout.ts';
import { STATE_SCHEMA, type StoredState } from '../../streams/wire/stored.ts';
import { JournalFile } from './journal-file.ts';
import { keptKeys, type Extra } from './kept-keys.ts';

/** What is new of some services; `undefined`: it left. */
type Changes = ReadonlyMap<ServiceId, Service | undefined>;

/** The journal is begun anew when it is longer than this, and than so many states. */
const LONG_BYTES = 256 * 1024;
const LONG_STATES = 4;

const BOOT_ID = currentBoot();

interface Named {
  readonly extra: Extra;
  readonly journal?: string | undefined;
}

const stateText = (services: Iterable<Service>, { extra, journal }: Named): string => {
  const named = journal === undefined ? {} : { journal };
  const state: StoredState = { schema: STATE_SCHEMA, boot_id: BOOT_ID, ...named, services: [...services] };
  return JSON.stringify({ ...extra, ...state });
};

const KEYS = ['schema', 'boot_id', 'journal', 'services'];

const freshName = (): string => randomBytes(6).toString('hex');

export class ProjectRecord {
  readonly project: ProjectId;
  readonly #state: string;
  readonly #journalPath: (name: string) => string;
  readonly #extra: Extra;
  /** As they were written last. */
  readonly #written = new Map<ServiceId, Service>();
  #journal: JournalFile | undefined;
  #stateBytes = 0;
  /** While the state is being renewed: the journal before, which is not to be forgotten until it is. */
  #renewal: { readonly over: Promise<unknown>; readonly old: JournalFile } | undefined;

  constructor(dataDir: string, project: ProjectId) {
    this.project = project;
    const layout = layoutOf(dataDir);
    this.#state = layout.projectState(project);
    this.#extra = keptKeys(this.#state, KEYS);
    this.#journalPath = (name) => layout.journal(project, name);
  }

  /** Everything as it is, and an empty journal: the first thing that is written. Throws when it cannot be. */
  begin(services: readonly Service[]): void {
    const name = freshName();
    makeDirectory(dirname(this.#state), 0o700);
    // Before the state that names it: one that is named and not there was lost, and is warned of.
    const journal = new JournalFile(this.#journalPath(name));
    try {
      this.#writeWhole(services, name);
    } catch (error) {
      journal.discard();
      throw error;
    }
    this.#journal = journal;
  }

  /** Everything as it is in one file: the last thing that is written. Throws when it cannot be. */
  conclude(services: readonly Service[]): void {
    makeDirectory(dirname(this.#state), 0o700);
    this.#writeWhole(services);
  }

  /** Everybody has left it, and no state of it is on its way to disk. */
  get isEmpty(): boolean {
    return this.#written.size === 0 && this.#renewal === undefined;
  }

  /** Gives back its journal: what it says stands in one file, unless somebody has removed that. Throws when it cannot be written. */
  giveUp(): void {
    if (this.inPlace) this.#writeWhole([]);
    else this.#journal?.close();
  }

  /** It was begun, and its state and journal are still where a reader would look for them. */
  get inPlace(): boolean {
    return this.#journal?.inPlace === true && existsSync(this.#state);
  }

  /** It was begun, and somebody has removed a part of it since. */
  get isLost(): boolean {
    return this.#journal !== undefined && !this.inPlace;
  }

  /** As it was written last. */
  recorded(service: ServiceId): Service | undefined {
    return this.#written.get(service);
  }

  /** Outlives this process when it returns. Throws when it cannot be written; then nothing of it is. */
  append(changes: Changes): void {
    const lines = [...changes].flatMap(([id, service]) => lineOf(id, this.#written.get(id), service) ?? []);
    if (lines.length === 0) return;
    this.#journal?.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const [id, service] of changes)
      if (service === undefined) this.#written.delete(id);
      else this.#written.set(id, service);
  }

  /** All that differs from what was written. */
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

  /** Emits once, when no state is on its way to disk that is older than what is written next. */
  get settled$(): Observable<unknown> {
    return defer(() => this.#renewal?.over ?? of(undefined));
  }

  /** The journal has grown long, and is not being renewed. */
  get isLong(): boolean {
    if (this.#journal === undefined || this.#renewal !== undefined) return false;
    return this.#journal.bytes > Math.max(LONG_BYTES, LONG_STATES * this.#stateBytes);
  }

  /**
   * Writes the state anew while changes go on into another journal. Whoever reads meanwhile finds the old state, the old
   * journal, and in its last line the name of the new one. Completes when the old journal is gone.
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
    // The directory was removed meanwhile, and the record begun again: what was on its way has come too late.
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
