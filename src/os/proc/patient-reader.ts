// Reads what another user controls without waiting for that user: the environment in the memory of its
// process, and files at paths that it names. Both can lie on a FUSE file system that never answers. A read in
// any thread of this process could not be cancelled then, so a child reads and is abandoned.
import { execFile } from 'node:child_process';

/** A working file system answers sooner. */
const LIMIT_MS = 1_000;
/** Limit of children that hang at a time; at the limit, nothing else is read. */
const MOST_HANGING = 4;
const MOST_BYTES = 4 * 1024 * 1024;

export class PatientReader {
  readonly #limit: number;
  #waiting = 0;

  constructor(limit = LIMIT_MS) {
    this.#limit = limit;
  }

  /** The text of a file; `undefined` if it cannot be read, or not in time. Never rejects. */
  textOf(path: string): Promise<string | undefined> {
    if (this.#waiting >= MOST_HANGING) return Promise.resolve(undefined);
    this.#waiting += 1;
    return new Promise((resolve) => {
      const options = { encoding: 'latin1', maxBuffer: MOST_BYTES, env: {}, cwd: '/' } as const;
      const child = execFile('/bin/cat', ['--', path], options, (error, text) => {
        clearTimeout(timer);
        this.#waiting -= 1;
        resolve(error === null ? text : undefined);
      });
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        // Not even SIGKILL may end it before the file system answers.
        child.unref();
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(undefined);
      }, this.#limit);
    });
  }
}
