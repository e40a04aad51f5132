// Every check, in the order of the report: the machine, then the supervisor.
import type { Check } from './check.ts';
import { dataDirectory } from './checks/data-directory.ts';
import { descriptors } from './checks/descriptors.ts';
import { disk } from './checks/disk.ts';
import { machine } from './checks/machine.ts';
import { manifests } from './checks/manifests.ts';
import { processes } from './checks/processes.ts';
import { programs } from './checks/programs.ts';
import { records } from './checks/records.ts';
import { settings } from './checks/settings.ts';
import { supervisor } from './checks/supervisor.ts';
import { usage } from './checks/usage.ts';

export const ALL_CHECKS: readonly Check[] = [
  programs,
  machine,
  dataDirectory,
  disk,
  records,
  settings,
  manifests,
  supervisor,
  usage,
  descriptors,
  processes,
];
