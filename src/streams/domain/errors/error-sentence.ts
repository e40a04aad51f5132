// The sentence of an error, without the name of its service: `exited with 1 before it was ready`.
// `error-text.ts` adds the name if the error is shown alone.
import {
  type CommandError,
  leading,
  type ManifestError,
  type ServiceError,
  type SupError,
  type Unchosen,
} from './error.ts';
import type { ConfinementDifference } from '../service/ancestry.ts';
import { exitText } from '../service/exit-status.ts';
import { nameOf, shownId, type ServiceId } from '../ids.ts';
import type { Problem } from '../declared/manifest.ts';
import { lengthText } from '../time.ts';
import { listedText } from '../listed-text.ts';
import { takenText } from '../service/port.ts';

type PlainError = ServiceError | CommandError;
type ByCode<E extends { readonly code: string }> = { readonly [C in E['code']]: Extract<E, { code: C }> };
type Sentences = { readonly [C in PlainError['code']]: (error: ByCode<PlainError>[C]) => string };

/** True if the error is about a manifest. */
export const isManifestError = (error: SupError): error is ManifestError => 'manifest' in error;

/** Returns the error as one sentence, without its code and the name of the service. */
export const errorSentence = (error: SupError): string =>
  isManifestError(error) ? manifestSentence(error) : plainSentence(error);

const plainSentence = <C extends PlainError['code']>(
  error: { readonly code: C } & ByCode<PlainError>[C],
): string => SENTENCES[error.code](error);

const manifestSentence = ({ manifest, problems }: ManifestError): string => {
  const first = leading(problems);
  if (first === undefined) return `${manifest} cannot be used`;
  const more = problems.length - 1;
  return more === 0
    ? problemSentence(first)
    : `${problemSentence(first)} (and ${count(more, 'more problem')})`;
};

const problemSentence = ({ path, message }: Problem): string =>
  path === '' ? message : `${path}: ${message}`;

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** The maximum number of services in a sentence. The list of errors below the sentence has all of them. */
const MOST_NAMED = 10;

/** Returns the names of the services in the errors, without duplicates: `shop/web, shop/db`. */
const failedServices = (errors: readonly SupError[]): string => {
  const names = errors.flatMap((error) => ('service' in error ? [shownId(error.service)] : []));
  return listedText([...new Set(names)], MOST_NAMED);
};

const scoresText = (scores: readonly (readonly [ServiceId, number])[]): string =>
  listedText(
    scores.map(([id, score]) => `${shownId(id)} (${score.toFixed(1)})`),
    MOST_NAMED,
  );

const named = (errors: readonly SupError[], what: string): string => {
  const names = failedServices(errors);
  return names === '' ? what : `${what}: ${names}`;
};

const refusedKey = ({ key, detail }: { readonly key: string; readonly detail: string }): string =>
  `not started: ${key}: ${detail}`;

const unknownName = (name: string, isProject = false): string => {
  if (name.startsWith('/')) return `${name} is not a registered manifest`;
  return isProject
    ? `"${name}" is not a service that is registered`
    : `"${name}" is neither a project nor a service that is registered`;
};

const unchosenSentence = ({ service, profiles }: Unchosen): string =>
  profiles.length === 1
    ? `"${shownId(service)}" has the profile ${profiles.join()}, which is not chosen`
    : `"${shownId(service)}" has the profiles ${profiles.join(', ')}, and none of them is chosen`;

/** Returns the name of the check for users: `liveness check` for the one in `health_check.liveness`. */
export const checkText = ({ liveness }: { readonly liveness?: true | undefined }): string =>
  liveness ? 'liveness check' : 'health check';

const inUseSentence = ({ status, taken, liveness }: Extract<ServiceError, { code: 'ERR0105' }>): string => {
  const what = taken === undefined ? 'address is already in use' : takenText(taken);
  return status === undefined
    ? `another process answers its ${checkText({ liveness })}: its ${what}`
    : `${exitText(status)}: its ${what}`;
};

const limitSentence = ({ of, limit, allowed }: Extract<CommandError, { code: 'ERR0403' }>): string => {
  const most = limit === 'total_memory' ? `${allowed} bytes` : String(allowed);
  return `${shownId(of)} is at its limit: spawn.limits.${limit} is ${most}`;
};

