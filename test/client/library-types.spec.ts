// The types that `import … from 'sup/client'` gives to a program.
import type { Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import type {
  ClientFailure,
  connect,
  DoneDocument,
  EventDocument,
  Feed,
  LogDocument,
  MetricsDocument,
  PlanDocument,
  ServiceDocument,
  StatusDocument,
  Sup,
} from '../../src/client/library.ts';

describe('the types of the client library', () => {
  it('connect needs nothing, and takes a place', () => {
    expectTypeOf<typeof connect>().toBeCallableWith();
    expectTypeOf<typeof connect>().toBeCallableWith({ sys: true });
    expectTypeOf<typeof connect>().returns.toEqualTypeOf<Sup>();
  });

  it('a feed is an observable and an async iterable', () => {
    expectTypeOf<Feed<StatusDocument>>().toExtend<Observable<StatusDocument>>();
    expectTypeOf<Feed<StatusDocument>>().toExtend<AsyncIterable<StatusDocument>>();
  });

  it('each stream has the type of its document', () => {
    expectTypeOf<Sup['status$']>().toEqualTypeOf<Feed<StatusDocument>>();
    expectTypeOf<Sup['events$']>().toEqualTypeOf<Feed<EventDocument>>();
    expectTypeOf<Sup['metrics$']>().toEqualTypeOf<Feed<MetricsDocument>>();
    expectTypeOf<Sup['service$']>().returns.toEqualTypeOf<Feed<ServiceDocument | undefined>>();
    expectTypeOf<Sup['logs$']>().returns.toEqualTypeOf<Feed<LogDocument>>();
  });

  it('each command resolves to its document', () => {
    expectTypeOf<Sup['start']>().returns.resolves.toEqualTypeOf<DoneDocument>();
    expectTypeOf<Sup['plan']>().returns.resolves.toEqualTypeOf<PlanDocument>();
    expectTypeOf<Sup['scale']>().parameter(0).toEqualTypeOf<Readonly<Record<string, number>>>();
    expectTypeOf<Sup['rollback']>().parameter(0).not.toBeNullable();
  });

  it('a failure has a code of the catalogue', () => {
    expectTypeOf<ClientFailure['document']['code']>().toExtend<`ERR${string}`>();
    expectTypeOf<'ERR0206'>().toExtend<ClientFailure['document']['code']>();
  });
});
