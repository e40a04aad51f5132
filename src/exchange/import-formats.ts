// The formats that can be imported, in the order in which they are tried on a file.
import type { ImportFormat } from './import-format.ts';
import { compose } from './compose/compose-import.ts';
import { crontab } from './crontab/crontab-import.ts';
import { pm2 } from './pm2/pm2-import.ts';
import { processCompose } from './process-compose/process-compose-import.ts';
import { procfile } from './procfile/procfile-import.ts';
import { supervisord } from './supervisord/supervisord-import.ts';
import { systemd } from './systemd/systemd-import.ts';

export const IMPORT_FORMATS: readonly ImportFormat[] = [
  processCompose,
  compose,
  pm2,
  procfile,
  systemd,
  supervisord,
  crontab,
];
