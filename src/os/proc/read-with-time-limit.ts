// Reads files that another user controls (the environment of a process, or files at paths in it), with a time
// limit: the data may lie on a FUSE file system that never answers. So a child process reads the file, and if
// it hangs, this process no longer waits for it.
import { execFile } from 'node:child_process';

/** Time limit of a read, ms; a working file system answers sooner. */
const LIMIT_MS = 1_000;
/** How many children may read at a time. Further reads return `undefined` at once. */
const MOST_HANGING = 4;
const MOST_BYTES = 4 * 1024 * 1024;

export class PatientReader {
  readonly #limit: number;
  #waiting = 0;

  constructor(limit = LIMIT_MS) {
    this.#limit = limit;
  }

  /** Resolves to the text of a file; `undefined` if it cannot be read within the limit. Never rejects. */
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
        // SIGKILL may have no effect until the file system answers, so the child is abandoned.
        child.unref();
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(undefined);
      }, this.#limit);
    });
  }
}
