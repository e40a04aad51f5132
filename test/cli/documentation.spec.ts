// docs/commands.md against the table that the program itself is made of.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/streams/wire/command-exit-status.ts';
import { COMMAND_NAMES, commandFacts } from '../../src/cli/grammar/command-table.ts';
import { GLOBAL, factsOf, type OptionName } from '../../src/cli/grammar/option-table.ts';
import { serviceDocument } from '../../src/streams/views/service-document.ts';
import { NOW, serviceIn } from '../support/states.ts';

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
const sections = new Map(
  page.split(/^## /m).map((section) => [section.split('\n', 1)[0] ?? '', section] as const),
);

const cellOf = (name: OptionName): string => {
  const { short, value } = factsOf(name);
  return `| ${short === undefined ? '' : `\`-${short}\`, `}\`--${name}${value === undefined ? '' : ` <${value}>`}\` |`;
};

const documented = (section: string): readonly string[] =>
  [...section.matchAll(/^\| (?:`-\w`, )?`--([a-z-]+)/gm)].map(([, name]) => name ?? '');

describe('docs/commands.md', () => {
  it('docs/commands.md has exactly one section per command', () => {
    const named = [...sections.keys()].filter((title) => /^[a-z]+$/.test(title));
    expect(named).toEqual(COMMAND_NAMES);
  });

  it.each(COMMAND_NAMES)('docs/commands.md lists exactly the options of %s', (name) => {
    const section = sections.get(name) ?? '';
    for (const option of commandFacts(name).options) expect(section).toContain(cellOf(option));
    expect(documented(section)).toEqual(commandFacts(name).options);
    expect(section).toContain(`    sup ${name}`);
  });

  it.each(COMMAND_NAMES)('docs/commands.md has the exit statuses of %s', (name) => {
    const [, table = ''] =
      /\| Exit status \| When \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(sections.get(name) ?? '') ?? [];
    const statuses = [...table.matchAll(/^\| (\w+) \| \S.*\. \|$/gm)].map(([, status = '']) => status);
    expect(statuses.length).toBe(table.trimEnd().split('\n').length);
    const known: readonly string[] = ['any', ...Object.values(EXIT).map(String)];
    expect(statuses.filter((status) => !known.includes(status))).toEqual([]);
    expect(statuses).toContain(name === 'exec' ? 'any' : '0');
  });

  it.each(COMMAND_NAMES)('docs/commands.md shows the output of %s', (name) => {
    const [, example = ''] =
      new RegExp(`<!-- example ${name} -->\n\n\`\`\`\n([^]*?)\n\`\`\`\n\n<!-- /example`).exec(page) ?? [];
    const [line = '', ...printed] = example.split('\n');
    expect(line).toMatch(new RegExp(`^\\$ sup ${name}\\b`));
    expect(printed.length).toBeGreaterThan(0);
  });

  it('docs/commands.md lists exactly the global options', () => {
    const section = sections.get('Options that every command takes') ?? '';
    for (const option of GLOBAL) expect(section).toContain(cellOf(option));
    expect(documented(section)).toEqual(GLOBAL);
  });

  it('docs/commands.md lists every exit status', () => {
    const section = sections.get('Exit status') ?? '';
    for (const status of Object.values(EXIT)) expect(section).toMatch(new RegExp(`^\\| ${status} \\|`, 'm'));
  });

  it('docs/commands.md shows exactly the keys of a service', () => {
    const [, sample = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
    const service = serviceDocument(serviceIn('backing-off'), { now: NOW, byId: () => undefined });
    expect(Object.keys(JSON.parse(sample) as object).sort()).toEqual(Object.keys(service).sort());
  });
});
