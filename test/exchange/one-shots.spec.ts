import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ExportFormat } from '../../src/exchange/export-format.ts';
import { kubernetesExport } from '../../src/exchange/kubernetes/kubernetes-export.ts';
import { nomadExport } from '../../src/exchange/nomad/nomad-export.ts';
import { exported, lossLine } from './support/exported.ts';

/** `migrate` restarts only when it fails, and `web` waits until it has completed. */
const MANIFEST = `version: "2"
projects:
  shop:
    services:
      migrate: { exec: [migrate], max_restarts: 4 }
      web: { exec: [web], restart_policy: always, depends_on: [{ service: migrate, condition: completed }] }
`;

const written = (format: ExportFormat): readonly unknown[] => {
  const { files, losses } = exported(MANIFEST, format, { '*': 'shop:1' });
  expect(losses.map(lossLine)).toEqual([expect.stringContaining('lost web.depends_on')]);
  return files.map(({ text }) => parse(text) as unknown);
};

it('a service that another one waits for until it has completed is a Job of Kubernetes', () => {
  expect(written(kubernetesExport)).toMatchObject([
    { kind: 'Job', spec: { backoffLimit: 4, template: { spec: { restartPolicy: 'OnFailure' } } } },
    { kind: 'Deployment' },
  ]);
});

it('a service that another one waits for until it has completed is a batch job of Nomad', () => {
  expect(written(nomadExport)).toMatchObject([
    { Job: { Type: 'batch', TaskGroups: [{ RestartPolicy: { Attempts: 4 } }] } },
    { Job: { Type: 'service' } },
  ]);
});
