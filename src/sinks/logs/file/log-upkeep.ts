// Looks after rotated log files in the background: removes those that are too old (`logs.max_age`), and
// compresses the others (`logs.compress`). It never touches an active file.
// Rules: `docs/behaviour.md`, "Output", "Old files".
import { renameSync, rmSync, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { refusalText } from '../../../os/errno.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import type { LogsSpec } from '../../../streams/domain/declared/spec.ts';
import { COMPRESSED, COMPRESSING } from '../../../streams/wire/compressed-log.ts';
import type { OnTrouble } from '../capture-ports.ts';
import { compressed, type Compressed } from './compress-log.ts';

/** After the begin of the supervisor, after a rotation, and between two rounds otherwise, ms. */
const FIRST_MS = 5_000;
const SOON_MS = 1_000;
const ROUND_MS = 60_000;

interface UpkeepPorts {
  readonly pathOf: (service: ServiceId) => string;
  readonly onTrouble: OnTrouble;
  /** True if few descriptors are free: then nothing is compressed. */
  readonly isScarce: () => boolean;
  readonly now?: () => number;
  readonly firstAfter?: number;
}

/** A rotated file of a log. */
interface RotatedLog {
  readonly path: string;
  readonly number: number;
  readonly isCompressed: boolean;
  readonly bytes: number;
  /** When it was last written, ms since 1970. */
  readonly at: number;
}

const ROTATED = /^\.(\d+)(\.gz)?$/;

/** Returns the rotated files of a log, the newest first. */
const rotatedFiles = async (log: string): Promise<readonly RotatedLog[]> => {
  const [directory, name] = [dirname(log), basename(log)];
  const names = await readdir(directory).catch(() => []);
  const found: RotatedLog[] = [];
  for (const one of names.filter((other) => other.startsWith(`${name}.`))) {
    const [, number, gz] = ROTATED.exec(one.slice(name.length)) ?? [];
    const path = `${directory}/${one}`;
    const known = number === undefined ? undefined : await stat(path).catch(() => undefined);
    if (known?.isFile() !== true) continue;
    const { size: bytes, mtimeMs: at } = known;
    found.push({ path, number: Number(number), isCompressed: gz !== undefined, bytes, at });
  }
  return found.toSorted((one, other) => one.number - other.number);
};

/** Removes copies that a supervisor which was killed has left incomplete. */
const removeRemains = async (log: string): Promise<void> => {
  const names = await readdir(dirname(log)).catch(() => []);
  const isOurs = (name: string): boolean =>
    name.startsWith(`${basename(log)}.`) && name.endsWith(COMPRESSING);
  for (const name of names.filter(isOurs)) await rm(`${dirname(log)}/${name}`, { force: true });
};

/**
 * Puts a compressed copy into the place of its file, which may have another number by now. Synchronous, so
 * that no rotation comes between. If the program dies before the file is removed, readers use the file.
 */
const putInPlace = (log: string, { path, inode, size }: Compressed, number: number): void => {
  for (let place = number; ; place += 1) {
    const file = `${log}.${String(place)}`;
    const found = statSync(file, { throwIfNoEntry: false });
    const isThere = found !== undefined || statSync(file + COMPRESSED, { throwIfNoEntry: false });
    if (isThere === undefined) break;
    if (found?.ino !== inode) continue;
    if (found.size !== size) break;
    renameSync(path, file + COMPRESSED);
    rmSync(file, { force: true });
    return;
  }
  rmSync(path, { force: true });
};

export class LogUpkeep {
  readonly #ports: UpkeepPorts;
  readonly #logs = new Map<ServiceId, LogsSpec>();
  readonly #cleaned = new Set<ServiceId>();
  readonly #end = new AbortController();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isFailing = false;
  #first: number;

  constructor(ports: UpkeepPorts) {
    this.#ports = ports;
    this.#now = ports.now ?? Date.now;
    this.#first = ports.firstAfter ?? FIRST_MS;
  }

  /** Follows what is declared for a log; `undefined`: the service is no longer declared. */
  follow(service: ServiceId, logs: LogsSpec | undefined): void {
    if (logs?.compress === true || logs?.maxAge !== undefined) {
      this.#logs.set(service, logs);
      this.#begin(this.#first);
    } else this.#logs.delete(service);
  }

  /** Called after a rotation. */
  rotated(service: ServiceId): void {
    if (this.#logs.get(service)?.compress !== true || this.#first > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#begin(SOON_MS);
  }

  /** Ends the round, and removes a copy that is not complete. */
  async close(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** Goes through all logs once. */
  async round(): Promise<void> {
    for (const [service, logs] of this.#logs) {
      if (this.#end.signal.aborted) return;
      await this.#lookAfter(service, logs);
    }
  }

  #begin(delay: number): void {
    if (this.#round !== undefined || this.#end.signal.aborted) return;
    this.#timer ??= setTimeout(() => this.#turn(), delay).unref();
  }

  #turn(): void {
    this.#first = 0;
    this.#timer = undefined;
    this.#round = this.round().finally(() => {
      this.#round = undefined;
      if (this.#logs.size > 0) this.#begin(ROUND_MS);
    });
  }

  async #lookAfter(service: ServiceId, { maxAge, compress }: LogsSpec): Promise<void> {
    const log = this.#ports.pathOf(service);
    try {
      if (!this.#cleaned.has(service)) await removeRemains(log);
      this.#cleaned.add(service);
      const files = await rotatedFiles(log);
      const isOld = ({ at }: RotatedLog): boolean => maxAge !== undefined && this.#now() - at > maxAge;
      for (const { path } of files.filter(isOld)) await rm(path, { force: true });
      if (compress === true)
        await this.#compress(
          log,
          files.filter((file) => !isOld(file)),
        );
      this.#isFailing = false;
    } catch (error) {
      if (this.#end.signal.aborted || this.#isFailing) return;
      this.#isFailing = true;
      this.#ports.onTrouble(
        `rotated files of ${log} cannot be looked after (${refusalText(error)}): they stay as they are`,
      );
    }
  }

  async #compress(log: string, files: readonly RotatedLog[]): Promise<void> {
    // The oldest first: the newest may be rotated on meanwhile.
    for (const { path, number, isCompressed } of files.toReversed()) {
      if (isCompressed) continue;
      if (this.#ports.isScarce()) return;
      const copy = await compressed(path, this.#end.signal);
      putInPlace(log, copy, number);
    }
  }
}
