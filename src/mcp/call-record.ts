// Records the calls that only read, so that `sup events` shows what an agent has looked at: the first call of
// each tool at once, then at most one event a minute with the number of calls.

const WINDOW_MS = 60_000;

/** `times`: the calls since the last record. */
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

  /** Records a call. Rejects if the supervisor cannot: it does not run, or is older. */
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

  /** Records what was counted and not sent. */
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

  /** Records what was counted. If the supervisor is away, it is counted again and recorded later. */
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
