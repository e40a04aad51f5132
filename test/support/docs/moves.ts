// What each cell of the state table does, in a sentence: the words of docs/states.md, by the names that the cells have
// in the code. `docs/states.md` shows the table with these names, and this list below it.

export const MOVES: Readonly<Record<string, string>> = {
  // orders of people
  startFromDown:
    'wanted: it waits for its dependencies, a schedule for its boundary; a finished one-shot stays done',
  startScheduled: 'asked for by name it runs now; otherwise it goes on waiting for its boundary',
  startFromRest: 'wanted anew, with its whole budget: it waits for its dependencies only',
  startNewest:
    'wanted from now on; declared anew meanwhile, its process ends as soon as there is one, and the next one begins',
  startAgain: 'it starts again as soon as the end is verified, unless it has ended by itself and is done',
  wantUp: 'wanted from now on; a stop that has not begun is called off',
  wantNewest: 'wanted from now on, as it is declared by now',
  beginAnew: 'it begins anew with its newest declaration; the command that runs ends with the state',
  bounce: 'it is stopped, and starts again when that is verified',
  standDown: 'down: nothing of it runs',
  wantDown: 'not wanted from now on: it ends as soon as no dependent that is to stop too needs it',
  // orders of settling
  begin: 'a run begins: its skip command, its pre_start, or its spawn; or it is skipped',
  queue:
    'its dependencies are there, the gate is full: it queues; or they are there no longer: it waits for them',
  passOver: 'a dependency is skipped, and so is it; a scheduled service skips this run',
  takeUp: 'what it was skipped with is skipped no longer: it waits for its dependencies',
  release: 'the stop signal goes out',
  fall: 'the stop signal goes out; it becomes a casualty',
  fallLater:
    'a dependency failed while the process is being made: it falls as soon as there is one, unless that dependency is there again',
  fallFurther: 'another dependency failed while it falls: that one is named too',
  noted: 'somebody sent its main process a signal, or had it reload: its history has that, and nobody moves',
  fallDeeper: 'another dependency failed while it lies down: that one is named too',
  abandon: 'a casualty at once; its command ends with the state',
  alone:
    'the last of the children that were to end with it is gone: when its own run is over too, so is the stop',
  revive: 'it waits for its dependencies, as in any start; with skip: true it stays down',
  // news
  prepared: 'the next step of its preparation, its spawn, a skip, or a failed start',
  spawned: 'the process exists: it is starting; or stopping, where it is to run by a newer declaration',
  spawnFailed:
    'a failed start; down, when it is not wanted any more; it waits again, where it is to run by a newer declaration',
  stable: 'the stability window is over: up. A scheduled run that took too long is stopped',
  probed:
    'the first passing probe makes it up. Attempts and window spent: it is stopped, as a failed start before it was ready, as a crash after',
  proved: 'a minute of readiness clears its restart count. A scheduled run that took too long is stopped',
  ended: 'the leader ended by itself; what is left of its tree is cleared away',
  exitKnown: 'the exit is noted; when nobody is left either, the run is over',
  surveyed:
    'newcomers of the tree get the stop signal, or SIGKILL; when nobody is left and the exit is known, the run is over',
  phaseElapsed: 'stop_timeout: SIGKILL. stop_verify_secs: unverified (ERR0112), and it goes on looking',
  dueAgain: 'the backoff is over: it waits for its dependencies',
  ring: 'a run of the schedule begins as soon as its dependencies are there',
  grow: "the run's peak of memory is noted in the history of runs",
  miss: 'the boundary is recorded as missed: an earlier one still waits for its dependencies',
  overlap: 'the boundary is recorded as met while a run was alive',
  reschedule: 'the next boundary is computed from the new time',
};
