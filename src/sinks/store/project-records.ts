// The records of all projects and their pending changes. A change that cannot be written stays pending. The
// error is reported once for each project.
// Rules: `docs/behaviour.md`, "Saved state".
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { projectOf, type ProjectId, type ServiceId } from '../../streams/domain/ids.ts';
import { processKey } from '../../streams/domain/service/process.ts';
import type { Run } from '../../streams/domain/service/service-run.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { ProjectSnapshot } from '../../streams/wire/state-files.ts';
import { ProjectRecord } from './project-record.ts';

/** A change of a service; `service` is `undefined` if the service was removed. */
export interface RecordChange {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

export interface RecordPorts {
  readonly dataDir: string;
  readonly logError: (text: string) => void;
}

/** Returns the services of a project as they are now. */
export type ServicesOf = (project: ProjectId) => readonly Service[];

/**
 * Returns a text for each fact of a run that must be on disk at once: its highest run number, its process,
 * and the processes that were sent a stop signal. If such a fact were lost, a later supervisor could use the
 * number or send the signal again, or would have to search for the process.
 */
const onceOnly = ({ actual, runs, numbered = 0 }: Run): readonly string[] => [
  ...(Math.max(runs, numbered) > 0 ? [`number ${Math.max(runs, numbered)}`] : []),
  ...('process' in actual ? [`run ${processKey(actual.process)}`] : []),
  ...('asked' in actual ? actual.asked.map((one) => `asked ${processKey(one)}`) : []),
];

const unrepeatable = (service: Service | undefined): readonly string[] =>
  service === undefined ? [] : runsOf(service).flatMap(onceOnly);

export class ProjectRecords {
  readonly #ports: RecordPorts;
  readonly #records = new Map<ProjectId, ProjectRecord>();
  readonly #waiting = new Map<ProjectId, Map<ServiceId, Service | undefined>>();
  readonly #troubles = new Map<ProjectId, string>();
  /** Projects with a failed last write. */
  readonly #failing = new Set<ProjectId>();

  constructor(ports: RecordPorts) {
    this.#ports = ports;
  }

  of(project: ProjectId): ProjectRecord {
    const known = this.#records.get(project);
    if (known !== undefined) return known;
    const record = new ProjectRecord(this.#ports.dataDir, project);
    this.#records.set(project, record);
    return record;
  }

  isLost(project: ProjectId): boolean {
    return this.#records.get(project)?.isLost ?? false;
  }

  all(): readonly ProjectRecord[] {
    return [...this.#records.values()];
  }

  /**
   * Queues a change. Returns true if the change contains a fact that must be on disk at once (`onceOnly`).
   */
  take({ id, service }: RecordChange): boolean {
    const project = projectOf(id);
    const waiting = this.#waiting.get(project) ?? new Map<ServiceId, Service | undefined>();
    const before = waiting.get(id) ?? this.of(project).recorded(id);
    this.#waiting.set(project, waiting.set(id, service));
    const once = unrepeatable(service);
    if (once.length === 0) return false;
    const known = unrepeatable(before);
    return once.some((one) => !known.includes(one));
  }

  /**
   * Writes pending changes. Returns true if all were written. Projects with a failed last write are tried
   * only if `again` is true.
   */
  writeWaiting(servicesOf: ServicesOf, again = false): boolean {
    const written = [...this.#waiting].map(([project, changes]) =>
      this.#tried(project, again, () => {
        const record = this.of(project);
        if (record.inPlace) record.append(changes);
        else record.begin(servicesOf(project));
      }),
    );
    return written.every(Boolean);
  }

  /** Writes the current state of the project. Throws if that fails. */
  write({ project, services }: ProjectSnapshot): ProjectRecord {
    const record = this.of(project);
    const now = services;
    if (record.inPlace) record.append(record.differences(now));
    else record.begin(now);
    this.#written(project);
    return record;
  }

  /** Returns a sentence for each project that cannot be saved at the moment, with the reason. */
  troubles(): readonly string[] {
    return [...this.#troubles.values()];
  }

  /** Reports that the project cannot be saved. Reports nothing more until the project is saved again. */
  reportOnce(project: ProjectId, error: unknown): void {
    if (!this.#troubles.has(project))
      this.#ports.logError(`the state of ${project} cannot be saved: ${messageOf(error)}; it is tried again`);
    this.#troubles.set(project, `the state of ${project} cannot be saved: ${messageOf(error)}`);
  }

  #tried(project: ProjectId, again: boolean, write: () => void): boolean {
    if (this.#failing.has(project) && !again) return false;
    try {
      write();
      this.#written(project);
      return true;
    } catch (error) {
      this.#failing.add(project);
      this.reportOnce(project, error);
      return false;
    }
  }

  /**
   * Call it when all changes of the project are synced. Closes the record of the project if the record is
   * empty. Throws if that fails.
   */
  synced(project: ProjectId): void {
    if (this.#waiting.has(project)) return;
    this.#giveUpEmpty(project);
    this.#written(project);
  }

  /** Closes an empty record: a project without services must not keep a descriptor open. */
  #giveUpEmpty(project: ProjectId): void {
    const record = this.#records.get(project);
    if (record?.isEmpty !== true) return;
    record.giveUp();
    this.#records.delete(project);
  }

  #written(project: ProjectId): void {
    this.#waiting.delete(project);
    this.#failing.delete(project);
    if (this.#troubles.delete(project)) this.#ports.logError(`the state of ${project} is saved again`);
  }
}
