// The interface of the library: what a program can watch and command (`docs/api.md`).
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

/** Selects a supervisor. Without keys it is the supervisor of this user, as for the command `sup`. */
export interface Place {
  /** The data directory; by default `SUP_DATA_DIR`, or if that is not set, the user's data directory. */
  readonly dataDir?: string;
  /** If true, selects the supervisor of the machine, which runs with `--sys`. */
  readonly sys?: boolean;
  /** The path of a control socket. Logs and events are read from the directory of the socket. */
  readonly socket?: string;
  /**
   * Another machine, written as for `--host`: `user@box`, or with a data directory `user@box:/srv/sup`. `ssh`
   * must be able to log in with a key. All paths are paths of that machine.
   */
  readonly host?: string;
  /** Path of the program `sup` for `kill`, `reload`, `exec`, `validate`; by default that of this package. */
  readonly program?: string;
  /** The name of the calling program in events, such as `dashboard` or `mcp (claude)`. */
  readonly origin?: string;
}

/** Limits of a command. */
export interface Patience {
  /**
   * Timeout, ms. When it expires, the promise rejects with ERR0111, but the supervisor continues the command.
   * 0, the default, means no timeout.
   */
  readonly timeoutMs?: number;
}

/** Limits of a command that may also change services that it does not name. */
export interface CommandLimits extends Patience {
  /**
   * Names and patterns of services. The command is refused as a whole (ERR0241) if it would change any other
   * service, such as a dependency that it would start.
   */
  readonly within?: readonly string[];
}

/**
 * How the manifest is read. The supervisor uses the same profiles and files each time it reads the manifest
 * again.
 */
export interface StartOptions extends CommandLimits {
  /** Profiles of the manifest. Their services are started in addition to services without a profile. */
  readonly profiles?: readonly string[];
  /** Further files, each of which overrides those before it. */
  readonly files?: readonly string[];
}

export interface InspectOptions {
  /** If it is given, the document contains the samples of the last `windowMs` milliseconds. */
  readonly windowMs?: number;
}

export interface WaitOptions extends Patience {
  /** The goal that the services must reach; `running` by default. */
  readonly for?: Goal;
}

/**
 * The manifest to read, its profiles and its files. Without profiles or files, those of the last `start` are
 * used.
 */
export interface ConfigOptions {
  /** The path of the manifest; by default that of the working directory. */
  readonly manifest?: string;
  readonly profiles?: readonly string[];
  /** Further files, each of which overrides those before it. */
  readonly files?: readonly string[];
  /** The only project to return; by default all projects. */
  readonly project?: string;
  /** If true, the document names the file and line of each value. */
  readonly origins?: boolean;
}

export type ValidateOptions = Pick<ConfigOptions, 'manifest' | 'profiles' | 'files'>;

export interface ExecOptions extends Patience {
  /** If true, the command runs as the service's user, but without the limits and isolation of the service. */
  readonly unconfined?: boolean;
}

/** How a command ended. */
export interface Executed {
  /** The exit status; 128 + n if signal n ended the command. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A supervisor. It has an open connection only during calls and subscriptions. All promises reject with a
 * `ClientFailure`.
 */
export interface Sup {
  /** The data directory; for another machine, the text given as `host`. */
  readonly dataDir: string;
  /**
   * The complete status of all services, at most five times a second. Without a supervisor it is the last
   * recorded status, with `supervisor.running: false`.
   */
  readonly status$: Feed<StatusDocument>;
  /** New events. They are read from files, so the feed also works while no supervisor runs. */
  readonly events$: Feed<EventDocument>;
  /** The metrics of the supervisor and of every service, once a second while a supervisor runs. */
  readonly metrics$: Feed<MetricsDocument>;
  /**
   * The status of one service, by a name such as `web` or `shop/web`; `undefined` while no service has this
   * name. Fails with ERR0006 if several services have the name.
   */
  readonly service$: (name: string) => Feed<ServiceDocument | undefined>;
  /** The last lines of logs, followed by new lines. */
  readonly logs$: (selection?: Selection, query?: LogQuery) => Feed<LogDocument>;
  /** Resolves to stored events, oldest first. */
  readonly events: (selection?: Selection, query?: EventQuery) => Promise<readonly EventDocument[]>;
  /** Resolves to the status. Without a supervisor, `status`, `inspect` and `why` return recorded data. */
  readonly status: (selection?: Selection) => Promise<StatusDocument>;
  /** Resolves to everything that is known of services. */
  readonly inspect: (selection?: Selection, options?: InspectOptions) => Promise<InspectDocument>;
  /** Explains the states of the selected services, or without a selection, of all services in trouble. */
  readonly why: (selection?: Selection) => Promise<WhyDocument>;
  /**
   * Waits until services reach a goal. It also resolves when a service can no longer reach the goal, or after
   * `timeoutMs`: `reached` and `timed_out` in the document say which. Without a supervisor it rejects with
   * ERR0206, unless the goal is `stopped` and the records show that all services have stopped.
   */
  readonly wait: (selection?: Selection, options?: WaitOptions) => Promise<WaitDocument>;
  /** Resolves to a manifest in the form in which `start` would read it, with secrets masked. */
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
  /** Makes services read their own configuration again, with the command or signal of the key `reload`. */
  readonly reload: (selection: Selection, patience?: Patience) => Promise<DoneDocument>;
  /**
   * Runs a command with the user, environment, limits and isolation of a service. Resolves to its exit status
   * and output.
   */
  readonly exec: (service: string, command: readonly string[], options?: ExecOptions) => Promise<Executed>;
  /** Resolves to the problems that `start` would find in a manifest. */
  readonly validate: (options?: ValidateOptions) => Promise<ProblemsDocument>;
  /**
   * Records an event about a call of this program that changes nothing. `call`: its name, such as `status`.
   * `times`: how often this program has made the call.
   */
  readonly called: (call: string, times?: number) => Promise<void>;
  /** Stops all services and ends the supervisor. */
  readonly shutdown: (patience?: Patience) => Promise<DoneDocument>;
}
