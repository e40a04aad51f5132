// Keeps the exit status of each run's process until the status is read (port `ExitLedger`). The exit is
// awaited from the tick of the spawn on, because a later listener may miss it.
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import type { ExitLedger } from '../../streams/domain/ports.ts';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';

interface Entry {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
  /** The exit status; absent while the process runs. */
  status?: ExitStatus;
}

/** An ended process and its exit status. */
interface KnownExit {
  readonly process: ProcessRef;
  readonly status: ExitStatus;
}

export interface OwnLedger extends ExitLedger {
  /** Returns the exits that were not read yet. */
  readonly unread: () => readonly KnownExit[];
}

/**
 * A function that awaits the exit of a process that was not recorded. It returns `undefined` if the exit
 * cannot be awaited.
 */
type EndOf = (process: ProcessRef) => Promise<ExitStatus> | undefined;

/** Returns a ledger with one entry per pid. A newer process with the same pid replaces the older process. */
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
