// Applies keys to the scene: to a question, to a text that the user is typing, to the page of keys, or to the
// table and the pane.
import type { Key } from '../typed-keys.ts';
import { ACTION_KEYS } from './action-keys.ts';
import { keyLines, keyRoom, possibleKeys } from './all-keys.ts';
import { type Pressed, STEPS } from './binding.ts';
import { sharesOf } from './page-shares.ts';
import { searched } from './log-pane.ts';
import { type Intent, type Scene, type ServiceAction, settled } from './scene.ts';
import { moved } from './list-keys.ts';

const WITHOUT_SUPERVISOR = 'no supervisor is connected, so nothing can be changed';

/** Applies the answer to a question: `y` confirms the action, any other key cancels it. */
const answered = (scene: Scene, key: Key, action: ServiceAction): Pressed => {
  const after = { ...scene, pending: undefined };
  if (key !== 'y') return { scene: after };
  return { scene: { ...after, busy: [...after.busy, action] }, intent: { type: 'act', action } };
};

/**
 * Matches a key that types a character. It does not match control characters and names of keys such as `up`.
 */
const TYPABLE = /^\P{Cc}$/u;

const ERASED: Readonly<Record<Key, (text: string) => string>> = {
  '\u007f': (text) => text.slice(0, -1),
  '\b': (text) => text.slice(0, -1),
  '\u0015': () => '',
  escape: () => '',
};

/** Returns the text as this key changes it; `undefined` if the key does not change the text. */
const edited = (text: string, key: Key): string | undefined => {
  const erased = ERASED[key];
  if (erased !== undefined) return erased(text);
  return TYPABLE.test(key) ? text + key : undefined;
};

/** By how many rows the arrow keys move the selection while the user types a filter. */
const ARROWS: Readonly<Record<Key, number>> = { up: -1, down: 1 };

const withText = (scene: Scene, text: string): Scene =>
  scene.typing === 'filter'
    ? { ...scene, filter: text, selected: undefined }
    : { ...scene, log: searched(scene.log, text, sharesOf(scene).pane ?? 0) };

/** Applies a key to the text that is being typed. */
const typedOn = (scene: Scene, key: Key): Scene => {
  const text = scene.typing === 'filter' ? scene.filter : scene.log.search;
  const isOver = ['\r', '\n', 'escape', '\t'].includes(key);
  const next = edited(text, key);
  const changed = next === undefined || next === text ? scene : withText(scene, next);
  const step = ARROWS[key];
  if (step !== undefined && scene.typing === 'filter') return moved(scene, step);
  return isOver ? { ...changed, typing: undefined } : changed;
};

/**
 * Applies a key to the table or the pane. Without a supervisor, a key that changes services only shows a
 * message.
 */
const pressedOn = (scene: Scene, key: Key): Pressed => {
  const binding = possibleKeys(scene).find(({ keys }) => keys.includes(key));
  if (binding !== undefined) return binding.press(scene, key);
  const isAction = !scene.isConnected && ACTION_KEYS.some(({ keys }) => keys.includes(key));
  return { scene: isAction ? { ...scene, remark: { text: WITHOUT_SUPERVISOR, ink: 'yellow' } } : scene };
};

/** Scrolls the page of keys if it is longer than the terminal. Any other key closes the page. */
const inHelp = (scene: Scene, key: Key): Scene => {
  const room = keyRoom(scene);
  const most = Math.max(0, keyLines(scene).length - room);
  const step = most === 0 ? undefined : STEPS[key]?.(room);
  if (step === undefined) return { ...scene, isHelp: false, helpTop: 0 };
  return { ...scene, helpTop: Math.min(most, Math.max(0, scene.helpTop + step)) };
};

const pressedIn = (scene: Scene, key: Key): Pressed => {
  if (key === 'interrupt') return { scene, intent: { type: 'quit' } };
  if (key === 'suspend') return { scene, intent: { type: 'suspend' } };
  if (scene.pending !== undefined) return answered(scene, key, scene.pending);
  if (scene.typing !== undefined) return { scene: typedOn(scene, key) };
  if (scene.isHelp) return { scene: inHelp(scene, key) };
  return pressedOn({ ...scene, remark: undefined }, key);
};

/** Applies keys one after the other. Also returns the intents that the keys request. */
export const press = (
  scene: Scene,
  keys: readonly Key[],
): { readonly scene: Scene; readonly intents: readonly Intent[] } => {
  const intents: Intent[] = [];
  let now = scene;
  for (const key of keys) {
    const pressed = pressedIn(now, key);
    now = settled(now, pressed.scene);
    if (pressed.intent !== undefined) intents.push(pressed.intent);
  }
  return { scene: now, intents };
};
