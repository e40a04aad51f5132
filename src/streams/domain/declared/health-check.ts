// The health check of a service: what is probed, and how often (`docs/manifest.md`, "health_check").
import { ms, seconds, type Ms } from '../time.ts';

/** What a check asks. A `tcp` address is a port of this machine, or `host:port`. */
export type Probe =
  | { readonly tag: 'command'; readonly command: string }
  | { readonly tag: 'http'; readonly url: string }
  | { readonly tag: 'tcp'; readonly tcp: string }
  /** Waits for a line of output that the regular expression matches. */
  | { readonly tag: 'log'; readonly log: string }
  /** Waits for `READY=1` of a process of the run (sd_notify). */
  | { readonly tag: 'notify' }
  /** Fails if no `WATCHDOG=1` comes within this time. Only in `liveness`, beside `notify`. */
  | { readonly tag: 'watchdog'; readonly watchdog: Ms };

/** What a failure after readiness does, unless the policy of restarts decides (`restart`). */
export type OnFailure = 'stop' | 'ignore';

/** One check of a service: what it asks, how often, and when it has failed. */
export interface Check {
  readonly probe: Probe;
  readonly interval: Ms;
  /** The first pause between probes of a starting service; it doubles up to `startIntervalMax`. */
  readonly startInterval: Ms;
  /**
   * The longest pause between probes of a starting service, by default `interval`. Present if the manifest
   * sets neither `interval` nor `start_interval`.
   */
  readonly startIntervalMax?: Ms;
  /** The pause between probes of a ready service, by default `interval`. `off`: it is not probed. */
  readonly afterReady?: Ms | 'off';
  readonly attemptTimeout: Ms;
  readonly totalTimeout: Ms;
  readonly retries: number;
  /** What follows if a ready service fails the check; absent: it is stopped as by a crash. */
  readonly onFailure?: OnFailure;
}

export interface HealthCheck extends Check {
  /** Asks a ready service whether it is alive, instead of the health check unless that has `afterReady`. */
  readonly liveness?: Check;
}

/** What a health check has unless the manifest says otherwise. */
export const CHECK_DEFAULTS = {
  interval: seconds(2),
  startInterval: ms(100),
  startIntervalMax: ms(500),
  attemptTimeout: seconds(30),
  totalTimeout: ms(0),
  retries: 3,
} as const satisfies Omit<Check, 'probe'>;

/** True if the service shows by itself that it is ready: nothing is asked, and a time limit decides. */
export const isAwaited = ({ probe }: Pick<Check, 'probe'>): boolean =>
  probe.tag === 'log' || probe.tag === 'notify';

/** True if the service reports its own state by sd_notify. */
export const isNotifying = (check: Pick<Check, 'probe'> | undefined): boolean =>
  check?.probe.tag === 'notify';

/** Returns the time within which a ready service has to send `WATCHDOG=1`. */
export const watchdogOf = (check: HealthCheck | undefined): Ms | undefined =>
  check?.liveness?.probe.tag === 'watchdog' ? check.liveness.probe.watchdog : undefined;

/** How long a service may take to show that it is ready, unless the manifest says otherwise. */
export const READY_WITHIN = seconds(90);

/** What is probed, with the key of the manifest that names it. */
export const probeWords = (probe: Probe): Readonly<Record<string, string>> => {
  switch (probe.tag) {
    case 'command':
      return { command: probe.command };
    case 'http':
      return { url: probe.url };
    case 'tcp':
      return { tcp: probe.tcp };
    case 'log':
      return { log: probe.log };
    case 'notify':
      return { notify: 'true' };
    case 'watchdog':
      return { watchdog: probe.watchdog % 1000 === 0 ? `${probe.watchdog / 1000}s` : `${probe.watchdog}ms` };
  }
};
