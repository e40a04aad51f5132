// Advice about an error of a service. If possible, the advice is a command line.
import { CATALOGUE } from '../../domain/errors/catalogue.ts';
import type { ServiceError } from '../../domain/errors/error.ts';
import { shownId } from '../../domain/ids.ts';
import { saysInUse } from '../../output/address-in-use.ts';
import { foregroundOf } from './foreground.ts';

/** The command with which all advice to read a log begins. */
export const LOGS = 'sup logs';

/**
 * Advice about a SIGKILL of unknown origin. Linux reports an out-of-memory kill only in its own log, unless
 * the cgroup has a memory limit.
 */
const KILLED = 'if it was not killed by hand, memory may have run out: see dmesg';

const wasKilled = (error: ServiceError): boolean => {
  if (!('status' in error) || error.status.tag !== 'signal') return false;
  return error.status.signal === 'SIGKILL' && error.status.outOfMemory !== true;
};

const logsHint = (error: ServiceError): string => {
  const logs = `${LOGS} ${shownId(error.service)} -n 50`;
  return wasKilled(error) ? `${KILLED}; its last output: ${logs}` : logs;
};

/**
 * The advice for each pattern that the detail of an error can match. The file
 * `src/sinks/process/explain-start-failure.ts` makes these details.
 */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ was not found in /, 'write the whole path of the program, or set PATH in env.vars'],
  [/^(exec: |command: )?working directory /, 'make the directory, or correct working_dir'],
  [/ is not executable/, 'let the user of the service execute the file: chmod +x'],
  [/\(ENOEXEC\)/, 'install the program for this machine'],
  [/\(EAGAIN/, 'raise the limit on processes (ulimit -u, or TasksMax of the unit)'],
  [/\(EMFILE/, 'raise the limit on open files (ulimit -n, or LimitNOFILE of the unit)'],
];

const spawnHint = ({
  key,
  command,
  detail,
}: Extract<ServiceError, { code: 'ERR0113' }>): string | undefined => {
  if (key === 'sockets') return socketHint(detail);
  if (command !== undefined)
    return 'check the command; it is looked for in working_dir and in PATH of the service';
  return ADVICE.find(([pattern]) => pattern.test(detail))?.[1];
};

/** Returns advice for this error; `undefined` if the advice of the catalogue is better. */
export const serviceHint = (error: ServiceError): string | undefined => {
  switch (error.code) {
    case 'ERR0022':
    case 'ERR0023':
    case 'ERR0101':
    case 'ERR0102':
    case 'ERR0103':
    case 'ERR0104':
    case 'ERR0114':
    case 'ERR0122':
      return logsHint(error);
    case 'ERR0105':
      return portHint(error);
    case 'ERR0110':
      return brokenHint(error);
    case 'ERR0113':
      return spawnHint(error);
    case 'ERR0118':
      return foregroundOf(error.daemon.name);
    default:
      return undefined;
  }
};

/** Returns advice for a service with an open breaker. The advice depends on the error of the last attempt. */
const brokenHint = ({ service, last }: Extract<ServiceError, { code: 'ERR0110' }>): string => {
  if (last !== undefined && wasKilled(last)) return `${KILLED}; then: sup start ${shownId(service)}`;
  const hint = last && (serviceHint(last) ?? CATALOGUE[last.code].next);
  const first = hint === undefined || hint.startsWith(LOGS) ? 'fix the cause,' : `${hint};`;
  return `${first} then: sup start ${shownId(service)}`;
};

const portHint = ({ taken }: Extract<ServiceError, { code: 'ERR0105' }>): string | undefined => {
  if (taken === undefined) return undefined;
  const { port, holder } = taken;
  if (holder === undefined) return `see which process has it: ss -ltnp 'sport = :${port}'`;
  return holder.service === undefined
    ? `see what it is: ps -fp ${holder.pid}; then end it, or change the port`
    : `give one of them another port, or: sup stop ${shownId(holder.service)}`;
};

const HOLDER = / held by (?:\S+ \()?pid (\d+)/;

const socketHint = (detail: string): string => {
  const [, pid] = HOLDER.exec(detail) ?? [];
  if (pid !== undefined) return `see what it is: ps -fp ${pid}; then end it, or change listen`;
  return saysInUse([detail])
    ? 'see which process has the address: ss -ltnp for a port, ss -lxp for a path; a file there that is no socket has to be moved away'
    : 'check listen: the address has to be one of this machine, a port below 1024 takes root, and a path a directory in which the supervisor may write';
};
