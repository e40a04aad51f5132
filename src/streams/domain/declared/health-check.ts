// The health check of a service: what is probed, and how often (`docs/manifest.md`, "health_check").
import { ms, seconds, type Ms } from '../time.ts';

/** How a check learns the state of a service. A `tcp` address is a port of this machine, or `host:port`. */
export type Probe =
  | { readonly tag: 'command'; readonly command: string }
  | { readonly tag: 'http'; readonly url: string }
  | { readonly tag: 'tcp'; readonly tcp: string }
  /** Waits for a line of output that the regular expression matches. */
  | { readonly tag: 'log'; readonly log: string }
  /** Waits for `READY=1` of a process of the run (sd_notify). */
  | { readonly tag: 'notify' }
  /** Fails if no `WATCHDOG=1` comes within this time. Only for `liveness` of a check by `notify`. */
  | { readonly tag: 'watchdog'; readonly watchdog: Ms };

/**
 * What the supervisor does if a ready service fails the check. If the manifest says `restart`, the field of
 * this type is absent, and the restart policy decides.
 */
export type OnFailure = 'stop' | 'ignore';

/** One check of a service: its probe, the pauses between probes, and the limits at which it has failed. */
export interface Check {
  readonly probe: Probe;
  readonly interval: Ms;
  /** The first pause between probes of a starting service; it doubles up to `startIntervalMax`. */
  readonly startInterval: Ms;
  /**
   * The longest pause between probes of a starting service. Present if the manifest sets neither `interval`
   * nor `start_interval`; otherwise `interval` is the longest pause.
   */
  readonly startIntervalMax?: Ms;
  /** The pause between probes of a ready service, by default `interval`. `off`: it is not probed. */
  readonly afterReady?: Ms | 'off';
  readonly attemptTimeout: Ms;
  readonly totalTimeout: Ms;
  readonly retries: number;
  /**
   * What the supervisor does if a ready service fails the check. Absent: the service is stopped, and the
   * restart policy decides, as after a crash.
   */
  readonly onFailure?: OnFailure;
}

export interface HealthCheck extends Check {
  /**
   * The check that replaces the health check when the service is ready. If the health check has an
   * `afterReady` other than `off`, both checks probe the ready service.
   */
  readonly liveness?: Check;
}

/** The default values of a health check, for keys that the manifest does not set. */
export const CHECK_DEFAULTS = {
  interval: seconds(2),
  startInterval: ms(100),
  startIntervalMax: ms(500),
  attemptTimeout: seconds(30),
  totalTimeout: ms(0),
  retries: 3,
} as const satisfies Omit<Check, 'probe'>;

/**
 * True if the service itself shows that it is ready, in its output or by a message. Such a service is not
 * probed; it must be ready within a time limit.
 */
export const isAwaited = ({ probe }: Pick<Check, 'probe'>): boolean =>
  probe.tag === 'log' || probe.tag === 'notify';

/** True if the service reports its own state by sd_notify. */
export const isNotifying = (check: Pick<Check, 'probe'> | undefined): boolean =>
  check?.probe.tag === 'notify';

/** Returns the time limit for `WATCHDOG=1` messages of a ready service; `undefined` without a watchdog. */
export const watchdogOf = (check: HealthCheck | undefined): Ms | undefined =>
  check?.liveness?.probe.tag === 'watchdog' ? check.liveness.probe.watchdog : undefined;

/**
 * The default time limit within which a service must show that it is ready, if its check is `log` or
 * `notify`.
 */
export const READY_WITHIN = seconds(90);

/** Returns the probe as it is in the manifest: its key and value. */
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
