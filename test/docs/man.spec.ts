// The manual pages that `npm run man` makes, as text: mandoc is not needed here.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manualPages } from '../../scripts/man/pages.ts';
import { asArguments, asLine, prose, textLines, typed } from '../../scripts/man/roff.ts';
import { formLines } from '../../scripts/man/synopsis.ts';
import { COMMAND_NAMES, commandFacts, isCommand } from '../../src/cli/grammar/command-table.ts';
import { factsOf, GLOBAL } from '../../src/cli/grammar/option-table.ts';

const documentOf = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8');
const manual = manualPages(
  {
    commands: documentOf('commands'),
    manifest: documentOf('manifest'),
    behaviour: documentOf('behaviour'),
  },
  new Date('2026-11-26T12:00:00Z'),
);
const pages = [...manual];
const linesOf = (place: string): readonly string[] => (manual.get(place) ?? '').split('\n');
const placeOf = (command: string): string => `man1/sup-${command}.1`;

const REQUEST = /^\.(\\"|[A-Z][a-z]) ?/;
const REQUESTS = [
  '\\"',
  ...['Dd', 'Dt', 'Os', 'Sh', 'Ss', 'Nm', 'Nd', 'Pp', 'Bl', 'It', 'El', 'Bd', 'Ed', 'Xr'],
  ...['Oo', 'Op', 'Ar', 'Cm', 'Fl', 'Pa'],
];
const ESCAPE = /\\(?:e|&|-|f[RBI]|\([a-zA-Z-][a-zA-Z>]|\[u[0-9A-F]{4,6}\])/g;

/** Titles of a page in their order. */
const titlesIn = (place: string): readonly string[] =>
  linesOf(place).flatMap((line) => (line.startsWith('.Sh ') ? [line.slice('.Sh '.length)] : []));

/** The lines of one part of a page. */
const partOf = (place: string, title: string): readonly string[] => {
  const lines = linesOf(place);
  const from = lines.indexOf(`.Sh ${title}`) + 1;
  const until = lines.findIndex((line, index) => index >= from && line.startsWith('.Sh '));
  return from === 0 ? [] : lines.slice(from, until === -1 ? undefined : until);
};

const isLiteral = (lines: readonly string[], at: number): boolean => {
  const before = lines.slice(0, at);
  return before.lastIndexOf('.Bd -literal -offset indent') > before.lastIndexOf('.Ed');
};

/** Lines of text and of macros, without those that stand as they are. */
const filledLines = (text: string): readonly string[] => {
  const lines = text.trimEnd().split('\n');
  return lines.filter((line, at) => line !== '.Ed' && !isLiteral(lines, at));
};

describe('the manual pages', () => {
  it('are one for the program, one for each command and one for the manifest', () => {
    expect([...manual.keys()].sort()).toEqual(
      ['man1/sup.1', 'man5/sup.yaml.5', ...COMMAND_NAMES.map(placeOf)].sort(),
    );
  });

  it.each(pages)('%s begins with its date, its title, its name and what it is', (place, text) => {
    const [name = '', section = ''] = /\/(.+)\.(\d)$/.exec(place)?.slice(1) ?? [];
    const [, date, title, system, heading, ownName, purpose] = text.split('\n');
    expect([date, title, system]).toEqual([
      '.Dd November 26, 2026',
      `.Dt ${name.toUpperCase()} ${section}`,
      '.Os',
    ]);
    expect([heading, ownName]).toEqual(['.Sh NAME', `.Nm ${name}`]);
    expect(purpose).toMatch(/^\.Nd [^.]{10,}/);
  });

  it.each(pages)('%s uses known macros, and known escapes', (_, text) => {
    const requests = text.split('\n').filter((line) => line.startsWith('.'));
    expect(requests.filter((line) => !REQUESTS.includes(REQUEST.exec(line)?.[1] ?? ''))).toEqual([]);
    const beyondComment = text.split('\n').slice(1).join('\n');
    expect(beyondComment.replaceAll(ESCAPE, '')).not.toContain('\\');
  });

  it.each(pages)('%s is ASCII, without tabs, blank lines in text and spaces at the end', (_, text) => {
    expect(text).toMatch(/^[\n -~]*$/);
    expect(text).not.toMatch(/ $/m);
    expect(filledLines(text)).not.toContain('');
  });

  it.each(pages)('%s ends each list and each display, and each change of the font', (_, text) => {
    const count = (form: RegExp): number => text.match(form)?.length ?? 0;
    expect(count(/^\.Bl /gm)).toBe(count(/^\.El$/gm));
    expect(count(/^\.Bd /gm)).toBe(count(/^\.Ed$/gm));
    expect(count(/\\f[BI]/g)).toBe(count(/\\fR/g));
  });

  it.each(pages)('%s has a gap only between two paragraphs', (_, text) => {
    expect(text).not.toMatch(/^\.(?:Sh|Ss|It|Pp)[^\n]*\n\.Pp$/m);
    expect(text).not.toMatch(/^\.Pp\n\.(?:Sh|Ss|It|El|Bd|Bl -tag)/m);
  });

  it.each(pages)('%s has lines of at most 80 columns, and a line for each sentence', (_, text) => {
    const lines = filledLines(text).filter((line) => !line.startsWith('.'));
    expect(lines.filter((line) => line.length > 80 && line.includes(' '))).toEqual([]);
    expect(lines.filter((line) => /[a-z]{2}[.?!] [A-Z]/.test(line))).toEqual([]);
  });

  it.each(pages)('%s refers to pages that are made', (_, text) => {
    const references = [...text.matchAll(/^\.(?:It )?Xr (\S+) (\d)/gm)];
    expect(references.length).toBeGreaterThan(0);
    expect(
      references
        .map(([, name, section]) => `man${section}/${name}.${section}`)
        .filter((one) => !manual.has(one)),
    ).toEqual([]);
  });
});

describe('the manual page of a command', () => {
  it.each(COMMAND_NAMES)('sup-%s(1) has the usual parts in their usual order', (command) => {
    expect(titlesIn(placeOf(command))).toEqual([
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'OPTIONS',
      'EXIT STATUS',
      'EXAMPLES',
      'SEE ALSO',
    ]);
    expect(partOf(placeOf(command), 'DESCRIPTION').join('').length).toBeGreaterThan(40);
  });

  it.each(COMMAND_NAMES)('sup-%s(1) says how the command is written', (command) => {
    expect(partOf(placeOf(command), 'SYNOPSIS').slice(0, 2)).toEqual(['.Nm sup', `.Cm ${command}`]);
  });

  it.each(COMMAND_NAMES)('sup-%s(1) has every option that the program knows, and no other', (command) => {
    const shown = partOf(placeOf(command), 'OPTIONS').flatMap(
      (line) => /^\.It .*Fl -(\S+)/.exec(line)?.[1] ?? [],
    );
    expect(shown).toEqual(commandFacts(command).options);
  });

  it.each(COMMAND_NAMES)('sup-%s(1) shows the examples of the help as they are typed', (command) => {
    const lines = partOf(placeOf(command), 'EXAMPLES');
    const examples = commandFacts(command).examples.map(([line]) => typed(line));
    expect(examples.filter((line) => !lines.includes(line))).toEqual([]);
  });

  it('names the value of an option, and its letter', () => {
    expect(partOf(placeOf('logs'), 'OPTIONS')).toContain('.It Fl n , Fl -lines Ar count');
    expect(partOf(placeOf('logs'), 'OPTIONS')).toContain('.It Fl -raw');
  });

  it.each([
    ['wait', ['0', '1', '2', '124']],
    ['start', ['0', '1', '2', '130']],
    ['status', ['0', '1', '2', '3']],
    ['supervise', ['0', '1', '2', '3', '70', 'any']],
    ['logs', ['0', '1', '2']],
  ])('has the exit statuses of the command, and of no other: %s', (command, statuses) => {
    const lines = partOf(placeOf(command), 'EXIT STATUS');
    expect(lines.flatMap((line) => /^\.It \\fB(\w+)/.exec(line)?.[1] ?? [])).toEqual(statuses);
  });

  it('refers to the commands that its text mentions', () => {
    expect(partOf(placeOf('purge'), 'SEE ALSO').join(' ')).toContain('.Xr sup-forget 1');
  });
});

describe('sup(1)', () => {
  it('lists every command with a reference to its page', () => {
    const listed = partOf('man1/sup.1', 'COMMANDS').flatMap(
      (line) => /^\.It Xr sup-(\S+) 1$/.exec(line)?.[1] ?? [],
    );
    expect(listed).toEqual(COMMAND_NAMES);
    expect(listed.every(isCommand)).toBe(true);
  });

  it('has the options that every command takes', () => {
    const shown = partOf('man1/sup.1', 'OPTIONS').filter((line) => line.startsWith('.It'));
    expect(shown).toHaveLength(GLOBAL.length);
    expect(shown).toContain(`.It Fl ${factsOf('quiet').short ?? ''} , Fl -quiet`);
  });

  it('names files, variables and exit statuses', () => {
    expect(partOf('man1/sup.1', 'FILES').join('\n')).toContain('supervisor.xml');
    expect(partOf('man1/sup.1', 'ENVIRONMENT').join('\n')).toContain('SUP_DATA_DIR');
    expect(partOf('man1/sup.1', 'EXIT STATUS').join('\n')).toContain('124');
  });
});

describe('sup.yaml(5)', () => {
  const text = manual.get('man5/sup.yaml.5') ?? '';

  it('has a section for each section of the reference', () => {
    const headings = [...documentOf('manifest').matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.replaceAll('`', '').toUpperCase(),
    );
    expect(headings.length).toBeGreaterThan(10);
    expect(titlesIn('man5/sup.yaml.5')).toEqual(expect.arrayContaining(headings));
  });

  it('says of a key its type and its default', () => {
    expect(text).toContain('.It \\fBstop_timeout\\fR (duration; default: \\fB10s\\fR)\n');
    expect(text).toContain('.It \\fBslots\\fR (list of string; required)\n');
    expect(text).toContain('.It \\fBdepends_on\\fR (list of string or dependency object)\n');
  });
});

describe('what is written for roff', () => {
  it.each([
    ['-f', '\\-f'],
    ['it\'s "a\\b"', 'it\\(aqs \\(dqa\\eb\\(dq'],
    ['`~^', '\\(ga\\(ti\\(ha'],
    ['2³', '2\\[u00B3]'],
    ['name…', 'name...'],
  ])('spells %s as it is typed', (text, written) => {
    expect(typed(text)).toBe(written);
  });

  it('keeps dashes and apostrophes of prose', () => {
    expect(prose("it's well-known — here")).toBe("it's well-known \\(em here");
  });

  it('lets no line and no argument be read as a macro', () => {
    expect(asLine('.Sh NAME')).toBe('\\&.Sh NAME');
    expect(asLine("'quoted'")).toBe("\\&'quoted'");
    expect(asArguments('No Pa is here')).toBe('\\&No \\&Pa is here');
  });

  it('begins a line after a sentence, and not after a dot that is typed', () => {
    expect(textLines('One. Two (three.) Four: \\fB.\\fR and so on.')).toEqual([
      'One.',
      'Two (three.)',
      'Four: \\fB.\\fR and so on.',
    ]);
  });

  it.each([
    ['sup stop [service…] [-p id]', ['.Nm sup', '.Cm stop', '.Oo Ar service ... Oc', '.Oo Fl p Ar id Oc']],
    ['sup logs [-c file | --here]', ['.Nm sup', '.Cm logs', '.Oo Fl c Ar file | Fl -here Oc']],
    [
      'sup apply [--dry-run [--show-values]]',
      ['.Nm sup', '.Cm apply', '.Oo Fl -dry-run Oo Fl -show-values Oc Oc'],
    ],
    ['sup boot install|remove', ['.Nm sup', '.Cm boot', '.Cm install | Cm remove']],
    ['sup forget <manifest>', ['.Nm sup', '.Cm forget', '.Ar manifest']],
    ['sup exec <service> -- command…', ['.Nm sup', '.Cm exec', '.Ar service', '.Fl -', '.Ar command ...']],
    [
      'sup logs --max-age age | --max-size size',
      ['.Nm sup', '.Cm logs', '.Fl -max-age Ar age | Fl -max-size Ar size'],
    ],
  ])('divides the form of a command: %s', (form, lines) => {
    expect(formLines(form)).toEqual(lines);
  });
});
