// The type of each error, by its code. Codes are permanent. Errors have only facts: titles and advice are in
// `catalogue.ts`, the sentences in `error-sentence.ts`.
import type { ExchangeErrors } from './exchange-errors.ts';
import {
  MANIFEST_CODES,
  type ManifestCode,
  type Problem,
  type Reading,
  type ServiceProfiles,
} from '../declared/manifest.ts';
import type { ServiceId } from '../ids.ts';
import type { ConfinementDifference } from '../service/ancestry.ts';
import { type ExitStatus, isSuccess } from '../service/exit-status.ts';
import type { PortConflict } from '../service/port.ts';
import type { Ms } from '../time.ts';

/** The last lines that a service printed, oldest first. */
export type Evidence = readonly string[];

/** A process that left the session of its run, as a daemon does. */
export interface Daemon {
  readonly pid: number;
  readonly name: string;
}

interface OfService {
  readonly service: ServiceId;
  /** The last output of the run. Absent until all processes of the run have ended. */
  readonly evidence?: Evidence;
}
interface Detailed {
  readonly detail: string;
}
/** The facts of an error about a check. `liveness`: the check is `health_check.liveness`. */
interface OfCheck extends OfService {
  readonly liveness?: true;
}
/**
 * The facts of a failed rollout. `gone`: the old run has ended. `unknown`: it is not known which run gets the
 * traffic. Absent: the old run continues.
 */
interface OfRollout {
  readonly evidence: Evidence;
  readonly old?: 'gone' | 'unknown';
}
/** An error caused by a manifest key, such as `limits.nofile`. `final`: another attempt would also fail. */
interface OfKey {
  readonly key: string;
  readonly final?: true;
}
/** A service with `profiles`, none of which is chosen. The hint says how to choose a profile for it. */
export interface Unchosen extends ServiceProfiles {
  readonly manifest: string;
  readonly reading?: Reading;
}
/** The limit below `spawn.limits` that a new child would exceed. */
type SpawnLimit = 'children' | 'depth' | 'descendants' | 'total_memory';

/** A manifest with problems. The code is that of its first error; without errors, of its first warning. */
interface ManifestFacts {
  readonly manifest: string;
  readonly problems: readonly Problem[];
}

/** The codes for a manifest key that could not be applied. For ERR0723 to ERR0746, Linux refused it. */
type OfKeyCode =
  | ('ERR0125' | 'ERR0126' | 'ERR0723' | 'ERR0724' | 'ERR0725' | 'ERR0726')
  | ('ERR0742' | 'ERR0743' | 'ERR0744' | 'ERR0745' | 'ERR0746');

interface ServiceFacts extends Record<OfKeyCode, OfService & OfKey & Detailed> {
  ERR0022: OfCheck & Detailed;
  ERR0023: OfCheck & { readonly limit: Ms };
  /** The service sent no `WATCHDOG=1` within the time of `liveness.watchdog`. */
  ERR0024: OfCheck & { readonly limit: Ms };
  ERR0102: OfService & { readonly status: ExitStatus; readonly evidence: Evidence };
  ERR0103: OfService & { readonly status: ExitStatus; readonly evidence: Evidence };
  ERR0104: OfCheck & Detailed;
  /** An address was in use. With `status`: the run exited. Else another process answers the probe. */
  ERR0105: OfCheck & { readonly status?: ExitStatus; readonly taken?: PortConflict };
  ERR0107: OfService & { readonly waited: Ms };
  /** `pre_start` reached its time limit. With `step`: the command in `skip` reached it. */
  ERR0108: OfService & { readonly budget: Ms; readonly step?: 'skip' };
  ERR0109: OfService & { readonly dependency: ServiceId };
  ERR0110: OfService & { readonly attempts: number; readonly last?: ServiceError };
  ERR0112: OfService & { readonly survivors: readonly number[]; readonly waited: Ms };
  /** No process could be started, because of a manifest key or of the `command` that the user gave. */
  ERR0113: OfService & Partial<OfKey> & Detailed & { readonly command?: string };
  ERR0114: OfService & { readonly limit: Ms };
  ERR0115: OfService & Detailed & OfRollout;
  ERR0116: OfService & Detailed & OfRollout;
  ERR0117: OfService;
  /** The run exited with 0 before it was ready, but `daemon` lives on in another session. */
  ERR0118: OfService & { readonly daemon: Daemon };
  /** The value of the variable `name` in `env.secrets` could not be read from its file. */
  ERR0124: OfService & Detailed & { readonly name: string; readonly file: string };
  /** The memory of the run was over `max_memory` for `length`. */
  ERR0120: OfService & { readonly bytes: number; readonly limit: number; readonly length: Ms };
  /** Files of `watch` cannot be watched. */
  ERR0123: OfService & Detailed & { readonly file: string };
  /** `stop_command` exited with `status`, or did not end within `budget`. */
  ERR0122: OfService & { readonly status?: ExitStatus; readonly budget?: Ms };
  /** The process exited after it was ready. A command fails with this only if it waited for completion. */
  ERR0101: OfService & { readonly status: ExitStatus };
}

