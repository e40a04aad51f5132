// What a program may watch of a supervisor, and what it may ask of it (`docs/api.md`).
import type { Selection } from '../../streams/domain/command.ts';
import type { LogDocument, ProblemsDocument } from '../../streams/wire/documents/basic-documents.ts';
import type { DoneDocument, PlanDocument } from '../../streams/wire/documents/command-documents.ts';
import type { ConfigDocument } from '../../streams/wire/documents/config-document.ts';
import type {
  InspectDocument,
  ServiceDocument,
  StatusDocument,
} from '../../streams/wire/documents/documents.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';
import type { Goal, WaitDocument } from '../../streams/wire/documents/wait-document.ts';
import type { WhyDocument } from '../../streams/wire/documents/why-document.ts';
import type { Feed } from '../feed.ts';
import type { EventQuery, LogQuery } from '../line-feeds.ts';

/** Where the supervisor is; without keys that of this user, as for the command `sup`. */
export interface Place {
  /** The data directory; by default `SUP_DATA_DIR`, else that of the user. */
  readonly dataDir?: string;
  /** The supervisor of the machine, which runs with `--sys`. */
  readonly sys?: boolean;
  /** The path of a control socket. Logs and events are read beside it. */
  readonly socket?: string;
  /**
   * Another machine, as after `--host`: `user@box`, or with a data directory `user@box:/srv/sup`. `ssh` must
   * be able to log in by a key, and paths are those of that machine.
   */
  readonly host?: string;
  /** The program `sup`, for `kill`, `reload`, `exec` and `validate`; by default the one of this package. */
  readonly program?: string;
  /** The program, as events are to name what it asks for: `dashboard`, `mcp (claude)`. */
  readonly origin?: string;
}

/** Limits of a command. */
export interface Patience {
  /**
   * After this long, ms, the promise is rejected with ERR0111; the command itself goes on. 0, the default:
   * it waits as long as the supervisor lives.
   */
  readonly timeoutMs?: number;
}

/** Limits of a command that may change more than the services it names. */
export interface CommandLimits extends Patience {
  /**
   * Names and patterns of services. If the command would change any other service, such as a dependency that
   * it would start, it is refused as a whole (ERR0241).
   */
  readonly within?: readonly string[];
}

/** How a manifest is read from this start on. */
export interface StartOptions extends CommandLimits {
  /** The profiles whose services are started too. */
  readonly profiles?: readonly string[];
  /** Further files, each of which overrides those before it. */
  readonly files?: readonly string[];
}

export interface InspectOptions {
  /** The length of the time, up to now, whose samples are in the document, ms; absent: no samples. */
  readonly windowMs?: number;
}

export interface WaitOptions extends Patience {
  /** What to wait for; `running` by default. */
  readonly for?: Goal;
}

/** Which manifest, and how it is read; what is absent is as it was at the last `start`. */
export interface ConfigOptions {
  /** The path of the manifest; by default that of the working directory. */
  readonly manifest?: string;
  readonly profiles?: readonly string[];
  /** Further files, each of which overrides those before it. */
  readonly files?: readonly string[];
  /** The only project; by default all. */
  readonly project?: string;
  /** True: the document says of each value in which file and line it is. */
  readonly origins?: boolean;
}

export type ValidateOptions = Pick<ConfigOptions, 'manifest' | 'profiles' | 'files'>;

export interface ExecOptions extends Patience {
  /** True: only as the user of the service, without its limits and isolation. */
  readonly unconfined?: boolean;
}

