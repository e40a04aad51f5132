// The live view on a terminal. Keys, sizes, news, log lines and answers are inputs, and one `scan` turns them
// into scenes (`frames.ts`). The scene determines which data is read, and the keys determine which actions
// are carried out.
import {
  catchError,
  connect,
  debounceTime,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  filter,
  finalize,
  from,
  fromEventPattern,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  Observable,
  of,
  type OperatorFunction,
  startWith,
  Subject,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { paintOf } from '../../streams/views/words/paint.ts';
import type { Context } from '../context.ts';
import type { World } from '../process-ports.ts';
import { frames, type ViewStep, steps, type ViewInput } from './frames.ts';
import {
  FIRST_SCENE,
  type Intent,
  type ReadPane,
  type Scene,
  selectedRow,
  type Size,
} from './model/scene.ts';
import type { News } from './news.ts';
import { pageLines } from './page/screen-page.ts';
import { remarkLines } from './model/page-shares.ts';
import { failureRemark, type Session } from './session.ts';
import { takeScreen } from './take-screen.ts';
import { typedKeys } from './typed-keys.ts';

const SECOND_MS = 1_000;
/** How long the selection must stay the same, ms, before logs and reasons of the selected row are read. */
const DWELL_MS = 100;
/** If no supervisor answers, the records are read after `GRACE_MS`, and then again every `RECORDS_MS`. */
const GRACE_MS = 1_000;
const RECORDS_MS = 5_000;

interface Stage {
  readonly context: Context;
  readonly session: Session;
  readonly news$: Observable<News>;
}

const sizeOf = ({ stdout }: World): Size => ({ columns: stdout.columns() ?? 80, rows: stdout.rows() ?? 24 });

/** Emits the texts that the terminal sends for keys. Completes if the terminal is gone. */
function typed({ keyboard }: World): Observable<string> {
  return new Observable((subscriber) =>
    keyboard.onTyped(
      (text) => subscriber.next(text),
      () => subscriber.complete(),
    ),
  );
}

/**
 * Emits the inputs from the user and the clock. The keyboard is taken first: a key that is typed as soon as
 * the first frame is shown must already arrive as a key.
 */
function ownInputs(world: World): Observable<ViewInput> {
  const keys$ = typedKeys(typed(world)).pipe(
    map((keys): ViewInput => ({ tag: 'keys', keys })),
    endWith<ViewInput>({ tag: 'keys', keys: ['interrupt'] }),
  );
  const sizes$ = fromEventPattern<unknown>(
    (listener) => world.keyboard.onResize(() => listener(undefined)),
    (_, remove: () => void) => remove(),
  ).pipe(
    startWith(undefined),
    map((): ViewInput => ({ tag: 'resized', size: sizeOf(world) })),
  );
  const seconds$ = interval(SECOND_MS).pipe(
    startWith(0),
    map((): ViewInput => ({ tag: 'second', now: Date.now() })),
  );
  return merge(keys$, sizes$, seconds$);
}

/** Returns an operator that replaces an error of the stream by a message to the user. */
function failed(what: string): OperatorFunction<ViewInput, ViewInput> {
  return catchError((thrown: unknown) =>
    of<ViewInput>({ tag: 'remarked', remark: failureRemark(what, thrown) }),
  );
}

/** Returns an operator that replaces an error of the stream by a message in the pane. */
function unread(pane: ReadPane): OperatorFunction<ViewInput, ViewInput> {
  return catchError((thrown: unknown) =>
    of<ViewInput>({ tag: 'unread', pane, lines: remarkLines(failureRemark(pane, thrown)) }),
  );
}

/** Emits the recorded services again and again while no supervisor answers. */
function records({ session, news$ }: Stage): Observable<ViewInput> {
  return news$.pipe(
    switchMap((news, at) => (news.tag === 'lost' ? timer(at === 0 ? 0 : GRACE_MS, RECORDS_MS) : EMPTY)),
    map((): ViewInput => ({ tag: 'recorded', projects: session.recorded() })),
    failed('the records'),
  );
}

function samples({ session, news$ }: Stage): Observable<ViewInput> {
  return news$.pipe(
    filter(({ tag }) => tag === 'found'),
    take(1),
    mergeMap(() => session.samples()),
    map((answer): ViewInput => ({ tag: 'sampled', answer })),
    // If the samples cannot be read, the charts begin without earlier values.
    catchError(() => EMPTY),
  );
}

/** Reads data about the selected row. Reads it again each time `keyOf` returns another text for the scene. */
function about(
  step$: Observable<ViewStep>,
  keyOf: (scene: Scene) => string | undefined,
  read$: (key: string) => Observable<ViewInput>,
): Observable<ViewInput> {
  return step$.pipe(
    map(({ scene }) => keyOf(scene)),
    distinctUntilChanged(),
    debounceTime(DWELL_MS),
    switchMap((key) => (key === undefined ? EMPTY : read$(key))),
  );
}

/** Returns a text that identifies the shown logs: the id of the row, and the ids of its services. */
const logKeyOf = (scene: Scene): string | undefined => {
  const row = scene.pane === 'logs' ? selectedRow(scene) : undefined;
  return row && [row.id, ...row.members].join(' ');
};

/** Returns a text that identifies the explanation: the id of the row, and the facts that it explains. */
const whyKeyOf = (scene: Scene): string | undefined => {
  const row = scene.pane === 'why' ? selectedRow(scene) : undefined;
  if (row === undefined) return undefined;
  const { state, health, pid, run, restarts } = row.service;
  return [row.id, row.count, state, health, pid, run, restarts, scene.isConnected].join(' ');
};

function logs(step$: Observable<ViewStep>, { session }: Stage): Observable<ViewInput> {
  return about(step$, logKeyOf, (key) => {
    const [of = '', ...services] = key.split(' ');
    return session.logs$(services).pipe(
      map((entries, at): ViewInput => ({ tag: 'logged', of, entries, isFirst: at === 0 })),
      unread('logs'),
    );
  });
}

function reasons(step$: Observable<ViewStep>, { session }: Stage): Observable<ViewInput> {
  return about(step$, whyKeyOf, (key) => {
    const [of = ''] = key.split(' ');
    return from(session.explain(of)).pipe(map((answer): ViewInput => ({ tag: 'explained', of, answer })));
  });
}

function intentsOf<T extends Intent['type']>(
  step$: Observable<ViewStep>,
  type: T,
): Observable<Extract<Intent, { type: T }>> {
  return step$.pipe(
    mergeMap(({ intents }) => intents),
    filter((intent): intent is Extract<Intent, { type: T }> => intent.type === type),
  );
}

function actions(step$: Observable<ViewStep>, { session }: Stage): Observable<ViewInput> {
  return intentsOf(step$, 'act').pipe(
    mergeMap(({ action }) =>
      from(session.act(action)).pipe(map((remark): ViewInput => ({ tag: 'acted', action, remark }))),
    ),
  );
}

/** Draws scenes, and restores the terminal when it is unsubscribed. */
function drawn(step$: Observable<ViewStep>, { world, colorOn }: Context): Observable<never> {
  return defer(() => {
    const screen = takeScreen(world);
    const { suspend, remove } = world.keyboard.suspension({ before: screen.leave, after: screen.enter });
    const paint = paintOf(colorOn(world.stdout));
    const frame$ = frames(step$).pipe(tap((scene) => screen.draw(pageLines(scene, paint), scene.size)));
    const suspended$ = intentsOf(step$, 'suspend').pipe(tap(suspend));
    return merge(frame$, suspended$).pipe(
      ignoreElements(),
      finalize(() => {
        remove();
        screen.leave();
      }),
    );
  });
}

/**
 * Draws the scenes, reads the data that the scenes need, and carries out actions, until the user quits or the
 * process ends.
 */
function shown(
  step$: Observable<ViewStep>,
  stage: Stage,
  answered: (input: ViewInput) => void,
): Observable<never> {
  const { world } = stage.context;
  const read$ = merge(logs(step$, stage), reasons(step$, stage), actions(step$, stage)).pipe(
    tap(answered),
    ignoreElements(),
  );
  const exit$ = fromEventPattern(world.keyboard.onExit, (_, remove: () => void) => remove());
  return merge(drawn(step$, stage.context), read$).pipe(takeUntil(merge(intentsOf(step$, 'quit'), exit$)));
}

/** Shows the view. Completes, with the terminal restored, when the user quits or the process ends. */
export function onTerminal(stage: Stage, first: Pick<Scene, 'isWhole' | 'unfolded'>): Observable<never> {
  return defer(() => {
    const { context, session, news$ } = stage;
    const { world, sys } = context;
    const answer$ = new Subject<ViewInput>();
    const happened$ = session.events$.pipe(
      map((events): ViewInput => ({ tag: 'happened', events })),
      unread('events'),
    );
    const input$ = merge(ownInputs(world), news$, records(stage), samples(stage), happened$, answer$);
    const scene = { ...FIRST_SCENE, ...first, sys, now: Date.now(), hasKeys: world.keyboard.isThere };
    return steps(input$, scene).pipe(connect((step$) => shown(step$, stage, (input) => answer$.next(input))));
  });
}
