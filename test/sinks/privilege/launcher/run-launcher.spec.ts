import { describe, expect, it } from 'vitest';
import { Refused } from '../../../../src/os/libc/libc.ts';
import { launch } from '../../../../src/sinks/privilege/launcher/run-launcher.ts';
import { StepRefused } from '../../../../src/sinks/privilege/launcher/confine.ts';
import type { LaunchOrder, LaunchReport, PlannedStep } from '../../../../src/streams/launch/launch-step.ts';

const nice = (value: number, mayRefuse: readonly string[] = []): PlannedStep => ({
  tag: 'nice',
  value,
  key: 'limits.nice',
  mayRefuse,
});
const PROGRAM = { argv: ['/bin/true'], environment: {} };

interface Played {
  readonly done: readonly string[];
  readonly reports: readonly LaunchReport[];
}

/** The `fails`-th step is refused with `error`. */
const play = (orders: readonly LaunchOrder[], error?: Error, fails = 0): Played => {
  const waiting = [...orders];
  const done: string[] = [];
  const reports: LaunchReport[] = [];
  launch({
    channel: {
      receive: () => waiting.shift()!,
      report: (report) => void reports.push(report),
    },
    perform: (step) => {
      if (error !== undefined && done.length === fails) throw error;
      done.push(step.tag === 'nice' ? `nice ${step.value}` : step.tag);
      return step.tag === 'nice' && step.value === 19 ? [{ key: step.key, detail: 'lost' }] : [];
    },
    become: ({ argv }) => {
      done.push(argv.join(' '));
      throw new Refused('execvpe', 2);
    },
  });
  return { done, reports };
};

describe('a launcher', () => {
  it('a launcher carries out its steps in order, reports, and becomes the program', () => {
    const { done, reports } = play([{ steps: [nice(1), nice(2)], program: PROGRAM }]);
    expect(done).toEqual(['nice 1', 'nice 2', '/bin/true']);
    expect(reports).toEqual([{ tag: 'going' }, { tag: 'no-program', code: 'ENOENT' }]);
  });

  it('a launcher runs nothing once a step is refused, and names its key', () => {
    for (const [fails, done] of [[], ['nice 1'], ['nice 1', 'nice 2']].entries()) {
      const steps = [nice(1), nice(2), nice(3)];
      expect(play([{ steps, program: PROGRAM }], new Refused('setpriority', 13), fails)).toEqual({
        done,
        reports: [{ tag: 'refused', step: 'nice', key: 'limits.nice', detail: 'setpriority: EACCES' }],
      });
    }
  });

  it('a launcher names the nested key that caused the refusal', () => {
    const { reports } = play(
      [{ steps: [nice(1)] }],
      new StepRefused('isolation.landlock.ro_paths', '/x: ENOENT'),
    );
    expect(reports).toEqual([
      { tag: 'refused', step: 'nice', key: 'isolation.landlock.ro_paths', detail: '/x: ENOENT' },
    ]);
  });

  it('a launcher skips a refusal that its plan allows, and reports it', () => {
    const steps = [nice(1, ['EACCES'])];
    expect(play([{ steps, program: PROGRAM }], new Refused('setpriority', 13))).toMatchObject({
      done: ['/bin/true'],
      reports: [
        { tag: 'skipped', key: 'limits.nice', detail: 'setpriority: EACCES' },
        { tag: 'going' },
        { tag: 'no-program' },
      ],
    });
    expect(play([{ steps, program: PROGRAM }], new Refused('setpriority', 22)).done).toEqual([]);
  });

  it('a launcher reports what a step could not do in full', () => {
    expect(play([{ steps: [nice(19)], program: PROGRAM }]).reports[0]).toEqual({
      tag: 'skipped',
      key: 'limits.nice',
      detail: 'lost',
    });
  });

  it('a launcher carries out the next order itself if the inner launcher could not be entered', () => {
    const orders = [{ steps: [nice(1)] }, { steps: [nice(2)], program: PROGRAM }];
    expect(play(orders).done).toEqual(['nice 1', 'nice 2', '/bin/true']);
  });
});
