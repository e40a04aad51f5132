// docs/decisions: the index has every decision with its title and status, and says which are superseded.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = 'docs/decisions';

interface Decision {
  readonly number: string;
  readonly title: string;
  readonly file: string;
  readonly status: string;
}

const decisionIn = (file: string): Decision => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const [, number = '', title = ''] = /^# (D-\d{3}) (.+)\n/.exec(text) ?? [];
  const [, status = ''] = /^Status: ([^]*?)\n\n/m.exec(text) ?? [];
  return { number, title, file, status: status.replaceAll('\n', ' ').replace(/\.$/, '') };
};

const decisions = readdirSync(FOLDER)
  .filter((file) => /^\d{3}-.*\.md$/.test(file))
  .toSorted()
  .map(decisionIn);

const listed = [
  ...readFileSync(`${FOLDER}/index.md`, 'utf8').matchAll(
    /^\| (D-\d{3}) \| \[(.+?)\]\((\d{3}-[^)]+)\) \| (.+) \|$/gm,
  ),
].map(([, number = '', title = '', file = '', status = '']): Decision => ({ number, title, file, status }));

describe('the decisions', () => {
  it('the decisions are listed with title and status', () => {
    expect(listed).toEqual(decisions);
  });

  it('the decisions have the number of their file', () => {
    expect(decisions.filter(({ number, file }) => number !== `D-${file.slice(0, 3)}`)).toEqual([]);
  });

  it('the decisions are accepted, or superseded as their status says', () => {
    const isKnown = ({ status }: Decision): boolean =>
      status.startsWith('accepted') || /^superseded(?: by \[D-\d{3}\]\(\d{3}-[^)]+\)|: .+)$/.test(status);
    expect(decisions.filter((decision) => !isKnown(decision))).toEqual([]);
    expect(decisions.filter(({ status }) => status.startsWith('superseded')).length).toBeGreaterThan(1);
  });

  it('the decisions link to existing decisions', () => {
    const files = new Set(decisions.map(({ file }) => file));
    const broken = decisions.flatMap(({ file }) =>
      [...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(/\]\((\d{3}-[^)#]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !files.has(target)),
    );
    expect(broken).toEqual([]);
  });
});
