// What each cell of the state table does, in a sentence: the words of docs/states.md, by the names that the cells have
// in the code. `docs/states.md` shows the table with these names, and this list below it.

export const MOVES: Readonly<Record<string, string>> = {
  // commands of users
  startFromDown:
    'wanted: it waits for its dependencies, a cron service for its schedule; a finished one-shot stays done',
  startScheduled: 'started by name it runs now; otherwise it keeps waiting for its schedule',
  startFromRest: 'wanted again, with its whole budget: it waits only for its dependencies',
  startNewest:
    'wanted from now on; if its declaration changed meanwhile, its process is stopped as soon as it exists, and the next run begins',
  startAgain: 'it starts again when its stop is verified, unless it has ended by itself and is done',
  wantUp: 'wanted from now on; a stop that has not begun is cancelled',
  wantNewest: 'wanted from now on, with its newest declaration',
  beginAnew: 'it starts over with its newest declaration; its running command is ended',
  stopForRestart: 'it is stopped, and starts again when the stop is verified',
  standDown: 'down: nothing of it runs',
  wantDown: 'not wanted from now on: it stops when every dependent that must stop too has stopped',
  // orders of the rules
  begin: 'a run begins: its skip command, its pre_start, or its spawn; or it is skipped',
  queue:
    'its dependencies are ready and the gate is full: it queues; if they are no longer ready it waits for them',
  passOver: 'it is skipped with a dependency; a cron service skips this run',
  waitAgain: 'the dependency that it was skipped with is no longer skipped: it waits for its dependencies',
  release: 'the stop signal is sent',
  stopAsCasualty: 'the stop signal is sent; it becomes a casualty',
  stopOnceSpawned:
    'a dependency failed while the process is being created: it is stopped as soon as the process exists, unless the dependency is ready again',
  notifiedAtEnd: 'what it reports is recorded; a request for more time moves the time of SIGKILL',
  addFailedDependency: 'another dependency failed while it stops as a casualty: that one is named too',
  noted: 'its main process got a signal, or its reload ran: its history records it, and no state changes',
  addToCasualty: 'another dependency failed while it is a casualty: that one is named too',
  abandon: 'a casualty at once; its running command is ended',
  childrenGone:
    'the last child that must end with it has ended: when its own run has ended too, the stop is done',
  measured: 'the memory of the run was measured: it is noted since when it has been over `max_memory`',
  commandEnded:
    'the `stop_command` has ended: `stop_signal` follows if a process is left, whether it failed or not',
  revive: 'it waits for its dependencies like any start; with skip: true it stays down',
  // news
  prepared: 'the next step of its preparation, its spawn, a skip or a failed start',
  spawned: 'the process exists: it is starting; or stopping, if a newer declaration must run',
  spawnFailed: 'a failed start; down if it is no longer wanted; waiting if a newer declaration must run',
  notified:
    'what it reports about itself is recorded; `READY=1` makes it up if its check is by `notify`, and a request for more time moves the limit',
  stable: 'the stability window is over: up. A scheduled run that took too long is stopped',
  probed:
    'the first passing probe makes it up. When retries and window are used up it is stopped: a failed start before it was ready, a crash afterwards',
  proved: 'a minute of readiness resets its restart count. A scheduled run that took too long is stopped',
  ended: 'the leader exited by itself; the rest of its tree is ended',
  exitKnown: 'the exit is recorded; if no process is left, the run is over',
  surveyed:
    'new processes of the tree get the stop signal, or SIGKILL; if no process is left and the exit is known, the run is over',
  phaseElapsed: 'stop_timeout: SIGKILL. stop_verify_secs: unverified (ERR0112), and the scans continue',
  dueAgain: 'the backoff is over: it waits for its dependencies',
  ring: 'a scheduled run begins as soon as its dependencies are ready',
  recordPeak: "the run's peak memory is recorded in the history of runs",
  miss: 'the scheduled time is recorded as missed: an earlier run still waits for its dependencies',
  overlap: 'the scheduled time is recorded as overlap: a run was still alive',
  reschedule: 'the next scheduled time is computed from the new clock',
};
