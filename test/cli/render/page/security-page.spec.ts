import { describe, expect, it } from 'vitest';
import { securityLines } from '../../../../src/cli/render/page/security-page.ts';
import { securitySummary } from '../../../../src/cli/render/page/security-summary.ts';
import { securityDocument } from '../../../../src/streams/views/security/security-report.ts';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import { columnsOf } from '../../../../src/cli/render/text-table.ts';
import { specOf } from '../../../support/spec.ts';

const starter = { own: { uid: 0, name: 'root' }, privileged: true };
const LOOK = { paint: paintOf(false), sys: true, verbose: false, columns: 80 };
const web = specOf('web', { schema: 3, privilege: { user: 'www-data', supplementaryGroups: [] } });
const [bare, one, two] = ['bare', 'job@1', 'job@2'].map((name) => specOf(name));
if (bare === undefined || one === undefined || two === undefined) throw new Error('no services');
const lax = { spec: bare, skipped: [], pid: 41, process: { uids: [0, 0, 0, 0], noNewPrivs: true } };

const document = securityDocument({
  services: [{ spec: web }, { spec: one }, { spec: two }, { spec: bare, running: lax }],
  ...{ starter, supervised: true },
  supervisor: [
    { id: 'path', title: 'PATH', verdict: 'ok', detail: 'only root may change it' },
    { id: 'tiocsti', title: 'TIOCSTI', verdict: 'open', detail: 'is on', fix: 'sysctl -w a=0' },
    { id: 'yama', title: 'Yama', verdict: 'unknown', detail: 'no such file' },
  ],
});

const ofService = (name: string) => ({
  ...document,
  services: document.services.filter((service) => service.name === name),
});

describe('the page of sup security about all services', () => {
  const lines = securitySummary(document, LOOK);

  it('the most open service comes first, and equal instances are one line', () => {
    expect(lines[0]).toContain('SCORE');
    expect(lines.slice(1, 4).map((line) => line.trim().split(/\s+/)[2])).toEqual([
      'shop/job',
      'shop/bare',
      'shop/web',
    ]);
    expect(lines[1]).toContain('shop/job (2 instances)');
  });

  it('a service names its three heaviest open checks, and how many there are besides', () => {
    const wide = securitySummary(document, { ...LOOK, columns: 120 });
    expect(wide[3]).toMatch(/protect_system, protect_kernel, protect_home \+\d+$/);
    expect(lines[3]).toMatch(/protect_system \+\d+$/);
  });

  it('a process that is not as declared is marked', () => {
    expect(lines[2]).toContain('≠ differs');
    expect(lines[3]).toMatch(/shop\/web\s+-\s/);
  });

  it('what is open around the supervisor has its command, and the rest is one line', () => {
    expect(lines).toContain('  TIOCSTI: is on');
    expect(lines).toContain('    sysctl -w a=0');
    expect(lines).toContain('  closed: PATH');
    expect(lines).toContain('  not known: Yama: no such file');
  });

  it('a command in the page is one for the supervisor that it is about', () => {
    expect(lines.at(-1)).toContain('sup security --sys <service>');
  });

  it('no line is wider than a terminal of 80 columns', () => {
    for (const line of [...lines, ...securityLines(document, LOOK)])
      expect(columnsOf(line)).toBeLessThanOrEqual(80);
  });
});

describe('the page of sup security about a service', () => {
  it('open checks are below the line that closes them, which says what it is worth', () => {
    const lines = securityLines(ofService('web'), LOOK);
    const at = lines.indexOf('isolation: { protect: strict }  # -2.0');
    expect(at).toBeGreaterThan(0);
    expect(lines[at + 1]).toMatch(/^ +5 {2}protect_system +all files that its user may write$/);
  });

  it('closed checks are one line, unless they are asked for', () => {
    const folded = securityLines(ofService('web'), LOOK);
    expect(folded.find((line) => line.startsWith('closed:'))).toMatch(/^closed: \d+ of \d+ checks/);
    const all = securityLines(ofService('web'), { ...LOOK, verbose: true });
    expect(all).toContain('closed: none of this is the case');
    expect(all.some((line) => line.includes('it runs as root'))).toBe(true);
    expect(folded.some((line) => line.includes('it runs as root'))).toBe(false);
  });

  it('what differs has a mark and a reason', () => {
    const lines = securityLines(ofService('bare'), { ...LOOK, columns: 120 });
    expect(lines.some((line) => /^ {2}≠ +4 {2}open +closed +no_new_privs/.test(line))).toBe(true);
    expect(lines.at(-1)).toMatch(/^≠ no_new_privs: the process is not as it was started/);
    expect(lines[0]).toContain('pid 41');
  });

  it('what the manifest closes already, but not yet for the process, has no line for the manifest', () => {
    const running = { spec: bare, skipped: [], pid: 7, process: { uids: [0, 0, 0, 0] } };
    const changed = { ...web, id: bare.id, name: bare.name };
    const about = { services: [{ spec: changed, running }], starter, supervised: true, supervisor: [] };
    const lines = securityLines(securityDocument(about), LOOK);
    const at = lines.findIndex((line) => line.startsWith('declared, but not in effect'));
    expect(lines[at + 1]).toContain('it runs as root');
    expect(lines).not.toContain('user: www-data  # -1.6');
    const reason = lines.slice(lines.findIndex((line) => line.startsWith('≠ user, '))).join(' ');
    expect(reason).toMatch(/own_user\b.*: +changed since it started: sup apply --sys shop\/bare/);
  });

  it('a supervisor without --sys is said to ignore keys, which are open although they are declared', () => {
    const own = { uid: 1000, name: 'me' };
    const about = { services: [{ spec: web }], starter: { own, privileged: false } };
    const lines = securityLines(securityDocument({ ...about, supervised: false, supervisor: [] }), LOOK);
    const at = lines.findIndex((line) => line.startsWith('declared, but not in effect'));
    expect(lines[at + 1]).toContain('it runs as the user of the supervisor');
    expect(lines.at(-2)).toContain('need a privileged supervisor (--sys)');
  });

  it('a narrow terminal shows no names of checks, and all of the rest', () => {
    const lines = securityLines(ofService('bare'), LOOK);
    expect(lines[1]).toMatch(/WEIGHT +DECLARED +RUNNING +WHAT IS OPEN$/);
  });
});
