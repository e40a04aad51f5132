import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, peekSettings } from '../../../src/manifest/settings/load-settings.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';

let directory: string;
const file = (): string => join(directory, 'supervisor.xml');
const written = (): string => readFileSync(file(), 'utf8');

/** Loads a file with this content, and expects that it is left alone. */
const loadUntouched = (content: string): ReturnType<typeof loadSettings> => {
  writeFileSync(file(), content);
  const loaded = loadSettings(file(), {});
  expect(written()).toBe(content);
  return loaded;
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-settings-'));
});
afterEach(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true });
});

describe('the settings file', () => {
  it('the settings file is created on first start, with defaults, readable by its owner only', () => {
    expect(loadSettings(file(), {})).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] });
    expect(written()).toContain('    <command_wait_secs>900</command_wait_secs>\n');
    const first = written();
    expect(loadSettings(file(), {})).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] });
    expect(written()).toBe(first);
    expect(readdirSync(directory)).toEqual(['supervisor.xml']);
  });

  it('the settings file is not created by a command that only reads', () => {
    expect(peekSettings(file(), {})).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] });
    expect(existsSync(file())).toBe(false);
  });

  it('the settings file sets each element', () => {
    const { settings, warnings } = loadUntouched(`<supervisor>
  <logs>
    <max_bytes>1</max_bytes>
    <max_files>2</max_files>
    <total_max_bytes>9</total_max_bytes>
  </logs>
  <timeouts>
    <pre_start_secs>3</pre_start_secs>
    <startup_stability_ms>4</startup_stability_ms>
    <stop_verify_secs>5</stop_verify_secs>
    <start_settle_secs>6</start_settle_secs>
    <command_wait_secs>0</command_wait_secs>
  </timeouts>
  <start>
    <max_concurrent>8</max_concurrent>
  </start>
</supervisor>
`);
    expect(warnings).toEqual([]);
    expect(settings).toEqual({
      logs: { maxBytes: 1, maxFiles: 2, totalMaxBytes: 9 },
      preStart: 3000,
      startupStability: 4,
      stopVerify: 5000,
      startSettle: 6000,
      commandWait: 0,
      maxConcurrent: 8,
    });
  });

  it('the settings file is rewritten in indented form if it is compact, with all its content', () => {
    writeFileSync(
      file(),
      '<?xml version="1.0"?><!-- ours --><supervisor><logs><max_files>7</max_files></logs><start><max_concurrent>1</max_concurrent></start></supervisor>',
    );
    const { settings, warnings } = loadSettings(file(), {});
    expect(warnings).toEqual([]);
    expect(settings.logs.maxFiles).toBe(7);
    expect(written()).toContain('<!-- ours -->');
    expect(written()).toContain('\n  <logs>\n    <max_files>7</max_files>\n  </logs>\n');
    const indentedOnce = written();
    expect(loadSettings(file(), {}).settings).toEqual(settings);
    expect(written()).toBe(indentedOnce);
  });

  it.each([
    ['is cut off', '<supervisor><logs>'],
    ['is not XML', 'max_files: 5'],
    ['is empty', ''],
    ['is binary', '\u0000\u0001\u0002'],
    ['has another root', '<settings><logs><max_files>1</max_files></logs></settings>'],
    ['has two roots', '<supervisor></supervisor><supervisor></supervisor>'],
    [
      'has a DOCTYPE',
      '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><supervisor><logs>&x;</logs></supervisor>',
    ],
    ['is nested without end', `<supervisor>${'<a>'.repeat(90_000)}${'</a>'.repeat(90_000)}</supervisor>`],
    ['names a prototype', '<supervisor><logs><__proto__>1</__proto__></logs></supervisor>'],
    ['is endless', `<supervisor>${' '.repeat(1024 * 1024)}</supervisor>`],
    ['has nothing but a comment', '<!-- later -->'],
  ])('the settings file is not changed if it %s: the defaults apply', (_, content) => {
    const { settings, warnings } = loadUntouched(content);
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(file());
  });

  it.each([
    ['', 'the file is empty'],
    [' \n', 'the file is empty'],
    ['<?xml version="1.0"?>\n<!-- later -->\n', 'there is no element in the file'],
  ])('the settings file without an element is reported: %j', (content, problem) => {
    expect(loadUntouched(content).warnings).toEqual([
      `${file()} cannot be used, the defaults apply: ${problem} (ERR0225)`,
    ]);
  });

  it.each([
    ['<max_files>five</max_files>', 'logs/max_files: "five" is not a whole number from 0; 5 applies'],
    ['<max_files>1.5</max_files>', 'logs/max_files: "1.5" is not a whole number from 0; 5 applies'],
    ['<max_files>-1</max_files>', 'logs/max_files: "-1" is not a whole number from 0; 5 applies'],
    ['<max_files></max_files>', 'logs/max_files: "" is not a whole number from 0; 5 applies'],
    ['<max_files>&five;</max_files>', 'logs/max_files: "&five;" is not a whole number from 0; 5 applies'],
    ['<max_files>&lt;</max_files>', 'logs/max_files: "<" is not a whole number from 0; 5 applies'],
    ['<max_files>9e99</max_files>', 'logs/max_files: "9e99" is not a whole number from 0; 5 applies'],
    ['<max_files><b>1</b></max_files>', 'logs/max_files: "<…>" is not a whole number from 0; 5 applies'],
    [
      '<max_files>1</max_files><max_files>2</max_files>',
      'logs/max_files: is given more than once; 5 applies',
    ],
    ['<max_file>1</max_file>', 'logs/max_file: is not a setting, did you mean "logs/max_files"?'],
  ])('the settings file with %s keeps its other values and warns', (element, warning) => {
    const { settings, warnings } = loadUntouched(
      `<supervisor>\n<logs>\n<max_bytes>77</max_bytes>\n${element.replaceAll('><', '>\n<')}\n</logs>\n</supervisor>`,
    );
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, logs: { ...DEFAULT_SETTINGS.logs, maxBytes: 77 } });
    const line = warning.includes('more than once') ? 5 : 4;
    expect(warnings).toEqual([`${file()}:${line}:1: ${warning} (ERR0225)`]);
  });

  it.each([
    '<max_files>five</max_files>',
    '<max_file>1</max_file>',
    '<max_files>1</max_files><max_files>2</max_files>',
    '<max_files unit="x">&five;</max_files>',
  ])('the compact settings file is indented whatever its values: %s', (element) => {
    writeFileSync(file(), `<supervisor><logs><max_bytes>77</max_bytes>${element}</logs></supervisor>`);
    const first = loadSettings(file(), {});
    expect(first.settings.logs.maxBytes).toBe(77);
    expect(first.warnings).not.toEqual([]);
    expect(written()).toMatch(/^<supervisor>\n {2}<logs>\n {4}<max_bytes>77<\/max_bytes>\n {4}<max_file/);
    const indentedOnce = written();
    expect(loadSettings(file(), {})).toEqual(first);
    expect(written()).toBe(indentedOnce);
  });

  it.each([
    ['<max_files>&#49;&#x32;</max_files>', 12],
    ['<max_files><![CDATA[13]]></max_files>', 13],
    ['<max_files>1<![CDATA[4]]></max_files>', 14],
  ])('the settings file may have character references and CDATA: %s', (element, expected) => {
    const content = `<supervisor>\n<logs>\n${element}\n</logs>\n</supervisor>`;
    const { settings, warnings } = loadUntouched(content);
    expect(warnings).toEqual([]);
    expect(settings.logs.maxFiles).toBe(expected);
  });

  it('the settings file warns of attributes like unknown elements, at every level', () => {
    const { settings, warnings } = loadUntouched(
      '<?xml version="1.0"?>\n<supervisor note="a">\n<logs kind="b">\n<max_files unit="c">7</max_files>\n</logs>\n</supervisor>',
    );
    expect(settings.logs.maxFiles).toBe(7);
    expect(warnings).toEqual([
      `${file()}:2:1: supervisor: the attribute "note" is not a setting (ERR0225)`,
      `${file()}:3:1: logs: the attribute "kind" is not a setting (ERR0225)`,
      `${file()}:4:1: logs/max_files: the attribute "unit" is not a setting (ERR0225)`,
    ]);
  });

  it.each([
    ['-1', -1, 0],
    ['1', 1, 0],
    ['0', -1, 1],
    ['-2', -1, 1],
  ])('the settings file reads max_concurrent %s as %i', (text, expected, warned) => {
    const { settings, warnings } = loadUntouched(
      `<supervisor>\n<start>\n<max_concurrent>${text}</max_concurrent>\n</start>\n</supervisor>`,
    );
    expect(settings.maxConcurrent).toBe(expected);
    expect(warnings).toHaveLength(warned);
  });

  it('the settings file is a warning if it can neither be read nor written', () => {
    const { settings, warnings } = loadSettings(directory, {});
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(warnings[0]).toContain('the defaults apply');
    const nowhere = loadSettings(join(directory, 'missing', 'supervisor.xml'), {});
    expect(nowhere.settings).toEqual(DEFAULT_SETTINGS);
    expect(nowhere.warnings[0]).toContain('cannot be written');
  });
});

describe('SUP_PRE_START_TIMEOUT_SECS', () => {
  it('SUP_PRE_START_TIMEOUT_SECS overrides the settings file', () => {
    writeFileSync(
      file(),
      '<supervisor>\n<timeouts>\n<pre_start_secs>3</pre_start_secs>\n</timeouts>\n</supervisor>',
    );
    expect(loadSettings(file(), { SUP_PRE_START_TIMEOUT_SECS: '7' }).settings.preStart).toBe(7000);
  });

  it.each(['0', 'soon', '1.5'])('SUP_PRE_START_TIMEOUT_SECS is ignored with a warning as %s', (text) => {
    const { settings, warnings } = loadSettings(file(), { SUP_PRE_START_TIMEOUT_SECS: text });
    expect(settings.preStart).toBe(300_000);
    expect(warnings).toEqual([
      `SUP_PRE_START_TIMEOUT_SECS: "${text}" is not a whole number from 1; it is ignored (ERR0225)`,
    ]);
  });
});
