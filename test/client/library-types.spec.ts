// The types that `import … from 'sup/client'` gives to a program.
import type { Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import type {
  AnyDocument,
  ClientFailure,
  ConfigDocument,
  connect,
  DoneDocument,
  ErrorDocument,
  EventDocument,
  Executed,
  Feed,
  InspectDocument,
  LogDocument,
  MetricsDocument,
  Place,
  PlanDocument,
  ProblemsDocument,
  Selection,
  ServiceDocument,
  StatusDocument,
  Sup,
  WaitDocument,
  WhyDocument,
} from '../../src/client/library.ts';

/** What each member gives: the value of a feed, or that of a promise. */
type Given = {
  readonly [M in keyof Sup]: Sup[M] extends AsyncIterable<infer T>
    ? T
    : Sup[M] extends (...given: never) => infer R
      ? R extends AsyncIterable<infer T>
        ? T
        : Awaited<R>
      : Sup[M];
};

interface Expected {
  readonly dataDir: string;
  readonly status$: StatusDocument;
  readonly service$: ServiceDocument | undefined;
  readonly events$: EventDocument;
  readonly logs$: LogDocument;
  readonly metrics$: MetricsDocument;
  readonly events: readonly EventDocument[];
  readonly status: StatusDocument;
  readonly inspect: InspectDocument;
  readonly why: WhyDocument;
  readonly wait: WaitDocument;
  readonly config: ConfigDocument;
  readonly validate: ProblemsDocument;
  readonly plan: PlanDocument;
  readonly start: DoneDocument;
  readonly stop: DoneDocument;
  readonly restart: DoneDocument;
  readonly apply: DoneDocument;
  readonly rollback: DoneDocument;
  readonly scale: DoneDocument;
  readonly forget: DoneDocument;
  readonly kill: DoneDocument;
  readonly reload: DoneDocument;
  readonly shutdown: DoneDocument;
  readonly exec: Executed;
  readonly called: Awaited<ReturnType<Sup['called']>>;
}

describe('the types of the client library', () => {
  it('connect needs nothing, and takes a place', () => {
    expectTypeOf<typeof connect>().toBeCallableWith();
    expectTypeOf<typeof connect>().toBeCallableWith({ sys: true });
    expectTypeOf<typeof connect>().returns.toEqualTypeOf<Sup>();
    expectTypeOf<Place>().toHaveProperty('socket');
  });

  it('each member gives its document', () => {
    expectTypeOf<Given>().toEqualTypeOf<Expected>();
  });

  it('a feed is an observable and an async iterable', () => {
    expectTypeOf<Feed<StatusDocument>>().toExtend<Observable<StatusDocument>>();
    expectTypeOf<Feed<StatusDocument>>().toExtend<AsyncIterable<StatusDocument>>();
    expectTypeOf<Sup['status$']>().toEqualTypeOf<Feed<StatusDocument>>();
  });

  it('members take selections and options', () => {
    expectTypeOf<Sup['wait']>().toBeCallableWith({ services: ['web'] }, { for: 'healthy', timeoutMs: 1 });
    expectTypeOf<Sup['inspect']>().parameter(1).toEqualTypeOf<{ readonly windowMs?: number } | undefined>();
    expectTypeOf<Sup['logs$']>().toBeCallableWith({}, { grep: /x/, follow: false, since: new Date() });
    expectTypeOf<Sup['scale']>().parameter(0).toEqualTypeOf<Readonly<Record<string, number>>>();
    expectTypeOf<Parameters<Sup['rollback' | 'kill' | 'reload']>[0]>().toEqualTypeOf<Selection>();
  });

  it('the key schema says which document it is', () => {
    expectTypeOf<Extract<AnyDocument, { schema: 'sup.why/1' }>>().toEqualTypeOf<WhyDocument>();
    expectTypeOf<Extract<AnyDocument, { schema: 'sup.error/1' }>['error']>().toEqualTypeOf<ErrorDocument>();
  });

  it('a failure has a code of the catalogue', () => {
    expectTypeOf<ClientFailure['document']['code']>().toExtend<`ERR${string}`>();
    expectTypeOf<'ERR0206'>().toExtend<ClientFailure['document']['code']>();
  });
});
