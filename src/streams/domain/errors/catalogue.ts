// The error catalogue, part two: the meaning, usual cause and next step of each code. `docs/errors.md` lists
// exactly these codes, which a test checks.
import { entry, type CatalogueEntry } from './catalogue-entry.ts';
import { PRIVILEGED } from './catalogue-privileged.ts';
import { RESTARTING } from './catalogue-restarting.ts';
import { SPAWNING } from './catalogue-spawning.ts';
import type { ErrorCode } from './error.ts';

export const CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  ERR0001: entry('internal error', 'a bug in sup', 'report it with the supervisor log'),
  ERR0006: entry(
    'ambiguous service name',
    'several projects have a service of that name',
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
    'the check ran, and its answer was not a success',
    'look at what the check returns and at the log of the service',
  ),
  ERR0105: entry(
    'address already in use',
    'another process listens at the address: the service said so, or its health check was answered by that process',
    'stop that process, or change the address',
  ),
  ERR0106: entry(
    'some services did not come up',
    'each of them has an error of its own; who came up and failed before the answer is among them',
    'fix the services above; the others are running',
  ),
  ERR0107: entry(
    'start did not settle in time',
    'the service is neither ready nor failed after timeouts/start_settle_secs',
    'look at sup status: it goes on starting; raise start_settle_secs in supervisor.xml, for the next supervisor',
  ),
  ERR0108: entry(
    'pre_start or skip exceeded its budget',
    'the command did not end within timeouts/pre_start_secs',
    'raise pre_start_secs in supervisor.xml for the next supervisor (SUP_PRE_START_TIMEOUT_SECS goes before it), or make the command shorter',
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
    'the command takes longer than the client waits; it was not cancelled',
    'look at sup status; raise command_wait_secs, or set it to 0',
  ),
  ERR0112: entry(
    'stop could not be verified',
    'processes of the service are alive after SIGKILL',
    'look at what holds them (a hung disk, a debugger); the supervisor goes on watching',
  ),
  ERR0113: entry(
    'spawn failed',
    'the program or its working directory does not exist, or may not be used, or a limit of the machine is reached',
    'check exec or command, and working_dir; where it says EAGAIN raise ulimit -u, where it says EMFILE ulimit -n',
  ),
  ERR0114: entry(
    'cron run timed out',
    'the run took longer than cron.timeout',
    'raise cron.timeout, or make the job shorter',
  ),
  ERR0115: entry(
    'rollout failed, the old instance was kept',
    'the candidate did not become ready, failed its verification, or was lost in its grace period',
    'look at what it printed (sup logs), fix it, then: sup apply',
  ),
  ERR0116: entry(
    'switch failed, the old slot was kept',
    'switch_command or switch_verify failed; the switch was taken back',
    'look at what it printed and fix switch_command, then: sup restart',
  ),
  ERR0117: entry(
    'called off by another command',
    'the service was stopped or removed while this command waited for it, or before it came to it',
    'look at sup status',
  ),
  ERR0118: entry(
    'went into the background',
    'the program detached itself and exited with 0: what is left of it cannot be supervised, and was stopped',
    'have it stay in the foreground: most daemons have an option for that',
  ),
  ERR0119: entry(
    'signal or reload not carried out',
    'the service does not run, its process may not be signalled, or its reload command failed',
    'to see what runs: sup status',
  ),
  ERR0200: entry(
    'command line not understood',
    'a command, option or value that sup does not know, or one that is missing',
    'sup --help, or sup <command> --help',
  ),
  ERR0201: entry(
    '-p contradicts the selection',
    'the service or manifest named belongs to another project',
    'drop -p, or name the right project',
  ),
  ERR0202: entry(
    'no such project or service',
    'nothing of that name is registered',
    'to list what is registered: sup status',
  ),
  ERR0203: entry(
    'manifest cannot be read',
    'the file is missing, may not be read, or is one of another tool',
    'check the path given with -c',
  ),
  ERR0204: entry(
    'options that exclude each other',
    'two options ask for different things',
    'use one of them',
  ),
  ERR0205: entry(
    'supervisor does not answer',
    'it is stopped (SIGSTOP) or overloaded, or has as many clients as it takes',
    'look at the process: kill -CONT, or to end it while its services go on: sup shutdown --force',
  ),
  ERR0206: entry(
    'no supervisor is running',
    'none was started for this data directory',
    'sup start -c <manifest>',
  ),
  ERR0207: entry(
    'missing or broken !include',
    'an included file cannot be read, or something in it is wrong: the message begins with the code of that',
    'follow the chain that is printed',
  ),
  ERR0208: entry(
    'cyclic !include',
    'a file includes itself, directly or through others',
    'break the loop that is printed',
  ),
  ERR0209: entry(
    'manifest too large',
    'includes, aliases or variables go past the caps on depth, number or size',
    'split the manifest into several',
  ),
  ERR0210: entry(
    'unreadable duration or size',
    'a duration is a whole number with ms, s, m or h; a size a number with K, M, G or T',
    'write it in that form',
  ),
  ERR0211: entry(
    'unknown key',
    'the key is not part of the schema: often a misspelling',
    'see the suggestion, or docs/manifest.md',
  ),
  ERR0212: entry(
    'unsupported manifest version',
    'versions 2 and 3 are supported',
    'to convert a version 1 manifest: sup migrate',
  ),
  ERR0213: entry(
    'wrong type or value, or a missing key',
    'the value breaks the rule that is printed',
    'see docs/manifest.md',
  ),
  ERR0214: entry(
    'unknown dependency',
    'depends_on names a service that the project does not have',
    'correct the name; dependencies stay inside one project',
  ),
  ERR0215: entry(
    'dependency cycle',
    'services wait for each other',
    'remove one edge of the loop that is printed',
  ),
  ERR0216: entry(
    'undefined variable',
    'a ${VAR} has no value in its scope',
    'define it, or give a default: ${VAR:-default}',
  ),
  ERR0217: entry('YAML syntax', 'the file is not valid YAML', 'see the position that is printed'),
  ERR0218: entry(
    'claimed by another registered manifest',
    'two manifests declare the same project or loose service',
    'rename one, or drop the other manifest: sup forget <manifest>',
  ),
  ERR0219: entry(
    'manifest not trusted',
    'another user could change the file, or the way to a path that it has root write to',
    'correct owner and mode of what is named, or use another path',
  ),
  ERR0220: entry(
    'env file unreadable',
    'the file is missing, or a line is not KEY=value',
    'see the line that is printed',
  ),
  ERR0221: entry(
    'cron expression or time zone',
    'the expression has five or six fields; the zone is an IANA name, utc or local',
    'correct it',
  ),
  ERR0222: entry(
    'fields that exclude each other',
    'two fields of one object, or of two services, ask for different things',
    'keep one of them',
  ),
  ERR0223: entry(
    'key that is not carried out',
    'sup knows the key and checks it, and does nothing with it, always or beside what else is declared; version 3 refuses it',
    'drop the key; docs/manifest.md lists what is not carried out, and what happens instead',
  ),
  ERR0224: entry(
    'manifest cannot be written',
    'the file cannot be replaced, or the old one not be kept as <file>.bak',
    'check the owner and mode of its directory, free space, and what stands at <file>.bak',
  ),
  ...RESTARTING,
  ...SPAWNING,
  ERR0501: entry(
    'upgrade refused',
    'a rollout or another upgrade is under way, the supervisor is on its way out, or the C library cannot be called; nothing was touched',
    'fix the problem above, then run: sup upgrade',
  ),
  ERR0502: entry(
    'upgrade failed during hand-over',
    'the new program was tried and cannot take over, the supervisor did not come to rest in time, or its own files were replaced before they were copied; nothing was touched',
    'install it again, or upgrade to another version; if the supervisor is busy, upgrade again later; if its files were replaced: sup shutdown, then sup start',
  ),
  ERR0503: entry(
    'old program resumed',
    'the new program failed while it took over; nothing was stopped and nothing was lost',
    'look at the supervisor log and logs/supervisor.err for what it said',
  ),
  ERR0601: entry(
    'project is registered',
    'purge removes what is left of projects that are not registered any more',
    'first drop the registration: sup forget <manifest>',
  ),
  ERR0602: entry(
    'something of what is left runs',
    'processes carry the mark of a service that is not registered any more',
    'to stop them first: sup purge --force',
  ),
  ERR0603: entry(
    'boot entry that sup did not write',
    'the file exists and was not written by sup',
    'move it out of the way, or edit it by hand',
  ),
  ERR0604: entry(
    'boot entry cannot be put in place',
    'the init system refused it, or there is none that sup knows',
    'see what it said; --init names another system (systemd, openrc or crontab), to print its entry: sup boot install --init <system> --dry-run',
  ),
  ERR0701: entry(
    'data directory cannot be used',
    'the directory or a file in it cannot be read or written, it belongs to another user or is shared with others, or with --sys a user other than root may change it',
    'check owner, mode and free space, or set SUP_DATA_DIR',
  ),
  ERR0702: entry(
    'another supervisor holds the data directory',
    'one supervisor runs for each data directory, and one does already',
    'use it, or end it with sup shutdown; SUP_DATA_DIR names another directory',
  ),
  ...PRIVILEGED,
};
