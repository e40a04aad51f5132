import { describe, expect, it } from 'vitest';
import { evaluateLevel } from '../../../src/streams/env/expand-env-object.ts';

const OUTER: Readonly<Record<string, string>> = { PATH: '/bin', O: 'outer' };
const evaluate = (vars: Readonly<Record<string, string>>, file: Readonly<Record<string, string>> = {}) =>
  evaluateLevel({ vars: new Map(Object.entries(vars)), file }, (name) => OUTER[name]);

describe('the variables of one level', () => {
  it('variables of one level may use each other in any order, the file and outer variables', () => {
    expect(evaluate({ A: '${B}${F}', B: '${O}', C: '${A}' }, { F: 'f', O: 'file' }).values).toEqual({
      A: 'filef',
      B: 'file',
      C: 'filef',
    });
  });

  it('a variable of one level that refers to its own name gets the outer value', () => {
    expect(evaluate({ PATH: '/opt:${PATH}' }).values).toEqual({ PATH: '/opt:/bin' });
    expect(evaluate({ F: '${F}!' }, { F: 'file' }).values).toEqual({ F: 'file!' });
  });

  it('variables of one level fail once each, and variables that use a failed one fail without a report of their own', () => {
    const { values, failures } = evaluate({ A: '${B}', B: '${NONE}', C: 'c' });
    expect(values).toEqual({ C: 'c' });
    expect([...failures]).toEqual([
      ['B', { tag: 'failed', faults: [{ tag: 'undefined', at: 0, name: 'NONE' }] }],
      ['A', { tag: 'follows' }],
    ]);
  });

  it('variables of one level report their own missing references beside a failed one', () => {
    const { failures } = evaluate({ A: '${B} ${NONE} ${MORE:?set it}', B: '${ALSO}' });
    expect(failures.get('A')).toMatchObject({ faults: [{ name: 'NONE' }, { name: 'MORE' }] });
    expect(failures.get('B')).toMatchObject({ faults: [{ name: 'ALSO' }] });
  });

  it('variables of one level may not form a cycle', () => {
    const { failures } = evaluate({ A: '${B}', B: '${C}', C: '${A}' });
    expect(failures.get('A')).toEqual({ tag: 'cycle', names: ['A', 'B', 'C', 'A'] });
    expect([failures.get('B'), failures.get('C')]).toEqual([{ tag: 'follows' }, { tag: 'follows' }]);
  });

  it('variables of one level may form a chain of 5,000', () => {
    const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`V${n}`, `\${V${n + 1}}`]));
    const { failures } = evaluate({ ...chain, V5000: 'end' });
    expect(failures.get('V101')).toEqual({ tag: 'too-deep', most: 100 });
    expect(failures.get('V0')).toEqual({ tag: 'follows' });
  });

  it('variables of one level have a size limit', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`V${n}`, `\${V${n + 1}}\${V${n + 1}}`]),
    );
    const { failures } = evaluate({ ...doubling, V60: 'x' });
    expect([...failures.values()]).toContainEqual({ tag: 'failed', faults: [{ tag: 'too-long', at: 0 }] });
  });
});
