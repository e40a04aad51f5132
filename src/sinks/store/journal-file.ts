// A file that only grows, by whole lines: an append that fails leaves nothing of itself behind.
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
import { coalesced } from '../../streams/operators/coalesced.ts';

const PRIVATE = 0o600;
const dataOnDisk$ = bindNodeCallback(fdatasync);

export class JournalFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #inode: number;
  #bytes = 0;
  /** Those that wait for a sync, under way or to come: the descriptor is theirs, too. */
  #awaiting = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';
  /** Emits once, when all that was appended before it was subscribed to is on disk; fails when it cannot be. */
  readonly synced$: Observable<unknown>;

  /** Makes the file; throws when it cannot be made, or is there. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'ax', PRIVATE);
    this.#inode = fstatSync(this.#descriptor).ino;
    const sync$ = coalesced(
      // Whoever waited has left.
      defer(() => (this.#state === 'closed' ? EMPTY : dataOnDisk$(this.#descriptor))),
    );
    this.synced$ = defer(() => {
      this.#awaiting += 1;
      return sync$.pipe(finalize(() => this.#leave()));
    });
  }

  /** It is still found under its name. */
  get inPlace(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Its length. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Outlives this process from here on, whatever becomes of it. Throws when it cannot be written. */
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

  /** As soon as nobody waits for a sync any more. */
  close(): void {
    if (this.#state === 'open') this.#state = 'closing';
    if (this.#awaiting === 0) this.#giveBack();
  }

  #leave(): void {
    this.#awaiting -= 1;
    if (this.#awaiting === 0 && this.#state === 'closing') this.#giveBack();
  }

  /** What it may complain of was to be asked with a sync: the descriptor is given back in any case, once. */
  #giveBack(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    try {
      closeSync(this.#descriptor);
    } catch {
      // It is closed.
    }
  }

  /** As if it had never been. */
  discard(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}
