// Patterns for ids, service names and variables (`docs/manifest.md`, "Rules that hold everywhere").
import { LOOSE, NAME_PATTERN } from '../../../streams/domain/ids.ts';
import type { KeyRule } from '../shapes/record.ts';
import { matching } from './text.ts';

const NAME_RULE = 'letters, digits, "_", "." and "-", at most 64, not beginning with "." or "-"';

export const PROJECT_ID: KeyRule = {
  label: 'project id',
  pattern: NAME_PATTERN,
  rule: NAME_RULE,
  reserved: [LOOSE],
};

export const SERVICE_NAME: KeyRule = { label: 'service name', pattern: NAME_PATTERN, rule: NAME_RULE };

const VARIABLE_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const VARIABLE: KeyRule = {
  label: 'variable name',
  pattern: VARIABLE_PATTERN,
  rule: 'letters, digits and "_", not beginning with a digit',
};

export const variableName = matching('variable name', VARIABLE_PATTERN);
