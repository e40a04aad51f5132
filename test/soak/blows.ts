// The targets of SIGKILL, and how long a supervisor that was killed alone takes to answer again.
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../src/client/client.ts';
import { membersOf } from '../scenarios/support/kin.ts';
import type { Stage } from '../scenarios/support/stage.ts';
import { kill, killOnlySupervisor, strikeAll, supervisors } from '../scenarios/support/supervisors.ts';
import type { Name } from './cast.ts';
import type { Blow } from './plan.ts';

/** The pid of the supervisor that answers. */
export const answering = async ({ data }: Pick<Stage, 'data'>): Promise<number | undefined> => {
  try {
    const client = await connect(data, { timeout: 2_000 });
    client.close();
    return client.hello.pid;
  } catch {
    return undefined;
  }
};

/** A guardian pauses after a third death within seconds: then it is hit too, so that the next one is a new one. */
const PATIENT_MS = 12_000;

export class Blows {
  /** Of processes, not of blows. */
  killed = 0;
  /** How long each supervisor that was hit alone was away, in milliseconds. */
  readonly away: number[] = [];
  readonly struck = new Set<Name>();
  readonly #stage: Stage;
  #alone: number[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async deal(blow: Blow): Promise<void> {
    if ('name' in blow) this.#services(blow);
    else if (blow.tag === 'both') this.#both();
    else await this.#supervisor();
  }

  #services({ tag, name }: Extract<Blow, { readonly name: Name }>): void {
    this.#members(name, tag === 'member' ? 'any' : 'leader');
    if (tag === 'with') this.#both();
  }

  #both(): void {
    const struck = strikeAll(this.#stage);
    this.killed += struck.length;
    this.#alone = [];
  }

  async #supervisor(): Promise<void> {
    const now = performance.now();
    this.#alone = this.#alone.filter((at) => now - at < PATIENT_MS);
    if (this.#alone.length === 2) {
      this.#both();
      return;
    }
    const before = await answering(this.#stage);
    if (before !== undefined) await this.#strikeAlone(before);
  }

  /** Settles when another supervisor answers, or when no guardian is left to restart one. */
  async #strikeAlone(before: number): Promise<void> {
    const began = performance.now();
    this.#alone.push(began);
    killOnlySupervisor(this.#stage);
    this.killed += 1;
    for (let waited = 0; waited < PATIENT_MS; waited = performance.now() - began) {
      // Both were killed meanwhile: no guardian restarts this one.
      if (supervisors(this.#stage).length === 0) return;
      const after = await answering(this.#stage);
      if (after !== undefined && after !== before) {
        this.away.push(performance.now() - began);
        return;
      }
      await pause(5);
    }
  }

  #members(name: Name, who: 'leader' | 'any'): void {
    const members = membersOf(this.#stage.data).filter(({ service }) => service === `__loose__/${name}`);
    const victims = who === 'leader' ? members.filter(({ leader }) => leader) : members;
    const victim = victims.at(-1);
    if (victim === undefined) return;
    kill(victim);
    this.killed += 1;
    this.struck.add(name);
  }
}
