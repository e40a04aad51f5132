// The id of a project (`docs/manifest.md`, "The singular project").
import { NAME_PATTERN } from '../../../streams/domain/ids.ts';
import { PROJECT_ID } from './names.ts';
import { read, refused, scalar } from './scalar.ts';
import { notText } from './text.ts';

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
