// Converts a YAML scalar into a node of the assembled tree.
import type { Scalar } from 'yaml';
import type { Place, ScalarNode } from './node.ts';

export const scalarNode = (scalar: Scalar, place: Place): ScalarNode => {
  const { value, source } = scalar;
  const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = source ?? (known ? String(value) : '');
  const kept = known ? value : value === null || value === undefined ? undefined : text;
  return { tag: 'scalar', ...place, weight: 1, value: kept, source: text };
};
