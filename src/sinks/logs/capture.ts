// Captures the output of services, hooks and children (`docs/behaviour.md`, "Output", and "Children that a
// service asks for", "Its output"): reads it from FIFOs and writes it to one rotated log per service. With
// `sink: none` there is no log, and only the last lines are kept in memory.
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DescriptorBudget } from '../../os/descriptor-budget.ts';
import { defer, of, type Observable } from 'rxjs';
import type { Evidence } from '../../streams/domain/errors/error.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { ChildOutput, Living, Outlets } from '../../streams/domain/ports.ts';
import type { FifoPair } from '../../streams/domain/service/process.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { layoutOf, type Layout } from '../../streams/wire/layout.ts';
import { finishWrite } from './buffer/finish-write.ts';
import { OutputSlots, type TakenSlots } from './buffer/output-slots.ts';
import { Departed, flooded, type Flooded } from './capture-cleanup.ts';
import { Adoption } from './fifo/adopted-output.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { Over } from './intake.ts';
import { FifoHolder, type OpenFifo } from './fifo/fifo-holder.ts';
import { channelNamed, ownerOf, ownFifos, slotName } from './fifo/output-names.ts';
import { fifoMaker, type MakeFifos } from './fifo/make-fifos.ts';
import { RotatedFile } from './file/log-file.ts';
import { LogUpkeep } from './file/log-upkeep.ts';
import { LogWriter } from './file/log-writer.ts';
import { pairedOutlets, sharedOutlets } from './fifo/fifo-ends.ts';
import { Liner, moments } from './log-lines.ts';
import { nodeDisk } from './file/rotate-log.ts';
import { SpareDescriptor } from './file/spare-descriptor.ts';
import { ServiceLog, type StreamName, type Workbench } from './service-log.ts';
import {
  type CapturePorts,
  type FileCapture,
  type Logged,
  type LogError,
  refusedText,
  rulesOf,
  withSizesOf,
} from './capture-ports.ts';

/** Size of the read buffer for output without a log, bytes: as much as a pipe holds. */
const READ_BYTES = 64 * 1024;

/** The log of a service and the newest spec of the service. */
interface Entry {
  spec: Logged;
  readonly log: ServiceLog;
}

/** The interval of the checks whether all output has ended, while capture is being closed, ms. */
const ON_ITS_WAY_MS = 20;
/** The maximum duration of these checks, ms. */
const LAST_ENDS_MS = 300;

