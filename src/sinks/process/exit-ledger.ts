// The exits of runs, spawned and adopted alike, from the tick of the spawn until they are read (port
// `ExitLedger`). A listener attached later may be too late; here the exit waits for its reader.
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ExitLedger } from '../../streams/domain/ports.ts';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';

interface Entry {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
  /** Set once it is known. */
  status?: ExitStatus;
}

/** An exit that is known. */
interface KnownExit {
  readonly process: ProcessRef;
  readonly status: ExitStatus;
}

export interface OwnLedger extends ExitLedger {
  /** Exits that are known and not read yet. */
  readonly unread: () => readonly KnownExit[];
}

/** The exit of a process that was not recorded; `undefined` where it cannot be waited for. */
type EndOf = (process: ProcessRef) => Promise<ExitStatus> | undefined;

/** Keyed by pid: a newer child with the same pid replaces an older one that was never read. */
export const exitLedger = (endOf: EndOf = () => undefined): OwnLedger => {
  const entries = new Map<number, Entry>();
  const entryOf = (process: ProcessRef): Entry | undefined => {
    const entry = entries.get(process.pid);
    return entry !== undefined && sameProcess(entry.process, process) ? entry : undefined;
  };
  const record = (process: ProcessRef, exit: Promise<ExitStatus>): void => {
    const entry: Entry = { process, exit };
    entries.set(process.pid, entry);
    const known = (status: ExitStatus): void => void (entry.status = status);
    exit.then(known, () => undefined);
  };
  const adopted = (process: ProcessRef): Promise<ExitStatus> | undefined => {
    const exit = endOf(process);
    if (exit !== undefined) record(process, exit);
    return exit;
  };
  return {
    unread: () =>
      [...entries.values()].flatMap(({ process, status }) =>
        status === undefined ? [] : [{ process, status }],
      ),
    record,
    exitOf: (process) => entryOf(process)?.exit ?? adopted(process),
    forget: (process) => {
      if (entryOf(process) !== undefined) entries.delete(process.pid);
    },
  };
};
