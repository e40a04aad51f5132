// One campaign: rounds of commands, kills and edits, each followed by a pause in which everything must agree.
// In the end everything is shut down, no process may be left, and every line must be there.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../scenarios/support/eventually.ts';
import { kinOf } from '../scenarios/support/kin.ts';
import { serviceLog, supervisorLog } from '../scenarios/support/logs.ts';
import { openStage, type Stage } from '../scenarios/support/stage.ts';
import { look, type Look } from './agreement.ts';
import { answering, Blows } from './blows.ts';
import { ANCHOR, manifestOf, NAMES, WRITERS, type Name } from './cast.ts';
import { chanceOf } from './chance.ts';
import { Ledger, type Account } from './lines.ts';
import { Model } from './model.ts';
import { Clients } from './orders.ts';
import { roundOf, type Round } from './plan.ts';

export interface Limits {
  readonly seconds: number;
  readonly kills: number;
  /** True once the campaign must end. */
  readonly over?: () => boolean;
}

export interface Report {
  readonly seed: number;
  readonly rounds: number;
  readonly kills: number;
  readonly commands: number;
  readonly runs: number;
  readonly words: number;
  /** How long a supervisor that was killed alone was away, in milliseconds. */
  readonly away: readonly number[];
  /** What is wrong; nothing, if all is well. */
  readonly faults: readonly string[];
}

const SETTLE_MS = 60_000;

class Campaign {
  readonly stage: Stage = openStage();
  readonly model = new Model();
  readonly blows = new Blows(this.stage);
  readonly clients = new Clients(this.stage, this.model);
  readonly faults: string[] = [];
  rounds = 0;
  #edition = 0;
  #last: Look | undefined;

  async begin(): Promise<void> {
    this.stage.settings('<timeouts><startup_stability_ms>50</startup_stability_ms></timeouts>');
    this.stage.declare(manifestOf(0));
    const { status, stderr } = await this.stage.sup(
      'start',
      '--daemonize',
      '-c',
      'sup.yaml',
      '--service',
      ANCHOR,
    );
    if (status !== 0) throw new Error(`nothing starts: ${stderr}`);
    // `exits` cannot be started well.
    await this.stage.sup('start', '--daemonize');
    await this.#settle();
  }

  async play(round: Round): Promise<void> {
    this.rounds += 1;
    this.blows.struck.clear();
    const before = this.#last?.services;
    await Promise.all([
      this.clients.type(round.orders),
      ...round.blows.map(async (blow) => pause(blow.at).then(() => this.blows.deal(blow))),
      this.#edit(round.edit),
    ]);
    await this.#revive();
    if (round.edit !== undefined) await this.#takeUpEdition();
    await this.#settle();
    this.#expectUntouched(round, before);
    this.faults.push(...this.clients.strange.splice(0).map((text) => `round ${this.rounds}: ${text}`));
  }

