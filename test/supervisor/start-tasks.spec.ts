import { NEVER, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { runTasks } from '../../src/supervisor/start-tasks.ts';

describe('the tasks of a supervisor', () => {
  it('the supervisor ends on request', async () => {
    const quit$ = new Subject<object>();
    const { end } = runTasks({ tasks: { loop: NEVER }, quit$, onError: expect.unreachable });
    quit$.next({});
    expect(await end).toEqual({ tag: 'quit' });
  });

  it('the supervisor ends when one of its tasks fails, and names it', async () => {
    const told: unknown[] = [];
    const part$ = new Subject<never>();
    const { end } = runTasks({
      tasks: { loop: NEVER, store: part$ },
      quit$: NEVER,
      onError: (name, error) => told.push(name, error),
    });
    part$.error(new Error('on fire'));
    expect(await end).toEqual({ tag: 'broken' });
    expect(told).toEqual(['store', new Error('on fire')]);
  });

  it('the supervisor ends when the source of its end requests fails', async () => {
    const { end } = runTasks({
      tasks: {},
      quit$: throwError(() => new Error('gone')),
      onError: expect.unreachable,
    });
    expect(await end).toEqual({ tag: 'broken' });
  });
});
