// The end of a run's leader. It comes from the ledger, for a child and, where the kernel lets us wait for it, for a
// process that a dead supervisor started; else that one is polled by pid and start time, and its status is unknown,
// which is never success.
import { defer, filter, map, retry, take, tap, timer, type Observable } from 'rxjs';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ExitLedger, Source } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { wasOutOfMemory } from '../../os/proc/memory-events.ts';
import { isOver, statReader } from '../../os/proc/proc-stat.ts';

const POLL_MS = 200;

export const exits =
  (ports: { readonly ledger: ExitLedger }): Source<'exit'> =>
  ({ service, run, process, cgroup }) =>
    defer(() => ports.ledger.exitOf(process) ?? polled(process)).pipe(
      tap(() => ports.ledger.forget(process)),
      map(explainedBy(cgroup)),
      map((status) => ({ type: 'exited', service, run, status })),
    );

/** Whoever tells the status, or nobody: its cgroup tells whether the kernel killed for want of memory. */
const explainedBy =
  (cgroup: string | undefined) =>
  (status: ExitStatus): ExitStatus =>
    cgroup !== undefined && wasOutOfMemory(cgroup) ? { ...status, outOfMemory: true } : status;

function polled(process: ProcessRef): Observable<ExitStatus> {
  const stat = statReader();
  return timer(0, POLL_MS).pipe(
    filter(() => isOver(process, stat(process.pid))),
    // A table that cannot be read now can be read later.
    retry({ delay: POLL_MS }),
    take(1),
    map(() => ({ tag: 'unknown' })),
  );
}