/** The machine that `--host` names. */
interface OnHost {
  readonly host: string;
}

interface CommandFacts extends ExchangeErrors {
  ERR0001: Detailed;
  /** Several projects have a service of this name. `forgotten`: none of these projects is registered now. */
  ERR0006: { readonly name: string; readonly projects: readonly string[]; readonly forgotten?: true };
  ERR0106: { readonly failures: readonly SupError[]; readonly total: number };
  ERR0111: { readonly command: string; readonly waited: Ms };
  /** A signal or reload could not be sent to a running service, or failed. */
  ERR0119: Detailed;
  /** An alert was given up after this number of attempts; 0: too many alerts were waiting. */
  ERR0127: { readonly to: string; readonly attempts: number } & Detailed;
  /** A mistake in the command line: an unknown command or option, or a missing value. */
  ERR0200: Detailed;
  ERR0201: Detailed;
  ERR0202: {
    readonly name: string;
    readonly known: readonly string[];
    /** True for the name of a project where a service was expected. */
    readonly isProject?: boolean;
    /** The service of this name, if it is declared but none of its profiles is chosen. */
    readonly unchosen?: Unchosen;
  };
  /** `mend`: advice for this case, which replaces the advice of the catalogue. */
  ERR0203: { readonly file: string; readonly mend?: string } & Detailed;
  ERR0204: Detailed;
  ERR0205: {
    readonly pid?: number;
    /** How long the client waited without a message from the supervisor. */
    readonly waited?: Ms;
    /** True if the supervisor refused the client because it has its maximum number of clients. */
    readonly full?: true;
  };
  /** No supervisor runs for this data directory. Without `dataDir`: the supervisor is shutting down. */
  ERR0206: {
    readonly dataDir?: string;
    /** The command during which the supervisor ended. Its outcome is unknown. */
    readonly command?: string;
  };
  /** The manifest or its backup cannot be written. */
  ERR0224: { readonly file: string } & Detailed;
  /** A setting in `supervisor.xml` is not valid and is ignored. */
  ERR0225: Detailed;
  /** `ssh` cannot be started. */
  ERR0230: Detailed;
  ERR0231: OnHost & Detailed;
  ERR0232: OnHost & Detailed;
  ERR0233: OnHost & Detailed;
  /** `version`: the version of `sup` on the host. Absent if that program does not report it. */
  ERR0234: OnHost & { readonly version?: string };
  /** `command`: the command in progress, which may have been carried out. Absent if it changes nothing. */
  ERR0235: OnHost & Detailed & { readonly command?: string };
  ERR0236: OnHost & { readonly waited: Ms };
  /** A page asked for a change, and `sup dashboard` runs without `--allow-actions`. */
  ERR0237: { readonly action: string };
  /** The plan differs from the plan that the user has seen. `changes`: the present number of changes. */
  ERR0238: { readonly changes: number };
  /** A message of a page is not a valid request, or the page sends too many. */
  ERR0239: Detailed;
  /** The dashboard cannot listen at the address `place`, or cannot use the file `place`. */
  ERR0240: { readonly place: string } & Detailed;
  /** Rotated log files of these services cannot be compressed, or cannot be removed when they are too old. */
  ERR0727: { readonly services: readonly ServiceId[] } & Detailed;
  /** The command may not change these services. With an empty list, the command is not allowed at all. */
  ERR0241: { readonly change: string; readonly services: readonly string[] };
  /** The plan was not shown in this session. `isOld`: it was shown, but is now out of date. */
  ERR0242: { readonly plan: string; readonly isOld?: true };
  /** An agent has called a tool with arguments that it does not take. */
  ERR0243: { readonly call: string } & Detailed;
  /** The argument `-` names standard input, but the command needs a manifest file. */
  ERR0244: { readonly command: string } & Detailed;
  /** Standard input, which should contain a manifest, cannot be read. */
  ERR0245: Detailed;
  /** The text after `--threshold` is not a score. */
  ERR0246: { readonly written: string };
  ERR0247: { readonly threshold: number; readonly scores: readonly (readonly [ServiceId, number])[] };
  ERR0301: { readonly manifests: readonly string[]; readonly problems: readonly Problem[] };
  ERR0302: { readonly failures: readonly SupError[] };
  ERR0303: { readonly services: readonly ServiceId[] };
  ERR0304: { readonly of: ServiceId };
  /** The process that requests a child does not belong to a live service. */
  ERR0401: Detailed;
  ERR0402: { readonly of: ServiceId };
  ERR0403: { readonly of: ServiceId; readonly limit: SpawnLimit; readonly allowed: number };
  ERR0404: { readonly of: ServiceId; readonly wait: Ms };
  ERR0405: { readonly of: ServiceId; readonly taken: string };
  ERR0406: Detailed;
  ERR0407: { readonly of: ServiceId };
  /** The confinement of the requesting process differs from that of its service, or cannot be read. */
  ERR0408: { readonly of: ServiceId; readonly differences: readonly ConfinementDifference[] };
  /** An event was refused: it was not sent by a service, it was too large, or there were too many. */
  ERR0409: Detailed;
  /** The upgrade was refused before it began; the supervisor continues. */
  ERR0501: Detailed;
  /** The upgrade failed. `busy`: the supervisor stayed busy. `replaced`: its program files were replaced. */
  ERR0502: Detailed & { readonly why?: 'busy' | 'replaced' };
  ERR0503: Detailed;
  /** A file of the program `sup` is missing, damaged, or belongs to another build. */
  ERR0504: { readonly file: string };
  /** `sup purge` removes no files of this project, because the project is registered. */
  ERR0601: { readonly name: string };
  /** The processes of a project are alive, so its files cannot be purged. */
  ERR0602: Detailed;
  ERR0603: { readonly file: string };
  ERR0604: Detailed;
  /** Root would execute a file that another user can change. `mend`: how the user can repair this. */
  ERR0605: Detailed & { readonly mend: string };
  /** The data directory or a file in it cannot be used. */
  ERR0701: { readonly file: string } & Detailed;
  /** Another supervisor holds the data directory. */
  ERR0702: { readonly dataDir: string; readonly pid: number };
  ERR0704: { readonly uid: number };
  /** A client that may belong to a confined service may not send this request. */
  ERR0750: Detailed;
}

