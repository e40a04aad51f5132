// The commands about the files of a manifest, which need no supervisor.
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
      ['sup validate --test-alerts', 'Also send a test message to each receiver of alerts'],
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
