// Chooses how launchers are started. Each launcher is a Node process that needs tens of megabytes of memory
// and a whole CPU, so only a few run at once. As soon as a launch must wait, a template is started: a process
// that forks itself for each further launch, and ends when no launch came for a moment. A launch that fails
// in the template is repeated with a new process.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "As the service".
import { availableParallelism } from 'node:os';
import { type EndOf, type LaunchedChild, type LaunchRequest, startLaunched } from './launch-process.ts';
import { NotLaunched } from './launch-reports.ts';
import { newLauncher, type Template } from './start-launcher.ts';

/** Runs `work` when fewer than the maximum number of calls are running. Calls that wait are run in order. */
type FewAtOnce = <T>(work: () => Promise<T>) => Promise<T>;

interface Crowd {
  /** Called when `work` has to wait because the maximum is running. */
  readonly onWait: () => void;
  /** Called when the last running `work` has ended and none waits. */
  readonly onRest: () => void;
}

export const fewAtOnce = (most: number, { onWait, onRest }: Crowd): FewAtOnce => {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const enter = (): Promise<void> => {
    if (busy < most) {
      busy += 1;
      return Promise.resolve();
    }
    onWait();
    return new Promise((resolve) => waiting.push(resolve));
  };
  /** Lets the next waiting call run. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next !== undefined) return next();
    busy -= 1;
    if (busy === 0) onRest();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

export interface Launchers {
  /** Runs `work` as soon as one more launcher may run. */
  readonly whenFree: <T>(work: () => Promise<T>) => Promise<T>;
  /** Like `whenFree`, for repeated launches such as health checks: two within 10 s start a template. */
  readonly again: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Starts a process through a launcher. Call it only in the `work` of `whenFree` or `again`. Rejects with
   * `LaunchRefused` or `ProgramRefused`.
   */
  readonly launch: (request: LaunchRequest) => Promise<LaunchedChild>;
}

interface LauncherPorts {
  /** Starts a template, if this machine supports one. */
  readonly template: () => Template | undefined;
  readonly logError: (text: string) => void;
  readonly endOf: EndOf;
  /** Starts an ordinary launcher. */
  readonly single?: typeof newLauncher;
  /** How many launchers may run at once. */
  readonly most?: number;
  /** How long an idle template is kept, ms. */
  readonly lingerMs?: number;
  /** Returns ms of a monotonic clock. */
  readonly now?: () => number;
}

const LINGER_MS = 500;
/**
 * If services are launched again twice within this time, ms, a template is started. A template is a waiting
 * launcher. It needs memory, but each further launch is a fork of it, which costs little.
 */
const AGAIN_WITHIN_MS = 10_000;
/** The number of failed templates after which no template is started any more. */
const MOST_FAILURES = 3;

class Ahead {
  readonly #ports: LauncherPorts;
  #template: Template | undefined;
  #failures = 0;
  #rest: NodeJS.Timeout | undefined;
  #againAt = Number.NEGATIVE_INFINITY;

  constructor(ports: LauncherPorts) {
    this.#ports = ports;
  }

  /** Records a repeated launch. Starts a template if the previous repeated launch was shortly before. */
  again(): void {
    const isSoon = this.#comesAgain();
    this.#againAt = this.#now();
    if (isSoon) this.start();
  }

  #comesAgain(): boolean {
    return this.#now() - this.#againAt < AGAIN_WITHIN_MS;
  }

  #now(): number {
    return (this.#ports.now ?? (() => performance.now()))();
  }

  get template(): Template | undefined {
    return this.#template;
  }

  start(): void {
    clearTimeout(this.#rest);
    if (this.#template !== undefined || this.#failures === MOST_FAILURES) return;
    try {
      this.#template = this.#ports.template();
    } catch (error) {
      this.failed(undefined, error);
    }
  }

  /**
   * Kills and drops a failed template, and warns the first time. The other launches of the template notice
   * the end of the template, because their channels are closed.
   */
  failed(template: Template | undefined, error: unknown): void {
    template?.kill();
    if (this.#template !== template) return;
    this.#template = undefined;
    this.#failures += 1;
    if (this.#failures === 1)
      this.#ports.logError(
        `${error instanceof Error ? error.message : String(error)}: each launcher is started by itself`,
      );
  }

  rest(): void {
    clearTimeout(this.#rest);
    const linger = this.#comesAgain() ? AGAIN_WITHIN_MS : (this.#ports.lingerMs ?? LINGER_MS);
    this.#rest = setTimeout(() => {
      this.#template?.closeSocket();
      this.#template = undefined;
    }, linger).unref();
  }
}

/**
 * True if a fork of a template can serve the request: it starts exactly one program, with its output
 * redirected and without standard input.
 */
const isForCopies = ({ orders, input, output }: LaunchRequest): boolean =>
  orders.length === 1 && input === undefined && output !== undefined;

export const launchersOf = (ports: LauncherPorts): Launchers => {
  const { endOf, single = newLauncher, most = Math.max(2, availableParallelism()) } = ports;
  const ahead = new Ahead(ports);
  const launch = async (request: LaunchRequest): Promise<LaunchedChild> => {
    const { template } = ahead;
    if (template === undefined || !isForCopies(request)) return startLaunched(request, single, endOf);
    try {
      return await startLaunched(request, template.begin, endOf);
    } catch (error) {
      if (!(error instanceof NotLaunched)) throw error;
      ahead.failed(template, error);
      return startLaunched(request, single, endOf);
    }
  };
  const whenFree = fewAtOnce(most, { onWait: () => ahead.start(), onRest: () => ahead.rest() });
  const again: Launchers['again'] = (work) => {
    ahead.again();
    return whenFree(work);
  };
  return { whenFree, again, launch };
};
