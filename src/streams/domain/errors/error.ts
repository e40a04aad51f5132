// The error catalogue, part one: every code with the facts it carries. Codes are permanent.
// Errors are data; titles, causes and next steps are in `catalogue.ts`, sentences in `views/errors/error-text.ts`.
import type { ExitStatus } from '../service/exit.ts';
import type { ConfinementDifference } from '../service/ancestry.ts';
import type { ServiceId } from '../ids.ts';
import type { ManifestCode } from './manifest-code.ts';
import type { Problem } from '../declared/manifest.ts';
import type { Taken } from '../service/port.ts';
import type { Ms } from '../time.ts';

/** The last lines a service printed, oldest first. */
export type Evidence = readonly string[];

/** A process that left the session it was started in. */
export interface Daemon {
  readonly pid: number;
  readonly name: string;
}

interface OfService {
  readonly service: ServiceId;
  /** What the run printed last, once it is over and said anything. */
  readonly evidence?: Evidence;
}
interface Detailed {
  readonly detail: string;
}
/** `old`: the old run was gone too when it was over, or nobody knows who has the traffic; absent: it goes on as it was. */
interface OfRollout {
  readonly evidence: Evidence;
  readonly old?: 'gone' | 'unknown';
}
/** The key of the service in its manifest: `limits.nofile`. `final`: waiting cannot heal it, so nothing is tried again. */
interface OfKey {
  readonly key: string;
  readonly final?: true;
}
/** Which of `spawn.limits` a child would break. */
type SpawnLimit = 'children' | 'depth' | 'descendants' | 'total_memory';

/** A manifest that does not load; the code is its first problem's. */
interface ManifestFacts {
  readonly manifest: string;
  readonly problems: readonly Problem[];
}

interface ServiceFacts {
  ERR0022: OfService & Detailed;
  ERR0023: OfService & { readonly limit: Ms };
  ERR0102: OfService & { readonly status: ExitStatus; readonly evidence: Evidence };
  ERR0103: OfService & { readonly status: ExitStatus; readonly evidence: Evidence };
  ERR0104: OfService & Detailed;
  /** Without `status` it is its health check that a process outside its tree answers. */
  ERR0105: OfService & { readonly status?: ExitStatus; readonly taken?: Taken };
  ERR0107: OfService & { readonly waited: Ms };
  /** `pre_start`, unless another step is named. */
  ERR0108: OfService & { readonly budget: Ms; readonly step?: 'skip' };
  ERR0109: OfService & { readonly dependency: ServiceId };
  ERR0110: OfService & { readonly attempts: number; readonly last?: ServiceError };
  ERR0112: OfService & { readonly survivors: readonly number[]; readonly waited: Ms };
  /** `key` of the manifest, where what it says is the reason; `command` where a person asked for another one. */
  ERR0113: OfService & Partial<OfKey> & Detailed & { readonly command?: string };
  ERR0114: OfService & { readonly limit: Ms };
  ERR0115: OfService & Detailed & OfRollout;
  ERR0116: OfService & Detailed & OfRollout;
  ERR0117: OfService;
  /** It exited with 0 before it was ready, and `daemon` lived on in a session of its own. */
  ERR0118: OfService & { readonly daemon: Daemon };
  /** What the manifest asks of the kernel could not be done; the program was not started. `key` is the manifest's. */
  ERR0723: OfService & OfKey & Detailed;
  ERR0724: OfService & OfKey & Detailed;
  ERR0725: OfService & OfKey & Detailed;
  ERR0726: OfService & OfKey & Detailed;
  ERR0742: OfService & OfKey & Detailed;
  ERR0743: OfService & OfKey & Detailed;
  ERR0744: OfService & OfKey & Detailed;
  ERR0745: OfService & OfKey & Detailed;
  ERR0746: OfService & OfKey & Detailed;
  /** An unsuccessful exit after readiness: shown as a reason; a command's error only where it was to be completed. */
  ERR0101: OfService & { readonly status: ExitStatus };
}

interface CommandFacts {
  ERR0001: Detailed;
  /** `forgotten`: none of them is registered any more. */
  ERR0006: { readonly name: string; readonly projects: readonly string[]; readonly forgotten?: true };
  ERR0106: { readonly failures: readonly SupError[]; readonly total: number };
  ERR0111: { readonly command: string; readonly waited: Ms };
  /** A signal or a reload that a running service did not get, or did not take. */
  ERR0119: Detailed;
  /** The command line itself: an unknown command or option, a value that is missing. */
  ERR0200: Detailed;
  ERR0201: Detailed;
  ERR0202: {
    readonly name: string;
    readonly known: readonly string[];
    /** What was taken for a service is a project. */
    readonly isProject?: boolean;
  };
  ERR0203: { readonly file: string } & Detailed;
  ERR0204: Detailed;
  ERR0205: {
    readonly pid?: number;
    /** How long nothing came. */
    readonly waited?: Ms;
    /** It turned the client away, for it has as many as it takes. */
    readonly full?: true;
  };
  /** Without a directory: there is one, and it is on its way out. */
  ERR0206: {
    readonly dataDir?: string;
    /** It was cut off: nobody can tell whether it was carried out. */
    readonly command?: string;
  };
  /** The manifest, or its backup. */
  ERR0224: { readonly file: string } & Detailed;
  ERR0301: {
    /** The registered manifests that are invalid, by their paths. */
    readonly manifests: readonly string[];
    readonly problems: readonly Problem[];
  };
  ERR0302: { readonly failures: readonly SupError[] };
  ERR0303: { readonly services: readonly ServiceId[] };
  /** Whoever asks for a child is not a living part of a service. */
  ERR0401: Detailed;
  ERR0402: { readonly of: ServiceId };
  ERR0403: { readonly of: ServiceId; readonly limit: SpawnLimit; readonly allowed: number };
  ERR0404: { readonly of: ServiceId; readonly wait: Ms };
  ERR0405: { readonly of: ServiceId; readonly taken: string };
  ERR0406: Detailed;
  ERR0407: { readonly of: ServiceId };
  /** The process that asks is confined otherwise than its service, or that cannot be read (no `differences`). */
  ERR0408: { readonly of: ServiceId; readonly differences: readonly ConfinementDifference[] };
  /** `problems`: of registered manifests. */
  ERR0501: Detailed;
  /** It is not the new program: the supervisor did not come to rest, or its own files are other ones by now. */
  ERR0502: Detailed & { readonly why?: 'busy' | 'replaced' };
  ERR0503: Detailed;
  /** What is registered is no leftover. */
  ERR0601: { readonly name: string };
  /** Who of what is left is alive. */
  ERR0602: Detailed;
  ERR0603: { readonly file: string };
  ERR0604: Detailed;
  /** What root would execute, and what helps. */
  ERR0605: Detailed & { readonly mend: string };
  /** The data directory or a file in it cannot be used. */
  ERR0701: { readonly file: string } & Detailed;
  /** Another supervisor holds the data directory. */
  ERR0702: { readonly dataDir: string; readonly pid: number };
  ERR0704: { readonly uid: number };
  /** The caller belongs, or may belong, to a confined service. */
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

/** Every code of a service's error; the type keeps it whole. */
const OF_SERVICE: Readonly<Record<ServiceError['code'], true>> = {
  ERR0022: true,
  ERR0023: true,
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

/** Whether the code is that of one service's error: a command that ends with it was carried out. */
export const isOfService = (code: ErrorCode): code is ServiceError['code'] => Object.hasOwn(OF_SERVICE, code);
