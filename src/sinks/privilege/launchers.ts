// Where launchers come from. A few privileged starts get one each, started for them. As soon as one has to wait for the
// others it is a bulk: a template is started ahead, and the rest are copies of it. It is let go when nobody has been
// launched for a moment. What it fails at, an ordinary launcher does: nothing was run then.
import { availableParallelism } from 'node:os';
import type { EndOf, LaunchedChild, LaunchRequest } from './launched.ts';
import { startLaunched } from './launched.ts';
import { fewAtOnce } from './few-at-once.ts';
import { newLauncher } from './new-launcher.ts';
import { NotLaunched } from './reports.ts';
import type { Template } from './template.ts';

export interface Launchers {
  /** Does it when there is room for one launcher more. */
  readonly inPlace: <T>(work: () => Promise<T>) => Promise<T>;
  /** The same, for a launch that comes again and again, as that of a health check does: it keeps a template. */
  readonly again: <T>(work: () => Promise<T>) => Promise<T>;
  /** For who has a place. Rejects with `LaunchFailed` or `ProgramRefused`. */
  readonly launch: (request: LaunchRequest) => Promise<LaunchedChild>;
}

interface LauncherPorts {
  /** Starts one; `undefined` where there can be none. */
  readonly template: () => Template | undefined;
  readonly onTrouble: (text: string) => void;
  readonly endOf: EndOf;
  /** An ordinary one. */
  readonly single?: typeof newLauncher;
  /** At once. */
  readonly most?: number;
  /** How long a template is kept with nothing to do. */
  readonly lingerMs?: number;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
}

const LINGER_MS = 500;
/** A copy costs a tenth of a start, and a template some memory: launches that are further apart get none. */
const AGAIN_WITHIN_MS = 10_000;
/** Templates that failed; after that there are no more of them. */
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

  /** One of those that come again and again: from the second within the time on there is a template. */
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

  /** Those that are under way notice it themselves. */
  failed(template: Template | undefined, error: unknown): void {
    template?.kill();
    if (this.#template !== template) return;
    this.#template = undefined;
    this.#failures += 1;
    if (this.#failures === 1)
      this.#ports.onTrouble(
        `${error instanceof Error ? error.message : String(error)}: each launcher is started by itself`,
      );
  }

  rest(): void {
    clearTimeout(this.#rest);
    const linger = this.#comesAgain() ? AGAIN_WITHIN_MS : (this.#ports.lingerMs ?? LINGER_MS);
    this.#rest = setTimeout(() => {
      this.#template?.letGo();
      this.#template = undefined;
    }, linger).unref();
  }
}

/** A copy of a template cannot go through a program of its own on its way, as into a user namespace, and has no input. */
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
  const inPlace = fewAtOnce(most, { onWait: () => ahead.start(), onRest: () => ahead.rest() });
  const again: Launchers['again'] = (work) => {
    ahead.again();
    return inPlace(work);
  };
  return { inPlace, again, launch };
};
