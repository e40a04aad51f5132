// The output of one run: both standard streams, and its last lines in memory. Two runs of a service may exist
// at once, each with its own outlets.
import type { OutputStream } from '../../../streams/wire/log-line.ts';
import type { Channel } from './channel.ts';
import { RecentLines } from '../recent.ts';

export class RunOutput {
  readonly stdout: Channel;
  readonly stderr: Channel;
  readonly recent = new RecentLines();

  constructor(channel: (stream: OutputStream, recent: RecentLines) => Channel) {
    this.stdout = channel('stdout', this.recent);
    this.stderr = channel('stderr', this.recent);
  }

  /** True while a process may still write. */
  reading(): boolean {
    return this.stdout.reading() || this.stderr.reading();
  }

  /** Settles when neither standard stream has a writer left and both are read to their end. */
  async drained(): Promise<void> {
    await Promise.all([this.stdout.ended(), this.stderr.ended()]);
  }
}
