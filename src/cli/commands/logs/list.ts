// Services that have a log, by the log directory; no supervisor is needed.
import { readdirSync, type Dirent } from 'node:fs';
import { errnoOf } from '../../../os/errno.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { NAME_PATTERN, projectId, serviceId, type ServiceId } from '../../../streams/domain/ids.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';
import { failure } from '../../../streams/views/errors/failure.ts';

/** `web.log`, `web.log.1`, … belong to the service `web`. */
const LOG_NAME = /^(.+)\.log(?:\.\d+)?$/;

const entriesOf = (directory: string): readonly Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw failure({ code: 'ERR0701', file: directory, detail: messageOf(error) });
  }
};

const servicesIn = (logs: string, project: string): readonly ServiceId[] => {
  const names = entriesOf(`${logs}/${project}`).flatMap(({ name }) => LOG_NAME.exec(name)?.[1] ?? []);
  const valid = [...new Set(names)].filter((name) => NAME_PATTERN.test(name));
  return valid.map((name) => serviceId(projectId(project), name));
};

/** Throws ERR0701 if the logs cannot be read. */
export const loggedServices = (dataDir: string): readonly ServiceId[] => {
  const logs = layoutOf(dataDir).supervisorLogs;
  const projects = entriesOf(logs).filter((entry) => entry.isDirectory());
  return projects.flatMap(({ name }) => servicesIn(logs, name)).sort();
};
