// The formats that can be exported to.
import type { ExportFormat } from './export-format.ts';
import { composeExport } from './compose/compose-export.ts';
import { kubernetesExport } from './kubernetes/kubernetes-export.ts';
import { nomadExport } from './nomad/nomad-export.ts';
import { procfileExport } from './procfile/procfile-export.ts';
import { systemdExport } from './systemd/systemd-export.ts';

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  systemdExport,
  composeExport,
  kubernetesExport,
  nomadExport,
  procfileExport,
];
