// A file that only grows, by whole lines. If an append fails, the file is truncated to its old length.
import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { bindNodeCallback, defer, EMPTY, finalize, type Observable } from 'rxjs';
import { coalesced } from '../../streams/operators/one-at-a-time.ts';

const PRIVATE = 0o600;
const dataOnDisk$ = bindNodeCallback(fdatasync);

export class JournalFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #inode: number;
  #bytes = 0;
  /** The number of subscribers that wait for a sync. The descriptor is closed only when this number is 0. */
  #awaiting = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';
  /** Emits once, when all text that was appended before is on disk. Fails if the sync fails. */
  readonly synced$: Observable<unknown>;

  /** Creates the file. Throws if it exists or cannot be created. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'ax', PRIVATE);
    this.#inode = fstatSync(this.#descriptor).ino;
    const sync$ = coalesced(
      // After the file is closed, a sync completes at once: the file is closed only when no subscriber waits
      // for a sync.
      defer(() => (this.#state === 'closed' ? EMPTY : dataOnDisk$(this.#descriptor))),
    );
    this.synced$ = defer(() => {
      this.#awaiting += 1;
      return sync$.pipe(finalize(() => this.#leave()));
    });
  }

  /** True if the file is still at its path. */
  get inPlace(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Returns the length of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends text, which then survives the end of this process. Throws if it cannot be written. */
  append(text: string): void {
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
    } catch (error) {
      if (written > 0) ftruncateSync(this.#descriptor, this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  /** Closes the file as soon as no sync is pending. */
  close(): void {
    if (this.#state === 'open') this.#state = 'closing';
    if (this.#awaiting === 0) this.#giveBack();
  }

  #leave(): void {
    this.#awaiting -= 1;
    if (this.#awaiting === 0 && this.#state === 'closing') this.#giveBack();
  }

  /** Closes the descriptor once. Ignores errors, which a sync would have reported. */
  #giveBack(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    try {
      closeSync(this.#descriptor);
    } catch {
      // The descriptor is closed even if `close` reports an error.
    }
  }

  /** Closes and deletes the file. */
  discard(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}
