// Properties of the machine that influence the figures.
import { cpus, loadavg, release, totalmem } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly memoryGib: number;
  readonly kernel: string;
  readonly node: string;
  /** Load average of the last minute, read before the first workload. */
  readonly load: number;
}

export const thisMachine = (): Machine => ({
  cores: cpus().length,
  memoryGib: Math.round(totalmem() / 2 ** 30),
  // The kernel release without the distribution's suffix.
  kernel: /^[\d.]+/.exec(release())?.[0] ?? release(),
  node: process.version,
  load: loadavg()[0] ?? 0,
});
