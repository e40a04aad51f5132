// Where the lines of a service go: into its log (`LogWriter`), or, with `sink: none`, nowhere.

export interface LineSink {
  /** Takes whole lines; copies what it has to keep. False: enough is waiting, pause until `idle`. */
  append(lines: Buffer): boolean;
  /** Settles when nothing is waiting. */
  idle(): Promise<void>;
  /** Lets go of what is open until there is more to write. */
  release(): void;
}

/** Into the log while the newest declaration of the service says so. */
export const whileKept = (log: LineSink, isKept: () => boolean): LineSink => ({
  append: (lines) => !isKept() || log.append(lines),
  idle: () => log.idle(),
  release: () => log.release(),
});
