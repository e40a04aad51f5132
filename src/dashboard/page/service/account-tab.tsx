// The tab that explains a service: why it is in its state, what to do, and its other facts.
import { shownOutput } from '../../../streams/views/words/foreign-text.ts';
import type { WhyRoot, WhyService, WhyStep } from '../../../streams/wire/documents/why-document.ts';
import type { ServiceAnswer } from '../../page-messages.ts';
import { fragmentOf } from '../model/page-route.ts';
import { shownIdOf } from '../model/page-words.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { History } from './history.tsx';
import { ServiceFacts } from './service-facts.tsx';

const Step = ({
  step,
  now,
  isFirst,
}: {
  readonly step: WhyStep;
  readonly now: number;
  readonly isFirst: boolean;
}) => (
  <li>
    {isFirst ? (
      <strong>{shownIdOf(step.service)}</strong>
    ) : (
      <a href={fragmentOf(step.service)}>{shownIdOf(step.service)}</a>
    )}{' '}
    <StateSign state={step.state} />{' '}
    {step.since === null ? null : (
      <span class="quiet">
        since <TimeAgo at={step.since} now={now} />
      </span>
    )}
    <div>{step.reason ?? step.event}</div>
  </li>
);

const Printed = ({ root: { service, printed, advice } }: { readonly root: WhyRoot }) => (
  <>
    {printed.length === 0 ? null : (
      <figure>
        <figcaption class="quiet">The last lines of {shownIdOf(service)}</figcaption>
        <pre tabIndex={0}>{printed.map(shownOutput).join('\n')}</pre>
      </figure>
    )}
    {advice === null ? null : <p>{advice}</p>}
  </>
);

const Why = ({ why, now }: { readonly why: WhyService; readonly now: number }) => (
  <>
    <ol class="chain">
      {why.chain.map((step, index) => (
        <Step key={step.service} step={step} now={now} isFirst={index === 0} />
      ))}
    </ol>
    {why.roots.map((root) => (
      <Printed key={root.service} root={root} />
    ))}
    <p>
      <strong>Next:</strong> {why.next.text}
    </p>
    {why.actions.length === 0 ? null : (
      <ul class="advice">
        {why.actions.map(({ command, meaning }) => (
          <li key={command}>
            <code>{command}</code> <span class="quiet">{meaning}</span>
          </li>
        ))}
      </ul>
    )}
  </>
);

interface TabProps {
  readonly account: ServiceAnswer;
  readonly now: number;
}

export const AccountTab = ({ account: { why, inspect }, now }: TabProps) => (
  <div class="columns">
    <section class="panel" aria-labelledby="why-heading">
      <header class="panel-head">
        <h3 id="why-heading">Why</h3>
      </header>
      <div class="panel-body">
        {inspect.error === null ? null : <ErrorNote error={inspect.error} />}
        <Why why={why} now={now} />
      </div>
    </section>
    <section class="panel" aria-labelledby="facts-heading">
      <header class="panel-head">
        <h3 id="facts-heading">What is known</h3>
      </header>
      <div class="panel-body">
        <ServiceFacts service={inspect} now={now} />
      </div>
    </section>
    <section class="panel wide" aria-labelledby="history-heading">
      <header class="panel-head">
        <h3 id="history-heading">History</h3>
      </header>
      <div class="panel-body">
        <History service={inspect} now={now} />
      </div>
    </section>
  </div>
);
