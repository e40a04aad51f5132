// Writes down what happens in the output lanes that a story has, in order of time.
import type { Ms } from '../../../src/streams/domain/time.ts';
import type { Lane, Tick } from './story.ts';

export class Recorder {
  readonly #ticks = new Map<string, { at: Ms; labels: string[] }[]>();
  readonly #now: () => Ms;

  constructor(lanes: readonly Lane[], now: () => Ms) {
    this.#now = now;
    for (const { name, direction } of lanes) if (direction === 'out') this.#ticks.set(name, []);
  }

  write(lane: string, ...letters: readonly string[]): void {
    const ticks = this.#ticks.get(lane);
    const at = this.#now();
    const last = ticks?.at(-1);
    if (last?.at === at) last.labels.push(...letters);
    else ticks?.push({ at, labels: [...letters] });
  }

  /** Of what passes within one instant only the last is drawn. */
  overwrite(lane: string, ...letters: readonly string[]): void {
    const last = this.#ticks.get(lane)?.at(-1);
    if (last?.at === this.#now()) last.labels.length = 0;
    this.write(lane, ...letters);
  }

  get lanes(): ReadonlyMap<string, readonly Tick[]> {
    return this.#ticks;
  }
}
