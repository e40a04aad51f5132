// Names with values, such as the command and the directory of a service.
import type { ComponentChildren } from 'preact';

export type NamedFact = readonly [name: string, value: ComponentChildren];

/** Shows the facts. Facts without a value are left out. */
export const FactList = ({ facts }: { readonly facts: readonly NamedFact[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
