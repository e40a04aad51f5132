// Rules for names that users choose: project ids, service names, variables (`docs/manifest.md`, "Rules that
// hold everywhere", "The singular project").
import { read, refused, scalar } from './scalar.ts';
import { matching, notText } from './text.ts';
import type { KeyRule } from '../shapes/composite.ts';
import { LOOSE, NAME_PATTERN } from '../../../streams/domain/ids.ts';

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

/**
 * The rule for the name of a credential. A file gets this name, so the rule allows no name that leads out of
 * the directory of the file.
 */
export const CREDENTIAL_NAME: KeyRule = {
  label: 'credential name',
  pattern: /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,127}$/,
  rule: 'letters, digits, "_", ".", "-" and "@", at most 128, beginning with a letter, a digit or "_"',
};

export const variableName = matching('variable name', VARIABLE_PATTERN);

export const profileName = matching('profile name', NAME_PATTERN);

export const projectId = scalar({
  label: 'project id',
  schema: { type: 'string', pattern: NAME_PATTERN.source, not: { enum: PROJECT_ID.reserved } },
  verbatim: true,
  read: ({ kind, text: given }) => {
    if (kind !== 'text') return notText;
    if (PROJECT_ID.reserved?.includes(given) === true) return refused('is reserved');
    return NAME_PATTERN.test(given) ? read(given) : refused(`is not a project id: ${PROJECT_ID.rule}`);
  },
});