class Logs implements FileCapture {
  readonly #ports: CapturePorts;
  readonly #logError: LogError;
  readonly #layout: Layout;
  readonly #makeFifos: MakeFifos;
  readonly #bench: Workbench;
  readonly #slots: OutputSlots;
  readonly #descriptorBudget: DescriptorBudget;
  readonly #reserve: SpareDescriptor;
  readonly #flooded: Flooded = flooded();
  readonly #holder: FifoHolder;
  readonly #entries = new Map<ServiceId, Entry>();
  readonly #adoption: Adoption;
  readonly #upkeep: LogUpkeep;
  readonly #departed = new Departed({
    isSilent: (id) => this.#entries.get(id)?.log.isSilent ?? true,
    drop: (id) => this.#drop(id),
  });

  constructor(ports: CapturePorts) {
    this.#ports = ports;
    this.#logError = ports.logError ?? (() => undefined);
    this.#descriptorBudget = ports.descriptorBudget ?? new DescriptorBudget();
    this.#reserve = new SpareDescriptor(this.#descriptorBudget);
    this.#layout = layoutOf(ports.dataDir);
    this.#makeFifos = fifoMaker(this.#logError, ports.libc);
    this.#holder = new FifoHolder({
      dataDir: ports.dataDir,
      pidFile: this.#layout.fifoHolderPid,
      silence: this.#layout.silence,
      makeFifos: this.#makeFifos,
      kept: () => this.#read(),
      isScarce: () => this.#descriptorBudget.isScarce(),
    });
    this.#adoption = new Adoption({
      layout: this.#layout,
      logError: this.#logError,
      checkRoom: () => this.#checkRoom(),
      logOf: (spec) => this.#logOf(spec),
    });
    const isScarce = (): boolean => this.#descriptorBudget.isScarce();
    this.#upkeep = new LogUpkeep({
      ...{ pathOf: this.#layout.log, logError: this.#logError, onRemoved: ports.onRemoved, isScarce },
      ...{ directory: this.#layout.supervisorLogs, budget: () => ports.defaults().totalMaxBytes ?? 0 },
    });
    this.#bench = {
      read: Buffer.allocUnsafeSlow(READ_BYTES),
      out: new GrowingBytes(),
      moments: moments(),
      onFlood: (channel) => this.#flooded.note(channel),
    };
    this.#slots = new OutputSlots({
      ...{ libc: ports.libc, path: this.#layout.output },
      now: this.#bench.moments.now,
      logError: this.#logError,
    });
  }

  async open(spec: ServiceSpec, fifoPair: FifoPair = 0): Promise<Outlets> {
    const unkept = spec.logs.sink === 'none';
    const stdout = this.#layout.fifo(spec.id, 'stdout', fifoPair);
    // Without a log, standard output and standard error need not be distinguished, so both use one FIFO.
    const stderr = unkept ? stdout : this.#layout.fifo(spec.id, 'stderr', fifoPair);
    const fifos = [...new Set([stdout, stderr])];
    const fresh = await this.#makeFifos(fifos);
    const run = this.#logOf(spec).run(fifoPair);
    this.#holder.note(fifos, { fresh, unkept });
    this.#checkRoom();
    const out = (): number => run.stdout.attachNext(stdout, fresh);
    const outlets = unkept
      ? sharedOutlets(out())
      : pairedOutlets(out, () => run.stderr.attachNext(stderr, fresh));
    // The last lines are cleared only now, after all output of the previous run was read.
    run.begin(spec);
    return outlets;
  }

  async openHook(spec: ServiceSpec): Promise<Outlets> {
    this.#departed.expectOutput(spec.id);
    const fifo = this.#layout.fifo(spec.id, 'hook');
    await this.#makeFifos([fifo]);
    const log = this.#logOf(spec);
    log.beginHook();
    return sharedOutlets(log.hook.attach(fifo));
  }

  async openChild(spec: ServiceSpec, child: ChildOutput): Promise<Outlets> {
    const fifo = this.#layout.childFifo(spec.id, child);
    const fresh = await this.#makeFifos([fifo]);
    const channel = this.#adoption.childOf(spec, child);
    this.#holder.note([fifo], { fresh, unkept: spec.logs.sink === 'none' });
    this.#checkRoom();
    return sharedOutlets(channel.attach(fifo));
  }

  inHand(): ReadonlySet<ServiceId> {
    return new Set(this.#slots.left().map(ownerOf));
  }

  wasKept(): boolean {
    return this.#holder.wasLeft();
  }

  reading(): readonly ServiceId[] {
    const read = [...this.#entries].flatMap(([id, { log }]) =>
      log.channels().some((channel) => channel.reading()) ? [id] : [],
    );
    return [...new Set([...read, ...this.#adoption.missed()])];
  }

  inherit(ends: readonly number[]): void {
    this.#adoption.inherit(ends);
  }

  finishAdoption(): void {
    for (const name of this.#slots.left())
      channelNamed(this.#entry({ id: ownerOf(name), logs: { sink: 'file' } }).log, name).writeLeftover();
    this.#holder.renew();
    this.#adoption.finish();
  }

  readingEnds(): readonly number[] {
    return this.#read().map(({ descriptor }) => descriptor);
  }

  troubles(): readonly string[] {
    const refused = [...this.#entries].flatMap(([id, { log }]) =>
      log.refusal === undefined ? [] : [{ id, refusal: log.refusal }],
    );
    return [...refusedText(refused), ...this.#upkeep.troubles()];
  }

  mend(): void {
    this.#holder.mend();
    this.#slots.mend();
  }

  follow(id: ServiceId, service: Service | undefined): void {
    this.#upkeep.follow(id, service?.spec.logs);
    if (service === undefined) return this.#departed.left(id);
    this.#departed.isBack(id);
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.spec = withSizesOf(entry.spec, service);
  }

  adopt(spec: ServiceSpec, living: readonly Living[] = []): void {
    this.#adoption.adopt(spec, living);
  }

  tail(service: ServiceId, lines: number, fifoPair: FifoPair = 0): Evidence {
    return this.#entries.get(service)?.log.run(fifoPair).recent.last(lines) ?? [];
  }

  printed(spec: ServiceSpec, pattern: string, fifoPair: FifoPair = 0): Observable<void> {
    // The health check of an adopted run begins before its output is adopted, so the service may have no log
    // yet.
    return (this.#entries.get(spec.id)?.log ?? this.#logOf(spec)).run(fifoPair).printed(pattern);
  }

  hookTail(service: ServiceId, lines: number): Evidence {
    return this.#entries.get(service)?.log.hookTail(lines) ?? [];
  }

  drained(service: ServiceId, fifoPair: FifoPair = 0): Observable<void> {
    return defer(() => this.#entries.get(service)?.log.run(fifoPair).drained() ?? of(undefined));
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ log }) => log.flush()));
  }

  close(): Promise<void> {
    return this.#end('part');
  }

  leave(): Promise<void> {
    return this.#end('left');
  }

  async #end(over: Over): Promise<void> {
    // Waits a moment: processes that were just stopped may not have closed their output yet.
    const until = performance.now() + LAST_ENDS_MS;
    while (this.#read().length > 0 && performance.now() < until) await pause(ON_ITS_WAY_MS);
    this.#departed.close();
    this.#holder.close();
    await this.#upkeep.close();
    await Promise.all([...this.#entries.values()].map(({ log }) => log.close(over)));
    this.#flooded.close();
    this.#slots.close();
    this.#reserve.close();
  }

  /** Throws if few descriptors are free, because output needs its descriptors for a long time. */
  #checkRoom(): void {
    if (this.#descriptorBudget.isScarce()) throw new Error(this.#descriptorBudget.advice);
  }

  /** Returns the FIFOs that are being read. The FIFO holder keeps them open too. */
  #read(): readonly OpenFifo[] {
    return [...this.#entries.values()].flatMap(({ log, spec: { logs } }) =>
      log.channels().flatMap((channel) => channel.kept(logs.sink === 'none')),
    );
  }

  /** Forgets the output of a service, and deletes its FIFOs so that no later FIFO holder opens them. */
  #drop(id: ServiceId): void {
    this.#entries.delete(id);
    for (const fifo of ownFifos(this.#layout, id)) rmSync(fifo, { force: true });
  }

  #logOf(spec: ServiceSpec): ServiceLog {
    const entry = this.#entries.get(spec.id) ?? this.#entry(spec);
    this.#entries.set(spec.id, entry);
    entry.spec = spec;
    return entry.log;
  }

  #entry(spec: Logged): Entry {
    const { out, moments: times } = this.#bench;
    const file = new RotatedFile({
      rules: () => rulesOf(entry.spec, this.#layout, this.#ports.defaults()),
      onRotated: () => this.#upkeep.rotated(spec.id),
      logError: this.#logError,
      reserve: this.#reserve,
    });
    const writer = new LogWriter({ name: spec.id, file, out, moments: times, logError: this.#logError });
    const log = new ServiceLog({
      writer,
      isKept: () => entry.spec.logs.sink === 'file',
      slotsOf: (name) => this.#slotsOf(spec.id, name),
      bench: this.#bench,
    });
    const entry: Entry = { spec, log };
    return entry;
  }

  #slotsOf(id: ServiceId, name: StreamName): TakenSlots {
    const { text } = this.#bench.moments;
    const log = { path: this.#layout.log(id), disk: nodeDisk, liner: new Liner(name.stream), text };
    return this.#slots.take(slotName(id, name), (slot) => finishWrite(slot, log));
  }
}

export const fileCapture = (ports: CapturePorts): FileCapture => new Logs(ports);
