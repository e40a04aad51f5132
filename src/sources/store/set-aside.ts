// Keeps an unusable file of the store as `<file>.corrupt-<n>` for inspection; it is never deleted.
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { spoiledText, type Spoiled } from './read-document.ts';

/** Returns the sentence for the supervisor's log. Never throws. */
export const setAside = (spoiled: Spoiled): string => {
  const { file, extent } = spoiled;
  const text = spoiledText(spoiled);
  if (extent === 'missing') return text;
  const aside = freeName(file);
  try {
    if (extent === 'whole') renameSync(file, aside);
    else copyFileSync(file, aside);
    return `${text}; kept as ${aside}`;
  } catch (error) {
    const reason = messageOf(error);
    return `${text}; nor can it be moved aside: ${reason}`;
  }
};

const freeName = (file: string): string => {
  let number = 1;
  while (existsSync(`${file}.corrupt-${number}`)) number += 1;
  return `${file}.corrupt-${number}`;
};
