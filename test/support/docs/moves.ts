// What each cell of the state table does, in a sentence: the words of docs/states.md, by the names that the cells have
// in the code. `docs/states.md` shows the table with these names, and this list below it.

export const MOVES: Readonly<Record<string, string>> = {
  // commands of users
  startFromDown:
    'the service must be up: it waits for its dependencies, or for its schedule if it has `cron`; a one-shot that is done stays done',
  startScheduled:
    'if the service is started by name, it runs now; otherwise it keeps waiting for its schedule',
  startFromRest:
    'the service must be up, and its count of restarts begins again: it waits only for its dependencies',
  startNewest:
    'the service must be up; if its declaration has changed, the present process is stopped as soon as it exists, and then the next run begins',
  startAgain: 'the service starts again when its stop is verified, unless it has ended by itself and is done',
  wantUp: 'the service must be up from now on; a stop that has not begun is cancelled',
  wantNewest: 'the service must be up from now on, with its newest declaration',
  beginAnew:
    'the service starts again from the beginning with its newest declaration; if its `skip` or `pre_start` command runs, this command is ended',
  stopForRestart: 'the service is stopped, and starts again when the stop is verified',
  standDown: 'the service is down: none of its processes runs',
  wantDown:
    'the service must be down from now on: it stops when every dependent that must stop too has stopped',
  // orders of the rules
  begin: 'a run begins with its `skip` command, its `pre_start` or its spawn; or the service is skipped',
  queue:
    'the dependencies of the service are ready but the gate is full: the service queues; if a dependency is no longer ready, the service waits for this dependency',
  passOver:
    'the service is skipped, because a dependency is skipped; a service with `cron` skips only this run',
  waitAgain:
    'the service was skipped because of a dependency that is no longer skipped: the service waits for its dependencies',
  release: 'the stop signal is sent',
  stopAsCasualty: 'the stop signal is sent; the service becomes a casualty',
  stopOnceSpawned:
    'a dependency failed while the process is being created: the process is stopped as soon as it exists, unless the dependency is ready again at that moment',
  notifiedAtEnd: 'what the service reports about itself is recorded; a request for more time delays SIGKILL',
  addFailedDependency:
    'another dependency failed while the service stops as a casualty: the other dependency is named too',
  noted:
    'the main process got a signal, or the `reload` of the service ran: the history of the service records this, and the state does not change',
  addToCasualty:
    'another dependency failed while the service is a casualty: the other dependency is named too',
  abandon:
    'the service is a casualty at once; if its `skip` or `pre_start` command runs, this command is ended',
  childrenGone:
    'the last child that must end with the service has ended: if the run of the service has ended too, the stop is complete',
  measured:
    'the memory of the run was measured: `sup` records since when the memory has been over `max_memory`',
  commandEnded: 'the `stop_command` has ended or failed: `stop_signal` follows if a process is left',
  revive: 'the service waits for its dependencies as in any start; with `skip: true` it stays down',
  // news
  prepared:
    'a `skip` or `pre_start` command has ended: the next command or the spawn follows, or the service is skipped, or the start has failed',
  spawned:
    'the process exists: the service is starting; if a newer declaration must run, the service is stopping',
  spawnFailed:
    'the start has failed; if the service must be down, it is down; if a newer declaration must run, the service waits',
  notified:
    'what the service reports about itself is recorded; if the health check is by `notify`, `READY=1` makes the service up; a request for more time extends the time limit',
  stable: 'the stability window is over: the service is up; a scheduled run that took too long is stopped',
  probed:
    'the first probe that passes makes the service up; when `retries` and `total_timeout` are used up, the service is stopped: before the service was ready this is a failed start, later it is a crash',
  proved:
    'after a minute of readiness the count of restarts begins again; a scheduled run that took too long is stopped',
  ended: 'the leader exited by itself; the remaining processes of its tree are ended',
  exitKnown: 'the exit is recorded; if no process is left, the run is over',
  surveyed:
    'new processes of the tree get the stop signal, or SIGKILL; if no process is left and the exit is known, the run is over',
  phaseElapsed:
    '`stop_timeout` is over: SIGKILL is sent. `stop_verify_secs` is over: the stop is not verified (ERR0112), and the scans continue',
  dueAgain: 'the backoff is over: the service waits for its dependencies',
  ring: 'a scheduled run begins as soon as its dependencies are ready',
  recordPeak: "the run's peak memory is recorded in the history of runs",
  miss: 'the scheduled time is recorded as missed: an earlier run still waits for its dependencies',
  overlap: 'the scheduled time is recorded as overlap: a run was still alive',
  reschedule: 'the next scheduled time is computed from the new clock',
};
