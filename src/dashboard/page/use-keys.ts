// Keys that work anywhere on the page.
import { useEffect } from 'preact/hooks';

interface PageKeys {
  /** True while one service is shown. */
  readonly isService: boolean;
  readonly onHelp: () => void;
  readonly onClearFilter: () => void;
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

const focusOn = (selector: string): boolean => {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
};

const onEscape = (event: KeyboardEvent, { isService, onClearFilter }: PageKeys): void => {
  const { target } = event;
  if (target instanceof HTMLInputElement) {
    if (target.id === 'filter') onClearFilter();
    target.blur();
  } else if (isService) location.hash = '#/';
};

/** Carries out a key of the page. Returns false if the page does not use the key. */
const carryOut = (event: KeyboardEvent, keys: PageKeys): boolean => {
  switch (event.key) {
    case '/':
      return focusOn('#filter, #log-search');
    case '?':
      keys.onHelp();
      return true;
    case 'j':
    case 'k':
    case 'ArrowDown':
      return (
        !keys.isService &&
        document.activeElement === document.body &&
        focusOn('[role="table"] [tabindex="0"]')
      );
    default:
      return false;
  }
};

export const useKeys = (keys: PageKeys): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isPlain || document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'Escape') onEscape(event, keys);
      else if (!isTyping(event) && carryOut(event, keys)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
};
