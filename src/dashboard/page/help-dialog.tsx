// A dialog that explains the keys of the page (`docs/dashboard.md`, "Keys").
import { Dialog } from './parts/dialog.tsx';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['/', 'filter services, or search the log'],
  ['j k, ↓ ↑', 'next and previous service or lane'],
  ['Enter', 'open the service; unfold replicas'],
  ['Escape', 'empty the filter; close; back to all services'],
  ['← →', 'next and previous tab; events of a lane'],
  ['+ − 0', 'on the timeline: zoom in, out, the last hour'],
  ['[ ]', 'on the timeline: earlier, later'],
  ['Ctrl + wheel', 'on the timeline: zoom at the pointer'],
  ['Enter, Shift + Enter', 'in the search of a log: next and previous match'],
  ['?', 'these keys'],
];

export const HelpDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="facts">
      {KEYS.map(([keys, meaning]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <div class="dialog-buttons">
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);
