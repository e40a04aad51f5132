// The exit of a run's leader. The ledger reports it for a child, and for an adopted process if the kernel
// allows waiting for it. Any other process is polled by pid and start time. Its status is then unknown, which
// is never success.
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

/** Adds whether the kernel killed the run for lack of memory, which its cgroup records. */
const explainedBy =
  (cgroup: string | undefined) =>
  (status: ExitStatus): ExitStatus =>
    cgroup !== undefined && wasOutOfMemory(cgroup) ? { ...status, outOfMemory: true } : status;

function polled(process: ProcessRef): Observable<ExitStatus> {
  const stat = statReader();
  return timer(0, POLL_MS).pipe(
    filter(() => isOver(process, stat(process.pid))),
    // If the table cannot be read now, it may be readable later.
    retry({ delay: POLL_MS }),
    take(1),
    map(() => ({ tag: 'unknown' })),
  );
}
