// The part of the error catalogue about services that do not become or stay ready, and about commands to
// services.

export interface CatalogueEntry {
  readonly title: string;
  readonly cause: string;
  readonly next: string;
}

/** Returns a catalogue entry. Its texts tell users what happened, the usual cause, and the next step. */
export const entry = (title: string, cause: string, next: string): CatalogueEntry => ({ title, cause, next });

export const OF_SERVICES = {
  ERR0001: entry('internal error', 'a bug in sup', 'report it with the supervisor log'),
  ERR0006: entry(
    'ambiguous service name',
    'several projects have a service of this name',
    'name the project with -p, or write project/service',
  ),
  ERR0022: entry(
    'health check could not reach its target',
    'nothing listens at the address, or the check command could not be run',
    'look at the log of the service; check url or command of deployment.health_check',
  ),
  ERR0023: entry(
    'health check timed out',
    'the target did not answer within attempt_timeout',
    'raise attempt_timeout, or find out what the service is waiting for',
  ),
  ERR0024: entry(
    'watchdog expired',
    'the service was ready and did not send WATCHDOG=1 within liveness.watchdog, because it hangs or is too busy',
    'look at the log of the service; let it send WATCHDOG=1 twice as often as WATCHDOG_USEC says, or raise deployment.health_check.liveness.watchdog',
  ),
  ERR0101: entry(
    'exited unsuccessfully',
    'the service ended with a non-zero status, by a signal, or with an unknown status',
    'look at the log of the service',
  ),
  ERR0102: entry(
    'exited before it was ready',
    'the program failed while starting',
    'read the last output lines; run the command by hand',
  ),
  ERR0103: entry(
    'pre_start failed',
    'the pre_start command exited unsuccessfully',
    'run the command by hand in the working directory of the service',
  ),
  ERR0104: entry(
    'health check reported unhealthy',
    'the health check ran, and its result was a failure',
    'look at what the check returns and at the log of the service',
  ),
  ERR0105: entry(
    'address already in use',
    'another process listens at the address of the service: the output of the service says so, or that process answered the health check of the service',
    'stop that process, or change the address',
  ),
  ERR0106: entry(
    'some services did not come up',
    'some services failed, each for the cause that its own error names; a service that became ready but failed before the command ended is listed too',
    'fix the services above; the others are running',
  ),
  ERR0107: entry(
    'start did not settle in time',
    'the service has neither become ready nor failed within timeouts/start_settle_secs',
    'look at sup status: the service continues to start; to wait longer, raise start_settle_secs in supervisor.xml, which the next supervisor reads',
  ),
  ERR0108: entry(
    'pre_start or skip exceeded its budget',
    'the command pre_start or skip did not end within timeouts/pre_start_secs',
    'raise pre_start_secs in supervisor.xml, which the next supervisor reads (SUP_PRE_START_TIMEOUT_SECS overrides it), or make the command faster',
  ),
  ERR0109: entry(
    'a dependency did not become ready',
    'the service needs a dependency that failed or does not run',
    'start the dependency; waiting services then start. Repeat this command for services that kept running',
  ),
  ERR0110: entry(
    'restart breaker open',
    'the service failed more often than max_restarts allows',
    'fix the cause, then start the service again',
  ),
  ERR0111: entry(
    'no reply within command_wait_secs',
    'the command takes longer than timeouts/command_wait_secs; the supervisor still carries out the command',
    'look at sup status; raise command_wait_secs, or set it to 0',
  ),
  ERR0112: entry(
    'stop could not be verified',
    'processes of the service are still alive after SIGKILL',
    'find out what keeps them alive (a hung disk, a debugger); the supervisor continues to watch them',
  ),
  ERR0113: entry(
    'spawn failed',
    'the program or the working directory of the service does not exist or may not be used, or a limit of the machine is reached',
    'check exec or command, and working_dir; if the message has EAGAIN, raise ulimit -u; if it has EMFILE, raise ulimit -n',
  ),
  ERR0114: entry(
    'cron run timed out',
    'the run took longer than cron.timeout',
    'raise cron.timeout, or make the job shorter',
  ),
  ERR0115: entry(
    'rollout failed, the old instance was kept',
    'the new run (the candidate) did not become ready, failed its verification, or ended in its grace period',
    'look at what it printed (sup logs), fix it, then: sup apply',
  ),
  ERR0116: entry(
    'switch failed, the old slot was kept',
    'switch_command or switch_verify failed, so the supervisor switched back to the old slot',
    'look at what it printed and fix switch_command, then: sup restart',
  ),
  ERR0117: entry(
    'called off by another command',
    'the service was stopped or removed while this command waited for it, or before this command reached it',
    'look at sup status',
  ),
  ERR0118: entry(
    'went into the background',
    'the program left processes in the background and exited with 0; such processes cannot be supervised, so they were stopped',
    'run it in the foreground: most daemons have an option for that',
  ),
  ERR0124: entry(
    'secret cannot be read',
    'the file of a variable in env.secrets is missing, may not be read, is not trusted, is too large, or is not a text that a variable can hold',
    'put the file in place; the next attempt reads it again',
  ),
  ERR0125: entry(
    'credential cannot be provided',
    'a file of credentials is missing, may not be read, is not trusted or too large, or the kernel refuses the mount',
    'create or correct the file that the message names, then start the service again',
  ),
  ERR0126: entry(
    'state directory cannot be provided',
    'the path of state_dir is not a directory, belongs to another user, or could be redirected by another user',
    'correct what the message names, then start the service again; nothing there was changed',
  ),
  ERR0119: entry(
    'signal or reload not carried out',
    'the service does not run, its process may not be signalled, or its reload command failed',
    'to see what runs: sup status',
  ),
  ERR0120: entry(
    'over max_memory',
    'the processes of the service used more memory than max_memory for the time max_memory_for, so the service was restarted',
    'find the leak, or raise max_memory',
  ),
  ERR0123: entry(
    'files cannot be watched',
    'the key watch covers too many directories, a directory may not be read, or the system has no inotify watch left; the service keeps running',
    'list large directories in watch.ignore, or raise the limit that the message names',
  ),
  ERR0122: entry(
    'stop_command failed',
    'stop_command failed or took too long; the supervisor then sent stop_signal',
    'look at what it printed (sup logs), and fix stop_command',
  ),
  ERR0127: entry(
    'alert not delivered',
    'the receiver did not answer, answered with an error at every attempt, or too many alerts were waiting',
    'to try the receivers of a manifest: sup validate --test-alerts',
  ),
  ERR0727: entry(
    'rotated log cannot be compressed',
    'the disk is full, or the mode of the files or of their directory does not permit it',
    'free disk space, or correct owner and mode; the supervisor tries again every minute',
  ),
} as const;
