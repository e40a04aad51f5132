// Services that scenarios declare again and again. Quick to stop, so that a scenario takes no longer than what it shows.
import { resolve } from 'node:path';
import type { Json } from './stage.ts';

export type Declared = Readonly<Record<string, Json>>;

const QUICK: Declared = { stop_timeout: '1s' };

/** A program of test/fixtures/scenarios. */
export const fixture = (name: string): string => resolve('test/fixtures/scenarios', name);

/** Settings in which a service that exits at once does so before it is ready, also on a busy machine. */
export const EARLY = '<timeouts><startup_stability_ms>3000</startup_stability_ms></timeouts>';

/** Runs until it is stopped. */
export const steady = (more: Declared = {}): Declared => ({ ...QUICK, exec: ['sleep', '1000'], ...more });

/** Runs in a shell. */
export const shell = (command: string, more: Declared = {}): Declared => ({ ...QUICK, command, ...more });

/** A program of the fixtures in sh, with arguments. */
export const script = (name: string, args: readonly string[] = [], more: Declared = {}): Declared => ({
  ...QUICK,
  exec: ['sh', fixture(name), ...args],
  ...more,
});

/** A program of the fixtures in Node, with arguments. */
export const program = (name: string, args: readonly string[] = [], more: Declared = {}): Declared => ({
  ...QUICK,
  exec: [process.execPath, fixture(name), ...args],
  ...more,
});

/**
 * For a service that ends by itself: it is not ready before its end, however long its program takes. Without a check
 * it would be ready if its program takes longer than `startup_stability_ms`.
 */
export const UNREADY: Declared = { deployment: { health_check: { log: '^ready$' } } };

/** Loose services. */
export const loose = (services: Readonly<Record<string, Declared>>): Declared => ({ services });

/** One project. */
export const project = (id: string, services: Readonly<Record<string, Declared>>): Declared => ({
  projects: { [id]: { services } },
});
