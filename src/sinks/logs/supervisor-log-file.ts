// The file of the supervisor's own log: one file per day, bounded in size and number. The logging packages
// are loaded when the first line is written, which saves 40 ms at the start. All lines within 50 ms are
// written as one entry, because an entry costs far more than a line. A file that was deleted or cannot be
// written is opened again.
// Rules: `docs/behaviour.md`, "Output", "The supervisor's own log".
import { chmodSync, existsSync, fstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { makeDirectory } from '../../os/files/directories.ts';
import type { Logger } from 'winston';
import type DailyRotateFile from 'winston-daily-rotate-file';

const MAX_SIZE = '10m';
const MAX_FILES = 10;
/** Delay before a failed file is opened again, ms. */
const REOPEN_AFTER = 1_000;
/** How long lines of the supervisor's log are collected before one write, ms. */
const GATHER_MS = 50;
/** How many lines may wait until the file can be written. If there are more, the oldest are dropped. */
const WAITING_LINES = 1_000;
/** How long a hanging disk may delay the supervisor's exit, ms. */
const CLOSING_TIME = 2_000;

/** An open logger, and the transport (file output) that it writes to. */
interface Opened {
  readonly logger: Logger;
  readonly transport: DailyRotateFile;
  /** True if the open file still lies at its path. */
  readonly isInPlace: () => boolean;
}

const OURS = /^\.?supervisor-/;

/** Removes FIFOs that have the name of a log file, because opening such a FIFO would block forever. */
const removeFifos = (dir: string): void => {
  const fifos = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFIFO());
  for (const { name } of fifos) if (OURS.test(name)) rmSync(`${dir}/${name}`, { force: true });
};

/** Creates the hidden file in which the logging package lists old log files. Only this user can read it. */
const auditFileIn = (dir: string): string => {
  const file = `${dir}/.supervisor-audit.json`;
  const empty = { keep: { days: false, amount: MAX_FILES }, auditLog: file, files: [] };
  if (existsSync(file)) chmodSync(file, 0o600);
  else writeFileSync(file, JSON.stringify(empty), { mode: 0o600 });
  return file;
};

const inodeAt = (path: string): number | undefined => {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
};

/** Returns a function that is true if the open file still lies at its path. */
const inPlace = (transport: DailyRotateFile): (() => boolean) => {
  let path = '';
  let inode: number | undefined;
  transport.on('new', (name: string) => {
    path = name;
    inode = undefined;
  });
  transport.logStream.on('open', (descriptor: number) => {
    inode = fstatSync(descriptor).ino;
  });
  return () => inode === undefined || inode === inodeAt(path);
};

/** Opens the file of the supervisor's log. `failed` is called for each error, now or later. */
const openFile = async (dir: string, failed: () => void): Promise<Opened> => {
  // When bundled, these packages have only a default export.
  const [
    {
      default: { createLogger, format },
    },
    daily,
  ] = await Promise.all([import('winston'), import('winston-daily-rotate-file')]);
  makeDirectory(dir, 0o700);
  removeFifos(dir);
  const transport = new daily.default({
    dirname: dir,
    filename: 'supervisor-%DATE%',
    extension: '.log',
    utc: true,
    maxSize: MAX_SIZE,
    maxFiles: MAX_FILES,
    options: { flags: 'a', mode: 0o600 },
    auditFile: auditFileIn(dir),
  });
  const isInPlace = inPlace(transport);
  transport.logStream.on('error', failed);
  transport.on('error', failed);
  const printed = format.printf(({ message }) => String(message));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- inherited
  const logger = createLogger({ format: printed, exitOnError: false }).add(transport);
  return { logger: logger.on('error', failed), transport, isInPlace };
};

/**
 * Closes the logger, then the transport, then the file, so that all lines are written. Waits at most
 * `CLOSING_TIME`.
 */
const closed = ({ logger, transport }: Opened): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => resolve();
    transport.logStream.on('finish', done).on('error', done);
    transport.once('finish', () => transport.close?.());
    logger.end();
    setTimeout(done, CLOSING_TIME).unref();
  });

export class DailyFile {
  readonly #dir: string;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #opened: Opened | undefined;
  #opening: Promise<void> | undefined;
  #reopenAt = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  write(line: string): void {
    this.#waiting.push(line);
    if (this.#opened !== undefined) {
      this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
      return;
    }
    if (this.#waiting.length > WAITING_LINES) this.#waiting.shift();
    if (performance.now() >= this.#reopenAt) this.#opening ??= this.#open();
  }

  /** Resolves when all lines are written or cannot be written. A later line opens the file again. */
  async close(): Promise<void> {
    await this.#opening;
    this.#flush();
    // The flush may have started to open the file again.
    await this.#opening;
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened !== undefined) await closed(opened);
  }

  async #open(): Promise<void> {
    try {
      this.#opened = await openFile(this.#dir, () => this.#failed());
      this.#flush();
    } catch {
      this.#failed();
    }
    this.#opening = undefined;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#opened === undefined || this.#waiting.length === 0) return;
    if (!this.#opened.isInPlace()) {
      void closed(this.#opened);
      this.#opened = undefined;
      this.#opening = this.#open();
      return;
    }
    this.#opened.logger.info(this.#waiting.join('\n'));
    this.#waiting = [];
  }

  #failed(): void {
    this.#opened = undefined;
    this.#reopenAt = performance.now() + REOPEN_AFTER;
  }
}
