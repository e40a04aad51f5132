// `sup forget` without a supervisor: stops the manifest's services as the supervisor would, then removes them
// and the manifest from the records.
import { lastValueFrom, merge } from 'rxjs';
import { registryWriter } from '../../sinks/store/registry-writer.ts';
import { stateWriter } from '../../sinks/store/state-writer.ts';
import { peekStore } from '../../sources/store/read-store.ts';
import type { Done } from '../../streams/domain/command.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Context } from '../context.ts';
import { failure } from '../../streams/views/errors/failure.ts';
import { remark } from '../print.ts';
import { stopAll, withoutSupervisor } from './offline-stop.ts';

const NOTHING_STOPPED: Done = { outcomes: [], warnings: [] };

/** Throws ERR0701 if the records cannot be written. */
const drop = async (context: Context, manifest: string): Promise<void> => {
  const { dataDir } = context;
  const { manifests, services, unrecorded } = peekStore(dataDir);
  const left = services.filter(({ spec }) => spec.manifest !== manifest);
  const changed = services.filter(({ spec }) => spec.manifest === manifest).map(({ spec }) => spec.project);
  const ports = { dataDir, onTrouble: (text: string) => remark(context, text) };
  const states = stateWriter(ports);
  const written = [...new Set(changed)].map((project) =>
    states.conclude({ project, services: left.filter(({ spec }) => spec.project === project) }),
  );
  const projects = [...new Set([...left.map(({ spec }) => spec.project), ...unrecorded])];
  const registered = { manifests: manifests.filter((one) => one !== manifest), projects };
  try {
    const all$ = merge(...written, registryWriter(ports).flush(registered));
    await lastValueFrom(all$, { defaultValue: undefined });
  } catch (thrown) {
    throw failure({ code: 'ERR0701', file: dataDir, detail: messageOf(thrown) });
  }
};

/**
 * Throws ERR0202 if the manifest is not registered, ERR0112 if a process survives: then nothing is dropped.
 */
export const offlineForget = (context: Context, manifest: string): Promise<Done> =>
  withoutSupervisor(context, async () => {
    const { manifests, services } = peekStore(context.dataDir);
    if (!manifests.includes(manifest)) throw failure({ code: 'ERR0202', name: manifest, known: manifests });
    const isDeclared = services.some(({ spec }) => spec.manifest === manifest);
    const done = isDeclared ? await stopAll(context, { manifest }) : NOTHING_STOPPED;
    await drop(context, manifest);
    return done;
  });
