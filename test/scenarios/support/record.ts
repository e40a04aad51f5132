// What a supervisor has recorded of a project, as the next one would find it.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readState } from '../../../src/sources/store/read-project-record.ts';
import { projectId } from '../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';

/** The record of a project in one piece, as text. */
export const recordText = (data: string, project: string): string => {
  const { value } = readState(layoutOf(data), projectId(project));
  if (value === undefined) return '';
  return JSON.stringify({ schema: 'sup.state/1', boot_id: value.bootId, services: value.services });
};

/** Puts another record in its place, as a supervisor that ended in good order would have left it. */
export const putRecord = (data: string, project: string, text: string): void => {
  const directory = join(data, 'projects', project);
  for (const file of readdirSync(directory)) if (file.startsWith('changes-')) rmSync(join(directory, file));
  writeFileSync(join(directory, 'state.json'), text);
};