  async end(): Promise<readonly Account[]> {
    const outcome = await this.stage.sup('shutdown');
    if (outcome.status !== 0) this.faults.push(`shutdown: ${outcome.stderr}`);
    await eventually(
      { what: 'nobody left', look: () => (kinOf(this.stage).length === 0 ? true : undefined) },
      SETTLE_MS,
    ).catch(() =>
      this.faults.push(
        `left after shutdown: ${kinOf(this.stage)
          .map(({ pid, command }) => `${pid} ${command}`)
          .join('; ')}`,
      ),
    );
    return WRITERS.map((name) => this.#accountOf(name));
  }

  /** Removes all its processes and files. */
  clear(keep: boolean): void {
    for (const { pid } of kinOf(this.stage)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    if (!keep) rmSync(this.stage.root, { recursive: true, force: true });
  }

  log(): readonly string[] {
    return supervisorLog(this.stage).slice(-60);
  }

  runs(): number {
    return [...(this.#last?.services.values() ?? [])].reduce((sum, { run }) => sum + run, 0);
  }

  async #edit(at: number | undefined): Promise<void> {
    if (at === undefined) return;
    await pause(at);
    this.#edition += 1;
    // Whole, or not at all: a command that comes in that moment reads it, too.
    this.stage.declare(manifestOf(this.#edition), 'edited.yaml');
    renameSync(join(this.stage.work, 'edited.yaml'), join(this.stage.work, 'sup.yaml'));
  }

  /** Starts a supervisor if both were killed and no command came after. */
  async #revive(): Promise<void> {
    const patience = 3_000;
    const there = await eventually(
      { what: 'a supervisor', look: () => answering(this.stage) },
      patience,
    ).catch(() => undefined);
    if (there !== undefined) return;
    const { status, stderr } = await this.stage.sup('start', '--daemonize', '--service', ANCHOR);
    if (status !== 0) this.faults.push(`round ${this.rounds}: no supervisor comes: ${stderr}`);
  }

  async #takeUpEdition(): Promise<void> {
    const { status, stderr } = await this.stage.sup('restart', '--service', 'edited');
    if (status !== 0) this.faults.push(`round ${this.rounds}: restart of edited: ${stderr}`);
    this.model.ordered('edited', 'restart', status === 0);
    const [leader] = this.stage.members('edited').filter((one) => one.leader);
    const environment = readFileSync(`/proc/${leader?.pid ?? 0}/environ`, 'utf8').split('\0');
    if (!environment.includes(`EDITION=${this.#edition}`))
      this.faults.push(`round ${this.rounds}: edited has an old edition`);
  }

  async #settle(): Promise<void> {
    let last: Look | undefined;
    const settled = eventually(
      {
        what: 'agreement',
        look: async () => {
          last = await look(this.stage, this.model);
          return last?.wrong.length === 0 ? last : undefined;
        },
      },
      SETTLE_MS,
    );
    const found = await settled.catch(() => undefined);
    if (found === undefined)
      this.faults.push(`round ${this.rounds}: ${(last?.wrong ?? ['nobody answers']).join('; ')}`);
    for (const name of NAMES) {
      const wanted = last?.services.get(name)?.wanted;
      if (wanted !== undefined) this.model.found(name, wanted);
    }
    this.#last = last;
  }

  /** A service that was neither named nor killed has the same process as before. */
  #expectUntouched({ orders, edit }: Round, before: Look['services'] = new Map()): void {
    const edited = edit === undefined ? [] : ['edited'];
    const touched = new Set([...this.blows.struck, ...orders.map(({ name }) => name), ...edited, 'exits']);
    const now = this.#last?.services;
    const changed = [...before].filter(
      ([name, { pid }]) => !touched.has(name) && now?.get(name)?.pid !== pid,
    );
    this.faults.push(...changed.map(([name]) => `round ${this.rounds}: ${name} is another process`));
  }

  #accountOf(name: Name): Account {
    const ledger = new Ledger();
    serviceLog(this.stage, name).forEach((line) => ledger.line(line));
    for (const file of readdirSync(this.stage.work).filter((each) => each.startsWith(`${name}.`)))
      ledger.told(file.slice(name.length + 1), Number(readFileSync(join(this.stage.work, file), 'utf8')));
    const account = ledger.account();
    const { lost, doubled, torn, wrong } = account;
    if (lost + doubled + torn > 0)
      this.faults.push(`${name}: ${lost} lost, ${doubled} doubled, ${torn} torn: ${wrong.join('; ')}`);
    return account;
  }
}

/** Plays until the time is over or enough were killed. A seed plays the same rounds, at the speed of the machine. */
export const playCampaign = async (
  seed: number,
  limits: Limits,
  say: (text: string) => void,
): Promise<Report> => {
  const chance = chanceOf(seed);
  const campaign = new Campaign();
  const until = performance.now() + limits.seconds * 1_000;
  let words = 0;
  try {
    await campaign.begin();
    const goesOn = (): boolean =>
      performance.now() < until && campaign.blows.killed < limits.kills && limits.over?.() !== true;
    while (goesOn() && campaign.faults.length === 0) await campaign.play(roundOf(chance));
    words = (await campaign.end()).reduce((sum, account) => sum + account.words, 0);
  } catch (error) {
    campaign.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const keep = campaign.faults.length > 0;
  if (keep) say([`kept: ${campaign.stage.root}`, ...campaign.log()].join('\n'));
  campaign.clear(keep && existsSync(campaign.stage.root));
  const { rounds, faults, blows, clients } = campaign;
  return {
    seed,
    rounds,
    kills: blows.killed,
    commands: clients.typed,
    runs: campaign.runs(),
    words,
    away: blows.away,
    faults,
  };
};
