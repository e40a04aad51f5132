// The file of the supervisor's own log: one a day, bounded in size and number. The logging packages are loaded with
// the first line, off the path of a start (40 ms of it otherwise). Lines are gathered for a moment and passed to them as
// one entry: what an entry costs there is many times what a line costs here. A file that cannot be written is opened
// again later, one that somebody has removed with the next lines.
import { chmodSync, existsSync, fstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { makeDirectory } from '../../os/files/make-directory.ts';
import type { Logger } from 'winston';
import type DailyRotateFile from 'winston-daily-rotate-file';

const MAX_SIZE = '10m';
const MAX_FILES = 10;
/** How long a file that failed is left alone; ms. */
const REOPEN_AFTER = 1_000;
/** How long lines are gathered; ms. */
const GATHER_MS = 50;
/** Lines that wait for the packages or for a file to come back; older ones go. */
const WAITING_LINES = 1_000;
/** How long a disk that hangs may delay the end of the supervisor; ms. */
const CLOSING_TIME = 2_000;

/** A logger and the one transport it has. */
interface Opened {
  readonly logger: Logger;
  readonly transport: DailyRotateFile;
  /** Whether the file that is written is the one that has its name. */
  readonly isInPlace: () => boolean;
}

const OURS = /^\.?supervisor-/;

/** The packages would wait for ever for a FIFO with one of their names. */
const removeFifos = (dir: string): void => {
  const fifos = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFIFO());
  for (const { name } of fifos) if (OURS.test(name)) rmSync(`${dir}/${name}`, { force: true });
};

/** What it knows of older files, so that it can remove them: hidden. The package itself would make it for all to read. */
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

/** Of the file that is written just now; one that is still being opened is. */
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

/** `failed` is called for whatever goes wrong with the file, now or later. */
const openFile = async (dir: string, failed: () => void): Promise<Opened> => {
  // Bundled, these packages have a default export and no others.
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
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- it inherits at run time
  const logger = createLogger({ format: printed, exitOnError: false }).add(transport);
  return { logger: logger.on('error', failed), transport, isInPlace };
};

/** Every line passes from the logger to its transport, then to the file: they end in that order. */
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

  /** Settles when everything is written, as far as it can be. What comes later opens it again. */
  async close(): Promise<void> {
    await this.#opening;
    this.#flush();
    // It may have had to be made again.
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
