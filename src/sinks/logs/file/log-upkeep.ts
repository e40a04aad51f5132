// Looks after rotated log files in the background: removes files that are too old (`logs.max_age`),
// compresses the others (`logs.compress`), and enforces the limit for all logs together
// (`logs/total_max_bytes`). It never touches an active file.
// Rules: `docs/behaviour.md`, "Output", "Old files"; `docs/behaviour.md`, "Output", "A limit for all logs
// together", "Compressed files".
import { renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { refusalText } from '../../../os/errno.ts';
import { errorSentence } from '../../../streams/domain/errors/error-sentence.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { listedText } from '../../../streams/domain/listed-text.ts';
import type { LogsSpec } from '../../../streams/domain/declared/spec.ts';
import { compressedPath, rotatedPath } from '../../../streams/wire/log-file-names.ts';
import type { LogError } from '../capture-ports.ts';
import { compressed, type Compressed } from './compress-log.ts';
import {
  allLogFiles,
  bytesOf,
  type LogFile,
  logFiles,
  type LogNames,
  logNames,
  removeCopies,
} from './find-log-files.ts';
import { exceeding, removeLog } from './log-limits.ts';

/**
 * The delay before a round of upkeep begins, ms: after the start of the supervisor, after a rotation, and
 * after the previous round.
 */
const FIRST_MS = 5_000;
const AFTER_ROTATION_MS = 1_000;
const ROUND_MS = 60_000;
/**
 * The pause after a rotation is at least this many times as long as it took to read the sizes of all files.
 */
const REST = 50;
/** The maximum number of files that one message names. Of the remaining files it gives only the number. */
const MOST = 5;

interface UpkeepPorts {
  readonly pathOf: (service: ServiceId) => string;
  readonly logError: LogError;
  /** Called when files were removed to keep the limit for all logs. If absent, `logError` is called. */
  readonly onRemoved?: LogError | undefined;
  /** True if few descriptors are free: then nothing is compressed. */
  readonly isScarce: () => boolean;
  readonly now?: () => number;
  readonly firstAfter?: number;
  /**
   * The directory with the logs of all projects, and the function that returns how many bytes these logs may
   * use together; 0: no limit.
   */
  readonly directory?: string;
  readonly budget?: () => number;
}

/**
 * Replaces a file by its compressed copy, also if a rotation has given the file another number. This is
 * synchronous, so that no rotation can happen during it. If the program dies before the file is removed, the
 * file and its copy both exist, and readers read the file.
 */
const putInPlace = (log: string, { path, inode, size }: Compressed, number: number): void => {
  for (let place = number; ; place += 1) {
    const file = rotatedPath(log, place);
    const found = statSync(file, { throwIfNoEntry: false });
    const isThere = found ?? statSync(compressedPath(file), { throwIfNoEntry: false });
    if (isThere === undefined) break;
    if (found?.ino !== inode) continue;
    if (found.size !== size) break;
    renameSync(path, compressedPath(file));
    rmSync(file, { force: true });
    return;
  }
  rmSync(path, { force: true });
};

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

export class LogUpkeep {
  readonly #ports: UpkeepPorts;
  readonly #logs = new Map<ServiceId, LogsSpec>();
  readonly #end = new AbortController();
  readonly #now: () => number;
  /** For each service: why its rotated files cannot be removed or compressed. */
  readonly #failing = new Map<ServiceId, string>();
  /** The problems that the last round found, as sentences. Each was logged when it was new. */
  #troubles: readonly string[] = [];
  #overspent: string | undefined;
  #timer: { readonly due: number; readonly timeout: NodeJS.Timeout } | undefined;
  #round: Promise<void> | undefined;
  #rotatedMeanwhile = false;
  /** True after the incomplete copies of a killed supervisor were removed. */
  #isSwept = false;
  #soon = AFTER_ROTATION_MS;
  #first: number;

  constructor(ports: UpkeepPorts) {
    this.#ports = ports;
    this.#now = ports.now ?? Date.now;
    this.#first = ports.firstAfter ?? FIRST_MS;
  }

  /** Call it when the declaration of a log has changed. `undefined`: the service is no longer declared. */
  follow(service: ServiceId, logs: LogsSpec | undefined): void {
    if (logs?.compress === true || logs?.maxAge !== undefined) this.#logs.set(service, logs);
    else {
      this.#logs.delete(service);
      this.#failing.delete(service);
    }
    if (this.#hasWork() || !this.#isSwept) this.#begin(this.#first === 0 ? ROUND_MS : this.#first);
  }

  /** Call it after a rotation of this service's log. */
  rotated(service: ServiceId): void {
    if (this.#first > 0) return;
    if (this.#logs.get(service)?.compress !== true && this.#budget() === 0) return;
    this.#rotatedMeanwhile = this.#round !== undefined;
    this.#begin(this.#soon);
  }

  /** Returns the problems that the last round found, as sentences. */
  troubles(): readonly string[] {
    return this.#troubles;
  }

  /** Aborts the running round. An incomplete copy is removed. */
  async close(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer?.timeout);
    await this.#round;
  }

  /** Removes and compresses files of all logs once. */
  async round(): Promise<void> {
    const directories = new Map<string, LogNames>();
    await this.#sweep();
    for (const [service, logs] of this.#logs) {
      if (this.#end.signal.aborted) return;
      const directory = dirname(this.#ports.pathOf(service));
      const names = directories.get(directory) ?? (await logNames(directory));
      directories.set(directory, names);
      await this.#lookAfter(service, logs, names);
    }
    if (this.#budget() > 0 && !this.#end.signal.aborted) await this.#keepBudget(this.#budget());
    if (!this.#end.signal.aborted) this.#report();
  }

  #budget(): number {
    return this.#ports.budget?.() ?? 0;
  }

  #hasWork(): boolean {
    return this.#logs.size > 0 || this.#budget() > 0;
  }

  /** Begins a round after this delay, ms, unless a round runs or begins earlier. */
  #begin(delay: number): void {
    if (this.#round !== undefined || this.#end.signal.aborted) return;
    const due = performance.now() + delay;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    clearTimeout(this.#timer?.timeout);
    this.#timer = { due, timeout: setTimeout(() => this.#turn(), delay).unref() };
  }

  #turn(): void {
    this.#first = 0;
    this.#timer = undefined;
    this.#round = this.round().finally(() => {
      this.#round = undefined;
      if (this.#hasWork()) this.#begin(this.#rotatedMeanwhile ? this.#soon : ROUND_MS);
      this.#rotatedMeanwhile = false;
    });
  }

  async #sweep(): Promise<void> {
    if (this.#isSwept) return;
    await removeCopies(this.#ports.directory ?? '');
    this.#isSwept = true;
  }

  async #lookAfter(service: ServiceId, { maxAge, compress }: LogsSpec, names: LogNames): Promise<void> {
    const log = this.#ports.pathOf(service);
    const files = await logFiles(names.get(log));
    const old = exceeding([files], { maxAge }, this.#now());
    const refused = await this.#each(old, removeLog);
    // The files are compressed from the oldest to the newest. If a rotation renames files during a
    // compression, the next path leads to another file, never to the file that was just compressed.
    const plain = files.filter((file) => compress === true && file.kind === 'rotated' && !old.includes(file));
    const failed = await this.#each(plain.toReversed(), async ({ path, number }) => {
      if (this.#ports.isScarce()) return;
      putInPlace(log, await compressed({ log, path }, this.#end.signal), number);
    });
    const reason = refused ?? failed;
    if (reason === undefined) this.#failing.delete(service);
    else this.#failing.set(service, reason);
  }

  /** Calls `act` with each file. Returns the reason of the first failure, if any. */
  async #each(
    files: readonly LogFile[],
    act: (file: LogFile) => Promise<void> | void,
  ): Promise<string | undefined> {
    let reason: string | undefined;
    for (const file of files) {
      if (this.#end.signal.aborted) return reason;
      try {
        await act(file);
      } catch (error) {
        reason ??= refusalText(error);
      }
    }
    return reason;
  }

  /** Removes the oldest rotated files until the log files of all services fit into the limit. */
  async #keepBudget(most: number): Promise<void> {
    const began = performance.now();
    const logs = await allLogFiles(this.#ports.directory ?? '');
    this.#soon = Math.min(ROUND_MS, Math.max(AFTER_ROTATION_MS, REST * (performance.now() - began)));
    const total = bytesOf(logs.flat());
    const gone: LogFile[] = [];
    const refused = await this.#each(exceeding(logs, { maxBytes: most }, this.#now()), (file) => {
      removeLog(file);
      gone.push(file);
    });
    const limit = `${mebibytes(most)} (logs/total_max_bytes)`;
    if (gone.length > 0) this.#tellRemoved(gone, `${mebibytes(total)}, more than ${limit}`);
    const why =
      refused === undefined
        ? 'no rotated file is left to remove'
        : `a file cannot be removed: ${refused} (ERR0727)`;
    const isKept = total - bytesOf(gone) <= most;
    this.#overspent = isKept
      ? undefined
      : `the log files of all services have more than ${limit}, and ${why}`;
  }

  #tellRemoved(gone: readonly LogFile[], excess: string): void {
    const { onRemoved = this.#ports.logError } = this.#ports;
    const names = gone.map(({ path }) => `${basename(dirname(path))}/${basename(path)}`);
    onRemoved(
      `the log files of all services had ${excess}: removed the oldest rotated ones, ${listedText(names, MOST)}`,
    );
  }

  /** Reports new problems. Logs with the same problem share one sentence. */
  #report(): void {
    const reasons = [...new Set(this.#failing.values())];
    const sentences = reasons.map((detail) => {
      const services = [...this.#failing].flatMap(([id, reason]) => (reason === detail ? [id] : []));
      return { detail, text: `${errorSentence({ code: 'ERR0727', services, detail })} (ERR0727)` };
    });
    const troubles = [
      ...sentences.map(({ text }) => text),
      ...(this.#overspent === undefined ? [] : [this.#overspent]),
    ];
    for (const text of troubles) if (!this.#troubles.includes(text)) this.#ports.logError(text);
    this.#troubles = troubles;
  }
}
