// The commands that work on the files of a manifest and need no supervisor.
import { MANIFEST, type CommandFacts } from './command-facts.ts';

export const OF_MANIFESTS = {
  validate: {
    summary: 'Check a manifest as start does, and start nothing',
    options: ['config', 'profile', 'sys', 'test-alerts'],
    repeats: ['config'],
    operand: MANIFEST,
    examples: [
      ['sup validate', 'Check sup.yaml of this directory'],
      ['sup validate shop.yaml --json', 'The document sup.problems/1'],
      ['generate | sup validate -c -', 'A manifest from standard input'],
      ['sup validate --test-alerts', 'Also send a test message to each receiver of alerts'],
    ],
  },
  config: {
    summary: 'Print the manifest as start reads it, as one document',
    options: ['config', 'profile', 'project', 'origin', 'show-values', 'sys'],
    repeats: ['config'],
    operand: MANIFEST,
    examples: [
      ['sup config', 'Of this directory: files merged, includes resolved, values of variables masked'],
      ['sup config -c sup.yaml -c prod.yaml --origin', 'With the file and line of each value'],
      ['sup config --profile dev --json', 'The document sup.config/1'],
    ],
  },
  import: {
    summary: 'Make a manifest of files of supervisord, PM2, Compose, systemd and others',
    options: ['format', 'out', 'project', 'strict', 'evaluate', 'yes'],
    operand: {
      name: 'file',
      required: true,
      several: true,
      describe: 'Files or a directory of one format; - is standard input',
      missing: 'sup import <file>',
    },
    examples: [
      ['sup import Procfile', 'Print a manifest'],
      ['sup import docker-compose.yml --out sup.yaml', 'Write it; what is lost is shown on standard error'],
      ['crontab -l | sup import - --format crontab', 'From standard input'],
    ],
  },
  export: {
    summary: 'Make files for systemd, Compose, Kubernetes and others of a manifest',
    options: ['to', 'project', 'out', 'image', 'strict', 'config', 'profile', 'sys', 'yes'],
    repeats: ['config', 'image'],
    operand: MANIFEST,
    examples: [
      ['sup export --to systemd --out units', 'Units of systemd in the directory units'],
      ['sup export --to kubernetes --image shop/web=shop/web:3', 'With the image of a service'],
    ],
  },
  schema: {
    summary: 'Print the JSON Schema of the manifest',
    options: [],
    examples: [['sup schema > sup.schema.json', 'For editors']],
  },
  migrate: {
    summary: 'Convert an old manifest to version 2',
    options: ['config', 'sys', 'in-place'],
    operand: MANIFEST,
    examples: [
      ['sup migrate old.yaml', 'Print the converted manifest'],
      ['sup migrate old.yaml --in-place', 'Replace the file, leaving old.yaml.bak'],
    ],
  },
} as const satisfies Readonly<Record<string, CommandFacts>>;
