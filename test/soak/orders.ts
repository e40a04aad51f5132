// Four clients, each of which types one command after the other, and what the model learns of it.
import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../scenarios/support/stage.ts';
import { CLIENTS } from './cast.ts';
import type { Model } from './model.ts';
import type { Order } from './plan.ts';

/** Errors of a command during a kill: it was interrupted, or what it waited for has died. */
const CUT_OFF = /\bERR(0206|0205|0102|0103|0105|0107|0109|0110|0111|0112|0115|0702)\b/;

const wordsOf = ({ word, name }: Order): readonly string[] => [
  word,
  ...(word === 'start' ? ['--daemonize'] : []),
  '--service',
  name,
];

export class Clients {
  typed = 0;
  /** Unexplained findings, in words. */
  readonly strange: string[] = [];
  readonly #stage: Stage;
  readonly #model: Model;

  constructor(stage: Stage, model: Model) {
    this.#stage = stage;
    this.#model = model;
  }

  /** Settles when every client has typed what is its own. */
  async type(orders: readonly Order[]): Promise<void> {
    await Promise.all(
      CLIENTS.map((_, client) => this.#one(orders.filter((order) => order.client === client))),
    );
  }

  async #one(orders: readonly Order[]): Promise<void> {
    for (const order of orders) {
      await pause(order.after);
      this.typed += 1;
      const { status, signal, stderr, line } = await this.#stage.begin(wordsOf(order)).ended;
      this.#model.ordered(order.name, order.word, status === 0);
      if (order.word !== 'status' && status !== 0 && !CUT_OFF.test(stderr))
        this.strange.push(`${line} ended with ${status ?? signal ?? ''}: ${stderr.trim()}`);
    }
  }
}
