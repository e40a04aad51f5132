// Judges callers of the control socket by what the kernel reports about them and by the current services.
import { userInfo } from 'node:os';
import type { Libc } from '../os/libc/libc.ts';
import { marksBorn } from '../os/children/birthmark.ts';
import { callerOf } from '../sources/control/caller-process.ts';
import type { Judge } from '../sources/control/admission-gate.ts';
import { runOfMark } from '../sources/process/mark.ts';
import { type AdmissionFacts, admit, isOpenToAll, type Link } from '../streams/admission/admit.ts';
import type { Service } from '../streams/domain/service/service.ts';
import type { OwnUser } from '../streams/launch/confined.ts';

/** Returns the supervisor's own user; `name` is absent if the uid has no account. */
const ownUser = (): OwnUser => {
  const uid = process.getuid?.() ?? 0;
  try {
    return { uid, name: userInfo().username };
  } catch {
    return { uid };
  }
};

export interface Judging {
  readonly judge: Judge;
  /** Makes the services known. Connections that arrived earlier are judged now. */
  readonly begin: (services: () => readonly Service[]) => void;
}

const namedIn = (dataDir: string, services: readonly Service[]): AdmissionFacts['namedBy'] => {
  const born = marksBorn(
    dataDir,
    services.map(({ spec }) => spec.id),
  );
  return ({ mark, tag }: Link) =>
    [mark, tag === undefined ? undefined : born(tag)].flatMap(
      (one) => (one === undefined ? undefined : runOfMark(one))?.service ?? [],
    );
};

/** Without the C library (`libc` is absent) no service can be confined, so every caller is admitted. */
export const judging = (libc: Libc | undefined, dataDir: string): Judging => {
  const own = ownUser();
  let known: (() => readonly Service[]) | undefined;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    judge: (descriptor) => {
      if (known !== undefined && isOpenToAll({ services: known(), own })) return { tag: 'whole' };
      const caller = callerOf(descriptor, { libc, dataDir });
      const verdict = (): ReturnType<typeof admit> => {
        const services = known?.() ?? [];
        return admit(caller, { services, own, namedBy: namedIn(dataDir, services) });
      };
      return known === undefined ? opened.then(verdict) : verdict();
    },
    begin: (services) => {
      known = services;
      open();
    },
  };
};
