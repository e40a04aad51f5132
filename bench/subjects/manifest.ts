// Writes programs as a manifest of `sup`, in block style.
import { stringify } from 'yaml';
import type { Program } from './subject.ts';

interface Declaration {
  readonly exec: readonly string[];
  readonly [key: string]: unknown;
}

export const declarationOf = ({ argv, restart = false, stopSeconds }: Program): Declaration => ({
  exec: argv,
  restart_policy: restart ? 'always' : 'never',
  ...(restart && { backoff: 0, max_restarts: 1_000_000 }),
  ...(stopSeconds !== undefined && { stop_timeout: `${stopSeconds}s` }),
});

export const projectOf = (services: Readonly<Record<string, unknown>>): string =>
  stringify({ version: '2', projects: { bench: { services } } });

export const manifestOf = (programs: readonly Program[]): string =>
  projectOf(Object.fromEntries(programs.map((program) => [program.name, declarationOf(program)])));
