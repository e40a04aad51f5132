// The run tag: environment variables that name the run to which a process belongs. The supervisor sets them
// for each process that it starts, descendants inherit them, and a process scan reads them
// (`sources/process/read-tags.ts`).
// Rules: `docs/behaviour.md`, "Environment", "The run tag"; `docs/behaviour.md`, "Who belongs to a run";
// `docs/behaviour.md`, "Commands on behalf of a service", "A run tag of their own".
import { NAME_PATTERN, runId, type RunId, type ServiceId } from '../domain/ids.ts';

/** The run and the supervisor to which a process belongs. */
export interface Identity {
  readonly run: RunId;
  /** Identifies the supervisor, because two supervisors may both have a service `shop/web`. */
  readonly dataDir: string;
  /** The name of a child. Absent for a run of the service itself. */
  readonly child?: string | undefined;
}

/** Returns the value of `SUP_UNIT`, by which a run's processes are found: `<project>/<service>#<run>`. */
export const unitMark = (service: string, run: RunId): string => `${service}#${run}`;

/** The environment variable that contains the name of a child. The child and its descendants have it. */
export const CHILD = 'SUP_CHILD';

/** The names of the variables of the run tag. They say which run of which supervisor started a process. */
export const MARKS: readonly string[] = ['SUP_UNIT', 'SUP_SUPERVISOR', CHILD];

/** Returns the variables that mark a process as part of the run. */
export const runTag = (
  service: string,
  { run, dataDir, child }: Identity,
): Readonly<Record<string, string>> => ({
  SUP_UNIT: unitMark(service, run),
  SUP_SUPERVISOR: dataDir,
  ...(child !== undefined && { [CHILD]: child }),
});

const NAME = NAME_PATTERN.source.slice(1, -1);
/** Matches `shop/web#4` and `shop/web@2#4`. Tags of the supervisor's own commands begin with `!`. */
const MARK = new RegExp(`^(${NAME}/${NAME}(?:@\\d{1,6})?)#(\\d{1,15})$`);
const COMMAND_MARK = new RegExp(`^!command/${NAME}#\\d{1,15}$`);

/** True if the text has the form of a run tag. A tag in another form is ignored. */
export const isMark = (text: string): boolean => MARK.test(text) || COMMAND_MARK.test(text);

/** Returns the service and the run that a run tag names; `undefined` for the tag of a command. */
export const runOfMark = (mark: string): { readonly service: ServiceId; readonly run: RunId } | undefined => {
  const [, service, run] = MARK.exec(mark) ?? [];
  // `unitMark` made the tag, so this text is the id of a service.
  return service === undefined ? undefined : { service: service as ServiceId, run: runId(Number(run)) };
};
