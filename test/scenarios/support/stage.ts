// The stage of one scenario: a data directory and a work directory of its own, the built `sup`, and what it tells.
import { chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { InspectDocument, StatusDocument } from '../../../src/streams/wire/documents/documents.ts';
import { launch, type Outcome, type Running } from './command.ts';
import { eventually } from './eventually.ts';
import { kinOf, membersOf, type Member, type Place } from './kin.ts';
import type { Process } from './process-table.ts';
import { expectSchema } from './schemas.ts';

/** The program under test; a build elsewhere can be named. */
const PROGRAM = resolve(process.env['SUP_UNDER_TEST'] ?? 'dist/sup.js');
/** For a command that takes a second: a busy machine may take many times as long. */
const LIMIT_MS = 90_000;
/** What is not waited for may live as long as its scenario. */
const LIFE_MS = 240_000;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface Stage extends Place {
  /** Where manifests lie, commands run and services work. */
  readonly work: string;
  /** Writes `work/<file>` and returns its path. */
  write(file: string, text: string): string;
  /** Writes a manifest of version 2; `sup.yaml` unless another file is named. */
  declare(manifest: Readonly<Record<string, Json>>, file?: string): string;
  /** Writes `supervisor.xml`; only before the first start. */
  settings(elements: string): void;
  /** Runs `sup` to its end; again if it shows the records because a busy supervisor did not answer within a second. */
  sup(...args: readonly string[]): Promise<Outcome>;
  /** `sup …` as a line for a shell. */
  line(...args: readonly string[]): string;
  /** Starts `sup` and does not wait for it. */
  begin(args: readonly string[], more?: More): Running;
  /** `sup status --json` with its exit status. */
  status(): Promise<{ readonly status: number | undefined; readonly document: StatusDocument }>;
  inspect(service: string): Promise<InspectDocument>;
  /** The live processes of its services. */
  members(service?: string): readonly Member[];
  /** Every process that was ever seen to belong to it. */
  readonly seen: ReadonlyMap<string, Process>;
  readonly outcomes: readonly Outcome[];
  readonly running: ReadonlySet<Running>;
  /** What bugs say that the scenario has put there. */
  readonly meant: Set<string>;
  /** From now on nothing is begun: a play that hung and was given up may wake again. */
  close(): void;
}

interface More {
  readonly limit?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** A command that becomes its arguments. */
  readonly through?: readonly string[];
}

const parsed = ({ line, stdout, stderr }: Outcome): unknown => {
  try {
    return JSON.parse(stdout) as unknown;
  } catch {
    throw new Error(`${line} printed no document: ${stdout}\n${stderr}`);
  }
};

const ANSWER_MS = 30_000;

/** The records are shown, although a supervisor runs. */
const isUnanswered = ({ status, stdout, stderr }: Outcome): boolean =>
  status === 3 && /\bERR0205\b|does not answer/.test(stdout + stderr);

const documentsIn = ({ stdout, stderr }: Outcome): readonly object[] =>
  `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => line.startsWith('{"schema":"sup.'))
    .map((line) => JSON.parse(line) as object);

const makePlace = (): Place & { readonly work: string } => {
  const root = mkdtempSync(join(tmpdir(), 's-'));
  const place = { root, data: join(root, 'd'), work: join(root, 'w') };
  mkdirSync(place.data, { mode: 0o700 });
  mkdirSync(place.work);
  return place;
};

/** The user that types the commands, if it is not the user of the tests. */
export interface Actor {
  /** Whose the place is. */
  readonly uid: number;
  readonly gid: number;
  /** A command that executes its arguments as another user or in another place. */
  readonly through: readonly string[];
}

export const openStage = (actor?: Actor): Stage => {
  const place = makePlace();
  const { root, data, work } = place;
  if (actor !== undefined) for (const path of [root, data, work]) chownSync(path, actor.uid, actor.gid);
  const seen = new Map<string, Process>();
  const outcomes: Outcome[] = [];
  const running = new Set<Running>();
  const environment = { PATH: process.env['PATH'] ?? '', HOME: root, SUP_DATA_DIR: data };
  const remember = (processes: readonly Process[]): void =>
    processes.forEach((one) => seen.set(`${one.pid}:${one.startTicks}`, one));

  let over = false;
  const begin: Stage['begin'] = (args, more = {}) => {
    if (over) throw new Error('the scenario is over');
    const begun = launch({
      argv: [...(actor?.through ?? []), ...(more.through ?? []), process.execPath, PROGRAM, ...args],
      directory: more.directory ?? work,
      environment: { ...environment, ...more.environment },
      limit: more.limit ?? LIFE_MS,
      line: `sup ${args.join(' ')}`,
    });
    running.add(begun);
    void begun.ended
      .then((outcome) => outcomes.push(outcome))
      .catch(() => undefined)
      .finally(() => running.delete(begun));
    return begun;
  };
  const sup: Stage['sup'] = async (...args) => {
    const outcome = await eventually(
      {
        what: `an answer of the supervisor to ${args.join(' ')}`,
        look: async () => {
          const answer = await begin(args, { limit: LIMIT_MS }).ended;
          return isUnanswered(answer) ? undefined : answer;
        },
      },
      ANSWER_MS,
    );
    remember(kinOf(place));
    // Whatever a scenario is about: what it was told is what the schemas say.
    documentsIn(outcome).forEach(expectSchema);
    return outcome;
  };
  const write: Stage['write'] = (file, text) => {
    const path = join(work, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (actor !== undefined) chownSync(path, actor.uid, actor.gid);
    return path;
  };
  // The shapes are the program's promise; every scenario looks at the fields it is about.
  return {
    ...place,
    seen,
    outcomes,
    running,
    meant: new Set(),
    write,
    begin,
    sup,
    line: (...args) => [process.execPath, PROGRAM, ...args].join(' '),
    close: () => {
      over = true;
    },
    declare: (manifest, file = 'sup.yaml') =>
      write(file, JSON.stringify({ version: '2', ...manifest }, undefined, 2)),
    settings: (elements) =>
      writeFileSync(join(data, 'supervisor.xml'), `<supervisor>${elements}</supervisor>`, { mode: 0o600 }),
    status: async () => {
      const outcome = await sup('status', '--json');
      return { status: outcome.status, document: parsed(outcome) as StatusDocument };
    },
    inspect: async (service) =>
      parsed(await sup('inspect', '--json', '--service', service)) as InspectDocument,
    members: (service) => {
      const members = membersOf(data);
      remember(members);
      return service === undefined
        ? members
        : members.filter((member) => member.service === fullName(service));
    },
  };
};

/** `web` is a loose service, `shop/web` one of a project. */
export const fullName = (service: string): string =>
  service.includes('/') ? service : `__loose__/${service}`;
