// A button that copies a text, and then says that it was copied.
import { useState } from 'preact/hooks';

const SHOWN_MS = 2_000;

export const CopyButton = ({ text }: { readonly text: () => string }) => {
  const [said, setSaid] = useState('Copy');
  const say = (word: string): void => {
    setSaid(word);
    setTimeout(() => setSaid('Copy'), SHOWN_MS);
  };
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => say('Copied'),
      () => say('Not allowed'),
    );
  };
  return (
    <button type="button" class="button" onClick={copy}>
      {said}
    </button>
  );
};
