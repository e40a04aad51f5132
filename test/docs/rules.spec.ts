// The index of docs/architecture.md against the comments of the source: every rule of docs/behaviour.md has its file.
import { describe, expect, it } from 'vitest';
import { compareBlock } from '../support/docs/block.ts';
import { brokenIn, placesOf, sectionsOf } from '../support/docs/pointers.ts';
import { BEHAVIOUR, carriedOut, otherList, rulesList } from '../support/docs/rules.ts';

const FILE = 'docs/architecture.md';
const rules = carriedOut(BEHAVIOUR);

describe('the index of rules', () => {
  it('the index of rules lists the rules that comments implement', async () => {
    const { written, generated } = await compareBlock({ file: FILE, name: 'rules', asIs: true }, rulesList());
    expect(written).toBe(generated);
  });

  it('the index of rules lists sections of other pages that comments point to', async () => {
    const { written, generated } = await compareBlock(
      { file: FILE, name: 'sections', asIs: true },
      otherList(),
    );
    expect(written).toBe(generated);
  });

  it('the index of rules has a file for each rule of the page of behaviour', () => {
    const without = rules.filter(({ rule, files }) => rule !== undefined && files.length === 0);
    expect(without.map(({ section, rule }) => `${section}: ${rule}`)).toEqual([]);
  });

  it('the index of rules has a file for each section of the page of behaviour', () => {
    const carried = new Set(rules.filter(({ files }) => files.length > 0).map(({ section }) => section));
    expect([...sectionsOf(BEHAVIOUR).keys()].filter((section) => !carried.has(section))).toEqual([]);
  });

  it('the index of rules is long', () => {
    expect(rules.length).toBeGreaterThan(80);
  });
});

describe('a pointer to a rule', () => {
  it('a pointer to a rule names its section first', () => {
    const headings = ['Casualties', 'It starts again', 'The root is named', 'Stopping', 'Order'];
    expect(placesOf({ page: BEHAVIOUR, headings })).toEqual([
      { section: 'Casualties', rule: 'It starts again' },
      { section: 'Casualties', rule: 'The root is named' },
      { section: 'Stopping', rule: 'Order' },
    ]);
  });

  it('a pointer to a rule is broken if its section has no such rule', () => {
    expect(brokenIn({ page: BEHAVIOUR, headings: ['Starting', 'It starts again'] })).toEqual([
      `${BEHAVIOUR}, "It starts again"`,
    ]);
    expect(brokenIn({ page: BEHAVIOUR, headings: ['Starting', 'Order'] })).toEqual([]);
  });
});
