import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AllowRule, permitsAll, readRule } from '../../src/mcp/changes/allow-rules.ts';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { means } from '../../src/streams/selection/match.ts';

const ruleOf = (written: string): AllowRule => {
  const rule = readRule(written);
  if (!rule.ok) throw new Error(rule.problem);
  return rule.value;
};

const isCovered = (rule: string, written: string): boolean => permitsAll([ruleOf(rule)], 'restart', written);

describe('a rule of --allow', () => {
  it.each([
    ['restart:shop/*', 'shop/web'],
    ['restart:shop/*', 'shop/*'],
    ['restart:shop/*', 'shop/web@2'],
    ['restart:shop/web', 'shop/web@2'],
    ['restart:*', '*'],
    ['restart:*', 'shop/we?'],
    ['restart:*/web', 'web'],
    ['restart:web', 'shop/web'],
    ['restart:w?b*', 'web-*'],
    ['*:shop/web', 'shop/web'],
  ])('%s covers %s', (rule, written) => {
    expect(isCovered(rule, written)).toBe(true);
  });

  it.each([
    ['restart:shop/*', '*'],
    ['restart:shop/*', 'web'],
    ['restart:shop/*', 'blog/web'],
    ['restart:shop/*', 'sho?/web'],
    ['restart:shop/web@1', 'shop/web'],
    ['restart:shop/we?', 'shop/we*'],
    ['restart:x?*', 'x*'],
    ['stop:shop/*', 'shop/web'],
  ])('%s does not cover %s', (rule, written) => {
    expect(isCovered(rule, written)).toBe(false);
  });

  it.each([
    ['restart', '"restart" has no colon'],
    ['kill:web', '"kill" is not one of start, stop, restart, scale, apply, rollback, *'],
    ['restart:', '"" is no name or pattern of services, such as web, shop/web, shop/* or *'],
    ['restart:a/b/c', '"a/b/c" is no name or pattern of services, such as web, shop/web, shop/* or *'],
    ['restart:web db', '"web db" is no name or pattern of services, such as web, shop/web, shop/* or *'],
  ])('%s is refused', (written, problem) => {
    expect(readRule(written)).toEqual({ ok: false, problem });
  });

  const letters = fc.array(fc.constantFrom('a', 'b', '*', '?', '@1'), { minLength: 1, maxLength: 5 });
  const part = letters.map((all) => all.join(''));
  const pattern = fc.oneof(
    part,
    fc.tuple(part, part).map(([project, name]) => `${project}/${name}`),
  );
  const word = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
  const service = fc.tuple(word, word, fc.constantFrom('', '@1')).map(([project, base, instance]) => ({
    id: serviceId(projectId(project), `${base}${instance}`),
    name: `${base}${instance}`,
  }));

  it('no service that a permitted pattern means is outside the rule', () => {
    fc.assert(
      fc.property(pattern, pattern, service, (allowed, written, one) => {
        const rules = [{ changes: ['restart'], pattern: allowed } as const];
        const isOutside = means(written, one) && !means(allowed, one);
        return !(isOutside && permitsAll(rules, 'restart', written));
      }),
      { numRuns: 3_000 },
    );
  });
});
