// Reads what another user controls without ever waiting for that user: the environment of its process, which lies in the
// process's memory, and files at paths that it names. Both can lie on a FUSE file system whose server never answers, and a
// read of this process, in whichever thread, could then not be given up. A child reads instead, and is left behind.
import { execFile } from 'node:child_process';

/** A file system that answers at all answers sooner. */
const LIMIT_MS = 1_000;
/** So many children may hang at a time; while they do, nothing else is read. */
const MOST_HANGING = 4;
const MOST_BYTES = 4 * 1024 * 1024;

export class PatientReader {
  readonly #limit: number;
  #waiting = 0;

  constructor(limit = LIMIT_MS) {
    this.#limit = limit;
  }

  /** `undefined`: it cannot be read, or did not answer in time. Never rejects. */
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
        // It may be one that not even SIGKILL ends before the file system answers.
        child.unref();
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(undefined);
      }, this.#limit);
    });
  }
}
