// The loop of the full-screen view: inputs change the scene, and the newest scene is drawn at a limited rate.
import {
  auditTime,
  distinctUntilChanged,
  filter,
  map,
  merge,
  type Observable,
  scan,
  throttleTime,
} from 'rxjs';
import { press } from './model/press.ts';
import { after, type SceneInput, type Intent, type Scene } from './model/scene.ts';
import type { Key } from './typed-keys.ts';

/** An input that changes the scene, or a list of keys that arrived at the same time. */
export type ViewInput = SceneInput | { readonly tag: 'keys'; readonly keys: readonly Key[] };

export interface ViewStep {
  readonly scene: Scene;
  /** The actions outside of the scene that the keys request, such as to quit. */
  readonly intents: readonly Intent[];
  /** True after a key or a change of the terminal's size, because the user waits for the next frame. */
  readonly isUrgent: boolean;
  readonly number: number;
}

const next = ({ scene, number }: ViewStep, input: ViewInput): ViewStep => {
  const beside = { number: number + 1, isUrgent: input.tag === 'keys' || input.tag === 'resized' };
  return input.tag === 'keys'
    ? { ...beside, ...press(scene, input.keys) }
    : { ...beside, scene: after(scene, input), intents: [] };
};

/** Emits a step for each input. */
export function steps(input$: Observable<ViewInput>, first: Scene): Observable<ViewStep> {
  return input$.pipe(scan(next, { scene: first, intents: [], isUrgent: false, number: 0 }));
}

/** The time between two frames, ms. `URGENT_MS` applies after a key. */
const FRAME_MS = 100;
const URGENT_MS = 20;

/**
 * Emits the scenes to draw: after a key at once, otherwise at most ten per second. Never emits an older scene
 * after a newer one.
 */
export function frames(step$: Observable<ViewStep>): Observable<Scene> {
  const urgent$ = step$.pipe(
    filter(({ isUrgent }) => isUrgent),
    throttleTime(URGENT_MS, undefined, { leading: true, trailing: true }),
  );
  const other$ = step$.pipe(
    filter(({ isUrgent }) => !isUrgent),
    auditTime(FRAME_MS),
  );
  return merge(urgent$, other$).pipe(
    scan((newest, step) => (step.number > newest.number ? step : newest)),
    distinctUntilChanged(),
    map(({ scene }) => scene),
  );
}