type Facts = ServiceFacts & CommandFacts;

export type ServiceError = {
  [C in keyof ServiceFacts]: { readonly code: C } & ServiceFacts[C];
}[keyof ServiceFacts];
export type CommandError = {
  [C in keyof CommandFacts]: { readonly code: C } & CommandFacts[C];
}[keyof CommandFacts];
export type ManifestError = { readonly code: ManifestCode } & ManifestFacts;

export type SupError = ServiceError | CommandError | ManifestError;
export type ErrorCode = keyof Facts | ManifestCode;

/** The codes of errors about one service. The compiler reports a code that is missing here. */
const OF_SERVICE: Readonly<Record<ServiceError['code'], true>> = {
  ERR0022: true,
  ERR0023: true,
  ERR0024: true,
  ERR0101: true,
  ERR0102: true,
  ERR0103: true,
  ERR0104: true,
  ERR0105: true,
  ERR0107: true,
  ERR0108: true,
  ERR0109: true,
  ERR0110: true,
  ERR0112: true,
  ERR0113: true,
  ERR0114: true,
  ERR0115: true,
  ERR0116: true,
  ERR0117: true,
  ERR0118: true,
  ERR0124: true,
  ERR0125: true,
  ERR0126: true,
  ERR0120: true,
  ERR0122: true,
  ERR0123: true,
  ERR0723: true,
  ERR0724: true,
  ERR0725: true,
  ERR0726: true,
  ERR0742: true,
  ERR0743: true,
  ERR0744: true,
  ERR0745: true,
  ERR0746: true,
};

/** True if the code is about one service. A command that fails with such a code was carried out. */
export const isOfService = (code: ErrorCode): code is ServiceError['code'] => Object.hasOwn(OF_SERVICE, code);

/** True for ERR0101 with an exit status that is a success: the service became ready and ended by itself. */
export const isCleanEnd = (error: ServiceError): boolean =>
  error.code === 'ERR0101' && isSuccess(error.status);

/** Returns the first problem that is an error; the first warning if there are only warnings. */
export const leading = (problems: readonly Problem[]): Problem | undefined =>
  problems.find(({ severity }) => severity === 'error') ?? problems[0];

/** Returns the error for a manifest, with the code of the problem that `leading` returns. */
export const manifestError = (path: string, problems: readonly Problem[]): SupError => {
  const first = leading(problems);
  const code = MANIFEST_CODES.find((known) => known === first?.code);
  if (code !== undefined) return { code, manifest: path, problems };
  const { file = path, message = 'it does not load' } = first ?? {};
  const said = `"${file}" cannot be read: `;
  const detail = message.startsWith(said) ? message.slice(said.length) : message;
  return { code: 'ERR0203', file, detail, ...(first?.hint !== undefined && { mend: first.hint }) };
};

/** Returns advice for a registered manifest that does not load: the commands that help. */
export const manifestRemedy = (path: string): string =>
  `to see what is wrong: sup validate -c ${path}; to drop it: sup forget ${path}`;
