// Follows the state of every project into `projects/<id>/state.json`, so that the next supervisor can go on where this
// one ended, however it ended (`docs/behaviour.md`, "Saved state").
import { from, groupBy, mergeMap, type Observable } from 'rxjs';
import { currentBoot } from '../../os/boot-id.ts';
import { replaceFileAsync } from '../../os/replace-file.ts';
import type { ProjectId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { oneAtATime, type Work } from '../../streams/operators/one-at-a-time.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { STATE_SCHEMA, type ProjectSnapshot, type StoredState } from '../../streams/wire/stored.ts';
import { keepWritten } from './keep-written.ts';

export interface StateWriterPorts {
  readonly dataDir: string;
  readonly onTrouble: (text: string) => void;
}

export interface StateWriter {
  /** Writes each project's newest snapshot, soon. Never ends by itself, never fails. */
  follow(changed$: Observable<ProjectSnapshot>): Observable<never>;
  /** Writes when it is subscribed to. Emits once, when the snapshot is on disk; fails when it cannot be. */
  readonly flush: Work<ProjectSnapshot, void>;
}

export const stateWriter = ({ dataDir, onTrouble }: StateWriterPorts): StateWriter => {
  const bootId = currentBoot();
  const writers = new Map<ProjectId, Work<ProjectSnapshot, void>>();
  const writerOf = (project: ProjectId): Work<ProjectSnapshot, void> => {
    const known = writers.get(project);
    if (known !== undefined) return known;
    const file = layoutOf(dataDir).projectState(project);
    const writer: Work<ProjectSnapshot, void> = oneAtATime(({ services }) =>
      from(replaceFileAsync(file, stateText(bootId, services))),
    );
    writers.set(project, writer);
    return writer;
  };
  const write: Work<ProjectSnapshot, void> = (snapshot) => writerOf(snapshot.project)(snapshot);
  const writer: StateWriter = {
    follow(changed$) {
      return changed$.pipe(
        groupBy(({ project }) => project),
        mergeMap((project$) =>
          project$.pipe(keepWritten({ write, what: `the state of ${project$.key}`, onTrouble })),
        ),
      );
    },
    flush: write,
  };
  return writer;
};

const stateText = (bootId: string, services: readonly Service[]): string => {
  const state: StoredState = { schema: STATE_SCHEMA, boot_id: bootId, services };
  return JSON.stringify(state);
};