const differenceText = ({ what, asks, leader }: ConfinementDifference): string =>
  `${what} is ${asks === '' ? 'none' : asks}, not ${leader === '' ? 'none' : leader}`;

const confinedSentence = ({ of, differences }: Extract<CommandError, { code: 'ERR0408' }>): string =>
  differences.length === 0
    ? `the confinement of this process, or of the main process of ${shownId(of)}, cannot be read`
    : `this process is not confined as ${shownId(of)} is: ${differences.map(differenceText).join('; ')}`;

/** Returns the part of a sentence that says which run continues after a failed rollout. */
const restOf = (what: string, goesOn: string, old?: 'gone' | 'unknown'): string => {
  if (old === 'unknown') return 'and it is unknown where the traffic goes';
  return old === 'gone' ? `and the old ${what} has ended, too` : `the old ${what} ${goesOn}`;
};

/** Returns a size in MiB. */
export const memoryText = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`;

const SENTENCES: Sentences = {
  ERR0001: ({ detail }) => `internal error: ${detail}`,
  ERR0006: ({ name, projects, forgotten }) =>
    `"${name}" is a service of several ${forgotten === true ? 'forgotten ' : ''}projects: ${projects.join(', ')}`,
  ERR0022: ({ detail, ...of }) => `its ${checkText(of)} could not reach its target: ${detail}`,
  ERR0024: ({ limit }) => `it sent no WATCHDOG=1 within ${lengthText(limit)}`,
  ERR0023: ({ limit, ...of }) => `its ${checkText(of)} did not answer within ${lengthText(limit)}`,
  ERR0101: ({ status }) => exitText(status),
  ERR0102: ({ status }) => `${exitText(status)} before it was ready`,
  ERR0103: ({ status }) => `its pre_start command ${exitText(status)}`,
  ERR0104: ({ detail, ...of }) => `its ${checkText(of)} reported unhealthy: ${detail}`,
  ERR0105: (error) => inUseSentence(error),
  ERR0106: ({ failures, total }) =>
    named(failures, `${failures.length} of ${count(total, 'service')} did not come up`),
  ERR0107: ({ waited }) => `neither ready nor failed after ${lengthText(waited)}; it goes on starting`,
  ERR0108: ({ budget, step = 'pre_start' }) =>
    `its ${step} command was killed: it was not done after ${lengthText(budget)}`,
  ERR0109: ({ dependency }) => `its dependency ${nameOf(dependency)} did not become ready`,
  ERR0110: ({ attempts, last }) =>
    `failed again after ${count(attempts, 'automatic restart')}${last === undefined ? '' : `: ${errorSentence(last)}`}`,
  ERR0111: ({ command, waited }) => `"${command}" was not answered within ${lengthText(waited)}; it goes on`,
  ERR0112: ({ survivors, waited }) =>
    survivors.length === 0
      ? `is not over ${lengthText(waited)} after SIGKILL: the process table could not be read`
      : `${count(survivors.length, 'process', 'processes')} alive ${lengthText(waited)} after SIGKILL: ${survivors.join(', ')}`,
  ERR0113: ({ key, command, detail }) =>
    `${command === undefined ? '' : `"${command}" `}could not be started: ${key === undefined ? '' : `${key}: `}${detail}`,
  ERR0114: ({ limit }) => `the run was ended: it took longer than its timeout of ${lengthText(limit)}`,
  ERR0115: ({ detail, old }) => `rollout failed, ${restOf('instance', 'keeps running', old)}: ${detail}`,
  ERR0116: ({ detail, old }) => `switch failed, ${restOf('slot', 'keeps serving', old)}: ${detail}`,
  ERR0117: () => 'called off by another command',
  ERR0118: ({ daemon }) =>
    `exited with 0 and left ${daemon.name} (pid ${daemon.pid}) in the background, where it cannot be supervised; it was stopped`,
  ERR0119: ({ detail }) => detail,
  ERR0124: ({ name, file, detail }) => `not started: env.secrets.${name}: ${file} cannot be used: ${detail}`,
  ERR0120: ({ bytes, limit, length }) =>
    `used ${memoryText(bytes)} of memory, more than max_memory (${memoryText(limit)}) for ${lengthText(length)}`,
  ERR0123: ({ file, detail }) => `cannot watch ${file}: ${detail}`,
  ERR0122: ({ status, budget }) =>
    budget === undefined
      ? `its stop_command ${exitText(status ?? { tag: 'unknown' })}; stop_signal followed`
      : `its stop_command was killed: it was not done after ${lengthText(budget)}; stop_signal followed`,
  ERR0127: ({ to, attempts, detail }) =>
    `no alert could be delivered to ${to}${attempts > 1 ? ` in ${attempts} attempts` : ''}: ${detail}`,
  ERR0200: ({ detail }) => detail,
  ERR0201: ({ detail }) => detail,
  ERR0202: ({ name, isProject, unchosen }) =>
    unchosen === undefined ? unknownName(name, isProject) : unchosenSentence(unchosen),
  ERR0203: ({ file, detail }) => `${file} cannot be read: ${detail}`,
  ERR0204: ({ detail }) => detail,
  ERR0205: ({ pid, waited, full }) => {
    const supervisor = `the supervisor${pid === undefined || pid === 0 ? '' : ` (pid ${pid})`}`;
    if (full) return `${supervisor} has as many clients as it takes, and turned this one away`;
    return `${supervisor} did not answer${waited === undefined ? '' : ` within ${lengthText(waited)}`}`;
  },
  ERR0206: ({ dataDir, command }) => {
    if (command !== undefined)
      return `the supervisor ended before it answered: what came of ${command} is not known`;
    return dataDir === undefined
      ? 'the supervisor is shutting down and takes no commands'
      : `no supervisor is running for ${dataDir}`;
  },
  ERR0224: ({ file, detail }) => `${file} cannot be written: ${detail}`,
  ERR0225: ({ detail }) => detail,
  ERR0230: ({ detail }) => `ssh cannot be started: ${detail}`,
  ERR0231: ({ host, detail }) => `${host} cannot be reached: ${detail}`,
  ERR0232: ({ host, detail }) => `the host key of ${host} is not accepted: ${detail}`,
  ERR0233: ({ host, detail }) => `there is no sup on ${host}: ${detail}`,
  ERR0234: ({ host, version }) =>
    `the sup on ${host} ${version === undefined ? 'is of another version' : `is version ${version}`}, with which this sup cannot speak`,
  ERR0235: ({ host, detail, command }) =>
    `the connection to ${host} was lost${command === undefined ? '' : `, and what came of ${command} is not known`}: ${detail}`,
  ERR0236: ({ host, waited }) => `${host} did not answer within ${lengthText(waited)}`,
  ERR0241: ({ change, services }) => {
    if (services.length === 0) return `${change} is not allowed in this session`;
    const [first, ...more] = services;
    const names = more.length === 0 ? first : `${first} and ${more.length} more`;
    return `${change} is not allowed for ${names}, which it would change`;
  },
  ERR0242: ({ plan, isOld }) =>
    isOld ? `the plan ${plan} is not what apply would do now` : `no plan ${plan} was shown in this session`,
  ERR0243: ({ call, detail }) => `${call}: ${detail}`,
  ERR0244: ({ command, detail }) => `sup ${command} takes no manifest from standard input: ${detail}`,
  ERR0245: ({ detail }) => `no manifest can be read from standard input: ${detail}`,
  ERR0246: ({ written }) => `--threshold: "${written}" is not a score from 0 to 10`,
  ERR0247: ({ threshold, scores }) => `more open than ${threshold}: ${scoresText(scores)}`,
  ERR0237: ({ action }) => `this dashboard only watches: ${action} is not allowed`,
  ERR0238: ({ changes }) =>
    `the plan has changed since it was shown, and now has ${count(changes, 'change')}; nothing was applied`,
  ERR0239: ({ detail }) => `the question was refused: ${detail}`,
  ERR0240: ({ place, detail }) => `the dashboard cannot use ${place}: ${detail}`,
  ERR0727: ({ services, detail }) =>
    `rotated logs of ${listedText(services.map(shownId), MOST_NAMED)} cannot be compressed or removed (${detail}): they stay as they are, and are tried again each minute`,
  ERR0801: ({ file }) => `the format of ${file} is not known`,
  ERR0802: ({ file, format, line, detail }) =>
    `${file}${line === undefined ? '' : `:${line}`} cannot be read as ${format}: ${detail}`,
  ERR0803: ({ file, detail }) => `${file} cannot be imported: ${detail}`,
  ERR0804: ({ file, format }) => `${file} is ${format} without anything to run`,
  ERR0805: ({ file, losses }) =>
    `${count(losses, 'setting')} of ${file} would be lost, so nothing was written`,
  ERR0806: ({ file, detail }) => `${file} was not evaluated: ${detail}`,
  ERR0807: ({ file, detail }) => `${file} was not written: ${detail}`,
  ERR0808: ({ services, format }) =>
    `${format} needs a container image, and ${listedText(services, MOST_NAMED)} ${services.length === 1 ? 'has' : 'have'} none`,
  ERR0810: ({ file, line, key, detail }) => `${key} cannot be imported: ${detail}, ${file}:${line}`,
  ERR0811: ({ file, line, services, most }) =>
    `${file}:${line} declares ${count(services, 'service')}, and an import makes at most ${most}`,
  ERR0812: ({ file, detail }) => `${file} gave no configuration: ${detail}`,
  ERR0813: ({ files }) => `nothing was written: ${listedText(files, MOST_NAMED)} would be replaced`,
  ERR0301: ({ manifests, problems }) =>
    `a registered manifest is invalid (${manifests.join(', ')}): ${count(problems.length, 'problem')}; nothing was changed`,
  ERR0304: ({ of }) => `${shownId(of)} cannot be scaled: its manifest declares no replicas`,
  ERR0303: ({ services }) => `no earlier declaration is kept of ${services.map(shownId).join(', ')}`,
  ERR0302: ({ failures }) =>
    named(
      failures,
      `${count(failures.length, 'service')} ${failures.length === 1 ? 'was' : 'were'} not restarted`,
    ),
  ERR0401: ({ detail }) => detail,
  ERR0402: ({ of }) => `${shownId(of)} takes no children: its spawn.mode is static`,
  ERR0403: (error) => limitSentence(error),
  ERR0404: ({ of, wait }) =>
    `${shownId(of)} has asked for ten children within a second; try again in ${lengthText(wait)}`,
  ERR0405: ({ of, taken }) => `a child of ${shownId(of)} that is alive has the name "${taken}"`,
  ERR0406: ({ detail }) => `cannot identify the requesting process: ${detail}`,
  ERR0407: ({ of }) => `${shownId(of)} is ending, and gets no children any more`,
  ERR0408: (error) => confinedSentence(error),
  ERR0409: ({ detail }) => `the event was not recorded: ${detail}`,
  ERR0501: ({ detail }) => `upgrade refused: ${detail}`,
  ERR0502: ({ detail }) => `upgrade failed, and nothing was touched: ${detail}`,
  ERR0503: ({ detail }) => `the new program failed while it took over, and the old one goes on: ${detail}`,
  ERR0504: ({ file }) => `${file} does not belong to the program that runs: it was replaced or is damaged`,
  ERR0601: ({ name }) => `project "${name}" is registered: nothing of it is left over`,
  ERR0602: ({ detail }) => `something of what is left runs: ${detail}`,
  ERR0603: ({ file }) => `${file} was not written by sup boot`,
  ERR0604: ({ detail }) => detail,
  ERR0605: ({ detail }) => `root would execute what another user can change: ${detail}`,
  ERR0701: ({ file, detail }) => `${file} cannot be used: ${detail}`,
  ERR0125: refusedKey,
  ERR0126: refusedKey,
  ERR0723: refusedKey,
  ERR0724: refusedKey,
  ERR0725: refusedKey,
  ERR0726: refusedKey,
  ERR0742: refusedKey,
  ERR0743: refusedKey,
  ERR0744: refusedKey,
  ERR0745: refusedKey,
  ERR0746: refusedKey,
  ERR0702: ({ dataDir, pid }) => `a supervisor is running for ${dataDir} already (pid ${pid})`,
  ERR0750: ({ detail }) => `this process may not command the supervisor: ${detail}`,
  ERR0704: ({ uid }) => `--sys needs root, and this is user id ${uid}`,
};