/** How a command ended. */
export interface Executed {
  /** Its exit status; 128 + n after signal n. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A supervisor. Nothing is open while nothing is subscribed to and nothing is asked. All promises reject with
 * a `ClientFailure`.
 */
export interface Sup {
  /** The data directory; of another machine its name. */
  readonly dataDir: string;
  /**
   * The status of all services, complete each time, at most five times a second. Without a supervisor it is
   * what was last recorded, with `supervisor.running: false`.
   */
  readonly status$: Feed<StatusDocument>;
  /** New events, also while no supervisor runs. */
  readonly events$: Feed<EventDocument>;
  /** The metrics of the supervisor and of every service, once a second while a supervisor runs. */
  readonly metrics$: Feed<MetricsDocument>;
  /**
   * One service by its name, `web` or `shop/web`; `undefined` while there is none. ERR0006: the name fits
   * several.
   */
  readonly service$: (name: string) => Feed<ServiceDocument | undefined>;
  /** The last lines of logs, then new ones. */
  readonly logs$: (selection?: Selection, query?: LogQuery) => Feed<LogDocument>;
  /** Resolves to stored events, oldest first. */
  readonly events: (selection?: Selection, query?: EventQuery) => Promise<readonly EventDocument[]>;
  /** Without a supervisor it is what was last recorded, as for `inspect` and `why`. */
  readonly status: (selection?: Selection) => Promise<StatusDocument>;
  /** Resolves to everything that is known of services. */
  readonly inspect: (selection?: Selection, options?: InspectOptions) => Promise<InspectDocument>;
  /** Explains the states of services; without a selection those of all services in trouble. */
  readonly why: (selection?: Selection) => Promise<WhyDocument>;
  /**
   * Waits until services reach a goal. Resolves also if one of them never will, or if `timeoutMs` is over:
   * `reached` in the document says which. Rejects with ERR0206 without a supervisor, unless all are stopped.
   */
  readonly wait: (selection?: Selection, options?: WaitOptions) => Promise<WaitDocument>;
  /** Resolves to a manifest as `start` would read it, with secrets masked. */
  readonly config: (options?: ConfigOptions) => Promise<ConfigDocument>;
  /** Resolves to the changes that `apply` would make, with secrets masked unless `showValues` is true. */
  readonly plan: (
    selection?: Selection,
    options?: Patience & { readonly showValues?: boolean },
  ) => Promise<PlanDocument>;
  /** Starts services, and resolves when they are ready. */
  readonly start: (selection?: Selection, options?: StartOptions) => Promise<DoneDocument>;
  readonly stop: (selection?: Selection, patience?: Patience) => Promise<DoneDocument>;
  readonly restart: (
    selection?: Selection,
    options?: CommandLimits & { readonly withDependents?: boolean },
  ) => Promise<DoneDocument>;
  readonly apply: (selection?: Selection, limits?: CommandLimits) => Promise<DoneDocument>;
  readonly rollback: (selection: Selection, patience?: Patience) => Promise<DoneDocument>;
  /** Sets the numbers of instances: `scale({ web: 4 })`. */
  readonly scale: (counts: Readonly<Record<string, number>>, patience?: Patience) => Promise<DoneDocument>;
  /** Stops the services of a manifest and removes it from the supervisor. */
  readonly forget: (manifest: string, patience?: Patience) => Promise<DoneDocument>;
  /** Sends a signal, `TERM` by default, to the main processes of services. */
  readonly kill: (
    selection: Selection,
    options?: Patience & { readonly signal?: string },
  ) => Promise<DoneDocument>;
  /** Has services read their own configuration again, as `reload` of their manifest says. */
  readonly reload: (selection: Selection, patience?: Patience) => Promise<DoneDocument>;
  /** Runs a command as a service runs. Resolves to how it ended and what it printed. */
  readonly exec: (service: string, command: readonly string[], options?: ExecOptions) => Promise<Executed>;
  /** Resolves to the problems of a manifest, as `start` would find them. */
  readonly validate: (options?: ValidateOptions) => Promise<ProblemsDocument>;
  /** Records in `events` that the program called something that changes nothing, such as `status`. */
  readonly called: (call: string, times?: number) => Promise<void>;
  /** Stops all services and ends the supervisor. */
  readonly shutdown: (patience?: Patience) => Promise<DoneDocument>;
}
