// Records calls that only read, so that `sup events` shows what an agent has read. The first call of a tool
// is recorded at once. Later calls of this tool are counted, and their number is recorded once a minute.

const WINDOW_MS = 60_000;

/**
 * The minute after a call was recorded. `times`: the number of further calls in this minute. They are not
 * recorded yet.
 */
interface Window {
  readonly timer: NodeJS.Timeout;
  times: number;
}

type Send = (call: string, times: number) => Promise<void>;

export class CallRecord {
  readonly #send: Send;
  readonly #windows = new Map<string, Window>();

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Records a call, or counts it if a call of the same tool was recorded in the last minute. Rejects if no
   * supervisor runs, or if the supervisor is too old to record calls.
   */
  async note(call: string): Promise<void> {
    const window = this.#windows.get(call);
    if (window !== undefined) {
      window.times += 1;
      return;
    }
    this.#open(call);
    try {
      await this.#send(call, 1);
    } catch (error) {
      clearTimeout(this.#windows.get(call)?.timer);
      this.#windows.delete(call);
      throw error;
    }
  }

  /** Records the numbers of calls that were counted but not recorded yet. */
  async end(): Promise<void> {
    const counted = [...this.#windows].filter(([, { times }]) => times > 0);
    for (const { timer } of this.#windows.values()) clearTimeout(timer);
    this.#windows.clear();
    const rest = counted.map(([call, { times }]) => this.#send(call, times));
    await Promise.allSettled(rest);
  }

  #open(call: string): void {
    const timer = setTimeout(() => void this.#close(call), WINDOW_MS).unref();
    this.#windows.set(call, { timer, times: 0 });
  }

  /** Records the counted calls. If the supervisor does not answer, the count is kept for the next minute. */
  async #close(call: string): Promise<void> {
    const times = this.#windows.get(call)?.times ?? 0;
    this.#windows.delete(call);
    if (times === 0) return;
    this.#open(call);
    try {
      await this.#send(call, times);
    } catch {
      const window = this.#windows.get(call);
      if (window !== undefined) window.times += times;
    }
  }
}
