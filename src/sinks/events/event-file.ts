// Keeps events on disk, one per line, in two files of bounded size: the current file and the previous one.
// Events that arrive within 50 ms are appended in one write. On a full disk events are lost, with one
// warning.
// Rules: `docs/behaviour.md`, "Events that a service reports", "Size and rate".
import { rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectoryAsync } from '../../os/files/directories.ts';
import { isMissing } from '../../os/errno.ts';
import { appendWhole } from '../../os/files/own-file.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';

/** Size at which the event file is renamed to `.1`, bytes. An older `.1` is replaced. */
const MOST_BYTES = 1024 * 1024;
/** How long events are collected for one write, ms. */
const GATHER_MS = 50;
/** How many events may wait to be written. Further events are dropped. */
const MOST_WAITING = 20_000;

interface EventFilePorts {
  readonly path: string;
  readonly logError: (text: string) => void;
  readonly maxBytes?: number;
}

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
};

export class EventFile {
  readonly #ports: EventFilePorts;
  #waiting: EventDocument[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isTold = false;

  constructor(ports: EventFilePorts) {
    this.#ports = ports;
  }

  /** Queues an event and returns at once. Never fails. */
  add(event: EventDocument): void {
    if (this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Resolves when all queued events are written or have failed. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const due = this.#waiting;
    this.#waiting = [];
    if (due.length === 0) return;
    const { path, logError } = this.#ports;
    try {
      await this.#append(due.map((event) => `${JSON.stringify(event)}\n`).join(''));
      this.#isTold = false;
    } catch (error) {
      if (!this.#isTold) logError(`events are not kept in ${path}: ${messageOf(error)}`);
      this.#isTold = true;
    }
  }

  async #append(text: string): Promise<void> {
    const { path, maxBytes = MOST_BYTES } = this.#ports;
    const size = await sizeOf(path);
    if (size === 0) await makeDirectoryAsync(dirname(path), 0o700);
    if (size > 0 && size + Buffer.byteLength(text) > maxBytes) await rename(path, `${path}.1`);
    await appendWhole(path, text);
  }
}
